"""What a run finds: machine, memory, load, the package's source; and a place for compiled code of its own."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.cli import available_cores
from bench.environment import processor, versions
from bench.timing import probe
from bench.timing.plan import Group, Work

BUSY = 0.25  # load per core that is worth a warning


def fingerprint(seed: int) -> dict[str, Any]:
    """Return what must be the same for all rows of a folder: seed, machine, versions and the package's source."""
    digest = hashlib.sha256()
    for path in sorted((probe.ROOT / "csboost").rglob("*.py")):
        digest.update(path.read_bytes())
    others = ("pandas", "joblib", "distributed")
    libraries = [f"{name} {version}" for name, version in versions().items() if name not in others]
    return {
        "seed": seed,
        "machine": f"{processor()}, {available_cores()} cores",
        "code": digest.hexdigest()[:12],
        "libraries": ", ".join(libraries),
    }


def load() -> float:
    """Return the system's load over the last minute, 0 where it does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


@contextlib.contextmanager
def new_cache() -> Iterator[None]:
    """Compile everything afresh into a folder of this run: a cache on disk may hold code of older sources."""
    before = os.environ.get(probe.CACHE)
    with tempfile.TemporaryDirectory(prefix="csboost-timing-") as folder:
        os.environ[probe.CACHE] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[probe.CACHE]
            else:
                os.environ[probe.CACHE] = before


def available_memory() -> float:
    """Return the bytes that the system can still give, infinity where it does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024.0 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return float("inf")


def fitting(groups: Sequence[Group], memory: float) -> tuple[list[Group], list[Work]]:
    """Split works into those that fit the memory and those that do not: a fit takes up to twice X beside it."""
    needs = {work.key: 3.0 * 4 * max(work.n, work.of) * work.d + 2**30 for group in groups for work in group}
    kept = [tuple(work for work in group if needs[work.key] <= memory) for group in groups]
    return [group for group in kept if group], [w for group in groups for w in group if needs[w.key] > memory]
