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
    y_true, y_pred, cost_matrix, labels, sample_weight
        As in :func:`csboost.metrics.mean_cost`.
    expected_cost : array-like of shape (n,) or (n, K)
        What a model expected its prediction to cost, or ``predict_expected_cost(X)``, of which the predicted class's
        column is taken: by name from a table, otherwise columns in the order of ``labels``. Without ``labels`` that is
        the sorted order, and where ``cost_matrix`` or the data have another one the columns are refused.
    n_bins : int, default=10
        Rows with equal expected cost share a bin, so there may be fewer.

    Returns
    -------
    pandas.DataFrame
        A row per bin in order of expected cost: ``expected`` and ``realised`` (weighted means), ``standard_error`` of
        the realised mean, ``rows``, and the range ``lowest``, ``highest`` of expected cost.
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
