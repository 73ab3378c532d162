"""The three hooks of angle boosting, one small class per way of keeping the state."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from csboost.angle import steps
from csboost.boosting import Round
from csboost.problem import Problem
from csboost.updates import WeightState, summed
from csboost.weak.channels import NEGATED, Channels
from csboost.weak.interface import BoundLearner, Rule


class ExponentialSteps:
    """Algorithm 1 of the paper: weights ``alpha = c exp(M)`` and the closed-form step."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float):
        self.n_classes, self.learning_rate = problem.n_classes, learning_rate
        self.state = WeightState(problem.costs, problem.y, problem.n_classes, learner.over_blocks, learner.n_blocks)

    def channels(self) -> Channels:
        return Channels(self.state.weights, NEGATED, self.state.total)

    def step(self, rule: Rule) -> Round | None:
        error = -rule.chosen / self.state.total
        if error >= 1.0 / self.n_classes - steps.TINY:
            return None
        perfect = error < steps.TINY
        beta = steps.closed_form_step(steps.TINY if perfect else error, self.n_classes)
        return Round(rule.labels, self.learning_rate * beta, error, perfect)

    def update(self, rule: Rule, round_: Round) -> None:
        b = round_.weight
        self.state.rescale_labels(rule, math.exp(b), math.exp(-b / (self.n_classes - 1)))


class _LineSearchSteps:
    """A step by line search from the slopes of any margin loss; subclasses keep the margins in their own way."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float):
        self.costs, self.n_classes, self.learning_rate = problem.costs, problem.n_classes, learning_rate
        self.over_blocks, self.cap = learner.over_blocks, steps.largest_step(problem.n_classes)
        self.sums, self.partial = np.zeros((learner.n_blocks, 4)), np.zeros(learner.n_blocks)
        self.mass, self.last_step = float(problem.costs.sum()), 1.0
        self.weights = np.empty_like(problem.costs)

    total: float  # of the weights; set by subclasses

    def _sum_slopes(self, rule: Rule, b: float) -> None:
        """Fill ``sums`` with those of :func:`csboost.angle.steps.logistic_slopes` at a trial step b."""
        raise NotImplementedError

    def channels(self) -> Channels:
        return Channels(self.weights, NEGATED, self.total)

    def step(self, rule: Rule) -> Round | None:
        answered = -rule.chosen  # the weights are the slopes at step 0
        if answered - (self.total - answered) / (self.n_classes - 1) >= -1e-12 * self.mass:
            return None
        beta = steps.line_search(lambda b: self._slopes(rule, b), self.last_step, self.cap)
        self.last_step = beta
        return Round(rule.labels, self.learning_rate * beta, answered / self.total, beta >= self.cap)

    def _slopes(self, rule: Rule, b: float) -> tuple[float, float]:
        """First and second derivative of ``sum c l(-(M + b G))`` in b."""
        self._sum_slopes(rule, b)
        one = len(self.sums) == 1
        answered, answered_bend, others, others_bend = (self.sums[0] if one else self.sums.sum(axis=0)).tolist()
        share = 1.0 / (self.n_classes - 1)
        return answered - share * others, answered_bend + share * share * others_bend


class LogisticSteps(_LineSearchSteps):
    """Algorithm 2 of the paper; keeps ``exp(M)``, which two factors per round update."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float):
        super().__init__(problem, learner, learning_rate)
        self.odds = np.ones_like(problem.costs)
        self.weights[:] = 0.5 * problem.costs
        self.total = 0.5 * self.mass

    def _factors(self, b: float) -> tuple[float, float]:
        return math.exp(b), math.exp(-b / (self.n_classes - 1))

    def _sum_slopes(self, rule: Rule, b: float) -> None:
        up, down = self._factors(b)
        self.over_blocks(
            lambda first, last, _: steps.logistic_slopes(
                self.odds, self.costs, rule.leaf_of_row, rule.labels, up, down, first, last, self.sums
            )
        )

    def update(self, rule: Rule, round_: Round) -> None:
        up, down = self._factors(round_.weight)
        self.over_blocks(
            lambda first, last, _: steps.logistic_update(
                self.odds,
                self.costs,
                rule.leaf_of_row,
                round_.outputs,
                up,
                down,
                self.weights,
                first,
                last,
                self.partial,
            )
        )
        self.total = summed(self.partial)


class LargeMarginSteps(_LineSearchSteps):
    """The large-margin unified family with parameters a and c (Liu, Zhang & Wu 2011)."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float, a: float, c: float):
        super().__init__(problem, learner, learning_rate)
        self.a, self.c = a, c
        self.margins = np.zeros_like(problem.costs)
        self.weights[:] = problem.costs * steps.lum_slope(0.0, a, c)[0]
        self.total = float(self.weights.sum())

    def _sum_slopes(self, rule: Rule, b: float) -> None:
        self.over_blocks(
            lambda first, last, _: steps.lum_slopes(
                self.margins, self.costs, rule.leaf_of_row, rule.labels, b, self.a, self.c, first, last, self.sums
            )
        )

    def update(self, rule: Rule, round_: Round) -> None:
        self.over_blocks(
            lambda first, last, _: steps.lum_update(
                self.margins,
                self.costs,
                rule.leaf_of_row,
                round_.outputs,
                round_.weight,
                self.a,
                self.c,
                self.weights,
                first,
                last,
                self.partial,
            )
        )
        self.total = summed(self.partial)


class CustomSteps(_LineSearchSteps):
    """A user's loss object, evaluated with NumPy (see :class:`csboost.angle.losses.MarginLoss`)."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float, loss: Any):
        super().__init__(problem, learner, learning_rate)
        self.loss = loss
        self.margins = np.zeros_like(problem.costs)
        self._weigh()

    def _weigh(self) -> None:
        self.weights[:] = self.costs * -self.loss.derivative(-self.margins)
        self.total = float(self.weights.sum())

    def _shifts(self, rule: Rule) -> np.ndarray:
        """Rows of the simplex's Gram matrix for every row's answer."""
        answers = rule.labels[rule.leaf_of_row]
        return np.where(answers[:, None] == np.arange(self.n_classes), 1.0, -1.0 / (self.n_classes - 1))

    def _sum_slopes(self, rule: Rule, b: float) -> None:
        shifts = self._shifts(rule)
        z = -(self.margins + b * shifts)
        slopes, bends = self.costs * -self.loss.derivative(z), self.costs * self.loss.second_derivative(z)
        answered = shifts == 1.0
        self.sums[:] = 0.0
        self.sums[0] = slopes[answered].sum(), bends[answered].sum(), slopes[~answered].sum(), bends[~answered].sum()

    def update(self, rule: Rule, round_: Round) -> None:
        self.margins += round_.weight * self._shifts(rule)
        self._weigh()
