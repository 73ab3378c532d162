"""Exit codes, and the mishaps that end a command with one of them instead of a traceback."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

DONE, USAGE, UNUSABLE, INTERRUPTED = 0, 2, 3, 130

EXIT_CODES = """exit codes: 0 done; 2 wrong usage; 3 data missing or unusable;
130 interrupted by Ctrl-C or SIGTERM (nothing is half-written)"""


class UsageError(Exception):
    """The command cannot be run as given (exit code 2)."""


@contextlib.contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """While the context lasts, SIGTERM (``kill``, a batch system's time limit) is a KeyboardInterrupt as Ctrl-C is, so
    that what was begun is cleared away and workers end. A handler that somebody else has set stays, and outside of the
    main thread, where none can be set, nothing changes.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not end the clearing away
    raise KeyboardInterrupt
