"""The search for the splits of nodes with vector leaves: drawn columns, random boundaries, sets of categories.

Draws are hashes of the tree's seed, the node and the feature, so they are the same for any number of threads. Rows of
weight 0 are in no sum: they have no say in a split, and are led by it as later rows are.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.category_splits import seek_set
from csboost.weak.code_sets import add_to_set, copy, in_set
from csboost.weak.layout import (
    BINS,
    FEATURE_OF,
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
from csboost.weak.rules import sides_score
from csboost.weak.scan import scan_vector
from csboost.weak.splits import sum_left

GAMMA, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@kernel(inner=True)
def draw(seed, node, number):
    """64 random bits: splitmix64 (Steele, Lea & Flood 2014), counted by node and number."""
    place = np.uint64(node) * np.uint64(2**32) + np.uint64(number) + np.uint64(1)
    mixed = np.uint64(seed) + place * np.uint64(GAMMA)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(SECOND)
    return mixed ^ (mixed >> np.uint64(31))


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
    if is_numeric and seek.is_random:
        scan_random(layout, work, spot, among, bar, seek, group)
    elif is_numeric:
        for side in range(2 if has_missing else 1):
            place, found = (work.grouped, spot.start, spot.bins), (scores, cuts, side * places + first)
            given = floor, tolerance, np.float64(seek.least_rows), seek.reg
            scan_vector(place, (work.sums, node), work.sums.shape[1], side, given, found, group)
    for slot in range(first, first + width):
        is_drawn = slot < n_slots and seek.drawn[leaf, min(slot, n_slots - 1)]
        if not (is_numeric and is_drawn):
            cuts[slot] = -1
        if not (is_numeric and is_drawn and (has_missing or seek.is_random)):
            cuts[places + slot] = -1
        if is_drawn and seek.is_category[slot]:
            cuts[places + slot] = -1
            scores[slot], cuts[slot] = seek_set(work, spot, (leaf, node), slot, bar, seek, width)


@kernel(inner=True)
def scan_random(layout, work, spot, among, bar, seek, group):
    """As the scan of all boundaries, of one random boundary for each slot of a group, and of the missing values alone.

    The boundary is any between the lowest and the highest bin that have rows.
    """
    (leaf, node), (floor, tolerance), width = among, bar, len(group)
    scores, cuts, sums, sides = work.scores[leaf], work.cuts[leaf], work.sums, seek.sides
    places, first, n_lanes = scores.shape[0] // 2, spot.group * width, work.sums.shape[1]
    draw_boundaries(layout, work, spot, node, seek, group)
    for slot in range(first, min(first + width, layout.slots.shape[0])):
        member, alone = slot - first, spot.bins - 1
        cuts[slot] = cuts[places + slot] = -1
        scores[slot] = scores[places + slot] = floor
        missing = spot.start + MISSING * n_lanes * width + member
        has_missing = work.grouped[missing + (n_lanes // 2) * width] > 0
        for way in range(3 if has_missing else 1):  # missing values right, left, alone
            cut, at = seek.borders[member] if way < 2 else alone, slot + (places if way == 1 else 0)
            for lane in range(n_lanes):
                lost = np.float64(work.grouped[missing + lane * width])
                if way == 2:
                    sides[0, lane] = np.float64(sums[node, lane]) - lost
                else:
                    sides[0, lane] = np.float64(seek.lefts[lane * width + member]) + (lost if way == 1 else 0.0)
            if cut >= 0:
                score = sides_score(sums, node, sides, seek.reg, seek.least_rows)
                if score > scores[at] + tolerance:
                    scores[at], cuts[at] = score, cut


@kernel(inner=True)
def draw_boundaries(layout, work, spot, node, seek, group):
    """Draw a boundary for each slot of a group, -1 where a node has one bin, and sum the bins up to it."""
    grouped, width, n_lanes = work.grouped, len(group), work.sums.shape[1]
    stride, count = n_lanes * width, spot.start + (n_lanes // 2) * width
    for member in range(width):
        low, high, slot = 0, spot.bins - 1, spot.group * width + member
        while low < high and grouped[count + low * stride + member] == 0:
            low += 1
        while high > low and grouped[count + high * stride + member] == 0:
            high -= 1
        seek.borders[member] = -1
        if high > low and slot < layout.slots.shape[0]:
            bits = draw(seek.seed, node, 2 * layout.slots[slot, FEATURE_OF] + 1)
            seek.borders[member] = low + np.int64(bits % np.uint64(high - low))
    lefts, borders = seek.lefts, seek.borders
    lefts[:] = 0
    for code in range(spot.bins):
        for lane in range(n_lanes):
            cells = grouped[spot.start + code * stride + lane * width : spot.start + code * stride + (lane + 1) * width]
            target = lefts[lane * width : (lane + 1) * width]
            for member in range(width):
                target[member] += cells[member] if code <= borders[member] else 0


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
    n_left = 0
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
