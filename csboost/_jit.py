"""The one place that configures Numba.

Every compiled function of the package is declared with :func:`kernel`. No ``parallel=True`` (thread counts would change
sums), no ``fastmath`` (it breaks NaN tests and moves split ties); the ``numpy`` error model keeps ``1 / 0`` from
raising inside a kernel. Set ``CSBOOST_CACHE=0`` to compile afresh in every process.

Numba would optimise an inner kernel by itself and once more in each kernel above it, give it an entry for Python and
machine code of its own. None of that is ever used, and it takes more than a third of the time to compile; so inner
kernels are only lowered to LLVM code, which is optimised as part of the kernels that call them.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

from numba import _dynfunc, config, njit  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target

# Numba tries the ways to type an operation in the order in which it learned of them. With a disk cache it would learn
# of its dictionaries and strings before its arrays, and compile for a fifth longer.
cpu_target.typing_context.refresh()

CACHE = os.environ.get("CSBOOST_CACHE", "1") != "0"


def kernel(function: Callable[..., Any] | None = None, *, inner: bool = False, allocates: bool = False) -> Any:
    """Compile ``function`` with the package's Numba options.

    Parameters
    ----------
    function : callable, optional
        Without it, a decorator is returned.
    inner : bool, default=False
        Whether it is for other kernels only; called from Python it raises a TypeError.
    allocates : bool, default=False
        Whether it makes arrays. Code that does not has no references to count.
    """

    def decorate(target: Callable[..., Any]) -> Any:
        if config.DISABLE_JIT:  # type: ignore[attr-defined]
            return target
        settings: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": CACHE and not inner}
        if inner:
            settings |= {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, "pipeline_class": _InnerCompiler}
        if not allocates:
            settings["_nrt"] = False
        try:
            return njit(**settings)(target)
        except RuntimeError:  # no place for a cache file: a zipped or read-only install
            return njit(**{**settings, "cache": False})(target)

    return decorate if function is None else decorate(function)


class _LinkedLibrary(JITCodeLibrary):
    """The code of an inner kernel, ready to be linked into others and nothing more."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # all that Numba's own does besides

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _InnerCompiler(Compiler):
    """Numba's compiler, stopped before machine code."""

    def __init__(self, typing_context, target_context, library, args, return_type, flags, local_types):
        flags.no_compile = True
        library = _LinkedLibrary(target_context.codegen(), "inner")
        super().__init__(typing_context, target_context, library, args, return_type, flags, local_types)

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        result = super().compile_extra(function)
        # Numba identifies compiled code by its entry for Python; this one raises "bad argument type"
        refuse = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value
        entry = _dynfunc.make_function(
            result.fndesc.lookup_module(), function.__name__, "", refuse, result.environment, (result.library,)
        )
        self.state.targetctx.insert_user_function(entry, result.fndesc, [result.library])
        return result._replace(entry_point=entry)
