"""The one place that configures Numba.

Every compiled function of the package is declared with :func:`kernel`. No ``parallel=True`` (thread counts would change
sums), no ``fastmath`` (it breaks NaN tests and moves split ties); the ``numpy`` error model keeps ``1 / 0`` from
raising inside a kernel. Set ``CSBOOST_CACHE=0`` to compile afresh in every process.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from numba import config, njit

CACHE = os.environ.get("CSBOOST_CACHE", "1") != "0"


def kernel(function: Callable[..., Any] | None = None, *, inner: bool = False, allocates: bool = True) -> Any:
    """Compile ``function`` with the package's Numba options.

    Two options shorten the time to compile. An ``inner`` kernel is called by other kernels: it needs no wrapper for C
    and no cache file of its own. A kernel that allocates nothing (``allocates=False``) needs no code that counts
    references.
    """

    def decorate(target: Callable[..., Any]) -> Any:
        settings: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": CACHE and not inner}
        if inner and not config.DISABLE_JIT:
            settings["no_cfunc_wrapper"] = True
        if not (allocates or config.DISABLE_JIT):
            settings["_nrt"] = False
        try:
            return njit(**settings)(target)
        except RuntimeError:  # no place for a cache file: a zipped or read-only install
            return njit(**{**settings, "cache": False})(target)

    return decorate if function is None else decorate(function)
