"""Splits of a categorical column in trees whose leaves are no vectors: one category against the rest.

The cut of such a split is the code of its category, whose rows go left. A missing value is a category like any other
where the node has some; where it has none, later ones follow the heavier child, as in columns of numbers. The scores
are those of a column of zeros and ones, one per category, so that nothing is to be coded. Sets of categories are for
vector leaves (:mod:`csboost.weak.category_splits`), whose scores can be made stiffer against their number.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.layout import BINS, HOME, IS_CATEGORY, MISSING
from csboost.weak.rules import leaf_score


@kernel(inner=True)
def scan_codes(slots, work, spot, node, rule, bar, found, width):
    """Best category against the rest of every categorical slot of the group at ``spot``, in the place of its best
    boundary; arguments and what is written as in :func:`csboost.weak.splits.scan_group`.
    """
    (floor, tolerance), (scores, cuts) = bar, found
    sums, sides, first, places = work.sums, work.sides, spot.group * width, scores.shape[0] // 2
    n_lanes = sums.shape[1]
    for slot in range(first, min(first + width, slots.shape[0])):
        if slots[slot, IS_CATEGORY] == 0:
            continue
        start, best, cut = spot.start + slot % width, floor + tolerance, -1
        for code in range(BINS):
            if code < spot.bins or code == MISSING:
                for lane in range(n_lanes):
                    value = np.float64(work.grouped[start + (code * n_lanes + lane) * width])
                    sides[0, lane], sides[1, lane] = value, np.float64(sums[node, lane]) - value
                score = leaf_score(sides, 0, rule) + leaf_score(sides, 1, rule)
                if score > best:
                    best, cut = score + tolerance, code
        scores[slot], cuts[slot] = best - tolerance, cut
        cuts[places + slot] = -1


@kernel(inner=True)
def score_codes(closer, bins, rule):
    """Score of every category against the rest in the slot in ``histogram`` into ``boundaries``, minus infinity for
    what is none; ``sides[2]`` holds the node's sums.
    """
    histogram, sides = closer.histogram, closer.sides
    for code in range(BINS):
        closer.boundaries[code] = -np.inf
        if code < bins or code == MISSING:
            for lane in range(histogram.shape[1]):
                sides[0, lane] = histogram[code, lane]
                sides[1, lane] = sides[2, lane] - sides[0, lane]
            closer.boundaries[code] = leaf_score(sides, 0, rule) + leaf_score(sides, 1, rule)


@kernel(inner=True)
def part_by_code(codes, column, span, spare, cut):
    """Part ``rows[start : stop]``, the ``span``: those of the code ``cut`` in place, the others into ``spare``; returns
    where the first end, the number of the others and that of the missing values.
    """
    rows, start, stop = span
    here, away, missing = start, 0, 0
    for place in range(start, stop):
        row = rows[place]
        code = codes[column + np.intp(row)]
        left = code == cut
        rows[here] = row
        spare[away] = row
        here += left
        away += not left
        missing += code == MISSING
    return here, away, missing


@kernel(inner=True)
def sum_code(work, parent, slot, cut, width, node):
    """:func:`csboost.weak.splits.sum_left` where the rows of one code go left."""
    n_lanes = work.sums.shape[1]
    base = work.splits[parent, HOME] + (slot // width) * BINS * n_lanes * width + slot % width
    for lane in range(n_lanes):
        work.sums[node, lane] = work.grouped[base + (cut * n_lanes + lane) * width]
