# mypy: disable-error-code="call-arg"
"""Kernels that sum channels per feature, bin and lane.

Rows live in blocks of :data:`BLOCK`; a block keeps its codes column by column, so that a pass over one feature runs
through contiguous bytes and a node's rows, numbered within their block, stay near one another. Lanes (one per class, or
two) come in *tiles* of one vector register, the last one filled up with zeros; a block keeps its channels tile by
tile, ``[tile, row, lane in the tile]``. Two histogram layouts, both flat:

* *staged* ``[tile, slot, bin, lane in the tile]``: one vector add per row, feature and tile, and however many lanes
  there are, the histograms of two features stay in the first-level cache; each thread has one of its own;
* *grouped* ``[group of slots, bin, lane, slot within the group]``: what the split scan reads, with one feature per
  vector lane.

Channels are whole numbers (see :mod:`csboost.weak.channels`), so sums are exact: their order, and with it the number
of threads, changes nothing.

Arrays that many kernels share: ``codes`` (n * slots,) uint8; ``channels`` (n * tiles * tile,), or (n,) for one-hot
ones, where row i adds to lane ``labels[i]`` alone; ``rows`` (n,) uint16, row numbers within their block, node by node;
``spans`` (nodes, blocks, 2), where a node's rows start and stop in ``rows``; ``blocks`` (blocks, 3): rows per block,
then scratch of the partition; ``groups`` (groups, 2): largest number of bins in the group, whether any of its features
has missing values.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.lanes import add_eight, add_four, add_one, group_scatter

BLOCK = 4096  # rows per block: local row numbers fit in 16 bits, a block's channels in the second-level cache
BINS = 256
# rows of a node to gather before the next feature, so that a sparse node does not reload the histogram for each block
RUN = 4096


@kernel(inner=True)
def accumulate_staged(
    codes, channels, labels, rows, spans, blocks, node, first, last,
    staged, offset, packed, places, n_slots, n_tiles, one_hot, tile,
):  # fmt: skip
    """Add the node's rows in blocks ``first .. last - 1`` to the staged histogram at ``offset``. It is never cleared:
    :func:`fold_group` leaves zeros behind.

    ``packed`` and ``places`` are scratch of the calling thread, ``RUN + BLOCK`` rows long.
    """
    width = len(tile)
    area = (n_slots + n_slots % 2) * BINS * width
    block = first
    while block < last:
        end, gathered = block, 0
        while end < last and (gathered == 0 or gathered + spans[node, end, 1] - spans[node, end, 0] <= RUN):
            gathered += spans[node, end, 1] - spans[node, end, 0]
            end += 1
        whole = end == block + 1 and gathered == blocks[block, 0]
        if one_hot:
            gather_labels(channels, labels, rows, spans, node, block, end, packed, places, area, width)
            add_one_hot(codes, rows, spans, blocks, node, block, end, staged, offset, packed, places, n_slots, width)
        else:
            for number in range(n_tiles):
                here = offset + number * area
                if whole:  # its channels lie as they are needed
                    start = (block * BLOCK * n_tiles + number * gathered) * width
                    add_tile(codes, rows, spans, blocks, node, block, end, staged, here, channels, start, n_slots, tile)
                else:
                    gather_tile(channels, rows, spans, blocks, node, block, end, packed, n_tiles, number, width)
                    add_tile(codes, rows, spans, blocks, node, block, end, staged, here, packed, 0, n_slots, tile)
        block = end


@kernel(inner=True)
def gather_tile(channels, rows, spans, blocks, node, first, last, packed, n_tiles, number, width):
    """Copy a tile of the node's rows in a run of blocks next to each other, so that the features' passes read it in a
    stream.
    """
    target = np.uintp(0)
    for block in range(first, last):
        home = np.uintp((block * BLOCK * n_tiles + number * blocks[block, 0]) * width)
        for place in range(spans[node, block, 0], spans[node, block, 1]):
            source = home + np.uintp(rows[place]) * np.uintp(width)
            for lane in range(width):
                packed[target + np.uintp(lane)] = channels[source + np.uintp(lane)]
            target += np.uintp(width)


@kernel(inner=True)
def add_tile(codes, rows, spans, blocks, node, first, last, staged, offset, channels, start, n_slots, tile):
    """Add a tile of the rows of a run of blocks, which lie at ``channels[start:]``, to the features' histograms.

    Two features at a time share the loads of rows and channels. The last one of an odd number is paired with itself:
    the staged histogram has room for an even number.
    """
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
def gather_labels(channels, labels, rows, spans, node, first, last, packed, places, area, width):
    """Copy the one channel of the node's rows in a run of blocks, and its place among the lanes of a bin."""
    done = np.uintp(0)
    for block in range(first, last):
        for place in range(spans[node, block, 0], spans[node, block, 1]):
            row = np.uintp(block * BLOCK) + np.uintp(rows[place])
            lane = np.intp(labels[row])
            packed[done], places[done] = channels[row], lane // width * area + lane % width
            done += np.uintp(1)


