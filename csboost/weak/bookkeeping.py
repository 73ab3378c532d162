"""Kernels that keep the books of a growing tree: its rows per node, its nodes, its leaves."""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import BLOCK
from csboost.weak.layout import MISSING
from csboost.weak.splits import LABEL, sum_left

WRITE, ACCUMULATE, SCAN, PARTITION, ASSIGN = range(5)  # the coming pass over the rows, or over groups of features
FEATURE, CUT, MISSING_LEFT, LEFT, RIGHT, ROWS = range(6)  # columns of a tree's ``nodes`` (nodes, 6)
PHASE, NODE, SIBLING, N_NODES, N_LEAVES = range(5)  # ``state``: the coming pass, its node, that one's sibling, sizes
HOME = 3  # column of ``splits``: where the node's histogram starts


@kernel(inner=True)
def begin(nodes, rows, spans, blocks, splits, gains, state, masses, node_masses):
    """Make a root of all rows and ask for its histogram."""
    total = 0
    node_masses[0] = masses.sum()
    for block in range(blocks.shape[0]):
        offset = block * BLOCK
        for i in range(blocks[block, 0]):
            rows[offset + i] = i
        spans[0, block, 0], spans[0, block, 1] = offset, offset + blocks[block, 0]
        total += blocks[block, 0]
    nodes[0, LEFT], nodes[0, ROWS] = -1, total
    if masses.shape[0] == 0:
        node_masses[0] = total
    splits[0, HOME], gains[0] = 0, 0.0
    state[PHASE], state[NODE], state[SIBLING], state[N_NODES], state[N_LEAVES] = ACCUMULATE, 0, -1, 1, 1


@kernel(inner=True)
def partition(codes, rows, masses, spans, blocks, splits, spare, n_joint, n_slots, node, left, right, first, last):
    """Split the node's rows in blocks ``first .. last - 1``, stably and in place; count the left and the missing ones
    in ``blocks[:, 1:3]``, and add up the masses of the left ones (where rows differ in mass) in ``blocks[:, 3]``.
    """
    slot, cut, missing_left = splits[node, 0], splits[node, 1], splits[node, 2] != 0
    for block in range(first, last):
        column = block * BLOCK * (n_joint + n_slots) + (n_joint + slot) * blocks[block, 0]
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
        mass = np.int64(0)
        if masses.shape[0] > 0:
            for place in range(start, here):
                mass += masses[block * BLOCK + np.intp(rows[place])]
        spans[left, block, 0], spans[left, block, 1] = start, here
        spans[right, block, 0], spans[right, block, 1] = here, stop
        blocks[block, 1], blocks[block, 2], blocks[block, 3] = here - start, missing, mass


@kernel(inner=True)
def record_split(
    nodes, gained, blocks, grouped, sums, gains, splits, slots, node, left, n_lanes, width, has_masses, node_masses
):
    """Write a split into the tree, and both children's channel sums. Returns whether the left child
    is the smaller.
    """
    right, n_left, n_missing, left_mass = left + 1, 0, 0, np.int64(0)
    for block in range(blocks.shape[0]):
        n_left += blocks[block, 1]
        n_missing += blocks[block, 2]
        left_mass += blocks[block, 3]
    n_right = nodes[node, ROWS] - n_left
    slot, cut, missing_left = splits[node, 0], splits[node, 1], splits[node, 2]
    sum_left(grouped, splits[node, HOME], slot, cut, missing_left != 0, n_lanes, width, sums, left)
    for lane in range(n_lanes):
        sums[right, lane] = sums[node, lane] - sums[left, lane]
    node_masses[left] = left_mass if has_masses else n_left
    node_masses[right] = node_masses[node] - node_masses[left]
    if n_missing == 0:  # a node that saw no missing value sends later ones to its heavier child
        missing_left = 1 if node_masses[left] >= node_masses[right] else 0
    nodes[node, FEATURE], nodes[node, CUT], nodes[node, MISSING_LEFT] = slots[slot, 1], cut, missing_left
    nodes[node, LEFT], nodes[node, RIGHT] = left, right
    nodes[left, LEFT], nodes[right, LEFT] = -1, -1
    nodes[left, ROWS], nodes[right, ROWS] = n_left, n_right
    gained[node] = gains[node]
    gains[node] = gains[left] = gains[right] = 0.0
    return n_left <= n_right


@kernel(inner=True)
def choose_leaf(gains, state, tolerance):
    """Ask for the partition of the leaf of largest gain (the first-born among ties), or end the tree."""
    best, chosen = 0.0, -1
    for node in range(state[N_NODES]):
        if gains[node] > best + (tolerance if chosen >= 0 else 0.0):
            best, chosen = gains[node], node
    state[PHASE], state[NODE] = PARTITION if chosen >= 0 else ASSIGN, chosen


@kernel(inner=True)
def assign_leaves(nodes, rows, spans, state, first, last, leaf_of_row):
    """Number the leaves by birth and write each row's leaf in blocks ``first .. last - 1``."""
    leaf = 0
    for node in range(state[N_NODES]):
        if nodes[node, LEFT] < 0:
            for block in range(first, last):
                for place in range(spans[node, block, 0], spans[node, block, 1]):
                    leaf_of_row[block * BLOCK + np.intp(rows[place])] = leaf
            leaf += 1


@kernel(inner=True)
def finish(nodes, gained, sums, state, unit, rule, tie, leaf_sums, labels):
    """Channel sums of the leaves by birth into ``leaf_sums``, and gains, in the channels' own unit.

    For the label rule also the leaves' outputs into ``labels``: the class of largest sum, the lowest among ties.
    Returns the number of leaves and the total of the sums at their labels; ``state`` then waits for the next tree.
    """
    state[PHASE] = WRITE
    leaf, chosen = 0, 0.0
    for node in range(state[N_NODES]):
        gained[node] *= unit
        if nodes[node, LEFT] >= 0:
            continue
        best = -np.inf
        for lane in range(sums.shape[1]):
            leaf_sums[leaf, lane] = sums[node, lane] * unit
            best = max(best, leaf_sums[leaf, lane])
        if rule == LABEL:
            lane = 0
            while leaf_sums[leaf, lane] < best - tie:
                lane += 1
            labels[leaf] = lane
            chosen += leaf_sums[leaf, lane]
        leaf += 1
    return leaf, chosen
