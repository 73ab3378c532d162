"""Commands whose result is a list: jobs of any kind, run one by one, and stored, resumed and shown as studies are.

A study compares algorithms of the registry on rows that it draws. What measures something else (``bench.calibration``,
``bench.protocols.readings``) is a :class:`Listing`: its jobs, what runs one, and what table their rows make.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.environment import describe, versions
from bench.exits import DONE, SOME_FAILED, Interrupted
from bench.jobs import reason
from bench.pipeline import say, say_failures
from bench.runner import in_a_thread, progress_bar
from bench.store import Store, job_of
from bench.study import Job

if TYPE_CHECKING:
    import pandas as pd

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Listing:
    """What a command measures.

    Attributes
    ----------
    name, title : str
        The name is that of the results folder.
    jobs : tuple of Job
        What is asked for, in the order of the list; a job's key says all that its outcome depends on but the seed.
    work : callable
        ``work(job)`` -> the fields of its row.
    tidy : callable
        Finished rows -> the table as numbers, for ``table.csv``.
    shown : callable
        The table as numbers -> the table as it is printed.
    selection : dict
        What ``--render-only`` repeats when nothing is asked for.
    notes : tuple of str
        Sentences for the report.
    """

    name: str
    title: str
    jobs: tuple[Job, ...]
    work: Callable[[Job], dict[str, Any]]
    tidy: Callable[[Rows], pd.DataFrame]
    shown: Callable[[pd.DataFrame], pd.DataFrame]
    selection: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


Make = Callable[[argparse.Namespace, dict[str, Any]], Listing]
"""From the options, and from the selection that the folder was last asked for, to what is to be listed."""


def conduct(make: Make, options: argparse.Namespace, command: str) -> int:
    """Run a listing from the parsed options to its printed table; return the exit code."""
    with Store(options.out or Path("results") / options.study, options.study) as store:
        if options.render_only:
            store.check_rendered(("command",), ("selection",), ("fingerprint", "seed"))
            stored = store.settings()
            options.seed = stored["fingerprint"]["seed"]
            listing = make(options, stored["selection"])
        else:
            listing = make(options, {})
            store.open({"seed": options.seed}, fresh=options.fresh)
            store.save_settings(
                command=command,
                environment=describe(),
                selection=listing.selection,
                title=listing.title,
                notes=list(listing.notes),
            )
            run(listing, store, options.seed)
        wanted = set(listing.jobs)
        rows = [row for row in store.rows() if job_of(row) in wanted]
        for problem in store.problems:
            say(problem)
        from bench.listing_outputs import write_outputs

        failed = [row for row in rows if row["status"] != "done"]
        write_outputs(listing, in_order(listing, rows), failed, store)
        if failed:
            say_failures(failed, len(wanted))
        return SOME_FAILED if failed else DONE


def in_order(listing: Listing, rows: Rows) -> Rows:
    """Return the finished rows in the order of the jobs, which is not that of the file after a resumed run."""
    done = {job_of(row): row for row in rows if row["status"] == "done"}
    return [done[job] for job in listing.jobs if job in done]


def run(listing: Listing, store: Store, seed: int) -> None:
    """Run the missing jobs and store a row for each as it ends.

    Raises
    ------
    Interrupted
        Ctrl-C.
    """
    done = {job_of(row) for row in store.rows() if row["status"] == "done"}
    todo = [job for job in listing.jobs if job not in done]
    if 0 < len(todo) < len(listing.jobs):
        asked = len(listing.jobs)
        say(f"Resuming in {store.folder}: {asked - len(todo)} of {asked} jobs are done already.")
    kept = failed = 0
    try:
        with progress_bar() as progress:
            bar = progress.add_task("running", total=len(todo), failed="")
            for job, result in zip(todo, in_a_thread(lambda job: _answer(listing.work, job), todo), strict=True):
                store.append([_row(listing, job, seed, result)])
                kept, failed = kept + 1, failed + (result["status"] != "done")
                progress.update(bar, completed=kept, failed=f"[red]{failed} failed" if failed else "")
    except KeyboardInterrupt:
        raise Interrupted(f"{kept} of the {len(todo)} jobs of this run are finished and kept.") from None


def _answer(work: Callable[[Job], dict[str, Any]], job: Job) -> dict[str, Any]:
    try:
        return {"status": "done", **work(job)}
    except Exception as error:
        return {"status": "failed", "error": reason(error)}


def _row(listing: Listing, job: Job, seed: int, result: dict[str, Any]) -> dict[str, Any]:
    return {"study": listing.name, **job._asdict(), "seed": seed, **result, "versions": versions()}


def remembered(given: Any, stored: dict[str, Any], name: str, default: Any) -> Any:
    """Return an option as given, else as the folder was last asked for, else its default."""
    return stored.get(name, default) if given is None else given


def jobs_of(parts: Sequence[tuple[str, str, str, str]], replications: int = 1) -> tuple[Job, ...]:
    """Return a job per replication of each (scenario, costs, algorithm, protocol)."""
    return tuple(Job(*part, replication) for part in parts for replication in range(replications))
