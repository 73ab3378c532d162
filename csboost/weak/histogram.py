# mypy: disable-error-code="call-arg, unreachable"
"""Kernels that sum channels per feature, bin and lane.

Rows live in blocks of :data:`BLOCK`; a block keeps its codes column by column, so that a pass over one feature runs
through contiguous bytes and a node's rows, numbered within their block, stay near one another. Lanes (one per class, or
two) come in *tiles* of four or eight, the last one filled up with zeros. Two histogram layouts, both flat:

* *staged* ``[tile, column, bin, lane in the tile]`` (:mod:`csboost.weak.staged`): one vector add per row, column and
  tile, and however many lanes there are, the histograms of two columns stay in the first-level cache; each thread has
  one of its own;
* *grouped* ``[group of slots, bin, lane, slot within the group]``: what the split scan reads, with one feature per
  vector lane.

Channels are whole numbers (see :mod:`csboost.weak.channels`), so sums are exact: their order, and with it the number
of threads, changes nothing.

Arrays that many kernels share: ``codes`` (n * columns,) uint8 and ``slots`` (:mod:`csboost.weak.columns`);
``channels`` (n * padded lanes,), or (n,) for one-hot ones, where row i adds to lane ``labels[i]`` alone; ``rows`` (n,)
uint16, row numbers within their block, node by node; ``spans`` (nodes, blocks, 2), where a node's rows start and stop;
``blocks`` (blocks, 4): rows per block, then scratch of the partition; ``groups`` (groups, 2): largest number of bins in
the group, whether any of its features has missing values. ``bits`` is the binary logarithm of the lanes in a tile.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.lanes import SCATTERED, scatter_rows

BLOCK = 4096  # rows per block: local row numbers fit in 16 bits, a block's channels in the second-level cache
BINS = 256
# rows of a node to gather before the next feature, so that a sparse node does not reload the histogram for each block
RUN = 4096
NARROW, WIDE, SINGLE = (0,) * 4, (0,) * 8, (0,)  # the two tiles (four lanes, where they are enough), one feature


@kernel(inner=True)
def sum_group(
    codes, channels, labels, rows, spans, blocks, node,
    grouped, offset, bins, g, n_joint, n_slots, n_lanes, n_padded, one_hot, group,
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
        column = first * (n_joint + n_slots) + (n_joint + g * members) * height
        if one_hot:
            for member in range(slots):
                for place in range(start, stop):
                    row = np.intp(rows[place])
                    cell = offset + member + np.intp(codes[column + member * height + row]) * stride
                    grouped[cell + np.intp(labels[first + row]) * members] += channels[first + row]
            continue
        for lane in range(0, n_lanes, SCATTERED):
            count, target = min(SCATTERED, n_lanes - lane), offset + lane * members
            span, source = (rows, start, stop), (channels, first * n_padded + lane, n_padded, count)
            if slots == members:
                scatter_rows((grouped, target, stride, members), (codes, column, height), span, source, group)
            else:
                for member in range(slots):
                    cells, own = (grouped, target + member, stride, members), (codes, column + member * height, 0)
                    scatter_rows(cells, own, span, source, SINGLE)


@kernel(inner=True)
def sum_channels(channels, labels, one_hot, n_padded, sums):
    """Sums of the channels of all rows, which are few, into ``sums[0]``."""
    sums[0, :] = 0
    for i in range(channels.shape[0] if one_hot else channels.shape[0] // n_padded):
        if one_hot:
            sums[0, np.intp(labels[i])] += channels[i]
        else:
            for lane in range(sums.shape[1]):
                sums[0, lane] += channels[i * n_padded + lane]


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
