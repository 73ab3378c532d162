"""The three leaf rules and the search for the best split of a node.

A leaf rule scores a leaf by its channel sums S (ALGORITHMS section 1); a split's gain is what it adds to the score.

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
from csboost.weak.lanes import scan_confidence, scan_label, scan_votes

LABEL, VOTES, CONFIDENCE = 0, 1, 2


@kernel
def leaf_score(sums, rule):
    """The score of a leaf with channel ``sums`` (lanes,)."""
    if rule == LABEL:
        return np.float64(sums.max())
    score = 0.0
    if rule == VOTES:
        for lane in range(sums.shape[0]):
            score += abs(np.float64(sums[lane]))
        return score
    half = sums.shape[0] // 2
    for lane in range(half):
        score -= 2.0 * np.sqrt(np.float64(sums[lane]) * np.float64(sums[half + lane]))
    return score


@kernel
def scan_features(grouped, offset, totals, rule, tolerance, group_bins, group_missing, scores, cuts, lanes, group):
    """Best boundary of every slot: missing values right into ``scores[0]`` and ``cuts[0]``, left into ``scores[1]`` and ``cuts[1]``."""
    stride, width = len(lanes) * len(group), len(group)
    floor = leaf_score(totals, rule)
    n_slots = scores.shape[0] // 2
    for slots in range(group_bins.shape[0]):
        base = offset + slots * BINS * stride
        for side in range(2 if group_missing[slots] else 1):
            at = side * n_slots + slots * width
            bins = np.intp(group_bins[slots])
            if rule == LABEL:
                scan_label(grouped, base, bins, totals, side, floor, tolerance, scores, cuts, at, lanes, group)
            elif rule == VOTES:
                scan_votes(grouped, base, bins, totals, side, floor, tolerance, scores, cuts, at, lanes, group)
            else:
                scan_confidence(grouped, base, bins, totals, side, floor, tolerance, scores, cuts, at, lanes, group)
        if not group_missing[slots]:
            cuts[n_slots + slots * width : n_slots + (slots + 1) * width] = -1
    return floor


@kernel
def best_split(grouped, offset, totals, rule, tolerance, group_bins, group_missing, slot_of_feature, scores, cuts, lanes, group):
    """``(gain, slot, bin, missing_left)`` of the node's best split; slot -1 when no split gains more than ``tolerance``.

    Ties go to the lowest feature, then the lowest threshold, then missing values left.
    """
    floor = scan_features(grouped, offset, totals, rule, tolerance, group_bins, group_missing, scores, cuts, lanes, group)
    n_slots = scores.shape[0] // 2
    best, best_slot, best_cut, best_left = floor, -1, -1, False
    for feature in range(slot_of_feature.shape[0]):
        slot = slot_of_feature[feature]
        score, cut, left = scores[slot], cuts[slot], False
        other, other_cut = scores[n_slots + slot], cuts[n_slots + slot]
        if other_cut >= 0:
            tied = abs(other - score) <= tolerance
            if cut < 0 or (tied and other_cut <= cut) or (not tied and other > score):
                score, cut, left = other, other_cut, True
        if cut >= 0 and score > best + tolerance:
            best, best_slot, best_cut, best_left = score, slot, cut, left
    return best - floor, best_slot, best_cut, best_left


@kernel
def left_sums(grouped, offset, slot, cut, missing_left, n_lanes, width, out):
    """Channel sums of the left child: bins up to ``cut``, and the missing slot when it goes left."""
    base = offset + (slot // width) * BINS * n_lanes * width + slot % width
    out[:] = 0
    for lane in range(n_lanes):
        for code in range(cut + 1):
            out[lane] += grouped[base + (code * n_lanes + lane) * width]
        if missing_left:
            out[lane] += grouped[base + ((BINS - 1) * n_lanes + lane) * width]
