"""Floats to uint8 codes, and the thresholds that lead back.

A feature with at most 255 distinct values gets a bin per value, others get quantile bins; a missing value (NaN) has
the code 255. A row lies left of boundary b when its code is at most b, which is the same as ``x <= thresholds[b]``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import BINS, BLOCK
from csboost.weak.lanes import MISSING

MAX_BINS = 255
SAMPLE = 200_000  # rows whose quantiles place the bins of a feature with many values


@kernel
def encode(flat, row_step, column_step, first, last, n_rows, slots, n_joint, table, codes):
    """Write the codes of row blocks ``first .. last - 1``, column by column within a block: ``n_joint`` joint columns,
    then the ``slots`` (:mod:`csboost.weak.columns`); missing values become 255.

    ``table`` (d, 256): each feature's thresholds, filled up with infinity, so that every search takes the same eight
    steps and no branch has to be guessed.
    """
    n_columns = n_joint + slots.shape[0]
    for block in range(first, last):
        start = block * BLOCK
        height = min(BLOCK, n_rows - start)
        codes[start * n_columns : start * n_columns + n_joint * height] = 0
        for slot in range(slots.shape[0]):
            feature, apart, symbols = slots[slot, 1], slots[slot, 3], slots[slot, 4]
            thresholds, out = table[feature], np.uintp(start * n_columns + (n_joint + slot) * height)
            source = np.uintp(start * row_step + feature * column_step)
            for i in range(height):
                row = np.uintp(i)  # unsigned: no test for negative indices
                x = np.float64(flat[source + row * np.uintp(row_step)])
                below = np.uintp(0)  # thresholds below x: none for NaN
                for step in (128, 64, 32, 16, 8, 4, 2, 1):
                    below += np.uintp(step) if thresholds[below + np.uintp(step - 1)] < x else np.uintp(0)
                codes[out + row] = MISSING if np.isnan(x) else np.uint8(below)
            if symbols > 0:
                joint = np.uintp(start * n_columns + slots[slot, 2] * height)
                for i in range(height):
                    row = np.uintp(i)
                    codes[joint + row] += min(np.intp(codes[out + row]), symbols - 1) * apart


def flat_view(X: np.ndarray) -> tuple[np.ndarray, int, int]:
    """``X`` (n, d) as one flat array with its row and column steps, so that C and Fortran order share one compiled
    kernel.
    """
    if not (X.flags.c_contiguous or X.flags.f_contiguous):
        X = np.ascontiguousarray(X)
    if X.flags.c_contiguous:
        return X.reshape(-1), X.shape[1], 1
    return X.reshape(-1, order="F"), 1, X.shape[0]


@kernel
def cut_column(values, mass, max_bins, thresholds):
    """Write the thresholds of one column (at most ``max_bins - 1``); returns their number and whether they keep all
    its values apart.

    ``values`` (n,) ascending, none missing; ``mass`` (n,) their weights, cumulated. A threshold lies midway between
    two neighbouring values, at least the lower and below the higher one. Quantile bins hold about equal weight, so
    that weight 2 counts like the row twice.
    """
    n, distinct = values.shape[0], 1
    for i in range(1, n):
        distinct += values[i] != values[i - 1]
    few = distinct <= max_bins
    n_bins = min(max_bins, distinct // 2)  # a bin of one value would be an exact split at the price of a bin
    found, quantile, total = 0, 1, mass[n - 1] * (1.0 - 1e-12)
    for i in range(n - 1):
        if values[i] != values[i + 1] and (few or mass[i] * n_bins >= total * quantile):
            low, high = np.float64(values[i]), np.float64(values[i + 1])
            middle = low / 2 + high / 2
            thresholds[found] = low if middle >= high else middle
            found += 1
            while quantile < n_bins and mass[i] * n_bins >= total * quantile:
                quantile += 1
    return found, few


def place_thresholds(
    column: np.ndarray, mass: np.ndarray, weights: np.ndarray | None, max_bins: int = MAX_BINS
) -> tuple[np.ndarray, bool, bool]:
    """Thresholds of one feature, whether they keep all its values apart, and whether values are missing.

    ``mass`` (n,) cumulates the weights of rows of weight 1; other ``weights`` (n,) go where the values are sorted to.
    """
    if weights is None:
        values = np.sort(column)
    else:
        order = np.argsort(column, kind="stable")
        values, mass = column[order], np.cumsum(weights[order])
    missing = bool(np.isnan(values[-1]))  # NaN sorts last
    if missing:
        values = values[: np.searchsorted(values, np.nan)]
    if len(values) == 0:
        return np.empty(0), True, True
    thresholds = np.empty(max_bins - 1)
    found, exact = cut_column(values, mass, max_bins, thresholds)
    return thresholds[:found], exact, missing


def _column_sums(X: np.ndarray) -> np.ndarray:
    """Sums (d,) of the columns in one pass in the order of memory: NaN where a value is missing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return X.sum(axis=0)


class Binner:
    """Bins of every feature of a training matrix.

    Attributes
    ----------
    thresholds : ndarray (sum of boundaries,) float64
        All features' thresholds, one after another, ascending within a feature.
    offsets : ndarray (d + 1,)
        ``thresholds[offsets[f] : offsets[f + 1]]`` are those of feature f.
    has_missing : ndarray (d,) bool
    """

    def fit(self, X: np.ndarray, weights: np.ndarray | None = None, run: Callable = map) -> Binner:
        """Place the bins of ``X`` (n, d); ``run`` is :func:`map` or a thread pool's ``map``."""
        n_rows, n_features = X.shape
        if weights is not None and (weights == weights[0]).all():
            weights = None
        step, ones = -(-n_rows // SAMPLE), np.arange(1.0, n_rows + 1.0)
        unsampled_missing = np.isnan(_column_sums(X)) if step > 1 else np.zeros(n_features, bool)

        def one(feature: int) -> tuple[np.ndarray, bool]:
            part = slice(None, None, step)
            found, exact, missing = place_thresholds(X[part, feature], ones, None if weights is None else weights[part])
            if step == 1:
                return found, missing
            if exact:  # few values in the sample: look at all rows
                found, _, missing = place_thresholds(X[:, feature], ones, weights)
            return found, missing or bool(unsampled_missing[feature])

        found = list(run(one, range(n_features)))
        self.offsets = np.concatenate([[0], np.cumsum([len(part) for part, _ in found])]).astype(np.int64)
        self.thresholds = np.concatenate([part for part, _ in found])
        self.has_missing = np.array([missing for _, missing in found])
        return self

    @property
    def table(self) -> np.ndarray:
        """Thresholds (d, 256) by feature, filled up with infinity."""
        table = np.full((len(self.offsets) - 1, BINS), np.inf)
        table[np.arange(BINS) < np.diff(self.offsets)[:, None]] = self.thresholds
        return table

    @property
    def n_bins(self) -> np.ndarray:
        """Bins per feature (d,), the missing one not counted."""
        return np.diff(self.offsets) + 1
