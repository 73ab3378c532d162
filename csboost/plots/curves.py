"""Test cost after each boosting round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from csboost.plots._style import COLORS, LINE_STYLES, axes

__all__ = ["CostCurveDisplay"]


class CostCurveDisplay:
    """Mean cost against the number of rounds, one curve per model.

    Parameters
    ----------
    curves : mapping of str to array-like of shape (n_rounds,) or (n_replications, n_rounds)
        Staged costs. Several replications are drawn as their mean with a band of two standard errors.

    Attributes
    ----------
    ax_, figure_ : matplotlib objects
    lines_ : list of matplotlib lines, one per curve
    bands_ : list, one per curve with replications
    """

    def __init__(self, curves: Mapping[str, ArrayLike]) -> None:
        self.curves = {name: np.atleast_2d(np.asarray(curve, dtype=np.float64)) for name, curve in curves.items()}
        for name, curve in self.curves.items():
            if curve.ndim != 2 or not curve.size:
                raise ValueError(f"curve {name!r} must have shape (n_rounds,) or (n_replications, n_rounds)")

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: ArrayLike, *, name: str | None = None, **options: Any) -> Any:
        """Draw the curve of one fitted booster (anything with ``staged_cost``)."""
        return cls.from_estimators({name or type(estimator).__name__: estimator}, X, y, **options)

    @classmethod
    def from_estimators(
        cls, estimators: Mapping[str, Any], X: Any, y: ArrayLike, *, ax: Any = None, **options: Any
    ) -> CostCurveDisplay:
        """Draw the curves of several fitted boosters on the same rows."""
        return cls({name: model.staged_cost(X, y) for name, model in estimators.items()}).plot(ax, **options)

    def plot(
        self, ax: Any = None, *, reference: Mapping[str, float] | None = None, log_rounds: bool = False
    ) -> CostCurveDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
        reference : mapping of str to float, optional
            Horizontal lines, such as the Bayes cost or the best constant answer.
        log_rounds : bool, default=False
            Whether the rounds are on a logarithmic scale.
        """
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        self.lines_: list[Any] = []
        self.bands_: list[Any] = []
        for i, (name, curve) in enumerate(self.curves.items()):
            self._draw(name, curve, COLORS[i % len(COLORS)], LINE_STYLES[i % len(LINE_STYLES)])
        for i, (name, level) in enumerate((reference or {}).items()):
            self.ax_.axhline(level, color="0.45", linewidth=1.0, linestyle=LINE_STYLES[1:][i % 3], label=name, zorder=1)
        self.ax_.set(xlabel="boosting rounds", ylabel="mean test cost")
        if log_rounds:
            self.ax_.set_xscale("log")
        self.ax_.spines[["top", "right"]].set_visible(False)
        if len(self.curves) + len(reference or {}) > 1:
            # Beside the axes, where it cannot cover a curve.
            self.ax_.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=3.2)
        return self

    def _draw(self, name: str, curve: Any, color: str, style: Any) -> None:
        rounds = np.arange(1, curve.shape[1] + 1)
        mean = curve.mean(axis=0)
        self.lines_ += self.ax_.plot(rounds, mean, color=color, linestyle=style, label=name)
        if len(curve) > 1:
            error = 2 * curve.std(axis=0, ddof=1) / len(curve) ** 0.5
            band = self.ax_.fill_between(rounds, mean - error, mean + error, color=color, alpha=0.18, linewidth=0)
            self.bands_.append(band)
