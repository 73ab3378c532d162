"""Names that a package imports when they are first asked for.

For type checkers and editors a package names them a second time, under ``if TYPE_CHECKING:``; tests compare the two.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def lazily(
    package: str, homes: Mapping[str, str], modules: tuple[str, ...] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package whose names are imported on first use.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        Public name -> the module inside the package that has it, or with a dot before it, beside the package.
    modules : tuple of str
        Public names that are modules of the package themselves.

    Returns
    -------
    getattr_, dir_ : callable
        To be called ``__getattr__`` and ``__dir__`` in the package.
    """

    def getattr_(name: str) -> Any:
        if name in homes:
            value = getattr(importlib.import_module(f".{homes[name]}", package), name)
        elif name in modules:
            value = importlib.import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def dir_() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return getattr_, dir_
