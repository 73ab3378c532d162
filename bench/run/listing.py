"""Run the missing jobs of a listing one by one, and store a row for each as it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.exits import Interrupted, reason
from bench.machine import versions
from bench.rows.columns import DONE, FAILED
from bench.rows.row import Job, Row
from bench.rows.store import Store
from bench.run.progress import in_a_thread, progress_bar, say_resuming
from bench.studies.listing import Listing


def run_listing(listing: Listing, store: Store, seed: int) -> None:
    """Run the missing jobs and store a row for each as it ends.

    Raises
    ------
    Interrupted
        Ctrl-C or SIGTERM.
    """
    done = store.done()
    todo = [job for job in listing.jobs if job not in done]
    say_resuming(store.folder, len(todo), len(listing.jobs))
    kept = failed = 0
    try:
        with progress_bar() as progress:
            bar = progress.add_task("running", total=len(todo), failed="")
            for job, result in zip(todo, in_a_thread(lambda job: _answer(listing.work, job), todo), strict=True):
                row = Row(study=listing.name, **job._asdict(), seed=seed, **result, versions=versions())
                store.append([row])
                kept, failed = kept + 1, failed + (not row.is_done)
                progress.update(bar, completed=kept, failed=f"[red]{failed} failed" if failed else "")
    except KeyboardInterrupt:
        raise Interrupted(f"{kept} of the {len(todo)} jobs of this run are finished and kept.") from None


def _answer(work: Callable[[Job], dict[str, Any]], job: Job) -> dict[str, Any]:
    try:
        return {"status": DONE, **work(job)}
    except Exception as error:
        return {"status": FAILED, "error": reason(error)}
