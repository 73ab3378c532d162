"""Take one sample of a work: warmed beforehand, on a clock that can be replaced."""

from __future__ import annotations

import gc
import itertools
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.exits import reason
from bench.rows.columns import DONE, FAILED
from bench.timing import on_dask, probe
from bench.timing.contestants import CONTESTANTS
from bench.timing.data import CLUSTERS, LOANS, clusters, loans, rows_for
from bench.timing.work import FIT, IN_NEW_PROCESSES, PREDICT, ROUND, Work

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
    if work.measure in IN_NEW_PROCESSES:
        return probe.prepare(work, name, seed)
    if work.workers:
        return on_dask.prepare(work, name, seed, clock)
    return {FIT: _fits, ROUND: _rounds, PREDICT: _predictions}[work.measure](work, name, seed, clock)


def _rows_of(work: Work, seed: int) -> tuple[np.ndarray, np.ndarray]:
    if work.source == CLUSTERS:
        return clusters(work.n, work.d, work.K, seed)
    return loans(work.n, seed) if work.source == LOANS else rows_for(work.n, work.d, work.K, seed, work.of)


def _fits(work: Work, name: str, seed: int, clock: Clock) -> Sample:
    X, y = _rows_of(work, seed)

    def once(rows: int = work.n, rounds: int = work.rounds) -> float:
        model, options = CONTESTANTS[name].build(rounds, work.threads, None)
        start = clock()
        model.fit(X[:rows], y[:rows], **options)
        return clock() - start

    if work.n > WARM_ROWS:
        once(WARM_ROWS, FEW + 1)
        number = 1
    else:
        once()
        number = repetitions(once())
    return lambda: {"value": sum(once() for _ in range(number)) / number, "fits": number}


def repetitions(seconds: float) -> int:
    """Return how many fits of so many seconds make up a sample."""
    return max(1, min(20, math.ceil(SHORTEST / max(seconds, 1e-9))))


def _rounds(work: Work, name: str, seed: int, clock: Clock) -> Sample:
    X, y = _rows_of(work, seed)
    contestant = CONTESTANTS[name]
    rounds = min(work.rounds, contestant.rounds_at_most or work.rounds)
    sample = _ticked if contestant.ticks else _subtracted
    sample(name, X[:WARM_ROWS], y[:WARM_ROWS], FEW + 1, work.threads, clock)
    features = {} if work.d else {"d": X.shape[1]}
    return lambda: {**sample(name, X, y, rounds, work.threads, clock), **features}


def _ticked(name: str, X: np.ndarray, y: np.ndarray, rounds: int, threads: int, clock: Clock) -> dict[str, Any]:
    """One fit that tells its rounds apart: the median round, and what came before the first."""
    ticks: list[float] = []
    model, options = CONTESTANTS[name].build(rounds, threads, lambda: ticks.append(clock()))
    start = clock()
    model.fit(X, y, **options)
    whole = clock() - start
    if len(ticks) < rounds:
        raise RuntimeError(f"the fit ended after {len(ticks)} of {rounds} rounds")
    between = [after - before for before, after in itertools.pairwise(ticks)]
    median = statistics.median(between)
    setup = ticks[0] - start - (median if CONTESTANTS[name].ticks_after else 0.0)
    return {"value": median, "fit_seconds": whole, "fit_rounds": rounds, "setup_seconds": setup}


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


class Sampler:
    """Takes samples in this process; each contestant of each work is prepared once.

    Parameters
    ----------
    prepare : callable
        (work, name, seed) -> function that takes a sample.
    """

    def __init__(self, prepare: Callable[[Work, str, int], Sample] = prepare):
        self._prepare = prepare
        self._samples: dict[tuple[str, str], Sample] = {}

    def __call__(self, work: Work, name: str, seed: int) -> dict[str, Any]:
        """Take a sample with the garbage collector at rest and numerical libraries held to the work's threads.

        Returns
        -------
        dict
            ``status`` and what was measured, or the ``error``.
        """
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        try:
            if (work.key, name) not in self._samples:
                self._samples[work.key, name] = self._prepare(work, name, seed)
                gc.collect()
                gc.freeze()  # what is there now need not be looked through again before each sample
            gc.collect()
            gc.disable()
            with threadpool_limits(limits=work.threads):
                return {"status": DONE, **self._samples[work.key, name]()}
        except Exception as error:
            return {"status": FAILED, "error": reason(error)}
        finally:
            gc.enable()
