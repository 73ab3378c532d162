"""Names that a package imports when they are first asked for.

A package names them once, by the imports under ``if TYPE_CHECKING:`` of its ``__init__``. Type checkers and editors
read these as they stand; :func:`lazily` reads them too, and makes them when somebody uses them.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from importlib.abc import InspectLoader
from typing import Any


def lazily(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__all__``, ``__getattr__`` and ``__dir__`` of a package whose names are imported on first use.

    Parameters
    ----------
    package : str
        Its ``__name__``.

    Returns
    -------
    all_ : list of str
        The names, in the order of the imports.
    getattr_, dir_ : callable
        To be called ``__getattr__`` and ``__dir__`` in the package.

    Raises
    ------
    ImportError
        Where the package's source is not there, as when nothing but compiled files was installed.
    """
    homes = _named(_source(package))

    def getattr_(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:  # a module of the package itself
            value = importlib.import_module(f"{package}.{name}")
        else:
            value = getattr(importlib.import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def dir_() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return list(homes), getattr_, dir_


def _source(package: str) -> str:
    specification = sys.modules[package].__spec__
    loader = None if specification is None else specification.loader
    source = loader.get_source(package) if isinstance(loader, InspectLoader) else None
    if source is None:
        raise ImportError(f"the source of {package} is missing, which names what it imports: install csboost again")
    return source


def _named(source: str) -> dict[str, str]:
    """Name -> module, of all ``from module import name as name`` under ``if TYPE_CHECKING:``."""
    blocks = [node for node in ast.parse(source).body if isinstance(node, ast.If)]
    checked = [block for block in blocks if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"]
    imports = [node for block in checked for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module for node in imports for alias in node.names if node.module is not None}
