"""What a model said its decisions would cost against what they did cost."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from csboost.metrics.calibration import cost_calibration
from csboost.plots._style import COLORS, axes, matrix_of

__all__ = ["CostCalibrationDisplay"]


class CostCalibrationDisplay:
    """Expected against realised cost in bins; points on the diagonal mean that the expectations can be believed.

    Parameters
    ----------
    table : pandas.DataFrame
        As from :func:`csboost.metrics.cost_calibration`.
    name : str, optional
        Label for a legend.

    Attributes
    ----------
    ax_, figure_ : matplotlib objects
    points_ : matplotlib error bar container
    """

    def __init__(self, table: Any, *, name: str | None = None) -> None:
        self.table = table
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        expected_cost: ArrayLike,
        cost_matrix: Any,
        *,
        n_bins: int = 10,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> CostCalibrationDisplay:
        """Draw from predictions; the parameters are those of :func:`csboost.metrics.cost_calibration` and ``plot``."""
        table = cost_calibration(
            y_true, y_pred, expected_cost, cost_matrix, n_bins=n_bins, labels=labels, sample_weight=sample_weight
        )
        return cls(table, name=name).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, cost_matrix: Any = None, **options: Any
    ) -> CostCalibrationDisplay:
        """Draw from a fitted classifier with ``predict_expected_cost``."""
        import pandas as pd

        expected = pd.DataFrame(estimator.predict_expected_cost(X), columns=estimator.classes_)
        return cls.from_predictions(y, estimator.predict(X), expected, matrix_of(estimator, cost_matrix, y), **options)

    def plot(self, ax: Any = None, *, color: str = COLORS[0], marker: str = "o") -> CostCalibrationDisplay:
        """Draw the bins with bars of two standard errors.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Several displays may share one.
        color, marker : str
        """
        self.ax_ = axes(ax, figsize=(5.2, 5.0))
        self.figure_ = self.ax_.figure
        if not any(line.get_gid() == "diagonal" for line in self.ax_.lines):
            self.ax_.axline((0, 0), slope=1, color="0.6", linewidth=1.0, linestyle="--", gid="diagonal", zorder=1)
        self.points_ = self.ax_.errorbar(
            self.table["expected"],
            self.table["realised"],
            yerr=2 * self.table["standard_error"],
            fmt=marker,
            color=color,
            markersize=5,
            elinewidth=1.0,
            capsize=2,
            label=self.name,
        )
        top = max(self.table["expected"].max(), (self.table["realised"] + 2 * self.table["standard_error"]).max())
        top = max(1.05 * top, self.ax_.get_xlim()[1] if self.ax_.get_gid() == "calibration" else 0.0)
        self.ax_.set_gid("calibration")
        self.ax_.set(xlim=(0, top), ylim=(0, top), aspect="equal")
        self.ax_.set(xlabel="expected cost of the decision", ylabel="realised mean cost")
        self.ax_.spines[["top", "right"]].set_visible(False)
        if self.name is not None:
            self.ax_.legend(frameon=False, loc="upper left")
        return self
