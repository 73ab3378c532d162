"""AdaBoost.MH (Schapire & Singer 1999)."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils._param_validation import StrOptions

from csboost.baselines import odds
from csboost.baselines.samme import TINY
from csboost.booster import Booster, Round
from csboost.ensemble import Ensemble, interleave
from csboost.problem import Problem
from csboost.updates import WeightState
from csboost.weak.channels import HALVES, SIGNED, Channels
from csboost.weak.interface import BoundLearner, Rule
from csboost.weak.rules import CONFIDENCE, VOTES


class AdaBoostMHClassifier(Booster):
    """AdaBoost.MH: one yes-or-no question per class, boosted together (Schapire & Singer 1999).

    A row's costs weigh its questions about the wrong classes, the largest of them that about its own. What a right
    answer costs (``C[j, j]``) enters there only, where it is the largest.

    Parameters
    ----------
    votes : {"discrete", "real"}, default="discrete"
        Whether a leaf votes yes or no on every class, or with a confidence.
    joint : bool, default=True
        One tree per round whose leaves vote on all classes; False boosts every class against the rest on its own.
    cost_aware : bool, default=True
        Start row i and class l from the cost of answering l, and the truth from the largest; False is the uniform
        start of the original.
    cost_matrix, n_estimators, learning_rate, weak_learner, n_iter_no_change, validation_fraction, n_jobs,
    random_state, verbose
        As in :class:`csboost.AngleAdaBoostClassifier`.
    """

    _parameter_constraints: dict[str, Any] = {
        **Booster._parameter_constraints,
        "votes": [StrOptions({"discrete", "real"})],
        "joint": ["boolean"],
        "cost_aware": ["boolean"],
    }
    _symmetric = False

    def __init__(
        self,
        cost_matrix=None,
        votes="discrete",
        joint=True,
        cost_aware=True,
        n_estimators=200,
        learning_rate=1.0,
        weak_learner=None,
        n_iter_no_change=None,
        validation_fraction=0.1,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        super().__init__(
            cost_matrix,
            n_estimators,
            learning_rate,
            weak_learner,
            n_iter_no_change,
            validation_fraction,
            n_jobs,
            random_state,
            verbose,
        )
        self.votes = votes
        self.joint = joint
        self.cost_aware = cost_aware

    def _leaf_rule(self) -> int:
        return VOTES if self.votes == "discrete" else CONFIDENCE

    def _start(self, problem: Problem, learner: BoundLearner) -> _MH:
        smoothing = 1.0 / (self._smoothing_classes * learner.rows.sum(problem.weights))
        return (_Discrete if self.votes == "discrete" else _Real)(problem, learner, self.learning_rate, smoothing)

    def _fit_ensemble(self, problem: Problem, validation: Problem | None, rng: np.random.RandomState) -> Ensemble:
        self._smoothing_classes = problem.n_classes
        starting = self._distribution(problem)
        of_class = problem.y == np.arange(problem.n_classes)[:, None]
        self._class_starts = (of_class @ starting) / (of_class @ problem.weights)[:, None]  # means over rows of a class
        if self.joint:
            return super()._fit_ensemble(problem.restated(starting), validation, rng)
        if validation is not None:
            raise ValueError(
                "joint=False boosts every class on its own and has no common round to stop at; "
                "set n_iter_no_change=None."
            )
        parts, errors = [], []
        for k in range(problem.n_classes):
            against_rest = np.where(problem.y == k, 0, 1).astype(problem.y.dtype)
            single = problem.restated(starting[:, k : k + 1].copy(), against_rest, problem.classes[k : k + 1])
            parts.append(super()._fit_ensemble(single, None, rng))
            errors.append(self.estimator_errors_)
        self.estimator_errors_ = np.array(
            [np.mean([e[m] for e in errors if m < len(e)]) for m in range(max(map(len, errors)))]
        )
        return interleave(parts)

    def _distribution(self, problem: Problem) -> np.ndarray:
        """The starting weights ``D`` (n, K), up to their total."""
        rows = np.arange(len(problem.y))
        if not self.cost_aware:
            return np.repeat(problem.weights[:, None], problem.n_classes, axis=1)
        start = problem.costs.copy()
        start[rows, problem.y] = problem.costs.max(axis=1)
        return start

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities through the population minimiser of AdaBoost.MH's loss (Schapire & Singer 1999).

        The loss ``sum_l D[y, l] exp(-Y_l H_l)`` asks one question per class, with starting weights ``D``. Its minimum
        is at half the log odds of each question, ``2 H_l = log(D[l, l] P_l) - log(sum over j other than l of
        D[j, l] P_j)``; without costs that is ``P_l = 1 / (1 + exp(-2 H_l))``. The odds of a fitted model need not agree
        with any ``P``: a factor common to all classes is left free (:mod:`csboost.baselines.odds`).

        This assumes that the minimum has been reached. After many rounds the scores have grown beyond it and the
        probabilities are too sure; after few they are too timid. A class whose mistakes all cost nothing has weight 0
        in the fit and gets probability 0. With costs per row, ``D`` is the mean over the rows of each class.

        Returns
        -------
        ndarray of shape (n, K)
            In the order of ``classes_``. ``predict`` need not answer the most probable class when costs differ.
        """
        X = self._check_X(X)
        return odds.probabilities(2.0 * self._ensemble.scores(X, effective_n_jobs(self.n_jobs)), self._class_starts)

    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """Expected cost (n, K) of each answer, ``predict_proba(X) @ cost_matrix_``.

        ``predict`` answers the class of largest score, which is the one of largest odds ``D[l, l] P_l / sum over j
        other than l of D[j, l] P_j``. With unequal costs that need not be the class of least expected cost. To decide
        by these estimates, take their ``argmin``.
        """
        return self.predict_proba(X) @ self.cost_matrix_


