"""Splits of a categorical column: one category against the rest, or a stretch of the categories in an order.

The order of Breiman et al. (1984) for two classes is that of the categories' means. For more classes the mean gradients
are vectors, which are laid along the axis on which they differ most (Coppersmith, Hong & Hosking 1999, in gradients).
Means of few rows are drawn to zero, and these splits are scored with more regularisation: there are many of them.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.code_sets import add_to_set, copy
from csboost.weak.layout import BINS
from csboost.weak.rules import sides_score, vector_score

SMOOTHING = 30.0  # rows of gradient 0 that every mean includes
STEPS = 10  # of the power iteration


@kernel(inner=True)
def seek_set(work, spot, among, slot, bar, seek, width):
    """Best set of codes to go left, missing ones like any other, for a slot of the group at ``spot``; ``among`` is
    which leaf of a pair a node is, and its number.

    Returns the score, and a cut of -1 when none gains, or beyond all thresholds; the set goes into ``seek.found``.
    """
    (leaf, node), (floor, tolerance) = among, bar
    found, order, sides, sums = seek.found[leaf, slot], seek.order, seek.sides, work.sums
    n_lanes, start, best, cut, n = sums.shape[1], spot.start + slot % width, floor, -1, 0
    for code in range(BINS):
        is_bin = code < spot.bins or code == BINS - 1
        if is_bin and work.grouped[start + (code * n_lanes + n_lanes // 2) * width] > 0:
            order[n] = code
            n += 1
    for place in range(n):
        for lane in range(n_lanes):
            sides[0, lane] = work.grouped[start + (order[place] * n_lanes + lane) * width]
        score = sides_score(sums, node, sides, seek.reg, seek.least_rows)
        if score > best + tolerance:
            best, cut = score, BINS - 1
            found[:] = 0
            add_to_set(found, order[place])
    if seek.is_ordered and n > 2:
        order_codes(work.grouped, start, width, n, seek)
        sides[0] = 0.0
        own, stop = vector_score(sums, node, seek.stiff), 0
        for place in range(n - 1):
            for lane in range(n_lanes):
                sides[0, lane] += work.grouped[start + (order[place] * n_lanes + lane) * width]
            score = sides_score(sums, node, sides, seek.stiff, seek.least_rows) - own + floor
            if score > best + tolerance:
                best, cut, stop = score, BINS - 1, place + 1
        if stop > 0:
            found[:] = 0
            for place in range(stop):
                add_to_set(found, order[place])
    return best, cut


@kernel(inner=True)
def order_codes(grouped, start, width, n, seek):
    """Sort the first ``n`` of ``seek.order`` along the first principal axis of their smoothed mean gradients; the one
    that came first lies in the lower half, and ties stay in order.
    """
    means, keys, order, axis = seek.means, seek.keys, seek.order, seek.axis
    half = means.shape[1] + 1
    total, widest, furthest = 0.0, 0.0, 0
    axis[0] = 0.0
    for place in range(n):
        base = start + order[place] * 2 * half * width
        keys[place] = np.float64(grouped[base + half * width])  # rows
        total += keys[place]
        for k in range(half - 1):
            means[place, k] = np.float64(grouped[base + (1 + k) * width]) / (keys[place] + SMOOTHING)
            axis[0, k] += keys[place] * means[place, k]
    for place in range(n):
        length = 0.0
        for k in range(half - 1):
            means[place, k] -= axis[0, k] / total
            length += means[place, k] * means[place, k] * keys[place]
        if length > widest:
            widest, furthest = length, place
    copy(axis[0], means[furthest])  # the power iteration starts with the mean that weighs most
    for _ in range(STEPS):
        axis[1] = 0.0
        for place in range(n):
            along = keys[place] * dot(means[place], axis[0])
            for k in range(half - 1):
                axis[1, k] += along * means[place, k]
        length = np.sqrt(dot(axis[1], axis[1]))
        if length > 0.0:
            for k in range(half - 1):
                axis[0, k] = axis[1, k] / length
    flip = -1.0 if dot(means[0], axis[0]) > 0.0 else 1.0
    for place in range(n):
        code, key, at = order[place], flip * dot(means[place], axis[0]), place
        while at > 0 and keys[at - 1] > key:  # the keys before are places on the axis by now
            keys[at], order[at] = keys[at - 1], order[at - 1]
            at -= 1
        keys[at], order[at] = key, code


@kernel(inner=True)
def dot(one, other):
    """The inner product of two vectors."""
    total = 0.0
    for k in range(one.shape[0]):
        total += one[k] * other[k]
    return total
