"""Best-first growth of one tree, as phases that a single thread or a pool of threads runs.

accumulate histograms -> choose splits -> partition the rows: :func:`advance` does the little that happens between two
passes over the rows and says which pass comes next; :func:`run_pass` does that pass for a range of row blocks. One
thread runs both in :func:`grow`; several meet after each pass (:class:`csboost.weak.engine.Engine`). Blocks meet in
the histograms alone, so rows need not sit in one array.

Arrays travel in tuples, in this order:

* ``data``: codes, channels, labels, rows, spans, blocks (:mod:`csboost.weak.histogram`);
* ``layout``: groups, slots (:mod:`csboost.weak.splits`);
* ``work``, per node of the growing tree: staged and grouped histograms, ``sums`` (nodes, lanes), ``gains`` (nodes,),
  ``splits`` (nodes, 4) with slot, bin, missing_left and place in the grouped histograms, ``state`` (5,); then scratch:
  ``scores`` and ``cuts`` (2, 2 * slots) of a pair of leaves, per thread ``packed``, ``lane_of`` and ``spare``;
* ``forest``: ``nodes`` (rounds, nodes, 6), ``gained`` (rounds, nodes), ``leaf_sums`` (rounds, leaves, lanes),
  ``outputs`` (rounds, leaves).
"""

from __future__ import annotations

from csboost._jit import kernel
from csboost.weak.bookkeeping import (
    ACCUMULATE,
    DONE,
    HOME,
    N_LEAVES,
    N_NODES,
    NODE,
    PARTITION,
    PHASE,
    ROWS,
    SIBLING,
    assign_leaves,
    begin,
    choose_leaf,
    finish,
    partition,
    record_split,
)
from csboost.weak.channels import ONE_HOT, write_channels
from csboost.weak.histogram import BINS, accumulate_staged, clear, fold_group, subtract_group, sum_group
from csboost.weak.splits import best_split, leaf_score, scan_group, sum_left

SMALL = 1024  # a node of fewer rows skips the staged histogram


