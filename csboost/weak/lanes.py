"""Vector instructions that Numba does not emit by itself: one add over class lanes, one scan over feature lanes.

Lane counts travel as the lengths of tuples, so that one module-level function serves every number of classes and
Numba's disk cache finds it again. Both histogram layouts of :mod:`csboost.weak.histogram` are flat C arrays of one
dtype.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

MISSING = 255  # the code of a missing value: the last of a feature's 256 histogram slots


def _vector_at(context: Any, builder: Any, array: Any, value: Any, index: Any, width: int) -> tuple[Any, int]:
    """Pointer to ``width`` elements of ``array`` from ``index`` on, and the alignment that is promised."""
    data = context.make_array(array)(context, builder, value).data
    element = context.get_data_type(array.dtype)
    pointer = builder.bitcast(builder.gep(data, [index]), ir.VectorType(element, width).as_pointer())
    return pointer, array.dtype.bitwidth // 8


@intrinsic
def lane_add(typing_context, histogram, at, channels, start, lanes):
    """``histogram[at : at + len(lanes)] += channels[start : start + len(lanes)]`` as one vector add."""
    signature = types.void(histogram, types.intp, channels, types.intp, lanes)

    def codegen(context, builder, signature, arguments):
        target, align = _vector_at(context, builder, histogram, arguments[0], arguments[1], lanes.count)
        source, _ = _vector_at(context, builder, channels, arguments[2], arguments[3], lanes.count)
        add = builder.fadd if isinstance(histogram.dtype, types.Float) else builder.add
        total = add(builder.load(target, align=align), builder.load(source, align=align))
        builder.store(total, target, align=align)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def group_scatter(typing_context, histogram, base, codes, first, step, channels, start, lanes, group):
    """Add ``channels[start : start + len(lanes)]`` to the cells of one row in every feature of a group of the grouped
    layout at ``base``.

    The features' codes lie at ``codes[first + member * step]``. The channels are loaded once, and no index is tested
    for being negative.
    """
    signature = types.void(histogram, types.intp, codes, types.intp, types.intp, channels, types.intp, lanes, group)

    def codegen(context, builder, signature, arguments):
        index = ir.IntType(64)
        add = builder.fadd if isinstance(histogram.dtype, types.Float) else builder.add
        target = builder.gep(context.make_array(histogram)(context, builder, arguments[0]).data, [arguments[1]])
        code = builder.gep(context.make_array(codes)(context, builder, arguments[2]).data, [arguments[3]])
        source = builder.gep(context.make_array(channels)(context, builder, arguments[5]).data, [arguments[6]])
        values = [builder.load(builder.gep(source, [ir.Constant(index, k)])) for k in range(lanes.count)]
        for member in range(group.count):
            bin_index = builder.zext(
                builder.load(builder.gep(code, [builder.mul(arguments[4], ir.Constant(index, member))])), index
            )
            cell = builder.add(
                builder.mul(bin_index, ir.Constant(index, lanes.count * group.count)), ir.Constant(index, member)
            )
            for k, value in enumerate(values):
                place = builder.gep(target, [builder.add(cell, ir.Constant(index, k * group.count))])
                builder.store(add(builder.load(place), value), place)
        return context.get_dummy_value()

    return signature, codegen


class _Lanes:
    """Arithmetic on vectors of either floats or integers, so that a score is written once for both."""

    def __init__(self, context: Any, builder: Any, dtype: Any, width: int):
        self.builder, self.width = builder, width
        self.is_float = isinstance(dtype, types.Float)
        self.element = context.get_data_type(dtype)
        self.type = ir.VectorType(self.element, width)
        self.doubles = ir.VectorType(ir.DoubleType(), width)

    def constant(self, value: float) -> Any:
        return ir.Constant(self.type, [value if self.is_float else int(value)] * self.width)

    def broadcast(self, scalar: Any) -> Any:
        one = self.builder.insert_element(ir.Constant(self.type, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), self.width), [0] * self.width)
        return self.builder.shuffle_vector(one, ir.Constant(self.type, ir.Undefined), mask)

    def add(self, a: Any, b: Any) -> Any:
        return self.builder.fadd(a, b) if self.is_float else self.builder.add(a, b)

    def subtract(self, a: Any, b: Any) -> Any:
        return self.builder.fsub(a, b) if self.is_float else self.builder.sub(a, b)

    def greater(self, a: Any, b: Any) -> Any:
        return self.builder.fcmp_ordered(">", a, b) if self.is_float else self.builder.icmp_signed(">", a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        return self.builder.select(self.greater(a, b), a, b)

    def magnitude(self, a: Any) -> Any:
        return self.maximum(a, self.subtract(self.constant(0), a))

    def to_double(self, a: Any) -> Any:
        return a if self.is_float else self.builder.sitofp(a, self.doubles)


def _label_score(lanes: _Lanes, sums: list[Any]) -> Any:
    """``max_k S_k`` (ALGORITHMS section 1, leaf rule ``label``)."""
    best = sums[0]
    for other in sums[1:]:
        best = lanes.maximum(best, other)
    return best


def _votes_score(lanes: _Lanes, sums: list[Any]) -> Any:
    """``sum_k abs(S_k)`` (leaf rule ``votes``)."""
    total = lanes.magnitude(sums[0])
    for other in sums[1:]:
        total = lanes.add(total, lanes.magnitude(other))
    return total


def _confidence_score(lanes: _Lanes, sums: list[Any]) -> Any:
    """``-2 sum_k sqrt(W+_k W-_k)``, Schapire & Singer's Z with its sign turned; the first half of the lanes is W+,
    the second W-.
    """
    builder, half = lanes.builder, len(sums) // 2
    root = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(lanes.doubles, [lanes.doubles]), f"llvm.sqrt.v{lanes.width}f64"
    )
    total = ir.Constant(lanes.doubles, [0.0] * lanes.width)
    for plus, minus in zip(sums[:half], sums[half:], strict=False):  # an odd count is compiled, too, but never run
        total = builder.fadd(total, builder.call(root, [builder.fmul(lanes.to_double(plus), lanes.to_double(minus))]))
    return builder.fmul(total, ir.Constant(lanes.doubles, [-2.0] * lanes.width))


def _scan(score: Any, scores_are_double: bool) -> Any:
    """Build the scan intrinsic of one leaf rule: all boundaries of a group of features, one feature per vector lane."""

    def scan(
        typing_context,
        histogram,
        base,
        bins,
        totals,
        node,
        missing_left,
        floor,
        tolerance,
        scores,
        cuts,
        at,
        lanes,
        group,
    ):
        signature = types.void(
            histogram,
            types.intp,
            types.intp,
            totals,
            types.intp,
            types.intp,
            types.float64,
            types.float64,
            scores,
            cuts,
            types.intp,
            lanes,
            group,
        )

        def codegen(context, builder, signature, arguments):
            n_lanes, width = lanes.count, group.count
            vectors = _Lanes(context, builder, histogram.dtype, width)
            index = ir.IntType(64)
            _, base, bins, _, node, missing_left, floor, tolerance, _, _, at = arguments[:11]

            def load(bin_index: Any, lane: int) -> Any:
                slot = builder.add(builder.mul(bin_index, ir.Constant(index, n_lanes)), ir.Constant(index, lane))
                place = builder.add(base, builder.mul(slot, ir.Constant(index, width)))
                pointer, align = _vector_at(context, builder, histogram, arguments[0], place, width)
                return builder.load(pointer, align=align)

            def scalar(value: Any) -> Any:
                if scores_are_double or vectors.is_float:
                    return value
                return builder.fptosi(value, vectors.element)

            scoring = _Lanes(context, builder, types.float64, width) if scores_are_double else vectors
            total_data = context.make_array(totals)(context, builder, arguments[3]).data
            first = builder.mul(node, ir.Constant(index, n_lanes))
            places = [builder.gep(total_data, [builder.add(first, ir.Constant(index, k))]) for k in range(n_lanes)]
            total = [vectors.broadcast(builder.load(place)) for place in places]
            slack = scoring.broadcast(scalar(tolerance))
            wants_missing = builder.icmp_signed("!=", missing_left, ir.Constant(index, 0))
            nothing = vectors.constant(0)
            start = [
                builder.select(wants_missing, load(ir.Constant(index, MISSING), k), nothing) for k in range(n_lanes)
            ]
            bar = scoring.add(scoring.broadcast(scalar(floor)), slack)
            no_cut = ir.Constant(ir.VectorType(index, width), [-1] * width)

            before = builder.block
            body, after = builder.append_basic_block("boundary"), builder.append_basic_block("done")
            builder.branch(body)
            builder.position_at_end(body)
            bin_index = builder.phi(index)
            lefts = [builder.phi(vectors.type) for _ in range(n_lanes)]
            best, cut = builder.phi(scoring.type), builder.phi(no_cut.type)
            grown = [vectors.add(left, load(bin_index, k)) for k, left in enumerate(lefts)]
            rest = [vectors.subtract(total[k], left) for k, left in enumerate(grown)]
            value = scoring.add(score(vectors, grown), score(vectors, rest))
            better = scoring.greater(value, best)
            next_best = builder.select(better, scoring.add(value, slack), best)
            as_lanes = _Lanes(context, builder, types.int64, width).broadcast(bin_index)
            next_cut = builder.select(better, as_lanes, cut)
            next_bin = builder.add(bin_index, ir.Constant(index, 1))
            builder.cbranch(builder.icmp_signed("<", next_bin, bins), body, after)
            loop = [(bin_index, ir.Constant(index, 0), next_bin), (best, bar, next_best), (cut, no_cut, next_cut)]
            for node, initial, then in [*loop, *zip(lefts, start, grown, strict=True)]:
                node.add_incoming(initial, before)
                node.add_incoming(then, body)
            builder.position_at_end(after)
            target, align = _vector_at(context, builder, scores, arguments[8], at, width)
            builder.store(scoring.to_double(scoring.subtract(next_best, slack)), target, align=align)
            target, align = _vector_at(context, builder, cuts, arguments[9], at, width)
            builder.store(next_cut, target, align=align)
            return context.get_dummy_value()

        return signature, codegen

    scan.__doc__ = (
        "Write into ``scores[at:]`` and ``cuts[at:]`` the best score and the boundary (left = bins up to it) of each "
        "feature of the group whose histogram starts at ``base``, for a node with channel sums ``totals[node]``: -1 "
        "where no boundary beats ``floor`` by more than ``tolerance``. Bins ``0 .. bins - 1``; missing values go left "
        "where ``missing_left``, else right."
    )
    return intrinsic(scan)


scan_label = _scan(_label_score, False)
scan_votes = _scan(_votes_score, False)
scan_confidence = _scan(_confidence_score, True)
