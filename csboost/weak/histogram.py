"""Kernels that sum channels per feature, bin and lane.

Rows live in blocks of :data:`BLOCK`; a block keeps its codes column by column, so that a pass over one feature runs through contiguous bytes and a node's
rows, numbered within their block, stay near one another. Two histogram layouts, both flat:

* *staged* ``[slot, bin, padded lane]``: one vector add per row and feature; each thread has one of its own;
* *grouped* ``[group of slots, bin, lane, slot within the group]``: what the split scan reads, with one feature per vector lane.

Channels are whole numbers (see :mod:`csboost.weak.grid`), so sums are exact: their order, and with it the number of threads, changes nothing.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.lanes import lane_add

BLOCK = 4096  # rows per block: local row numbers fit in 16 bits, a block's codes and channels in the second-level cache
BINS = 256
RUN = 4096  # rows of a node to gather before the next feature, so that a sparse node does not reload the histogram for each block


@kernel
def accumulate_staged(codes, sizes, channels, labels, rows, starts, stops, first, last, staged, n_slots, one_hot, lanes):
    """Add the rows of one node in blocks ``first .. last - 1`` to a staged histogram.

    ``codes`` (n * n_slots,) uint8; ``sizes`` (blocks,) rows per block; ``channels`` (n * len(lanes),), or (n,) when ``one_hot``: then row i adds to lane ``labels[i]`` alone;
    ``rows`` (n,) uint16, row numbers within the block; ``starts``, ``stops`` (blocks,): the node's places in ``rows``.
    """
    width = len(lanes)
    block = first
    while block < last:
        end, gathered = block, 0
        while end < last and (gathered == 0 or gathered + stops[end] - starts[end] <= RUN):
            gathered += stops[end] - starts[end]
            end += 1
        for slot in range(n_slots):
            home = slot * BINS
            for b in range(block, end):
                offset = b * BLOCK
                column = offset * n_slots + slot * sizes[b]
                if one_hot:
                    for place in range(starts[b], stops[b]):
                        row = np.intp(rows[place])
                        cell = (home + np.intp(codes[column + row])) * width + np.intp(labels[offset + row])
                        staged[cell] += channels[offset + row]
                else:
                    for place in range(starts[b], stops[b]):
                        row = np.intp(rows[place])
                        lane_add(staged, (home + np.intp(codes[column + row])) * width, channels, (offset + row) * width, lanes)
        block = end


@kernel
def fold_staged(staged, n_threads, grouped, offset, group_bins, n_slots, padded, lanes, group):
    """Add up the threads' staged histograms and write them in the grouped layout at ``offset``."""
    n_lanes, width = len(lanes), len(group)
    size = staged.shape[0] // n_threads
    for slots in range(group_bins.shape[0]):
        for position in range(group_bins[slots] + 1):
            code = position if position < group_bins[slots] else BINS - 1
            for member in range(min(width, n_slots - slots * width)):
                source = ((slots * width + member) * BINS + code) * padded
                target = offset + ((slots * BINS + code) * n_lanes) * width + member
                for lane in range(n_lanes):
                    total = staged[source + lane]
                    for thread in range(1, n_threads):
                        total += staged[thread * size + source + lane]
                    grouped[target + lane * width] = total


@kernel
def accumulate_grouped(codes, sizes, channels, labels, rows, starts, stops, grouped, offset, n_slots, one_hot, padded, lanes, group):
    """Add the rows of a small node straight to the grouped histogram at ``offset``: cheaper than staging when bins outnumber rows."""
    n_lanes, width = len(lanes), len(group)
    for block in range(starts.shape[0]):
        first = block * BLOCK
        for slot in range(n_slots):
            column = first * n_slots + slot * sizes[block]
            home = offset + (slot // width) * BINS * n_lanes * width + slot % width
            for place in range(starts[block], stops[block]):
                row = np.intp(rows[place])
                cell = home + np.intp(codes[column + row]) * n_lanes * width
                if one_hot:
                    grouped[cell + np.intp(labels[first + row]) * width] += channels[first + row]
                else:
                    source = (first + row) * padded
                    for lane in range(n_lanes):
                        grouped[cell + lane * width] += channels[source + lane]


@kernel
def clear_grouped(grouped, offset, group_bins, stride):
    """Zero the used bins (and the missing slot) of the grouped histogram at ``offset``; ``stride`` numbers per bin of a group."""
    for slots in range(group_bins.shape[0]):
        start = offset + slots * BINS * stride
        grouped[start : start + group_bins[slots] * stride] = 0
        grouped[start + (BINS - 1) * stride : start + BINS * stride] = 0


@kernel
def subtract_grouped(grouped, parent, child, group_bins, stride):
    """Turn the parent's histogram at ``parent`` into that of the other child, in place."""
    for slots in range(group_bins.shape[0]):
        here, there = parent + slots * BINS * stride, child + slots * BINS * stride
        for i in range(group_bins[slots] * stride):
            grouped[here + i] -= grouped[there + i]
        for i in range((BINS - 1) * stride, BINS * stride):
            grouped[here + i] -= grouped[there + i]
