"""Small competitors that stand in for boosters in the tests of the benchmark, and a main that knows them.

Run as a program it is ``python -m bench.<study>`` with the stand-ins registered:
``python tests/test_bench_fakes.py simulations --algorithms "Fake A"``.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np

ROOT = Path(__file__).resolve().parent.parent


class Centroids:
    """Nearest class centroid, learnt from ever more rows: a curve that falls, in milliseconds."""

    def __init__(self, cost_matrix, rounds, seed, skip=0, seconds=0.0):
        self.cost_matrix, self.rounds, self.seed, self.skip, self.seconds = cost_matrix, rounds, seed, skip, seconds

    def fit(self, X, y):
        time.sleep(self.seconds)
        self._X, self._y, self._K = np.asarray(X)[self.skip :], np.asarray(y)[self.skip :], len(np.unique(y))
        return self

    def _predict(self, X, rows):
        seen, labels = self._X[:rows], self._y[:rows]
        nowhere = np.full(X.shape[1], 1e9)
        centres = [seen[labels == k].mean(axis=0) if (labels == k).any() else nowhere for k in range(self._K)]
        return np.argmin(((X[:, None, :] - np.array(centres)) ** 2).sum(axis=2), axis=1)

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
    """Fails on replications whose seed is odd, until the file named by FAKES_MENDED exists."""

    def fit(self, X, y):
        if self.seed % 2 and not os.path.exists(os.environ.get("FAKES_MENDED", "")):
            raise RuntimeError("odd seeds are beyond me")
        return super().fit(X, y)


class Endless(Centroids):
    """Says that it has begun by making the file named by FAKES_BEGUN, and takes a minute."""

    def fit(self, X, y):
        if self.rounds > 3:  # not in the warm-up
            Path(os.environ["FAKES_BEGUN"]).touch()
            time.sleep(60)
        return super().fit(X, y)


class Dying(Centroids):
    """Takes its process down, as a crash in compiled code or the system's memory killer would."""

    def fit(self, X, y):
        if self.rounds > 3:  # not in the warm-up
            os._exit(9)
        return super().fit(X, y)


def register():
    """Add the stand-ins to the registry."""
    from bench.algorithms import Algorithm, register

    register("Fake A", Algorithm(Centroids, "#0072B2"))
    register("Fake B", Algorithm(partial(Centroids, skip=100), "#D55E00", "--"))
    register("Fake C", Algorithm(partial(Centroids, skip=200), "#009E73", ":"))
    register("Slow", Algorithm(partial(Centroids, skip=50, seconds=0.1), "#CC79A7"))
    register("Stopped", Algorithm(Stopped, "#E69F00", "-."))
    register("Constant", Algorithm(Constant, "#000000", ":"))
    register("Failing", Algorithm(Failing, "#56B4E9", "-."))
    register("Endless", Algorithm(Endless, "#CC79A7"))
    register("Dying", Algorithm(Dying, "#CC79A7"))
    register("Elsewhere", Algorithm(Constant, "#CC79A7", requires="no_such_package"))


def command(study, *arguments):
    """Return the words of a command that runs a study with the stand-ins."""
    return [sys.executable, str(Path(__file__)), study, *map(str, arguments)]


def run(study, *arguments, **environment):
    """Run a study with the stand-ins in a process of its own; return the finished process."""
    return subprocess.run(
        command(study, *arguments), capture_output=True, text=True, timeout=300, env={**os.environ, **environment}
    )


def run_here(study, *arguments, jobs=1):
    """Run a study with the stand-ins in this process, which spares its start; the answer is that of :func:`run`."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([study, *map(str, arguments), "--jobs", str(jobs)])
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def rows_of(folder):
    """Return the rows that a run stored in ``folder``."""
    from bench.rows.files import ROWS

    return [json.loads(line) for line in (folder / ROWS).read_text().splitlines()]


def main(argv):
    import importlib

    from csboost import data

    register()
    exact, data.bayes_cost = data.bayes_cost, lambda key: (0.1, 0.001)  # the real one takes seconds
    try:
        return importlib.import_module(f"bench.{argv[0]}").main(argv[1:])
    finally:
        data.bayes_cost = exact


if __name__ == "__main__":
    # Imported by name, so that the workers can import the stand-ins too.
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    import test_bench_fakes

    sys.exit(test_bench_fakes.main(sys.argv[1:]))
