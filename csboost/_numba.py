"""Whether Numba can be imported, and kernels without it: fitting needs it, predicting does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

__all__ = ["available", "quiet", "require"]


@cache
def _failure() -> ImportError | None:
    """What importing Numba says; it is tried once per process."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        return error
    return None


def available() -> bool:
    """Whether kernels can be compiled; without them NumPy predicts the same bits, more slowly."""
    return _failure() is None


def require() -> None:
    """Refuse to fit where kernels cannot be compiled.

    Raises
    ------
    ImportError
        With the reason and the remedy.
    """
    failure = _failure()
    if failure is not None:
        raise ImportError(
            f"fitting needs Numba, which cannot be imported here ({failure}); install it with `pip install numba`. "
            "Models that are already fitted predict without it."
        ) from failure


def quiet(target: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel as plain Python, as silent about overflow and 0 / 0 as machine code is."""

    @wraps(target)
    def run(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return target(*arguments)

    return run
