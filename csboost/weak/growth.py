"""Best-first growth of one tree, as phases that a single thread or a pool of threads runs.

accumulate histograms -> choose splits -> partition the rows: :func:`advance` does the little that happens between two passes over the rows and says which
pass comes next; :func:`run_pass` does that pass for a range of row blocks. One thread runs both in :func:`grow`; several meet after each pass
(:class:`csboost.weak.engine.Engine`). Blocks meet in the histograms alone, so rows need not sit in one array.

Kernels take flat arguments and plain loops: array expressions and tuples of arrays would multiply the time to compile. Besides the arrays of
:mod:`csboost.weak.histogram` they share, per node of the growing tree, ``sums`` (nodes, lanes), ``gains`` (nodes,) and ``splits`` (nodes, 4): slot, bin,
missing_left, place in ``grouped``.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.channels import ONE_HOT, write_channels
from csboost.weak.histogram import BINS, BLOCK, accumulate_staged, clear, fold_group, subtract_group, sum_group
from csboost.weak.lanes import MISSING
from csboost.weak.splits import LABEL, best_split, leaf_score, scan_group, sum_left

SMALL = 1024  # a node of fewer rows skips the staged histogram
DONE, ACCUMULATE, PARTITION = 0, 1, 2  # what comes next
FEATURE, CUT, MISSING_LEFT, LEFT, RIGHT, ROWS = range(6)  # columns of a forest's table ``nodes`` (rounds, nodes, 6)
PHASE, NODE, SIBLING, N_NODES, N_LEAVES = range(5)  # places in ``state``: the coming pass, its node, that node's sibling, sizes so far
HOME = 3  # column of ``splits``


@kernel
def partition(codes, rows, spans, blocks, splits, n_slots, node, left, right, first, last):
    """Split the node's rows in blocks ``first .. last - 1``, stably and in place; count the left and the missing ones in ``blocks[:, 1:]``."""
    spare = np.empty(BLOCK, np.uint16)
    slot, cut, missing_left = splits[node, 0], splits[node, 1], splits[node, 2] != 0
    for block in range(first, last):
        column = block * BLOCK * n_slots + slot * blocks[block, 0]
        start, stop = spans[node, block, 0], spans[node, block, 1]
        here, away, missing = start, 0, 0
        for place in range(start, stop):
            row = rows[place]
            code = codes[column + np.intp(row)]
            lost = code == MISSING
            goes_left = (code <= cut) | (lost & missing_left)
            rows[here] = row
            spare[away] = row
            here += goes_left
            away += not goes_left
            missing += lost
        for i in range(away):
            rows[here + i] = spare[i]
        spans[left, block, 0], spans[left, block, 1] = start, here
        spans[right, block, 0], spans[right, block, 1] = here, stop
        blocks[block, 1], blocks[block, 2] = here - start, missing


@kernel
def run_pass(codes, channels, labels, rows, spans, blocks, splits, state, staged, n_slots, one_hot, thread, n_threads, first, last, padded):
    """The pass that ``state`` asks for, over blocks ``first .. last - 1``."""
    node = state[NODE]
    if state[PHASE] == PARTITION:
        partition(codes, rows, spans, blocks, splits, n_slots, node, state[N_NODES], state[N_NODES] + 1, first, last)
    else:
        size = staged.shape[0] // n_threads
        clear(staged[thread * size : (thread + 1) * size])
        accumulate_staged(codes, channels, labels, rows, spans, blocks, node, first, last, staged, thread * size, n_slots, one_hot, padded)


@kernel
def begin(nodes, m, rows, spans, blocks, splits, gains, state):
    """Make a root of all rows and ask for its histogram."""
    total = 0
    for block in range(blocks.shape[0]):
        offset = block * BLOCK
        for i in range(blocks[block, 0]):
            rows[offset + i] = i
        spans[0, block, 0], spans[0, block, 1] = offset, offset + blocks[block, 0]
        total += blocks[block, 0]
    nodes[m, 0, LEFT], nodes[m, 0, ROWS] = -1, total
    splits[0, HOME], gains[0] = 0, 0.0
    state[PHASE], state[NODE], state[SIBLING], state[N_NODES], state[N_LEAVES] = ACCUMULATE, 0, -1, 1, 1


