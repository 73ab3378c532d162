"""The one place that configures Numba, with its fenced parts behind it.

Every compiled function of the package is declared with :func:`kernel`. No ``parallel=True`` (thread counts would change
sums), no ``fastmath`` (it breaks NaN tests and moves split ties); the ``numpy`` error model keeps ``1 / 0`` from
raising inside a kernel. The options of inner kernels are added by :mod:`csboost._linking`, which knows why.

What leans on Numba's insides stands behind a fence, and where these have changed the package works without it: inner
kernels that are linked into others (:mod:`csboost._linking`, switched off by ``CSBOOST_LINKING=0``), machine code on
disk (:mod:`csboost._code_cache`, switched off by ``CSBOOST_CACHE=0``). With ``NUMBA_DISABLE_JIT=1`` kernels are plain
Python.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

from numba import config, njit
from numba.extending import intrinsic

from csboost._numba import quiet

COMPILES = not config.DISABLE_JIT  # type: ignore[attr-defined]


def _fenced(module: str, switch: str) -> ModuleType | None:
    """A module that uses Numba's insides; None where it is switched off or Numba lacks what it needs."""
    if not COMPILES or os.environ.get(switch, "1") == "0":
        return None
    try:
        return importlib.import_module(module)
    except (ImportError, AttributeError, TypeError):
        return None


linking = _fenced("csboost._linking", "CSBOOST_LINKING")
code_cache = _fenced("csboost._code_cache", "CSBOOST_CACHE")


def kernel(function: Callable[..., Any] | None = None, *, inner: bool = False, allocates: bool = False) -> Any:
    """Compile ``function`` with the package's Numba options.

    Parameters
    ----------
    function : callable, optional
        Without it, a decorator is returned.
    inner : bool, default=False
        Whether it is for other kernels only; called from Python it raises a TypeError, where kernels are linked.
    allocates : bool, default=False
        Whether it makes arrays. Code that does not has no references to count.
    """

    def decorate(target: Callable[..., Any]) -> Any:
        if not COMPILES:
            return target if inner else quiet(target)
        options = {} if linking is None else linking.options(inner, allocates)
        compiled = njit(nogil=True, error_model="numpy", **options)(target)
        if linking is not None and inner:
            linking.widen(compiled)
        if code_cache is not None and not inner:
            with contextlib.suppress(Exception):  # no place for files, or another Numba: compiled in every process
                code_cache.keep(compiled, needs_runtime=linking is None or options.get(linking.RUNTIME, True))
        return compiled

    return decorate if function is None else decorate(function)


def intrinsic_with(twin: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Declare an intrinsic of Numba beside its ``twin``: a plain Python function of the same arguments and effect.

    The twin says what the code generator means, is what tests compare it with (``intrinsic.twin``), and takes its place
    where nothing is compiled.
    """

    def decorate(definition: Callable[..., Any]) -> Any:
        declared: Any = intrinsic(definition) if COMPILES else twin
        declared.twin = twin
        return declared

    return decorate
