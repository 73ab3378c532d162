"""Vector adds that Numba does not emit by itself, for the two histogram layouts.

Lanes are added a *tile* at a time: one vector register of them. The tile's width travels as the length of a tuple, so
that module-level functions serve both sizes of number and Numba's disk cache finds them again; the number of lanes is
an ordinary argument, so that one compiled program serves every number of classes. Both histogram layouts of
:mod:`csboost.weak.histogram` are flat C arrays of one dtype.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

INDEX = ir.IntType(64)
WORD = 64  # bits that are loaded at once
SCATTERED = 4  # lanes that a row scatters at once


def pointer_to(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    """Pointer to ``array[index]``; unlike Numba's own it does not ask whether the index is negative."""
    return builder.gep(context.make_array(array)(context, builder, value).data, [index])


def vector_at(builder: Any, pointer: Any, dtype: Any, width: int) -> tuple[Any, int]:
    """``pointer`` to a number as one to ``width`` of them, and the alignment that is promised."""
    return builder.bitcast(pointer, ir.VectorType(pointer.type.pointee, width).as_pointer()), dtype.bitwidth // 8


def _parts(builder: Any, pointer: Any, bits: int) -> list[Any]:
    """The numbers of ``bits`` bits from ``pointer`` on that fill a word, as indices: one load, taken apart by shifts.
    A big-endian machine would find them in reverse order; there each one is loaded.
    """
    count = WORD // bits
    if sys.byteorder != "little":
        places = [builder.gep(pointer, [ir.Constant(INDEX, k)]) for k in range(count)]
        return [builder.zext(builder.load(place), INDEX) for place in places]
    word = builder.load(builder.bitcast(pointer, INDEX.as_pointer()), align=1)
    shifted = [builder.lshr(word, ir.Constant(INDEX, k * bits)) if k else word for k in range(count)]
    return [builder.and_(part, ir.Constant(INDEX, (1 << bits) - 1)) for part in shifted]


def _prefetch(builder: Any, pointer: Any) -> None:
    """Ask for the cache line at ``pointer``, which may lie beyond the array; nothing where a machine cannot."""
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
    function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
    builder.call(function, [pointer, *(ir.Constant(number, k) for k in (0, 2, 1))])  # to read, into L2, data


class _Adder:
    """Code generation of the adds of one row: its tile of channels, to a bin of each of two features."""

    def __init__(self, context: Any, builder: Any, histogram: Any, value: Any, here: Any, next_: Any, width: int):
        self.builder, self.dtype, self.width = builder, histogram.dtype, width
        self.places = [pointer_to(context, builder, histogram, value, place) for place in (here, next_)]
        self.sum = builder.fadd if isinstance(histogram.dtype, types.Float) else builder.add

    def add(self, channels: Any, codes: Sequence[Any]) -> None:
        """Add the tile at ``channels`` to the bins of the two ``codes``."""
        builder = self.builder
        source, align = vector_at(builder, channels, self.dtype, self.width)
        values = builder.load(source, align=align)
        for place, code in zip(self.places, codes, strict=True):
            cell = builder.gep(place, [builder.mul(code, ir.Constant(INDEX, self.width))])
            target, _ = vector_at(builder, cell, self.dtype, self.width)
            builder.store(self.sum(builder.load(target, align=align), values), target, align=align)


