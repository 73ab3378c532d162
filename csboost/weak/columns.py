"""The order of features as slots, and the columns of codes that are summed.

A histogram pass costs as much for two bins as for 255, or more: adds to the same bin wait for one another. So features
of few bins share a *joint* column, whose code says the bins of all of them; the histogram of each is a margin of the
joint one (:func:`csboost.weak.margins.fold_columns`), exactly, since sums are of whole numbers.

A block of rows holds its joint columns, then the slots in order. Slots of many bins come first, so that the columns to
sum (joint ones, and slots that are alone) lie next to each other, and so do the slots.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csboost.weak.layout import APART, BINS, FEATURE_OF, SLOT, SUMMED, SYMBOLS, VALUES


class Columns(NamedTuple):
    """Columns of codes.

    Attributes
    ----------
    slots : ndarray (d, 7)
        Slot of a feature; then, by slot: its feature, the column that sums it, within a joint code the distance
        between neighbouring bins, the number of bins with the missing one (0 for a slot that is alone) and without;
        and whether it holds categories, here of none.
    n_joint, n_summed : int
        Joint columns; columns to sum.
    """

    slots: np.ndarray
    n_joint: int
    n_summed: int


def arrange(bins: np.ndarray, has_missing: np.ndarray, join: bool = True) -> Columns:
    """Columns for features of so many ``bins`` (d,), the missing one not counted; none joint unless ``join``."""
    symbols = bins + has_missing
    order = np.argsort(-symbols, kind="stable")  # alike in bins, so that scanning a group wastes little
    slots = np.zeros((len(bins), 7), np.int64)
    slots[:, SLOT], slots[:, FEATURE_OF] = np.argsort(order), order
    joint: list[list[int]] = [[]]
    for slot in range(len(bins) - 1, -1, -1) if join else ():  # from the fewest bins on
        if np.prod(symbols[order[[*joint[-1], slot]]]) > BINS:
            joint.append([])
        joint[-1].append(slot)
    joint = [members for members in joint if len(members) > 1]
    n_alone = len(bins) - sum(len(members) for members in joint)
    slots[:n_alone, SUMMED] = len(joint) + np.arange(n_alone)
    for column, members in enumerate(joint):
        held = symbols[order[members]]
        slots[members, SUMMED], slots[members, SYMBOLS], slots[members, VALUES] = column, held, bins[order[members]]
        slots[members, APART] = np.cumprod([1, *held[:-1]])
    return Columns(slots, len(joint), len(joint) + n_alone)
