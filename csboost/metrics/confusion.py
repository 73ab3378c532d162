"""The cost-weighted confusion matrix."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.encoding import encode, row_weights


def cost_confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Literal["all", "true", "pred", "cost"] | None = None,
) -> pd.DataFrame:
    """Where the cost comes from: counts times costs, for every pair of true and predicted class.

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
    normalize : {"all", "true", "pred", "cost"}, optional
        ``"all"`` divides by the number of rows, so that the entries add up to the mean cost; ``"true"`` and ``"pred"``
        divide by the rows of each true or predicted class, so that the row or column sums are the mean costs per class;
        ``"cost"`` divides by the total cost, so that the entries are shares.

    Returns
    -------
    pandas.DataFrame of shape (K, K)
        Rows = truth, columns = predicted. A class without rows has entries of 0.

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
    classes, C, (truth, answer) = encode(cost_matrix, labels, sample_weight, y_true=y_true, y_pred=y_pred)
    K = len(C)
    weights = row_weights(sample_weight, len(truth))
    counts = np.bincount(truth * K + answer, weights=weights, minlength=K * K).reshape(K, K)
    cost = counts * C
    divisor: Any = {
        None: 1.0,
        "all": counts.sum(),
        "true": counts.sum(axis=1, keepdims=True),
        "pred": counts.sum(axis=0, keepdims=True),
        "cost": cost.sum(),
    }[normalize]
    cost = np.divide(cost, divisor, out=np.zeros_like(cost), where=np.broadcast_to(divisor != 0, cost.shape))
    return pd.DataFrame(cost, index=pd.Index(classes, name="truth"), columns=pd.Index(classes, name="predicted"))
