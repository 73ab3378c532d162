"""The machine and the versions that results are made with: processor, cores, memory, packages, commit."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import sys
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

PACKAGES = (
    "csboost",
    "numba",
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "joblib",
    "lightgbm",
    "xgboost",
    "catboost",
    "chimeraboost",
    "interpret-core",
    "distributed",
)


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the installed packages that a result may depend on."""
    from importlib import metadata  # takes longer than the rest of ``--help``

    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            if name == "csboost":  # run from a checkout that is not installed
                import csboost

                found[name] = csboost.__version__
    return found


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load() -> float:
    """Return the system's load over the last minute, 0 where it does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def available_memory() -> float:
    """Return the bytes that the system can still give, infinity where it does not tell."""
    found = _kernel_tells("/proc/meminfo", "MemAvailable")
    return float("inf") if found is None else float(found)


def reset_peak_memory() -> None:
    """Let the peak begin anew (Linux only; elsewhere it stays that of the whole process)."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_memory() -> int | None:
    """Return the peak resident bytes of this process since the last reset; None where the system does not tell."""
    found = _kernel_tells("/proc/self/status", "VmHWM")  # unlike getrusage's, not inherited from the parent process
    if found is not None:
        return found
    with contextlib.suppress(ImportError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return None


def resident_memory() -> int | None:
    """Return the resident bytes of this process now; where the system does not tell, the peak so far."""
    found = _kernel_tells("/proc/self/status", "VmRSS")
    return peak_memory() if found is None else found


def _kernel_tells(path: str, field: str) -> int | None:
    """Return the bytes that a file of the Linux kernel gives in kilobytes."""
    with contextlib.suppress(OSError), open(path) as file:
        for line in file:
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    return None


def processor() -> str:
    """Return the processor's name, as well as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def commit(checkout: Path | None = None) -> str | None:
    """Return the git commit of the code, or of another checkout, marked when files differ; None outside a checkout."""
    here = checkout or Path(__file__).parent

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=here, capture_output=True, text=True, check=True, timeout=10
        ).stdout.strip()

    try:
        return git("rev-parse", "--short=12", "HEAD") + ("+changes" if git("status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def describe() -> dict[str, Any]:
    """Return date, commit, machine and versions as JSON-able values."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else None
    return {
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "commit": commit(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": available_cores(),
        "memory_gb": None if memory is None else round(memory / 2**30, 1),
        "versions": versions(),
    }
