"""Exit codes, and the mishaps that end a command with one of them instead of a traceback."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

DONE, USAGE, UNUSABLE, INTERRUPTED = 0, 2, 3, 130

EXIT_CODES = "exit codes: 0 done; 2 wrong usage; 3 data missing or unusable; 130 interrupted (nothing is half-written)"


class UsageError(Exception):
    """The command cannot be run as given (exit code 2)."""


@contextlib.contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """While the context lasts, SIGTERM (``kill``, a batch system's time limit) is a KeyboardInterrupt as Ctrl-C is, so
    that what was begun is cleared away and workers end. Outside of the main thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)
