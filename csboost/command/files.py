"""Files to be written, refused before the work where they cannot be."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from csboost.command.mishaps import UsageError


def check_output(path: Path, inputs: Iterable[Path]) -> None:
    """Refuse a file that cannot be written, or that is one of those that are read.

    Raises
    ------
    UsageError, OSError
    """
    if path.is_dir():
        raise UsageError(f"--out {path} is a folder: give the name of a file in it.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"--out {path}: there is no folder {path.parent}. Make it first.")
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"--out {path}: nothing can be written to the folder {path.parent}.")
    for other in inputs:
        if path.exists() and other.exists() and path.samefile(other):
            raise UsageError(f"--out {path} would replace a file that is read: give another name.")
