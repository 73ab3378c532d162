"""The search for the splits of nodes with vector leaves: drawn columns, boundaries, sets of categories.

Rows of weight 0 are in no sum: they have no say in a split, and are led by it as later rows are.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.category_splits import seek_set
from csboost.weak.code_sets import add_to_set, copy, in_set
from csboost.weak.layout import (
    BINS,
    HAS_MISSING,
    HOME,
    LEFT,
    MISSING,
    N_NODES,
    NODE,
    SIBLING,
    SLOT,
    SPLIT_CUT,
    SPLIT_LEFT,
    SPLIT_SLOT,
)
from csboost.weak.random_boundaries import draw, draw_boundaries, seek_random
from csboost.weak.rules import scan_vector
from csboost.weak.splits import sum_left


@kernel(inner=True)
def draw_columns(slots, state, seek):
    """Draw the columns of a new leaf and its sibling: a feature is taken with the chance of those still wanted among
    those still left.
    """
    for leaf in range(1 if state[SIBLING] < 0 else 2):
        node, wanted = state[SIBLING] if leaf == 1 else state[NODE], min(seek.n_columns, slots.shape[0])
        for feature in range(slots.shape[0]):
            left = np.uint64(slots.shape[0] - feature)
            taken = draw(seek.seed, node, 2 * feature) % left < np.uint64(wanted)
            seek.drawn[leaf, slots[feature, SLOT]] = taken
            wanted -= taken


@kernel(inner=True)
def seek_group(layout, work, spot, among, bar, seek, group):
    """Best split of every drawn slot of the group at ``spot``, for a node whose own score and tolerance are ``bar``;
    ``among`` is which leaf of a pair it is, and its number.

    Into the scores and cuts of the pair as :func:`csboost.weak.splits.scan_group`; sets into ``seek.found``.
    """
    (leaf, node), (floor, tolerance), width = among, bar, len(group)
    scores, cuts = work.scores[leaf], work.cuts[leaf]
    places, first, n_slots, is_numeric = scores.shape[0] // 2, spot.group * width, layout.slots.shape[0], False
    for slot in range(first, min(first + width, n_slots)):
        is_numeric |= seek.drawn[leaf, slot] and not seek.is_category[slot]
    has_missing = layout.groups[spot.group, HAS_MISSING] != 0
    is_scanned = is_numeric and not seek.is_random
    if is_scanned:
        for side in range(2 if has_missing else 1):
            place, found = (work.grouped, spot.start, spot.bins), (scores, cuts, side * places + first)
            given = floor, tolerance, np.float64(seek.least_rows), seek.reg
            scan_vector(place, (work.sums, node), work.sums.shape[1], side, given, found, group)
    elif is_numeric:
        draw_boundaries(layout, work, spot, among, seek, width)
    for slot in range(first, first + width):
        is_drawn = slot < n_slots and seek.drawn[leaf, slot]
        if is_drawn and seek.is_category[slot]:
            cuts[places + slot] = -1
            scores[slot], cuts[slot] = seek_set(work, spot, among, slot, bar, seek, width)
        elif is_drawn and seek.is_random:
            seek_random(work, spot, among, slot, bar, seek, width)
        elif not is_drawn:
            cuts[slot] = cuts[places + slot] = -1
        elif not has_missing:
            cuts[places + slot] = -1


@kernel(inner=True)
def take_set(work, node, leaf, seek, width):
    """Note the set of the node's best split, and where it sends missing values: to the child of more rows when the node
    has none of them.
    """
    slot, half = work.splits[node, SPLIT_SLOT], work.sums.shape[1] // 2
    if slot < 0:
        return
    if seek.is_category[slot]:
        copy(seek.sets[node], seek.found[leaf, slot])
        work.splits[node, SPLIT_LEFT] = in_set(seek.sets[node], MISSING)
    base = work.splits[node, HOME] + ((slot // width) * BINS * 2 * half + half) * width + slot % width
    if work.grouped[base + MISSING * 2 * half * width] > 0:
        return
    n_left = np.int64(0)
    for code in range(MISSING):
        if goes_left(seek, work.splits, node, code):
            n_left += np.int64(work.grouped[base + code * 2 * half * width])
    missing_left = 2 * n_left >= np.int64(work.sums[node, half])
    work.splits[node, SPLIT_LEFT] = missing_left
    if seek.is_category[slot] and missing_left:
        add_to_set(seek.sets[node], MISSING)


@kernel(inner=True)
def goes_left(seek, splits, node, code):
    """Whether the best split of a node sends a code to the left."""
    if seek.is_category[splits[node, SPLIT_SLOT]]:
        return in_set(seek.sets[node], code)
    return code <= splits[node, SPLIT_CUT] if code != MISSING else splits[node, SPLIT_LEFT] != 0


@kernel(inner=True)
def part_by_set(codes, column, span, spare, chosen):
    """Part ``rows[start : stop]``, the ``span``, by the set ``chosen`` (8,): those left in place, the others into
    ``spare``; returns where the left ones end, and the number of the others.
    """
    rows, start, stop = span
    here, away = start, 0
    for place in range(start, stop):
        row = rows[place]
        left = in_set(chosen, codes[column + np.intp(row)])
        rows[here] = row
        spare[away] = row
        here += left
        away += not left
    return here, away


@kernel(inner=True)
def sum_left_set(work, node, slot, seek, width, left):
    """:func:`csboost.weak.splits.sum_left` for any split of a node, into ``sums[left]``."""
    if not seek.is_category[slot]:
        sum_left(work, node, slot, work.splits[node, SPLIT_CUT], work.splits[node, SPLIT_LEFT] != 0, width, left)
        return
    n_lanes = work.sums.shape[1]
    base = work.splits[node, HOME] + (slot // width) * BINS * n_lanes * width + slot % width
    work.sums[left] = 0
    for code in range(BINS):
        if in_set(seek.sets[node], code):
            for lane in range(n_lanes):
                work.sums[left, lane] += work.grouped[base + (code * n_lanes + lane) * width]


@kernel(inner=True)
def keep_whole(tree, work, seek, m):
    """Keep the sets of a finished tree, and the counts of its leaves, which have no unit."""
    leaf, half = 0, work.sums.shape[1] // 2
    for node in range(work.state[N_NODES]):
        if tree.nodes[node, LEFT] < 0:
            tree.leaf_sums[leaf, half] = work.sums[node, half]
            leaf += 1
        else:
            copy(seek.kept[m, node], seek.sets[node])
