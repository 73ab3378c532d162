"""A model file opened for a command."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from csboost.data.errors import DataError
from csboost.models.loading import load_model


def open_model(path: Path) -> Any:
    """The model, or else an error that names files of nearly that name.

    Raises
    ------
    ValueError, OSError
    """
    if path.is_dir():
        raise DataError(f"{path} is a folder: give the model file that `csboost fit` wrote.")
    if not path.exists():
        there = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
        near = difflib.get_close_matches(path.name, there, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else " `csboost fit` writes one."
        raise DataError(f"there is no model file {str(path)!r} (looked for at {path.absolute()}).{hint}")
    return load_model(path)
