"""Whether Numba can be imported: fitting needs it, predicting does not."""

from __future__ import annotations

from functools import cache

__all__ = ["available", "require"]


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
