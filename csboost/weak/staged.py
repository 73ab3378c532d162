# mypy: disable-error-code="call-arg, unreachable"
"""Kernels that sum the channels of many rows: into a staged histogram per thread, and from there into the grouped one.

The layouts are those of :mod:`csboost.weak.histogram`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import RUN, add, clear, sizes_of
from csboost.weak.lanes import add_eight, add_four, add_one, copy_tile
from csboost.weak.layout import (
    BINS,
    BLOCK,
    HEIGHT,
    HOME,
    MISSING,
    MOST_BINS,
    NODE,
    START,
    STOP,
    Data,
    Layout,
    Settings,
    Sizes,
    Spot,
    Work,
)
from csboost.weak.turning import turn_tiles


class Run(NamedTuple):
    """The rows of a node in a few neighbouring blocks, and where their channels are added."""

    data: Data
    node: int
    first: int  # block
    last: int  # and the one after the last
    sizes: Sizes
    staged: np.ndarray  # the threads' histograms
    start: int  # of this thread's, or of a tile in it
    packed: np.ndarray  # (RUN + BLOCK rows,) channels of gathered rows


@kernel
def sum_rows(data_, work_, settings_, thread, first, last, tiles):
    """Add the rows of the node that ``state`` names in blocks ``first .. last - 1`` to a thread's staged histogram.

    It is not cleared first, since folding leaves zeros behind. One-hot channels are added by
    :mod:`csboost.weak.staged_labels`. ``tiles`` are the two tiles of a leaf rule; the fit has one of them.
    """
    add_rows(Data(*data_), Work(*work_), Settings(*settings_), thread, first, last, tiles)


@kernel(inner=True)
def add_rows(data, work, settings, thread, first, last, tiles):
    """:func:`sum_rows` for other kernels."""
    start, (few, many) = thread * (work.staged.shape[0] // settings.n_threads), tiles
    sizes = sizes_of(n_slots_of(data, settings), work, settings)
    block = first
    while block < last:
        end = end_of_run(data.spans, work.state[NODE], block, last)
        for number in range(sizes.n_padded >> sizes.bits):
            place = start + number * tile_area(sizes)
            run = Run(data, work.state[NODE], block, end, sizes, work.staged, place, work.packed[thread])
            if 1 << settings.bits == len(few):
                add_tile(run, number << settings.bits, few)
            else:
                add_tile(run, number << settings.bits, many)
        block = end


@kernel(inner=True)
def n_slots_of(data, settings):
    """How many slots the rows have codes of."""
    return data.codes.shape[0] // data.rows.shape[0] - settings.n_joint


@kernel(inner=True)
def tile_area(sizes):
    """How far apart tiles are in a staged histogram: columns are summed two at a time."""
    return (sizes.n_summed + sizes.n_summed % 2) * BINS << sizes.bits


@kernel(inner=True)
def end_of_run(spans, node, first, last):
    """The block after those from ``first`` on whose rows of a node are gathered at once: as many as make a run."""
    end, gathered = first, 0
    while end < last and (gathered == 0 or gathered + spans[node, end, STOP] - spans[node, end, START] <= RUN):
        gathered += spans[node, end, STOP] - spans[node, end, START]
        end += 1
    return end


@kernel
def fold_groups(layout_, work_, settings_, first, last, tiles, group):
    """Fold the groups ``first .. last - 1`` of that node, but for slots in joint columns
    (:mod:`csboost.weak.margins`); ``group`` is a tuple of as many zeros as a group has slots.
    """
    fold(Layout(*layout_), Work(*work_), Settings(*settings_), first, last, tiles, group)


@kernel(inner=True)
def fold(layout, work, settings, first, last, tiles, group):
    """:func:`fold_groups` for other kernels."""
    sizes, (few, many) = sizes_of(layout.slots.shape[0], work, settings), tiles
    for g in range(first, last):
        home = work.splits[work.state[NODE], HOME] + g * BINS * sizes.n_lanes * len(group)
        spot = Spot(g, home, layout.groups[g, MOST_BINS])
        add_threads(work.staged, spot, sizes, len(group))
        if 1 << settings.bits == len(few):
            fold_group(work.staged, work.grouped, spot, sizes, few, group)
        else:
            fold_group(work.staged, work.grouped, spot, sizes, many, group)


@kernel(inner=True)
def add_tile(run, lane, tile):
    """Add the tile from ``lane`` on of the node's rows in a run of blocks to all features' histograms."""
    data, first, n_padded = run.data, run.first, run.sizes.n_padded
    spans, rows = data.spans, data.rows
    width, target = len(tile), 0
    in_first = spans[run.node, first, STOP] - spans[run.node, first, START]
    whole = run.last == first + 1 and in_first == data.blocks[first, HEIGHT]
    values, start = run.packed, 0
    if whole and n_padded == width:  # as they are needed already
        values, start = data.channels, first * BLOCK * width
    else:  # next to each other, so that the features' passes read them in a stream
        for block in range(first, run.last):
            for place in range(spans[run.node, block, START], spans[run.node, block, STOP]):
                source = (block * BLOCK + np.intp(rows[place])) * n_padded + lane
                copy_tile(run.packed, target, data.channels, source, tile)
                target += width
    add_features(run, values, start, tile)


@kernel(inner=True)
def add_features(run, channels, start, tile):
    """Add the tiles of the rows of a run of blocks, which lie at ``channels[start:]``, to the features' histograms.

    Two columns at a time share the loads of rows and channels. The last one of an odd number is paired with itself:
    the staged histogram has room for an even number.
    """
    codes, rows, spans, sizes = run.data.codes, run.data.rows, run.data.spans, run.sizes
    width, n_columns = len(tile), sizes.n_joint + sizes.n_slots
    for column in range(0, sizes.n_summed, 2):
        here, source = run.start + column * BINS * width, start
        pair = run.staged, here, here + BINS * width
        for block in range(run.first, run.last):
            height, begin = run.data.blocks[block, HEIGHT], spans[run.node, block, START]
            count = spans[run.node, block, STOP] - begin
            one = block * BLOCK * n_columns + column * height
            other = one + height if column + 1 < sizes.n_summed else one
            ahead = 2 * height
            if count == height:  # all rows of the block: no need to look them up
                for i in range(0, count - 7, 8):
                    add_eight(pair, (codes, one + i, other + i, ahead), (channels, source + i * width), tile)
                for i in range(count - count % 8, count):
                    own, others = np.intp(codes[one + i]), np.intp(codes[other + i])
                    add_one(pair, own, others, (channels, source + i * width), tile)
            else:
                for i in range(0, count - 3, 4):
                    at = channels, source + i * width
                    add_four(pair, (codes, one, other, ahead), (rows, begin + i), at, tile)
                for i in range(count - count % 4, count):
                    row = np.intp(rows[begin + i])
                    own, others = np.intp(codes[one + row]), np.intp(codes[other + row])
                    add_one(pair, own, others, (channels, source + i * width), tile)
            source += count * width


@kernel(inner=True)
def columns_of(spot, sizes, members):
    """The first column of a group, and how many of its slots are alone in theirs, which are neighbours."""
    first = spot.group * members
    return sizes.n_joint + first, min(members, sizes.n_summed - sizes.n_joint - first)


@kernel(inner=True)
def add_threads(staged, spot, sizes, members):
    """Add the other threads' staged histograms of a group to those of the first one, and leave zeros."""
    size, (first, count) = staged.shape[0] // sizes.n_threads, columns_of(spot, sizes, members)
    for thread in range(1, sizes.n_threads):
        for tile in range(sizes.n_padded >> sizes.bits):
            for column in range(first, first + count):
                start = tile * tile_area(sizes) + (column * BINS << sizes.bits)
                missing, width = start + (MISSING << sizes.bits), 1 << sizes.bits
                for place, stop in ((start, start + spot.bins * width), (missing, missing + width)):
                    other = staged[thread * size + place : thread * size + stop]
                    add(staged[place:stop], other)
                    clear(other)


