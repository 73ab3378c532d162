"""The package's weak learner: a small tree grown for costs, also usable on its own."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from csboost._checked import checks_parameters
from csboost.problem import Problem, check_features, check_problem
from csboost.weak.channels import NEGATED, Channels
from csboost.weak.engine import Engine
from csboost.weak.splits import LABEL


class CostTree(ClassifierMixin, BaseEstimator):
    """Tree of few leaves, grown best-first, whose leaves answer the class of least cost (Lemma 1 of the paper,
    greedily).

    As a weak learner it is fed channels by a booster; on its own it is a classifier that minimises the training cost.

    Parameters
    ----------
    max_leaf_nodes : int, default=4
        Leaves at most (at least 2, at most 65535). No split is made that does not lower the cost.
    cost_matrix : None, str, array-like of shape (K, K) or DataFrame, default=None
        Costs of mistakes (rows = truth) when the tree is fitted on its own; boosters bring their own.

    Attributes
    ----------
    classes_ : ndarray (K,)
    cost_matrix_ : ndarray (K, K)
    n_leaves_ : int
    n_features_in_ : int
    """

    _parameter_constraints: dict[str, Any] = {
        "max_leaf_nodes": [Interval(Integral, 2, 65535, closed="both")],
        "cost_matrix": "no_validation",
    }

    def __init__(self, max_leaf_nodes: int = 4, cost_matrix: Any = None) -> None:
        self.max_leaf_nodes = max_leaf_nodes
        self.cost_matrix = cost_matrix

    def bind(self, problem: Problem, rule: int, n_rounds: int, n_threads: int, rng: np.random.RandomState) -> Engine:
        """A grower of trees on the rows of ``problem``: see :class:`csboost.weak.interface.WeakLearner`."""
        self._validate_params()
        return Engine(
            problem.X,
            problem.y,
            problem.n_classes,
            rule,
            int(self.max_leaf_nodes),
            n_rounds,
            n_threads,
            problem.weights,
        )

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Numbers; NaN is a missing value, and every split learns to which side it goes.
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
            Rows of weight zero take no part.
        sample_cost : array-like of shape (n, K), optional
            Costs per row in place of ``cost_matrix``.

        Returns
        -------
        self
        """
        problem = check_problem(self, X, y, sample_weight, sample_cost)
        self.classes_, self.cost_matrix_ = problem.classes, problem.cost_matrix
        engine = self.bind(problem, LABEL, 1, 1, np.random.RandomState(0))
        rule = engine.grow(0, Channels(problem.costs, NEGATED, float(problem.costs.sum())))
        mass = np.bincount(rule.leaf_of_row, problem.weights, minlength=len(rule.labels))
        self._forest, self._labels = engine.rules(1), rule.labels
        self._costs = np.ldexp(-rule.sums / mass[:, None], problem.exponent)
        self.n_leaves_ = len(rule.labels)
        return self

    def apply(self, X: Any) -> np.ndarray:
        """The leaf number (n,) of every row."""
        check_is_fitted(self, "_forest")
        X = check_features(self, X)
        return self._forest.apply(X, 0)

    def predict(self, X: Any) -> np.ndarray:
        """The class of least training cost in the row's leaf. Returns labels of shape (n,)."""
        leaves = self.apply(X)
        return self.classes_[self._labels[leaves]]

    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """The mean training cost (n, K) of each answer in the row's leaf."""
        leaves = self.apply(X)
        return self._costs[leaves]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def as_weak_learner(learner: Any) -> Any:
    """``learner`` itself when it can be bound, wrapped when it is a scikit-learn classifier."""
    from csboost.weak.adapter import SklearnWeakLearner

    if isinstance(learner, type):
        raise TypeError(
            f"weak_learner must be an instance, got the class {learner.__name__}; "
            f"write weak_learner={learner.__name__}()."
        )
    if hasattr(learner, "bind"):
        return learner
    if hasattr(learner, "fit") and hasattr(learner, "predict"):
        return SklearnWeakLearner(learner)
    raise TypeError(
        f"weak_learner must be None, a CostTree, a SklearnWeakLearner or a scikit-learn classifier, got {learner!r}."
    )
