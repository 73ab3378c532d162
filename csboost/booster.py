"""The estimator contract of all boosters: their parameters, and what a fit does with them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state, get_tags
from sklearn.utils._param_validation import Interval

from csboost import _numba
from csboost._bases import BaseEstimator
from csboost._checked import checks_parameters
from csboost._docs import documented
from csboost.boosting import Algorithm, Loop, Round
from csboost.early_stopping import EarlyStopping
from csboost.ensemble import Ensemble
from csboost.problem import Problem, check_problem, class_shares, held_out
from csboost.staging import StagedBooster
from csboost.weak.tree import CostTree, as_weak_learner

if TYPE_CHECKING:
    from csboost.costs.cost_table import CostTable
    from csboost.link import Link
    from csboost.weak.interface import BoundLearner

__all__ = ["Booster"]


@dataclass(kw_only=True, eq=False, repr=False)
class Booster(StagedBooster):
    """Base class of all boosters.

    A subclass declares its own parameters as fields of a dataclass, all of them by keyword, and says how to
    :meth:`_start`, which leaf rule it uses and what link its scores have.
    """

    cost_matrix: ArrayLike | str | CostTable | None = field(default=None, kw_only=False)
    n_estimators: int = 200
    learning_rate: float = 1.0
    weak_learner: Any = None
    n_iter_no_change: int | None = None
    validation_fraction: float = 0.1
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None
    verbose: int = 0

    _parameter_constraints: ClassVar[dict[str, Any]] = {
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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        documented(cls)

    # What a subclass adds.

    def _leaf_rule(self) -> int:
        """The leaf rule of the weak learner (:mod:`csboost.weak.interface`)."""
        raise NotImplementedError

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        """The algorithm's state before the first round. It may use up the problem's costs and weights."""
        raise NotImplementedError

    def _start_score(self, n_answers: int) -> float:
        """The score of every answer before the first round."""
        return 0.0

    def _scales(self, n_rounds: int) -> np.ndarray:
        """Factors of the scores after each round."""
        return np.ones(n_rounds)

    def _make_link(self, problem: Problem, shares: np.ndarray) -> Link | None:
        """The link of the scores; ``shares`` (K,) are those of the classes in all rows, held-out ones too."""
        return None

    def _fit_link(self, link: Link | None, ensemble: Ensemble, validation: Problem) -> Link | None:
        """The link with what held-out rows tell of it."""
        return link

    # Fitting.

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> Self:
        """Fit the booster.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Numbers; NaN is a missing value. float32 is kept as it is, everything else becomes float64.
        y : array-like of shape (n,)
            Class labels of any sortable type, at least two of them.
        sample_weight : array-like of shape (n,), optional
            Weights, not negative. Rows of weight zero take no part.
        sample_cost : array-like of shape (n, A), optional
            What each answer costs for each row, in the order of the sorted classes (and then of other answers), or a
            table with the answers as columns. Negative entries are gains. Where given, these rows win over
            ``cost_matrix``.

        Returns
        -------
        self
            The fitted booster.

        Raises
        ------
        ValueError
            For costs, weights or data that cannot be used, and when the first weak rule is no better than guessing.

        Examples
        --------
        >>> from csboost import SAMMEClassifier
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> SAMMEClassifier(n_estimators=3).fit(X, y, sample_weight=[1, 1, 2, 1]).classes_.tolist()
        ['A', 'B']
        """
        _numba.require()
        rng = check_random_state(self.random_state)
        problem = check_problem(self, X, y, sample_weight, sample_cost)
        shares, validation = class_shares(problem), None
        if self.n_iter_no_change is not None:
            problem, validation = held_out(problem, self.validation_fraction, rng)
        link = self._make_link(problem, shares)
        ensemble = self._fit_ensemble(problem, validation, rng)
        link = link if validation is None else self._fit_link(link, ensemble, validation)
        # last, so that a fit that fails leaves no new classes beside the rules of an earlier one
        self.classes_, self.answers_, self.cost_matrix_ = problem.classes, problem.answers, problem.cost_matrix
        self._ensemble, self._link = ensemble, link
        return self

    def _fit_ensemble(self, problem: Problem, validation: Problem | None, rng: np.random.RandomState) -> Ensemble:
        weak = CostTree() if self.weak_learner is None else as_weak_learner(self.weak_learner)
        if self.verbose:
            print(f"[{type(self).__name__}] compiling (first use only) and binning {problem.X.shape}", file=sys.stderr)
        n_rounds = int(self.n_estimators)  # scikit-learn takes True for a whole number
        learner = weak.bind(problem, self._leaf_rule(), n_rounds, effective_n_jobs(self.n_jobs), rng)
        longer = " or step" if getattr(self, "step", None) is not None else ""
        lower = f"learning_rate{longer} (learning_rate={self.learning_rate:g})"
        loop = Loop(type(self).__name__, n_rounds, lower, self.verbose)
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # an overflow shows in the weights' total
                algorithm = self._start(problem, learner)
                watch = None
                if validation is not None and self.n_iter_no_change is not None:
                    start = self._start_score(problem.n_answers)
                    watch = EarlyStopping(validation, learner, self.n_iter_no_change, start)
                rounds = loop.run(algorithm, learner, watch)
        finally:
            learner.close()
        return self._pack(problem, rounds, learner.rules(len(rounds)))

    def _pack(self, problem: Problem, rounds: list[Round], rules: Any) -> Ensemble:
        """The rounds' outputs, padded to the same number of leaves."""
        leaves = max(len(round_.outputs) for round_ in rounds)
        first = rounds[0].outputs
        outputs = np.zeros((len(rounds), leaves, *first.shape[1:]), first.dtype)
        for m, round_ in enumerate(rounds):
            outputs[m, : len(round_.outputs)] = round_.outputs
        return Ensemble(
            rules=rules,
            outputs=outputs,
            weights=np.array([round_.weight for round_ in rounds]),
            errors=np.array([round_.error for round_ in rounds]),
            scales=self._scales(len(rounds)),
            start=np.full(problem.n_answers, self._start_score(problem.n_answers)),
            n_scores=problem.n_answers,
            symmetric=self._symmetric,
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        weak = self.weak_learner  # the package's own trees take NaN, others may not
        is_estimator = isinstance(weak, BaseEstimator)
        tags.input_tags.allow_nan = weak is None or (is_estimator and get_tags(weak).input_tags.allow_nan)
        return tags
