"""AdaBoost.M2 (Freund & Schapire 1997)."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from csboost.baselines.samme import TINY
from csboost.booster import Booster, Round
from csboost.problem import Problem
from csboost.updates import WeightState
from csboost.weak.channels import RELATIONAL, Channels
from csboost.weak.interface import BoundLearner, Rule
from csboost.weak.rules import LABEL, VOTES


class AdaBoostM2Classifier(Booster):
    """AdaBoost.M2: boosting of the pseudo-loss over mislabels (Freund & Schapire 1997).

    What a right answer costs (``C[j, j]``) is not used: the pseudo-loss compares wrong classes with the truth.

    There is no ``predict_proba``: the pseudo-loss compares the truth with each wrong class by a hypothesis between 0
    and 1, and the literature has no link from its scores to probabilities.

    Parameters
    ----------
    hypothesis : {"set", "label"}, default="set"
        Whether a leaf answers the set of plausible classes or one class.
    step : float or None, default=None
        A fixed step in place of ``log((1 - eps) / eps)``; either is multiplied by ``learning_rate``.
    cost_matrix, n_estimators, learning_rate, weak_learner, n_iter_no_change, validation_fraction, n_jobs,
    random_state, verbose
        As in :class:`csboost.AngleAdaBoostClassifier`.
    """

    _parameter_constraints: dict[str, Any] = {
        **Booster._parameter_constraints,
        "hypothesis": [StrOptions({"set", "label"})],
        "step": [Interval(Real, 0, None, closed="neither"), None],
    }
    _symmetric = False

    def __init__(
        self,
        cost_matrix=None,
        hypothesis="set",
        step=None,
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
        self.hypothesis = hypothesis
        self.step = step

    def _leaf_rule(self) -> int:
        return LABEL if self.hypothesis == "label" else VOTES

    def _start(self, problem: Problem, learner: BoundLearner) -> _M2:
        return _M2(problem, learner, self.hypothesis == "label", self.step, self.learning_rate)


class _M2:
    def __init__(
        self, problem: Problem, learner: BoundLearner, labels: bool, fixed: float | None, learning_rate: float
    ):
        self.labels, self.fixed, self.learning_rate, self.n_classes = labels, fixed, learning_rate, problem.n_classes
        mislabels = problem.costs
        mislabels[np.arange(len(problem.y)), problem.y] = 0.0
        self.state = WeightState(mislabels, problem.y, problem.n_classes, learner.rows)

    def channels(self) -> Channels:
        return Channels(self.state.weights, RELATIONAL, self.state.total)

    def step(self, rule: Rule) -> Round | None:
        if self.labels:
            outputs, agreement = rule.labels, rule.chosen
        else:
            outputs = (rule.sums > rule.tie).astype(np.float64)
            agreement = float((rule.sums * outputs).sum())
        error = max(0.0, 0.5 * (1.0 - agreement / self.state.total))
        if error >= 0.5 - TINY:
            return None
        perfect = self.fixed is None and error < TINY
        safe = TINY if perfect else error
        step = self.learning_rate * (np.log((1.0 - safe) / safe) if self.fixed is None else self.fixed)
        return Round(outputs, step, error, perfect)

    def update(self, rule: Rule, round_: Round) -> None:
        answers = round_.outputs
        if self.labels:
            answers = (answers[:, None] == np.arange(self.n_classes)).astype(np.float64)
        half = 0.5 * round_.weight
        self.state.rescale(rule, np.exp(half * answers), per_truth=np.exp(-half * (1.0 + answers)))
