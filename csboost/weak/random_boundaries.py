"""Random boundaries: one for each drawn column of a node, in place of all.

Draws are hashes of the tree's seed, the node and the feature, so they are the same for any number of threads.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import add
from csboost.weak.layout import BINS, FEATURE_OF, MISSING
from csboost.weak.rules import sides_score

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
def seek_random(work, spot, among, slot, bar, seek, width):
    """As the scan of all boundaries, of one random boundary of a slot, and of its missing values alone; ``among`` is
    which leaf of a pair a node is, and its number.
    """
    (leaf, node), (floor, tolerance) = among, bar
    scores, cuts, sums, sides = work.scores[leaf], work.cuts[leaf], work.sums, seek.sides
    places, n_lanes, member = scores.shape[0] // 2, sums.shape[1], slot % width
    missing = spot.start + MISSING * n_lanes * width + member
    has_missing = work.grouped[missing + (n_lanes // 2) * width] > 0
    cuts[slot] = cuts[places + slot] = -1
    scores[slot] = scores[places + slot] = floor
    for way in range(3 if has_missing else 1):  # missing values right, left, alone
        cut, at = seek.boundaries[member] if way < 2 else spot.bins - 1, slot + (places if way == 1 else 0)
        if cut < 0:
            continue
        for lane in range(n_lanes):
            lost = np.float64(work.grouped[missing + lane * width])
            if way == 2:
                sides[0, lane] = np.float64(sums[node, lane]) - lost
            else:
                sides[0, lane] = seek.lefts[member, lane] + (lost if way == 1 else 0.0)
        score = sides_score(sums, node, sides, seek.reg, seek.least_rows)
        if score > scores[at] + tolerance:
            scores[at], cuts[at] = score, cut


@kernel(inner=True)
def draw_boundaries(layout, work, spot, among, seek, width):
    """Draw a boundary of every drawn slot of numbers in the group at ``spot`` into ``seek.boundaries``, and sum the
    bins up to it into ``seek.lefts``; -1 where the node has one bin, or nothing is drawn.
    """
    (leaf, node), first, boundaries = among, spot.group * width, seek.boundaries
    boundaries[:] = -1
    for slot in range(first, min(first + width, layout.slots.shape[0])):
        if seek.drawn[leaf, slot] and not seek.is_category[slot]:
            feature = layout.slots[slot, FEATURE_OF]
            boundaries[slot - first] = draw_boundary(work.grouped, spot, node, slot - first, feature, seek, width)
    stride, begin, following = seek.running.shape[0], 0, next_above(boundaries, -1)
    seek.running[:] = 0
    while following >= 0:
        for code in range(begin, following + 1):  # all slots at once
            add(seek.running, work.grouped[spot.start + code * stride : spot.start + (code + 1) * stride])
        for member in range(width):
            if boundaries[member] == following:
                for lane in range(stride // width):
                    seek.lefts[member, lane] = np.float64(seek.running[lane * width + member])
        begin, following = following + 1, next_above(boundaries, following)


@kernel(inner=True)
def next_above(numbers, least):
    """The lowest number above ``least``; -1 where there is none."""
    lowest = BINS
    for number in numbers:
        if least < number < lowest:
            lowest = number
    return lowest if lowest < BINS else -1


@kernel(inner=True)
def draw_boundary(grouped, spot, node, member, feature, seek, width):
    """Draw any boundary between the lowest and the highest bin of a slot that have rows; -1 where the node has one
    bin.
    """
    n_lanes = seek.sides.shape[1]
    stride, count, low, high = n_lanes * width, spot.start + member + (n_lanes // 2) * width, 0, spot.bins - 1
    while low < high and grouped[count + low * stride] == 0:
        low += 1
    while high > low and grouped[count + high * stride] == 0:
        high -= 1
    if high == low:
        return -1
    return low + np.int64(draw(seek.seed, node, 2 * feature + 1) % np.uint64(high - low))
