"""The machine and the versions that results were made with."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from bench.cli import available_cores

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
    "distributed",
)


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the installed packages that a result may depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            if name == "csboost":  # run from a checkout that is not installed
                import csboost

                found[name] = csboost.__version__
    return found


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
