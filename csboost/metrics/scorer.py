"""The mean cost as a scorer of scikit-learn's searches and cross-validation."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED

from csboost._inputs.row_index import check_row_index
from csboost.metrics.means import average_cost, mean_cost


class CostScorer(BaseEstimator):
    """Negative mean cost of an estimator's predictions, for ``scoring=``; see :func:`make_cost_scorer`.

    Parameters
    ----------
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
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

    # What scikit-learn asks of a router. Costs of rows that are routed to fit need not be meant for the score too.
    __metadata_request__score = {"estimator": UNUSED, "sample_cost": False}

    # What TunedThresholdClassifierCV takes from a scorer to score every threshold by.
    _sign = -1
    _kwargs: dict[str, Any] = {}

    def __init__(self, cost_matrix: Any = None, labels: ArrayLike | None = None) -> None:
        self.cost_matrix = cost_matrix
        self.labels = labels

    def score(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, sample_cost: Any = None
    ) -> float:
        """Minus the mean cost of ``estimator.predict(X)`` against ``y``: greater is better.

        Parameters
        ----------
        estimator : classifier
            Fitted; its ``classes_`` are counted among the classes. Its predictions are answers of the costs.
        X : array-like of shape (n, d)
            Features, as the estimator takes them.
        y : array-like of shape (n,)
            True labels.
        sample_weight : array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.
        sample_cost : array-like or labelled table of shape (n, A), optional
            What each answer costs in each row; it wins over ``cost_matrix``.

        Returns
        -------
        float
            In the unit of the costs; at most 0 where there are no gains.

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
        if sample_cost is not None:
            check_row_index(X=X, y=y, sample_weight=sample_weight, sample_cost=sample_cost)
        answers = estimator.predict(X)
        return -average_cost(y, answers, self.cost_matrix, self.labels, sample_weight, sample_cost, estimator)

    __call__ = score

    def _score_func(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None, sample_cost: Any = None
    ) -> float:
        given = {"labels": self.labels, "sample_weight": sample_weight, "sample_cost": sample_cost}
        return mean_cost(y_true, y_pred, self.cost_matrix, **given)


def make_cost_scorer(cost_matrix: Any, *, labels: ArrayLike | None = None) -> CostScorer:
    """Build a scorer for ``cross_validate``, ``GridSearchCV`` and the like: minus the mean cost.

    Parameters
    ----------
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
    labels : array-like of shape (K,), optional
        All class labels, in the order of ``cost_matrix``. Without them, and without a labelled matrix, the classes are
        those that the estimator was fitted on and those of the test fold, in the order that ``y`` declares if it does.

    Returns
    -------
    CostScorer
        Callable as ``scorer(estimator, X, y, sample_weight=None, sample_cost=None)``. With metadata routing enabled,
        ``.set_score_request(sample_weight=True, sample_cost=True)`` asks for weights and for costs of every row; costs
        of rows that only ``fit`` asks for do not reach the score.

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
