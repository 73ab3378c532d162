"""The paper's two boosters (Algorithms 1 and 2), one round at a time.

Both show the stump search ``-alpha`` and differ in the step length and in how ``alpha`` follows.
"""

from __future__ import annotations

import numpy as np

from bench.published.booster import LabelVoteBooster
from csboost._jit import kernel

_MAX_STEP = 50.0  # keeps the step finite where the loss falls for ever


@kernel
def adaboost_round(channels, labels):
    """Update ``channels = -alpha`` (K, n) in place for the predicted ``labels`` (n,); return the step ``beta``."""
    n_classes, n_rows = channels.shape
    total, error = 0.0, 0.0
    for k in range(n_classes):
        for i in range(n_rows):
            total += channels[k, i]
    for i in range(n_rows):
        error += channels[labels[i], i]
    error /= total
    if error == 0.0:
        return 1.0
    beta = (n_classes - 1) / n_classes * (np.log((1.0 - error) / error) - np.log(n_classes - 1.0))
    hit, other = np.exp(beta), np.exp(-beta / (n_classes - 1))
    total = 0.0
    for k in range(n_classes):
        for i in range(n_rows):
            channels[k, i] *= hit if labels[i] == k else other
            total -= channels[k, i]
    for k in range(n_classes):
        for i in range(n_rows):
            channels[k, i] /= total
    return beta


@kernel
def logitboost_round(channels, costs, inverse, labels):
    """Minimise the logistic loss along the predicted labels, then update the state in place.

    Parameters
    ----------
    channels : float64 array of shape (K, n)
        ``-costs * sigmoid(margins)``; overwritten.
    costs : float64 array of shape (K, n)
        Cost of each class for each row.
    inverse : float64 array of shape (K, n)
        ``exp(-margins)``; overwritten.
    labels : int array of shape (n,)
        Predicted classes.

    Returns
    -------
    float
        The step length: the root of the derivative, by Newton's method kept inside a bracket. It is the point that the
        paper's BFGS search from 1 converges to, because the loss is convex in the step.
    """
    n_classes, n_rows = channels.shape
    error = 0.0
    for i in range(n_rows):
        error += costs[labels[i], i]
    beta = 1.0
    if error > 0.0:
        low, high = -_MAX_STEP, _MAX_STEP
        for _ in range(100):
            hit, other = np.exp(-beta), np.exp(beta / (n_classes - 1))
            slope, curvature = 0.0, 0.0
            for k in range(n_classes):
                for i in range(n_rows):
                    is_hit = labels[i] == k
                    share = 1.0 / (1.0 + inverse[k, i] * (hit if is_hit else other))
                    gram = 1.0 if is_hit else -1.0 / (n_classes - 1)
                    slope += costs[k, i] * gram * share
                    curvature += costs[k, i] * gram * gram * share * (1.0 - share)
            if slope > 0.0:
                high = beta
            else:
                low = beta
            step = slope / curvature if curvature > 0.0 else np.inf
            if abs(step) <= 1e-12 * (1.0 + abs(beta)):
                break
            beta = beta - step if low < beta - step < high else 0.5 * (low + high)
    hit, other = np.exp(-beta), np.exp(beta / (n_classes - 1))
    for k in range(n_classes):
        for i in range(n_rows):
            inverse[k, i] *= hit if labels[i] == k else other
            channels[k, i] = -costs[k, i] / (1.0 + inverse[k, i])
    return beta


class AngleAdaBoost(LabelVoteBooster):
    """Angle-based AdaBoost (the paper's Algorithm 1) on two-leaf trees."""

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        return -costs / costs.sum()

    def _advance(self, channels: np.ndarray, labels: np.ndarray, m: int) -> float:
        return adaboost_round(channels, labels)


class AngleLogitBoost(LabelVoteBooster):
    """Angle-based LogitBoost (the paper's Algorithm 2) on two-leaf trees."""

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        self._costs = costs
        self._inverse = np.ones_like(costs)
        return -costs / 2.0

    def _advance(self, channels: np.ndarray, labels: np.ndarray, m: int) -> float:
        return logitboost_round(channels, self._costs, self._inverse, labels)