class _MH:
    """What both kinds of votes share: the distribution over (row, class)."""

    kind = SIGNED

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float, smoothing: float):
        self.learning_rate, self.smoothing = learning_rate, smoothing
        self.state = WeightState(problem.costs, problem.y, max(2, problem.n_classes), learner.rows)

    def channels(self) -> Channels:
        return Channels(self.state.weights, self.kind, self.state.total)

    def step(self, rule: Rule) -> Round | None:
        raise NotImplementedError

    def update(self, rule: Rule, round_: Round) -> None:
        """``D *= exp(-a Y h)``: by ``exp(a h)`` off the truth, ``exp(-a h)`` at it."""
        moved = round_.weight * round_.outputs
        own = np.exp(-2.0 * moved)
        if own.shape[1] == 1:  # one class against the rest: rows of the rest have no truth among the columns
            own = np.hstack([own, np.ones_like(own)])
        self.state.rescale(rule, np.exp(moved), own=own)


class _Discrete(_MH):
    def step(self, rule: Rule) -> Round | None:
        votes = np.where(rule.sums > rule.tie, 1.0, -1.0)
        edge = min(1.0, float((rule.sums * votes).sum()) / self.state.total)
        if edge <= TINY:
            return None
        perfect = edge >= 1.0 - TINY
        safe = 1.0 - TINY if perfect else edge
        return Round(votes, self.learning_rate * 0.5 * np.log((1.0 + safe) / (1.0 - safe)), 0.5 * (1.0 - edge), perfect)


class _Real(_MH):
    kind = HALVES

    def step(self, rule: Rule) -> Round | None:
        half = rule.sums.shape[1] // 2
        plus, minus = rule.sums[:, :half] / self.state.total, rule.sums[:, half:] / self.state.total
        z = float(2.0 * np.sqrt(plus * minus).sum())
        if z >= 1.0 - TINY:
            return None
        confidence = 0.5 * np.log((plus + self.smoothing) / (minus + self.smoothing))
        return Round(confidence, self.learning_rate, z, z < TINY)
