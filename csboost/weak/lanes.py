"""Vector adds that Numba does not emit by itself, for the two histogram layouts.

Lane counts travel as the lengths of tuples, so that one module-level function serves every number of classes and
Numba's disk cache finds it again. Both histogram layouts of :mod:`csboost.weak.histogram` are flat C arrays of one
dtype.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

MISSING = 255  # the code of a missing value: the last of a feature's 256 histogram slots
MAX_UNROLLED = 16  # lanes written out one by one; more would take minutes to compile


def vector_at(context: Any, builder: Any, array: Any, value: Any, index: Any, width: int) -> tuple[Any, int]:
    """Pointer to ``width`` elements of ``array`` from ``index`` on, and the alignment that is promised."""
    data = context.make_array(array)(context, builder, value).data
    element = context.get_data_type(array.dtype)
    pointer = builder.bitcast(builder.gep(data, [index]), ir.VectorType(element, width).as_pointer())
    return pointer, array.dtype.bitwidth // 8


@contextmanager
def each_lane(builder: Any, count: int) -> Iterator[list[Any]]:
    """Lane numbers to emit code for: all of them, or the index of a loop where they are too many to write out."""
    if count <= MAX_UNROLLED:
        yield [ir.Constant(ir.IntType(64), k) for k in range(count)]
    else:
        with cgutils.for_range(builder, ir.Constant(ir.IntType(64), count)) as loop:
            yield [loop.index]


@intrinsic
def lane_add(typing_context, histogram, places, channels, start, lanes):
    """``histogram[at : at + len(lanes)] += channels[start : start + len(lanes)]`` for each of ``places``, a tuple: one
    vector load, and one vector add each.
    """
    signature = types.void(histogram, places, channels, types.intp, lanes)

    def codegen(context, builder, signature, arguments):
        source, align = vector_at(context, builder, channels, arguments[2], arguments[3], lanes.count)
        values = builder.load(source, align=align)
        add = builder.fadd if isinstance(histogram.dtype, types.Float) else builder.add
        for at in cgutils.unpack_tuple(builder, arguments[1]):
            target, align = vector_at(context, builder, histogram, arguments[0], at, lanes.count)
            builder.store(add(builder.load(target, align=align), values), target, align=align)
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
        stride = ir.Constant(index, lanes.count * group.count)
        few = lanes.count <= MAX_UNROLLED
        # loaded ahead: for all that LLVM knows, every store below might change the channels
        values = [builder.load(builder.gep(source, [ir.Constant(index, k)])) for k in range(lanes.count if few else 0)]
        for member in range(group.count):
            place = builder.gep(code, [builder.mul(arguments[4], ir.Constant(index, member))])
            cell = builder.mul(builder.zext(builder.load(place), index), stride)
            with each_lane(builder, lanes.count) as lane_numbers:
                for k in lane_numbers:
                    at = builder.add(builder.mul(k, ir.Constant(index, group.count)), ir.Constant(index, member))
                    place = builder.gep(target, [builder.add(cell, at)])
                    value = values[k.constant] if few else builder.load(builder.gep(source, [k]))
                    builder.store(add(builder.load(place), value), place)
        return context.get_dummy_value()

    return signature, codegen