@kernel(allocates=False)
def run_pass(data, layout, work, one_hot, thread, n_threads, first, last, padded):
    """The pass that ``state`` asks for, over blocks ``first .. last - 1``."""
    codes, channels, labels, rows, spans, blocks = data
    staged, _, _, _, splits, state, _, _, packed, lane_of, spare = work
    node, n_slots = state[NODE], layout[1].shape[0]
    if state[PHASE] == PARTITION:
        left = state[N_NODES]
        partition(codes, rows, spans, blocks, splits, spare[thread], n_slots, node, left, left + 1, first, last)
    else:
        start = thread * (staged.shape[0] // n_threads)
        clear(staged[start : start + staged.shape[0] // n_threads])
        accumulate_staged(
            codes, channels, labels, rows, spans, blocks, node, first, last,
            staged, start, packed[thread], lane_of[thread], n_slots, one_hot, padded,
        )  # fmt: skip


@kernel(allocates=False)
def needs_pass(nodes, m, state):
    """Whether the coming phase is worth a pass by all threads; :func:`advance` sums a small node's histogram itself."""
    return state[PHASE] == PARTITION or nodes[m, state[NODE], ROWS] >= SMALL


@kernel(inner=True, allocates=False)
def split_leaf(forest, m, data, layout, work, max_leaves, n_lanes, width):
    """Record the split whose partition is done, and ask for the smaller child's histogram, or end the full tree."""
    _, _, _, _, _, blocks = data
    _, grouped, sums, gains, splits, state, _, _, _, _, _ = work
    node, left = state[NODE], state[N_NODES]
    left_is_small = record_split(
        forest[0], forest[1], m, blocks, grouped, sums, gains, splits, layout[1], node, left, n_lanes, width
    )
    state[N_NODES] += 2
    state[N_LEAVES] += 1
    small, large = (left, left + 1) if left_is_small else (left + 1, left)
    state[NODE], state[SIBLING] = small, large
    state[PHASE] = ACCUMULATE if state[N_LEAVES] < max_leaves else DONE
    splits[large, HOME] = splits[node, HOME]
    splits[small, HOME] = (state[N_LEAVES] - 1) * (grouped.shape[0] // (max_leaves - 1))


@kernel(inner=True, allocates=False)
def find_splits(nodes, m, data, layout, work, one_hot, rule, tolerance, n_threads, padded, lanes, group):
    """Best splits of a new leaf and its sibling; the larger one's histogram is the parent's less the smaller one's.

    Group by group, so that a histogram is scanned while it is in the cache.
    """
    codes, channels, labels, rows, spans, blocks = data
    groups, slots = layout
    staged, grouped, sums, gains, splits, state, scores, cuts, _, _, _ = work
    n_lanes, width, n_slots, n_groups = len(lanes), len(group), slots.shape[0], groups.shape[0]
    stride, small, large = n_lanes * width, state[NODE], state[SIBLING]
    floor = leaf_score(sums, small, n_lanes, rule) if large >= 0 else 0.0
    large_floor = leaf_score(sums, large, n_lanes, rule) if large >= 0 else 0.0
    for g in range(n_groups):
        bins, has_missing, part = groups[g, 0], groups[g, 1] != 0, g * BINS * stride
        home = splits[small, HOME] + part
        if nodes[m, small, ROWS] >= SMALL:
            fold_group(staged, n_threads, grouped, home, bins, g, n_slots, len(padded), n_lanes, width)
        else:
            sum_group(
                codes, channels, labels, rows, spans, blocks, small,
                grouped, home, bins, g, n_slots, one_hot, len(padded), lanes, group,
            )  # fmt: skip
        if large < 0 and g == 0:  # the root: any feature's histogram holds its sums
            sum_left(grouped, 0, 0, bins - 1, True, n_lanes, width, sums, small)
            floor = leaf_score(sums, small, n_lanes, rule)
        scan_group(
            grouped, home, sums, small, rule, floor, tolerance, bins, has_missing, g, scores[0], cuts[0], lanes, group
        )
        if large >= 0:
            home = splits[large, HOME] + part
            subtract_group(grouped, home, splits[small, HOME] + part, bins, stride)
            scan_group(
                grouped, home, sums, large, rule, large_floor, tolerance, bins, has_missing, g,
                scores[1], cuts[1], lanes, group,
            )  # fmt: skip
    best_split(scores[0], cuts[0], floor, tolerance, slots, gains, splits, small)
    if large >= 0:
        best_split(scores[1], cuts[1], large_floor, tolerance, slots, gains, splits, large)


@kernel(allocates=False)
def advance(forest, m, data, layout, work, one_hot, rule, tolerance, max_leaves, n_threads, padded, lanes, group):
    """Do what lies between two passes over the rows; afterwards ``state`` asks for the next pass, or is DONE."""
    nodes, state = forest[0], work[5]
    if state[PHASE] == PARTITION:
        split_leaf(forest, m, data, layout, work, max_leaves, len(lanes), len(group))
        if state[PHASE] == DONE or nodes[m, state[NODE], ROWS] >= SMALL:
            return
    find_splits(nodes, m, data, layout, work, one_hot, rule, tolerance, n_threads, padded, lanes, group)
    choose_leaf(work[3], state, tolerance)


@kernel(allocates=False)
def grow(
    weights,
    kind,
    scale,
    tie,
    forest,
    m,
    leaf_of_row,
    data,
    layout,
    work,
    rule,
    tolerance,
    max_leaves,
    padded,
    lanes,
    group,
):
    """Grow the tree of round ``m`` in one thread, from a booster's weights (n, columns) on; returns what
    :func:`csboost.weak.bookkeeping.finish` does.
    """
    nodes, gained, leaf_sums, outputs = forest
    _, channels, labels, rows, spans, blocks = data
    _, _, sums, gains, splits, state, _, _, _, _, _ = work
    n_blocks, one_hot = blocks.shape[0], kind == ONE_HOT
    write_channels(weights, labels, kind, scale, channels, len(padded), 0, n_blocks)
    begin(nodes, m, rows, spans, blocks, splits, gains, state)
    while state[PHASE] != DONE:
        if needs_pass(nodes, m, state):
            run_pass(data, layout, work, one_hot, 0, 1, 0, n_blocks, padded)
        advance(forest, m, data, layout, work, one_hot, rule, tolerance, max_leaves, 1, padded, lanes, group)
    assign_leaves(nodes, m, rows, spans, state, 0, n_blocks, leaf_of_row)
    return finish(nodes, gained, m, sums, state, 1.0 / scale, rule, tie, leaf_sums, outputs)
