"""Waiting for tasks on workers that may never come back."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from distributed import Client, KilledWorker, rejoin, secede, wait

__all__ = ["LOST", "WAIT", "beside_the_queue", "finished", "gathered", "released", "wait_for_workers"]

WAIT = 60.0  # seconds for a first worker
OFTEN = 1.0  # seconds between looks at who is there
LOST = (
    "partitions of the data are lost and cannot be computed again: they were sent to the workers by hand (scatter), or "
    "the cluster was restarted during the fit. Read them on the workers, give them to several (scatter(..., "
    "broadcast=2)), or fit again."
)


def wait_for_workers(client: Client) -> None:
    """Wait until there is a worker, but not without end.

    Raises
    ------
    RuntimeError
        When there is none for a minute.
    """
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        raise _no_workers() from None


def _no_workers() -> RuntimeError:
    return RuntimeError(f"the cluster has had no workers for {WAIT:g} s; start some, or wait for them")


def gathered(client: Client, futures: Sequence[Any]) -> list[Any]:
    """The results of tasks.

    Raises
    ------
    RuntimeError
        When the workers are gone, or data with them.
    Exception
        What a task has raised.
    """
    finished(client, futures)
    found: list[Any] = client.gather(list(futures))
    return found


def finished(client: Client, futures: Sequence[Any]) -> None:
    """Wait for tasks, whose results may be lost again before they are gathered."""
    since = time.monotonic()
    while any(future.status in ("pending", "lost") for future in futures):  # what is lost is computed again
        if any(future.status == "lost" for future in futures):
            time.sleep(OFTEN / 10)
        try:
            wait(futures, timeout=OFTEN)
        except TimeoutError:
            if client.nthreads():
                since = time.monotonic()
            elif time.monotonic() - since > WAIT:
                raise _no_workers() from None
        except CancelledError:  # their status says so
            break
    for future in futures:
        if future.status == "error":
            error = future.exception()
            if isinstance(error, KilledWorker):
                raise RuntimeError(f"{error}. Most often a partition is too large for a worker: cut it.") from None
            raise error
        if future.status != "finished":
            raise RuntimeError(LOST)


@contextmanager
def released(tasks: list[Any]) -> Iterator[None]:
    """Let go of the futures in ``tasks`` at the end: errors on the way, with all that they hold, may live longer."""
    try:
        yield
    finally:
        for future in tasks:
            future.release()


@contextmanager
def beside_the_queue() -> Iterator[None]:
    """Leave the queue of a worker for a while, where this is a task: the tasks that it waits for need the place."""
    try:
        secede()
    except ValueError:  # no task
        yield
        return
    try:
        yield
    finally:
        rejoin()
