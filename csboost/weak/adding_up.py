"""What the machines of one fit tell one another of a growing tree: after each pass what it found in all their rows.

Histograms, counts and fine sums are whole numbers, so that their sums do not depend on who holds which rows, nor on the
order in which they are added. What follows from them is decided on each machine, alike.
"""

from __future__ import annotations

import numpy as np

from csboost.weak.layout import (
    ACCUMULATE,
    ASSIGN,
    BINS,
    HOME,
    LEFT_ROWS,
    LOOK,
    LOOK_DONE,
    LOOK_SLOTS,
    MISSING,
    MOST_BINS,
    NODE,
    NUMBER,
    PARTITION,
    PHASE,
    Closer,
    Data,
    Layout,
    Plain,
    Work,
)
from csboost.weak.rows import Rows


def used_cells(layout_: Plain, n_lanes: int, width: int) -> np.ndarray:
    """Places in the grouped histogram of a node that hold anything: the bins that groups of ``width`` slots have."""
    groups, stride = Layout(*layout_).groups, n_lanes * width
    bins = [np.append(np.arange(most), MISSING) for most in groups[:, MOST_BINS]]
    starts = np.concatenate([(group * BINS + each) * stride for group, each in enumerate(bins)])
    return (starts[:, None] + np.arange(stride)).ravel()


def counted(rows: Rows, data: Data) -> np.ndarray:
    """What the last pass counted in the blocks of all machines (3,)."""
    counts: np.ndarray = data.blocks[:, LEFT_ROWS:NUMBER].sum(axis=0)
    rows.add(counts)
    return counts


def add_up(rows: Rows, data: Data, work: Work, closer_: Plain | None, used: np.ndarray) -> None:
    """Add up over all machines what the pass that is done found: see the table of :mod:`csboost.weak.growth`."""
    phase = work.state[PHASE]
    if phase == PARTITION:
        work.counts[:] = counted(rows, data)
    elif phase == ACCUMULATE:
        histogram = work.grouped[work.splits[work.state[NODE], HOME] :]
        cells = histogram[used]
        rows.add(cells)
        histogram[used] = cells
    elif closer_ is not None:
        closer = Closer(*closer_)
        if phase == LOOK:
            at_once, n_cells = closer.cells.shape[2] // (BINS * work.sums.shape[1]), BINS * work.sums.shape[1]
            count = min(closer.look[LOOK_SLOTS] - closer.look[LOOK_DONE], at_once)
            _add_threads(rows, closer.cells[:, :, : count * n_cells])
        elif phase == ASSIGN:
            _add_threads(rows, closer.leaf_cells)


def _add_threads(rows: Rows, cells: np.ndarray) -> None:
    """Fine sums (threads, 3, cells) of all machines into those of the first thread; the others' are left at 0."""
    total = cells.sum(axis=0)
    rows.add(total)
    cells[0], cells[1:] = total, 0.0
