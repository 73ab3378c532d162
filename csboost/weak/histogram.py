# mypy: disable-error-code="call-arg, unreachable"
"""Kernels that sum channels per feature, bin and lane.

Rows live in blocks of :data:`BLOCK`; a block keeps its codes column by column, so that a pass over one feature runs
through contiguous bytes and a node's rows, numbered within their block, stay near one another. Lanes (one per class, or
two) come in *tiles* of one vector register, the last one filled up with zeros. Two histogram layouts, both flat:

* *staged* ``[tile, slot, bin, lane in the tile]``: one vector add per row, feature and tile, and however many lanes
  there are, the histograms of two features stay in the first-level cache; each thread has one of its own;
* *grouped* ``[group of slots, bin, lane, slot within the group]``: what the split scan reads, with one feature per
  vector lane.

Channels are whole numbers (see :mod:`csboost.weak.channels`), so sums are exact: their order, and with it the number
of threads, changes nothing.

Arrays that many kernels share: ``codes`` (n * slots,) uint8; ``channels`` (n * padded lanes,), or (n,) for one-hot
ones, where row i adds to lane ``labels[i]`` alone; ``rows`` (n,) uint16, row numbers within their block, node by node;
``spans`` (nodes, blocks, 2), where a node's rows start and stop in ``rows``; ``blocks`` (blocks, 3): rows per block,
then scratch of the partition; ``groups`` (groups, 2): largest number of bins in the group, whether any of its features
has missing values. ``bits`` is the binary logarithm of the lanes in a tile: 4, or as many as a register holds.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.lanes import SCATTERED, add_eight, add_four, add_one, copy_tile, scatter_rows

BLOCK = 4096  # rows per block: local row numbers fit in 16 bits, a block's channels in the second-level cache
BINS = 256
# rows of a node to gather before the next feature, so that a sparse node does not reload the histogram for each block
RUN = 4096
NARROW, SINGLE = (0, 0, 0, 0), (0,)  # a tile of four lanes, where they are enough, and a group of one feature


@kernel(inner=True)
def accumulate_staged(
    codes, channels, labels, rows, spans, blocks, node, first, last,
    staged, offset, packed, places, n_slots, n_padded, bits, one_hot, group,
):  # fmt: skip
    """Add the node's rows in blocks ``first .. last - 1`` to the staged histogram at ``offset``. It is never cleared:
    :func:`fold_group` leaves zeros behind.

    ``packed`` and ``places`` are scratch of the calling thread, ``RUN + BLOCK`` rows long.
    """
    width = 1 << bits
    area = (n_slots + n_slots % 2) * BINS * width
    block = first
    while block < last:
        end, gathered = block, 0
        while end < last and (gathered == 0 or gathered + spans[node, end, 1] - spans[node, end, 0] <= RUN):
            gathered += spans[node, end, 1] - spans[node, end, 0]
            end += 1
        if one_hot:
            gather_labels(channels, labels, rows, spans, node, block, end, packed, places, area, bits)
            add_one_hot(codes, rows, spans, blocks, node, block, end, staged, offset, packed, places, n_slots, width)
        else:
            for number in range(n_padded >> bits):
                run = codes, rows, spans, blocks, node, block, end, staged, offset + number * area, packed
                if len(group) == width:
                    add_tile(run, channels, n_slots, n_padded, number * width, group)
                else:
                    add_tile(run, channels, n_slots, n_padded, number * width, NARROW)
        block = end


@kernel(inner=True)
def add_tile(run, channels, n_slots, n_padded, lane, tile):
    """Add the tile from ``lane`` on of the node's rows in a run of blocks to all features' histograms."""
    _, rows, spans, blocks, node, first, last, _, _, packed = run
    width, target = len(tile), 0
    whole = last == first + 1 and spans[node, first, 1] - spans[node, first, 0] == blocks[first, 0]
    if whole and n_padded == width:
        add_features(run, channels, first * BLOCK * width, n_slots, tile)
        return
    for block in range(first, last):  # next to each other, so that the features' passes read them in a stream
        for place in range(spans[node, block, 0], spans[node, block, 1]):
            source = (block * BLOCK + np.intp(rows[place])) * n_padded + lane
            copy_tile(packed, target, channels, source, tile)
            target += width
    add_features(run, packed, 0, n_slots, tile)


@kernel(inner=True)
def add_features(run, channels, start, n_slots, tile):
    """Add the tiles of the rows of a run of blocks, which lie at ``channels[start:]``, to the features' histograms.

    Two features at a time share the loads of rows and channels. The last one of an odd number is paired with itself:
    the staged histogram has room for an even number.
    """
    codes, rows, spans, blocks, node, first, last, staged, offset, _ = run
    width = len(tile)
    for slot in range(0, n_slots, 2):
        here, source = offset + slot * BINS * width, start
        next_ = here + BINS * width
        for block in range(first, last):
            height, begin, stop = blocks[block, 0], spans[node, block, 0], spans[node, block, 1]
            one = block * BLOCK * n_slots + slot * height
            other = one + height if slot + 1 < n_slots else one
            ahead = 2 * height
            count = stop - begin
            if count == height:  # all rows of the block: no need to look them up
                for i in range(0, count - 7, 8):
                    add_eight(staged, here, next_, codes, one + i, other + i, ahead, channels, source + i * width, tile)
                for i in range(count - count % 8, count):
                    pair = np.intp(codes[one + i]), np.intp(codes[other + i])
                    add_one(staged, here, next_, *pair, channels, source + i * width, tile)
            else:
                for i in range(0, count - 3, 4):
                    at = source + i * width
                    add_four(staged, here, next_, codes, one, other, ahead, rows, begin + i, channels, at, tile)
                for i in range(count - count % 4, count):
                    row = np.intp(rows[begin + i])
                    pair = np.intp(codes[one + row]), np.intp(codes[other + row])
                    add_one(staged, here, next_, *pair, channels, source + i * width, tile)
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
def add_one_hot(codes, rows, spans, blocks, node, first, last, staged, offset, packed, places, n_slots, width):
    """Add what :func:`gather_labels` found to all features' histograms."""
    for slot in range(0, n_slots, 2):
        here, done = np.uintp(offset + slot * BINS * width), np.uintp(0)
        next_ = here + np.uintp(BINS * width)
        for block in range(first, last):
            height = blocks[block, 0]
            one = np.uintp(block * BLOCK * n_slots + slot * height)
            other = one + np.uintp(height) if slot + 1 < n_slots else one
            begin, stop = spans[node, block, 0], spans[node, block, 1]
            dense = stop - begin == height
            for i in range(stop - begin):
                row = np.uintp(i) if dense else np.uintp(rows[np.uintp(begin + i)])
                value, lane = packed[done], np.uintp(places[done])
                staged[here + np.uintp(codes[one + row]) * np.uintp(width) + lane] += value
                staged[next_ + np.uintp(codes[other + row]) * np.uintp(width) + lane] += value
                done += np.uintp(1)


