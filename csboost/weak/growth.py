"""Best-first growth of one tree, as passes over the rows and what lies between them.

write the channels -> (accumulate histograms -> scan them -> partition the rows)* -> assign the leaves: ``state`` names
the coming pass. :func:`run_pass` does it for a range of row blocks, or of feature groups when histograms are scanned;
:func:`grow` does everything else, and the passes too unless they are shared out among threads
(:class:`csboost.weak.grower.Grower`). Blocks meet in the histograms alone, so rows need not sit in one array.

Arrays travel in tuples, in this order:

* ``wanted``: ``weights`` (n, columns) of the booster, their kind, grid points per unit of channel, tie tolerance in
  the channels' unit and on the grid, points of the fine grid per unit (:mod:`csboost.weak.second_look`);
* ``data``: codes, channels, labels, rows, spans, blocks (:mod:`csboost.weak.histogram`), leaf of each row, and mass of
  each row as a whole number, where rows differ in weight;
* ``layout``: groups (:mod:`csboost.weak.histogram`), slots (:mod:`csboost.weak.columns`);
* ``work``, per node of the growing tree: staged and grouped histograms, ``sums`` (nodes, lanes), ``gains`` (nodes,),
  ``splits`` (nodes, 4) with slot, bin, missing_left and place in the grouped histograms, ``state`` (5,); then scratch:
  ``scores`` and ``cuts`` (2, 2 * slots) of a pair of leaves, per thread ``packed``, ``places`` and ``spare``; the
  nodes' masses;
* ``forest``, for each round: ``nodes`` (nodes, 6), ``gained`` (nodes,), ``leaf_sums`` (leaves, lanes), ``outputs``
  (leaves,); ``tree`` is one round's;
* ``settings``: leaf rule, most leaves, threads, binary logarithm of the lanes in a tile, joint columns, columns to sum;
* ``closer``: the arrays of a second look, or None (:mod:`csboost.weak.second_look`).

``group`` is a tuple of as many zeros as features are scanned at once.
"""

from __future__ import annotations

from csboost._jit import kernel
from csboost.weak.bookkeeping import (
    ACCUMULATE,
    ASSIGN,
    HOME,
    N_LEAVES,
    N_NODES,
    NODE,
    PARTITION,
    PHASE,
    ROWS,
    SCAN,
    SIBLING,
    WRITE,
    assign_leaves,
    begin,
    choose_leaf,
    finish,
    partition,
    record_split,
)
from csboost.weak.channels import ONE_HOT, write_channels
from csboost.weak.fine_sums import fold_leaves, sum_closely, sum_leaves
from csboost.weak.histogram import BINS, BLOCK, subtract_group, sum_channels, sum_group
from csboost.weak.second_look import ask_for_look, settle
from csboost.weak.splits import best_split, leaf_score, scan_group, sum_left

SMALL = 1024  # a node of fewer rows skips the staged histogram
GROW, RESUME, SHARE = range(3)  # tasks of :func:`grow`


@kernel(inner=True)
def padded(n_lanes, bits):
    """Lanes in whole tiles of ``2 ** bits``."""
    return (n_lanes + (1 << bits) - 1) >> bits << bits


@kernel(inner=True)
def run_pass(wanted, tree, data, layout, work, closer, settings, thread, first, last, group):
    """The pass that ``state`` asks for, over blocks (or groups) ``first .. last - 1``."""
    weights, kind, scale, _, tolerance, _ = wanted
    codes, channels, labels, rows, spans, blocks, leaf_of_row, masses = data
    _, _, sums, _, splits, state, _, _, _, _, spare, _ = work
    _, _, _, bits, n_joint, _ = settings
    node, n_slots, n_lanes = state[NODE], layout[1].shape[0], sums.shape[1]
    if state[PHASE] == WRITE:
        stop = min(last * BLOCK, weights.shape[0])
        write_channels(weights, labels, kind, scale, channels, padded(n_lanes, bits), first * BLOCK, stop, 0)
    elif state[PHASE] == PARTITION:
        left = state[N_NODES]
        partition(
            codes, rows, masses, spans, blocks, splits, spare[thread], n_joint, n_slots, node, left,
            left + 1, first, last,
        )  # fmt: skip
    elif state[PHASE] == SCAN:
        scan_groups(tree[0], data, layout, work, kind == ONE_HOT, tolerance, settings, first, last, group)
    elif state[PHASE] == ASSIGN:
        assign_leaves(tree[0], rows, spans, state, first, last, leaf_of_row)
        if closer is not None:
            sum_leaves(wanted, data, closer[3][thread], n_lanes, first, last)
    elif closer is not None:
        sum_closely(wanted, data, closer, thread, n_joint, n_slots, n_lanes, first, last)


