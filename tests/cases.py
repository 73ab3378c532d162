"""What several test files share: every booster with its options, and random problems that are full of nasty cases."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import csboost
from csboost import _numba
from csboost.weak import CostTree

COMPILES = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")  # Numba itself need not be there


def examples(usual):
    """How many examples a property is tried on: ``CSBOOST_EXAMPLES`` times the usual number, a fifth of it when kernels
    are plain Python.
    """
    return max(1, usual * int(os.environ.get("CSBOOST_EXAMPLES", "1")) // (1 if COMPILES else 5))


def rows(usual, least=0):
    """How many rows a test takes: an eighth of the usual number, at least ``least``, when kernels are plain Python."""
    return usual if COMPILES else max(least, usual // 8)


#: From here on channels are summed on 32-bit grids; from fewer rows on when kernels are plain Python.
MANY_ROWS = rows(32768)
if not COMPILES and _numba.available():
    from csboost.weak import channels

    channels.MANY_ROWS = MANY_ROWS


def compiled(reason):
    """A mark for tests that only make sense, or only end, when kernels are compiled."""
    return pytest.mark.skipif(not COMPILES, reason=f"with compiled kernels only: {reason}")


def _public_sample(name):
    """A public sample that is kept beside the clone, or beside a folder that holds it; None where there is none."""
    folders = Path(__file__).resolve().parents
    return next((path for folder in folders if (path := folder / "shared" / "data" / name).is_file()), None)


#: Published probabilities of 600 trucks, p0 to p4, with true_class, and what mistakes cost (rows = truth).
TRUCKS = _public_sample("scania_component_x_600.csv")
TRUCK_COSTS = np.array(
    [[0, 7, 8, 9, 10], [200, 0, 7, 8, 9], [300, 200, 0, 7, 8], [400, 300, 200, 0, 7], [500, 400, 300, 200, 0.0]]
)
with_trucks = pytest.mark.skipif(TRUCKS is None, reason="the public sample of trucks is not in shared/data")


def trucks():
    """Probabilities (600, 5) and classes (600,)."""
    table = pd.read_csv(TRUCKS)
    return table[[f"p{k}" for k in range(5)]].to_numpy(), table["true_class"].to_numpy()


class Hyperbola:
    """A user's margin loss, ``sqrt(1 + z^2) - z``: convex, decreasing, not built in."""

    def value(self, z):
        return np.hypot(1.0, z) - z

    def derivative(self, z):
        return z / np.hypot(1.0, z) - 1.0

    def second_derivative(self, z):
        return np.hypot(1.0, z) ** -3.0


#: The seven classes as they stand.
CLASSES = {
    "angle-ada": csboost.AngleAdaBoostClassifier,
    "angle-logit": csboost.AngleLogitBoostClassifier,
    "angle": csboost.AngleBoostClassifier,
    "samme": csboost.SAMMEClassifier,
    "mh": csboost.AdaBoostMHClassifier,
    "m2": csboost.AdaBoostM2Classifier,
    "pnorm": csboost.PNormBoostClassifier,
}
#: Every option of every class: name -> (key of CLASSES, options).
VARIANTS = {
    "angle-ada": ("angle-ada", {}),
    "angle-logit": ("angle-logit", {}),
    "angle-exponential": ("angle", {"loss": "exponential"}),
    "angle": ("angle", {"loss": "logistic"}),
    "angle-lum": ("angle", {"loss": "lum", "lum_a": 1.5, "lum_c": 0.5}),
    "angle-custom": ("angle", {"loss": Hyperbola()}),
    "samme": ("samme", {}),
    "samme-plain": ("samme", {"cost_aware": False}),
    "mh": ("mh", {}),
    "mh-plain": ("mh", {"cost_aware": False}),
    "mh-real": ("mh", {"votes": "real"}),
    "mh-apart": ("mh", {"joint": False}),
    "mh-real-apart": ("mh", {"votes": "real", "joint": False}),
    "m2": ("m2", {}),
    "m2-label": ("m2", {"hypothesis": "label"}),
    "m2-fixed": ("m2", {"step": 0.1}),
    "pnorm": ("pnorm", {}),
    "pnorm-set": ("pnorm", {"hypothesis": "set"}),
    "pnorm-fixed": ("pnorm", {"step": 0.1}),
    "pnorm-2.5": ("pnorm", {"p": 2.5}),
}
ANGLE = [name for name in VARIANTS if name.startswith("angle")]


