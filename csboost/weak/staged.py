# mypy: disable-error-code="call-arg, unreachable"
"""Kernels that sum the channels of many rows: into a staged histogram per thread, and from there into the grouped one.

The layouts and the arrays' names are those of :mod:`csboost.weak.histogram`. ``run`` is a tuple: codes, rows, spans,
blocks, node, first and last block, columns in a block, columns to sum, staged histogram, where it starts, ``packed``.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.bookkeeping import HOME, NODE
from csboost.weak.channels import ONE_HOT
from csboost.weak.histogram import BINS, BLOCK, NARROW, RUN, WIDE
from csboost.weak.lanes import add_eight, add_four, add_one, copy_tile


@kernel
def sum_rows(kind, data, work, settings, thread, first, last):
    """Add the rows of the node that ``state`` names in blocks ``first .. last - 1`` to a thread's staged histogram.
    Tuples are those of :mod:`csboost.weak.growth`.
    """
    codes, channels, labels, rows, spans, blocks, _, _ = data
    staged, _, sums, _, _, state, _, _, packed, places, _, _ = work
    _, _, n_threads, bits, _, n_summed = settings
    start, n_columns = thread * (staged.shape[0] // n_threads), codes.shape[0] // rows.shape[0]
    n_padded = (sums.shape[1] + (1 << bits) - 1) >> bits << bits
    accumulate_staged(
        codes, channels, labels, rows, spans, blocks, state[NODE], first, last,
        staged, start, packed[thread], places[thread], n_columns, n_summed, n_padded, bits, kind == ONE_HOT,
    )  # fmt: skip


@kernel
def fold_groups(layout, work, settings, first, last, members):
    """Fold the groups ``first .. last - 1`` of that node, of ``members`` slots each."""
    groups, slots = layout
    staged, grouped, sums, _, splits, state, _, _, _, _, _, _ = work
    _, _, n_threads, bits, _, n_summed = settings
    n_lanes = sums.shape[1]
    for g in range(first, last):
        home = splits[state[NODE], HOME] + g * BINS * n_lanes * members
        fold_group(staged, n_threads, grouped, home, groups[g, 0], g, slots, n_summed, n_lanes, bits, members)


@kernel(inner=True)
def accumulate_staged(
    codes, channels, labels, rows, spans, blocks, node, first, last,
    staged, offset, packed, places, n_columns, n_summed, n_padded, bits, one_hot,
):  # fmt: skip
    """Add the node's rows in blocks ``first .. last - 1`` to the staged histogram at ``offset``. It is not cleared
    first: :func:`fold_group` leaves zeros behind, and the grower clears the joint columns.

    ``packed`` and ``places`` are scratch of the calling thread, ``RUN + BLOCK`` rows long.
    """
    width = 1 << bits
    area = (n_summed + n_summed % 2) * BINS * width
    block = first
    while block < last:
        end, gathered = block, 0
        while end < last and (gathered == 0 or gathered + spans[node, end, 1] - spans[node, end, 0] <= RUN):
            gathered += spans[node, end, 1] - spans[node, end, 0]
            end += 1
        if one_hot:
            gather_labels(channels, labels, rows, spans, node, block, end, packed, places, area, bits)
            run = codes, rows, spans, blocks, node, block, end, n_columns, n_summed, staged, offset, packed
            add_one_hot(run, places, width)
        else:
            for number in range(n_padded >> bits):
                here = offset + number * area
                run = codes, rows, spans, blocks, node, block, end, n_columns, n_summed, staged, here, packed
                if width == len(NARROW):
                    add_tile(run, channels, n_padded, number * width, NARROW)
                else:
                    add_tile(run, channels, n_padded, number * width, WIDE)
        block = end


@kernel(inner=True)
def add_tile(run, channels, n_padded, lane, tile):
    """Add the tile from ``lane`` on of the node's rows in a run of blocks to all features' histograms."""
    _, rows, spans, blocks, node, first, last, _, _, _, _, packed = run
    width, target = len(tile), 0
    whole = last == first + 1 and spans[node, first, 1] - spans[node, first, 0] == blocks[first, 0]
    values, start = packed, 0
    if whole and n_padded == width:  # as they are needed already
        values, start = channels, first * BLOCK * width
    else:  # next to each other, so that the features' passes read them in a stream
        for block in range(first, last):
            for place in range(spans[node, block, 0], spans[node, block, 1]):
                source = (block * BLOCK + np.intp(rows[place])) * n_padded + lane
                copy_tile(packed, target, channels, source, tile)
                target += width
    add_features(run, values, start, tile)


@kernel(inner=True)
def add_features(run, channels, start, tile):
    """Add the tiles of the rows of a run of blocks, which lie at ``channels[start:]``, to the features' histograms.

    Two columns at a time share the loads of rows and channels. The last one of an odd number is paired with itself:
    the staged histogram has room for an even number.
    """
    codes, rows, spans, blocks, node, first, last, n_columns, n_summed, staged, offset, _ = run
    width = len(tile)
    for column in range(0, n_summed, 2):
        here, source = offset + column * BINS * width, start
        pair = staged, here, here + BINS * width
        for block in range(first, last):
            height, begin, stop = blocks[block, 0], spans[node, block, 0], spans[node, block, 1]
            one = block * BLOCK * n_columns + column * height
            other = one + height if column + 1 < n_summed else one
            ahead = 2 * height
            count = stop - begin
            if count == height:  # all rows of the block: no need to look them up
                for i in range(0, count - 7, 8):
                    add_eight(pair, (codes, one + i, other + i, ahead), (channels, source + i * width), tile)
                for i in range(count - count % 8, count):
                    bins = np.intp(codes[one + i]), np.intp(codes[other + i])
                    add_one(pair, *bins, (channels, source + i * width), tile)
            else:
                columns = codes, one, other, ahead
                for i in range(0, count - 3, 4):
                    add_four(pair, columns, (rows, begin + i), (channels, source + i * width), tile)
                for i in range(count - count % 4, count):
                    row = np.intp(rows[begin + i])
                    bins = np.intp(codes[one + row]), np.intp(codes[other + row])
                    add_one(pair, *bins, (channels, source + i * width), tile)
            source += count * width


@kernel(inner=True)
def gather_labels(channels, labels, rows, spans, node, first, last, packed, places, area, bits):
    """Copy the one channel of the node's rows in a run of blocks, and its place among the lanes of a bin."""
    done, within = np.uintp(0), (1 << bits) - 1
    for block in range(first, last):
        for place in range(spans[node, block, 0], spans[node, block, 1]):
            row = np.uintp(block * BLOCK) + np.uintp(rows[place])
            lane = np.intp(labels[row])
            packed[done], places[done] = channels[row], (lane >> bits) * area + (lane & within)
            done += np.uintp(1)


