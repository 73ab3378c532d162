"""The three leaf rules and the search for the best split of a node.

A leaf rule scores a leaf by its channel sums S; a split's gain is what it adds to the score.

========== ============================ ============================================
rule       leaf score                   used by
========== ============================ ============================================
LABEL      max_k S_k                    angle boosters, SAMME, label hypotheses
VOTES      sum_k abs(S_k)               AdaBoost.MH, set hypotheses
CONFIDENCE -2 sum_k sqrt(W+_k W-_k)     AdaBoost.MH with real votes (lanes W+, W-)
========== ============================ ============================================
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import BINS
from csboost.weak.interface import CONFIDENCE, LABEL, VOTES
from csboost.weak.scan import scan_confidence, scan_label, scan_votes


@kernel(inner=True)
def leaf_score(sums, node, n_lanes, rule):
    """The score of a leaf with channel sums ``sums[node]``."""
    score = np.float64(sums[node, 0]) if rule == LABEL else 0.0
    if rule == CONFIDENCE:
        half = n_lanes // 2
        for lane in range(half):
            score -= 2.0 * np.sqrt(np.float64(sums[node, lane]) * np.float64(sums[node, half + lane]))
        return score
    for lane in range(n_lanes):
        value = np.float64(sums[node, lane])
        score = max(score, value) if rule == LABEL else score + abs(value)
    return score


@kernel(inner=True)
def scan_group(grouped, offset, sums, node, rule, floor, tolerance, bins, has_missing, g, scores, cuts, group):
    """Best boundary of every feature in group ``g``, whose histogram lies at ``offset``, for a node whose own score
    is ``floor``.

    Into ``scores[side, slot]`` and ``cuts[side, slot]``: side 0 sends missing values right, side 1 left; a cut of -1
    gains nothing.
    """
    width, n_lanes = len(group), sums.shape[1]
    for side in range(2):
        at = (side * (scores.shape[0] // (2 * width)) + g) * width
        if side == 1 and not has_missing:
            for member in range(width):
                cuts[at + member] = -1
        elif rule == LABEL:
            scan_label(grouped, offset, bins, n_lanes, sums, node, side, floor, tolerance, scores, cuts, at, group)
        elif rule == VOTES:
            scan_votes(grouped, offset, bins, n_lanes, sums, node, side, floor, tolerance, scores, cuts, at, group)
        else:
            scan_confidence(grouped, offset, bins, n_lanes, sums, node, side, floor, tolerance, scores, cuts, at, group)


@kernel(inner=True)
def best_split(scores, cuts, floor, tolerance, slots, gains, splits, node):
    """Write the best of all features' splits into ``gains[node]`` (0 for none above ``tolerance``) and
    ``splits[node]``: slot, bin, missing_left.

    ``slots`` (d, 6), see :mod:`csboost.weak.columns`. Ties go to the lowest feature, then the lowest threshold,
    then missing values left.
    """
    best, best_slot, best_cut, best_left, n_slots = floor, -1, -1, 0, scores.shape[0] // 2
    for feature in range(slots.shape[0]):
        slot = slots[feature, 0]
        score, cut, left = scores[slot], cuts[slot], 0
        other, other_cut = scores[n_slots + slot], cuts[n_slots + slot]
        if other_cut >= 0:
            tied = abs(other - score) <= tolerance
            if cut < 0 or (tied and other_cut <= cut) or (not tied and other > score):
                score, cut, left = other, other_cut, 1
        if cut >= 0 and score > best + tolerance:
            best, best_slot, best_cut, best_left = score, slot, cut, left
    gains[node] = best - floor
    splits[node, 0], splits[node, 1], splits[node, 2] = best_slot, best_cut, best_left


@kernel(inner=True)
def sum_left(grouped, offset, slot, cut, missing_left, n_lanes, width, sums, node):
    """Channel sums of a left child into ``sums[node]``: bins up to ``cut``, and the missing slot when it goes left.
    ``offset`` is the node's histogram.
    """
    base = offset + (slot // width) * BINS * n_lanes * width + slot % width
    for lane in range(n_lanes):
        total = grouped[base + ((BINS - 1) * n_lanes + lane) * width]
        if not missing_left:
            total -= total
        for code in range(cut + 1):
            total += grouped[base + (code * n_lanes + lane) * width]
        sums[node, lane] = total
