"""The cost-weighted confusion matrix."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost.metrics.encoding import Outcomes, encode


def cost_confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: Any = None,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
    normalize: Literal["all", "true", "pred", "cost"] | None = None,
) -> pd.DataFrame:
    """Where the cost comes from: counts times costs, for every pair of a true class and an answer.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_pred : array-like of shape (n,)
        The answers given: predicted labels, or what else the columns of the costs name.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.
    sample_cost : array-like or labelled table of shape (n, A), optional
        What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out. Columns with
        names are read by answer.
    normalize : {"all", "true", "pred", "cost"}, optional
        ``"all"`` divides by the number of rows, so that the entries add up to the mean cost; ``"true"`` and ``"pred"``
        divide by the rows of each true class or answer, so that the row or column sums are the mean costs of each;
        ``"cost"`` divides by the total cost, so that the entries are shares. Where some are gains, the total is of all
        costs and gains without their signs.

    Returns
    -------
    pandas.DataFrame of shape (K, A)
        Rows = truth, columns = predicted. A class or an answer without rows has entries of 0.

    Raises
    ------
    ValueError
        As :func:`mean_cost`, and for another ``normalize``.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    >>> from csboost import metrics
    >>> metrics.cost_confusion_matrix(["A", "C", "B", "A"], ["A", "A", "C", "A"], "linear")
    predicted    A    B    C
    truth
    A          0.0  0.0  0.0
    B          0.0  0.0  1.0
    C          2.0  0.0  0.0
    """
    if normalize not in (None, "all", "true", "pred", "cost"):
        raise ValueError(f"normalize must be None, 'all', 'true', 'pred' or 'cost', got {normalize!r}")
    outcomes = encode(cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers={"y_pred": y_pred})
    counts = _totals(outcomes, outcomes.weights)
    if outcomes.rows is None:
        cost = counts * outcomes.table + 0.0  # no rows times a gain is 0, not -0
    else:
        cost = _totals(outcomes, outcomes.weights * outcomes.costs_of(outcomes.given[0]))
    divisor: Any = {
        None: 1.0,
        "all": counts.sum(),
        "true": counts.sum(axis=1, keepdims=True),
        "pred": counts.sum(axis=0, keepdims=True),
        "cost": np.abs(cost).sum(),
    }[normalize]
    cost = np.divide(cost, divisor, out=np.zeros_like(cost), where=np.broadcast_to(divisor != 0, cost.shape))
    return _table(outcomes, cost)


def confusion_counts(
    y_true: Any, y_pred: Any, cost_matrix: Any, labels: Any, sample_weight: Any, sample_cost: Any
) -> pd.DataFrame:
    """How many rows, weights included, each cell of :func:`cost_confusion_matrix` is made of (K, A)."""
    outcomes = encode(cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers={"y_pred": y_pred})
    return _table(outcomes, _totals(outcomes, outcomes.weights))


def _totals(outcomes: Outcomes, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of something that every row has by truth and answer (K, A)."""
    K, A = outcomes.table.shape
    cell = outcomes.truth * A + outcomes.given[0]
    sums: NDArray[np.float64] = np.bincount(cell, weights=values, minlength=K * A).astype(np.float64)
    return sums.reshape(K, A)


def _table(outcomes: Outcomes, values: NDArray[np.float64]) -> pd.DataFrame:
    index, columns = pd.Index(outcomes.classes, name="truth"), pd.Index(outcomes.answers, name="predicted")
    return pd.DataFrame(values, index=index, columns=columns)
