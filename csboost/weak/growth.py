"""Best-first growth of one tree, as phases that a single thread or a pool of threads runs.

accumulate histograms -> choose splits -> partition the rows: :func:`advance` does the little that happens between two passes over the rows and says which
pass comes next; :func:`run_pass` does that pass for a range of row blocks. One thread runs both in :func:`grow`; several meet after each pass
(:class:`csboost.weak.engine.Engine`). Blocks meet in the histograms alone, so rows need not sit in one array.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import BLOCK, accumulate_grouped, accumulate_staged, clear_grouped, fold_staged, subtract_grouped
from csboost.weak.lanes import MISSING
from csboost.weak.splits import best_split, left_sums

SMALL = 1024  # a node of fewer rows skips the staged histogram
DONE, ACCUMULATE, PARTITION = 0, 1, 2  # what comes next
# Columns of the node table of a forest, ``nodes`` (rounds, nodes, 6).
FEATURE, CUT, MISSING_LEFT, LEFT, RIGHT, ROWS = range(6)
# Places in ``state``: the coming phase, the node it treats, that node's sibling, the parent, nodes and leaves so far.
PHASE, NODE, SIBLING, PARENT, N_NODES, N_LEAVES = range(6)

Workspace = namedtuple(
    "Workspace",
    [
        "codes",  # (n * slots,) uint8, block by block, column by column
        "sizes",  # (blocks,) rows per block
        "labels",  # (n,) the lane of a row whose channels have one non-zero
        "group_bins",  # (groups,) largest number of bins in the group
        "group_missing",  # (groups,) whether any of its features has missing values
        "slot_of_feature",  # (d,) place of a feature among the slots
        "feature_of_slot",  # (slots,)
        "rows",  # (n,) uint16 row numbers within their block, node by node
        "starts",  # (nodes, blocks) where a node's rows start in ``rows``
        "stops",  # (nodes, blocks)
        "counts",  # (blocks, 2) rows that went left, missing ones
        "staged",  # (threads * slots * 256 * padded lanes,)
        "grouped",  # (leaves * groups * 256 * lanes * width,) one histogram per open leaf
        "homes",  # (nodes,) the node's place in ``grouped``
        "gains",  # (nodes,) gain of the best split of an open leaf; 0 for none
        "splits",  # (nodes, 3) slot, bin, missing_left of that split
        "sums",  # (nodes, lanes) channel sums
        "scores",  # (2 * slots,) scratch of the scan
        "cuts",  # (2 * slots,)
        "state",  # (6,)
    ],
)


@kernel
def partition(w, node, left, right, first, last):
    """Split the node's rows in blocks ``first .. last - 1``, stably and in place; count the left and the missing ones per block."""
    spare = np.empty(BLOCK, np.uint16)
    slot, cut, missing_left = w.splits[node, 0], w.splits[node, 1], w.splits[node, 2] != 0
    n_slots = w.feature_of_slot.shape[0]
    for block in range(first, last):
        column = block * BLOCK * n_slots + slot * w.sizes[block]
        start, stop = w.starts[node, block], w.stops[node, block]
        here, away, missing = start, 0, 0
        for place in range(start, stop):
            row = w.rows[place]
            code = w.codes[column + np.intp(row)]
            lost = code == MISSING
            goes_left = (code <= cut) | (lost & missing_left)
            w.rows[here] = row
            spare[away] = row
            here += goes_left
            away += not goes_left
            missing += lost
        w.rows[here:stop] = spare[:away]
        w.starts[left, block], w.stops[left, block] = start, here
        w.starts[right, block], w.stops[right, block] = here, stop
        w.counts[block, 0], w.counts[block, 1] = here - start, missing


@kernel
def run_pass(w, channels, one_hot, first, last, thread, n_threads, padded):
    """The pass that ``state`` asks for, over blocks ``first .. last - 1``."""
    state = w.state
    if state[PHASE] == PARTITION:
        partition(w, state[NODE], state[N_NODES], state[N_NODES] + 1, first, last)
    else:
        size = w.staged.shape[0] // n_threads
        mine = w.staged[thread * size : (thread + 1) * size]
        mine[:] = 0
        node, n_slots = state[NODE], w.feature_of_slot.shape[0]
        accumulate_staged(w.codes, w.sizes, channels, w.labels, w.rows, w.starts[node], w.stops[node], first, last, mine, n_slots, one_hot, padded)


