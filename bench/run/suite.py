"""Running the suite: one fit a task, a row for each cost structure that it is judged by."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.competitors.form import Form, form_of
from bench.exits import reason
from bench.machine import versions
from bench.rows.columns import DONE, FAILED, SUITE
from bench.rows.row import Job, Row
from bench.rows.store import Store
from bench.run.arms import ARMS, log_loss
from bench.run.case import Case, Outcome, Rows, Watch
from bench.run.jobs import limit_threads
from bench.run.runner import run_tasks
from bench.studies.suite import FitKey, fits_of, seed_of
from bench.suite.sets import load
from bench.suite.splits import split
from bench.suite.tasks import Task


@dataclass(frozen=True)
class Fit:
    """What a worker is sent: a competitor to be fitted once, and the cost structures that it is judged by."""

    key: FitKey
    kinds: tuple[str, ...]
    form: Form
    seed: int
    versions: dict[str, str]


def run_suite(jobs: Sequence[Job], store: Store, *, seed: int, processes: int, cluster: str | None = None) -> None:
    """Run jobs of the suite and append a row per job to the store.

    Parameters are those of :func:`bench.run.runner.run_jobs`, and so are the errors.
    """
    forms = {name: form_of(name) for name in dict.fromkeys(job.algorithm for job in jobs)}
    fits = fits_of(jobs, [name for name, form in forms.items() if form.sees_costs])

    def tasks() -> Iterator[Fit]:
        for key, kinds in fits:
            yield Fit(key, kinds, forms[key.algorithm], seed_of(seed, key.set_name, key.split), versions())

    def compile_all() -> None:
        """Fill the cache of compiled code, so that no two workers do so at once."""
        for fit in {fit.key.algorithm: fit for fit in tasks()}.values():
            warm_up(fit)

    run_tasks(
        run_fit,
        tasks(),
        store,
        n_jobs=len(jobs),
        processes=min(processes, len(fits)),
        cluster=cluster,
        prepare=compile_all,
    )


def run_fit(fit: Fit) -> list[Row]:
    """Fit a competitor and return a row per cost structure; a fit that raises becomes failed rows."""
    limit_threads(1)
    warm_up(fit)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = _measure(fit)
        found = {kind: {"status": DONE, **values} for kind, values in results.items()}
    except Exception as error:
        failure = {"status": FAILED, "error": reason(error)}
        found = dict.fromkeys(fit.kinds, failure)
    key = fit.key
    return [
        Row(
            study=SUITE, **Job(key.set_name, kind, key.algorithm, key.arm, key.split)._asdict(), seed=fit.seed,
            **found[kind], versions=fit.versions,
        )
        for kind in fit.kinds
    ]  # fmt: skip


_warm: set[tuple[str, str]] = set()  # algorithms and data sets that this process has compiled for


def warm_up(fit: Fit) -> None:
    """Compile what a fit needs, or load it; a failure is left for the fit itself to report."""
    known = (fit.key.algorithm, fit.key.set_name)
    if fit.form.warm_up is None or known in _warm:
        return
    _warm.add(known)
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        case = case_of(fit)
        case.outcomes(case.fitted(case.train, fit.form.warm_up), case.test.X)


def case_of(fit: Fit) -> Case:
    """Return the rows and costs of a fit."""
    data = load(fit.key.set_name)
    rows = split(data, fit.key.split)
    everything = Rows(data.X, data.y, data.groups)
    costs = {kind: Task(data.name, kind).cost_matrix(data) for kind in fit.kinds}
    return Case(fit.form, everything.take(rows.train), everything.take(rows.test), costs, fit.seed, Watch())


def _measure(fit: Fit) -> dict[str, dict[str, Any]]:
    case = case_of(fit)
    outcomes, watch = ARMS[fit.key.arm](case), case.watch
    spent = {"fit_seconds": round(watch.fit_seconds, 6), "predict_seconds": round(watch.predict_seconds, 6)}
    if watch.fit_bytes is not None:
        spent["fit_bytes"] = watch.fit_bytes
    return {
        kind: {**judge(outcomes[kind], costs, case.train.y, case.test.y), **spent} for kind, costs in case.costs.items()
    }


def judge(outcome: Outcome, costs: np.ndarray, y_train: np.ndarray, y_test: np.ndarray) -> dict[str, Any]:
    """Return what answers cost, and what there is to compare it with.

    Parameters
    ----------
    outcome : Outcome
    costs : ndarray (K, K)
    y_train, y_test : ndarray
        Codes of the classes.
    """
    constant = int(costs[y_train].sum(axis=0).argmin())
    P = outcome.probabilities
    return {
        "test_cost": float(costs[y_test, outcome.answers].mean()),
        "constant_cost": float(costs[y_test, constant].mean()),
        "cost_floor": float(costs[costs > 0].min() / (2 * len(y_test))),
        "log_loss": None if P is None else log_loss(P, y_test),
        "chosen": outcome.chosen,
    }
