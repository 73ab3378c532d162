"""Mean costs: of predictions, and of the same answer throughout."""

from __future__ import annotations

from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.encoding import encode


def mean_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: Any = None,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
) -> float:
    """Mean cost of the predictions, ``sum_i s_i C[y_i, yhat_i] / sum_i s_i``.

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

    Returns
    -------
    float
        In the unit of the costs; negative where gains outweigh them. With 0/1 costs it is the error rate.

    Raises
    ------
    ValueError
        For lengths that differ, labels or answers without a cost, or costs that do not fit; for a ``sample_cost``
        without names of its columns, where nothing says whether an answer is a class.

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

    Answers need not be classes:

    >>> import pandas as pd
    >>> C = pd.DataFrame([[0, 5, 1], [1, 0, 1]], index=["sick", "well"], columns=["sick", "well", "human"])
    >>> metrics.mean_cost(["sick", "sick", "well"], ["well", "human", "well"], C)
    2.0
    """
    return average_cost(y_true, y_pred, cost_matrix, labels, sample_weight, sample_cost)


def average_cost(
    y_true: Any,
    y_pred: Any,
    cost_matrix: Any,
    labels: Any,
    sample_weight: Any,
    sample_cost: Any,
    fitted: Any = None,
) -> float:
    """:func:`mean_cost` where the classes of a model count too, ``fitted``."""
    outcomes = encode(
        cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers={"y_pred": y_pred}, fitted=fitted
    )
    return outcomes.mean(outcomes.costs_of(outcomes.given[0]))


def constant_costs(
    y_true: ArrayLike,
    cost_matrix: Any = None,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    sample_cost: Any = None,
) -> pd.Series:
    """Mean cost of always giving the same answer: what any useful classifier must beat.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.
    sample_cost : array-like or labelled table of shape (n, A), optional
        What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out. Columns with
        names are read by answer.

    Returns
    -------
    pandas.Series of length A
        Indexed by the answer, in the unit of the costs; ``.idxmin()`` is the best constant answer.

    Raises
    ------
    ValueError
        For labels without a cost, weights that cannot be used, or costs that do not fit.

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
    outcomes = encode(cost_matrix, labels, sample_weight, sample_cost, y_true=y_true, answers={})
    return pd.Series(outcomes.constant_costs(), index=pd.Index(outcomes.answers, name="answer"), name="mean_cost")
