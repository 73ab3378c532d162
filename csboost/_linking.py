"""Inner kernels as LLVM code alone: the fenced part that uses Numba's insides.

Numba would optimise an inner kernel by itself and once more in each kernel above it, give it an entry for Python and
machine code of its own. None of that is ever used, and it takes more than a third of the time to compile; so inner
kernels are only lowered to LLVM code, which is optimised as part of the kernels that call them.

This takes parts of Numba that it may change without notice. Names that have gone raise when this module is imported,
which :mod:`csboost._jit` expects; parts that work no longer show in a trial, before the first inner kernel is compiled.
Either way kernels are then compiled as Numba does it: the same results, seconds later.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

from numba import _dynfunc, njit, types  # type: ignore[attr-defined]
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target


class _NoCollecting(event.Listener):
    """Puts off the collection of garbage while a kernel compiles: a tenth of the time went into looking for some."""

    def __init__(self) -> None:
        self.depth, self.was_on = 0, False

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.was_on = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.was_on:
            gc.enable()


event.register("numba:compile", _NoCollecting())

RUNTIME = "_nrt"  # the option of code that counts references
_has_option = hasattr(cpu_target.options, RUNTIME)
_works: bool | None = None  # not tried yet


def options(inner: bool, allocates: bool) -> dict[str, Any]:
    """Options of ``njit`` for a kernel."""
    settings: dict[str, Any] = {"pipeline_class": _InnerCompiler} if inner else {}
    if not allocates and _has_option:
        settings[RUNTIME] = False  # no arrays are made, so there are none to count the references of
    return settings


def widen(kernel: Any) -> None:
    """Let an inner kernel take constants as the numbers they are: Numba would compile it once more for each."""
    compile_for = kernel.compile
    kernel.compile = lambda signature: compile_for(tuple(types.unliteral(kind) for kind in signature))


def works() -> bool:
    """Whether inner kernels are linked in this process; found out by compiling two tiny kernels."""
    global _works
    if _works is None:
        _works = True  # for the kernels of the trial itself
        try:
            _works = _trial() == 7
        except Exception:  # whatever it is that a later Numba has changed
            _works = False
    return _works


def _trial() -> int:
    inner = njit(**options(inner=True, allocates=False))(lambda number: 2 * number)
    return njit(lambda number: inner(number) + 1)(3)


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

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.linked = works()
        if self.linked:
            flags = self.state.flags
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            self.state.library = _LinkedLibrary(self.state.targetctx.codegen(), "inner")

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        result = super().compile_extra(function)
        if not self.linked:
            return result
        # Numba identifies compiled code by its entry for Python; this one raises "bad argument type"
        refuse = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value
        entry = _dynfunc.make_function(
            result.fndesc.lookup_module(), function.__name__, "", refuse, result.environment, (result.library,)
        )
        self.state.targetctx.insert_user_function(entry, result.fndesc, [result.library])
        return result._replace(entry_point=entry)