def make(name, **parameters):
    """A booster by its name in VARIANTS; 5 rounds unless told otherwise."""
    key, options = VARIANTS[name]
    return CLASSES[key](**{"n_estimators": 5, **options, **parameters})


#: A test of every class and of the tree, given as ``estimator``.
everywhere = pytest.mark.parametrize(
    "estimator", [*(pytest.param(make(name), id=name) for name in CLASSES), pytest.param(CostTree(), id="tree")]
)


class RandomProblem(NamedTuple):
    """Training data, with what a reference booster takes."""

    X: np.ndarray
    y: np.ndarray
    C: np.ndarray
    s: np.ndarray
    K: int

    @property
    def c(self):
        return self.s[:, None] * self.C[self.y]


def random_problem(seed, K, diagonal=False):
    """5 to 200 rows (mostly below 80) of at most K classes.

    By turns: ties, NaN, a constant and an empty column, weights, unequal costs.
    """
    rng = np.random.default_rng([seed, K])
    n = int(rng.integers(80, 201) if seed % 12 == 0 else rng.integers(5, 80))
    K, d = min(K, n), int(rng.integers(1, 5))
    y = rng.permutation(np.append(np.arange(K), rng.integers(0, K, n - K)))
    X = rng.normal(size=(n, d))
    X[:, 0] += rng.choice([0.4, 0.8, 3.0]) * y
    X = np.round(X, int(rng.integers(0, 3)))
    if seed % 2:
        X[rng.random((n, d)) < 0.15] = np.nan
    if seed % 7 == 3:
        X = np.column_stack([np.full(n, 2.5), X, np.full(n, np.nan)])
    C = rng.integers(0, 4, (K, K)) + (rng.random((K, K)) if seed % 3 else 0.0)
    if not diagonal:
        np.fill_diagonal(C, 0.0)
    C[0, 1] += 1.0
    s = np.ones(n)
    if seed % 4 == 1:
        s = rng.integers(0, 4, n).astype(float)
        s[np.unique(y, return_index=True)[1]] = 1.0  # no class is lost
    elif seed % 4 == 2:
        s = rng.gamma(2.0, size=n)
    return RandomProblem(X, y, C, s, K)


def drawn_cost(scores, costs):
    """Mean cost of answers drawn with the softmax of the scores (n, K) over their spread."""
    scores = scores - scores.mean(axis=1, keepdims=True)
    chances = np.exp(scores / np.sqrt((scores**2).mean()))
    return float((chances / chances.sum(axis=1, keepdims=True) * costs).sum(axis=1).mean())


def best_round(paid, drawn, patience):
    """The round that early stopping keeps: of least sum, until neither cost has fallen for so many rounds."""
    lowest, fell, best, least = [np.inf, np.inf], 0, 0, np.inf
    for m, found in enumerate(zip(paid, drawn, strict=True)):
        if any(cost < low * (1 - 1e-9) for cost, low in zip(found, lowest, strict=True)):
            fell = m
        lowest = [min(pair) for pair in zip(found, lowest, strict=True)]
        if sum(found) < least * (1 - 1e-9):
            best, least = m, sum(found)
        if m - fell >= patience:
            break
    return best


def easy(n=120, K=3, seed=0, d=4):
    """A learnable problem of continuous features without ties: X (n, d), y (n,)."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    X = rng.normal(size=(n, d))
    X[:, 0] += y
    X[:, 1] -= 0.7 * (y == 1)
    return X, y


def unequal_costs(K, seed=0):
    """Costs between 1 and 5, 0 on the diagonal, symmetric nowhere."""
    C = np.random.default_rng(seed).uniform(1.0, 5.0, (K, K))
    np.fill_diagonal(C, 0.0)
    return C
