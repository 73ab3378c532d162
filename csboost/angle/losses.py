"""Margin losses ``l(z)``: convex, differentiable, with ``l' < 0`` (the paper, Theorem 1).

A loss is any object with the three methods of :class:`MarginLoss`. The built-in ones run through kernels; every other
class, subclasses of the built-in ones too, runs through NumPy.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from csboost.angle.contract import check_loss

__all__ = [
    "LOSSES",
    "ExponentialLoss",
    "LargeMarginUnifiedLoss",
    "LogisticLoss",
    "LossName",
    "MarginLoss",
    "check_loss",
    "get_loss",
]

Array = NDArray[np.float64]
_LARGEST_EXPONENT = 709.0  # exp of it is finite


class MarginLoss(Protocol):
    """What a loss must offer; ``z`` is a float64 array of any shape and each method returns one of the same shape.

    A loss may also have ``log_slope(z) = log(-l'(z))``. With it the link (:mod:`csboost.link`) stays exact where
    ``l'(z)`` itself would underflow.
    """

    def value(self, z: Array) -> Array:
        """``l(z)``."""

    def derivative(self, z: Array) -> Array:
        """``l'(z)``, negative and nondecreasing."""

    def second_derivative(self, z: Array) -> Array:
        """``l''(z)``; at a point where it jumps, either side's value."""


@dataclass(frozen=True)
class ExponentialLoss:
    """``l(z) = exp(-z)``: AdaBoost's loss (the paper, section "Exponential Loss"); capped where it would overflow."""

    def value(self, z: Array) -> Array:
        """``exp(-z)``."""
        return np.exp(np.minimum(-z, _LARGEST_EXPONENT))

    def derivative(self, z: Array) -> Array:
        """``-exp(-z)``."""
        return -self.value(z)

    def second_derivative(self, z: Array) -> Array:
        """``exp(-z)``."""
        return self.value(z)

    def log_slope(self, z: Array) -> Array:
        """``log(-l'(z)) = -z``."""
        return -z


@dataclass(frozen=True)
class LogisticLoss:
    """``l(z) = log(1 + exp(-z))``: LogitBoost's loss (the paper, section "Logit Loss")."""

    def value(self, z: Array) -> Array:
        """``log(1 + exp(-z))``."""
        return np.logaddexp(0.0, -z)

    def derivative(self, z: Array) -> Array:
        """``-1 / (1 + exp(z))``."""
        return -expit(-z)

    def second_derivative(self, z: Array) -> Array:
        """``1 / ((1 + exp(z)) (1 + exp(-z)))``."""
        return expit(z) * expit(-z)

    def log_slope(self, z: Array) -> Array:
        """``log(-l'(z)) = -log(1 + exp(z))``."""
        return -np.logaddexp(0.0, z)


@dataclass(frozen=True)
class LargeMarginUnifiedLoss:
    """The large-margin unified family (the paper, section "Large-Margin Unified Machine Family"; Liu, Zhang & Wu 2011).

    ``l(z) = 1 - z`` below the knot ``c / (1 + c)``, and ``(a / (a + u))^a / (1 + c)`` with ``u = (1 + c) z - c`` from
    it on; ``l'`` is continuous there. ``c = 0`` gives a soft classifier, with an exponential tail as ``a`` grows; ``c``
    large approaches the hinge loss.

    Parameters
    ----------
    a : float, default=1.0
        Decay of the tail, positive and finite.
    c : float, default=1.0
        From soft (0) to hard, finite: the hinge loss itself is not in the family, as its slope vanishes beyond 1.
    """

    a: float = 1.0
    c: float = 1.0

    def __post_init__(self) -> None:
        check_lum(self.a, self.c, "a", "c")

    def _beyond_knot(self, z: Array) -> Array:
        # u / a, cut at the knot; every power of a / (a + u) is then exp(-power * log1p(u / a)), good for any a.
        return np.maximum((1.0 + self.c) * z - self.c, 0.0) / self.a

    def value(self, z: Array) -> Array:
        """``1 - z`` or ``(a / (a + u))^a / (1 + c)``."""
        tail = np.exp(-self.a * np.log1p(self._beyond_knot(z))) / (1.0 + self.c)
        return np.where(z < self.c / (1.0 + self.c), 1.0 - z, tail)

    def derivative(self, z: Array) -> Array:
        """``-1`` or ``-(a / (a + u))^(a + 1)``."""
        return -np.exp(self.log_slope(z))

    def second_derivative(self, z: Array) -> Array:
        """``0`` below the knot, ``(1 + c) (a + 1) / a * (a / (a + u))^(a + 2)`` from it on."""
        tail = np.exp(-(self.a + 2.0) * np.log1p(self._beyond_knot(z)))
        return np.where(z < self.c / (1.0 + self.c), 0.0, (1.0 + self.c) * (self.a + 1.0) / self.a * tail)

    def log_slope(self, z: Array) -> Array:
        """``log(-l'(z)) = (a + 1) log(a / (a + u))``, 0 below the knot."""
        return -(self.a + 1.0) * np.log1p(self._beyond_knot(z))


#: What type checkers and editors accept as a name.
LossName = Literal["exponential", "logistic", "lum"]

#: Losses by name: each entry builds the loss from ``lum_a`` and ``lum_c``.
LOSSES: dict[str, Callable[[float, float], MarginLoss]] = {
    "exponential": lambda lum_a, lum_c: ExponentialLoss(),
    "logistic": lambda lum_a, lum_c: LogisticLoss(),
    "lum": lambda lum_a, lum_c: LargeMarginUnifiedLoss(lum_a, lum_c),
}


def get_loss(loss: Any, lum_a: float = 1.0, lum_c: float = 1.0) -> MarginLoss:
    """Resolve a loss name or object; an object that is not built in is checked first.

    Parameters
    ----------
    loss : str or MarginLoss
        A name in :data:`LOSSES`, or an object with the methods of :class:`MarginLoss`.
    lum_a, lum_c : float, default=1.0
        Parameters of ``"lum"``, unused by the others.

    Returns
    -------
    MarginLoss

    Raises
    ------
    ValueError
        For an unknown name, a bad ``lum_a`` or ``lum_c``, or a loss that breaks the contract.
    """
    if isinstance(loss, str):
        if loss not in LOSSES:
            close = difflib.get_close_matches(loss, LOSSES, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else "."
            raise ValueError(f"unknown loss {loss!r}{hint} Known: {', '.join(map(repr, LOSSES))}, or a loss object")
        if loss == "lum":
            check_lum(lum_a, lum_c, "lum_a", "lum_c")
        return LOSSES[loss](lum_a, lum_c)
    if type(loss) not in (ExponentialLoss, LogisticLoss, LargeMarginUnifiedLoss):  # subclasses are checked
        check_loss(loss)
    return loss


def log_slopes(loss: MarginLoss, z: Array) -> Array:
    """``log(-l'(z))``, by the loss's own ``log_slope`` where it has one.

    A ``log_slope`` inherited from above the class that states the derivative is not its own: a subclass of a built-in
    loss may override the three methods of :class:`MarginLoss` and no more.
    """
    if hasattr(loss, "log_slope") and _depth(loss, "log_slope") <= _depth(loss, "derivative"):
        return np.asarray(loss.log_slope(z), dtype=np.float64)
    return np.log(np.maximum(-np.asarray(loss.derivative(z), dtype=np.float64), np.finfo(np.float64).tiny))


def _depth(loss: Any, name: str) -> int:
    """How many classes above the loss's own ``name`` is defined; 0 for what the object carries itself."""
    homes = [name in vars(home) for home in type(loss).__mro__]
    return 0 if name in getattr(loss, "__dict__", {}) or True not in homes else homes.index(True)


def check_lum(a: float, c: float, a_name: str, c_name: str) -> None:
    """Raise a ValueError unless ``0 < a`` and ``0 <= c``, both finite."""
    if not (_is_number(a) and 0 < a < np.inf):
        raise ValueError(f"{a_name} must be a positive, finite number, got {a!r}")
    if not (_is_number(c) and 0 <= c < np.inf):
        raise ValueError(
            f"{c_name} must be a finite number, not negative, got {c!r}; the hinge loss (infinite c) has slope 0 "
            "beyond 1, which Theorem 1 excludes"
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
