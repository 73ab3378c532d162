"""A connection to a running Dask cluster."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from bench.exits import UnusableError, UsageError
from bench.extras import remedy
from bench.machine import versions


@contextlib.contextmanager
def dask_client(address: str) -> Iterator[Any]:
    """Connect to a Dask scheduler whose workers run the same versions as this machine."""
    try:
        from distributed import Client
    except ImportError:
        raise UnusableError(f"--cluster needs the package distributed; {remedy('cluster')}") from None
    if "://" not in address and not re.fullmatch(r"[^:/]+:\d+", address):
        raise UsageError(f"--cluster {address}: an address is like tcp://host:8786.")
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UnusableError(f"no Dask scheduler answers at {address} ({type(error).__name__}).") from None
    with client:
        _check_workers(client.run, address)
        yield client


def _check_workers(run_everywhere: Callable[..., dict[str, dict[str, str]]], address: str) -> None:
    """Refuse workers that lack this program or differ in a version: their numbers could differ too."""
    try:
        everywhere = run_everywhere(versions)
    except ImportError as error:
        raise UnusableError(
            f"the workers at {address} cannot import this program ({error}); "
            "in a clone there: pip install --editable '.[bench,cluster]'"
        ) from None
    if not everywhere:
        raise UnusableError(f"the scheduler at {address} has no workers; start some with: dask worker {address}")
    for worker, theirs in everywhere.items():
        ours = versions()
        differ = [
            f"{name} {theirs[name]} (here {ours[name]})" for name in ours if theirs.get(name, ours[name]) != ours[name]
        ]
        if differ:
            raise UnusableError(f"worker {worker} has other versions than this machine: {', '.join(differ)}.")
