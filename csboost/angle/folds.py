"""Folds of the rows, what the rows of a fold cost and lose from round to round, and how many rounds are best."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["FOLDS", "HeldOut", "deal", "mean_curve"]

FOLDS = 5  # at least: a fold is a fifth of the rows, or less
GAIN = 1e-12  # a loss lower by less has not fallen


class HeldOut:
    """Watches the rows that one bag does not learn from.

    Parameters
    ----------
    weights : ndarray (n,)
        Weights of the rows held out, 0 elsewhere.
    total : float
        Their total, those of other machines included.
    patience : int
        Rounds to wait for a lower loss.
    report : callable, optional
        Called with the round, its mean loss and cost and the best round.
    gained : float, default=0.0
        Added to every cost: the total gain of the rows, which a fit takes off their costs.

    Attributes
    ----------
    curve : list of (float, float)
        Total loss and cost after each round.
    best : int
        The round of least loss.
    """

    def __init__(
        self,
        weights: np.ndarray,
        total: float,
        patience: int,
        report: Callable[[int, float, float, int], None] | None = None,
        gained: float = 0.0,
    ):
        self.weights, self.total, self.patience, self.report, self.gained = weights, total, patience, report, gained
        self.curve: list[tuple[float, float]] = []
        self.best, self._least = 0, np.inf

    def stops(self, loss: float, cost: float) -> bool:
        """Take a round in; whether ``patience`` rounds have passed without a lower loss."""
        m, cost = len(self.curve), cost + self.gained
        self.curve.append((loss, cost))
        if loss < self._least - GAIN * self.total:
            self.best, self._least = m, loss
        if self.report is not None:
            self.report(m, loss / self.total, cost / self.total, self.best)
        return m - self.best >= self.patience


def deal(labels: np.ndarray, n_folds: int, rng: np.random.RandomState) -> np.ndarray:
    """The fold (n,) of every row: rows are shuffled and dealt class by class, so that each class and all rows together
    are spread evenly.

    The classes take turns in the order in which they first come up among the shuffled rows, so that their names and
    numbers do not matter.
    """
    shuffled = rng.permutation(len(labels))
    _, first, codes = np.unique(labels[shuffled], return_index=True, return_inverse=True)
    turn = np.argsort(np.argsort(first))
    order = shuffled[np.argsort(turn[codes], kind="stable")]
    folds = np.empty(len(labels), np.int64)
    folds[order] = np.arange(len(labels)) % n_folds
    return folds


def mean_curve(watches: list[HeldOut]) -> np.ndarray:
    """Mean loss and cost (rounds, 2) over all rows held out; a fold that ended keeps its last figures."""
    longest = max(len(watch.curve) for watch in watches)
    total = np.zeros((longest, 2))
    for watch in watches:
        curve = np.array(watch.curve)
        total += np.concatenate([curve, np.repeat(curve[-1:], longest - len(curve), axis=0)])
    return total / sum(watch.total for watch in watches)
