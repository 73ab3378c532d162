"""What predictions cost: means, scorers, the cost-weighted confusion matrix, calibration of expected costs.

Costs are given as in :func:`csboost.costs.resolve` (rows = truth). Where ``labels`` is not given, the classes are the
axis of a labelled matrix, or else the sorted labels found in the data. Give ``labels`` (or a labelled matrix) where a
class may be absent from the data: a name such as ``"linear"`` counts distances between the classes it is told of.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED

from csboost import costs
from csboost._cost_checks import check_sample_weight, is_labelled, listed, numeric

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
    cost_matrix : None, str, array-like of shape (K, K) or pandas.DataFrame
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
    _, C, (truth, answer) = _encode(cost_matrix, labels, y_true=y_true, y_pred=y_pred)
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
    classes, C, (truth,) = _encode(cost_matrix, labels, y_true=y_true)
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
    classes, C, (truth, answer) = _encode(cost_matrix, labels, y_true=y_true, y_pred=y_pred)
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
        column is taken (columns in the order of ``labels``).
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
    _, C, (truth, answer) = _encode(cost_matrix, labels, y_true=y_true, y_pred=y_pred)
    n = len(truth)
    expected = numeric(expected_cost, "expected_cost")
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

    def __init__(self, cost_matrix: Any = None, labels: ArrayLike | None = None) -> None:
        self.cost_matrix = cost_matrix
        self.labels = labels

    def score(self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Minus the mean cost of ``estimator.predict(X)`` against ``y``: greater is better."""
        labels = self.labels
        if labels is None and not is_labelled(self.cost_matrix) and hasattr(estimator, "classes_"):
            labels = np.union1d(estimator.classes_, np.asarray(y))
        prediction = estimator.predict(X)
        return -mean_cost(y, prediction, self.cost_matrix, labels=labels, sample_weight=sample_weight)

    __call__ = score


def make_cost_scorer(cost_matrix: Any, *, labels: ArrayLike | None = None) -> CostScorer:
    """Build a scorer for ``cross_validate``, ``GridSearchCV`` and the like: minus the mean cost.

    Parameters
    ----------
    cost_matrix : None, str, array-like of shape (K, K) or pandas.DataFrame
        Rows = truth.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``. Without them, and without a labelled matrix, the classes are
        those that the estimator was fitted on and those of the test fold.

    Returns
    -------
    CostScorer
        Callable as ``scorer(estimator, X, y, sample_weight=None)``. With metadata routing enabled,
        ``.set_score_request(sample_weight=True)`` asks for weights.
    """
    return CostScorer(cost_matrix, labels)


def _encode(
    cost_matrix: Any, labels: ArrayLike | None, **targets: ArrayLike
) -> tuple[NDArray[Any], NDArray[np.float64], list[NDArray[np.intp]]]:
    """Classes (K,), resolved costs (K, K) and the targets as class indices."""
    values = {name: _column(target, name) for name, target in targets.items()}
    lengths = {name: len(value) for name, value in values.items()}
    if len(set(lengths.values())) > 1 or 0 in lengths.values():
        raise ValueError(f"the targets must be of one length and not empty, got {lengths}")
    if labels is not None:
        classes = np.asarray(labels)
    elif is_labelled(cost_matrix):
        classes = np.asarray(cost_matrix.index)
    else:
        classes = np.unique(np.concatenate(list(values.values())))
        shape = np.shape(cost_matrix)
        if len(shape) == 2 and shape[0] == shape[1] != len(classes):
            raise ValueError(
                f"cost_matrix is for {shape[0]} classes, but the data hold {len(classes)} ({listed(list(classes))}): "
                "give labels= (all class labels, in the order of the matrix) or a labelled pandas.DataFrame"
            )
    index = pd.Index(classes)
    if not index.is_unique:
        raise ValueError(f"labels are repeated: {listed(list(index[index.duplicated()].unique()))}")
    codes = []
    for name, value in values.items():
        codes.append(index.get_indexer(pd.Index(value)))
        if (codes[-1] < 0).any():
            unknown = list(pd.unique(pd.Series(value[codes[-1] < 0])))
            raise ValueError(f"{name} holds {listed(unknown)}, which the labels do not: {listed(list(classes))}")
    return classes, costs.resolve(cost_matrix, classes), codes


def _column(values: ArrayLike, name: str) -> NDArray[Any]:
    column = np.asarray(values)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise ValueError(f"{name} must have shape (n,), got {column.shape}")
    return column


def _weights(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64]:
    return np.ones(n) if sample_weight is None else check_sample_weight(sample_weight, n)
