"""The scan of all boundaries of a group of features, one feature per vector lane, as LLVM code for any leaf rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from csboost.weak.lanes import MAX_UNROLLED, MISSING, each_lane, vector_at

INDEX = ir.IntType(64)
INFINITY = float("inf")


class Vectors:
    """Arithmetic on vectors of either floats or integers, so that a score is written once for both."""

    def __init__(self, context: Any, builder: Any, dtype: Any, width: int):
        self.builder, self.width = builder, width
        self.is_float = isinstance(dtype, types.Float)
        self.element = context.get_data_type(dtype)
        self.type = ir.VectorType(self.element, width)
        self.doubles = ir.VectorType(ir.DoubleType(), width)

    def constant(self, value: float) -> Any:
        """The same number in every lane; minus infinity is an integer type's lowest."""
        if value == -INFINITY and not self.is_float:
            value = -(2 ** (self.element.width - 1))
        return ir.Constant(self.type, [value if self.is_float else int(value)] * self.width)

    def broadcast(self, scalar: Any) -> Any:
        """The same scalar in every lane."""
        one = self.builder.insert_element(ir.Constant(self.type, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), self.width), [0] * self.width)
        return self.builder.shuffle_vector(one, ir.Constant(self.type, ir.Undefined), mask)

    def add(self, a: Any, b: Any) -> Any:
        """``a + b``."""
        return self.builder.fadd(a, b) if self.is_float else self.builder.add(a, b)

    def subtract(self, a: Any, b: Any) -> Any:
        """``a - b``."""
        return self.builder.fsub(a, b) if self.is_float else self.builder.sub(a, b)

    def greater(self, a: Any, b: Any) -> Any:
        """``a > b``."""
        return self.builder.fcmp_ordered(">", a, b) if self.is_float else self.builder.icmp_signed(">", a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        """The larger of both."""
        return self.builder.select(self.greater(a, b), a, b)

    def magnitude(self, a: Any) -> Any:
        """``abs(a)``."""
        return self.maximum(a, self.subtract(self.constant(0), a))

    def to_double(self, a: Any) -> Any:
        """As float64."""
        return a if self.is_float else self.builder.sitofp(a, self.doubles)


class LeafScore(NamedTuple):
    """A leaf rule's score as a fold over the channel sums S of a leaf."""

    fold: Callable[[Vectors, Any, Any, Any], Any]  # (vectors, score so far, S_k, S_{half + k} or None) -> score
    start: float  # below or at every score
    is_paired: bool = False  # whether lane k of the first half meets lane k of the second
    is_double: bool = False  # whether the score is a float64 whatever the sums are


def _label(vectors: Vectors, score: Any, value: Any, _: Any) -> Any:
    return vectors.maximum(score, value)


def _votes(vectors: Vectors, score: Any, value: Any, _: Any) -> Any:
    return vectors.add(score, vectors.magnitude(value))


def _confidence(vectors: Vectors, score: Any, plus: Any, minus: Any) -> Any:
    builder = vectors.builder
    root = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vectors.doubles, [vectors.doubles]), f"llvm.sqrt.v{vectors.width}f64"
    )
    product = builder.fmul(vectors.to_double(plus), vectors.to_double(minus))
    return builder.fsub(
        score, builder.fmul(builder.call(root, [product]), ir.Constant(vectors.doubles, [2.0] * vectors.width))
    )


class _Scan:
    """Code generation of one scan: its loop over the bins keeps the left sums in registers, or in memory when the
    lanes are many.
    """

    def __init__(self, rule: LeafScore, context: Any, builder: Any, signature: Any, arguments: Any):
        histogram, totals = signature.args[0], signature.args[3]
        self.rule, self.context, self.builder = rule, context, builder
        self.histogram, self.data = histogram, arguments[0]
        self.base, self.bins, self.node, self.missing_left = arguments[1], arguments[2], arguments[4], arguments[5]
        self.n_lanes, self.width = signature.args[-2].count, signature.args[-1].count
        self.vectors = Vectors(context, builder, histogram.dtype, self.width)
        self.scoring = Vectors(context, builder, types.float64, self.width) if rule.is_double else self.vectors
        self.totals = context.make_array(totals)(context, builder, arguments[3]).data
        self.is_wide = self.n_lanes > MAX_UNROLLED

    def load(self, bin_index: Any, lane: Any) -> Any:
        """The histogram's vector of one bin and lane."""
        builder = self.builder
        slot = builder.add(builder.mul(bin_index, ir.Constant(INDEX, self.n_lanes)), lane)
        place = builder.add(self.base, builder.mul(slot, ir.Constant(INDEX, self.width)))
        pointer, align = vector_at(self.context, builder, self.histogram, self.data, place, self.width)
        return builder.load(pointer, align=align)

    def total(self, lane: Any) -> Any:
        """The node's own sum of a lane, in every vector lane."""
        place = self.builder.add(self.builder.mul(self.node, ir.Constant(INDEX, self.n_lanes)), lane)
        return self.vectors.broadcast(self.builder.load(self.builder.gep(self.totals, [place])))

    def first(self, lane: Any) -> Any:
        """Where the left sums start: with the missing values, or with nothing."""
        chosen = self.builder.icmp_signed("!=", self.missing_left, ir.Constant(INDEX, 0))
        return self.builder.select(chosen, self.load(ir.Constant(INDEX, MISSING), lane), self.vectors.constant(0))

    def score(self, read: Callable[[Any], Any]) -> Any:
        """The leaf score of the sums that ``read`` returns by lane."""
        builder, half = self.builder, self.n_lanes // 2
        steps = half if self.rule.is_paired else self.n_lanes
        start = self.scoring.constant(self.rule.start)
        cell = cgutils.alloca_once_value(builder, start) if self.is_wide else None
        if cell is not None:
            builder.store(start, cell)
        score = start
        with each_lane(builder, steps) as lane_numbers:
            for k in lane_numbers:
                so_far = score if cell is None else builder.load(cell)
                other = read(self.later(k, half)) if self.rule.is_paired else None
                score = self.rule.fold(self.vectors, so_far, read(k), other)
                if cell is not None:
                    builder.store(score, cell)
        return score if cell is None else builder.load(cell)

    def later(self, lane: Any, by: int) -> Any:
        """The lane number ``lane + by``, a constant where ``lane`` is one."""
        if isinstance(lane, ir.Constant):
            return ir.Constant(INDEX, lane.constant + by)
        return self.builder.add(lane, ir.Constant(INDEX, by))

    def scalar(self, value: Any) -> Any:
        """A float64 argument in the type of the scores."""
        return value if self.scoring.is_float else self.builder.fptosi(value, self.scoring.element)


