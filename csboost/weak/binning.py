"""Floats to uint8 codes, and the thresholds that lead back.

A feature with at most 255 distinct values gets a bin per value, others get quantile bins; a missing value (NaN) has
the code 255. A row lies left of boundary b when its code is at most b, which is the same as ``x <= thresholds[b]``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import BLOCK
from csboost.weak.lanes import MISSING

MAX_BINS = 255
SAMPLE = 200_000  # rows whose quantiles place the bins of a feature with many values


@kernel
def encode(flat, row_step, column_step, first, last, n_rows, feature_of_slot, thresholds, offsets, codes):
    """Write the codes of row blocks ``first .. last - 1``, column by column within a block; missing values become
    255.
    """
    n_slots = feature_of_slot.shape[0]
    for block in range(first, last):
        start = block * BLOCK
        height = min(BLOCK, n_rows - start)
        for slot in range(n_slots):
            feature = np.intp(feature_of_slot[slot])
            low, high = offsets[feature], offsets[feature + 1]
            out = start * n_slots + slot * height
            for i in range(height):
                x = flat[(start + i) * row_step + feature * column_step]
                if np.isnan(x):
                    codes[out + i] = MISSING
                    continue
                base, length = low, high - low
                while length > 0:  # first threshold that is not below x
                    half = length // 2
                    if thresholds[base + half] < x:
                        base += half + 1
                        length -= half + 1
                    else:
                        length = half
                codes[out + i] = base - low


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
def cut_column(values, mass, n_present, max_bins, thresholds):
    """Write the thresholds of one sorted column; returns their number and whether they keep all its values apart.

    ``values`` (n,) ascending, missing ones from ``n_present`` on; ``mass`` (n,) their weights, or (0,) for weight 1.
    A threshold lies midway between two neighbouring values, at least the lower and below the higher one. Quantile
    bins hold about equal weight, so that weight 2 counts like the row twice.
    """
    distinct, total = 0, 0.0
    for i in range(n_present):
        total += mass[i] if mass.shape[0] > 0 else 1.0
        distinct += 1 if i == 0 or values[i] != values[i - 1] else 0
    few = distinct <= max_bins
    n_quantiles = min(max_bins, distinct // 2)  # a bin of one value would be an exact split at the price of a bin
    found, reached, quantile = 0, 0.0, 1
    for i in range(n_present - 1):
        reached += mass[i] if mass.shape[0] > 0 else 1.0
        if values[i] == values[i + 1]:
            continue
        goal = total * quantile / n_quantiles * (1.0 - 1e-12)
        if few or reached >= goal:
            low, high = np.float64(values[i]), np.float64(values[i + 1])
            middle = low / 2 + high / 2
            thresholds[found] = low if middle >= high else middle
            found += 1
            while quantile < n_quantiles and reached >= total * quantile / n_quantiles * (1.0 - 1e-12):
                quantile += 1
    return found, few


def place_thresholds(
    column: np.ndarray, weights: np.ndarray, max_bins: int = MAX_BINS
) -> tuple[np.ndarray, bool, bool]:
    """Thresholds of one feature (at most ``max_bins - 1``), whether they keep all its values apart, and whether
    values are missing.

    ``weights`` (n,), or empty for weight 1.
    """
    if len(weights):
        order = np.argsort(column, kind="stable")
        values, weights = column[order], weights[order]
    else:
        values = np.sort(column)
    missing = bool(np.isnan(values[-1]))  # NaN sorts last
    n_present = int(np.searchsorted(values, np.nan)) if missing else len(values)
    thresholds = np.empty(max_bins - 1)
    found, exact = cut_column(values, weights, n_present, max_bins, thresholds)
    return thresholds[:found], exact, missing


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
        weights = np.empty(0) if weights is None or (weights == weights[0]).all() else weights
        step = -(-n_rows // SAMPLE)

        def one(feature: int) -> tuple[np.ndarray, bool]:
            found, exact, missing = place_thresholds(X[::step, feature], weights[::step])
            if step == 1:
                return found, missing
            if exact:  # few values in the sample: look at all rows
                found, _, missing = place_thresholds(X[:, feature], weights)
            return found, missing or bool(np.isnan(X[:, feature].sum()))

        found = list(run(one, range(n_features)))
        self.offsets = np.concatenate([[0], np.cumsum([len(part) for part, _ in found])]).astype(np.int64)
        self.thresholds = np.concatenate([part for part, _ in found])
        self.has_missing = np.array([missing for _, missing in found])
        return self

    @property
    def n_bins(self) -> np.ndarray:
        """Bins per feature (d,), the missing one not counted."""
        return np.diff(self.offsets) + 1
