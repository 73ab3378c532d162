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
    y_true : array-like of shape (n,)
        True labels.
    y_pred : array-like of shape (n,)
        Predicted labels.
    cost_matrix : None, str, array-like of shape (K, K), labelled table or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.

    Returns
    -------
    float
        In the unit of the costs. With 0/1 costs it is the error rate.

    Raises
    ------
    ValueError
        For lengths that differ, labels without a cost, or a cost matrix that does not fit.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the test cost, section "Numerical
    Experiments").

    Examples
    --------
    >>> from csboost import metrics
    >>> metrics.mean_cost(["A", "C", "B", "A"], ["A", "A", "C", "A"], "linear")
    0.75
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
        True labels.
    cost_matrix : None, str, array-like of shape (K, K), labelled table or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.

    Returns
    -------
    pandas.Series of length K
        Indexed by the answer, in the unit of the costs; ``.idxmin()`` is the best constant answer.

    Raises
    ------
    ValueError
        For labels without a cost, weights that cannot be used, or a cost matrix that does not fit.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    >>> from csboost import metrics
    >>> metrics.constant_costs(["A", "B", "C", "C"], "linear")
    answer
    A    1.25
    B    0.75
    C    0.75
    Name: mean_cost, dtype: float64
    """
    classes, C, (truth,) = encode(cost_matrix, labels, sample_weight, y_true=y_true)
    weights = row_weights(sample_weight, len(truth))
    shares = np.bincount(truth, weights=weights, minlength=len(C)) / weights.sum()
    return pd.Series(shares @ C, index=pd.Index(classes, name="answer"), name="mean_cost")
