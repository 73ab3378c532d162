"""What a run depends on: the package's source, the machine, its memory; and a place for compiled code of its own."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.machine import available_cores, processor, versions
from bench.timing import probe
from bench.timing.data import ROWS_FOLDER
from bench.timing.work import Group, Work

BUSY = 0.25  # load per core that is worth a warning


def digest(checkout: Path) -> str:
    """Return what identifies the source of a checkout's ``csboost``."""
    found = hashlib.sha256()
    for path in sorted((checkout / "csboost").rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def fingerprint(seed: int) -> dict[str, Any]:
    """Return what must be the same for all rows of a folder: seed, machine, versions and the package's source."""
    others = ("pandas", "joblib", "distributed")
    libraries = [f"{name} {version}" for name, version in versions().items() if name not in others]
    return {
        "seed": seed,
        "machine": f"{processor()}, {available_cores()} cores",
        "code": digest(probe.ROOT),
        "libraries": ", ".join(libraries),
    }


@contextlib.contextmanager
def new_cache() -> Iterator[None]:
    """Compile everything afresh into a folder of this run, so that it is known what was compiled before what.

    Rows that take long to make are kept beside it.
    """
    with tempfile.TemporaryDirectory(prefix="csboost-timing-") as folder, contextlib.ExitStack() as stack:
        for variable, name in ((probe.CACHE, "compiled"), (ROWS_FOLDER, "rows")):
            path = Path(folder) / name
            path.mkdir()
            stack.callback(_restore, variable, os.environ.get(variable))
            os.environ[variable] = str(path)
        yield


def _restore(variable: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = value


def fitting(groups: Sequence[Group], memory: float) -> tuple[list[Group], list[Work]]:
    """Split works into those that fit the memory and those that do not."""
    needs = {work.key: memory_of(work) for group in groups for work in group}
    kept = [tuple(work for work in group if needs[work.key] <= memory) for group in groups]
    return [group for group in kept if group], [w for group in groups for w in group if needs[w.key] > memory]


def memory_of(work: Work) -> float:
    """Return the bytes that a work takes: X and up to twice as much, costs, weights and channels, the libraries.

    A cluster has them beside the local fit, and each of its processes the libraries.
    """
    n, n_fits = max(work.n, work.of), 2 if work.workers else 1
    return 3.0 * n_fits * n * (4 * (work.d or 100) + 8 * work.K) + (1 + work.workers) * 2**30
