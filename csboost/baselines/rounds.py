"""The hooks of SAMME, AdaBoost.MH and AdaBoost.M2, whose state is a matrix of weights."""

from __future__ import annotations

import math

import numpy as np

from csboost.boosting import Round
from csboost.problem import Problem
from csboost.updates import WeightState
from csboost.weak.channels import HALVES, ONE_HOT, RELATIONAL, SIGNED, Channels
from csboost.weak.interface import BoundLearner, Rule

TINY = 1e-10  # an error or an edge below it is rounding


class Samme:
    """One weight per row, raised where a rule misses."""

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


class DiscreteMH(_MH):
    """Leaves that vote yes or no on every class."""

    def step(self, rule: Rule) -> Round | None:
        votes = np.where(rule.sums > rule.tie, 1.0, -1.0)
        edge = min(1.0, float((rule.sums * votes).sum()) / self.state.total)
        if edge <= TINY:
            return None
        perfect = edge >= 1.0 - TINY
        safe = 1.0 - TINY if perfect else edge
        return Round(votes, self.learning_rate * 0.5 * np.log((1.0 + safe) / (1.0 - safe)), 0.5 * (1.0 - edge), perfect)


class RealMH(_MH):
    """Leaves that vote with a confidence."""

    kind = HALVES

    def step(self, rule: Rule) -> Round | None:
        half = rule.sums.shape[1] // 2
        plus, minus = rule.sums[:, :half] / self.state.total, rule.sums[:, half:] / self.state.total
        z = float(2.0 * np.sqrt(plus * minus).sum())
        if z >= 1.0 - TINY:
            return None
        confidence = 0.5 * np.log((plus + self.smoothing) / (minus + self.smoothing))
        return Round(confidence, self.learning_rate, z, z < TINY)


class M2:
    """Weights of mislabels (n, K), 0 at the truth, and the pseudo-loss."""

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
