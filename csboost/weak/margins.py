"""Kernels that fold joint columns: the histogram of each slot is a margin of the joint one
(:mod:`csboost.weak.columns`).

A joint code says the bins of several slots as digits do a number. Slots are folded from the one that weighs most on:
its bins are runs of neighbouring codes, each of which is added up, and then all runs together are the joint histogram
of the other slots. So each slot works through a histogram that is as many times smaller as the ones before it have
bins. The sum of a run is what is left of a bin; that of bin 0 is what the others leave of the total.
"""

from __future__ import annotations

from csboost._jit import kernel
from csboost.weak.histogram import add, clear, sizes_of
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
    Work,
)
from csboost.weak.staged import tile_area


@kernel
def fold_columns(layout_, work_, settings_, first, last, members):
    """Fold the joint columns ``first .. last - 1`` of the node that ``state`` names: all threads' histograms into the
    grouped ones of their slots; leave zeros. Groups are of ``members`` slots.
    """
    layout, work, settings = Layout(*layout_), Work(*work_), Settings(*settings_)
    sizes = sizes_of(layout.slots.shape[0], work, settings)
    home, size, width = work.splits[work.state[NODE], HOME], work.staged.shape[0] // sizes.n_threads, 1 << sizes.bits
    for column in range(first, last):
        for lane in range(0, sizes.n_lanes, width):
            start = (lane >> sizes.bits) * tile_area(sizes) + column * BINS * width
            joint = work.staged[start : start + BINS * width]
            for thread in range(1, sizes.n_threads):
                other = work.staged[start + thread * size : start + thread * size + BINS * width]
                add(joint, other)
                clear(other)
            target = work.grouped, home, lane, members
            for slot in range(sizes.n_slots):
                if layout.slots[slot, SUMMED] == column and layout.slots[slot, SYMBOLS] > 0:
                    fold_slot(joint, target, layout, slot, sizes)
            for slot in range(sizes.n_slots):
                if layout.slots[slot, SUMMED] == column and layout.slots[slot, SYMBOLS] > 0:
                    leave_first_bin(joint, target, layout, slot, sizes)
            clear(joint)


@kernel(inner=True)
def place_of(target, slot, position, sizes):
    """Where the first lane of a slot's bin is in the grouped histogram."""
    _, home, lane, members = target
    group = home + (slot // members) * BINS * sizes.n_lanes * members
    return group + (position * sizes.n_lanes + lane) * members + slot % members


@kernel(inner=True)
def fold_slot(joint, target, layout, slot, sizes):
    """Write the bins of a slot but for bin 0, and fold its runs together at the start of ``joint``. No slot that weighs
    more is in ``joint`` any more.
    """
    grouped, _, lane, members = target
    values, width, run = layout.slots[slot, VALUES], 1 << sizes.bits, layout.slots[slot, APART] << sizes.bits
    n_lanes = min(width, sizes.n_lanes - lane)
    for position in range(values, layout.groups[slot // members, MOST_BINS] + 1):
        code = position if position < layout.groups[slot // members, MOST_BINS] else BINS - 1
        place = place_of(target, slot, code, sizes)
        for k in range(n_lanes):
            grouped[place + k * members] = 0
    for bin_ in range(1, layout.slots[slot, SYMBOLS]):
        codes = joint[bin_ * run : (bin_ + 1) * run]
        add(joint[:run], codes)
        halve(codes, layout.slots[slot, APART], width)
        place = place_of(target, slot, bin_ if bin_ < values else BINS - 1, sizes)
        for k in range(n_lanes):
            grouped[place + k * members] = codes[k]


@kernel(inner=True)
def halve(codes, count, width):
    """Add up ``count`` cells of ``width`` numbers into the first one."""
    while count > 1:
        half = (count + 1) >> 1
        add(codes[: (count - half) * width], codes[half * width : count * width])
        count = half


@kernel(inner=True)
def leave_first_bin(joint, target, layout, slot, sizes):
    """Write bin 0 of a slot: what its other bins leave of the total, which folding all slots left in the first cell."""
    grouped, _, lane, members = target
    values, first = layout.slots[slot, VALUES], place_of(target, slot, 0, sizes)
    for k in range(min(1 << sizes.bits, sizes.n_lanes - lane)):
        grouped[first + k * members] = joint[k]
    for bin_ in range(1, layout.slots[slot, SYMBOLS]):
        place = place_of(target, slot, bin_ if bin_ < values else BINS - 1, sizes)
        for k in range(min(1 << sizes.bits, sizes.n_lanes - lane)):
            grouped[first + k * members] -= grouped[place + k * members]
