"""What boosting with vector leaves can lower: the likelihood, the guess-averse loss, and margin losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import log_softmax, softmax

from csboost.angle.losses import LOSSES, get_loss
from csboost.link.interface import Link
from csboost.link.likelihood import GuessAverseLink, MultinomialLink
from csboost.link.margin import MarginLink
from csboost.problem import Problem

if TYPE_CHECKING:
    from csboost.angle.vector_steps import Training, _VectorSteps
    from csboost.weak.rows import Rows

__all__ = ["Objective", "make_objective"]

NO_COST = 1e-9  # the share of the mean cost that stands for a cost of 0, which has no logarithm


@dataclass
class Objective:
    """The multinomial likelihood; what differs with other losses is below.

    Attributes
    ----------
    problem : Problem
        The training rows.
    shares : ndarray (K,)
        Of the classes in the weight of these rows.
    """

    problem: Problem
    shares: np.ndarray
    by_bayes_rule = True

    @property
    def n_scores(self) -> int:
        """S: how many margins a row has, here one per class."""
        return self.problem.n_classes

    def start(self) -> np.ndarray:
        """The margins (S,) before the first round."""
        logs = np.log(np.maximum(self.shares, np.finfo(float).tiny))
        return logs - logs.mean()

    def steps(self, training: Training, rows: Rows) -> _VectorSteps:
        """The hooks of one bag."""
        from csboost.angle.vector_steps import LikelihoodSteps  # kernels

        return LikelihoodSteps(training, rows, softmax(self.start()), np.empty((0, self.problem.n_classes)))

    def losses(self, margins: np.ndarray, labels: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """The loss (n,) of rows of weight 1, given what each answer costs them, ``costs`` (n, A), not negative."""
        return -log_softmax(margins, axis=1)[np.arange(len(labels)), labels]

    def link(self) -> Link:
        """From margins to probabilities and expected costs."""
        return MultinomialLink(self.problem.training_matrix)


class GuessAverse(Objective):
    """The guess-averse loss: the likelihood of margins shifted by the logarithms of the row's costs.

    Costs are brought to a mean of 1 over rows and wrong answers: where all mistakes cost the same, it is the
    multinomial likelihood.
    """

    by_bayes_rule = False

    def scale(self) -> float:
        """The factor on costs."""
        problem = self.problem
        own, rows = problem.costs[np.arange(len(problem.y)), problem.y], problem.rows()
        wrong = rows.sum(problem.costs) - rows.sum(own)
        return rows.sum(problem.weights) * (problem.n_classes - 1) / wrong if wrong > 0 else 1.0

    def shifts(self, labels: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """The factors (n, K) of ``exp(margins)``."""
        shifts = np.maximum(self.scale() * costs, NO_COST)
        shifts[np.arange(len(labels)), labels] = 1.0
        return shifts

    def steps(self, training: Training, rows: Rows) -> _VectorSteps:
        """The hooks of one bag."""
        from csboost.angle.vector_steps import LikelihoodSteps  # kernels

        problem = self.problem
        shifts = self.shifts(problem.y, problem.costs / problem.weights[:, None])
        return LikelihoodSteps(training, rows, softmax(self.start() + np.log(shifts), axis=1), 1.0 / shifts)

    def losses(self, margins: np.ndarray, labels: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """The loss (n,) of rows of weight 1."""
        return super().losses(margins + np.log(self.shifts(labels, costs)), labels, costs)

    def link(self) -> Link:
        """From margins to probabilities and expected costs."""
        unit = 2.0**self.problem.exponent
        return GuessAverseLink(self.problem.training_matrix, self.scale() / unit)


@dataclass
class Margins(Objective):
    """The paper's losses: ``sum_a c_a l(-M_a)`` over the answers, with costs of mean row sum 1."""

    loss: Any
    by_bayes_rule = False

    @property
    def n_scores(self) -> int:
        """One margin per answer."""
        return self.problem.n_answers

    def start(self) -> np.ndarray:
        """The margins (S,) before the first round."""
        return np.zeros(self.n_scores)

    def scale(self) -> float:
        """The factor on costs."""
        rows = self.problem.rows()
        return rows.sum(self.problem.weights) / rows.sum(self.problem.costs)

    def steps(self, training: Training, rows: Rows) -> _VectorSteps:
        """The hooks of one bag."""
        from csboost.angle.vector_steps import MarginSteps  # kernels

        return MarginSteps(training, rows, self.start(), self.loss, self.scale())

    def losses(self, margins: np.ndarray, labels: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """The loss (n,) of rows of weight 1."""
        return self.scale() * (costs * self.loss.value(-margins)).sum(axis=1)

    def link(self) -> Link:
        """From margins to probabilities and expected costs."""
        return MarginLink(self.loss, self.problem.training_matrix, self.shares)


def make_objective(loss: Any, problem: Problem, shares: np.ndarray) -> Objective:
    """The objective of a name or a loss object."""
    if isinstance(loss, str):
        if loss == "multinomial":
            return Objective(problem, shares)
        if loss == "guess-averse":
            return GuessAverse(problem, shares)
        if loss not in LOSSES:
            known = ", ".join(map(repr, ("multinomial", "guess-averse", *LOSSES)))
            raise ValueError(f"unknown loss {loss!r}. Known: {known}, or a loss object")
    return Margins(problem, shares, get_loss(loss))
