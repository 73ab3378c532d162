"""Steps and updates of the boosters: what a round does to the weights, checked against the formulas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import csboost
from bench.kernels.workloads import clock, make_problem, sizes
from csboost.weak import CostTree

BOOSTERS = {
    "Angle AdaBoost": csboost.AngleAdaBoostClassifier(),
    "Angle LogitBoost": csboost.AngleLogitBoostClassifier(),
    "Angle LUM": csboost.AngleBoostClassifier(loss="lum"),
    "SAMME": csboost.SAMMEClassifier(),
    "AdaBoost.MH": csboost.AdaBoostMHClassifier(),
    "AdaBoost.M2": csboost.AdaBoostM2Classifier(),
    "p-norm": csboost.PNormBoostClassifier(),
}


class First:
    """The first round of a booster, before its update."""

    def __init__(self, name, size):
        self.size, self.problem, self.booster = size, make_problem(size), BOOSTERS[name]
        self.learner = CostTree().bind(self.problem, self.booster._leaf_rule(), 1, 1, np.random.RandomState(0))
        self.algorithm = self._start()
        self.start = self.weights()
        self.rule = self.learner.grow(0, self.algorithm.channels())
        self.round = self.algorithm.step(self.rule)

    def _start(self):
        """The algorithm's state at the start; it may live in the costs, so they are copied."""
        return self.booster._start(replace(self.problem, costs=self.problem.costs.copy()), self.learner)

    def restart(self):
        """Weights that were updated over and over would underflow, and slow the update down."""
        self.algorithm = self._start()
        self.algorithm.step(self.rule)

    def weights(self):
        """Weights (n, K), or (n, 1), that sum to 1."""
        weights = self.algorithm.channels().weights
        return weights / weights.sum()

    def step(self):
        return self.algorithm.step(self.rule)

    def update(self):
        self.algorithm.update(self.rule, self.round)

    def answers(self):
        """What each row's leaf adds (n, K): its vector, or 1 at its class."""
        outputs = self.round.outputs
        if outputs.ndim == 1:
            outputs = (outputs[:, None] == np.arange(self.size.K)).astype(float)
        return outputs[self.rule.leaf_of_row]


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def expected(name, first):
    """The weights after the update, up to their total, by the formulas of the algorithms."""
    h, b, w, K = first.answers(), first.round.weight, first.start, first.size.K
    own = first.problem.y[:, None] == np.arange(K)
    if name.startswith("Angle"):
        margins = b * np.where(h == 1, 1.0, -1.0 / (K - 1))
        slopes: dict[str, Any] = {"Angle AdaBoost": np.exp, "Angle LogitBoost": sigmoid, "Angle LUM": lum_slope}
        return first.problem.costs * slopes[name](margins)
    if name == "SAMME":
        return w * np.where((h * own).sum(axis=1, keepdims=True) == 1, 1.0, np.exp(b))
    if name == "AdaBoost.MH":
        return w * np.exp(-b * np.where(own, 1.0, -1.0) * h)
    if name == "AdaBoost.M2":
        return w * np.exp(-0.5 * b * (1.0 + (h * own).sum(axis=1, keepdims=True) - h))
    return first.problem.costs * (0.5 / K + 0.5 * h) ** 2  # the second of two averaged hypotheses, p = 3


def lum_slope(margins):
    """``-l'(-M)`` for a = c = 1."""
    return np.where(-margins < 0.5, 1.0, 1.0 / np.where(-margins < 0.5, 1.0, -2.0 * margins) ** 2)


@pytest.mark.parametrize("name", BOOSTERS)
@sizes
def test_update(benchmark, size, name):
    first = First(name, size)
    first.update()
    wanted = expected(name, first)
    np.testing.assert_allclose(first.weights(), wanted / wanted.sum(), rtol=1e-9, atol=1e-15)
    clock(benchmark, f"update, {name}", size, first.update, first.restart)
    np.testing.assert_allclose(first.weights(), wanted / wanted.sum(), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("name", ["Angle LogitBoost", "Angle LUM"])
@sizes
def test_line_search(benchmark, size, name):
    first = First(name, size)
    beta = clock(benchmark, f"step, {name}", size, first.step).weight
    signs = np.where(first.answers() == 1, 1.0, -1.0 / (size.K - 1))
    slope = {"Angle LogitBoost": sigmoid, "Angle LUM": lum_slope}[name]
    costs = first.problem.costs

    def derivative(b):
        return (costs * slope(b * signs) * signs).sum() / costs.sum()

    assert derivative(0.999 * beta) < 0 < derivative(1.001 * beta)
