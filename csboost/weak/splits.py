"""The search for the best split of a node: of every slot, then among them, and the sums of the children it makes."""

from __future__ import annotations

from csboost._jit import kernel
from csboost.weak.layout import BINS, HOME, SLOT, SPLIT_CUT, SPLIT_LEFT, SPLIT_SLOT
from csboost.weak.rules import scan


@kernel(inner=True)
def scan_group(grouped, spot, totals, rule, bar, has_missing, found, group):
    """Best boundary of every slot of the group at ``spot``, for a node whose channel sums are ``totals`` (the nodes'
    sums, its number) and whose own score and tolerance are ``bar``.

    Into ``found``, scores and cuts by side and slot: side 0 sends missing values right, side 1 left; a cut of -1 gains
    nothing.
    """
    scores, cuts = found
    width = len(group)
    for side in range(2):
        at = (side * (scores.shape[0] // (2 * width)) + spot.group) * width
        if side == 1 and not has_missing:
            for member in range(width):
                cuts[at + member] = -1
        else:
            scan(rule, (grouped, spot.start, spot.bins), totals, side, bar, (scores, cuts, at), group)


@kernel(inner=True)
def best_split(found, bar, slots, gains, splits, node):
    """Write the best of all slots' splits, ``found``, into ``gains[node]`` (0 for none that beats ``bar``, the node's
    own score and the tolerance) and ``splits[node]``.

    Ties go to the lowest feature, then the lowest threshold, then missing values left.
    """
    (scores, cuts), (floor, tolerance) = found, bar
    best, best_slot, best_cut, best_left, n_slots = floor, -1, -1, 0, scores.shape[0] // 2
    for feature in range(slots.shape[0]):
        slot = slots[feature, SLOT]
        score, cut, left = scores[slot], cuts[slot], 0
        other, other_cut = scores[n_slots + slot], cuts[n_slots + slot]
        if other_cut >= 0:
            tied = abs(other - score) <= tolerance
            if cut < 0 or (tied and other_cut <= cut) or (not tied and other > score):
                score, cut, left = other, other_cut, 1
        if cut >= 0 and score > best + tolerance:
            best, best_slot, best_cut, best_left = score, slot, cut, left
    gains[node] = best - floor
    splits[node, SPLIT_SLOT], splits[node, SPLIT_CUT], splits[node, SPLIT_LEFT] = best_slot, best_cut, best_left


@kernel(inner=True)
def sum_left(work, parent, slot, cut, missing_left, width, node):
    """Channel sums of a left child into ``sums[node]`` from the histogram of its parent: bins up to ``cut``, and the
    missing one when it goes left. Groups have ``width`` slots.
    """
    grouped, n_lanes = work.grouped, work.sums.shape[1]
    base = work.splits[parent, HOME] + (slot // width) * BINS * n_lanes * width + slot % width
    for lane in range(n_lanes):
        total = grouped[base + ((BINS - 1) * n_lanes + lane) * width]
        if not missing_left:
            total -= total  # a zero of the grid's type
        for code in range(cut + 1):
            total += grouped[base + (code * n_lanes + lane) * width]
        work.sums[node, lane] = total