@kernel
def record_split(nodes, gained, m, blocks, grouped, sums, gains, splits, slots, node, left, n_lanes, width):
    """Write a split into round ``m`` of the forest, and both children's channel sums. Returns whether the left child is the smaller."""
    right, n_left, n_missing = left + 1, 0, 0
    for block in range(blocks.shape[0]):
        n_left += blocks[block, 1]
        n_missing += blocks[block, 2]
    n_right = nodes[m, node, ROWS] - n_left
    slot, cut, missing_left = splits[node, 0], splits[node, 1], splits[node, 2]
    sum_left(grouped, splits[node, HOME], slot, cut, missing_left != 0, n_lanes, width, sums, left)
    for lane in range(n_lanes):
        sums[right, lane] = sums[node, lane] - sums[left, lane]
    if n_missing == 0:  # a node that saw no missing value sends later ones to its larger child
        missing_left = 1 if n_left >= n_right else 0
    nodes[m, node, FEATURE], nodes[m, node, CUT], nodes[m, node, MISSING_LEFT] = slots[slot, 1], cut, missing_left
    nodes[m, node, LEFT], nodes[m, node, RIGHT] = left, right
    nodes[m, left, LEFT], nodes[m, right, LEFT] = -1, -1
    nodes[m, left, ROWS], nodes[m, right, ROWS] = n_left, n_right
    gained[m, node] = gains[node]
    gains[node] = gains[left] = gains[right] = 0.0
    return n_left <= n_right


@kernel
def choose_leaf(gains, state, tolerance):
    """Ask for the partition of the leaf of largest gain (the first-born among ties), or end the tree."""
    best, chosen = 0.0, -1
    for node in range(state[N_NODES]):
        if gains[node] > best + (tolerance if chosen >= 0 else 0.0):
            best, chosen = gains[node], node
    state[PHASE], state[NODE] = PARTITION if chosen >= 0 else DONE, chosen


