"""The scan of all boundaries of a group of features, one feature per vector lane, as LLVM code for any leaf rule.

A score is a fold over the lanes (:mod:`csboost.weak.rules` has one for each rule), and their number is known only when
the code runs. Up to :data:`MOST_LANES` of them are folded in one sweep over the bins, with the left sums in registers:
there is a loop for each such number. More lanes take several sweeps, which leave the folds of both sides of every
boundary in memory for the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from csboost._jit import intrinsic_with
from csboost.weak.layout import BINS, MISSING
from csboost.weak.vectors import INDEX, INFINITY, Vectors, group_of, pointer_to, vector_at

MOST_LANES = 8  # in one sweep: twice as many vectors, the left sums and the totals, fill the registers


class LeafScore(NamedTuple):
    """A leaf rule's score as a fold over the channel sums S of a leaf.

    The fold is given the arithmetic, the score so far, S_k, and S_{half + k} of a paired rule, and returns the score.
    """

    fold: Callable[[Vectors, Any, Any, Any], Any]
    twin: Callable[[Any, Any, Any], Any]  # the same of arrays, without the arithmetic
    start: float  # below or at every score
    is_paired: bool = False  # whether lane k of the first half meets lane k of the second
    is_double: bool = False  # whether the score is a float64 whatever the sums are
    most_lanes: int = MOST_LANES  # in one sweep
    is_whole: bool = False  # whether the sums of a sweep are folded at once (csboost.weak.vector_fold)
    n_given: int = 0  # numbers behind the tolerance in ``bar``, for such a fold


class _Scan:
    """Code generation of one scan."""

    def __init__(self, rule: LeafScore, context: Any, builder: Any, signature: Any, arguments: Any):
        (histogram, *_), (totals, _) = signature.args[0], signature.args[1]
        (value, base, self.bins), (totals_value, node), (floor, slack, *given) = (
            cgutils.unpack_tuple(builder, arguments[k]) for k in (0, 1, 4)
        )
        self.n_lanes, self.missing_left = arguments[2:4]
        self.rule, self.builder, self.dtype, self.width = rule, builder, histogram.dtype, signature.args[-1].count
        self.vectors = Vectors(context, builder, histogram.dtype, self.width)
        self.scoring = Vectors(context, builder, types.float64, self.width) if rule.is_double else self.vectors
        self.histogram = pointer_to(context, builder, histogram, value, base)
        self.totals = pointer_to(context, builder, totals, totals_value, builder.mul(node, self.n_lanes))
        self.given = [self.scoring.broadcast(number) for number in given]
        self.half = builder.lshr(self.n_lanes, ir.Constant(INDEX, 1))
        self.numbers = Vectors(context, builder, types.int64, self.width)
        self.slack = self.scoring.broadcast(self.scalar(slack))
        self.bar = self.scoring.add(self.scoring.broadcast(self.scalar(floor)), self.slack)
        self.no_cut = ir.Constant(ir.VectorType(INDEX, self.width), [-1] * self.width)
        boundaries = ir.Constant(INDEX, BINS)
        self.folds = [cgutils.alloca_once(builder, self.scoring.type, boundaries) for _ in range(2)]
        self.best = cgutils.alloca_once_value(builder, self.bar)
        self.cut = cgutils.alloca_once_value(builder, self.no_cut)

    def scalar(self, value: Any) -> Any:
        """A float64 argument in the type of the scores."""
        return value if self.scoring.is_float else self.builder.fptosi(value, self.scoring.element)

    def lanes(self, first: Any, steps: int) -> list[Any]:
        """The lane numbers that ``steps`` steps of the fold from ``first`` on read."""
        numbers = [self.builder.add(first, ir.Constant(INDEX, k)) for k in range(steps)]
        return [*numbers, *(self.builder.add(self.half, k) for k in numbers)] if self.rule.is_paired else numbers

    def load(self, bin_index: Any, lane: Any) -> Any:
        """The histogram's vector of one bin and lane."""
        builder = self.builder
        vector = builder.add(builder.mul(bin_index, self.n_lanes), lane)
        place = builder.gep(self.histogram, [builder.mul(vector, ir.Constant(INDEX, self.width))])
        pointer, align = vector_at(builder, place, self.dtype, self.width)
        return builder.load(pointer, align=align)

    def first(self, lane: Any) -> Any:
        """Where the left sums start: with the missing values, or with nothing."""
        chosen = self.builder.icmp_signed("!=", self.missing_left, ir.Constant(INDEX, 0))
        return self.builder.select(chosen, self.load(ir.Constant(INDEX, MISSING), lane), self.vectors.constant(0))

    def fold(self, start: Any, sums: list[Any], is_first: bool) -> Any:
        """The score ``start`` folded with the sums of some lanes, which may be the first of all."""
        steps = len(sums) // 2 if self.rule.is_paired else len(sums)
        if self.rule.is_double:
            sums = [self.vectors.to_double(value) for value in sums]
        if self.rule.is_whole:
            return self.rule.fold(self.scoring, start, (sums[:steps], sums[steps:]), (self.given, is_first))
        for k in range(steps):
            start = self.rule.fold(self.scoring, start, sums[k], sums[steps + k] if self.rule.is_paired else None)
        return start

    def sweep(self, lanes: list[Any], is_last: bool, folds_before: bool) -> None:
        """A loop over the boundaries that folds some lanes into both sides' scores."""
        builder, vectors, scoring = self.builder, self.vectors, self.scoring
        totals = [vectors.broadcast(builder.load(builder.gep(self.totals, [lane]))) for lane in lanes]
        starts, best_before, cut_before = [self.first(k) for k in lanes], self.bar, self.no_cut
        before, body = builder.block, builder.append_basic_block("boundary")
        after = builder.append_basic_block("swept")
        builder.branch(body)
        builder.position_at_end(body)
        boundary, best, cut = builder.phi(INDEX), builder.phi(scoring.type), builder.phi(self.no_cut.type)
        lefts = [builder.phi(vectors.type) for _ in lanes]
        grown = [vectors.add(left, self.load(boundary, k)) for left, k in zip(lefts, lanes, strict=True)]
        rest = [vectors.subtract(total, left) for total, left in zip(totals, grown, strict=True)]
        places = [builder.gep(folds, [boundary]) for folds in self.folds]
        so_far = [builder.load(place) if folds_before else scoring.constant(self.rule.start) for place in places]
        scores = [self.fold(start, sums, not folds_before) for start, sums in zip(so_far, (grown, rest), strict=True)]
        next_best, next_cut = best, cut
        if is_last:
            value = scoring.add(*scores)
            better = scoring.greater(value, best)
            next_best = builder.select(better, scoring.add(value, self.slack), best)
            here = self.numbers.broadcast(boundary)
            next_cut = builder.select(better, here, cut)
        else:
            for score, place in zip(scores, places, strict=True):
                builder.store(score, place)
        following = builder.add(boundary, ir.Constant(INDEX, 1))
        builder.cbranch(builder.icmp_signed("<", following, self.bins), body, after)
        loop = [(boundary, ir.Constant(INDEX, 0), following), (best, best_before, next_best)]
        loop += [(cut, cut_before, next_cut), *zip(lefts, starts, grown, strict=True)]
        for phi, initial, then in loop:
            phi.add_incoming(initial, before)
            phi.add_incoming(then, body)
        builder.position_at_end(after)
        if is_last:
            builder.store(next_best, self.best)
            builder.store(next_cut, self.cut)

    def run(self) -> None:
        """Choose the sweeps for the number of lanes."""
        builder, zero = self.builder, ir.Constant(INDEX, 0)
        most = self.rule.most_lanes
        steps, most = (self.half, most // 2) if self.rule.is_paired else (self.n_lanes, most)
        many, done = builder.append_basic_block("many"), builder.append_basic_block("scanned")
        choice = builder.switch(steps, many)
        for count in range(1, most + 1):
            block = builder.append_basic_block(f"lanes{count}")
            choice.add_case(ir.Constant(INDEX, count), block)
            builder.position_at_end(block)
            self.sweep(self.lanes(zero, count), is_last=True, folds_before=False)
            builder.branch(done)
        builder.position_at_end(many)
        self.sweep(self.lanes(zero, most), is_last=False, folds_before=False)
        rest = builder.srem(steps, ir.Constant(INDEX, most))
        whole = builder.sub(steps, rest)
        for size, first, end in ((most, ir.Constant(INDEX, most), whole), (1, whole, steps)):
            with cgutils.for_range_slice(builder, first, end, ir.Constant(INDEX, size), INDEX) as (at, _):
                self.sweep(self.lanes(at, size), is_last=False, folds_before=True)
        self.sweep([], is_last=True, folds_before=True)
        builder.branch(done)
        builder.position_at_end(done)


def _swept(rule: LeafScore, score: Any, sums: Any, given: list[float]) -> Any:
    """Sums (boundaries, lanes, slots) of one side folded into its scores, as many at once as a sweep takes."""
    half, most = sums.shape[1] // 2, rule.most_lanes // 2
    whole = half if half <= most else half - half % most
    firsts = [*range(0, whole, most), *range(whole, half)]
    for first, stop in pairwise([*firsts, half]):
        parts = [[sums[:, start + lane] for lane in range(first, stop)] for start in (0, half)]
        score = rule.twin(score, parts, (given, first == 0))
    return score


def _make_twin(rule: LeafScore) -> Callable[..., None]:
    """The scan of one leaf rule in Python."""

    def scan(place, totals, n_lanes, missing_left, bar, found, group):
        (histogram, base, bins), (sums, node), (floor, tolerance, *given) = place, totals, bar
        scores, cuts, at = found
        width, number = len(group), np.float64 if rule.is_double else histogram.dtype.type
        cells = histogram[base : base + BINS * n_lanes * width].reshape(BINS, n_lanes, width)
        start = cells[MISSING] if missing_left else np.zeros_like(cells[MISSING])
        lefts = np.cumsum(np.concatenate([start[None], cells[:bins]]), axis=0, dtype=cells.dtype)[1:]
        values, half = [], n_lanes // 2
        lowest = -INFINITY if np.issubdtype(number, np.floating) else np.iinfo(number).min
        for side in (part.astype(number) for part in (lefts, sums[node][:, None] - lefts)):
            score = np.full(lefts[:, 0].shape, max(rule.start, lowest), number)
            if rule.is_whole:
                score = _swept(rule, score, side, given)
            else:
                for lane in range(half if rule.is_paired else n_lanes):
                    score = rule.twin(score, side[:, lane], side[:, half + lane] if rule.is_paired else None)
            values.append(score)
        slack = number(tolerance)
        best, cut = np.full(width, number(floor) + slack), np.full(width, -1)
        for boundary, value in enumerate(values[0] + values[1]):
            better = value > best
            best, cut = np.where(better, value + slack, best), np.where(better, boundary, cut)
        scores[at : at + width], cuts[at : at + width] = best - slack, cut

    return scan


def make_scan(rule: LeafScore) -> Any:
    """The intrinsic that scans for one leaf rule."""

    def scan(typing_context, place, totals, n_lanes, missing_left, bar, found, group):
        """Write the best score and boundary (left = bins up to it) of each feature of a group into ``scores[at:]`` and
        ``cuts[at:]``, for a node with channel sums ``sums[node]``: -1 where no boundary beats ``floor`` by more than
        ``tolerance``. Missing values go left where ``missing_left``.

        ``place`` is ``(histogram, base, bins)``, ``totals`` is ``(sums, node)``, ``bar`` is ``(floor, tolerance)`` and
        what the rule is given besides, ``found`` is ``(scores, cuts, at)``; the group's width is the length of
        ``group``.
        """
        whole, real = types.intp, types.float64
        place, totals = group_of(place[0], whole, whole), group_of(totals[0], whole)
        bar, found = group_of(*[real] * (2 + rule.n_given)), group_of(found[0], found[1], whole)

        def codegen(context, builder, signature, arguments):
            scan = _Scan(rule, context, builder, signature, arguments)
            scan.run()
            best = scan.scoring.to_double(scan.scoring.subtract(builder.load(scan.best), scan.slack))
            *arrays, at = cgutils.unpack_tuple(builder, arguments[5])
            for array, value, chosen in zip(found, arrays, (best, builder.load(scan.cut)), strict=False):
                target, align = vector_at(
                    builder, pointer_to(context, builder, array, value, at), array.dtype, scan.width
                )
                builder.store(chosen, target, align=align)
            return context.get_dummy_value()

        return types.void(place, totals, whole, whole, bar, found, group), codegen

    return intrinsic_with(_make_twin(rule))(scan)
