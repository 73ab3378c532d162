"""The contract of a margin loss, checked on a grid before any fit (the paper, Theorem 1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["check_loss"]

_METHODS = ("value", "derivative", "second_derivative")
# The odd offset keeps grid points off the round numbers where losses like to have their knots.
_GRID = np.linspace(-20.0, 20.0, 802) + 0.00137
_FAR = np.array([-100.0, -50.0, 50.0, 100.0])  # margins get there in long fits
_NEEDS = "Theorem 1 needs a convex, differentiable loss with negative slope everywhere."


def check_loss(loss: Any) -> None:
    """Verify that ``loss`` can be used: methods, finite values, negative slope, convexity, derivatives that agree.

    The grid is -20 to 20; beyond it, up to 100, the derivatives need only be finite. A loss that fails between the
    points is not found out.

    Parameters
    ----------
    loss : object
        See :class:`csboost.angle.losses.MarginLoss`.

    Raises
    ------
    ValueError
        Names what fails and at which ``z``.
    """
    name = _name(loss)
    if isinstance(loss, type):
        raise ValueError(f"loss is the class {loss.__name__}; pass an instance of it: {loss.__name__}(...)")
    missing = [method for method in _METHODS if not callable(getattr(loss, method, None))]
    if missing:
        raise ValueError(f"loss {name} has no method {', '.join(missing)}; a loss needs {', '.join(_METHODS)}")
    derivative, second = (_evaluate(loss, method, _GRID) for method in _METHODS[1:])
    _evaluate(loss, "value", _GRID)
    for method in _METHODS[1:]:
        _evaluate(loss, method, _FAR)

    _report(name, "is not decreasing", "derivative", derivative, derivative < 0)
    slack = 1e-9 * (np.abs(derivative[1:]) + np.abs(derivative[:-1]))
    rising = np.append(np.diff(derivative) >= -slack, True)
    _report(name, "is not convex: the slope falls after this point", "derivative", derivative, rising)
    _report(name, "is not convex", "second_derivative", second, second >= 0)
    for method, of in (("derivative", "value"), ("second_derivative", "derivative")):
        _compare_with_differences(loss, method, of)


def _name(loss: Any) -> str:
    return loss.__name__ if isinstance(loss, type) else type(loss).__name__


def _evaluate(loss: Any, method: str, grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Call one method on the grid as a read-only (n, 2) array and check what comes back."""
    z = np.column_stack([grid, grid])
    z.flags.writeable = False  # a loss that writes into its argument would spoil the margins
    try:
        result = np.asarray(getattr(loss, method)(z), dtype=np.float64)
    except Exception as error:
        raise ValueError(f"loss {_name(loss)}: {method}(z) failed for an array of shape {z.shape}: {error}") from error
    if result.shape != z.shape:
        raise ValueError(
            f"loss {_name(loss)}: {method}(z) returned shape {result.shape} for z of shape {z.shape}; "
            "it must work elementwise on arrays"
        )
    _report(_name(loss), "is not finite", method, result[:, 0], np.isfinite(result[:, 0]), grid)
    return result[:, 0]


def _report(
    name: str,
    what: str,
    method: str,
    values: NDArray[np.float64],
    good: NDArray[np.bool_],
    grid: NDArray[np.float64] = _GRID,
) -> None:
    if not good.all():
        i = int(np.argmin(good))
        raise ValueError(f"loss {name} {what}: {method}({grid[i]:.4g}) = {values[i]:.4g}. {_NEEDS}")


def _compare_with_differences(loss: Any, method: str, of: str) -> None:
    """Compare ``method`` with central differences of ``of``; a few points are let off, for knots."""
    step = 1e-5 * np.maximum(1.0, np.abs(_GRID))
    stated = _evaluate(loss, method, _GRID)
    difference = (_evaluate(loss, of, _GRID + step) - _evaluate(loss, of, _GRID - step)) / (2 * step)
    good = np.abs(difference - stated) <= 1e-3 * np.abs(stated) + 1e-6
    if good.mean() < 0.99:
        i = int(np.argmin(good))
        raise ValueError(
            f"loss {_name(loss)}: {method}({_GRID[i]:.4g}) = {stated[i]:.6g}, but finite differences of {of} give "
            f"{difference[i]:.6g}"
        )
