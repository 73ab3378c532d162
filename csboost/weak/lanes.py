"""Vector adds that Numba does not emit by itself, for the two histogram layouts.

Lanes are added a *tile* at a time: one vector register of them. The tile's width travels as the length of a tuple, so
that module-level functions serve both sizes of number and Numba's disk cache finds them again; the number of lanes is
an ordinary argument, so that one compiled program serves every number of classes. Both histogram layouts of
:mod:`csboost.weak.histogram` are flat C arrays of one dtype.

Each intrinsic stands below its twin: the same in Python, slow and easy to read. Arguments that belong together come as
tuples; ``pair`` is always ``(histogram, here, next_)``: where the histograms of two features start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from csboost._jit import intrinsic_with
from csboost.weak.vectors import INDEX, group_of, pointer_to, prefetch, vector_at, word_of_indices

SCATTERED = 4  # lanes that a row scatters at once
WHOLE = types.intp


class _Adder:
    """Code generation of the adds of one row: its tile of channels, to a bin of each of two features."""

    def __init__(self, context: Any, builder: Any, pair: Any, value: Any, width: int):
        (histogram, _, _), (array, *places) = pair, cgutils.unpack_tuple(builder, value)
        self.builder, self.dtype, self.width = builder, histogram.dtype, width
        self.places = [pointer_to(context, builder, histogram, array, place) for place in places]
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


def _pointer(context: Any, builder: Any, place: Any, value: Any) -> Any:
    """Pointer to ``array[index]``, both in a tuple."""
    return pointer_to(context, builder, place[0], *cgutils.unpack_tuple(builder, value))


def _columns(context: Any, builder: Any, columns: Any, value: Any) -> tuple[list[Any], Any]:
    """Pointers to the codes of the two columns, and how far ahead others are asked for."""
    codes, one, other, ahead = cgutils.unpack_tuple(builder, value)
    return [pointer_to(context, builder, columns[0], codes, column) for column in (one, other)], ahead


def _add_one(pair, one, other, source, tile):
    (histogram, here, next_), (channels, start), width = pair, source, len(tile)
    for place in (here + one * width, next_ + other * width):
        histogram[place : place + width] += channels[start : start + width]


@intrinsic_with(_add_one)
def add_one(typing_context, pair, one, other, source, tile):
    """``histogram[here + one * width :][:width] += channels[start :][:width]``, and the same for ``next_`` and
    ``other``: the bins of one row in two features. ``source`` is ``(channels, start)``, ``width`` the length of
    ``tile``.
    """
    pair, source = group_of(pair[0], WHOLE, WHOLE), group_of(source[0], WHOLE)

    def codegen(context, builder, signature, arguments):
        place, one, other, channels, _ = arguments
        adder = _Adder(context, builder, pair, place, tile.count)
        adder.add(_pointer(context, builder, source, channels), [one, other])
        return context.get_dummy_value()

    return types.void(pair, WHOLE, WHOLE, source, tile), codegen


def _add_eight(pair, columns, source, tile):
    (codes, one, other, _), (channels, start) = columns, source
    for k in range(8):
        _add_one(pair, np.intp(codes[one + k]), np.intp(codes[other + k]), (channels, start + k * len(tile)), tile)


@intrinsic_with(_add_eight)
def add_eight(typing_context, pair, columns, source, tile):
    """:func:`add_one` for eight neighbouring rows: a word of codes of each feature. ``columns`` is ``(codes, one,
    other, ahead)``: codes start at ``codes[one]`` and ``codes[other]``, those ``ahead`` of them are asked for.
    """
    pair, source = group_of(pair[0], WHOLE, WHOLE), group_of(source[0], WHOLE)
    columns = group_of(columns[0], WHOLE, WHOLE, WHOLE)

    def codegen(context, builder, signature, arguments):
        place, codes, channels, _ = arguments
        adder = _Adder(context, builder, pair, place, tile.count)
        pointers, ahead = _columns(context, builder, columns, codes)
        for pointer in pointers:
            prefetch(builder, builder.gep(pointer, [ahead]))
        first = _pointer(context, builder, source, channels)
        words = [word_of_indices(builder, pointer, 8) for pointer in pointers]
        for k, bins in enumerate(zip(*words, strict=True)):
            adder.add(builder.gep(first, [ir.Constant(INDEX, k * tile.count)]), bins)
        return context.get_dummy_value()

    return types.void(pair, columns, source, tile), codegen


def _add_four(pair, columns, numbers, source, tile):
    (codes, one, other, _), (rows, first), (channels, start) = columns, numbers, source
    for k in range(4):
        row = np.intp(rows[first + k])
        bins = np.intp(codes[one + row]), np.intp(codes[other + row])
        _add_one(pair, *bins, (channels, start + k * len(tile)), tile)


@intrinsic_with(_add_four)
def add_four(typing_context, pair, columns, numbers, source, tile):
    """:func:`add_one` for the four rows ``rows[first : first + 4]``, where ``numbers`` is ``(rows, first)`` (uint16): a
    word of row numbers. ``columns`` as for :func:`add_eight`; the first row's codes ``ahead`` are asked for.
    """
    pair, source = group_of(pair[0], WHOLE, WHOLE), group_of(source[0], WHOLE)
    columns, numbers = group_of(columns[0], WHOLE, WHOLE, WHOLE), group_of(numbers[0], WHOLE)

    def codegen(context, builder, signature, arguments):
        place, codes, rows, channels, _ = arguments
        adder = _Adder(context, builder, pair, place, tile.count)
        pointers, ahead = _columns(context, builder, columns, codes)
        four = word_of_indices(builder, _pointer(context, builder, numbers, rows), 16)
        for pointer in pointers:
            prefetch(builder, builder.gep(pointer, [builder.add(ahead, four[0])]))
        first = _pointer(context, builder, source, channels)
        for k, row in enumerate(four):
            bins = [builder.zext(builder.load(builder.gep(pointer, [row])), INDEX) for pointer in pointers]
            adder.add(builder.gep(first, [ir.Constant(INDEX, k * tile.count)]), bins)
        return context.get_dummy_value()

    return types.void(pair, columns, numbers, source, tile), codegen


def _copy_tile(target, at, source, start, tile):
    target[at : at + len(tile)] = source[start : start + len(tile)]


@intrinsic_with(_copy_tile)
def copy_tile(typing_context, target, at, source, start, tile):
    """``target[at :][:width] = source[start :][:width]``, where ``width`` is the length of ``tile``."""

    def codegen(context, builder, signature, arguments):
        target_value, at, source_value, start, _ = arguments
        places = (target, target_value, at), (source, source_value, start)
        pointers = [pointer_to(context, builder, *place) for place in places]
        (to, align), (of, _) = [vector_at(builder, pointer, target.dtype, tile.count) for pointer in pointers]
        builder.store(builder.load(of, align=align), to, align=align)
        return context.get_dummy_value()

    return types.void(target, WHOLE, source, WHOLE, tile), codegen


def _scatter_rows(cells, codes, span, source, members):
    (histogram, base, stride, apart), (codes, first, step), (rows, start, stop) = cells, codes, span
    channels, origin, width, count = source
    chosen = rows[start:stop].astype(np.intp)
    for member in range(len(members)):
        places = base + codes[first + member * step + chosen].astype(np.intp) * stride + member
        for lane in range(count):
            np.add.at(histogram, places + lane * apart, channels[origin + chosen * width + lane])


@intrinsic_with(_scatter_rows)
def scatter_rows(typing_context, cells, codes, span, source, members):
    """Add up to :data:`SCATTERED` lanes of some rows of a block to some features of a group of the grouped layout: to
    ``histogram[base + code * stride + lane * apart + member]``. There is a loop for each number of lanes.

    ``cells`` is ``(histogram, base, stride, apart)``; ``codes`` is ``(codes, first, step)``: a row's codes are at
    ``codes[first + row + member * step]``; ``span`` is ``(rows, start, stop)``: the rows are ``rows[start : stop]``;
    ``source`` is ``(channels, start, width, count)``: a row's ``count`` channels are at ``channels[start + row * width
    :]``. ``members`` is a tuple of as many zeros.
    """
    cells, codes = group_of(cells[0], *[WHOLE] * 3), group_of(codes[0], WHOLE, WHOLE)
    span, source = group_of(span[0], WHOLE, WHOLE), group_of(source[0], *[WHOLE] * 3)

    def codegen(context, builder, signature, arguments):
        unpacked = [cgutils.unpack_tuple(builder, value) for value in arguments[:4]]
        (histogram, base, stride, apart), (code, first, step), (number, start, stop), values = unpacked
        channel, origin, width, count = values
        target = pointer_to(context, builder, cells[0], histogram, base)
        code = pointer_to(context, builder, codes[0], code, first)
        number = pointer_to(context, builder, span[0], number, ir.Constant(INDEX, 0))
        channel = pointer_to(context, builder, source[0], channel, origin)
        add = builder.fadd if isinstance(cells[0].dtype, types.Float) else builder.add
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

    return types.void(cells, codes, span, source, members), codegen