def _make_scan(rule: LeafScore) -> Any:
    """The intrinsic of one leaf rule."""

    def scan(
        typing_context, histogram, base, bins, totals, node, missing_left, floor, tolerance,
        scores, cuts, at, lanes, group,
    ):  # fmt: skip
        """Write into ``scores[at:]`` and ``cuts[at:]`` the best score and the boundary (left = bins up to it) of each
        feature of the group whose histogram starts at ``base``, for a node with channel sums ``totals[node]``: -1
        where no boundary beats ``floor`` by more than ``tolerance``. Missing values go left where ``missing_left``.
        """
        whole, real = types.intp, types.float64
        signature = types.void(
            histogram, whole, whole, totals, whole, whole, real, real, scores, cuts, whole, lanes, group
        )

        def codegen(context, builder, signature, arguments):
            s = _Scan(rule, context, builder, signature, arguments)
            vectors, scoring = s.vectors, s.scoring
            slack = scoring.broadcast(s.scalar(arguments[7]))
            bar = scoring.add(scoring.broadcast(s.scalar(arguments[6])), slack)
            no_cut = ir.Constant(ir.VectorType(INDEX, s.width), [-1] * s.width)
            numbers = [ir.Constant(INDEX, k) for k in range(s.n_lanes)]
            memory = cgutils.alloca_once(builder, vectors.type, ir.Constant(INDEX, s.n_lanes)) if s.is_wide else None
            totals_read = [] if s.is_wide else [s.total(k) for k in numbers]
            starts = [] if s.is_wide else [s.first(k) for k in numbers]
            if s.is_wide:
                with each_lane(builder, s.n_lanes) as (k,):
                    builder.store(s.first(k), builder.gep(memory, [k]))

            before = builder.block
            body, after = builder.append_basic_block("boundary"), builder.append_basic_block("done")
            builder.branch(body)
            builder.position_at_end(body)
            bin_index, best, cut = builder.phi(INDEX), builder.phi(scoring.type), builder.phi(no_cut.type)
            if s.is_wide:
                with each_lane(builder, s.n_lanes) as (k,):
                    place = builder.gep(memory, [k])
                    builder.store(vectors.add(builder.load(place), s.load(bin_index, k)), place)
                left_score = s.score(lambda k: builder.load(builder.gep(memory, [k])))
                rest_score = s.score(lambda k: vectors.subtract(s.total(k), builder.load(builder.gep(memory, [k]))))
                lefts, grown = [], []
            else:
                lefts = [builder.phi(vectors.type) for _ in numbers]
                grown = [vectors.add(left, s.load(bin_index, k)) for left, k in zip(lefts, numbers, strict=True)]
                left_score = s.score(lambda k: grown[k.constant])
                rest_score = s.score(lambda k: vectors.subtract(totals_read[k.constant], grown[k.constant]))
            value = scoring.add(left_score, rest_score)
            better = scoring.greater(value, best)
            next_best = builder.select(better, scoring.add(value, slack), best)
            here = Vectors(context, builder, types.int64, s.width).broadcast(bin_index)
            next_cut = builder.select(better, here, cut)
            next_bin = builder.add(bin_index, ir.Constant(INDEX, 1))
            end = builder.block
            builder.cbranch(builder.icmp_signed("<", next_bin, s.bins), body, after)
            loop = [(bin_index, ir.Constant(INDEX, 0), next_bin), (best, bar, next_best), (cut, no_cut, next_cut)]
            for phi, initial, then in [*loop, *zip(lefts, starts, grown, strict=True)]:
                phi.add_incoming(initial, before)
                phi.add_incoming(then, end)
            builder.position_at_end(after)
            target, align = vector_at(context, builder, scores, arguments[8], arguments[10], s.width)
            builder.store(scoring.to_double(scoring.subtract(next_best, slack)), target, align=align)
            target, align = vector_at(context, builder, cuts, arguments[9], arguments[10], s.width)
            builder.store(next_cut, target, align=align)
            return context.get_dummy_value()

        return signature, codegen

    return intrinsic(scan)


scan_label = _make_scan(LeafScore(_label, -INFINITY))
scan_votes = _make_scan(LeafScore(_votes, 0.0))
scan_confidence = _make_scan(LeafScore(_confidence, 0.0, is_paired=True, is_double=True))
