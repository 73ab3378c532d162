"""The loop that all boosters share, and their common estimator contract.

A booster is three hooks: the channels it shows the weak learner, the step it takes, the update it makes
(:class:`Algorithm`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, NamedTuple, Protocol

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_random_state, get_tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from csboost.ensemble import Ensemble
from csboost.problem import Problem, check_features, check_problem, class_costs, class_shares, held_out
from csboost.weak.channels import Channels
from csboost.weak.interface import BoundLearner, Rule
from csboost.weak.tree import CostTree, as_weak_learner

VANISHED = 1e-290  # a total weight below it is zero but for rounding


class Round(NamedTuple):
    """What a booster makes of a weak rule."""

    outputs: np.ndarray  # (leaves,) classes, or (leaves, K) vectors
    weight: float
    error: float  # the booster's own measure of the rule
    last: bool = False  # nothing is left to learn after this round


class Algorithm(Protocol):
    """One booster's hooks over one training set."""

    def channels(self) -> Channels:
        """What every row wants, for the weak learner."""

    def step(self, rule: Rule) -> Round | None:
        """Outputs and coefficient of a rule, or None when it is no better than guessing."""

    def update(self, rule: Rule, round_: Round) -> None:
        """Take the rule in: the next channels depend on it."""


class Booster(ClassifierMixin, BaseEstimator):
    """Base class of all boosters; subclasses say how to :meth:`_start` and which leaf rule they use."""

    _parameter_constraints: dict[str, Any] = {
        "cost_matrix": "no_validation",
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "weak_learner": "no_validation",
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left"), None],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_jobs": [Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }
    _symmetric = True  # the simplex coding of labels

    def __init__(
        self,
        cost_matrix=None,
        n_estimators=200,
        learning_rate=1.0,
        weak_learner=None,
        n_iter_no_change=None,
        validation_fraction=0.1,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.cost_matrix = cost_matrix
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.weak_learner = weak_learner
        self.n_iter_no_change = n_iter_no_change
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    # What a subclass adds.

    def _leaf_rule(self) -> int:
        """The leaf rule of the weak learner (:mod:`csboost.weak.splits`)."""
        raise NotImplementedError

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        """The algorithm's state before the first round."""
        raise NotImplementedError

    def _scales(self, n_rounds: int) -> np.ndarray:
        """Factors of the scores after each round."""
        return np.ones(n_rounds)

    _start_score = 0.0

    # Fitting.

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None, sample_cost=None):
        """Fit the booster.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Numbers; NaN is a missing value. float32 is kept as it is, everything else becomes float64.
        y : array-like of shape (n,)
            Class labels of any sortable type, at least two of them.
        sample_weight : array-like of shape (n,), optional
            Weights, not negative. Rows of weight zero take no part.
        sample_cost : array-like of shape (n, K), optional
            What each answer costs for each row, in the order of the sorted classes, or a table with the classes as
            columns. Where given, these rows win over ``cost_matrix``.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For costs, weights or data that cannot be used, and when the first weak rule is no better than guessing.
        """
        rng = check_random_state(self.random_state)
        problem = check_problem(self, X, y, sample_weight, sample_cost)
        self.classes_, self.cost_matrix_ = problem.classes, problem.cost_matrix
        self._class_shares = class_shares(problem)
        validation = None
        if self.n_iter_no_change is not None:
            problem, validation = held_out(problem, self.validation_fraction, rng)
        self._ensemble = self._fit_ensemble(problem, validation, rng)
        self.n_iter_ = len(self._ensemble.scales)
        return self

    def _fit_ensemble(self, problem: Problem, validation: Problem | None, rng: np.random.RandomState) -> Ensemble:
        weak = CostTree() if self.weak_learner is None else as_weak_learner(self.weak_learner)
        if self.verbose:
            print(f"[{type(self).__name__}] compiling (first use only) and binning {problem.X.shape}", file=sys.stderr)
        learner = weak.bind(problem, self._leaf_rule(), self.n_estimators, effective_n_jobs(self.n_jobs), rng)
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # an overflow shows in the weights' total
                rounds = self._boost(problem, validation, learner)
        finally:
            learner.close()
        self.estimator_errors_ = np.array([round_.error for round_ in rounds])
        return self._pack(problem, rounds, learner.rules(len(rounds)))

    def _pack(self, problem: Problem, rounds: list[Round], rules: Any) -> Ensemble:
        """The rounds' outputs, padded to the same number of leaves."""
        leaves = max(len(round_.outputs) for round_ in rounds)
        first = rounds[0].outputs
        outputs = np.zeros((len(rounds), leaves, *first.shape[1:]), first.dtype)
        for m, round_ in enumerate(rounds):
            outputs[m, : len(round_.outputs)] = round_.outputs
        weights = np.array([round_.weight for round_ in rounds])
        return Ensemble(
            rules, outputs, weights, self._scales(len(rounds)), self._start_score, problem.n_classes, self._symmetric
        )

    def _boost(self, problem: Problem, validation: Problem | None, learner: BoundLearner) -> list[Round]:
        """The loop."""
        algorithm = self._start(problem, learner)
        watch = None if validation is None else EarlyStopping(self, validation, learner, problem.n_classes)
        rounds: list[Round] = []
        for m in range(self.n_estimators):
            channels = algorithm.channels()
            if channels.total < VANISHED:
                if m == 0:
                    raise ValueError(f"{type(self).__name__}: no mistake costs anything, so there is nothing to boost.")
                break
            if not channels.total < np.inf:
                raise ValueError(self._overflow_message(m))
            rule = learner.grow(m, channels)
            round_ = algorithm.step(rule)
            if round_ is None:
                if m == 0:
                    raise ValueError(self._no_rule_message())
                break
            rounds.append(round_)
            if self.verbose and (m + 1) % max(1, self.n_estimators // 10) == 0:
                print(f"[{type(self).__name__}] round {m + 1}: error {round_.error:.4g}", file=sys.stderr)
            stopped = watch is not None and watch.stops(m, round_)  # the last round may be the best: it is watched too
            if round_.last or stopped:
                break
            try:
                algorithm.update(rule, round_)
            except OverflowError:
                raise ValueError(self._overflow_message(m + 1)) from None
        return rounds if watch is None else rounds[: watch.best_round + 1]

    def _no_rule_message(self) -> str:
        return (
            f"{type(self).__name__}: the first weak rule is no better than guessing, so there is nothing to boost. The "
            "features carry no usable signal about the classes, or the costs make one answer right for all; check X "
            "and cost_matrix, or give weak_learner more leaves."
        )

    def _overflow_message(self, m: int) -> str:
        longer = " or step" if getattr(self, "step", None) is not None else ""
        return (
            f"{type(self).__name__}: the weights overflowed in round {m}; lower learning_rate{longer} "
            f"(learning_rate={self.learning_rate:g})."
        )

    # Using what was fitted.

    def _check_X(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "_ensemble")
        return check_features(self, X)

    def _decision(self, scores: np.ndarray) -> np.ndarray:
        if len(self.classes_) > 2:
            return scores
        difference = scores[:, 1] - scores[:, 0]  # its sign is the argmax, ties and rounding included
        return 0.5 * difference if self._symmetric else difference

    def _answers(self, scores: np.ndarray) -> np.ndarray:
        return self.classes_[np.argmax(scores, axis=1)]

    def decision_function(self, X):
        """Scores of the classes: for the angle boosters the margins ``<f(x), w_k>``.

        Returns
        -------
        ndarray of shape (n, K), or (n,) when K = 2
            Larger is better. With two classes, the score of ``classes_[1]`` (positive: it is the answer).
        """
        X = self._check_X(X)
        return self._decision(self._ensemble.scores(X, effective_n_jobs(self.n_jobs)))

    def predict(self, X):
        """The class of largest score, the lowest of several.

        For the angle boosters and p-norm boosting with ``hypothesis="label"`` it is the class of least
        ``predict_expected_cost``. The scores of SAMME, AdaBoost.MH and AdaBoost.M2 are no expected costs: there it
        need not be.

        Returns
        -------
        ndarray of shape (n,)
            Labels.
        """
        X = self._check_X(X)
        return self.classes_[self._ensemble.answers(X, effective_n_jobs(self.n_jobs))]

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """:meth:`decision_function` after each round."""
        for scores in self._ensemble.staged_scores(self._check_X(X)):
            yield self._decision(scores)

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """:meth:`predict` after each round."""
        for scores in self._ensemble.staged_scores(self._check_X(X)):
            yield self._answers(scores)

    def staged_cost(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> np.ndarray:
        """Mean cost after each round, by ``cost_matrix_``.

        Parameters
        ----------
        X : array-like of shape (n, d)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
        sample_cost : array-like of shape (n, K), optional
            Costs per row in place of ``cost_matrix_``.

        Returns
        -------
        ndarray of shape (n_iter_,)
        """
        checked = self._check_X(X)
        costs, total = class_costs(self, X, y, sample_weight, sample_cost)
        return self._ensemble.staged_costs(checked, costs) / total

    @property
    def estimator_weights_(self) -> np.ndarray:
        """Coefficients of the weak rules, in order."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.weights

    @property
    def estimators_(self) -> list[Any]:
        """The weak rules, in order."""
        check_is_fitted(self, "_ensemble")
        return [
            self._ensemble.rules[m : m + 1] if self._ensemble.is_packed else self._ensemble.rules[m]
            for m in range(len(self._ensemble.weights))
        ]

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature (d,) in the gains of all splits, each weighted by its rule's coefficient; sums to 1,
        or all 0 when nothing was split.
        """
        check_is_fitted(self, "_ensemble")
        return self._ensemble.importances(self.n_features_in_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        weak = self.weak_learner  # the package's own trees take NaN, others may not
        is_estimator = isinstance(weak, BaseEstimator)
        tags.input_tags.allow_nan = weak is None or (is_estimator and get_tags(weak).input_tags.allow_nan)
        return tags


class EarlyStopping:
    """Watches the mean cost of held-out rows and remembers the best round."""

    def __init__(self, booster: Booster, validation: Problem, learner: BoundLearner, n_classes: int):
        self.booster, self.validation, self.learner = booster, validation, learner
        self.sums = np.full((len(validation.X), n_classes), booster._start_score)
        self.best_cost, self.best_round = np.inf, 0

    def stops(self, m: int, round_: Round) -> bool:
        """Take round ``m`` in; whether ``n_iter_no_change`` rounds have passed without a lower cost."""
        leaves = self.learner.leaves(self.validation.X, m)
        if round_.outputs.ndim == 1:
            self.sums[np.arange(len(leaves)), round_.outputs[leaves]] += round_.weight
        else:
            self.sums += round_.weight * round_.outputs[leaves]
        cost = self.validation.costs[np.arange(len(leaves)), self.sums.argmax(axis=1)].sum()
        if cost < self.best_cost:
            self.best_cost, self.best_round = cost, m
        return m - self.best_round >= self.booster.n_iter_no_change
