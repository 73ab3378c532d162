"""What predictions cost: means, scorers, the cost-weighted confusion matrix, calibration of expected costs.

Costs are given as in :func:`csboost.costs.resolve` (rows = truth). Where ``labels`` is not given, the classes are those
of a labelled matrix in its order, or else the categories that the data declare (in their order, if it is declared too),
or else the sorted labels found. Give one of these where a class may be absent from the data: a name such as
``"linear"`` counts steps between the classes it is told of.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED

from csboost._cost_checks import check_sample_weight
from csboost._encoding import encode, expected_costs

__all__ = ["CostScorer", "constant_costs", "cost_calibration", "cost_confusion_matrix", "make_cost_scorer", "mean_cost"]


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
    return _mean_cost(y_true, y_pred, cost_matrix, labels, sample_weight)


def _mean_cost(
    y_true: Any, y_pred: Any, cost_matrix: Any, labels: Any, sample_weight: Any, fitted: Any = None
) -> float:
    _, C, (truth, answer) = encode(cost_matrix, labels, sample_weight, fitted=fitted, y_true=y_true, y_pred=y_pred)
    return float(np.average(C[truth, answer], weights=_weights(sample_weight, len(truth))))


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
    weights = _weights(sample_weight, len(truth))
    shares = np.bincount(truth, weights=weights, minlength=len(C)) / weights.sum()
    return pd.Series(shares @ C, index=pd.Index(classes, name="answer"), name="mean_cost")


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
    y_true, y_pred, cost_matrix, labels, sample_weight
        As in :func:`mean_cost`.
    normalize : {"all", "true", "pred", "cost"}, optional
        ``"all"`` divides by the number of rows, so that the entries add up to the mean cost; ``"true"`` and ``"pred"``
        divide by the rows of each true or predicted class, so that the row or column sums are the mean costs per class;
        ``"cost"`` divides by the total cost, so that the entries are shares.

    Returns
    -------
    pandas.DataFrame of shape (K, K)
        Rows = truth, columns = predicted. A class without rows has entries of 0.
    """
    if normalize not in (None, "all", "true", "pred", "cost"):
        raise ValueError(f"normalize must be None, 'all', 'true', 'pred' or 'cost', got {normalize!r}")
    classes, C, (truth, answer) = encode(cost_matrix, labels, sample_weight, y_true=y_true, y_pred=y_pred)
    K = len(C)
    weights = _weights(sample_weight, len(truth))
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
        As in :func:`mean_cost`.
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
            "weight": _weights(sample_weight, n),
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


class CostScorer(BaseEstimator):
    """Negative mean cost of an estimator's predictions, for ``scoring=``; see :func:`make_cost_scorer`."""

    __metadata_request__score = {"estimator": UNUSED}  # what scikit-learn asks of a router

    # What TunedThresholdClassifierCV takes from a scorer to score every threshold by.
    _sign = -1
    _kwargs: dict[str, Any] = {}

    def __init__(self, cost_matrix: Any = None, labels: ArrayLike | None = None) -> None:
        self.cost_matrix = cost_matrix
        self.labels = labels

    def score(self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Minus the mean cost of ``estimator.predict(X)`` against ``y``: greater is better."""
        fitted = getattr(estimator, "classes_", None)
        return -_mean_cost(y, estimator.predict(X), self.cost_matrix, self.labels, sample_weight, fitted)

    __call__ = score

    def _score_func(self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        return mean_cost(y_true, y_pred, self.cost_matrix, labels=self.labels, sample_weight=sample_weight)


def make_cost_scorer(cost_matrix: Any, *, labels: ArrayLike | None = None) -> CostScorer:
    """Build a scorer for ``cross_validate``, ``GridSearchCV`` and the like: minus the mean cost.

    Parameters
    ----------
    cost_matrix : None, str, array-like of shape (K, K), labelled table or CostTable
        Rows = truth.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``. Without them, and without a labelled matrix, the classes are
        those that the estimator was fitted on and those of the test fold, in the order that ``y`` declares if it does.

    Returns
    -------
    CostScorer
        Callable as ``scorer(estimator, X, y, sample_weight=None)``. With metadata routing enabled,
        ``.set_score_request(sample_weight=True)`` asks for weights.
    """
    return CostScorer(cost_matrix, labels)


def _weights(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64]:
    return np.ones(n) if sample_weight is None else check_sample_weight(sample_weight, n)
