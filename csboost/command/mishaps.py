"""Exit codes, and the mishaps that end a command with one of them instead of a traceback."""

from __future__ import annotations

DONE, USAGE, UNUSABLE, INTERRUPTED = 0, 2, 3, 130

EXIT_CODES = "exit codes: 0 done; 2 wrong usage; 3 data missing or unusable; 130 interrupted (nothing is half-written)"


class UsageError(Exception):
    """The command cannot be run as given (exit code 2)."""
