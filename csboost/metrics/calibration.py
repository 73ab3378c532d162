"""Calibration of expected costs: do decisions cost what the model expected of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.encoding import encode, expected_costs, row_weights


def cost_calibration(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    expected_cost: ArrayLike,
    cost_matrix: Any,
    *,
    n_bins: int = 10,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> pd.DataFrame:
    """Expected against realised cost of the decisions, in bins of equally many rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_pred : array-like of shape (n,)
        Predicted labels.
    expected_cost : array-like of shape (n,) or (n, K)
        What a model expected its prediction to cost, or ``predict_expected_cost(X)``, of which the predicted class's
        column is taken: by name from a table, otherwise columns in the order of ``labels``. Without ``labels`` that is
        the sorted order, and where ``cost_matrix`` or the data have another one the columns are refused.
    cost_matrix : None, str, array-like of shape (K, K), labelled table or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`.
    n_bins : int, default=10
        Rows with equal expected cost share a bin, so there may be fewer.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.

    Returns
    -------
    pandas.DataFrame
        A row per bin in order of expected cost: ``expected`` and ``realised`` (weighted means), ``standard_error`` of
        the realised mean, ``rows``, and the range ``lowest``, ``highest`` of expected cost.

    Raises
    ------
    ValueError
        As :func:`mean_cost`, and for expected costs of another shape, or that are not finite.

    References
    ----------
    Murphy, A. H. and Winkler, R. L. (1977), "Reliability of subjective probability forecasts of precipitation and
    temperature", Journal of the Royal Statistical Society C 26, 41-47, doi:10.2307/2346866 (reliability diagrams, here
    of costs).

    Examples
    --------
    >>> from csboost import metrics
    >>> truth, answers = ["A", "B", "B", "A"], ["A", "A", "B", "A"]
    >>> metrics.cost_calibration(truth, answers, [0.1, 0.6, 0.2, 0.4], None, n_bins=2)[["expected", "realised"]]
         expected  realised
    bin
    0        0.15       0.0
    1        0.50       0.5
    """
    if not isinstance(n_bins, (int, np.integer)) or n_bins < 1:
        raise ValueError(f"n_bins must be a positive integer, got {n_bins!r}")
    classes, C, (truth, answer) = encode(cost_matrix, labels, sample_weight, y_true=y_true, y_pred=y_pred)
    n = len(truth)
    expected = expected_costs(expected_cost, classes, n, ordered=labels is not None)
    if expected.shape == (n, len(C)):
        expected = expected[np.arange(n), answer]
    if expected.shape != (n,) or not np.isfinite(expected).all():
        raise ValueError(f"expected_cost must be finite and of shape ({n},) or ({n}, {len(C)}), got {expected.shape}")
    edges = np.unique(np.quantile(expected, np.arange(1, n_bins) / n_bins, method="lower"))
    table = pd.DataFrame(
        {
            "bin": np.searchsorted(edges, expected, side="left"),
            "expected": expected,
            "realised": C[truth, answer],
            "weight": row_weights(sample_weight, n),
        }
    )
    rows = [_calibration_row(group) for _, group in table[table["weight"] > 0].groupby("bin")]
    return pd.DataFrame(rows).rename_axis("bin")


def _calibration_row(group: pd.DataFrame) -> dict[str, float]:
    weight = group["weight"].to_numpy()
    share = weight / weight.sum()
    realised = float(share @ group["realised"])
    squares = float(share**2 @ (group["realised"] - realised) ** 2)
    return {
        "expected": float(share @ group["expected"]),
        "realised": realised,
        "standard_error": squares**0.5,
        "rows": len(group),
        "lowest": float(group["expected"].min()),
        "highest": float(group["expected"].max()),
    }
