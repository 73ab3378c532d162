"""The Bayes rule on class probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.values import numeric
from csboost.costs.answers import resolve_answers
from csboost.costs.checks import check_finite
from csboost.costs.cost_table import labels_of
from csboost.costs.gains import check_gains, expected_costs
from csboost.costs.named_columns import by_name, by_position


def bayes_decision(proba: ArrayLike, C: ArrayLike) -> NDArray[np.intp]:
    """Index of the answer of least expected cost, ``argmin_a sum_j proba[i, j] C[j, a]`` (the Bayes rule).

    Parameters
    ----------
    proba : array-like of shape (n, K)
        Class probabilities; rows need not sum to 1.
    C : array-like of shape (K, A)
        What an answer costs, rows = truth; negative entries are gains. Answers need not be classes. Costs of right
        answers are taken as they stand.

    Returns
    -------
    ndarray of shape (n,)
        Column indices; the lowest one where costs tie. Where ``C`` has labels, its columns are first brought in the
        order of :func:`resolve_answers`: the classes as in ``proba``, then other answers.

    Raises
    ------
    ValueError
        When the shapes do not match, an entry is NaN or infinite or a probability negative, and for gains that cannot
        be meant (see :func:`resolve`).

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the Bayes rule).

    Examples
    --------
    >>> from csboost import costs
    >>> costs.bayes_decision([[0.6, 0.4], [0.9, 0.1]], [[0, 1], [4, 0]])
    array([1, 0])
    >>> costs.bayes_decision([[0.6, 0.4], [0.95, 0.05]], [[0, 1, 0.3], [4, 0, 0.3]])  # the third answer: ask someone
    array([2, 0])
    """
    P, costs = _decision_tables(proba, C)
    if P.ndim != 2 or costs.ndim != 2 or len(costs) != P.shape[1] or not costs.size:
        raise ValueError(f"proba must have shape (n, K) and C (K, A), got {P.shape} and {costs.shape}")
    if not (np.isfinite(P) & (P >= 0)).all():
        raise ValueError("proba must be finite and not negative")
    return expected_costs(P, costs).argmin(axis=1)


def _decision_tables(proba: Any, C: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities and costs in one order of the classes, that of the columns of ``proba``."""
    labels = labels_of(C)
    P, columns = by_name(proba, labels)
    if labels is not None and columns is None:
        remedy = "costs.resolve(C, model.classes_), or both with labels, or C.to_numpy() if the orders agree"
        columns = by_position(C, "C orders its classes", remedy)
    return P, _costs(C, None if labels is None else columns)


def _costs(C: Any, classes: Sequence[Any] | None) -> NDArray[np.float64]:
    """The costs (K, A) for the classes, which is None where ``C`` has no labels."""
    if classes is not None:
        return resolve_answers(C, classes).costs
    costs = numeric(C, "C")
    if costs.ndim != 2:
        return costs  # refused by its shape
    rows, columns = range(len(costs)), range(costs.shape[1])
    check_finite(costs, rows, columns, "C")
    check_gains(costs, rows, columns, "C")
    return costs