@kernel(inner=True)
def add_one_hot(codes, rows, spans, blocks, node, first, last, staged, offset, packed, places, n_slots, width):
    """Add what :func:`gather_labels` found to all features' histograms."""
    for slot in range(n_slots):
        here, done = np.uintp(offset + slot * BINS * width), np.uintp(0)
        for block in range(first, last):
            column = np.uintp(block * BLOCK * n_slots + slot * blocks[block, 0])
            for place in range(spans[node, block, 0], spans[node, block, 1]):
                code = np.uintp(codes[column + np.uintp(rows[place])])
                staged[here + code * np.uintp(width) + np.uintp(places[done])] += packed[done]
                done += np.uintp(1)


@kernel(inner=True)
def fold_group(staged, n_threads, grouped, offset, bins, g, n_slots, n_lanes, width, group_width):
    """Add up the threads' staged histograms of group ``g``, write them in the grouped layout at ``offset`` and leave
    zeros.
    """
    size, area = staged.shape[0] // n_threads, (n_slots + n_slots % 2) * BINS * width
    for slot in range(g * group_width, min((g + 1) * group_width, n_slots)):
        home = offset + slot % group_width
        for position in range(bins + 1):
            code = position if position < bins else BINS - 1
            target = home + code * n_lanes * group_width
            for first in range(0, n_lanes, width):
                source = first // width * area + (slot * BINS + code) * width
                for lane in range(min(width, n_lanes - first)):
                    total = staged[source + lane]
                    staged[source + lane] = 0
                    for thread in range(1, n_threads):
                        total += staged[thread * size + source + lane]
                        staged[thread * size + source + lane] = 0
                    grouped[target + (first + lane) * group_width] = total


@kernel(inner=True)
def sum_group(
    codes, channels, labels, rows, spans, blocks, node,
    grouped, offset, bins, g, n_slots, n_lanes, one_hot, width, group,
):  # fmt: skip
    """Sum the rows of a small node straight into the grouped histogram of group ``g`` at ``offset``: cheaper than
    staging when bins outnumber rows.
    """
    members = len(group)
    stride, n_tiles = n_lanes * members, -(-n_lanes // width)
    clear(grouped[offset : offset + bins * stride])
    clear(grouped[offset + (BINS - 1) * stride : offset + BINS * stride])
    for block in range(blocks.shape[0]):
        first, height = block * BLOCK, blocks[block, 0]
        start, stop = spans[node, block, 0], spans[node, block, 1]
        full = (g + 1) * members <= n_slots
        if full and not one_hot:
            column = first * n_slots + g * members * height
            for number in range(n_tiles):
                lane, home = number * width, first * n_tiles + number * height
                count, target = min(width, n_lanes - lane), offset + lane * members
                for place in range(start, stop):
                    row = np.intp(rows[place])
                    source = (home + row) * width
                    group_scatter(grouped, target, stride, codes, column + row, height, channels, source, count, group)
            continue
        for slot in range(g * members, min((g + 1) * members, n_slots)):
            column = first * n_slots + slot * height
            for place in range(start, stop):
                row = np.intp(rows[place])
                cell = offset + slot % members + np.intp(codes[column + row]) * stride
                if one_hot:
                    grouped[cell + np.intp(labels[first + row]) * members] += channels[first + row]
                else:
                    for lane in range(n_lanes):
                        source = (first * n_tiles + lane // width * height + row) * width + lane % width
                        grouped[cell + lane * members] += channels[source]


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
