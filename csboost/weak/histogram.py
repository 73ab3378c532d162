# mypy: disable-error-code="call-arg"
"""Kernels that sum channels per feature, bin and lane.

Rows live in blocks of :data:`BLOCK`; a block keeps its codes column by column, so that a pass over one feature runs
through contiguous bytes and a node's rows, numbered within their block, stay near one another. Two histogram layouts,
both flat:

* *staged* ``[slot, bin, padded lane]``: one vector add per row and feature; each thread has one of its own;
* *grouped* ``[group of slots, bin, lane, slot within the group]``: what the split scan reads, with one feature per
  vector lane.

Channels are whole numbers (see :mod:`csboost.weak.channels`), so sums are exact: their order, and with it the number
of threads, changes nothing.

Arrays that many kernels share: ``codes`` (n * slots,) uint8; ``rows`` (n,) uint16, row numbers within their block,
node by node; ``spans`` (nodes, blocks, 2), where a node's rows start and stop in ``rows``; ``blocks`` (blocks, 3):
rows per block, then scratch of the partition; ``groups`` (groups, 2): largest number of bins in the group, whether
any of its features has missing values.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.lanes import group_scatter, lane_add

BLOCK = 4096  # rows per block: local row numbers fit in 16 bits, a block's channels in the second-level cache
BINS = 256
# rows of a node to gather before the next feature, so that a sparse node does not reload the histogram for each block
RUN = 4096


@kernel(inner=True)
def accumulate_staged(
    codes, channels, labels, rows, spans, blocks, node, first, last,
    staged, offset, packed, lane_of, n_slots, one_hot, padded,
):  # fmt: skip
    """Add the node's rows in blocks ``first .. last - 1`` to the staged histogram at ``offset``.

    ``channels`` (n * len(padded),), or (n,) when ``one_hot``: then row i adds to lane ``labels[i]`` alone. ``packed``
    and ``lane_of`` are scratch of the calling thread, ``RUN + BLOCK`` rows long.

    Two features at a time share the loads of rows and channels. The last one of an odd number is paired with itself:
    the staged histogram has room for an even number.
    """
    width = len(padded)
    per_row = 1 if one_hot else width
    block = first
    while block < last:
        end, gathered = block, np.intp(0)  # a bare 0 would compile gather_channels twice
        while end < last and (gathered == 0 or gathered + spans[node, end, 1] - spans[node, end, 0] <= RUN):
            mine = rows[spans[node, end, 0] : spans[node, end, 1]]
            gather_channels(channels, labels, mine, end * BLOCK, packed, lane_of, gathered, per_row, one_hot)
            gathered += mine.shape[0]
            end += 1
        for slot in range(0, n_slots, 2):
            here, done = offset + slot * BINS * width, np.intp(0)
            next_ = here + BINS * width
            for b in range(block, end):
                height = blocks[b, 0]
                column = b * BLOCK * n_slots + slot * height
                one = codes[column : column + height]
                other = codes[column + height : column + 2 * height] if slot + 1 < n_slots else one
                mine = rows[spans[node, b, 0] : spans[node, b, 1]]
                dense = mine.shape[0] == height  # all rows of the block: no need to look them up
                if one_hot:
                    values, lanes = packed[done:], lane_of[done:]
                    for i in range(mine.shape[0]):
                        row = np.uintp(i) if dense else np.uintp(mine[i])
                        at = np.uintp(one[row]) * np.uintp(width) + np.uintp(lanes[i])  # unsigned: never negative
                        and_at = np.uintp(other[row]) * np.uintp(width) + np.uintp(lanes[i])
                        staged[np.uintp(here) + at] += values[i]
                        staged[np.uintp(next_) + and_at] += values[i]
                elif dense:
                    for i in range(mine.shape[0]):
                        places = here + np.intp(one[i]) * width, next_ + np.intp(other[i]) * width
                        lane_add(staged, places, packed, (done + i) * width, padded)
                else:
                    for i in range(mine.shape[0]):
                        row = np.uintp(mine[i])
                        places = here + np.intp(one[row]) * width, next_ + np.intp(other[row]) * width
                        lane_add(staged, places, packed, (done + i) * width, padded)
                done += mine.shape[0]
        block = end


@kernel(inner=True)
def gather_channels(channels, labels, mine, first, packed, lane_of, done, width, one_hot):
    """Copy the channels of a node's rows in one block next to each other, so that the features' passes read them in a
    stream.
    """
    for i in range(mine.shape[0]):
        row = np.uintp(first) + np.uintp(mine[i])
        if one_hot:
            packed[done + i], lane_of[done + i] = channels[row], labels[row]
        else:
            source, target = row * np.uintp(width), np.uintp(done + i) * np.uintp(width)
            for lane in range(width):
                packed[target + np.uintp(lane)] = channels[source + np.uintp(lane)]


@kernel(inner=True)
def fold_group(staged, n_threads, grouped, offset, bins, g, n_slots, n_padded, n_lanes, width):
    """Add up the threads' staged histograms of group ``g`` and write them in the grouped layout at ``offset``."""
    size = staged.shape[0] // n_threads
    for slot in range(g * width, min((g + 1) * width, n_slots)):
        home = offset + slot % width
        for position in range(bins + 1):
            code = position if position < bins else BINS - 1
            source, target = (slot * BINS + code) * n_padded, home + code * n_lanes * width
            for lane in range(n_lanes):
                total = staged[source + lane]
                for thread in range(1, n_threads):
                    total += staged[thread * size + source + lane]
                grouped[target + lane * width] = total


@kernel(inner=True)
def sum_group(
    codes,
    channels,
    labels,
    rows,
    spans,
    blocks,
    node,
    grouped,
    offset,
    bins,
    g,
    n_slots,
    one_hot,
    n_padded,
    lanes,
    group,
):
    """Sum the rows of a small node straight into the grouped histogram of group ``g`` at ``offset``: cheaper than
    staging when bins outnumber rows.
    """
    n_lanes, width = len(lanes), len(group)
    stride = n_lanes * width
    clear(grouped[offset : offset + bins * stride])
    clear(grouped[offset + (BINS - 1) * stride : offset + BINS * stride])
    for block in range(blocks.shape[0]):
        first, height = block * BLOCK, blocks[block, 0]
        start, stop = spans[node, block, 0], spans[node, block, 1]
        if not one_hot and (g + 1) * width <= n_slots:
            column = first * n_slots + g * width * height
            for place in range(start, stop):
                row = np.intp(rows[place])
                group_scatter(
                    grouped, offset, codes, column + row, height, channels, (first + row) * n_padded, lanes, group
                )
            continue
        for slot in range(g * width, min((g + 1) * width, n_slots)):
            column = first * n_slots + slot * height
            for place in range(start, stop):
                row = np.intp(rows[place])
                cell = offset + slot % width + np.intp(codes[column + row]) * stride
                if one_hot:
                    grouped[cell + np.intp(labels[first + row]) * width] += channels[first + row]
                else:
                    for lane in range(n_lanes):
                        grouped[cell + lane * width] += channels[(first + row) * n_padded + lane]


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
