"""The hooks of boosting with vector leaves: by likelihood and by margin losses."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from csboost.angle import likelihood
from csboost.angle.folds import HeldOut
from csboost.boosting import Round
from csboost.weak.channels import GRADIENTS, LIKELIHOOD, Channels
from csboost.weak.interface import Rule
from csboost.weak.rows import Rows


class Training(NamedTuple):
    """What the hooks need to know of one bag."""

    labels: np.ndarray  # (n,) class numbers
    weights: np.ndarray  # (n,) of the rows to learn from; 0 where a row is held out
    costs: np.ndarray  # (n, A) what each answer costs, weights included
    matrix: np.ndarray  # (K, A) the costs of the Bayes rule
    held_out: HeldOut | None
    learning_rate: float
    reg_lambda: float
    subsample: float
    seed: int


class _VectorSteps:
    """What both share: which rows a tree learns from, and when the rows held out say that it is enough."""

    state: np.ndarray  # what the weak learner is shown; its last column is the weight of each row

    def __init__(self, training: Training, rows: Rows, n_scores: int):
        self.training, self.rows, self.round = training, rows, 0
        self.n_rows, self.n_scores = len(training.costs), n_scores
        self.total, self.error = rows.sum(training.weights), 1.0
        self.partial = np.zeros((0, 0, 0))

    def channels(self) -> Channels:
        raise NotImplementedError

    def step(self, rule: Rule) -> Round:
        raise NotImplementedError

    def update(self, rule: Rule, round_: Round) -> bool:
        raise NotImplementedError

    def _draw(self) -> None:
        """Choose the rows of the coming tree."""
        training = self.training
        if training.subsample < 1.0:
            drawn = self.rows.uniform([training.seed, 2, self.round]) < training.subsample
            some = (training.weights[drawn] > 0).any()
            drawn |= self.rows.most(float(some)) == 0.0  # few rows: all of them
            self.state[:, -1] = np.where(drawn, training.weights, 0.0)
            self.total = self.rows.sum(self.state[:, -1])

    def _partial(self, leaves: int, numbers: int) -> np.ndarray:
        """Space for sums per block and leaf."""
        if self.partial.shape[1] < leaves:
            self.partial = np.zeros((self.rows.n_blocks, leaves, numbers))
        return self.partial[:, :leaves] if self.rows.n_blocks == 1 else np.ascontiguousarray(self.partial[:, :leaves])

    def _is_enough(self, loss: float, cost: float) -> bool:
        held_out = self.training.held_out
        self.round += 1
        return held_out is not None and held_out.stops(loss, cost)


class LikelihoodSteps(_VectorSteps):
    """Likelihood of ``softmax(margins)``, shifted by the logarithms of costs where these are in the loss.

    The state is the probabilities (n, K) and the weights; ``unshift`` (n, K) is what leads back from the shifted ones
    to the margins, (0, K) where they are not shifted.
    """

    def __init__(self, training: Training, rows: Rows, shares: np.ndarray, unshift: np.ndarray):
        super().__init__(training, rows, unshift.shape[1])
        self.state = np.empty((self.n_rows, self.n_scores + 1))
        self.state[:, :-1], self.state[:, -1] = shares, training.weights
        own = np.take_along_axis(self.state, training.labels[:, None].astype(np.int64), axis=1)[:, 0]
        self.error = rows.sum(training.weights * (1.0 - own)) / self.total
        held = np.zeros(self.n_rows) if training.held_out is None else training.held_out.weights
        self.held_out = training.labels, held, training.costs, training.matrix, unshift

    def channels(self) -> Channels:
        self._draw()
        return Channels(self.state, LIKELIHOOD, self.total)

    def step(self, rule: Rule) -> Round:
        leaves = len(rule.sums)
        partial = self._partial(leaves, likelihood.sums_per_leaf(self.n_scores))
        sources = self.state, self.training.labels, rule.leaf_of_row
        self.rows.run(lambda first, last, _: likelihood.sum_leaves(*sources, first, last, partial))
        values = np.empty((leaves, self.n_scores))
        likelihood.solve_leaves(self.rows.gathered(partial), self.training.reg_lambda, values)
        return Round(values, self.training.learning_rate, self.error)

    def update(self, rule: Rule, round_: Round) -> bool:
        factors = np.exp(round_.weight * round_.outputs)
        moved = self.state, rule.leaf_of_row, factors, self.held_out
        missed, loss, cost = self.rows.totals(likelihood.move, *moved, count=3)
        self.error = missed / self.total
        return self._is_enough(loss, cost)


class MarginSteps(_VectorSteps):
    """A margin loss of every answer, weighted by what it costs, evaluated with NumPy.

    The state is the gradients and curvatures (n, A) and the weights; ``scale`` is a factor on the costs.
    """

    def __init__(self, training: Training, rows: Rows, start: np.ndarray, loss: Any, scale: float):
        super().__init__(training, rows, len(start))
        self.loss, self.margins = loss, np.tile(start, (self.n_rows, 1))
        self.costs = training.costs * scale
        self.costs[training.weights == 0.0] = 0.0
        self.state = np.zeros((self.n_rows, 2 * self.n_scores + 1))
        self.state[:, -1] = training.weights
        held = training.held_out
        self.held = np.zeros(0, np.int64) if held is None else np.flatnonzero(held.weights)
        self.held_costs = scale * training.costs[self.held]
        starts = np.searchsorted(self.held, [block.start for block in rows.blocks] + [rows.n_rows])
        self.held_blocks = [slice(start, stop) for start, stop in pairwise(starts)]

    def channels(self) -> Channels:
        self._draw()
        slopes = self.rows.map(self._weigh, self.rows.blocks)
        bound, self.error = self.rows.total(np.array(slopes).reshape(-1, 2))
        self.error /= self.rows.sum(self.training.weights)
        return Channels(self.state, GRADIENTS, bound)

    def _weigh(self, block: slice) -> tuple[float, float]:
        """Gradients and curvatures of a block; the bound of their sums, and the total slope."""
        A, costs, z = self.n_scores, self.costs[block], -self.margins[block]
        slopes = costs * -self.loss.derivative(z)
        state = self.state[block]
        state[:, :A] = slopes.mean(axis=1, keepdims=True) - slopes
        state[:, A : 2 * A] = costs * self.loss.second_derivative(z)
        return float(np.abs(state).max(axis=1).sum()), float(slopes.sum())

    def step(self, rule: Rule) -> Round:
        leaves = len(rule.sums)
        partial = self._partial(leaves, 2 * self.n_scores)
        sources = self.state, rule.leaf_of_row
        self.rows.run(lambda first, last, _: likelihood.sum_leaf_gradients(*sources, first, last, partial))
        values = np.empty((leaves, self.n_scores))
        likelihood.solve_leaf_diagonals(self.rows.gathered(partial), self.training.reg_lambda, values)
        return Round(values, self.training.learning_rate, self.error)

    def update(self, rule: Rule, round_: Round) -> bool:
        moves = round_.weight * round_.outputs
        self.rows.map(lambda block: self._move(block, rule.leaf_of_row, moves), self.rows.blocks)
        margins, rows = self.margins[self.held], np.arange(len(self.held))
        lost, paid = self.held_costs * self.loss.value(-margins), self.training.costs[self.held]
        paid = paid[rows, margins.argmax(axis=1)]
        partial = [[lost[block].sum(), paid[block].sum()] for block in self.held_blocks]
        return self._is_enough(*self.rows.total(np.array(partial).reshape(-1, 2)))

    def _move(self, block: slice, leaf_of_row: np.ndarray, moves: np.ndarray) -> None:
        self.margins[block] += moves[leaf_of_row[block]]
