"""What happens in a worker: draw a replication's rows once, fit each algorithm on them, return a row per job."""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
from typing import Any

import numpy as np

from bench.algorithms import Maker
from bench.exits import reason
from bench.machine import peak_memory, reset_peak_memory
from bench.rows.columns import DONE, FAILED
from bench.rows.row import Job, Row
from bench.run.tasks import Task
from bench.studies.study import Split

WARM_UP_ROUNDS = 3


def run_task(task: Task) -> list[Row]:
    """Run the jobs of a task.

    Returns
    -------
    list of Row
        One row per job, in order, ready to be stored. A job that raises becomes a row with ``status`` "failed" and the
        reason under ``error``; the others go on.
    """
    limit_threads(task.threads)
    try:
        split = task.draw(task.jobs[0].scenario, task.jobs[0].protocol, task.seed)
    except Exception as error:  # every job of the task shares the rows, so all fail
        return [_row(task, job, {"status": FAILED, "error": reason(error)}) for job in task.jobs]
    return [_row(task, job, _run_job(task, make, split)) for job, make in zip(task.jobs, task.makers, strict=True)]


def _row(task: Task, job: Job, result: dict[str, Any]) -> Row:
    return Row(study=task.study, **job._asdict(), seed=task.seed, **result, versions=task.versions)


def _run_job(task: Task, make: Maker, split: Split) -> dict[str, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if task.measure_memory:
                reset_peak_memory()
            return {"status": DONE, **_measure(task, make, split)}
    except Exception as error:
        return {"status": FAILED, "error": reason(error)}


def _measure(task: Task, make: Maker, split: Split) -> dict[str, Any]:
    start = time.perf_counter()
    model = with_threads(make(task.cost_matrix, task.rounds, task.seed), task.threads)
    model.fit(split.X_train, split.y_train)
    fitted = time.perf_counter()
    curve = test_costs(model, split, task.cost_matrix)
    predicted = time.perf_counter()
    if not np.isfinite(curve).all():
        raise ValueError("the test cost is not a finite number")
    staged = hasattr(model, "staged_cost")
    result: dict[str, Any] = {
        "test_cost": float(curve[-1]),
        # A fit that ended early keeps its last value: the curves of all replications have the same length.
        "cost_curve": np.pad(curve, (0, max(task.rounds - len(curve), 0)), mode="edge").tolist() if staged else [],
        "n_iter": len(curve) if staged else None,
        "fit_seconds": round(fitted - start, 6),
        "predict_seconds": round(predicted - fitted, 6),
    }
    if task.measure_memory:
        result["peak_memory_bytes"] = peak_memory()
    return result


def test_costs(model: Any, split: Split, cost_matrix: np.ndarray) -> np.ndarray:
    """Return the mean test cost after each round, or one number for a model without rounds."""
    weighted = {} if split.test_weight is None else {"sample_weight": split.test_weight}
    if hasattr(model, "staged_cost"):
        return np.asarray(model.staged_cost(split.X_test, split.y_test, **weighted), dtype=np.float64)
    from csboost.metrics import mean_cost

    classes = np.unique(np.concatenate([np.asarray(split.y_train), np.asarray(split.y_test)]))
    return np.array([mean_cost(split.y_test, model.predict(split.X_test), cost_matrix, labels=classes, **weighted)])


def import_boosters() -> None:
    """Import what every job needs; it takes a process two seconds or more."""
    import csboost

    for name in csboost.__all__:
        getattr(csboost, name)


def warm_up(task: Task) -> None:
    """Run a task's boosters for a few rounds without keeping anything.

    It compiles their kernels on rows of the very shape that the study has (which kernels are used may depend on it),
    so that no two workers fill the cache of compiled code at once. Failures are left for the jobs to report.
    """
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        split = task.draw(task.jobs[0].scenario, task.jobs[0].protocol, task.seed)
        for make in task.makers:
            with contextlib.suppress(Exception):
                model = with_threads(make(task.cost_matrix, WARM_UP_ROUNDS, task.seed), task.threads)
                if hasattr(model, "staged_cost"):
                    model.fit(split.X_train, split.y_train)
                    test_costs(model, split, task.cost_matrix)


def with_threads(model: Any, threads: int) -> Any:
    """Set ``n_jobs`` of a model, and of what it wraps."""
    if threads > 1 and hasattr(model, "get_params"):
        names = [name for name in model.get_params() if name.rpartition("__")[2] == "n_jobs"]
        model.set_params(**dict.fromkeys(names, threads))
    return model


_limits = threading.local()  # OpenMP holds its number of threads per thread


def limit_threads(threads: int) -> None:
    """Hold numerical libraries to a job's share: the processes already fill the cores, and sums keep their order."""
    if not hasattr(_limits, "held"):
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        _limits.held = threadpool_limits(limits=threads)