@intrinsic
def add_one(typing_context, pair, one, other, source, tile):
    """``histogram[here + one * width :][:width] += channels[start :][:width]``, and the same for ``next_`` and
    ``other``: the bins of one row in two features. ``width`` is the length of ``tile``; ``pair`` is (histogram, here,
    next_), ``source`` (channels, start).
    """
    whole = types.intp
    signature = types.void(pair, whole, whole, source, tile)
    histogram, channels = pair.types[0], source.types[0]

    def codegen(context, builder, signature, arguments):
        value, here, next_ = cgutils.unpack_tuple(builder, arguments[0], 3)
        one, other = arguments[1:3]
        channels_value, start = cgutils.unpack_tuple(builder, arguments[3], 2)
        adder = _Adder(context, builder, histogram, value, here, next_, tile.count)
        adder.add(pointer_to(context, builder, channels, channels_value, start), [one, other])
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def add_eight(typing_context, pair, columns, source, tile):
    """:func:`add_one` for eight neighbouring rows whose codes start at ``codes[one]`` and ``codes[other]``: a word of
    each. The codes ``ahead`` of them are asked for. ``columns`` is (codes, one, other, ahead).
    """
    signature = types.void(pair, columns, source, tile)
    histogram, codes, channels = pair.types[0], columns.types[0], source.types[0]

    def codegen(context, builder, signature, arguments):
        value, here, next_ = cgutils.unpack_tuple(builder, arguments[0], 3)
        codes_value, one, other, ahead = cgutils.unpack_tuple(builder, arguments[1], 4)
        channels_value, start = cgutils.unpack_tuple(builder, arguments[2], 2)
        adder = _Adder(context, builder, histogram, value, here, next_, tile.count)
        columns = [pointer_to(context, builder, codes, codes_value, column) for column in (one, other)]
        for column in columns:
            _prefetch(builder, builder.gep(column, [ahead]))
        source = pointer_to(context, builder, channels, channels_value, start)
        for k, pair in enumerate(zip(*[_parts(builder, column, 8) for column in columns], strict=True)):
            adder.add(builder.gep(source, [ir.Constant(INDEX, k * tile.count)]), pair)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def add_four(typing_context, pair, columns, numbers, source, tile):
    """:func:`add_one` for the four rows ``rows[first : first + 4]`` (uint16): a word of row numbers. Columns of codes
    start at ``codes[one]`` and ``codes[other]``; the first row's codes ``ahead`` of them are asked for.
    ``numbers`` is (rows, first).
    """
    signature = types.void(pair, columns, numbers, source, tile)
    histogram, codes, rows, channels = pair.types[0], columns.types[0], numbers.types[0], source.types[0]

    def codegen(context, builder, signature, arguments):
        value, here, next_ = cgutils.unpack_tuple(builder, arguments[0], 3)
        codes_value, one, other, ahead = cgutils.unpack_tuple(builder, arguments[1], 4)
        rows_value, first = cgutils.unpack_tuple(builder, arguments[2], 2)
        channels_value, start = cgutils.unpack_tuple(builder, arguments[3], 2)
        adder = _Adder(context, builder, histogram, value, here, next_, tile.count)
        columns = [pointer_to(context, builder, codes, codes_value, column) for column in (one, other)]
        numbers = _parts(builder, pointer_to(context, builder, rows, rows_value, first), 16)
        for column in columns:
            _prefetch(builder, builder.gep(column, [builder.add(ahead, numbers[0])]))
        source = pointer_to(context, builder, channels, channels_value, start)
        for k, row in enumerate(numbers):
            pair = [builder.zext(builder.load(builder.gep(column, [row])), INDEX) for column in columns]
            adder.add(builder.gep(source, [ir.Constant(INDEX, k * tile.count)]), pair)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def copy_tile(typing_context, target, at, source, start, tile):
    """``target[at :][:width] = source[start :][:width]``, where ``width`` is the length of ``tile``."""
    signature = types.void(target, types.intp, source, types.intp, tile)

    def codegen(context, builder, signature, arguments):
        target_value, at, source_value, start, _ = arguments
        places = (target, target_value, at), (source, source_value, start)
        pointers = [pointer_to(context, builder, *place) for place in places]
        (to, align), (of, _) = [vector_at(builder, pointer, target.dtype, tile.count) for pointer in pointers]
        builder.store(builder.load(of, align=align), to, align=align)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def scatter_rows(typing_context, cells, codes, span, source, members):
    """Add up to :data:`SCATTERED` lanes of the rows ``rows[start : stop]`` of a block to some features of a group of
    the grouped layout: to ``histogram[base + code * stride + lane * apart + member]``.

    A row's codes are at ``codes[first + row + member * step]``, its ``count`` channels at ``channels[source + row *
    width :]``. ``members`` is a tuple of as many zeros. There is a loop for each number of lanes. ``cells`` is
    (histogram, base, stride, apart), ``codes`` (codes, first, step), ``span`` (rows, start, stop), ``source``
    (channels, source, width, count).
    """
    signature = types.void(cells, codes, span, source, members)
    histogram, codes_type, rows, channels = cells.types[0], codes.types[0], span.types[0], source.types[0]

    def codegen(context, builder, signature, arguments):
        histogram_value, base, stride, apart = cgutils.unpack_tuple(builder, arguments[0], 4)
        codes_value, first, step = cgutils.unpack_tuple(builder, arguments[1], 3)
        rows_value, start, stop = cgutils.unpack_tuple(builder, arguments[2], 3)
        channels_value, source, width, count = cgutils.unpack_tuple(builder, arguments[3], 4)
        add = builder.fadd if isinstance(histogram.dtype, types.Float) else builder.add
        target, code, number, channel = (
            pointer_to(context, builder, array, value, index)
            for array, value, index in (
                (histogram, histogram_value, base), (codes_type, codes_value, first),
                (rows, rows_value, ir.Constant(INDEX, 0)), (channels, channels_value, source),
            )
        )  # fmt: skip
        done = builder.append_basic_block("scattered")
        choice = builder.switch(count, done)
        for lanes in range(1, SCATTERED + 1):
            block = builder.append_basic_block(f"scatter{lanes}")
            choice.add_case(ir.Constant(INDEX, lanes), block)
            builder.position_at_end(block)
            with cgutils.for_range_slice(builder, start, stop, ir.Constant(INDEX, 1), INDEX) as (place, _):
                row = builder.zext(builder.load(builder.gep(number, [place])), INDEX)
                at = builder.mul(row, width)
                # loaded ahead: for all that LLVM knows, every store below might change the channels
                places = [builder.add(at, ir.Constant(INDEX, k)) for k in range(lanes)]
                values = [builder.load(builder.gep(channel, [place])) for place in places]
                for member in range(members.count):
                    mine = builder.add(row, builder.mul(step, ir.Constant(INDEX, member)))
                    cell = builder.mul(builder.zext(builder.load(builder.gep(code, [mine])), INDEX), stride)
                    for k, value in enumerate(values):
                        lane = builder.add(builder.mul(apart, ir.Constant(INDEX, k)), ir.Constant(INDEX, member))
                        place = builder.gep(target, [builder.add(cell, lane)])
                        builder.store(add(builder.load(place), value), place)
            builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return signature, codegen
