"""Readings of the unstated settings: boosters that differ from the kept ones in one of them, and ways to split rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.published.baselines import AdaBoostM2, PNorm, Samme
from bench.published.mh import AdaBoostMH
from bench.published.split import grouped_split
from bench.published.stump import N_THRESHOLDS


class InnerThresholds(Samme):
    """Thresholds strictly between minimum and maximum."""

    def _grid(self, X: np.ndarray) -> np.ndarray:
        inner = np.linspace(X.min(axis=0), X.max(axis=0), N_THRESHOLDS + 2)[1:-1]
        return np.ascontiguousarray(inner.T)


class CostAwareSamme(Samme):
    """Rows start with the mean of their costs."""

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        return super()._start(y, costs) * costs.mean(axis=0)


class AnyLeafMH(AdaBoostMH):
    """Leaves of any size."""

    min_leaf = 1


class SignedMH(AdaBoostMH):
    """Votes of -1 and +1."""

    def _boost(self, codes: np.ndarray, y: np.ndarray, costs: np.ndarray) -> None:
        super()._boost(codes, y, costs)
        # 2 a [vote] - a: the second term is one more rule, which puts every row into its left leaf.
        n_classes = self.stumps_per_round
        against = np.array([[0, N_THRESHOLDS, k, k] for k in range(n_classes)] * self.rounds)
        self.rules_ = np.stack([self.rules_, against], axis=1).reshape(-1, 4)
        self.weights_ = np.stack([2.0 * self.weights_, -self.weights_], axis=1).ravel()
        self.stumps_per_round = 2 * n_classes


class PseudoLossM2(AdaBoostM2):
    """The stump search sees the pseudo-loss: a right answer gains what all wrong ones of the row weigh."""

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        self._mislabels = super()._start(y, costs)
        return self._with_gain(self._mislabels.copy())

    def _advance(self, channels: np.ndarray, labels: np.ndarray, m: int) -> float:
        weight = super()._advance(self._mislabels, labels, m)
        channels[:] = self._with_gain(self._mislabels.copy())
        return weight

    def _with_gain(self, channels: np.ndarray) -> np.ndarray:
        channels[self._y, np.arange(len(self._y))] = -channels.sum(axis=0)
        return channels


class LargerStepM2(AdaBoostM2):
    """Step 1/240."""

    def _step(self, n_rows: int) -> float:
        return 1.0 / 240


class LargerStepPNorm(PNorm):
    """Step 1/240."""

    def _step(self, n_rows: int) -> float:
        return 1.0 / 240


class TwoNorm(PNorm):
    """p = 2."""

    p = 2


class FourNorm(PNorm):
    """p = 4."""

    p = 4


READINGS = {
    "AdaBoost.MH": (AnyLeafMH, SignedMH),
    "SAMME": (InnerThresholds, CostAwareSamme),
    "AdaBoost.M2": (PseudoLossM2, LargerStepM2),
    "p-norm": (TwoNorm, FourNorm, LargerStepPNorm),
}


def plain_split(y: np.ndarray, n_train: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Split at random, without regard to classes."""
    order = rng.permutation(len(y))
    return order[:n_train], order[n_train:]


def stratified_split(y: np.ndarray, n_train: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Split at random, holding the share of each class."""
    from sklearn.model_selection import train_test_split

    rows = np.arange(len(y))
    return tuple(train_test_split(rows, train_size=n_train, stratify=y, random_state=int(rng.integers(2**31))))


Splitter = Callable[[np.ndarray, int, np.random.Generator], tuple[np.ndarray, np.ndarray]]
SPLITS: dict[str, Splitter] = {"plain": plain_split, "stratified": stratified_split, "grouped": grouped_split}
