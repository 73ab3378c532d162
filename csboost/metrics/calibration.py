"""Calibration of expected costs: do decisions cost what the model expected of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.encoding import encode
from csboost.metrics.intervals import means_and_errors
from csboost.metrics.promises import expected_of_answers, judge_promise


def cost_calibration(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    expected_cost: ArrayLike,
    cost_matrix: Any = None,
    *,
    n_bins: int = 10,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
) -> pd.DataFrame:
    """Expected against realised cost of the decisions, in bins of equally many rows.

    A row is one observation whatever it weighs, and none where it weighs 0: it counts in no bin, and moves no edge of
    one.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_pred : array-like of shape (n,)
        The answers given: predicted labels, or what else the columns of the costs name.
    expected_cost : array-like of shape (n,) or (n, A)
        What a model expected its answer to cost, or ``predict_expected_cost(X)``, of which the answer's column is
        taken: by name from a table, otherwise columns in the order of ``labels`` (then of the other answers). Without
        ``labels`` that is the sorted order, and where ``cost_matrix`` or the data have another one the columns are
        refused.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
    n_bins : int, default=10
        Rows with equal expected cost share a bin, so there may be fewer.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.
    sample_cost : array-like or labelled table of shape (n, A), optional
        What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out. Columns with
        names are read by answer.

    Returns
    -------
    pandas.DataFrame
        A row per bin in order of expected cost: ``expected`` and ``realised`` (weighted means), ``standard_error`` of
        the realised mean as in :func:`savings` (with equal weights ``s / sqrt(n)``, ``s`` from ``n - 1``; NaN for a bin
        of one row, which tells nothing of its error), ``rows``, and the range ``lowest``, ``highest`` of expected cost.
        ``.attrs["verdict"]`` compares the two over all rows in a sentence, as :func:`promised_cost` does.

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
    outcomes = encode(cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers={"y_pred": y_pred})
    expected = expected_of_answers(expected_cost, outcomes, ordered=labels is not None)
    realised, kept = outcomes.costs_of(outcomes.given[0]), outcomes.weights > 0
    table = pd.DataFrame({"expected": expected, "realised": realised, "weight": outcomes.weights})[kept]
    edges = np.unique(np.quantile(table["expected"], np.arange(1, n_bins) / n_bins, method="lower"))
    bins = np.searchsorted(edges, table["expected"], side="left")
    rows = [_calibration_row(group) for _, group in table.groupby(bins)]
    result = pd.DataFrame(rows).rename_axis("bin")
    result.attrs["verdict"] = judge_promise(outcomes, expected).verdict
    return result


def _calibration_row(group: pd.DataFrame) -> dict[str, float]:
    weight, costs = group["weight"].to_numpy(), group["realised"].to_numpy()
    share = weight / weight.sum()
    return {
        "expected": float(share @ group["expected"]),
        "realised": float(share @ costs),
        "standard_error": float(means_and_errors(costs[None], weight)[1][0]),
        "rows": len(group),
        "lowest": float(group["expected"].min()),
        "highest": float(group["expected"].max()),
    }