@kernel
def advance(
    nodes, gained, m, codes, channels, labels, rows, spans, blocks, groups, slots, staged, grouped, sums, gains, splits, state,
    one_hot, rule, tolerance, max_leaves, n_threads, padded, lanes, group,
):  # fmt: skip
    """Do what lies between two passes over the rows; afterwards ``state`` asks for the next pass, or is DONE.

    The smaller child's histogram is summed, the larger one's is the parent's less that.
    """
    n_lanes, width, n_padded, n_slots = len(lanes), len(group), len(padded), slots.shape[0]
    stride, summed = n_lanes * width, state[PHASE] == ACCUMULATE
    if state[PHASE] == PARTITION:
        node, left = state[NODE], state[N_NODES]
        left_is_small = record_split(nodes, gained, m, blocks, grouped, sums, gains, splits, slots, node, left, n_lanes, width)
        state[N_NODES] += 2
        state[N_LEAVES] += 1
        if state[N_LEAVES] == max_leaves:
            state[PHASE] = DONE
            return
        small = left if left_is_small else left + 1
        large = left + 1 if left_is_small else left
        state[PHASE], state[NODE], state[SIBLING] = ACCUMULATE, small, large
        splits[large, HOME] = splits[node, HOME]
        splits[small, HOME] = (state[N_LEAVES] - 1) * (grouped.shape[0] // (max_leaves - 1))
        if nodes[m, small, ROWS] >= SMALL:
            return
    small, large = state[NODE], state[SIBLING]
    from_passes = summed and nodes[m, small, ROWS] >= SMALL
    n_groups = groups.shape[0]
    scores, cuts = np.empty((2, 2 * n_groups * width)), np.empty((2, 2 * n_groups * width), np.int64)
    floor = large_floor = 0.0
    if large >= 0:
        floor, large_floor = leaf_score(sums, small, n_lanes, rule), leaf_score(sums, large, n_lanes, rule)
    for g in range(n_groups):  # group by group, so that a histogram is scanned while it is in the cache
        bins, has_missing, part = groups[g, 0], groups[g, 1] != 0, g * BINS * stride
        home = splits[small, HOME] + part
        if from_passes:
            fold_group(staged, n_threads, grouped, home, bins, g, n_slots, n_padded, n_lanes, width)
        else:
            sum_group(codes, channels, labels, rows, spans, blocks, small, grouped, home, bins, g, n_slots, one_hot, n_padded, lanes, group)
        if large < 0 and g == 0:
            sum_left(grouped, 0, 0, bins - 1, True, n_lanes, width, sums, small)
            floor = leaf_score(sums, small, n_lanes, rule)
        scan_group(grouped, home, sums, small, rule, floor, tolerance, bins, has_missing, g, scores[0], cuts[0], lanes, group)
        if large >= 0:
            there = splits[large, HOME] + part
            subtract_group(grouped, there, home, bins, stride)
            scan_group(grouped, there, sums, large, rule, large_floor, tolerance, bins, has_missing, g, scores[1], cuts[1], lanes, group)
    best_split(scores[0], cuts[0], floor, tolerance, slots, gains, splits, small)
    if large >= 0:
        best_split(scores[1], cuts[1], large_floor, tolerance, slots, gains, splits, large)
    choose_leaf(gains, state, tolerance)


@kernel
def assign_leaves(nodes, m, rows, spans, state, first, last, leaf_of_row):
    """Number the leaves by birth and write each row's leaf in blocks ``first .. last - 1``."""
    leaf = 0
    for node in range(state[N_NODES]):
        if nodes[m, node, LEFT] < 0:
            for block in range(first, last):
                for place in range(spans[node, block, 0], spans[node, block, 1]):
                    leaf_of_row[block * BLOCK + np.intp(rows[place])] = leaf
            leaf += 1


@kernel
def finish(nodes, gained, m, sums, state, unit, rule, tie, leaf_sums, labels):
    """Channel sums of the leaves by birth into ``leaf_sums[m]``, and gains, in the channels' own unit.

    For the label rule also the leaves' outputs into ``labels[m]``: the class of largest sum, the lowest among ties.
    Returns the number of leaves and the total of the sums at their labels.
    """
    leaf, chosen = 0, 0.0
    for node in range(state[N_NODES]):
        gained[m, node] *= unit
        if nodes[m, node, LEFT] >= 0:
            continue
        best = -np.inf
        for lane in range(sums.shape[1]):
            leaf_sums[m, leaf, lane] = sums[node, lane] * unit
            best = max(best, leaf_sums[m, leaf, lane])
        if rule == LABEL:
            lane = 0
            while leaf_sums[m, leaf, lane] < best - tie:
                lane += 1
            labels[m, leaf] = lane
            chosen += leaf_sums[m, leaf, lane]
        leaf += 1
    return leaf, chosen


@kernel
def grow(
    weights, kind, scale, tie, nodes, gained, leaf_sums, outputs, leaf_of_row, m, codes, channels, labels, rows, spans, blocks, groups, slots, staged, grouped, sums, gains, splits, state,
    rule, tolerance, max_leaves, padded, lanes, group,
):  # fmt: skip
    """Grow the tree of round ``m`` in one thread, from a booster's weights (n, columns) on; returns what :func:`finish` does."""
    n_blocks, one_hot = blocks.shape[0], kind == ONE_HOT
    write_channels(weights, labels, kind, scale, channels, len(padded), 0, n_blocks)
    begin(nodes, m, rows, spans, blocks, splits, gains, state)
    while state[PHASE] != DONE:
        if state[PHASE] == PARTITION or nodes[m, state[NODE], ROWS] >= SMALL:
            run_pass(codes, channels, labels, rows, spans, blocks, splits, state, staged, slots.shape[0], one_hot, 0, 1, 0, n_blocks, padded)
        advance(
            nodes, gained, m, codes, channels, labels, rows, spans, blocks, groups, slots, staged, grouped, sums, gains, splits, state,
            one_hot, rule, tolerance, max_leaves, 1, padded, lanes, group,
        )  # fmt: skip
    assign_leaves(nodes, m, rows, spans, state, 0, n_blocks, leaf_of_row)
    return finish(nodes, gained, m, sums, state, 1.0 / scale, rule, tie, leaf_sums, outputs)
