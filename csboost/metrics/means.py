"""Mean costs: of predictions, and of the same answer throughout."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.encoding import encode, row_weights


def mean_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean cost of the predictions, ``sum_i s_i C[y_i, yhat_i] / sum_i s_i``.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    cost_matrix : None, str, array-like of shape (K, K), labelled table or CostTable
        Rows = truth.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional

    Returns
    -------
    float
        In the unit of the costs. With 0/1 costs it is the error rate.

    Raises
    ------
    ValueError
        For lengths that differ, labels without a cost, or a cost matrix that does not fit.
    """
    return average_cost(y_true, y_pred, cost_matrix, labels, sample_weight)


def average_cost(
    y_true: Any, y_pred: Any, cost_matrix: Any, labels: Any, sample_weight: Any, fitted: Any = None
) -> float:
    """:func:`mean_cost` where the classes may also be ``fitted``, a model's ``classes_``."""
    _, C, (truth, answer) = encode(cost_matrix, labels, sample_weight, fitted=fitted, y_true=y_true, y_pred=y_pred)
    return float(np.average(C[truth, answer], weights=row_weights(sample_weight, len(truth))))


def constant_costs(
    y_true: ArrayLike, cost_matrix: Any, *, labels: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> pd.Series:
    """Mean cost of always giving the same answer: what any useful classifier must beat.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    cost_matrix, labels, sample_weight
        As in :func:`mean_cost`.

    Returns
    -------
    pandas.Series of length K
        Indexed by the answer; ``.idxmin()`` is the best constant answer.
    """
    classes, C, (truth,) = encode(cost_matrix, labels, sample_weight, y_true=y_true)
    weights = row_weights(sample_weight, len(truth))
    shares = np.bincount(truth, weights=weights, minlength=len(C)) / weights.sum()
    return pd.Series(shares @ C, index=pd.Index(classes, name="answer"), name="mean_cost")
