"""A second look where the 32-bit grid cannot tell which split is better.

Many rows are summed on a grid of 31 bits (:mod:`csboost.weak.channels`), whose rounding errors add up to a few
millionths of the mass. Two splits that differ by less would be told apart by the dither, that is by the order of the
rows. So candidates within that error of the best are summed again on the 52-bit grid of small fits, and there ties
are ties: lowest feature, lowest threshold, first-born leaf. The sums of the leaves, from which steps and outputs
follow, are always those of the fine grid. What remains is that a gain too small for the coarse grid to show at all,
below a millionth of the mass, may be passed over.

Adjacent boundaries of a feature differ in the rows between them alone, and so do their errors: second looks are rare.

The arrays of a look travel in the tuple ``closer``, which is None for small fits, in this order: ``below`` (slots,
BINS + 1), how many rows of all have a code below each; ``close`` (slots,), the slots to sum again; ``cells`` (threads,
3, at once * BINS * lanes), their histograms, and ``leaves`` (threads, 3, leaves * lanes), both as
:func:`csboost.weak.fine_sums.add_row` has them; ``node_sums`` (nodes, lanes), the nodes' channel sums; ``histogram``
(BINS, lanes) of one slot; ``boundaries`` (BINS,), scores; ``sides`` (3, lanes), sums left, right and together; ``seen``
(nodes,): 0 not checked, 1 in no doubt, 2 summed again; ``look`` (3,): the node under the look, its close slots, how
many of them are done.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.bookkeeping import HOME, N_NODES, NODE, PHASE, ROWS, SIBLING
from csboost.weak.channels import RELATIONAL
from csboost.weak.fine_sums import channel_sums
from csboost.weak.histogram import BINS
from csboost.weak.layout import MISSING
from csboost.weak.splits import CONFIDENCE, LABEL, best_split, leaf_score

LOOK = 5  # the phase after those of bookkeeping
UNCHECKED, CLEAR, FINE = range(3)
AT_ONCE = 256  # lanes of close slots that are summed again in one pass


def closer_arrays(counts, n_threads, n_lanes, max_leaves):
    """The tuple ``closer`` of a fit whose slots have so many rows of each code: ``counts`` (slots, BINS + 1)."""
    n_slots, n_nodes = len(counts), 2 * max_leaves - 1
    at_once = min(n_slots, max(1, AT_ONCE // n_lanes))
    return (
        counts.cumsum(axis=1), np.zeros(n_slots, np.int64), np.zeros((n_threads, 3, at_once * BINS * n_lanes)),
        np.zeros((n_threads, 3, max_leaves * n_lanes)), np.zeros((n_nodes, n_lanes)), np.zeros((BINS, n_lanes)),
        np.zeros(BINS), np.zeros((3, n_lanes)), np.zeros(n_nodes, np.int64), np.zeros(3, np.int64),
    )  # fmt: skip


@kernel(inner=True)
def error_bound(rule, kind, n_lanes, n_rows):
    """By how many grid points rounding may move the difference of two splits' scores, when ``n_rows`` rows change
    sides: four standard deviations.

    A row's rounding error has a variance of at most 1/4 per channel. A label's score counts one channel of each row,
    which for RELATIONAL is a sum of the others; other scores count all, twice where a sign changes.
    """
    if rule == LABEL:
        variance = 0.5 * (n_lanes if kind == RELATIONAL else 1.0)
    else:
        variance = 4.0 * n_lanes * (16.0 if rule == CONFIDENCE else 1.0)  # a square root magnifies small sums' errors
    return 4.0 * np.sqrt(variance * n_rows) + 2.0


@kernel(inner=True)
def score_boundaries(histogram, bins, missing_left, rule, sides, scores):
    """Score of both sides of every boundary of one slot into ``scores`` (bins,); ``sides[2]`` holds the node's sums."""
    n_lanes = histogram.shape[1]
    for lane in range(n_lanes):
        sides[0, lane] = histogram[MISSING, lane] if missing_left else 0.0
    for code in range(bins):
        for lane in range(n_lanes):
            sides[0, lane] += histogram[code, lane]
            sides[1, lane] = sides[2, lane] - sides[0, lane]
        scores[code] = leaf_score(sides, 0, n_lanes, rule) + leaf_score(sides, 1, n_lanes, rule)


@kernel(inner=True)
def list_close_slots(nodes, scores, cuts, floor, gains, splits, node, n_lanes, rule, kind, close):
    """Slots whose best split is within the error of the node's best, that one included; returns their number, 0 when
    there is no doubt.

    A score that is equal to the last grid point is taken for the same rows on each side, as with a column held twice.
    """
    best, slot = floor + gains[node], splits[node, 0]
    bound = error_bound(rule, kind, n_lanes, nodes[node, ROWS])
    n_slots, found = scores.shape[0] // 2, 0
    for other in range(close.shape[0]):
        near = other == slot
        for side in range(2):
            at = side * n_slots + other
            near = near or (cuts[at] >= 0 and scores[at] != best and best - scores[at] <= bound)
        if near:
            close[found] = other
            found += 1
    return found if found > 1 or gains[node] <= bound else 0


