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
    y_true : array-like of shape (n,)
        True labels.
    y_pred : array-like of shape (n,)
        Predicted labels.
    expected_cost : array-like of shape (n,) or (n, K)
        What a model expected its prediction to cost, or ``predict_expected_cost(X)``, of which the predicted class's
        column is taken: by name from a table, otherwise columns in the order of ``labels``. Without ``labels`` that is
        the sorted order, and where ``cost_matrix`` or the data have another one the columns are refused.
    cost_matrix : None, str, array-like of shape (K, K), labelled table or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`.
    n_bins : int, default=10
        Rows with equal expected cost share a bin, so there may be fewer.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.
    sample_weight : array-like of shape (n,), optional
        How often each row counts, not negative; 1 by default.

    Returns
    -------
    pandas.DataFrame
        A row per bin in order of expected cost: ``expected`` and ``realised`` (weighted means), ``standard_error`` of
        the realised mean, ``rows``, and the range ``lowest``, ``highest`` of expected cost.

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
    """Negative mean cost of an estimator's predictions, for ``scoring=``; see :func:`make_cost_scorer`.

    Parameters
    ----------
    cost_matrix : None, str, array-like of shape (K, K), labelled table or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``.

    Attributes
    ----------
    cost_matrix, labels : object
        The parameters as given; a scorer is not fitted.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the test cost, section "Numerical
    Experiments").

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from csboost.metrics import CostScorer
    >>> CostScorer("linear")(DummyClassifier().fit([[0], [0], [0]], [1, 1, 3]), [[0], [0]], [1, 3])
    -0.5
    """

    __metadata_request__score = {"estimator": UNUSED}  # what scikit-learn asks of a router

    # What TunedThresholdClassifierCV takes from a scorer to score every threshold by.
    _sign = -1
    _kwargs: dict[str, Any] = {}

    def __init__(self, cost_matrix: Any = None, labels: ArrayLike | None = None) -> None:
        self.cost_matrix = cost_matrix
        self.labels = labels

    def score(self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Minus the mean cost of ``estimator.predict(X)`` against ``y``: greater is better.

        Parameters
        ----------
        estimator : classifier
            Fitted; its ``classes_`` are counted among the classes.
        X : array-like of shape (n, d)
            Features, as the estimator takes them.
        y : array-like of shape (n,)
            True labels.
        sample_weight : array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.

        Returns
        -------
        float
            At most 0, in the unit of the costs.

        Raises
        ------
        ValueError
            As :func:`mean_cost`.

        Examples
        --------
        >>> from sklearn.dummy import DummyClassifier
        >>> from csboost.metrics import CostScorer
        >>> CostScorer("linear").score(DummyClassifier().fit([[0], [0], [0]], [1, 1, 3]), [[0], [0]], [1, 3])
        -0.5
        """
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
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``. Without them, and without a labelled matrix, the classes are
        those that the estimator was fitted on and those of the test fold, in the order that ``y`` declares if it does.

    Returns
    -------
    CostScorer
        Callable as ``scorer(estimator, X, y, sample_weight=None)``. With metadata routing enabled,
        ``.set_score_request(sample_weight=True)`` asks for weights.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the test cost, section "Numerical
    Experiments").

    Examples
    --------
    >>> from sklearn.model_selection import cross_val_score
    >>> from csboost import data, metrics
    >>> from csboost.weak import CostTree
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> scorer = metrics.make_cost_scorer(data.WAVEFORM_COSTS)
    >>> scores = cross_val_score(CostTree(cost_matrix=data.WAVEFORM_COSTS), X, y, scoring=scorer)
    >>> scores.shape, bool((scores < 0).all())
    ((5,), True)
    """
    return CostScorer(cost_matrix, labels)


def _weights(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64]:
    return np.ones(n) if sample_weight is None else check_sample_weight(sample_weight, n)
