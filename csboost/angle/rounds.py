"""The three hooks of angle boosting, one small class per way of keeping the state."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from csboost.angle import steps
from csboost.boosting import Round
from csboost.problem import Problem
from csboost.updates import WeightState
from csboost.weak.channels import NEGATED, Channels
from csboost.weak.interface import BoundLearner, Rule


class ExponentialSteps:
    """Algorithm 1 of the paper: weights ``alpha = c exp(M)`` and the closed-form step."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float):
        self.n_answers, self.learning_rate = problem.n_answers, learning_rate
        self.state = WeightState(problem.costs, problem.y, problem.n_classes, learner.rows)

    def channels(self) -> Channels:
        return Channels(self.state.weights, NEGATED, self.state.total)

    def step(self, rule: Rule) -> Round | None:
        error = -rule.chosen / self.state.total
        if error >= 1.0 / self.n_answers - steps.TINY:
            return None
        perfect = error < steps.TINY
        beta = steps.closed_form_step(steps.TINY if perfect else error, self.n_answers)
        return Round(rule.labels, self.learning_rate * beta, error, perfect)

    def update(self, rule: Rule, round_: Round) -> None:
        b = round_.weight
        self.state.rescale_labels(rule, math.exp(b), math.exp(-b / (self.n_answers - 1)))


class _LineSearchSteps:
    """A step by line search from the slopes of any margin loss; subclasses keep the margins in their own way."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float):
        self.costs, self.n_answers, self.learning_rate = problem.costs, problem.n_answers, learning_rate
        self.rows, self.cap = learner.rows, steps.largest_step(problem.n_answers)
        self.mass, self.last_step = self.rows.sum(problem.costs), 1.0
        self.weights = np.empty_like(problem.costs)

    total: float  # of the weights; set by subclasses

    def _sum_slopes(self, rule: Rule, b: float) -> list[float]:
        """The four totals of :func:`csboost.angle.steps.logistic_slopes` at a trial step b."""
        raise NotImplementedError

    def channels(self) -> Channels:
        return Channels(self.weights, NEGATED, self.total)

    def step(self, rule: Rule) -> Round | None:
        answered = -rule.chosen  # the weights are the slopes at step 0
        if answered - (self.total - answered) / (self.n_answers - 1) >= -1e-12 * self.mass:
            return None
        beta = steps.line_search(lambda b: self._slopes(rule, b), self.last_step, self.cap)
        return Round(rule.labels, self.learning_rate * beta, answered / self.total, beta >= self.cap, beta)

    def update(self, rule: Rule, round_: Round) -> None:
        self.last_step = round_.step
        self._move(rule, round_)

    def _move(self, rule: Rule, round_: Round) -> None:
        """Take a step."""
        raise NotImplementedError

    def _slopes(self, rule: Rule, b: float) -> tuple[float, float]:
        """First and second derivative of ``sum c l(-(M + b G))`` in b."""
        answered, answered_bend, others, others_bend = self._sum_slopes(rule, b)
        share = 1.0 / (self.n_answers - 1)
        return answered - share * others, answered_bend + share * share * others_bend


class LogisticSteps(_LineSearchSteps):
    """Algorithm 2 of the paper; keeps ``exp(M)``, which two factors per round update."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float):
        super().__init__(problem, learner, learning_rate)
        self.odds = np.ones_like(problem.costs)
        self.weights[:] = 0.5 * problem.costs
        self.total = 0.5 * self.mass

    def _factors(self, b: float) -> tuple[float, float]:
        return math.exp(b), math.exp(-b / (self.n_answers - 1))

    def _sum_slopes(self, rule: Rule, b: float) -> list[float]:
        answers = rule.leaf_of_row, rule.labels
        return self.rows.totals(steps.logistic_slopes, self.odds, self.costs, *answers, *self._factors(b), count=4)

    def _move(self, rule: Rule, round_: Round) -> None:
        moved = rule.leaf_of_row, round_.outputs, *self._factors(round_.weight)
        self.total = self.rows.totals(steps.logistic_update, self.odds, self.costs, *moved, self.weights)


class LargeMarginSteps(_LineSearchSteps):
    """The large-margin unified family with parameters a and c (Liu, Zhang & Wu 2011)."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float, a: float, c: float):
        super().__init__(problem, learner, learning_rate)
        self.family = a, c
        self.margins = np.zeros_like(problem.costs)
        self.weights[:] = problem.costs * steps.lum_slope(0.0, a, c)[0]
        self.total = self.rows.sum(self.weights)

    def _sum_slopes(self, rule: Rule, b: float) -> list[float]:
        moved = rule.leaf_of_row, rule.labels, b, self.family
        return self.rows.totals(steps.lum_slopes, self.margins, self.costs, *moved, count=4)

    def _move(self, rule: Rule, round_: Round) -> None:
        moved = rule.leaf_of_row, round_.outputs, round_.weight, self.family
        self.total = self.rows.totals(steps.lum_update, self.margins, self.costs, *moved, self.weights)


class CustomSteps(_LineSearchSteps):
    """A user's loss object, evaluated with NumPy (see :class:`csboost.angle.losses.MarginLoss`)."""

    def __init__(self, problem: Problem, learner: BoundLearner, learning_rate: float, loss: Any):
        super().__init__(problem, learner, learning_rate)
        self.loss = loss
        self.margins = np.zeros_like(problem.costs)
        self._weigh()

    def _weigh(self) -> None:
        self.weights[:] = self.costs * -self.loss.derivative(-self.margins)
        self.total = self.rows.sum(self.weights)

    def _shifts(self, rule: Rule) -> np.ndarray:
        """Rows of the simplex's Gram matrix for every row's answer."""
        answers = rule.labels[rule.leaf_of_row]
        return np.where(answers[:, None] == np.arange(self.n_answers), 1.0, -1.0 / (self.n_answers - 1))

    def _sum_slopes(self, rule: Rule, b: float) -> list[float]:
        shifts = self._shifts(rule)
        z = -(self.margins + b * shifts)
        slopes, bends = self.costs * -self.loss.derivative(z), self.costs * self.loss.second_derivative(z)
        answered = shifts == 1.0
        parts = (slopes, answered), (bends, answered), (slopes, ~answered), (bends, ~answered)
        partial = [[values[block][at[block]].sum() for values, at in parts] for block in self.rows.blocks]
        return self.rows.total(np.array(partial))

    def _move(self, rule: Rule, round_: Round) -> None:
        self.margins += round_.weight * self._shifts(rule)
        self._weigh()
