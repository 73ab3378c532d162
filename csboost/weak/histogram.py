# mypy: disable-error-code="call-arg, unreachable"
"""Kernels that sum channels per feature, bin and lane.

Lanes (one per class, or two) come in *tiles* of four, eight or sixteen, the last one filled up with zeros. Two
histogram layouts, both flat (drawn in :mod:`csboost.weak.layout`):

* *staged* ``[tile, column, bin, lane in the tile]`` (:mod:`csboost.weak.staged`): one vector add per row, column and
  tile, and however many lanes there are, the histograms of two columns are at most 32 KB, the size of many a
  first-level cache; each thread has one of its own;
* *grouped* ``[group of slots, bin, lane, slot within the group]``: what the split scan reads, with one feature per
  vector lane.

Channels are whole numbers (see :mod:`csboost.weak.channels`), so sums are exact: their order, and with it the number
of threads, changes nothing.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.interface import VECTOR
from csboost.weak.lanes import SCATTERED, scatter_rows
from csboost.weak.layout import BINS, BLOCK, HEIGHT, START, STOP, Sizes

# rows of a node to gather before the next feature, so that a sparse node does not reload the histogram for each block
RUN = 4096
NARROW, WIDE, BROAD, SINGLE = (0,) * 4, (0,) * 8, (0,) * 16, (0,)  # the tiles, and one feature
TILES, VECTOR_TILES = (NARROW, WIDE), (WIDE, BROAD)  # those of a leaf rule


def tiles_of(rule: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The two tiles of a leaf rule. More would be compiled for fits that never use them, and a fit of another number of
    classes is to find its own compiled; vector leaves have six lanes or more, on a grid of 32 bits.
    """
    return VECTOR_TILES if rule == VECTOR else TILES


def tile_of(n_lanes: int, tiles: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[int, ...]:
    """The tile of so many lanes: the larger where the smaller is not enough, but for sixteen that would pad eight."""
    few, many = tiles
    n_few = -(-n_lanes // len(few))
    return few if n_few == 1 or (n_few % 2 == 1 and many is BROAD) else many


@kernel(inner=True)
def sizes_of(n_slots, work, settings):
    """The :class:`~csboost.weak.layout.Sizes` of a fit."""
    n_lanes, bits = work.sums.shape[1], settings.bits
    n_padded = (n_lanes + (1 << bits) - 1) >> bits << bits
    return Sizes(settings.n_threads, settings.n_joint, settings.n_summed, n_slots, n_lanes, n_padded, bits)


@kernel(inner=True)
def sum_group(data, node, grouped, spot, sizes, one_hot, group):
    """Sum the rows of a small node straight into its grouped histogram at ``spot``: cheaper than staging when bins
    outnumber rows.
    """
    codes, channels, rows = data.codes, data.channels, data.rows
    members, stride = len(group), sizes.n_lanes * len(group)
    clear(grouped[spot.start : spot.start + spot.bins * stride])
    clear(grouped[spot.start + (BINS - 1) * stride : spot.start + BINS * stride])
    slots = min(members, sizes.n_slots - spot.group * members)
    for block in range(data.blocks.shape[0]):
        first, height = block * BLOCK, data.blocks[block, HEIGHT]
        start, stop = data.spans[node, block, START], data.spans[node, block, STOP]
        column = first * (sizes.n_joint + sizes.n_slots) + (sizes.n_joint + spot.group * members) * height
        if one_hot:
            for member in range(slots):
                for place in range(start, stop):
                    row = np.intp(rows[place])
                    cell = spot.start + member + np.intp(codes[column + member * height + row]) * stride
                    grouped[cell + np.intp(data.labels[first + row]) * members] += channels[first + row]
            continue
        for lane in range(0, sizes.n_lanes, SCATTERED):
            count, target = min(SCATTERED, sizes.n_lanes - lane), spot.start + lane * members
            span, source = (rows, start, stop), (channels, first * sizes.n_padded + lane, sizes.n_padded, count)
            if slots == members:
                cells = grouped, target, stride, np.intp(members)
                scatter_rows(cells, (codes, column, height), span, source, group)
            else:
                for member in range(slots):
                    cells, own = (grouped, target + member, stride, np.intp(members)), column + member * height
                    scatter_rows(cells, (codes, own, height), span, source, SINGLE)


@kernel(inner=True)
def clear(part):
    """Zero a slice; a loop from 0 over a slice becomes a vector loop, one over ``start + i`` does not."""
    for i in range(part.shape[0]):
        part[i] = 0


@kernel(inner=True)
def add(part, other):
    """``part += other``, slice by slice."""
    for i in range(part.shape[0]):
        part[i] += other[i]


@kernel(inner=True)
def subtract(part, other):
    """``part -= other``, slice by slice."""
    for i in range(part.shape[0]):
        part[i] -= other[i]


@kernel(inner=True)
def subtract_group(grouped, parent, child, bins, stride):
    """Turn the parent's histogram of a group at ``parent`` into that of the other child, in place."""
    subtract(grouped[parent : parent + bins * stride], grouped[child : child + bins * stride])
    last = (BINS - 1) * stride
    subtract(grouped[parent + last : parent + last + stride], grouped[child + last : child + last + stride])
