"""Kernels that fold joint columns: the histogram of each slot is a margin of the joint one
(:mod:`csboost.weak.columns`).
"""

from __future__ import annotations

from csboost._jit import kernel
from csboost.weak.histogram import sizes_of
from csboost.weak.layout import (
    APART,
    BINS,
    HOME,
    MOST_BINS,
    NODE,
    SUMMED,
    SYMBOLS,
    VALUES,
    Layout,
    Settings,
    Spot,
    Work,
)
from csboost.weak.staged import tile_area


@kernel
def fold_margins(layout_, work_, settings_, first, last, members):
    """What :func:`csboost.weak.staged.fold_groups` leaves out; other groups have margins of the same columns, so these
    are cleared when all are folded.
    """
    layout, work, settings = Layout(*layout_), Work(*work_), Settings(*settings_)
    slots, sizes = layout.slots, sizes_of(layout.slots.shape[0], work, settings)
    for g in range(first, last):
        home = work.splits[work.state[NODE], HOME] + g * BINS * sizes.n_lanes * members
        spot = Spot(g, home, layout.groups[g, MOST_BINS])
        for slot in range(g * members, min((g + 1) * members, slots.shape[0])):
            if slots[slot, SYMBOLS] > 0:
                fold_margin(work.staged, work.grouped, spot, slots, slot, sizes, members)


@kernel(inner=True)
def fold_margin(staged, grouped, spot, slots, slot, sizes, members):
    """Add up the joint codes that share a bin of a slot, in all threads' histograms, into the grouped one."""
    n_threads, n_lanes, bits = sizes.n_threads, sizes.n_lanes, sizes.bits
    width, size, stride = 1 << bits, staged.shape[0] // n_threads, n_lanes * members
    area, home = tile_area(sizes), spot.start + slot % members
    column, apart, symbols, values = slots[slot, SUMMED], slots[slot, APART], slots[slot, SYMBOLS], slots[slot, VALUES]
    for position in range(spot.bins + 1):
        code = position if position < spot.bins else BINS - 1
        for lane in range(n_lanes):
            grouped[home + code * stride + lane * members] = 0
    bin_, within = 0, 0
    for joint in range(BINS):
        target = home + (bin_ if bin_ < values else BINS - 1) * stride
        for first in range(0, n_lanes, width):
            source = (first >> bits) * area + (column * BINS + joint) * width
            for lane in range(min(width, n_lanes - first)):
                for thread in range(n_threads):
                    grouped[target + (first + lane) * members] += staged[thread * size + source + lane]
        within += 1
        if within == apart:
            within, bin_ = 0, bin_ + 1 if bin_ + 1 < symbols else 0
