"""Kernels that keep the books of a growing tree: its nodes, its leaves, the coming pass.

What lies between passes is decided here, from histograms, channel sums and the counts of blocks. None of it reads a
row, so rows may lie anywhere.
"""

from __future__ import annotations

from csboost._jit import kernel
from csboost.weak.layout import (
    ACCUMULATE,
    ASSIGN,
    CUT,
    FEATURE,
    FEATURE_OF,
    HOME,
    IS_CATEGORY,
    LEFT,
    LEFT_MASS,
    LEFT_ROWS,
    MISSING,
    MISSING_LEFT,
    MISSING_ROWS,
    N_LEAVES,
    N_NODES,
    NODE,
    PARTITION,
    PHASE,
    RIGHT,
    ROWS,
    SIBLING,
    SPLIT_CUT,
    SPLIT_LEFT,
    SPLIT_SLOT,
    WRITE,
)
from csboost.weak.rules import answer_of, node_score
from csboost.weak.seeking import sum_left_set, take_set
from csboost.weak.single_codes import sum_code
from csboost.weak.splits import best_split, sum_left


@kernel(inner=True)
def count_left(blocks, counts):
    """What the last pass counted in all blocks into ``counts`` (3,): rows that went left, rows with a missing value,
    mass of the left.
    """
    n_left = n_missing = mass = 0
    for block in range(blocks.shape[0]):
        n_left += blocks[block, LEFT_ROWS]
        n_missing += blocks[block, MISSING_ROWS]
        mass += blocks[block, LEFT_MASS]
    counts[0], counts[1], counts[2] = n_left, n_missing, mass


@kernel(inner=True)
def begin(nodes, work):
    """Make a root of all rows and ask for its histogram."""
    state = work.state
    nodes[0, LEFT], nodes[0, ROWS], work.node_masses[0] = -1, work.counts[0], work.counts[2]
    work.splits[0, HOME], work.gains[0] = 0, 0.0
    state[PHASE], state[NODE], state[SIBLING], state[N_NODES], state[N_LEAVES] = ACCUMULATE, 0, -1, 1, 1


@kernel(inner=True)
def choose_splits(slots, work, rule, tolerance, seek, width):
    """The best split of the new leaf, and of its sibling, among those of all features."""
    for leaf in range(1 if work.state[SIBLING] < 0 else 2):
        node = work.state[SIBLING] if leaf == 1 else work.state[NODE]
        bar = node_score(work.sums, node, rule, seek), tolerance
        best_split((work.scores[leaf], work.cuts[leaf]), bar, slots, work.gains, work.splits, node)
        if seek is not None:
            take_set(work, node, leaf, seek, width)


@kernel(inner=True)
def choose_leaf(gains, state, tolerance):
    """Ask for the partition of the leaf of largest gain (the first-born among ties), or end the tree."""
    best, chosen = 0.0, -1
    for node in range(state[N_NODES]):
        if gains[node] > best + (tolerance if chosen >= 0 else 0.0):
            best, chosen = gains[node], node
    state[PHASE], state[NODE] = PARTITION if chosen >= 0 else ASSIGN, chosen


@kernel(inner=True)
def record_split(tree, slots, work, seek, width):
    """Write the split whose partition is done into the tree, and both children's channel sums. Returns whether the left
    child is the smaller.
    """
    nodes, gains, masses = tree.nodes, work.gains, work.node_masses
    node, left = work.state[NODE], work.state[N_NODES]
    right, n_left, n_missing, mass = left + 1, work.counts[0], work.counts[1], work.counts[2]
    n_right = nodes[node, ROWS] - n_left
    slot, cut, missing_left = work.splits[node, SPLIT_SLOT], work.splits[node, SPLIT_CUT], work.splits[node, SPLIT_LEFT]
    if seek is not None:
        sum_left_set(work, node, slot, seek, width, left)
    elif slots[slot, IS_CATEGORY] != 0:
        sum_code(work, node, slot, cut, width, left)
        missing_left = 1 if cut == MISSING else 0
    else:
        sum_left(work, node, slot, cut, missing_left != 0, width, left)
    for lane in range(work.sums.shape[1]):
        work.sums[right, lane] = work.sums[node, lane] - work.sums[left, lane]
    masses[left], masses[right] = mass, masses[node] - mass
    if seek is None and n_missing == 0:  # a node that saw no missing value sends later ones to its heavier child
        missing_left = 1 if masses[left] >= masses[right] else 0
    nodes[node, FEATURE], nodes[node, CUT], nodes[node, MISSING_LEFT] = slots[slot, FEATURE_OF], cut, missing_left
    nodes[node, LEFT], nodes[node, RIGHT] = left, right
    nodes[left, LEFT], nodes[right, LEFT] = -1, -1
    nodes[left, ROWS], nodes[right, ROWS] = n_left, n_right
    tree.gained[node] = gains[node]
    gains[node] = gains[left] = gains[right] = 0.0
    return n_left <= n_right


@kernel(inner=True)
def split_leaf(tree, slots, work, max_leaves, seek, width):
    """Record the split whose partition is done, and ask for the smaller child's histogram, or end the full tree."""
    state, splits = work.state, work.splits
    node, left = state[NODE], state[N_NODES]
    left_is_small = record_split(tree, slots, work, seek, width)
    state[N_NODES] += 2
    state[N_LEAVES] += 1
    small, large = (left, left + 1) if left_is_small else (left + 1, left)
    state[NODE], state[SIBLING] = small, large
    state[PHASE] = ACCUMULATE if state[N_LEAVES] < max_leaves else ASSIGN
    # the larger child's takes the place of the parent's; nobody asks for those of the last split's children
    splits[large, HOME] = splits[node, HOME]
    splits[small, HOME] = (state[N_LEAVES] - 1) * (work.grouped.shape[0] // (max_leaves - 1))


@kernel(inner=True)
def finish(tree, sums, state, unit, rule, tie):
    """Channel sums of the leaves by birth, their answers, and gains, in the channels' own unit, into ``tree``.

    Returns the number of leaves and the total of the sums at their answers (:func:`csboost.weak.rules.answer_of`);
    ``state`` then waits for the next tree.
    """
    state[PHASE] = WRITE
    leaf, chosen = 0, 0.0
    for node in range(state[N_NODES]):
        tree.gained[node] *= unit
        if tree.nodes[node, LEFT] >= 0:
            continue
        for lane in range(sums.shape[1]):
            tree.leaf_sums[leaf, lane] = sums[node, lane] * unit
        tree.outputs[leaf], value = answer_of(rule, tree.leaf_sums, leaf, tie)
        chosen += value
        leaf += 1
    return leaf, chosen
