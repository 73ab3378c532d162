"""Run the missing jobs of a study over processes or a Dask cluster, and store each row as it comes in."""

from __future__ import annotations

import contextlib
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from joblib import Parallel, delayed, parallel_config

from bench.exits import Interrupted, UnusableError
from bench.rows.row import Job, Row
from bench.rows.store import Store
from bench.run.cluster import dask_client
from bench.run.jobs import import_boosters, run_task, warm_up
from bench.run.progress import in_a_thread, progress_bar
from bench.run.tasks import group, make_tasks, one_of_each
from bench.studies.study import Study

Rows = list[Row]
Work = Callable[[Any], Rows]


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
        ``jobs`` in the order of :attr:`bench.studies.study.Selection.jobs`; ``store`` open.
    seed, rounds : int
    processes : int
        How many tasks run at once on this machine.
    cluster : str, optional
        Address of a Dask scheduler whose workers run the tasks instead.

    Raises
    ------
    Interrupted
        Ctrl-C or SIGTERM; the workers have been ended and every row that came in is stored.
    UnusableError
        The cluster cannot be used, a worker process died, or the rows cannot be written.
    """
    groups = group(study, jobs)

    def prepare() -> None:
        for task in make_tasks(study, group(study, one_of_each(jobs)), seed, rounds, processes):
            warm_up(task)

    run_tasks(
        run_task,
        make_tasks(study, groups, seed, rounds, processes),
        store,
        n_jobs=len(jobs),
        processes=min(processes, len(groups)),
        cluster=cluster,
        in_process=study.single_jobs,
        prepare=prepare,
    )


def run_tasks(
    work: Work,
    tasks: Iterator[Any],
    store: Store,
    *,
    n_jobs: int,
    processes: int,
    cluster: str | None = None,
    in_process: bool = False,
    prepare: Callable[[], None] | None = None,
) -> None:
    """Run tasks and append their rows to the store as they come in.

    Parameters
    ----------
    work : callable
        Task -> its rows, one per job; importable, for it is sent to the workers.
    tasks : iterator
    store : Store
        Open.
    n_jobs : int
        Jobs in all tasks together.
    processes, cluster
        As for :func:`run_jobs`, which has the errors too.
    in_process : bool
        Run one task at a time, in this process.
    prepare : callable, optional
        Called while the workers start.
    """
    done = failed = 0
    try:
        with progress_bar() as progress:
            bar = progress.add_task("compiling", total=n_jobs, failed="")
            in_workers = processes > 1 and cluster is None and not in_process
            starting = _start_workers(processes) if in_workers else iter(())
            if prepare is not None:
                prepare()
            with contextlib.suppress(Exception):  # what ails a worker shows again below, and is put in words there
                list(starting)
            progress.update(bar, description="running")
            for rows in _results(work, tasks, processes, cluster, in_process):
                store.append(rows)
                done += len(rows)
                failed += sum(not row.is_done for row in rows)
                progress.update(bar, completed=done, failed=f"[red]{failed} failed" if failed else "")
    except KeyboardInterrupt:
        raise Interrupted(f"{done} of the {n_jobs} jobs of this run are finished and kept.") from None


def _results(work: Work, tasks: Iterator[Any], processes: int, cluster: str | None, in_process: bool) -> Iterator[Rows]:
    """Yield each task's rows as it ends, in any order."""
    if cluster is not None:
        with dask_client(cluster) as client:
            yield from _parallel(work, tasks, backend="dask", client=client)
    elif in_process or processes == 1:
        yield from in_a_thread(work, tasks)
    else:
        yield from _parallel(work, tasks, n_jobs=processes, **_workers())


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


def _parallel(work: Work, tasks: Iterator[Any], **backend: Any) -> Iterator[Rows]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    with parallel_config(**backend), warnings.catch_warnings():
        for harmless in (".*tasks", "A worker stopped"):  # what an interrupted run leaves undone; idle workers end
            warnings.filterwarnings("ignore", message=harmless, category=UserWarning)
        results = Parallel(return_as="generator_unordered", batch_size=1)(delayed(work)(task) for task in tasks)
        try:
            yield from results
        except BrokenProcessPool as error:
            raise UnusableError(
                f"a worker process died ({type(error).__name__}): out of memory, perhaps. The finished jobs are kept; "
                "give the same command again, with fewer --jobs."
            ) from None
        finally:
            results.close()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which ends the workers; a terminal sends it to all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
