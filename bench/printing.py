"""Printing: to stdout, where a reader that has gone is no mishap but a file without room is one, and to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from bench.exits import UnusableError

KEPT = "The finished jobs are kept; the same command prints it again."


def print_text(text: str, kept: str = KEPT) -> None:
    """Print to stdout; a reader that has gone, as in ``... | head``, is no mishap: the files are still to be written.

    Parameters
    ----------
    text : str
    kept : str
        What is left of the work when the text cannot be written.

    Raises
    ------
    UnusableError
        When stdout is a file for which there is no room.
    """
    with to_stdout(kept):
        print(text, end="", flush=True)


@contextlib.contextmanager
def to_stdout(kept: str = KEPT) -> Iterator[None]:
    """Write to stdout within this context; parameters and errors are those of :func:`print_text`."""
    try:
        yield
    except OSError as error:
        _to_nowhere()
        if not isinstance(error, BrokenPipeError):
            raise UnusableError(f"cannot write the table to standard output ({error.strerror}). {kept}") from None


def say(text: str) -> None:
    """Tell the user something on stderr."""
    print(text, file=sys.stderr, flush=True)


def flush() -> None:
    """Write out what libraries have printed, so that the interpreter does not find at its end that nobody reads."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _to_nowhere()


def _to_nowhere() -> None:
    """Let stdout lead nowhere: what is left in it would fail once more when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