@kernel
def consider(w, node, rule, tolerance, lanes, group):
    """Find the best split of an open leaf whose histogram is ready."""
    gain, slot, cut, missing_left = best_split(
        w.grouped, w.homes[node], w.sums[node], rule, tolerance, w.group_bins, w.group_missing, w.slot_of_feature, w.scores, w.cuts, lanes, group
    )
    w.gains[node] = gain if slot >= 0 else 0.0
    w.splits[node, 0], w.splits[node, 1], w.splits[node, 2] = slot, cut, missing_left


@kernel
def choose_leaf(w, tolerance):
    """Ask for the partition of the leaf of largest gain (the first-born among ties), or end the tree."""
    best, chosen = 0.0, -1
    for node in range(w.state[N_NODES]):
        if w.gains[node] > (best + tolerance if chosen >= 0 else 0.0):
            best, chosen = w.gains[node], node
    w.state[PHASE], w.state[NODE] = (PARTITION, chosen) if chosen >= 0 else (DONE, -1)


@kernel
def record_split(w, nodes, gained, m, node, left, right, lanes, group):
    """Write a split into round ``m`` of the forest, and both children's channel sums. Returns whether the left child is the smaller."""
    n_left, n_missing = w.counts[:, 0].sum(), w.counts[:, 1].sum()
    n_right = nodes[m, node, ROWS] - n_left
    slot, cut, missing_left = w.splits[node, 0], w.splits[node, 1], w.splits[node, 2]
    left_sums(w.grouped, w.homes[node], slot, cut, missing_left != 0, len(lanes), len(group), w.sums[left])
    w.sums[right] = w.sums[node] - w.sums[left]
    if n_missing == 0:  # a node that saw no missing value sends later ones to its larger child
        missing_left = n_left >= n_right
    nodes[m, node, FEATURE], nodes[m, node, CUT], nodes[m, node, MISSING_LEFT] = w.feature_of_slot[slot], cut, missing_left
    nodes[m, node, LEFT], nodes[m, node, RIGHT] = left, right
    nodes[m, left, LEFT] = nodes[m, right, LEFT] = -1
    nodes[m, left, ROWS], nodes[m, right, ROWS] = n_left, n_right
    gained[m, node] = w.gains[node]
    w.gains[node] = 0.0
    return n_left <= n_right


@kernel
def finish_histogram(w, channels, one_hot, node, fresh, n_threads, padded, lanes, group):
    """Bring the node's histogram into the grouped layout: from the staged ones when a pass has filled them, else straight from its rows."""
    stride = len(lanes) * len(group)
    if fresh:
        n_slots = w.feature_of_slot.shape[0]
        fold_staged(w.staged, n_threads, w.grouped, w.homes[node], w.group_bins, n_slots, len(padded), lanes, group)
    else:
        clear_grouped(w.grouped, w.homes[node], w.group_bins, stride)
        n_slots = w.feature_of_slot.shape[0]
        accumulate_grouped(
            w.codes, w.sizes, channels, w.labels, w.rows, w.starts[node], w.stops[node], w.grouped, w.homes[node], n_slots, one_hot, len(padded), lanes, group
        )


@kernel
def begin(w, nodes, m):
    """Make a root of all rows and ask for its histogram."""
    total = 0
    for block in range(w.sizes.shape[0]):
        offset = block * BLOCK
        for i in range(w.sizes[block]):
            w.rows[offset + i] = i
        w.starts[0, block], w.stops[0, block] = offset, offset + w.sizes[block]
        total += w.sizes[block]
    nodes[m, 0, LEFT], nodes[m, 0, ROWS] = -1, total
    w.homes[0], w.gains[0] = 0, 0.0
    w.state[PHASE], w.state[NODE], w.state[SIBLING] = ACCUMULATE, 0, -1
    w.state[N_NODES] = w.state[N_LEAVES] = 1


