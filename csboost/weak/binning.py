"""Floats to uint8 codes, and the thresholds that lead back.

A feature with at most 255 distinct values gets a bin per value, others get 255 quantile bins, where :class:`Limits` do
not say otherwise; a missing value (NaN) has the code 255. A row lies left of boundary b when its code is at most b,
which is the same as ``x <= thresholds[b]``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csboost._jit import kernel
from csboost.weak.layout import APART, BINS, BLOCK, FEATURE_OF, MISSING, SUMMED, SYMBOLS, Matrix
from csboost.weak.matrix import SAMPLE, sample_rows
from csboost.weak.rows import Rows

MAX_BINS = 255
MAX_CATEGORIES = 250


class Limits(NamedTuple):
    """How many bins a column of quantities has at most, the missing one not counted."""

    values: int = MAX_BINS  # as many distinct values, or fewer, are all kept apart
    uneven: int = MAX_BINS  # bins of a column that has more, some of them much more frequent than others
    quantiles: int = MAX_BINS  # bins of any other column


FINEST = Limits()
DEFAULT_QUANTILES = 127  # more take longer, and cost was not told apart (docs/experiments.md)


def limits_of(max_bins: int | None) -> Limits:
    """What the parameter ``max_bins`` of gradient boosting means. By default there are as many bins as there can be
    where values are few, or some are frequent: they may say something of their own, as names and round amounts do.
    """
    return Limits(quantiles=DEFAULT_QUANTILES) if max_bins is None else Limits(*[int(max_bins)] * 3)


@kernel
def encode(matrix_, first, last, n_rows, slots, n_joint, table, codes):
    """Write the codes of row blocks ``first .. last - 1``, column by column within a block: ``n_joint`` joint columns,
    then the ``slots`` (:mod:`csboost.weak.columns`); missing values become 255.

    ``table`` (d, 256): each feature's thresholds, filled up with infinity, so that every search takes the same eight
    steps and no branch has to be guessed.
    """
    matrix, n_columns = Matrix(*matrix_), n_joint + slots.shape[0]
    flat, step_down = matrix.flat, np.uintp(matrix.row_step)
    for block in range(first, last):
        start = block * BLOCK
        height = min(BLOCK, n_rows - start)
        codes[start * n_columns : start * n_columns + n_joint * height] = 0
        for slot in range(slots.shape[0]):
            feature, apart, symbols = slots[slot, FEATURE_OF], slots[slot, APART], slots[slot, SYMBOLS]
            thresholds, out = table[feature], np.uintp(start * n_columns + (n_joint + slot) * height)
            source = np.uintp(start * matrix.row_step + feature * matrix.column_step)
            for i in range(height):
                row = np.uintp(i)  # unsigned: no test for negative indices
                x = np.float64(flat[source + row * step_down])
                below = np.uintp(0)  # thresholds below x: none for NaN
                for step in (128, 64, 32, 16, 8, 4, 2, 1):
                    below += np.uintp(step) if thresholds[below + np.uintp(step - 1)] < x else np.uintp(0)
                codes[out + row] = MISSING if np.isnan(x) else np.uint8(below)
            if symbols > 0:
                joint = np.uintp(start * n_columns + slots[slot, SUMMED] * height)
                for i in range(height):
                    row = np.uintp(i)
                    codes[joint + row] += min(np.intp(codes[out + row]), symbols - 1) * apart


@kernel
def merge_equal(values, weights, masses):
    """Keep each of the ascending ``values`` (n,) once, in place, with the total of its ``weights`` in ``masses``;
    returns how many there are.
    """
    last = 0
    masses[0] = weights[0]
    for i in range(1, values.shape[0]):
        if values[i] != values[last]:
            last += 1
            values[last], masses[last] = values[i], 0.0
        masses[last] += weights[i]
    return last + 1


@kernel
def mark_heavy(masses, max_bins, is_heavy):
    """Mark the values that weigh more than two bins of the others; each will have a bin of its own.

    Without this one heavy row, or a value that half the rows have, would leave the others next to no bins. What is
    heavy depends on what is left, so values are marked until none is; returns the number and the weight of the bins
    of the others. A mark costs at most two boundaries, so that one bin is always left for them.
    """
    n, n_bins, rest = masses.shape[0], max_bins, 0.0
    for i in range(n):
        is_heavy[i] = False
    while True:
        rest, cuts = 0.0, 0
        for i in range(n):
            rest += 0.0 if is_heavy[i] else masses[i]
            cuts += i + 1 < n and (is_heavy[i] or is_heavy[i + 1])
        n_bins, grown = max_bins - cuts, False
        for i in range(n):
            if not is_heavy[i] and masses[i] * n_bins > 2.0 * rest:
                is_heavy[i] = grown = True
        if not grown:
            return n_bins, rest


@kernel
def cut_column(values, masses, limits, is_heavy, thresholds):
    """Write the thresholds of one column; returns their number.

    ``values`` (n,) distinct and ascending, ``masses`` (n,) their weights, ``limits`` how many values are kept apart,
    and how many bins there are otherwise, ``is_heavy`` (n,) scratch. Few values are all kept apart. Of more, heavy ones
    keep bins of their own (:func:`mark_heavy`) and the others share quantile bins of about equal weight: weight, not
    rows, so that weight 2 counts like the row twice. A threshold lies midway between two neighbouring values, at least
    the lower and below the higher one.
    """
    n, found, quantile, below = values.shape[0], 0, 1, 0.0
    max_values, max_bins = limits
    few = n <= max_values
    n_bins, rest = (max_bins, 0.0) if few else mark_heavy(masses, max_bins, is_heavy)
    for i in range(n - 1):
        cut = few
        if not few:
            cut = is_heavy[i] or is_heavy[i + 1]
            below += 0.0 if is_heavy[i] else masses[i]
            while quantile < n_bins and below * n_bins >= rest * (1.0 - 1e-12) * quantile:
                quantile, cut = quantile + 1, True
        if cut:
            low, high = np.float64(values[i]), np.float64(values[i + 1])
            middle = low / 2 + high / 2
            thresholds[found] = low if middle >= high else middle
            found += 1
    return found


def place_thresholds(
    column: np.ndarray, weights: np.ndarray | None, limits: Limits = FINEST
) -> tuple[np.ndarray, bool, bool]:
    """Thresholds of one feature, whether they keep all its values apart, and whether values are missing."""
    if weights is None:
        values, weights = np.sort(column).astype(np.float64), np.ones(len(column))
    else:
        order = np.argsort(column, kind="stable")
        values, weights = column[order].astype(np.float64), weights[order]
    missing = bool(np.isnan(values[-1]))  # NaN sorts last
    if missing:
        values = values[: np.searchsorted(values, np.nan)]
    if len(values) == 0:
        return np.empty(0), True, True
    masses = np.empty(len(values))
    n = merge_equal(values, weights, masses)
    return cut_between(values[:n], masses[:n], limits), n <= limits.values, missing


def are_uneven(masses: np.ndarray) -> bool:
    """Whether some of the values that weigh ``masses`` (m,) are much more frequent than others: by the effective number
    of values (inverse Simpson index) they are worth at most half as many of equal weight.

    Neither the unit of the weights matters, nor whether a row has weight 2 or comes twice.
    """
    shares = masses / masses.max()
    return bool(2.0 * shares.sum() ** 2 <= len(shares) * np.square(shares).sum())


def cut_between(values: np.ndarray, masses: np.ndarray, limits: Limits) -> np.ndarray:
    """Thresholds between distinct, ascending ``values`` (m,) that weigh ``masses`` (m,)."""
    if len(values) == 0:
        return np.empty(0)
    is_finer = limits.uneven > limits.quantiles and are_uneven(masses)
    thresholds, n_bins = np.empty(max(limits) - 1), limits.uneven if is_finer else limits.quantiles
    found = cut_column(values, masses, (limits.values, n_bins), np.empty(len(values), np.bool_), thresholds)
    return thresholds[:found]


def whole_masses(weights: np.ndarray, rows: Rows) -> np.ndarray:
    """Weights (n,) as whole numbers (n,) whose sums are exact; none where all rows weigh the same."""
    if rows.most(weights.max(initial=-np.inf)) == -rows.most(-weights.min(initial=np.inf)):
        return np.zeros(0, np.int64)
    _, exponent = np.frexp(rows.sum(weights))
    return np.rint(np.ldexp(weights, 60 - exponent)).astype(np.int64)


def separate_categories(column: np.ndarray, feature: int) -> tuple[np.ndarray, bool]:
    """Thresholds that make each category number of a column its own code, and whether values are missing."""
    is_missing = np.isnan(column)
    numbers = column[~is_missing]
    highest = int(numbers.max()) if len(numbers) else 0
    if len(numbers) and (numbers.min() < 0 or highest >= MAX_CATEGORIES or (numbers != np.floor(numbers)).any()):
        raise ValueError(
            f"column {feature} is categorical and must hold whole numbers from 0 to {MAX_CATEGORIES - 1}, got "
            f"{numbers.min():g} to {numbers.max():g}; merge rare categories and number them anew."
        )
    return np.arange(highest) + 0.5, bool(is_missing.any())


def _has_missing(X: np.ndarray, rows: Rows) -> np.ndarray:
    """Which columns (d,) have missing values: sums, one pass in the order of memory, tell where to look."""
    with np.errstate(over="ignore", invalid="ignore"):
        doubtful = np.isnan(X.sum(axis=0))  # a sum of large numbers may overflow to it, too
    for feature in np.flatnonzero(doubtful):
        doubtful[feature] = any(np.isnan(X[block, feature]).any() for block in rows.blocks)
    return doubtful


class Binner:
    """Bins of every feature of a training matrix.

    Attributes
    ----------
    thresholds : ndarray (sum of boundaries,) float64
        All features' thresholds, one after another, ascending within a feature.
    offsets : ndarray (d + 1,)
        ``thresholds[offsets[f] : offsets[f + 1]]`` are those of feature f.
    has_missing : ndarray (d,) bool
    masses : ndarray (n,) or (0,)
        Weights as whole numbers (:func:`whole_masses`).
    """

    def fit(
        self,
        X: np.ndarray,
        weights: np.ndarray | None = None,
        rows: Rows | None = None,
        categorical: np.ndarray | None = None,
        limits: Limits = FINEST,
    ) -> Binner:
        """Place the bins of ``X`` (n, d); ``rows`` do the work. Columns that are ``categorical`` (d,) have a bin per
        category number.

        Many rows are sampled. Where the sample shows few values of a column, all rows are looked at.
        """
        rows = Rows(len(X)) if rows is None else rows
        self.masses = np.zeros(0, np.int64) if weights is None else whole_masses(weights, rows)
        sampled = None
        if weights is not None and len(self.masses):
            sampled = rows.pick(weights, sample_rows(rows.n_all) if rows.n_all > SAMPLE else slice(None))
        column = rows.sampled(X)

        def one(feature: int) -> tuple[np.ndarray, bool, bool]:
            if categorical is not None and categorical[feature]:
                return *separate_categories(X[:, feature], feature), False
            found, exact, missing = place_thresholds(column(feature), sampled, limits)
            return found, missing, exact

        found = rows.map(one, range(X.shape[1]))
        thresholds, missing = [part for part, _, _ in found], np.array([lost for _, lost, _ in found])
        if rows.n_all > SAMPLE:
            unseen = _has_missing(X, rows).astype(np.int64)
            rows.add(unseen)
            few = [feature for feature, (_, _, exact) in enumerate(found) if exact]
            for feature, seen in zip(few, rows.distinct(X, few, self.masses), strict=True):
                thresholds[feature] = cut_between(seen.values, seen.masses.astype(np.float64), limits)
            missing |= unseen > 0
        self.offsets = np.concatenate([[0], np.cumsum([len(part) for part in thresholds])]).astype(np.int64)
        self.thresholds, self.has_missing = np.concatenate(thresholds), missing
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