@kernel(inner=True)
def fold_group(staged, grouped, spot, sizes, tile, group):
    """Write the staged histogram of a group in the grouped layout at ``spot``, and leave zeros."""
    n_lanes, width, members = sizes.n_lanes, len(tile), len(group)
    column, count = columns_of(spot, sizes, members)
    is_mixed = count < min(members, sizes.n_slots - spot.group * members)  # the others have joint columns
    for position in range(spot.bins + 1):
        code = position if position < spot.bins else MISSING
        for first in range(0, n_lanes, width):
            start = (first >> sizes.bits) * tile_area(sizes) + (column * BINS + code) * width
            source = staged, start, BINS * width, count
            target = grouped, spot.start + (code * n_lanes + first) * members, min(width, n_lanes - first)
            if is_mixed:
                turn_some(source, target, width, members)
            else:
                turn_tiles(source, target, tile, group)


@kernel(inner=True)
def turn_some(source, target, width, members):
    """:func:`csboost.weak.turning.turn_tiles` that leaves alone what belongs to slots from ``count`` on."""
    (staged, start, apart, count), (grouped, place, lanes) = source, target
    for member in range(count):
        tile = staged[start + member * apart : start + member * apart + width]
        for lane in range(lanes):
            grouped[place + lane * members + member] = tile[lane]
        clear(tile)
