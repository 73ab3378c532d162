"""The mean cost as a scorer of scikit-learn's searches and cross-validation."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED

from csboost.metrics.means import average_cost, mean_cost


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
        return -average_cost(y, estimator.predict(X), self.cost_matrix, self.labels, sample_weight, fitted)

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
