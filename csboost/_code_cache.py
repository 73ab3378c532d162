"""Machine code on disk that can never be older than its sources.

Numba keeps the code of a kernel with a stamp of the file that the kernel is in. But a kernel's code holds that of all
inner kernels and constants it uses, whichever file they are from. So here each state of the package's sources has a
folder of its own, named by a digest of all of them, inside the one that Numba chooses (``NUMBA_CACHE_DIR``, else
``__pycache__``, else the user's): what was compiled from other sources is not even found. Settings of Numba that change
the code count as sources.

A damaged file, a folder that cannot be written or that vanishes meanwhile cost the time to compile, nothing else. The
class that Numba keeps a dispatcher's code with is its own affair: without it, nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.resources
import os
import shutil
from collections.abc import Iterator
from functools import cache
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache

PREFIX = "csboost-"
KEPT = 4  # states of the sources whose code is kept, this one included
SETTINGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")  # of numba.config
_SOURCES = (".py", ".pyc")


def keep(dispatcher: Any, needs_runtime: bool = True) -> None:
    """Let a dispatcher of Numba's keep its machine code on disk.

    Parameters
    ----------
    dispatcher : Dispatcher
    needs_runtime : bool, default=True
        Whether its code may call Numba's runtime, which makes arrays and counts the references to them.

    Raises
    ------
    Exception
        Of any kind, when this version of Numba, or this installation, has no place for it.
    """
    dispatcher._cache = _SourcesCache(dispatcher.py_func, needs_runtime)


@cache
def digest() -> str:
    """16 hexadecimal digits for the sources and settings that this process started with."""
    return _digest()


def _digest() -> str:
    """The same as of now: 2 ms."""
    versions = numba.__version__, llvmlite.__version__, np.__version__
    settings = [(name, getattr(config, name, None)) for name in SETTINGS]
    found = hashlib.blake2b(repr((versions, settings, os.environ.get("CSBOOST_LINKING"))).encode(), digest_size=8)
    folder, n_files = os.path.dirname(__file__), 0
    for name, text in _files(folder) if os.path.isdir(folder) else _packed_files(importlib.resources.files("csboost")):
        found.update(f"{name} {len(text)} ".encode())
        found.update(text)
        n_files += 1
    if n_files == 0:
        raise OSError("the sources are out of reach")
    return found.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the sources in a folder and below, in order."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.endswith(_SOURCES):
            with open(entry.path, "rb") as file:
                yield entry.name, file.read()
        elif entry.name != "__pycache__" and entry.is_dir():
            yield from _files(entry.path)


def _packed_files(folder: Any) -> Iterator[tuple[str, bytes]]:
    """The same for a package inside an archive."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(_SOURCES):
            yield entry.name, entry.read_bytes()
        elif entry.name != "__pycache__" and entry.is_dir():
            yield from _packed_files(entry)


class _Place:
    """Where Numba would keep code, one folder deeper."""

    def __init__(self, locator: Any):
        self._locator = locator
        self._folder = os.path.join(locator.get_cache_path(), PREFIX + digest())
        with contextlib.suppress(OSError):  # not there yet, or another user's
            os.utime(self._folder)  # used today: among the last to be cleared away

    def __getattr__(self, name: str) -> Any:
        return getattr(self._locator, name)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> Any:
        return digest(), self._locator.get_source_stamp()

    def ensure_cache_path(self) -> None:
        if not os.path.isdir(self._folder):
            os.makedirs(self._folder, exist_ok=True)
            _clear_away(os.path.dirname(self._folder))


def _clear_away(folder: str) -> None:
    """Remove the code of all but the states of the sources that were used last."""
    with contextlib.suppress(OSError):  # another process does the same
        states = [entry for entry in os.scandir(folder) if entry.name.startswith(PREFIX)]
        states.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
        for entry in states[KEPT:]:
            shutil.rmtree(entry.path, ignore_errors=True)


class _PlacedImpl(CompileResultCacheImpl):
    def __init__(self, function: Any):
        super().__init__(function)
        self._locator = _Place(self._locator)


class _SourcesCache(FunctionCache):
    """Numba's cache of one kernel in a folder of these sources, without its mishaps."""

    _impl_class = _PlacedImpl

    def __init__(self, function: Any, needs_runtime: bool):
        super().__init__(function)
        self.needs_runtime = needs_runtime
        if digest() not in self.cache_path:
            raise NotImplementedError("this version of Numba would mix the code of different sources")

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            if self.needs_runtime:
                return super().load_overload(signature, context)
            return self._load_overload(signature, context)  # not made ready to compile: 0.2 s
        except Exception:  # half a file, of a process that was killed or a disk that was full
            self._attempt(self.flush)
            return None

    def save_overload(self, *args: Any) -> None:
        if _digest() == digest():  # else the sources changed while this process ran: nobody knows what was compiled
            self._attempt(super().save_overload, *args)

    def _attempt(self, action: Any, *args: Any) -> None:
        try:
            action(*args)
        except Exception:  # a full disk, a folder that somebody cleared away
            self.disable()
