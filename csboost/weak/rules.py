"""Leaf rules: what a leaf is worth by its channel sums S, and what it answers.

A split's gain is what it adds to the score of its leaf.

========== ============================ ============================================
rule       leaf score                   used by
========== ============================ ============================================
LABEL      max_k S_k                    angle boosters, SAMME, label hypotheses
VOTES      sum_k abs(S_k)               AdaBoost.MH, set hypotheses
CONFIDENCE -2 sum_k sqrt(W+_k W-_k)     AdaBoost.MH with real votes (lanes W+, W-)
VECTOR     sum_k G_k^2 / (H_k + reg)    gradient boosting (lanes 0, G, count, H)
========== ============================ ============================================

A score is convex and of degree one: no split loses, and a gain has the unit of the channels, as the tolerance of ties.
A lane at a time is folded into it, in any order.

All that is told apart by rule is told apart here; kernels know a rule by its number. A new rule is its number in
:mod:`csboost.weak.interface`, and here a row of :data:`LANES_PER_CLASS`, its scan (the fold on the vectors of
:class:`csboost.weak.vectors.Vectors`, and its twin on arrays) and a branch in :func:`leaf_score`, the same fold on
numbers, and in :func:`scan`; in the other functions where it differs. VECTOR comes with a search of its own
(:mod:`csboost.weak.seeking`): its code is left out for the other rules, and theirs for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csboost._jit import kernel
from csboost.weak import vector_fold
from csboost.weak.interface import CONFIDENCE, LABEL, VECTOR, VOTES
from csboost.weak.scan import MOST_LANES, LeafScore, make_scan
from csboost.weak.vectors import INFINITY, Vectors

LANES_PER_CLASS = {LABEL: 1, VOTES: 1, CONFIDENCE: 2, VECTOR: 2}
EXTRA_LANES = {VECTOR: 2}  # nothing, and the count


def lanes_of(rule: int, n_classes: int) -> int:
    """How many numbers a leaf is scored by."""
    return LANES_PER_CLASS[rule] * n_classes + EXTRA_LANES.get(rule, 0)


def _label(vectors: Vectors, score: Any, value: Any, _: Any) -> Any:
    return vectors.maximum(score, value)


def _votes(vectors: Vectors, score: Any, value: Any, _: Any) -> Any:
    return vectors.add(score, vectors.magnitude(value))


def _confidence(vectors: Vectors, score: Any, plus: Any, minus: Any) -> Any:
    root = vectors.root(vectors.multiply(plus, minus))
    return vectors.subtract(score, vectors.multiply(root, vectors.constant(2.0)))


scan_label = make_scan(LeafScore(_label, lambda score, value, _: np.maximum(score, value), -INFINITY))
scan_votes = make_scan(LeafScore(_votes, lambda score, value, _: score + np.abs(value), 0.0))
scan_confidence = make_scan(
    LeafScore(
        _confidence,
        lambda score, plus, minus: score - np.sqrt(plus * minus) * 2.0,
        0.0,
        is_paired=True,
        is_double=True,
    )
)
scan_vector = make_scan(
    LeafScore(
        vector_fold.fold,
        vector_fold.twin,
        0.0,
        is_paired=True,
        is_double=True,
        most_lanes=2 * MOST_LANES,
        is_whole=True,
        n_given=2,
    )
)


@kernel(inner=True)
def node_score(sums, node, rule, seek):
    """The score of a node by its channel sums ``sums[node]`` (lanes,); ``seek`` is None for rules other than VECTOR."""
    if seek is not None:
        return vector_score(sums, node, seek.reg)
    return leaf_score(sums, node, rule)


@kernel(inner=True)
def vector_score(sums, node, reg):
    """The score of a vector leaf, however few rows it has."""
    half, score = sums.shape[1] // 2, 0.0
    for lane in range(1, half):
        gradient = np.float64(sums[node, lane])
        score += gradient * gradient / (np.float64(sums[node, half + lane]) + reg)
    return score


@kernel(inner=True)
def sides_score(sums, node, sides, reg, least_rows):
    """The score of two vector leaves, the left one of sums ``sides[0]`` and the rest of the node's; minus infinity when
    one has fewer than ``least_rows``. ``sides[1]`` is scratch.
    """
    half = sums.shape[1] // 2
    for lane in range(2 * half):
        sides[1, lane] = np.float64(sums[node, lane]) - sides[0, lane]
    if sides[0, half] < least_rows or sides[1, half] < least_rows:
        return -np.inf
    return vector_score(sides, 0, reg) + vector_score(sides, 1, reg)


@kernel(inner=True)
def leaf_score(sums, node, rule):
    """The score of a leaf with channel sums ``sums[node]`` (lanes,)."""
    n_lanes = sums.shape[1]
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
def scan(rule, place, totals, missing_left, bar, found, group):
    """The best boundary of every slot of a group by the rule's score; arguments as in :mod:`csboost.weak.scan`."""
    n_lanes = totals[0].shape[1]
    if rule == LABEL:
        scan_label(place, totals, n_lanes, missing_left, bar, found, group)
    elif rule == VOTES:
        scan_votes(place, totals, n_lanes, missing_left, bar, found, group)
    else:
        scan_confidence(place, totals, n_lanes, missing_left, bar, found, group)


@kernel(inner=True)
def error_variance(rule, roundings, n_lanes):
    """Variance, in squared grid points, that one row adds to the error of the difference of two splits' scores, when
    the row lies on different sides in them.

    The dither rounds a value between two grid points up with a probability p that keeps the mean: a variance of
    p (1 - p), at most 1/4. A channel is the sum of up to ``roundings`` values that were rounded
    (:func:`csboost.weak.channels.roundings`).
    """
    if rule == LABEL:  # one channel of the row in either split, that of the side's class
        return 2.0 * 0.25 * roundings
    # Every channel, twice where the sides' sums differ in sign: a factor of 4. Another 4 because channels that are sums
    # of others (RELATIONAL) err together with them.
    variance = 0.25 * 4.0 * 4.0 * n_lanes
    if rule == CONFIDENCE:  # the slope of sqrt(W+ W-) is sqrt(W- / W+): here for sums up to 16 times apart
        variance *= 16.0
    return variance


@kernel(inner=True)
def answer_of(rule, leaf_sums, leaf, tie):
    """The class that a leaf answers and its sum: of largest sum, the lowest among ties; (0, 0.0) for rules whose leaves
    answer by vectors, which the boosters make of the sums.
    """
    if rule != LABEL:
        return 0, 0.0
    best = -np.inf
    for lane in range(leaf_sums.shape[1]):
        best = max(best, leaf_sums[leaf, lane])
    answer = 0
    while leaf_sums[leaf, answer] < best - tie:
        answer += 1
    return answer, leaf_sums[leaf, answer]
