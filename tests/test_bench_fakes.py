"""Small competitors that stand in for boosters in the tests of the benchmark, and a main that knows them.

Run as a program, it is ``python -m bench.<study>`` with the stand-ins registered: ``python tests/test_bench_fakes.py
simulations ...``.
"""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent


class Centroids:
    """Nearest class centroid, learnt from ever more rows: a curve that falls, in microseconds."""

    def __init__(self, cost_matrix, rounds, seed, skip=0, seconds=0.0):
        self.cost_matrix, self.rounds, self.seed, self.skip, self.seconds = cost_matrix, rounds, seed, skip, seconds

    def fit(self, X, y):
        time.sleep(self.seconds)
        self._X, self._y, self._classes = np.asarray(X)[self.skip :], np.asarray(y)[self.skip :], np.unique(y)
        return self

    def _predict(self, X, rows):
        K, (seen, labels) = len(self._classes), (self._X[:rows], self._y[:rows])
        centres = np.array(
            [seen[labels == k].mean(axis=0) if (labels == k).any() else np.full(X.shape[1], 1e9) for k in range(K)]
        )
        return np.argmin(((X[:, None, :] - centres) ** 2).sum(axis=2), axis=1)

    def staged_cost(self, X, y, sample_weight=None):
        X, y = np.asarray(X)[:500], np.asarray(y)[:500]
        weight = None if sample_weight is None else sample_weight[:500]
        steps = np.linspace(10, len(self._X), self.rounds).astype(int)
        return np.array([np.average(self.cost_matrix[y, self._predict(X, rows)], weights=weight) for rows in steps])


class Stopped(Centroids):
    """Ends after two rounds, whatever was asked for."""

    def staged_cost(self, X, y, sample_weight=None):
        return super().staged_cost(X, y, sample_weight)[:2]


class Constant:
    """A peer without rounds: it always answers class 0."""

    def __init__(self, cost_matrix, rounds, seed):
        pass

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=np.int64)


class Failing(Centroids):
    """Fails on replications whose seed is odd, or never, once the file named by FAKES_MENDED exists."""

    def fit(self, X, y):
        if self.seed % 2 and not os.path.exists(os.environ.get("FAKES_MENDED", "")):
            raise RuntimeError("odd seeds are beyond me")
        return super().fit(X, y)


def register():
    """Add the stand-ins to the registry."""
    from bench.algorithms import Algorithm, register

    register("Fake A", Algorithm(Centroids, "#0072B2"))
    register("Fake B", Algorithm(partial(Centroids, skip=100), "#D55E00", "--"))
    register("Fake C", Algorithm(partial(Centroids, skip=200), "#009E73", ":"))
    register("Slow", Algorithm(partial(Centroids, skip=50, seconds=0.15), "#CC79A7"))
    register("Endless", Algorithm(partial(Centroids, seconds=60), "#CC79A7"))
    register("Stopped", Algorithm(Stopped, "#E69F00", "-."))
    register("Constant", Algorithm(Constant, "#000000", ":"))
    register("Failing", Algorithm(Failing, "#56B4E9", "-."))


def command(study, *arguments):
    """Return the words of a command that runs a study with the stand-ins."""
    return [sys.executable, str(Path(__file__)), study, *map(str, arguments)]


def main(argv):
    import importlib

    register()
    return importlib.import_module(f"bench.{argv[0]}").main(argv[1:])


if __name__ == "__main__":
    # Imported by name, so that the workers can import the stand-ins too.
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    import test_bench_fakes

    sys.exit(test_bench_fakes.main(sys.argv[1:]))
