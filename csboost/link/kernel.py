"""How the link's kernels are declared: compiled, or plain Python of the same bits where Numba is absent.

The kernels of this package do nothing but add, multiply, divide, compare and take square roots, which Python rounds as
compiled code does. Their modules are imported when rows need them, so that a model loads without Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csboost import _numba

__all__ = ["kernel"]


def _plain(function: Callable[..., Any] | None = None, *, inner: bool = False, allocates: bool = False) -> Any:
    """:func:`csboost._jit.kernel` without a compiler."""

    def decorate(target: Callable[..., Any]) -> Any:
        return target if inner else _numba.quiet(target)

    return decorate if function is None else decorate(function)


if _numba.available():
    from csboost._jit import kernel
else:
    kernel = _plain
