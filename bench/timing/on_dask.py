"""Rounds on a Dask cluster beside local ones: two fits of different lengths tell what a round takes, and what it sends.

The cluster is the one that ``DASK_SCHEDULER_ADDRESS`` names; it holds the rows as published collections.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from bench.timing.contestants import BINS, LEAVES, REFERENCE
from bench.timing.data import rows_for
from bench.timing.work import Work

ADDRESS = "DASK_SCHEDULER_ADDRESS"  # environment variable, read by Dask itself
SHORT = 5  # rounds of the shorter of two fits
TRIES = 3  # until the longer one takes longer
SUFFIX = " on Dask"
LIGHTGBM, SPREAD = f"LightGBM{SUFFIX}", f"{REFERENCE}{SUFFIX}"
LIGHTGBM_ROUNDS = 20  # of the longer fit: it grows a tree per class and round

BOOSTERS: dict[str, tuple[str, dict[str, Any]]] = {
    REFERENCE: ("AngleAdaBoostClassifier", {}),
    "Angle LogitBoost": ("AngleLogitBoostClassifier", {}),
    "Angle Gradient": ("AngleGradientBoostingClassifier", {"n_bags": 1, "n_iter_no_change": None}),
}
"""Who is timed on a cluster: name -> class without Dask, parameters."""


def prepare(
    work: Work, name: str, seed: int, clock: Callable[[], float] = time.perf_counter
) -> Callable[[], dict[str, Any]]:
    """Fit once, so that everything is compiled and loaded; return a function that takes a sample.

    Parameters
    ----------
    work : Work
        Its rows are published on the cluster (:func:`names_of`), the local contestants draw the same ones.
    name : str
        One of ``BOOSTERS``, with or without the suffix, or LightGBM.
    seed : int
    clock : callable
        Seconds.
    """
    if name.endswith(SUFFIX):
        X, y = (_client().get_dataset(key) for key in names_of(work))
    else:
        X, y = rows_for(work.n, work.d, work.K, seed)
    rounds = min(work.rounds, LIGHTGBM_ROUNDS) if name == LIGHTGBM else work.rounds

    def fitted(count: int) -> tuple[float, Any]:
        model = build(name, count, work.threads)
        start = clock()
        model.fit(X, y)
        return clock() - start, model

    def sample() -> dict[str, Any]:
        for _ in range(TRIES):
            short, long = fitted(SHORT), fitted(rounds)
            if long[0] > short[0]:
                return _difference(short, long, rounds)
        raise RuntimeError(f"{rounds} rounds took no longer than {SHORT}: the machine is too busy to tell")

    fitted(SHORT)
    return sample


@cache
def _client() -> Any:
    from distributed import Client

    return Client()


def names_of(work: Work) -> tuple[str, str]:
    """Return under which names the rows and the classes of a work are published on the cluster."""
    return f"X of {work.key}", f"y of {work.key}"


def build(name: str, rounds: int, threads: int) -> Any:
    """Return an unfitted estimator: matched in leaves, bins and rounds; on a cluster each worker has one thread."""
    if name == LIGHTGBM:
        from lightgbm import DaskLGBMClassifier

        return DaskLGBMClassifier(
            n_estimators=rounds, num_leaves=LEAVES, max_bin=BINS, tree_learner="data", n_jobs=1, verbose=-1
        )
    plain, options = BOOSTERS[name.removesuffix(SUFFIX)]
    if name.endswith(SUFFIX):
        return getattr(import_module("csboost.dask"), f"Dask{plain}")(n_estimators=rounds, n_jobs=1, **options)
    return getattr(import_module("csboost"), plain)(n_estimators=rounds, n_jobs=threads, **options)


def _difference(short: tuple[float, Any], long: tuple[float, Any], rounds: int) -> dict[str, Any]:
    """What the further rounds of the longer fit took, said and sent, by round."""
    (few_seconds, few), (seconds, many), further = short, long, rounds - SHORT
    value = (seconds - few_seconds) / further
    found = {
        "value": value,
        "fit_seconds": seconds,
        "fit_rounds": rounds,
        "setup_seconds": max(few_seconds - SHORT * value, 0.0),
    }
    if hasattr(many, "n_exchanges_"):
        found["exchanges"] = (many.n_exchanges_ - few.n_exchanges_) / further
        found["sent_bytes"] = (many.bytes_sent_ - few.bytes_sent_) / further
    return found