@kernel(inner=True)
def has_rival(grouped, sums, splits, node, group, width, rule, kind, best, below, histogram, boundaries, sides):
    """Whether another boundary of the node's chosen slot is within the error of the rows between; ``group`` holds its
    number of bins and whether values are missing.
    """
    slot, cut, side, n_lanes = splits[node, 0], splits[node, 1], splits[node, 2], histogram.shape[1]
    base = splits[node, HOME] + (slot // width) * BINS * n_lanes * width + slot % width
    for lane in range(n_lanes):
        sides[2, lane] = np.float64(sums[node, lane])
        for code in range(BINS):
            histogram[code, lane] = np.float64(grouped[base + (code * n_lanes + lane) * width])
    for missing_left in range(2 if group[1] != 0 else 1):
        score_boundaries(histogram, group[0], missing_left != 0, rule, sides, boundaries)
        lost = below[slot, BINS] - below[slot, MISSING] if missing_left != side else 0
        for code in range(group[0]):
            between = lost + abs(below[slot, code + 1] - below[slot, cut + 1])
            behind = best - boundaries[code]
            if behind != 0.0 and behind <= error_bound(rule, kind, n_lanes, between):
                return True
    return False


@kernel(inner=True)
def ask_for_look(nodes, layout, work, closer, width, n_lanes, rule, kind):
    """Find the next leaf whose best split is in doubt and ask for its second look; False when all are clear.

    First the pair that was split last, each by itself, then the leaves whose gains are about equal.
    """
    groups = layout[0]
    grouped, sums, gains, splits, state, scores, cuts = work[1], work[2], work[3], work[4], work[5], work[6], work[7]
    below, close, _, _, _, histogram, boundaries, sides, seen, look = closer
    for pair in range(2):
        node = state[NODE] if pair == 0 else state[SIBLING]
        if node < 0 or seen[node] != UNCHECKED:
            continue
        seen[node] = CLEAR
        if gains[node] <= 0.0:
            continue
        floor = leaf_score(sums, node, n_lanes, rule)
        found = list_close_slots(
            nodes, scores[pair], cuts[pair], floor, gains, splits, node, n_lanes, rule, kind, close
        )
        slot = splits[node, 0]
        best, group = floor + gains[node], groups[slot // width]
        if found == 0 and has_rival(
            grouped, sums, splits, node, group, width, rule, kind, best, below, histogram, boundaries, sides
        ):
            close[0], found = slot, 1
        if found > 0:
            look[0], look[1], look[2], state[PHASE] = node, found, 0, LOOK
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
        close[0] = splits[unsure, 0]
        look[0], look[1], look[2], state[PHASE] = unsure, 1, 0, LOOK
        return True
    return False


@kernel(inner=True)
def settle(wanted, layout, work, closer, n_lanes, width, rule):
    """Best splits of the close slots from their fine histograms, which are left empty; after the last of them, the
    node's.
    """
    _, kind, scale, tie, _, fine_scale = wanted
    groups, slots = layout
    gains, splits, state = work[3], work[4], work[5]
    _, close, cells, _, _, histogram, boundaries, sides, seen, look = closer
    # an older leaf takes the first place: both of the pair have been looked at before it
    pair = 1 if look[0] == state[SIBLING] else 0
    scores, cuts = work[6][pair], work[7][pair]
    n_slots = scores.shape[0] // 2
    at_once, unit = cells.shape[2] // (BINS * n_lanes), scale / fine_scale
    if look[2] == 0:
        cuts[:] = -1
    floor = 0.0
    for number in range(min(look[1] - look[2], at_once)):
        slot = close[look[2] + number]
        for code in range(BINS):
            channel_sums(kind, cells, (number * BINS + code) * n_lanes, n_lanes, histogram, code)
        for lane in range(n_lanes):
            sides[2, lane] = histogram[:, lane].sum()
        floor = leaf_score(sides, 2, n_lanes, rule)
        bins, has_missing = groups[slot // width, 0], groups[slot // width, 1] != 0
        for side in range(2 if has_missing else 1):
            score_boundaries(histogram, bins, side != 0, rule, sides, boundaries)
            best, at = floor * unit + tie * scale, side * n_slots + slot
            for code in range(bins):
                if boundaries[code] * unit > best:
                    scores[at], cuts[at] = boundaries[code] * unit, code
                    best = scores[at] + tie * scale
    look[2] += at_once
    if look[2] >= look[1]:
        best_split(scores, cuts, floor * unit, tie * scale, slots, gains, splits, look[0])
        seen[look[0]] = FINE
