"""Python in a process of its own, for tests of what is decided when the package is imported."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_OWN = ("NUMBA_", "CSBOOST_", "PYTHONPATH")


def environment(settings, root=ROOT):
    """This process's environment without settings of Numba or this package, but for the given ones."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    paths = [str(root), str(ROOT / "tests")]
    return {**env, "PYTHONPATH": os.pathsep.join(paths), **{name: str(value) for name, value in settings.items()}}


def start(code, root=ROOT, **settings):
    """A process that runs ``code`` on the package under ``root``."""
    return subprocess.Popen(
        [sys.executable, "-W", "error:::csboost", "-c", code], env=environment(settings, root), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT / "tests",
    )  # fmt: skip


def said(process):
    """What the process printed; it must not have failed."""
    out, error = process.communicate(timeout=600)
    assert process.returncode == 0, error
    return out.strip()


def wait_for(condition, process, seconds=120):
    """Wait until ``condition()`` holds, as long as the process runs."""
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def run(code, root=ROOT, **settings):
    """Run ``code`` and return what it printed."""
    return said(start(code, root, **settings))