@kernel(inner=True)
def split_leaf(tree, data, layout, work, max_leaves, n_lanes, width):
    """Record the split whose partition is done, and ask for the smaller child's histogram, or end the full tree."""
    blocks = data[5]
    _, grouped, sums, gains, splits, state, _, _, _, _, _, node_masses = work
    node, left = state[NODE], state[N_NODES]
    left_is_small = record_split(
        tree[0], tree[1], blocks, grouped, sums, gains, splits, layout[1], node, left, n_lanes, width,
        data[7].shape[0] > 0, node_masses,
    )  # fmt: skip
    state[N_NODES] += 2
    state[N_LEAVES] += 1
    small, large = (left, left + 1) if left_is_small else (left + 1, left)
    state[NODE], state[SIBLING] = small, large
    state[PHASE] = ACCUMULATE if state[N_LEAVES] < max_leaves else ASSIGN
    splits[large, HOME] = splits[node, HOME]
    splits[small, HOME] = (state[N_LEAVES] - 1) * (grouped.shape[0] // (max_leaves - 1))


@kernel(inner=True)
def scan_groups(nodes, data, layout, work, one_hot, tolerance, settings, first, last, group):
    """Best boundaries of the features in groups ``first .. last - 1`` for a new leaf and its sibling; the larger one's
    histogram is the parent's less the smaller one's.

    Group by group, so that a histogram is scanned while it is in the cache.
    """
    codes, channels, labels, rows, spans, blocks, _, _ = data
    groups, slots = layout
    _, grouped, sums, _, splits, state, scores, cuts, _, _, _, _ = work
    rule, _, _, bits, n_joint, _ = settings
    n_lanes, width, n_slots = sums.shape[1], len(group), slots.shape[0]
    stride, small, large = n_lanes * width, state[NODE], state[SIBLING]
    for g in range(first, last):
        bins, part = groups[g, 0], g * BINS * stride
        home, sibling = splits[small, HOME] + part, splits[large, HOME] + part
        if nodes[small, ROWS] < SMALL:  # else it has been folded
            sum_group(
                codes, channels, labels, rows, spans, blocks, small,
                grouped, home, bins, g, n_joint, n_slots, n_lanes, padded(n_lanes, bits), one_hot, group,
            )  # fmt: skip
        if large >= 0:
            subtract_group(grouped, sibling, home, bins, stride)
        for leaf in range(1 if large < 0 else 2):
            node, place = (large, sibling) if leaf == 1 else (small, home)
            floor = leaf_score(sums, node, n_lanes, rule)
            scan_group(
                grouped, place, sums, node, rule, floor, tolerance, bins, groups[g, 1] != 0, g,
                scores[leaf], cuts[leaf], group,
            )  # fmt: skip


@kernel(inner=True)
def choose_splits(layout, work, rule, tolerance):
    """The best split of the new leaf, and of its sibling, among those of all features."""
    _, _, sums, gains, splits, state, scores, cuts, _, _, _, _ = work
    for leaf in range(1 if state[SIBLING] < 0 else 2):
        node = state[SIBLING] if leaf == 1 else state[NODE]
        floor = leaf_score(sums, node, sums.shape[1], rule)
        best_split(scores[leaf], cuts[leaf], floor, tolerance, layout[1], gains, splits, node)


@kernel
def grow(wanted, forest, data, layout, work, closer, settings, part, group):
    """Grow a tree; returns what :func:`csboost.weak.bookkeeping.finish` does.

    ``part`` is (round, task, thread, first, last). With several threads :data:`GROW` returns (0, 0.0) before each pass
    over rows; each thread then does :data:`SHARE` over blocks ``first .. last - 1``, and :data:`RESUME` goes on.
    Summing many rows is the work of :mod:`csboost.weak.staged` whatever the number of threads: a fit of few rows need
    not wait until that is compiled.
    """
    _, kind, scale, tie, tolerance, fine_scale = wanted
    m, task, thread, first, last = part
    tree = forest[0][m], forest[1][m], forest[2][m], forest[3][m]
    nodes, gained, leaf_sums, outputs = tree
    channels, labels, rows, spans, blocks = data[1], data[2], data[3], data[4], data[5]
    grouped, sums, gains, splits, state = work[1], work[2], work[3], work[4], work[5]
    rule, max_leaves, n_threads, bits, _, _ = settings
    n_lanes, width = sums.shape[1], len(group)
    while True:
        phase = state[PHASE]
        is_small = nodes[state[NODE], ROWS] < SMALL  # its histogram is summed where it is scanned
        if task == SHARE or (task == GROW and not (phase == ACCUMULATE and is_small)):
            if task == GROW:
                if phase == ACCUMULATE or (n_threads > 1 and phase != SCAN):  # a scan is over before threads start
                    return 0, 0.0
                first, last = 0, layout[0].shape[0] if phase == SCAN else blocks.shape[0]
            run_pass(wanted, tree, data, layout, work, closer, settings, thread, first, last, group)
            if task == SHARE:
                return 0, 0.0
        task = GROW
        if phase == WRITE:
            begin(nodes, rows, spans, blocks, splits, gains, state, data[7], work[11])
            if closer is not None:
                closer[8][:] = 0
        elif phase == ACCUMULATE:
            root, is_root = state[NODE], state[SIBLING] < 0
            if is_root and is_small:
                sum_channels(channels, labels, kind == ONE_HOT, padded(n_lanes, bits), sums)
            elif is_root:  # any feature's histogram holds the root's sums
                sum_left(grouped, splits[root, HOME], root, layout[0][0, 0] - 1, is_root, n_lanes, width, sums, root)
            state[PHASE] = SCAN
        elif phase == PARTITION:
            split_leaf(tree, data, layout, work, max_leaves, n_lanes, width)
        elif phase == ASSIGN:
            if closer is not None:
                fold_leaves(nodes, state, kind, rule, closer[3], n_lanes, closer[4], gained)
                return finish(nodes, gained, closer[4], state, 1.0 / fine_scale, rule, tie, leaf_sums, outputs)
            return finish(nodes, gained, sums, state, 1.0 / scale, rule, tie, leaf_sums, outputs)
        else:
            if phase == SCAN:
                choose_splits(layout, work, rule, tolerance)
            elif closer is not None:
                settle(wanted, layout, work, closer, n_lanes, width, rule)
                if closer[9][2] < closer[9][1]:
                    continue
            if closer is not None and ask_for_look(nodes, layout, work, closer, width, n_lanes, rule, kind):
                continue
            choose_leaf(gains, state, tolerance)