@kernel(inner=True)
def add_one_hot(run, places, width):
    """Add what :func:`gather_labels` found to the histograms of all columns."""
    codes, rows, spans, blocks, node, first, last, n_columns, n_summed, staged, offset, packed = run
    for column in range(0, n_summed, 2):
        here, done = np.uintp(offset + column * BINS * width), np.uintp(0)
        next_ = here + np.uintp(BINS * width)
        for block in range(first, last):
            height = blocks[block, 0]
            one = np.uintp(block * BLOCK * n_columns + column * height)
            other = one + np.uintp(height) if column + 1 < n_summed else one
            begin, stop = spans[node, block, 0], spans[node, block, 1]
            dense = stop - begin == height
            for i in range(stop - begin):
                row = np.uintp(i) if dense else np.uintp(rows[np.uintp(begin + i)])
                value, lane = packed[done], np.uintp(places[done])
                staged[here + np.uintp(codes[one + row]) * np.uintp(width) + lane] += value
                staged[next_ + np.uintp(codes[other + row]) * np.uintp(width) + lane] += value
                done += np.uintp(1)


@kernel(inner=True)
def fold_group(staged, n_threads, grouped, offset, bins, g, slots, n_summed, n_lanes, bits, members):
    """Add up the threads' staged histograms of group ``g``, write them in the grouped layout at ``offset`` and leave
    zeros, but for joint columns: other groups have margins of those too.
    """
    width, size = 1 << bits, staged.shape[0] // n_threads
    area = (n_summed + n_summed % 2) * BINS * width
    for slot in range(g * members, min((g + 1) * members, slots.shape[0])):
        home, column = offset + slot % members, slots[slot, 2]
        if slots[slot, 4] > 0:
            fold_margin(staged, n_threads, grouped, home, bins, slots, slot, area, n_lanes, bits, members)
            continue
        for position in range(bins + 1):
            code = position if position < bins else BINS - 1
            target = home + code * n_lanes * members
            for first in range(0, n_lanes, width):
                source = (first >> bits) * area + (column * BINS + code) * width
                for lane in range(min(width, n_lanes - first)):
                    total = staged[source + lane]
                    staged[source + lane] = 0
                    for thread in range(1, n_threads):
                        total += staged[thread * size + source + lane]
                        staged[thread * size + source + lane] = 0
                    grouped[target + (first + lane) * members] = total


@kernel(inner=True)
def fold_margin(staged, n_threads, grouped, home, bins, slots, slot, area, n_lanes, bits, members):
    """As :func:`fold_group` for a slot in a joint column: add up the joint codes that share a bin of it."""
    width, size, stride = 1 << bits, staged.shape[0] // n_threads, n_lanes * members
    column, apart, symbols, values = slots[slot, 2], slots[slot, 3], slots[slot, 4], slots[slot, 5]
    for position in range(bins + 1):
        code = position if position < bins else BINS - 1
        for lane in range(n_lanes):
            grouped[home + code * stride + lane * members] = 0
    bin_, within = 0, 0
    for joint in range(BINS):
        target = home + (bin_ if bin_ < values else BINS - 1) * stride
        for first in range(0, n_lanes, width):
            source = (first >> bits) * area + (column * BINS + joint) * width
            for lane in range(min(width, n_lanes - first)):
                for thread in range(n_threads):
                    grouped[target + (first + lane) * members] += staged[thread * size + source + lane]
        within += 1
        if within == apart:
            within, bin_ = 0, bin_ + 1 if bin_ + 1 < symbols else 0
