"""The package's weak learner: a small tree grown for costs, also usable on its own."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from csboost import _numba
from csboost._checked import checks_parameters
from csboost._inputs.categories import Categories
from csboost.answering import AnsweringClassifier
from csboost.costs.gains import with_gains
from csboost.problem import Problem, read_problem
from csboost.weak.interface import LABEL

if TYPE_CHECKING:
    from csboost.weak.grower import Grower


class CostTree(AnsweringClassifier):
    """Tree of few leaves, grown best-first, whose leaves give the answer of least cost.

    As a weak learner it is fed channels by a booster; on its own it is a classifier that minimises the training cost.

    Columns of a DataFrame that hold text or categories are used as they are: a split sends one category to one side and
    the rest to the other, and so do categories that come up later alone, which go with the rest. The 249 most frequent
    ones of a column are told apart. A missing value is a category of its own.

    Parameters
    ----------
    max_leaf_nodes : int, default=4
        Leaves at most (at least 2, at most 65535). No split is made that does not lower the cost.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable, default=None
        What answers cost (rows = truth) when the tree is fitted on its own: see
        :func:`csboost.costs.resolve_answers`. Boosters bring their own.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The class labels, sorted.
    answers_ : ndarray of shape (A,)
        What may be answered: ``classes_``, unless the costs are a table with other columns.
    cost_matrix_ : ndarray of shape (K, A)
        The costs as given, in the order of ``classes_`` and ``answers_``.
    n_leaves_ : int
        Leaves that were grown.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (d,)
        Their names, when X had string column names.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (Lemma 1, here made greedily).
    Friedman, J., Hastie, T. and Tibshirani, R. (2000), "Additive logistic regression: a statistical view of boosting",
    The Annals of Statistics 28, 337-407, doi:10.1214/aos/1016218223 (trees grown best-first).
    Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984), "Classification and Regression Trees", Wadsworth.

    Examples
    --------
    >>> from csboost.weak import CostTree
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
    >>> tree = CostTree(max_leaf_nodes=2).fit(X, y)
    >>> tree.predict([[0.4], [2.6]]).tolist(), tree.n_leaves_
    (['A', 'B'], 2)
    """

    _parameter_constraints: dict[str, Any] = {
        "max_leaf_nodes": [Interval(Integral, 2, 65535, closed="both")],
        "cost_matrix": "no_validation",
    }

    def __init__(self, max_leaf_nodes: int = 4, cost_matrix: Any = None) -> None:
        self.max_leaf_nodes = max_leaf_nodes
        self.cost_matrix = cost_matrix

    def bind(self, problem: Problem, rule: int, n_rounds: int, n_threads: int, rng: np.random.RandomState) -> Grower:
        """A grower of trees on the rows of ``problem``: see :class:`csboost.weak.interface.WeakLearner`."""
        from csboost.weak.binned import Binned  # kernels
        from csboost.weak.grower import Grower

        self._validate_params()
        rows = problem.rows(n_threads)
        binned = problem.once(Binned, lambda: Binned(problem.X, problem.weights, rows, problem.categorical))
        return Grower(binned, rows, problem.y, problem.n_answers, rule, int(self.max_leaf_nodes), n_rounds)

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Numbers; NaN is a missing value, and every split learns to which side it goes. Columns of a DataFrame may
            hold text or categories.
        y : array-like of shape (n,)
            Class labels of any sortable type, at least two of them.
        sample_weight : array-like of shape (n,), optional
            Weights, not negative. Rows of weight zero take no part.
        sample_cost : array-like of shape (n, A), optional
            Costs per row in place of ``cost_matrix``.

        Returns
        -------
        CostTree
            The fitted tree itself.

        Raises
        ------
        ValueError
            For parameters, costs, weights or data that cannot be used.

        Examples
        --------
        >>> from csboost.weak import CostTree
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> CostTree().fit(X, y, sample_weight=[1, 1, 1, 0]).classes_.tolist()
        ['A', 'B']
        """
        _numba.require()
        from csboost.weak.channels import NEGATED, Channels

        categories = Categories()
        problem = read_problem(self, X, y, sample_weight, sample_cost, categories)
        grower = self.bind(problem, LABEL, 1, 1, np.random.RandomState(0))
        rule = grower.grow(0, Channels(problem.costs, NEGATED, grower.rows.sum(problem.costs)))
        mass = np.bincount(rule.leaf_of_row, problem.weights, minlength=len(rule.labels))
        self.classes_, self.answers_, self.cost_matrix_ = problem.classes, problem.answers, problem.cost_matrix
        self._forest, self._labels, self._categories = grower.rules(1), rule.labels, categories
        self._costs = np.ldexp(-rule.sums / mass[:, None], problem.exponent)
        if problem.gains is not None:
            gains = np.bincount(rule.leaf_of_row, problem.gains, minlength=len(rule.labels)) / mass
            self._costs = with_gains(self._costs, np.ldexp(gains, problem.exponent))
        self.n_leaves_ = len(rule.labels)
        return self

    def apply(self, X: Any) -> np.ndarray:
        """The leaf number of every row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

        Returns
        -------
        ndarray of int, shape (n,)
            From 0 to ``n_leaves_ - 1``.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        ValueError
            For features that do not fit.

        Examples
        --------
        >>> from csboost.weak import CostTree
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> CostTree().fit(X, y).apply(X).tolist()
        [0, 0, 1, 1]
        """
        check_is_fitted(self, "_forest")
        return self._forest.apply(self._categories.transform(self, X), 0)

    def predict(self, X: Any) -> np.ndarray:
        """The answer of least training cost in the row's leaf.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n,)
            Labels: entries of ``answers_``.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        ValueError
            For features that do not fit.

        Examples
        --------
        >>> from csboost.weak import CostTree
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> CostTree().fit(X, y).predict([[0.4], [2.6]]).tolist()
        ['A', 'B']
        """
        leaves = self.apply(X)
        return self.answers_[self._labels[leaves]]

    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """The mean training cost of each answer in the row's leaf.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n, A)
            In the unit of the costs, gains (negative) included, and the order of ``answers_``.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        ValueError
            For features that do not fit.

        Examples
        --------
        >>> from csboost.weak import CostTree
        >>> X, y = [[0.0], [0.0], [2.0], [3.0]], ["A", "B", "B", "B"]
        >>> CostTree(cost_matrix=[[0, 5], [1, 0]]).fit(X, y).predict_expected_cost([[0.0]]).tolist()
        [[0.5, 2.5]]
        """
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
