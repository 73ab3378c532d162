"""The turn from one layout of histograms to the other, as LLVM code: tiles of some slots become vectors of slots.

One number at a time, it took a tenth of a round of 2,000 rows and five classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from csboost._jit import intrinsic_with
from csboost.weak.vectors import INDEX, group_of, pointer_to, vector_at

WHOLE = types.intp


def _shuffled(builder: Any, a: Any, b: Any, places: list[int]) -> Any:
    """The numbers at some places of two vectors."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places))


def _transposed(builder: Any, rows: list[Any], width: int) -> list[list[Any]]:
    """Vectors of ``width`` numbers, a power of two of them, as the pieces of each of ``width`` columns.

    Interleaving the first half of all numbers with the second moves the highest bit of a number's place to the lowest:
    done for every bit of a row's number, this turns rows and columns round.
    """
    half = len(rows) // 2
    for _ in range(len(rows).bit_length() - 1):
        turned = []
        for a, b in zip(rows[:half], rows[half:], strict=True):
            for first in (0, width // 2):
                places = [place for k in range(first, first + width // 2) for place in (k, width + k)]
                turned.append(_shuffled(builder, a, b, places))
        rows = turned
    if width <= len(rows):
        pieces = len(rows) // width
        return [rows[k * pieces : (k + 1) * pieces] for k in range(width)]
    return [
        [_shuffled(builder, row, row, list(range(first, first + len(rows))))]
        for row in rows
        for first in range(0, width, len(rows))
    ]


def _turn_tiles(source, target, tile, group):
    (staged, start, apart, count), (grouped, place, lanes) = source, target
    cells = np.zeros((len(group), len(tile)), staged.dtype)
    for member in range(count):
        part = staged[start + member * apart :][: len(tile)]
        cells[member], part[:] = part, 0
    grouped[place : place + lanes * len(group)] = cells.T[:lanes].ravel()


@intrinsic_with(_turn_tiles)
def turn_tiles(typing_context, source, target, tile, group):
    """Move a tile of ``count`` slots, ``apart`` from ``staged[start]`` on, to ``lanes`` vectors from ``grouped[place]``
    on, and leave zeros; slots from ``count`` on are 0.

    ``source`` is ``(staged, start, apart, count)``, ``target`` is ``(grouped, place, lanes)``; ``tile`` and ``group``
    are as many zeros as a tile has lanes and a group slots.
    """
    source, target = group_of(source[0], *[WHOLE] * 3), group_of(target[0], WHOLE, WHOLE)

    def codegen(context, builder, signature, arguments):
        staged, start, apart, count = cgutils.unpack_tuple(builder, arguments[0])
        grouped, place, lanes = cgutils.unpack_tuple(builder, arguments[1])
        dtype, width, n_members = source[0].dtype, tile.count, group.count
        first = pointer_to(context, builder, source[0], staged, start)
        zero = ir.Constant(ir.VectorType(first.type.pointee, width), None)
        rows = []
        for member in range(n_members):
            row = cgutils.alloca_once_value(builder, zero)
            number = ir.Constant(INDEX, member)
            with builder.if_then(builder.icmp_signed("<", number, count)):
                cells, align = vector_at(builder, builder.gep(first, [builder.mul(apart, number)]), dtype, width)
                builder.store(builder.load(cells, align=align), row)
                builder.store(zero, cells, align=align)
            rows.append(builder.load(row))
        to = pointer_to(context, builder, target[0], grouped, place)
        for lane, pieces in enumerate(_transposed(builder, rows, width)):
            with builder.if_then(builder.icmp_signed("<", ir.Constant(INDEX, lane), lanes)):
                for number, piece in enumerate(pieces):
                    size = piece.type.count
                    part = builder.gep(to, [ir.Constant(INDEX, lane * n_members + number * size)])
                    cells, align = vector_at(builder, part, dtype, size)
                    builder.store(piece, cells, align=align)
        return context.get_dummy_value()

    return types.void(source, target, tile, group), codegen
