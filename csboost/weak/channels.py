"""What a booster shows the weak learner, and the grid of whole numbers on which it is summed.

A *channel* ``A[i, k]`` says how much row i wants class k. Every booster keeps non-negative
weights and derives its channels from them in one of five ways, the *kinds* below; the tree sums them without ever
forming ``A``.

Sums run over whole numbers: channels are scaled and rounded to a grid fine enough for the tie tolerance, so that sums
are exact whatever the order of rows, the number of threads or the machines that hold parts of the rows. Few rows get
52 bits in a float64, many rows 31 bits in an int32, where a fixed low-discrepancy dither keeps the rounding free of
bias; what those bits cannot tell apart is summed again in 52 (:mod:`csboost.weak.second_look`). Those sums are of
weights, in *fine cells*, and become sums of channels at the end.

All that is told apart by kind is told apart here; kernels know a kind by its number. A new kind is a number, a row in
the table of :class:`Channels`, and a branch where it differs: in the properties and the dense form of that class, and
in the kernels that write it to the grid, add a row to a fine cell, turn a cell into channel sums and count roundings.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csboost._jit import kernel

NEGATED, SIGNED, RELATIONAL, ONE_HOT, HALVES, LIKELIHOOD, GRADIENTS = range(7)
MANY_ROWS = 32768  # from here on 32-bit grids: half the memory traffic
GOLDEN = 0.6180339887498949  # multiples of the golden ratio fill the unit interval evenly


class Channels(NamedTuple):
    """Channels derived from ``weights`` and the rows' labels y.

    ============ ======================================================================= =====================
    kind         channels                                                                boosters
    ============ ======================================================================= =====================
    NEGATED      ``A = -weights``                                                        angle, p-norm (label)
    SIGNED       ``A = weights`` at y, ``-weights`` elsewhere                            AdaBoost.MH, discrete
    RELATIONAL   ``A = -weights`` off y, their sum at y                                  M2, p-norm (set)
    ONE_HOT      ``A = weights`` at y, 0 elsewhere; weights (n,)                         SAMME
    HALVES       2K lanes: ``weights`` at y in the first half, elsewhere in the second   AdaBoost.MH, real
    LIKELIHOOD   gradients and curvatures of softmax probabilities p: see below          gradient (vector)
    GRADIENTS    gradients, curvatures and a count as they are: see below                gradient (vector)
    ============ ======================================================================= =====================

    Vector leaves (:mod:`csboost.weak.derivatives`) have a row weight w in the last column; a row of weight 0 is in no
    sum, but has a leaf. LIKELIHOOD has the columns p_1 .. p_K, w: gradients ``w (1[k = y] - p_k)``, curvatures ``w p_k
    (1 - p_k)``. GRADIENTS has g_1 .. g_K, h_1 .. h_K, w: negative gradients and curvatures that include the weights.
    """

    weights: np.ndarray  # (n, K), or (n,) for ONE_HOT; (n, K + 1) for LIKELIHOOD, (n, 2K + 1) for GRADIENTS
    kind: int
    total: float  # sum of the weights; for vector leaves no sum of absolute gradients, or of curvatures, is larger

    @property
    def mass(self) -> float:
        """Sum of ``abs(A)``: what the tie tolerance is relative to."""
        return 2.0 * self.total if self.kind == RELATIONAL else self.total

    @property
    def is_single(self) -> bool:
        """Whether a row has one channel alone, at its class; kernels ask :func:`has_one_channel`."""
        return self.kind == ONE_HOT

    def dense(self, labels: np.ndarray, n_classes: int) -> np.ndarray:
        """The channels as an (n, K) matrix, for weak learners that are not trees of this package (all kinds but
        HALVES).
        """
        rows = np.arange(len(labels))
        if self.is_single:
            dense = np.zeros((len(labels), n_classes))
            dense[rows, labels] = self.weights.ravel()
            return dense
        dense = -self.weights
        if self.kind == SIGNED:
            dense[rows, labels] *= -1
        elif self.kind == RELATIONAL:
            dense[rows, labels] = 0.0
            dense[rows, labels] = -dense.sum(axis=1)
        return dense


def is_dithered(n_rows: int) -> bool:
    """Whether what is rounded gets a dither in a fit of ``n_rows`` rows."""
    return n_rows >= MANY_ROWS


def grid_dtype(n_rows: int) -> type:
    """The number type of the grid for a fit of ``n_rows`` rows."""
    return np.int32 if is_dithered(n_rows) else np.float64


def grid_scale(mass: float, n_channels: int, dtype: type) -> float:
    """Grid points per unit of channel, so that no sum of ``n_channels`` channels leaves the number type."""
    room = 2.0**52 if dtype is np.float64 else 2.0**31 - 2.0 - n_channels
    if room < 2.0**30:
        raise ValueError(f"{n_channels:,} rows times classes are more than the 32-bit grid can sum: take fewer rows")
    return room / mass


@kernel(inner=True)
def has_one_channel(kind):
    """:attr:`Channels.is_single`: the grid keeps one number per row."""
    return kind == ONE_HOT


@kernel(inner=True)
def roundings(kind, n_lanes):
    """How many rounded numbers a channel is the sum of, at most."""
    return n_lanes if kind == RELATIONAL else 1


@kernel(inner=True)
def write_channels(weights, labels, kind, scale, grid, n_padded, first, stop, before=0):
    """Write the channels of rows ``first .. stop - 1``, rounded to whole numbers, into the flat ``grid``: (n *
    n_padded,), or (n,) for ONE_HOT. ``before`` is what leads to their numbers among the rows of all machines.
    """
    n_classes = weights.shape[1]
    dithered = grid.itemsize == 4
    for i in range(first, stop):
        row, base = np.uintp(i), np.uintp(i * n_padded)  # unsigned: no test for negative indices
        shift = (before + i) * GOLDEN - np.int64((before + i) * GOLDEN) if dithered else 0.5
        own, n_own = np.uintp(labels[row]), np.uintp(n_classes)
        if kind == ONE_HOT:
            grid[row] = np.int64(weights[row, 0] * scale + shift)
        elif kind == HALVES:
            for k in range(n_classes):
                value, lane = np.int64(weights[row, k] * scale + shift), np.uintp(k)
                grid[base + lane] = value if lane == own else 0
                grid[base + n_own + lane] = 0 if lane == own else value
        else:
            total = np.int64(0)
            for k in range(n_classes):
                value, lane = np.int64(weights[row, k] * scale + shift), np.uintp(k)
                total += value if lane != own else 0
                grid[base + lane] = -value
            if kind == SIGNED:
                grid[base + own] = -grid[base + own]
            elif kind == RELATIONAL:
                grid[base + own] = total


@kernel(inner=True)
def add_to_cell(weights, labels, kind, fine_scale, row, home, cells):
    """Add a row's fine weights to the cell at ``home`` of ``cells`` (3, cells * lanes): by class those of all rows,
    those of rows of the class alone, and what the latter weigh in the other classes.
    """
    sums, own, rest = cells[0], cells[1], cells[2]
    if kind == ONE_HOT:
        own[home + np.uintp(labels[row])] += np.floor(weights[row, 0] * fine_scale + 0.5)
        return
    n_classes = weights.shape[1]
    for k in range(n_classes):
        sums[home + np.uintp(k)] += np.floor(weights[row, k] * fine_scale + 0.5)
    if kind != NEGATED:
        truth = np.uintp(labels[row])
        if truth < np.uintp(n_classes):  # a class that is boosted apart has one column, and rows of the rest none
            own[home + truth] += np.floor(weights[row, truth] * fine_scale + 0.5)
        if kind == RELATIONAL:
            total = 0.0
            for k in range(n_classes):
                total += np.floor(weights[row, k] * fine_scale + 0.5) if np.uintp(k) != truth else 0.0
            rest[home + truth] += total


@kernel(inner=True)
def take_cell(kind, cells, home, n_lanes, out, at):
    """The channel sums of a cell, over all threads' ``cells`` (threads, 3, cells * lanes), into ``out[at]``; the cell
    is left at 0.
    """
    n_classes = n_lanes // 2 if kind == HALVES else n_lanes
    for k in range(n_classes):
        total = own = rest = 0.0
        for thread in range(cells.shape[0]):
            total += cells[thread, 0, home + k]
            own += cells[thread, 1, home + k]
            rest += cells[thread, 2, home + k]
            cells[thread, 0, home + k] = cells[thread, 1, home + k] = cells[thread, 2, home + k] = 0.0
        if kind == HALVES:
            out[at, k], out[at, n_classes + k] = own, total - own
        elif kind == SIGNED:
            out[at, k] = 2.0 * own - total
        elif kind == RELATIONAL:
            out[at, k] = rest - (total - own)
        else:
            out[at, k] = own if kind == ONE_HOT else -total