@kernel(inner=True)
def fold_group(staged, n_threads, grouped, offset, bins, g, n_slots, n_lanes, bits, members):
    """Add up the threads' staged histograms of group ``g``, write them in the grouped layout at ``offset`` and leave
    zeros.
    """
    width, size = 1 << bits, staged.shape[0] // n_threads
    area = (n_slots + n_slots % 2) * BINS * width
    for slot in range(g * members, min((g + 1) * members, n_slots)):
        home = offset + slot % members
        for position in range(bins + 1):
            code = position if position < bins else BINS - 1
            target = home + code * n_lanes * members
            for first in range(0, n_lanes, width):
                source = first // width * area + (slot * BINS + code) * width
                for lane in range(min(width, n_lanes - first)):
                    total = staged[source + lane]
                    staged[source + lane] = 0
                    for thread in range(1, n_threads):
                        total += staged[thread * size + source + lane]
                        staged[thread * size + source + lane] = 0
                    grouped[target + (first + lane) * members] = total


@kernel(inner=True)
def sum_group(
    codes, channels, labels, rows, spans, blocks, node,
    grouped, offset, bins, g, n_slots, n_lanes, n_padded, one_hot, group,
):  # fmt: skip
    """Sum the rows of a small node straight into the grouped histogram of group ``g`` at ``offset``: cheaper than
    staging when bins outnumber rows.
    """
    members, stride = len(group), n_lanes * len(group)
    clear(grouped[offset : offset + bins * stride])
    clear(grouped[offset + (BINS - 1) * stride : offset + BINS * stride])
    slots = min(members, n_slots - g * members)
    for block in range(blocks.shape[0]):
        first, height = block * BLOCK, blocks[block, 0]
        start, stop = spans[node, block, 0], spans[node, block, 1]
        column = first * n_slots + g * members * height
        if one_hot:
            for member in range(slots):
                for place in range(start, stop):
                    row = np.intp(rows[place])
                    cell = offset + member + np.intp(codes[column + member * height + row]) * stride
                    grouped[cell + np.intp(labels[first + row]) * members] += channels[first + row]
            continue
        for lane in range(0, n_lanes, SCATTERED):
            count, target = min(SCATTERED, n_lanes - lane), offset + lane * members
            values = rows, start, stop, channels, first * n_padded + lane, n_padded, count
            if slots == members:
                scatter_rows(grouped, target, stride, members, codes, column, height, *values, group)
            else:
                for member in range(slots):
                    own = column + member * height
                    scatter_rows(grouped, target + member, stride, members, codes, own, 0, *values, SINGLE)


@kernel(inner=True)
def clear(part):
    """Zero a slice; a loop from 0 over a slice becomes a vector loop, one over ``start + i`` does not."""
    for i in range(part.shape[0]):
        part[i] = 0


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
