"""Intervals of means over rows, weighted or not: by normal theory, and by the bootstrap."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.utils import check_random_state

_CELLS = 2**22  # of resampled counts that are held at a time: 32 MB


class Interval(NamedTuple):
    """Means of several values per row, each with an interval and the two-sided p-value of a mean of 0; (m,) each."""

    mean: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    p_value: NDArray[np.float64]


def check_confidence(confidence: Any) -> float:
    """A share strictly between 0 and 1."""
    if not isinstance(confidence, (int, float, np.number)) or not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, such as 0.95, got {confidence!r}")
    return float(confidence)


def means_and_errors(
    values: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weighted means (m,) of values (m, n) and their standard errors; weights (n,) are positive.

    A row is one observation however much it weighs: the error is that of a ratio of two sums (Taylor's linearisation),
    which is the usual one where all weights are equal. One row tells nothing of its error, which is NaN then.
    """
    n, total = len(weights), weights.sum()
    mean = values @ weights / total
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = ((values - mean[:, None]) * (weights / total)) ** 2
        return mean, np.sqrt(squares.sum(axis=1) * np.divide(n, n - 1.0))


def normal_interval(values: NDArray[np.float64], weights: NDArray[np.float64], confidence: float) -> Interval:
    """By the standard error of a weighted mean of values (m, n); weights (n,) are positive."""
    mean, error = means_and_errors(values, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        p_value = np.where(error > 0, 2 * norm.sf(abs(mean) / error), np.where(np.isnan(error), np.nan, mean == 0))
    half = norm.ppf(0.5 + confidence / 2) * error
    return Interval(mean, error, mean - half, mean + half, p_value)


def bootstrap_interval(
    values: NDArray[np.float64], weights: NDArray[np.float64], confidence: float, n_resamples: int, random_state: Any
) -> Interval:
    """By percentiles of the means of resampled rows, of which all values go together."""
    rng = check_random_state(random_state)
    sums = _resampled_sums(np.vstack([weights, values * weights]), n_resamples, rng)
    resampled = sums[:, 1:] / sums[:, :1]
    tail = 0.5 - confidence / 2
    lower, upper = np.quantile(resampled, [tail, 1 - tail], axis=0)
    beyond = np.minimum((resampled <= 0).sum(axis=0), (resampled >= 0).sum(axis=0))
    p_value = np.minimum(2 * (beyond + 1) / (n_resamples + 1), 1.0)
    return Interval(values @ weights / weights.sum(), resampled.std(axis=0, ddof=1), lower, upper, p_value)


def _resampled_sums(rows: NDArray[np.float64], n_resamples: int, rng: Any) -> NDArray[np.float64]:
    """Sums (n_resamples, m) of as many of the n columns of ``rows`` (m, n) as there are, drawn with replacement.

    Equal columns are drawn by one multinomial count, which is the same as one by one. Costs from a table have few
    different values: a resample then takes no longer for more rows.
    """
    n = rows.shape[1]
    distinct, counts = np.unique(rows, axis=1, return_counts=True)
    few = 2 * len(counts) < n
    if not few:
        distinct = rows
    sums = []
    for start in range(0, n_resamples, at_once := max(1, _CELLS // distinct.shape[1])):
        size = min(at_once, n_resamples - start)
        if few:
            drawn = rng.multinomial(n, counts / n, size=size)
        else:
            drawn = np.stack([np.bincount(rng.randint(n, size=n), minlength=n) for _ in range(size)])
        sums.append(drawn @ distinct.T)
    return np.concatenate(sums)