@kernel
def advance(w, nodes, gained, m, channels, one_hot, rule, tolerance, max_leaves, n_threads, padded, lanes, group):
    """Do what lies between two passes over the rows; afterwards ``state`` asks for the next pass, or is DONE.

    The smaller child's histogram is summed, the larger one's is the parent's less that.
    """
    state, fresh = w.state, True
    if state[PHASE] == PARTITION:
        node, left = state[NODE], state[N_NODES]
        right = left + 1
        left_is_small = record_split(w, nodes, gained, m, node, left, right, lanes, group)
        state[N_NODES] += 2
        state[N_LEAVES] += 1
        if state[N_LEAVES] == max_leaves:
            state[PHASE] = DONE
            return
        small, large = (left, right) if left_is_small else (right, left)
        state[PHASE], state[NODE], state[SIBLING] = ACCUMULATE, small, large
        w.homes[large] = w.homes[node]
        w.homes[small] = (state[N_LEAVES] - 1) * (w.grouped.shape[0] // max(max_leaves - 1, 1))
        if nodes[m, small, ROWS] >= SMALL:
            return
        fresh = False
    small, large = state[NODE], state[SIBLING]
    if large < 0:
        fresh = nodes[m, small, ROWS] >= SMALL
    finish_histogram(w, channels, one_hot, small, fresh, n_threads, padded, lanes, group)
    if large < 0:
        left_sums(w.grouped, 0, 0, w.group_bins[0] - 1, True, len(lanes), len(group), w.sums[0])
        consider(w, small, rule, tolerance, lanes, group)
    else:
        subtract_grouped(w.grouped, w.homes[large], w.homes[small], w.group_bins, len(lanes) * len(group))
        consider(w, min(small, large), rule, tolerance, lanes, group)
        consider(w, max(small, large), rule, tolerance, lanes, group)
    choose_leaf(w, tolerance)


@kernel
def assign_leaves(w, nodes, m, first, last, leaf_of_row):
    """Number the leaves by birth and write each row's leaf in blocks ``first .. last - 1``."""
    leaf = 0
    for node in range(w.state[N_NODES]):
        if nodes[m, node, LEFT] < 0:
            for block in range(first, last):
                offset = block * BLOCK
                for place in range(w.starts[node, block], w.stops[node, block]):
                    leaf_of_row[offset + np.intp(w.rows[place])] = leaf
            leaf += 1


@kernel
def leaf_sums(w, nodes, gained, m, unit, sums):
    """Channel sums of the leaves by birth into ``sums[m]`` (leaves, lanes), and gains, in the channels' own unit. Returns the number of leaves."""
    leaf = 0
    gained[m] *= unit
    for node in range(w.state[N_NODES]):
        if nodes[m, node, LEFT] < 0:
            for lane in range(w.sums.shape[1]):
                sums[m, leaf, lane] = w.sums[node, lane] * unit
            leaf += 1
    return leaf


@kernel
def grow(arrays, nodes, gained, m, sums, leaf_of_row, channels, unit, one_hot, rule, tolerance, max_leaves, padded, lanes, group):
    """Grow the tree of round ``m`` in one thread; returns its number of leaves."""
    w = Workspace(*arrays)
    n_blocks = w.sizes.shape[0]
    begin(w, nodes, m)
    while w.state[PHASE] != DONE:
        node = w.state[NODE]
        if w.state[PHASE] == PARTITION or nodes[m, node, ROWS] >= SMALL:
            run_pass(w, channels, one_hot, 0, n_blocks, 0, 1, padded)
        advance(w, nodes, gained, m, channels, one_hot, rule, tolerance, max_leaves, 1, padded, lanes, group)
    assign_leaves(w, nodes, m, 0, n_blocks, leaf_of_row)
    return leaf_sums(w, nodes, gained, m, unit, sums)


@kernel
def begin_tree(arrays, nodes, m):
    """:func:`begin` on the workspace's arrays, for a pool of threads; so are the next four."""
    begin(Workspace(*arrays), nodes, m)


@kernel
def pass_blocks(arrays, channels, one_hot, first, last, thread, n_threads, padded):
    run_pass(Workspace(*arrays), channels, one_hot, first, last, thread, n_threads, padded)


@kernel
def advance_tree(arrays, nodes, gained, m, channels, one_hot, rule, tolerance, max_leaves, n_threads, padded, lanes, group):
    advance(Workspace(*arrays), nodes, gained, m, channels, one_hot, rule, tolerance, max_leaves, n_threads, padded, lanes, group)


@kernel
def leaves_of_blocks(arrays, nodes, m, first, last, leaf_of_row):
    assign_leaves(Workspace(*arrays), nodes, m, first, last, leaf_of_row)


@kernel
def sums_of_leaves(arrays, nodes, gained, m, unit, sums):
    return leaf_sums(Workspace(*arrays), nodes, gained, m, unit, sums)
