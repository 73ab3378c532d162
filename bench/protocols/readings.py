"""``python -m bench.protocols.readings``: how far other readings of the unstated settings end up from print.

Every line is one reading of one algorithm: the mean test cost at the last round in the four scenarios of the paper's
Table 1, and in brackets the difference from print in combined standard errors (+ costs more than print). The published
protocol's settings and its grouped split were chosen from these readings because they fit, after the fact.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.protocols import published_factory
from bench.protocols.baselines import AdaBoostM2, PNorm, Samme
from bench.protocols.mh import AdaBoostMH
from bench.protocols.split import grouped_split
from bench.protocols.stump import N_THRESHOLDS
from csboost import data

N_ROWS, N_TRAIN, ROUNDS = 5000, 300, 200
SCENARIOS = {
    "1": ("simulation1", "equal", None),
    "1c": ("simulation1", "wang", data.WAVEFORM_COSTS),
    "2": ("simulation2", "equal", None),
    "2c": ("simulation2", "wang", data.FOUR_GAUSSIANS_COSTS),
}
ALGORITHMS = ("AdaBoost.MH", "SAMME", "AdaBoost.M2", "p-norm", "Angle AdaBoost", "Angle LogitBoost")


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


def last_costs(make: Callable[..., Any], scenario: str, split: str, replications: int, seed: int) -> np.ndarray:
    """Return the test cost after the last round in each replication, shape (replications,)."""
    name, _, costs = SCENARIOS[scenario]
    draw = {"simulation1": data.make_waveform, "simulation2": data.make_four_gaussians}[name]
    last = np.empty(replications)
    for replication in range(replications):
        rng = np.random.default_rng([seed, int(scenario[0]), replication])
        X, y = draw(N_ROWS, rng)
        train, test = SPLITS[split](y, N_TRAIN, rng)
        last[replication] = make(costs, ROUNDS, seed).fit(X[train], y[train]).staged_cost(X[test], y[test])[-1]
    return last


def tried() -> Iterator[tuple[str, str, str, Callable[..., Any]]]:
    """Yield (algorithm, split, reading, factory): the protocol under three splits, then the other readings."""
    for split in SPLITS:
        for algorithm in ALGORITHMS:
            yield algorithm, split, "as published", published_factory(algorithm)
    for algorithm, classes in READINGS.items():
        for reading in classes:
            yield algorithm, "grouped", str(reading.__doc__), reading


def main() -> None:
    """Measure and print every reading."""
    parser = argparse.ArgumentParser(prog="python -m bench.protocols.readings", description=__doc__)
    parser.add_argument("--replications", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with open(Path(__file__).parents[1] / "published.csv", newline="") as file:
        printed = {(row["scenario"], row["costs"], row["algorithm"]): row for row in csv.DictReader(file)}
    for algorithm, split, reading, make in tried():
        cells = []
        for scenario, (name, costs, _) in SCENARIOS.items():
            last = last_costs(make, scenario, split, options.replications, options.seed)
            mean, error = last.mean(), last.std(ddof=1) / np.sqrt(len(last))
            row = printed[name, costs, algorithm]
            distance = (mean - float(row["mean"])) / np.hypot(error, float(row["standard_error"]))
            cells.append(f"{scenario}: {mean:.3f} ({error:.4f}) [{distance:+.1f}]")
        print(f"{algorithm:16} {split:10} {'  '.join(cells)}  {reading}", flush=True)


if __name__ == "__main__":
    main()
