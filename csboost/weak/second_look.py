"""A second look where the 32-bit grid cannot tell which split is better.

Many rows are summed on a grid of 31 bits (:mod:`csboost.weak.channels`), whose rounding errors add up to a few
millionths of the mass. Two splits that differ by less would be told apart by the dither, that is by the order of the
rows. So candidates within that error of the best are summed again on the 52-bit grid of small fits, and there ties
are ties: lowest feature, lowest threshold, first-born leaf. The sums of the leaves, from which steps and outputs
follow, are always those of the fine grid. What remains is that a gain too small for the coarse grid to show at all,
below a millionth of the mass, may be passed over.

Adjacent boundaries of a feature differ in the rows between them alone, and so do their errors: second looks are rare.

No kernel here reads a row; the sums that they ask for are made by :mod:`csboost.weak.fine_sums`. The arrays are those
of :class:`csboost.weak.layout.Closer`, or None for small fits.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.channels import roundings, take_cell
from csboost.weak.layout import (
    BINS,
    HAS_MISSING,
    HOME,
    IS_CATEGORY,
    LOOK,
    LOOK_DONE,
    LOOK_NODE,
    LOOK_SLOTS,
    MISSING,
    MOST_BINS,
    N_NODES,
    NODE,
    PHASE,
    ROWS,
    SIBLING,
    SPLIT_CUT,
    SPLIT_LEFT,
    SPLIT_SLOT,
    Closer,
    Plain,
)
from csboost.weak.rules import error_variance, leaf_score
from csboost.weak.single_codes import score_codes
from csboost.weak.splits import best_split

UNCHECKED, CLEAR, FINE = range(3)  # what ``Closer.seen`` says of a node
AT_ONCE = 256  # lanes of close slots that are summed again in one pass
DEVIATIONS = 4.0  # of the error: a doubt is missed once in 16,000
FOLDED = 2.0  # grid points: what rounding a node's score and the tolerance to whole points may move a scan's bar


def closer_arrays(counts: np.ndarray, n_threads: int, n_lanes: int, max_leaves: int) -> Plain:
    """The :class:`~csboost.weak.layout.Closer` of a fit whose slots have so many rows of each code, ``counts`` (slots,
    BINS + 1), one place on.
    """
    n_slots, n_nodes = len(counts), 2 * max_leaves - 1
    at_once = min(n_slots, max(1, AT_ONCE // n_lanes))
    return tuple(
        Closer(
            below=counts.cumsum(axis=1),
            close=np.zeros(n_slots, np.int64),
            cells=np.zeros((n_threads, 3, at_once * BINS * n_lanes)),
            leaf_cells=np.zeros((n_threads, 3, max_leaves * n_lanes)),
            node_sums=np.zeros((n_nodes, n_lanes)),
            histogram=np.zeros((BINS, n_lanes)),
            boundaries=np.zeros(BINS),
            sides=np.zeros((3, n_lanes)),
            seen=np.zeros(n_nodes, np.int64),
            look=np.zeros(3, np.int64),
        )
    )


@kernel(inner=True)
def error_bound(rule, kind, n_lanes, n_rows):
    """By how many grid points rounding may move the difference of two splits' scores, when ``n_rows`` rows change
    sides.

    The rows' errors are independent, as far as the dither is as good as random, so their variances add up.
    """
    variance = error_variance(rule, roundings(kind, n_lanes), n_lanes)
    return DEVIATIONS * np.sqrt(variance * n_rows) + FOLDED


@kernel(inner=True)
def score_boundaries(closer, bins, missing_left, rule):
    """Score of both sides of every boundary of the slot in ``histogram`` into ``boundaries``; ``sides[2]`` holds the
    node's sums.
    """
    histogram, sides = closer.histogram, closer.sides
    n_lanes = histogram.shape[1]
    for lane in range(n_lanes):
        sides[0, lane] = histogram[MISSING, lane] if missing_left else 0.0
    for code in range(bins):
        for lane in range(n_lanes):
            sides[0, lane] += histogram[code, lane]
            sides[1, lane] = sides[2, lane] - sides[0, lane]
        closer.boundaries[code] = leaf_score(sides, 0, rule) + leaf_score(sides, 1, rule)


@kernel(inner=True)
def list_close_slots(scores, cuts, best, slot, bound, close):
    """List the slots whose best split, at one of its sides, is within ``bound`` of the ``best``, and ``slot``, whose
    split that is; returns their number.

    A score that is equal to the last grid point is taken for the same rows on each side, as with a column held twice.
    """
    n_slots, found = scores.shape[0] // 2, 0
    for other in range(close.shape[0]):
        near = other == slot
        for side in range(2):
            at = side * n_slots + other
            near = near or (cuts[at] >= 0 and scores[at] != best and best - scores[at] <= bound)
        if near:
            close[found] = other
            found += 1
    return found


@kernel(inner=True)
def has_rival(layout, work, closer, node, best, width, rule, kind):
    """Whether another boundary of the node's chosen slot is within the error of the rows between."""
    below, histogram = closer.below, closer.histogram
    slot, cut, side = work.splits[node, SPLIT_SLOT], work.splits[node, SPLIT_CUT], work.splits[node, SPLIT_LEFT]
    n_lanes, bins = histogram.shape[1], layout.groups[slot // width, MOST_BINS]
    base = work.splits[node, HOME] + (slot // width) * BINS * n_lanes * width + slot % width
    for lane in range(n_lanes):
        closer.sides[2, lane] = np.float64(work.sums[node, lane])
        for code in range(BINS):
            histogram[code, lane] = np.float64(work.grouped[base + (code * n_lanes + lane) * width])
    if layout.slots[slot, IS_CATEGORY] != 0:
        score_codes(closer, bins, rule)
        for code in range(BINS):
            between = below[slot, code + 1] - below[slot, code] + below[slot, cut + 1] - below[slot, cut]
            behind = best - closer.boundaries[code]
            if behind != 0.0 and behind <= error_bound(rule, kind, n_lanes, between):
                return True
        return False
    for missing_left in range(2 if layout.groups[slot // width, HAS_MISSING] != 0 else 1):
        score_boundaries(closer, bins, missing_left != 0, rule)
        lost = below[slot, BINS] - below[slot, MISSING] if missing_left != side else 0
        for code in range(bins):
            between = lost + abs(below[slot, code + 1] - below[slot, cut + 1])
            behind = best - closer.boundaries[code]
            if behind != 0.0 and behind <= error_bound(rule, kind, n_lanes, between):
                return True
    return False


@kernel(inner=True)
def ask(closer, state, node, found):
    """Ask for the second look at a node, whose first ``found`` close slots are listed."""
    closer.look[LOOK_NODE], closer.look[LOOK_SLOTS], closer.look[LOOK_DONE] = node, found, 0
    state[PHASE] = LOOK


@kernel(inner=True)
def ask_for_look(nodes, layout, work, closer, width, rule, kind):
    """Find the next leaf whose best split is in doubt and ask for its second look; False when all are clear.

    First the pair that was split last, each by itself, then the leaves whose gains are about equal.
    """
    gains, splits, state, n_lanes = work.gains, work.splits, work.state, work.sums.shape[1]
    close, seen = closer.close, closer.seen
    for pair in range(2):
        node = state[NODE] if pair == 0 else state[SIBLING]
        if node < 0 or seen[node] != UNCHECKED:
            continue
        seen[node] = CLEAR
        if gains[node] <= 0.0:
            continue
        best, slot = leaf_score(work.sums, node, rule) + gains[node], splits[node, SPLIT_SLOT]
        bound = error_bound(rule, kind, n_lanes, nodes[node, ROWS])
        found = list_close_slots(work.scores[pair], work.cuts[pair], best, slot, bound, close)
        if found == 1 and gains[node] > bound:  # alone, and surely better than no split
            found = 0
            if has_rival(layout, work, closer, node, best, width, rule, kind):
                close[0], found = slot, 1
        if found > 0:
            ask(closer, state, node, found)
            return True
    top = 0
    for node in range(state[N_NODES]):
        top = node if gains[node] > gains[top] else top
    doubtful, unsure = 0, -1
    for node in range(state[N_NODES]):
        bound = error_bound(rule, kind, n_lanes, nodes[node, ROWS] + nodes[top, ROWS])
        if gains[node] > 0.0 and gains[top] - gains[node] <= bound:
            doubtful += 1
            unsure = node if seen[node] != FINE else unsure
    if doubtful > 1 and unsure >= 0:
        close[0] = splits[unsure, SPLIT_SLOT]
        ask(closer, state, unsure, 1)
        return True
    return False


@kernel(inner=True)
def settle(wanted, layout, work, closer, width, rule):
    """Best splits of the close slots from their fine histograms, which are left empty; after the last of them, the
    node's.
    """
    look, sides, boundaries, n_lanes = closer.look, closer.sides, closer.boundaries, work.sums.shape[1]
    node, done = look[LOOK_NODE], look[LOOK_DONE]
    # an older leaf takes the first place: both of the pair have been looked at before it
    pair = 1 if node == work.state[SIBLING] else 0
    scores, cuts = work.scores[pair], work.cuts[pair]
    n_slots = scores.shape[0] // 2
    at_once, unit = closer.cells.shape[2] // (BINS * n_lanes), wanted.scale / wanted.fine_scale
    tolerance = wanted.tie * wanted.scale
    if done == 0:
        cuts[:] = -1
    floor = 0.0
    for number in range(min(look[LOOK_SLOTS] - done, at_once)):
        slot = closer.close[done + number]
        for code in range(BINS):
            take_cell(wanted.kind, closer.cells, (number * BINS + code) * n_lanes, n_lanes, closer.histogram, code)
        for lane in range(n_lanes):
            sides[2, lane] = 0.0
            for code in range(BINS):
                sides[2, lane] += closer.histogram[code, lane]
        floor = leaf_score(sides, 2, rule)
        bins, has_missing = layout.groups[slot // width, MOST_BINS], layout.groups[slot // width, HAS_MISSING] != 0
        is_category = layout.slots[slot, IS_CATEGORY] != 0
        for side in range(2 if has_missing and not is_category else 1):
            if is_category:
                score_codes(closer, bins, rule)
            else:
                score_boundaries(closer, bins, side != 0, rule)
            best, at = floor * unit + tolerance, side * n_slots + slot
            for code in range(BINS if is_category else bins):
                if boundaries[code] * unit > best:
                    scores[at], cuts[at] = boundaries[code] * unit, code
                    best = scores[at] + tolerance
    look[LOOK_DONE] += at_once
    if look[LOOK_DONE] >= look[LOOK_SLOTS]:
        best_split((scores, cuts), (floor * unit, tolerance), layout.slots, work.gains, work.splits, node)
        closer.seen[node] = FINE
