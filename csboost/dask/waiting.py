"""Waiting for tasks on workers that may never come back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Any

from distributed import Client, KilledWorker, wait

__all__ = ["LOST", "WAIT", "gathered", "wait_for_workers"]

WAIT = 60.0  # seconds for a first worker
OFTEN = 1.0  # seconds between looks at who is there
LOST = (
    "partitions of the data are lost and cannot be computed again, as they were sent to the workers by hand (scatter). "
    "Read them on the workers, or give them to several (scatter(..., broadcast=2))."
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
        raise RuntimeError(f"the cluster has had no workers for {WAIT:g} s; start some, or wait for them") from None


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
                wait_for_workers(client)
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
