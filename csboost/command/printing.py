"""Printing: results to stdout, everything else to stderr, progress only where somebody looks at it."""

from __future__ import annotations

import os
import sys
import time
from typing import Any


def say(text: str) -> None:
    """Tell the user something on stderr."""
    print(text, file=sys.stderr, flush=True)


def in_list(label: Any) -> str:
    """A label between commas: in quotation marks if it holds one."""
    return repr(str(label)) if "," in str(label) else str(label)


def print_result(text: str) -> None:
    """Print to stdout; a reader that has gone, as in ``... | head``, is no mishap."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        to_nowhere()


def to_nowhere() -> None:
    """Let stdout lead nowhere: what is left in it would fail once more when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Progress:
    """A line on stderr that is written over, at a terminal only."""

    def __init__(self) -> None:
        self._shown, self._last = sys.stderr.isatty(), 0.0

    def show(self, text: str) -> None:
        """Replace the line, a few times a second at most."""
        if self._shown and time.monotonic() - self._last > 0.2:
            self._last = time.monotonic()
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Delete the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
