"""The estimator contract of all boosters: their parameters, and what a fit does with them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from sklearn.utils import get_tags
from sklearn.utils._param_validation import Interval

from csboost import _numba
from csboost._bases import BaseEstimator
from csboost._checked import checks_parameters
from csboost._docs import documented
from csboost._inputs.categories import Categories
from csboost.boosting import Algorithm, Interrupted, Loop, Round
from csboost.early_stopping import EarlyStopping
from csboost.ensemble import End, Ensemble
from csboost.eval_sets import held_out_curve, read_eval_sets, recorded
from csboost.problem import Problem, check_problem, class_shares, held_out, read_problem
from csboost.resuming import Resumed, check_warm, random_numbers
from csboost.staging import StagedBooster
from csboost.weak.tree import CostTree, as_weak_learner

if TYPE_CHECKING:
    from csboost.costs.cost_table import CostTable
    from csboost.link import Link
    from csboost.weak.interface import BoundLearner, Rule

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
    warm_start: bool = False
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
        "warm_start": ["boolean"],
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

    def _counted_again(self, rounds: Iterable[tuple[Rule, Round]]) -> Iterable[tuple[Rule, Round]]:
        """Rounds of an earlier fit as they count in this one."""
        return rounds

    # Parameters.

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, those of the weak learner as ``weak_learner__max_leaf_nodes``.

        Where ``weak_learner`` is None, a parameter of the weak learner makes it the default ``CostTree`` first, so that
        a search may vary it.

        Parameters
        ----------
        **params : dict
            Parameters and their values.

        Returns
        -------
        self
            The booster itself.

        Raises
        ------
        ValueError
            For a name that is none.

        Examples
        --------
        >>> from csboost import SAMMEClassifier
        >>> SAMMEClassifier().set_params(weak_learner__max_leaf_nodes=8).weak_learner
        CostTree(max_leaf_nodes=8)
        """
        is_nested = any(name.startswith("weak_learner__") for name in params)
        if is_nested and params.get("weak_learner", self.weak_learner) is None:
            params = {**params, "weak_learner": CostTree()}
        return super().set_params(**params)

    # Fitting.

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None, eval_set: Any = None) -> Self:
        """Fit the booster.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Numbers; NaN is a missing value. float32 is kept as it is, everything else becomes float64. Columns of a
            DataFrame may hold text or categories, unless ``weak_learner`` is a scikit-learn classifier.
        y : array-like of shape (n,)
            Class labels of any sortable type, at least two of them.
        sample_weight : array-like of shape (n,), optional
            Weights, not negative. Rows of weight zero take no part.
        sample_cost : array-like of shape (n, A), optional
            What each answer costs for each row, in the order of the sorted classes (and then of other answers), or a
            table with the answers as columns. Negative entries are gains. Where given, these rows win over
            ``cost_matrix``.
        eval_set : tuple (X, y), or list of such, optional
            Other rows, whose costs after each round are recorded in ``evals_result_``. With ``n_iter_no_change`` the
            first of them decide when to stop, in place of rows held out from X.

        Returns
        -------
        self
            The fitted booster.

        Raises
        ------
        ValueError
            For costs, weights or data that cannot be used, when the first weak rule is no better than guessing, and for
            a warm start that does not fit what is there.

        Examples
        --------
        >>> from csboost import SAMMEClassifier
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> SAMMEClassifier(n_estimators=3).fit(X, y, sample_weight=[1, 1, 2, 1]).classes_.tolist()
        ['A', 'B']
        """
        _numba.require()
        before = self._ensemble if self.warm_start and hasattr(self, "_ensemble") else None
        categories = Categories() if before is None else self._categories
        given = X, y, sample_weight, sample_cost
        if before is None and not self._takes_categories():
            problem = check_problem(self, *given)
        else:
            problem = read_problem(self, *given, categories, goes_on=before is not None)
        if before is not None:
            check_warm(self, problem)
        sets = read_eval_sets(eval_set, problem, lambda rows: categories.transform(self, rows))
        holds_out = self.n_iter_no_change is not None and not sets
        rng = random_numbers(self, goes_on=before is not None, holds_out=holds_out)
        state = rng.get_state() if self.warm_start else None
        shares, validation = class_shares(problem), None
        if self.n_iter_no_change is not None and sets:
            validation = sets[0].problem(problem)
        elif holds_out:
            problem, validation = held_out(problem, self.validation_fraction, rng)
        self._learn(problem, validation, shares, rng, before)
        self._categories, self._random_state = categories, state
        self.evals_result_ = {
            f"valid_{i}": recorded(self._ensemble, rows, problem.exponent) for i, rows in enumerate(sets)
        }
        return self

    def _learn(
        self,
        problem: Problem,
        validation: Problem | None,
        shares: np.ndarray,
        rng: np.random.RandomState,
        before: Ensemble | None = None,
    ) -> None:
        """Fit to rows that are read already; ``shares`` (K,) are those of the classes, held-out rows included."""
        link = self._make_link(problem, shares)
        ensemble, watch = self._fit_ensemble(problem, validation, rng, before)
        link = link if validation is None else self._fit_link(link, ensemble, validation)
        # last, so that a fit that fails leaves no new classes beside the rules of an earlier one
        self.classes_, self.answers_, self.cost_matrix_ = problem.classes, problem.answers, problem.cost_matrix
        self.class_prior_, self._known = shares, problem.known
        self._ensemble, self._link = ensemble, link
        self.validation_curve_ = held_out_curve(watch)

    def _takes_categories(self) -> bool:
        """Whether the weak learner knows what to do with numbers of categories."""
        return self.weak_learner is None or isinstance(self.weak_learner, CostTree)

    def _fit_ensemble(
        self, problem: Problem, validation: Problem | None, rng: np.random.RandomState, before: Ensemble | None = None
    ) -> tuple[Ensemble, EarlyStopping | None]:
        """Boost the rows of ``problem``, after the rounds of an earlier fit where there was one."""
        weak = CostTree() if self.weak_learner is None else as_weak_learner(self.weak_learner)
        if self.verbose:
            print(f"[{type(self).__name__}] compiling (first use only) and binning {problem.X.shape}", file=sys.stderr)
        n_rounds = int(self.n_estimators)  # scikit-learn takes True for a whole number
        to_grow = n_rounds if before is None else max(1, n_rounds - before.n_rounds)
        learner = weak.bind(problem, self._leaf_rule(), to_grow, effective_n_jobs(self.n_jobs), rng)
        longer = " or step" if getattr(self, "step", None) is not None else ""
        lower = f"learning_rate{longer} (learning_rate={self.learning_rate:g})"
        loop = Loop(type(self).__name__, n_rounds, lower, self.verbose)
        found: list[Round] = []
        try:
            earlier: Iterable[tuple[Rule, Round]] = ()
            if before is not None:
                learner = Resumed(learner, before, problem.X, self._leaf_rule())
                earlier = self._counted_again(learner.recalled())
            with np.errstate(over="ignore", invalid="ignore"):  # an overflow shows in the weights' total
                algorithm = self._start(problem, learner)
                watch = None
                if validation is not None and self.n_iter_no_change is not None:
                    start = self._start_score(problem.n_answers)
                    watch = EarlyStopping(validation, learner, self.n_iter_no_change, start, validation.rows())
                rounds = loop.run(algorithm, learner, watch, earlier, found)
        except Interrupted as interrupted:
            interrupted.found = self._pack(problem, found, learner.rules(len(found))) if found else before
            raise
        finally:
            learner.close()
        return self._pack(problem, rounds, learner.rules(len(rounds))), watch

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
            ends=(End(rounds[-1].step, rounds[-1].last),),
        )

    @property
    def best_iteration_(self) -> int:
        """The number of rounds that is best by the rows that early stopping watched: ``n_iter_``."""
        return self.n_iter_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        weak = self.weak_learner  # the package's own trees take NaN, others may not
        is_estimator = isinstance(weak, BaseEstimator)
        tags.input_tags.allow_nan = weak is None or (is_estimator and get_tags(weak).input_tags.allow_nan)
        return tags
