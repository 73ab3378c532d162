"""Files of a results folder: what a command may write there, and how, so that a killed run leaves none half-written."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from bench.exits import UnusableError
from bench.rows.settings import SETTINGS

ROWS, LOCK = "runs.jsonl", ".lock"
TABLE, LATEX, MARKDOWN, TARGETS = "table.csv", "table.tex", "table.md", "targets.csv"
PAIRS = "pairs.csv"
ENVIRONMENT, REPORT = "environment.json", "report.html"
FIGURES = ("figure-*.png", "figure-*.pdf")
OUTPUTS = (ROWS, SETTINGS, TABLE, MARKDOWN, LATEX, TARGETS, PAIRS, REPORT, ENVIRONMENT, *FIGURES)
"""What ``--fresh`` deletes."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader, or a killed run, sees the old content or the new, never half of it.

    Raises
    ------
    UnusableError
        When it cannot be written; a full disk does not say which file it had no room for, so this does.
    """
    data = content.encode() if isinstance(content, str) else content
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except OSError as error:
        cure = "make room" if error.errno in _NO_ROOM else "mend that"
        raise UnusableError(
            f"cannot write {path} ({error.strerror}). The finished jobs are kept; {cure} and give the same command "
            "again."
        ) from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
