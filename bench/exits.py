"""Exit codes, and the mishaps that end a command with one of them instead of a traceback."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from typing import NoReturn

DONE, SOME_FAILED, USAGE, UNUSABLE, INTERRUPTED = 0, 1, 2, 3, 130

JOB = "job"
"""Name of the threads that run jobs."""

EXIT_CODES = """exit codes: 0 done; 1 some jobs failed (what succeeded is written; failed jobs run again next time);
2 wrong usage; 3 data or folder missing or unusable; 130 interrupted by Ctrl-C or SIGTERM (the same command resumes)"""


class UsageError(Exception):
    """The command cannot be run as given (exit code 2)."""


class UnusableError(Exception):
    """Something the run needs (a file, a folder, a cluster, the data) is missing or unusable (exit code 3)."""


class Interrupted(Exception):
    """Ctrl-C, or SIGTERM; the message says what is kept (exit code 130)."""


def reason(error: Exception) -> str:
    """Return what the row of a failed job says."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} [{where.name}, line {where.lineno}]"


def leave(code: int) -> NoReturn:
    """End the process with an exit code.

    After Ctrl-C at once where a job still runs in a thread: it may be compiling, and the process might abort while
    the interpreter takes itself down around it.
    """
    if code == INTERRUPTED and any(thread.name == JOB for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
