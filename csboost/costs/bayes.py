"""The Bayes rule on class probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.values import listed, numeric
from csboost.costs.checks import check_matrix
from csboost.costs.cost_table import CostTable, labels_of
from csboost.costs.resolution import resolve
from csboost.costs.tables import is_labelled, read_columns


def bayes_decision(proba: ArrayLike, C: ArrayLike) -> NDArray[np.intp]:
    """Index of the class of least expected cost, ``argmin_k sum_j proba[i, j] C[j, k]`` (the Bayes rule).

    Parameters
    ----------
    proba : array-like of shape (n, K)
        Class probabilities; rows need not sum to 1.
    C : array-like of shape (K, K)
        Cost matrix, rows = truth. Costs on the diagonal are taken as they stand.

    Returns
    -------
    ndarray of shape (n,)
        Column indices; the lowest one where costs tie.

    Raises
    ------
    ValueError
        When the shapes do not match, or an entry is NaN, infinite or negative.

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
    """
    P, costs = _decision_tables(proba, C)
    if P.ndim != 2 or costs.shape != (P.shape[1], P.shape[1]):
        raise ValueError(f"proba must have shape (n, K) and C (K, K), got {P.shape} and {costs.shape}")
    if not (np.isfinite(P) & (P >= 0)).all():
        raise ValueError("proba must be finite and not negative")
    return np.argmin(P @ check_matrix(costs, range(len(costs)), name="C", allow_zero=True), axis=1)


def _decision_tables(proba: Any, C: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities and costs in one order of the classes, that of the columns of ``proba``."""
    labels = labels_of(C)
    if not is_labelled(proba):
        if labels is not None and not isinstance(C, CostTable) and labels != _sorted(labels):
            raise ValueError(
                f"C orders its classes {listed(labels)}, but proba has no labels to tell whether its columns do too: "
                "give costs.resolve(C, model.classes_), or both with labels, or C.to_numpy() if the orders agree"
            )
        costs = numeric(C, "C") if labels is None else resolve(C, _sorted(labels))
        return numeric(proba, "proba"), costs
    table = read_columns(proba, "proba", labels)
    costs = numeric(C, "C") if labels is None else resolve(C, table.columns)
    return numeric(table.values, "proba"), costs


def _sorted(labels: Sequence[Any]) -> list[Any]:
    try:
        return sorted(labels)
    except TypeError:  # of mixed types: no order to rely on
        return []
