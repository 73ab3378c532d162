"""SAMME (Zhu, Zou, Rosset & Hastie 2009)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from csboost.booster import Booster, Round
from csboost.problem import Problem
from csboost.updates import WeightState
from csboost.weak.channels import ONE_HOT, Channels
from csboost.weak.interface import BoundLearner, Rule
from csboost.weak.splits import LABEL

TINY = 1e-10


class SAMMEClassifier(Booster):
    """SAMME: multiclass AdaBoost with one weight per row (Zhu et al. 2009; ALGORITHMS section 6).

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
        cost_aware=True,
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
        return _Samme(weights, problem, learner, self.learning_rate)


class _Samme:
    def __init__(self, weights: np.ndarray, problem: Problem, learner: BoundLearner, learning_rate: float):
        self.n_classes, self.learning_rate = problem.n_classes, learning_rate
        self.state = WeightState(weights[:, None], problem.y, problem.n_classes, learner.over_blocks, learner.n_blocks)

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
