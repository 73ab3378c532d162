"""SAMME, AdaBoost.M2 and p-norm boosting as the published numbers have them, one round at a time."""

from __future__ import annotations

import numpy as np

from bench.published.booster import LabelVoteBooster
from csboost._jit import kernel


@kernel
def samme_round(channels, y, labels):
    """Update ``channels`` (K, n) in place, a row's weight at its class ``y`` and else zero; return the coefficient."""
    n_classes, n_rows = channels.shape
    total, error = 0.0, 0.0
    for i in range(n_rows):
        total += channels[y[i], i]
        error += channels[y[i], i] if labels[i] != y[i] else 0.0
    error /= total
    if error == 0.0:
        return 1.0
    coefficient = np.log((1.0 - error) / error) + np.log(n_classes - 1.0)
    factor = np.exp(coefficient)
    total = 0.0
    for i in range(n_rows):
        channels[y[i], i] *= factor if labels[i] != y[i] else 1.0
        total += channels[y[i], i]
    for i in range(n_rows):
        channels[y[i], i] /= total
    return coefficient


@kernel
def m2_round(channels, y, labels, step):
    """Multiply ``channels = -alpha`` (K, n) in place by ``exp(step * (h_k - h_y) / 2)``, and renormalise.

    ``h`` is 1 at the predicted label and -1 elsewhere.
    """
    n_classes, n_rows = channels.shape
    up, down = np.exp(step), np.exp(-step)
    total = 0.0
    for i in range(n_rows):
        for k in range(n_classes):
            if labels[i] == y[i]:
                channels[k, i] *= down if k != y[i] else 1.0
            elif labels[i] == k:
                channels[k, i] *= up
            total -= channels[k, i]
    for k in range(n_classes):
        for i in range(n_rows):
            channels[k, i] /= total


@kernel
def pnorm_round(channels, costs, hypothesis, labels, step, power):
    """Mix the labels into ``hypothesis`` (K, n) with weight ``step``; set ``channels = -costs * hypothesis**power``."""
    n_classes, n_rows = channels.shape
    for k in range(n_classes):
        for i in range(n_rows):
            mixed = (1.0 - step) * hypothesis[k, i] + (step if labels[i] == k else 0.0)
            hypothesis[k, i] = mixed
            channels[k, i] = -costs[k, i] * mixed**power


class Samme(LabelVoteBooster):
    """SAMME (Zhu et al. 2009) on two-leaf trees, trained without costs."""

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        self._y = y
        channels = np.zeros_like(costs)
        channels[y, np.arange(len(y))] = 1.0 / len(y)
        return channels

    def _advance(self, channels: np.ndarray, labels: np.ndarray, m: int) -> float:
        return samme_round(channels, self._y, labels)


class AdaBoostM2(LabelVoteBooster):
    """AdaBoost.M2 (Freund & Schapire 1997) with label hypotheses coded +1 and -1 and the fixed step 1/n."""

    def _step(self, n_rows: int) -> float:
        return 1.0 / n_rows

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        self._y = y
        return -costs / costs.sum()

    def _advance(self, channels: np.ndarray, labels: np.ndarray, m: int) -> float:
        m2_round(channels, self._y, labels, self._step(len(labels)))
        return 1.0  # equal steps: whole votes keep ties exact


class PNorm(LabelVoteBooster):
    """p-norm boosting (Lozano & Abe 2008) with label hypotheses and the fixed step 1/n."""

    p = 3

    def _step(self, n_rows: int) -> float:
        return 1.0 / n_rows

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        self._costs = costs
        self._hypothesis = np.full_like(costs, 1.0 / len(costs))
        return -costs * self._hypothesis ** (self.p - 1)

    def _advance(self, channels: np.ndarray, labels: np.ndarray, m: int) -> float:
        step = self._step(len(labels))
        pnorm_round(channels, self._costs, self._hypothesis, labels, step, self.p - 1)
        # F <- (1 - a) F + a h gives the vote of round m the weight a (1 - a)^(M - m) after M rounds. Votes of weight
        # (1 - a)^-m have the same leader, and need no rescaling of the earlier ones.
        return float((1.0 - step) ** -m)
