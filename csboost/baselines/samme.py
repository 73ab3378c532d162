"""SAMME (Zhu, Zou, Rosset & Hastie 2009)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from scipy.special import softmax

from csboost.booster import Booster, Round
from csboost.problem import Problem
from csboost.updates import WeightState
from csboost.weak.channels import ONE_HOT, Channels
from csboost.weak.interface import BoundLearner, Rule
from csboost.weak.rules import LABEL

TINY = 1e-10


class SAMMEClassifier(Booster):
    """SAMME: multiclass AdaBoost with one weight per row (Zhu et al. 2009).

    Of a row's costs it knows their mean alone: which wrong answer is dear, and whether the right one costs something,
    makes no difference.

    Parameters
    ----------
    cost_aware : bool, default=True
        Start each row from its mean cost; False is the original, which knows no costs.
    cost_matrix, n_estimators, learning_rate, weak_learner, n_iter_no_change, validation_fraction, n_jobs,
    random_state, verbose
        As in :class:`csboost.AngleAdaBoostClassifier`.
    """

    _parameter_constraints: dict[str, Any] = {**Booster._parameter_constraints, "cost_aware": ["boolean"]}

    def __init__(
        self,
        cost_matrix=None,
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
        self.cost_aware = cost_aware

    def _leaf_rule(self) -> int:
        return LABEL

    def _start(self, problem: Problem, learner: BoundLearner) -> _Samme:
        weights = problem.costs.mean(axis=1) if self.cost_aware else problem.weights
        counts = np.bincount(problem.y, problem.weights)
        self._class_weights = np.bincount(problem.y, weights) / counts  # how often the start counts a row of each class
        return _Samme(weights, problem, learner, self.learning_rate)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities through the population minimiser of SAMME's loss (Zhu et al. 2009, section 2).

        With starting weights ``w_k`` for rows of class ``k`` the scores at the minimiser are
        ``K/(K-1) (log(w_k P_k) - mean)``, so ``P_k`` is proportional to ``exp((K-1)/K score_k) / w_k``. ``w_k`` is the
        mean cost of class ``k`` when ``cost_aware``, else 1.

        This assumes that the minimum has been reached. After many rounds the scores have grown beyond it and the
        probabilities are too sure; after few they are too timid. A class whose mistakes all cost nothing has weight 0
        in the fit and gets probability 0. With costs per row, ``w_k`` is the mean over the rows of the class.

        Returns
        -------
        ndarray of shape (n, K)
            In the order of ``classes_``. ``predict`` need not answer the most probable class when ``w_k`` differ.
        """
        scores = self._ensemble_scores(X)
        positive = self._class_weights > 0
        log_weights = np.log(self._class_weights, where=positive, out=np.full(len(positive), np.inf))
        return softmax(scores * (1.0 - 1.0 / scores.shape[1]) - log_weights, axis=1)

    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """Expected cost (n, K) of each answer, ``predict_proba(X) @ cost_matrix_``.

        ``predict`` answers the class of largest score, which is the one of largest ``w_k P_k``. As SAMME knows costs
        only by their row means ``w_k``, that need not be the class of least expected cost. To decide by these
        estimates, take their ``argmin``.
        """
        return self.predict_proba(X) @ self.cost_matrix_

    def _ensemble_scores(self, X: Any) -> np.ndarray:
        X = self._check_X(X)
        return self._ensemble.scores(X, effective_n_jobs(self.n_jobs))


class _Samme:
    def __init__(self, weights: np.ndarray, problem: Problem, learner: BoundLearner, learning_rate: float):
        self.n_classes, self.learning_rate = problem.n_classes, learning_rate
        self.state = WeightState(weights[:, None], problem.y, problem.n_classes, learner.rows)

    def channels(self) -> Channels:
        return Channels(self.state.weights, ONE_HOT, self.state.total)

    def step(self, rule: Rule) -> Round | None:
        error = max(0.0, 1.0 - rule.chosen / self.state.total)
        if error >= 1.0 - 1.0 / self.n_classes - TINY:
            return None
        perfect = error < TINY
        safe = TINY if perfect else error
        step = self.learning_rate * (np.log((1.0 - safe) / safe) + np.log(self.n_classes - 1))
        return Round(rule.labels, step, error, perfect)

    def update(self, rule: Rule, round_: Round) -> None:
        missed = round_.outputs[:, None] != np.arange(self.n_classes)
        self.state.rescale(rule, np.ones((len(rule.sums), 1)), per_truth=np.where(missed, math.exp(round_.weight), 1.0))
