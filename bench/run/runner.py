"""Run the missing jobs of a study over processes or a Dask cluster, and store each row as it comes in."""

from __future__ import annotations

import contextlib
import itertools
import queue
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, TypeVar

from joblib import Parallel, delayed, parallel_config
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bench.algorithms import maker
from bench.cluster import dask_client
from bench.environment import versions
from bench.exits import Interrupted, UnusableError
from bench.jobs import Task, given, import_boosters, run_task, warm_up
from bench.store import Store
from bench.study import Job, Split, Study

Rows = list[dict[str, Any]]
Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


def group(study: Study, jobs: Iterable[Job]) -> list[tuple[Job, ...]]:
    """Group jobs that share rows and costs (or leave them single, when the study's fits are large)."""
    if study.single_jobs:
        return [(job,) for job in jobs]
    return [
        tuple(kin) for _, kin in itertools.groupby(jobs, key=attrgetter("replication", "scenario", "costs", "protocol"))
    ]


def _one_of_each(jobs: Iterable[Job]) -> list[Job]:
    """Return the first job of each algorithm and protocol on each source of rows."""
    return list({(job.scenario, job.algorithm, job.protocol): job for job in reversed(list(jobs))}.values())[::-1]


def make_tasks(
    study: Study, groups: Iterable[tuple[Job, ...]], seed: int, rounds: int, processes: int = 1
) -> Iterator[Task]:
    """Yield a task per group; where the parent draws, one draw serves all cost structures of a replication.

    Jobs that run one at a time have all ``processes`` to themselves, as threads.
    """
    matrices = {(s.scenario, s.costs): s.cost_matrix for s in study.scenarios}

    @lru_cache(maxsize=1)
    def draw(scenario: str, protocol: str, draw_seed: int) -> Split:
        # Tasks are made while they are sent out: what joblib does within a draw must keep off the study's workers.
        with parallel_config(backend="sequential"):
            return study.draw(scenario, protocol, draw_seed)

    for jobs in groups:
        draw_seed = study.seed(seed, jobs[0].scenario, jobs[0].replication)
        rows = (jobs[0].scenario, jobs[0].protocol, draw_seed)
        yield Task(
            study=study.name,
            seed=draw_seed,
            cost_matrix=matrices[jobs[0].scenario, jobs[0].costs],
            rounds=rounds,
            jobs=jobs,
            makers=tuple(maker(job.algorithm, job.protocol) for job in jobs),
            versions=versions(),
            draw=partial(given, draw(*rows)) if study.draw_in_parent else study.draw,
            measure_memory=study.single_jobs,
            threads=processes if study.single_jobs else 1,
        )


def run_jobs(
    study: Study,
    jobs: Sequence[Job],
    store: Store,
    *,
    seed: int,
    rounds: int,
    processes: int,
    cluster: str | None = None,
) -> None:
    """Run jobs and append a row per job to the store.

    Parameters
    ----------
    study, jobs, store
        ``jobs`` in the order of :meth:`bench.study.Selection.jobs`; ``store`` open.
    seed, rounds : int
    processes : int
        How many tasks run at once on this machine.
    cluster : str, optional
        Address of a Dask scheduler whose workers run the tasks instead.

    Raises
    ------
    Interrupted
        Ctrl-C; the workers have been ended and every row that came in is stored.
    UnusableError
        The cluster cannot be used, a worker process died, or the rows cannot be written.
    """
    groups = group(study, jobs)
    tasks = make_tasks(study, groups, seed, rounds, processes)
    done = failed = 0
    try:
        with progress_bar() as progress:
            bar = progress.add_task("compiling", total=len(jobs), failed="")
            workers = min(processes, len(groups))
            in_workers = workers > 1 and cluster is None and not study.single_jobs
            starting = _start_workers(workers) if in_workers else iter(())
            for task in make_tasks(study, group(study, _one_of_each(jobs)), seed, rounds, processes):
                warm_up(task)
            with contextlib.suppress(Exception):  # what ails a worker shows again below, and is put in words there
                list(starting)
            progress.update(bar, description="running")
            for rows in _results(tasks, workers, cluster, in_process=study.single_jobs):
                store.append(rows)
                done += len(rows)
                failed += sum(row["status"] != "done" for row in rows)
                progress.update(bar, completed=done, failed=f"[red]{failed} failed" if failed else "")
    except KeyboardInterrupt:
        raise Interrupted(f"{done} of the {len(jobs)} jobs of this run are finished and kept.") from None


def progress_bar() -> Progress:
    """Return a bar on stderr, invisible where that is no terminal; its tasks have a field ``failed``."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _results(tasks: Iterator[Task], processes: int, cluster: str | None, in_process: bool) -> Iterator[Rows]:
    """Yield each task's rows as it ends, in any order."""
    if cluster is not None:
        with dask_client(cluster) as client:
            yield from _parallel(tasks, backend="dask", client=client)
    elif in_process or processes == 1:
        yield from in_a_thread(run_task, tasks)
    else:
        yield from _parallel(tasks, n_jobs=processes, **_workers())


def _workers() -> dict[str, Any]:
    """Return joblib's settings of worker processes on this machine."""
    # the short idle time ends workers whose parent was killed
    return {
        "backend": "loky",
        "inner_max_num_threads": 1,
        "idle_worker_timeout": 60,
        "initializer": _ignore_interrupts,
    }


def _start_workers(processes: int) -> Iterator[None]:
    """Start the workers; they import everything while this process compiles."""
    with parallel_config(n_jobs=processes, **_workers()):
        return Parallel(return_as="generator_unordered")(delayed(import_boosters)() for _ in range(processes))


def _parallel(tasks: Iterator[Task], **backend: Any) -> Iterator[Rows]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    with parallel_config(**backend), warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message=".*tasks", category=UserWarning
        )  # what an interrupted run leaves undone
        results = Parallel(return_as="generator_unordered", batch_size=1)(delayed(run_task)(task) for task in tasks)
        try:
            yield from results
        except BrokenProcessPool as error:
            raise UnusableError(
                f"a worker process died ({type(error).__name__}): out of memory, perhaps. The finished jobs are kept; "
                "give the same command again, with fewer --jobs."
            ) from None
        finally:
            results.close()


def in_a_thread(work: Callable[[Asked], Answered], tasks: Iterable[Asked]) -> Iterator[Answered]:
    """Run tasks one by one in a daemon thread: the main thread, only waiting, answers Ctrl-C even within a long fit."""
    answers: queue.Queue[Answered | BaseException] = queue.Queue()

    def run(task: Asked) -> None:
        try:
            answers.put(work(task))
        except BaseException as error:
            answers.put(error)

    for task in tasks:
        threading.Thread(target=run, args=(task,), daemon=True).start()
        answer = answers.get()
        if isinstance(answer, BaseException):
            raise answer
        yield answer


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which ends the workers; a terminal sends it to all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
