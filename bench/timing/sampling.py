"""Take one sample of a work: warmed beforehand, on a clock that can be replaced."""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.timing import probe
from bench.timing.contestants import CONTESTANTS
from bench.timing.data import rows_for
from bench.timing.plan import FIRST_FIT, FIT, IMPORT, MEMORY, PREDICT, ROUND, Work

WARM_ROWS = 40_000  # enough for the code path of many rows, and for a second thread to be used
TRAIN_ROWS = 5_000  # of the model whose predictions are timed
SHORTEST = 0.05  # seconds: faster fits are repeated within a sample
FEW = 2  # rounds of the shorter of two fits

Clock = Callable[[], float]
Sample = Callable[[], dict[str, Any]]
"""Takes a sample: ``value`` and what else is worth keeping."""


def prepare(work: Work, name: str, seed: int, clock: Clock = time.perf_counter) -> Sample:
    """Make a contestant ready for a work: draw the rows, compile, load libraries, fill caches.

    Parameters
    ----------
    work : Work
    name : str
        The contestant.
    seed : int
        Of the data.
    clock : callable
        Seconds.

    Returns
    -------
    callable
        Each call takes one sample.
    """
    if work.measure in (FIRST_FIT, IMPORT, MEMORY):
        return probe.prepare(work, name, seed)
    return {FIT: _fits, ROUND: _rounds, PREDICT: _predictions}[work.measure](work, name, seed, clock)


def _fits(work: Work, name: str, seed: int, clock: Clock) -> Sample:
    X, y = rows_for(work.n, work.d, work.K, seed, work.of)

    def once() -> float:
        model, options = CONTESTANTS[name].build(work.rounds, work.threads, None)
        start = clock()
        model.fit(X, y, **options)
        return clock() - start

    once()
    number = repetitions(once())
    return lambda: {"value": sum(once() for _ in range(number)) / number, "fits": number}


def repetitions(seconds: float) -> int:
    """Return how many fits of so many seconds make up a sample."""
    return max(1, min(20, math.ceil(SHORTEST / max(seconds, 1e-9))))


def _rounds(work: Work, name: str, seed: int, clock: Clock) -> Sample:
    X, y = rows_for(work.n, work.d, work.K, seed, work.of)
    contestant = CONTESTANTS[name]
    rounds = min(work.rounds, contestant.rounds_at_most or work.rounds)
    sample = _ticked if contestant.ticks else _subtracted
    sample(name, X[:WARM_ROWS], y[:WARM_ROWS], FEW + 1, work.threads, clock)
    return lambda: sample(name, X, y, rounds, work.threads, clock)


def _ticked(name: str, X: np.ndarray, y: np.ndarray, rounds: int, threads: int, clock: Clock) -> dict[str, Any]:
    """One fit that tells its rounds apart: the median round."""
    ticks: list[float] = []
    model, options = CONTESTANTS[name].build(rounds, threads, lambda: ticks.append(clock()))
    start = clock()
    model.fit(X, y, **options)
    whole = clock() - start
    if len(ticks) < rounds:
        raise RuntimeError(f"the fit ended after {len(ticks)} of {rounds} rounds")
    between = [after - before for before, after in itertools.pairwise(ticks)]
    return {"value": statistics.median(between), "fit_seconds": whole, "fit_rounds": rounds}


def _subtracted(name: str, X: np.ndarray, y: np.ndarray, rounds: int, threads: int, clock: Clock) -> dict[str, Any]:
    """Two fits: what the further rounds of the longer one took."""
    seconds = []
    for count in (FEW, rounds):
        model, options = CONTESTANTS[name].build(count, threads, None)
        start = clock()
        model.fit(X, y, **options)
        seconds.append(clock() - start)
    return {
        "value": max(seconds[1] - seconds[0], 1e-9) / (rounds - FEW),
        "fit_seconds": seconds[1],
        "fit_rounds": rounds,
    }


def _predictions(work: Work, name: str, seed: int, clock: Clock) -> Sample:
    X_train, y_train = rows_for(min(work.n // 10, TRAIN_ROWS), work.d, work.K, seed + 1)
    model, options = CONTESTANTS[name].build(work.rounds, work.threads, None)
    model.fit(X_train, y_train, **options)
    X, _ = rows_for(work.n, work.d, work.K, seed, work.of)
    model.predict(X[:WARM_ROWS])

    def once() -> float:
        start = clock()
        model.predict(X)
        return clock() - start

    number = repetitions(once()) if work.n <= WARM_ROWS else 1
    return lambda: {"value": sum(once() for _ in range(number)) / number, "predictions": number}
