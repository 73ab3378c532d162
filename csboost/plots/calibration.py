"""What a model said its decisions would cost against what they did cost."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from csboost._inputs.pipelines import split_pipeline
from csboost.metrics.calibration import cost_calibration
from csboost.plots._style import COLORS, answers_of, axes, costs_of

__all__ = ["CostCalibrationDisplay"]


class CostCalibrationDisplay:
    """Expected against realised cost in bins; points on the diagonal mean that the expectations can be believed.

    Above the axes stands what was promised and realised over all rows, in a sentence.

    Parameters
    ----------
    table : pandas.DataFrame
        As from :func:`csboost.metrics.cost_calibration`, with its verdict in ``attrs``.
    name : str, optional
        Label for a legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the bins are drawn.
    figure_ : matplotlib Figure
        What holds the axes.
    points_ : matplotlib ErrorbarContainer
        The bins with their bars.

    References
    ----------
    Murphy, A. H. and Winkler, R. L. (1977), "Reliability of subjective probability forecasts of precipitation and
    temperature", Journal of the Royal Statistical Society C 26, 41-47, doi:10.2307/2346866 (reliability diagrams, here
    of costs).

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import metrics, plots
    >>> truth, answers = ["A", "B", "B", "A"], ["A", "A", "B", "A"]
    >>> table = metrics.cost_calibration(truth, answers, [0.1, 0.6, 0.2, 0.4], None, n_bins=2)
    >>> plots.CostCalibrationDisplay(table).plot().ax_.get_xlabel()
    'expected cost of the decision'
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
        cost_matrix: Any = None,
        *,
        n_bins: int = 10,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        sample_cost: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> CostCalibrationDisplay:
        """Draw from predictions.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            True labels.
        y_pred : array-like of shape (n,)
            The answers given: predicted labels, or what else the columns of the costs name.
        expected_cost : array-like of shape (n,) or (n, A)
            As in :func:`csboost.metrics.cost_calibration`.
        cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
            What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
        n_bins : int, default=10
            Rows with equal expected cost share a bin, so there may be fewer.
        labels : array-like of shape (K,), optional
            All class labels, in the order of ``cost_matrix``.
        sample_weight : array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.
        sample_cost : array-like or labelled table of shape (n, A), optional
            What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out.
        name : str, optional
            Label for a legend.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options : dict
            Further parameters of :meth:`plot`.

        Returns
        -------
        CostCalibrationDisplay
            Drawn.

        Raises
        ------
        ValueError
            As :func:`csboost.metrics.cost_calibration`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import plots
        >>> truth, answers = ["A", "B", "B", "A"], ["A", "A", "B", "A"]
        >>> draw = plots.CostCalibrationDisplay.from_predictions
        >>> draw(truth, answers, [0.1, 0.6, 0.2, 0.4], None, n_bins=2).table.shape
        (2, 6)
        """
        rows = {"sample_weight": sample_weight, "sample_cost": sample_cost}
        table = cost_calibration(y_true, y_pred, expected_cost, cost_matrix, n_bins=n_bins, labels=labels, **rows)
        return cls(table, name=name).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, cost_matrix: Any = None, **options: Any
    ) -> CostCalibrationDisplay:
        """Draw from a fitted classifier with ``predict_expected_cost``, or a pipeline that ends with one.

        Parameters
        ----------
        estimator : classifier, or Pipeline that ends in one
            Fitted.
        X : array-like of shape (n, d)
            Features, as the estimator takes them.
        y : array-like of shape (n,)
            True labels.
        cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable, optional
            Rows = truth. By default the costs that the estimator was fitted with, or 0/1 costs where it has none.
        **options : dict
            Further parameters of :meth:`from_predictions`.

        Returns
        -------
        CostCalibrationDisplay
            Drawn.

        Raises
        ------
        ValueError
            As :func:`csboost.metrics.cost_calibration`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import data, plots
        >>> from csboost.weak import CostTree
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> display = plots.CostCalibrationDisplay.from_estimator(CostTree().fit(X, y), X, y, n_bins=3)
        >>> len(display.table) <= 3
        True
        """
        last, seen = split_pipeline(estimator, X)
        expected = pd.DataFrame(last.predict_expected_cost(seen), columns=answers_of(last))
        cost_matrix, classes = costs_of(estimator, cost_matrix, y)
        options = {"labels": classes, **options}
        return cls.from_predictions(y, last.predict(seen), expected, cost_matrix, **options)

    def plot(self, ax: Any = None, *, color: str = COLORS[0], marker: str = "o") -> CostCalibrationDisplay:
        """Draw the bins with bars of two standard errors of the realised mean, and say so; a bin of one row has none.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Several displays may share one; a new figure by default.
        color : str
            Of the points and bars.
        marker : str, default="o"
            Of the points.

        Returns
        -------
        CostCalibrationDisplay
            The display itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import metrics, plots
        >>> table = metrics.cost_calibration(["A", "B"], ["A", "A"], [0.1, 0.6], None, n_bins=2)
        >>> plots.CostCalibrationDisplay(table).plot(marker="s").ax_.get_ylabel()
        'realised mean cost'
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
        self._set_limits()
        self.ax_.set(xlabel="expected cost of the decision", ylabel="realised mean cost")
        self.ax_.spines[["top", "right"]].set_visible(False)
        if self.name is not None:
            self.ax_.legend(frameon=False, loc="best")
        self._say()
        if not any(text.get_gid() == "bars" for text in self.ax_.texts):
            note = {"fontsize": "x-small", "color": "0.35", "ha": "right", "va": "bottom", "gid": "bars"}
            self.ax_.text(0.99, 0.01, "bars: realised mean ± 2 standard errors", transform=self.ax_.transAxes, **note)
        return self

    def frame(self) -> pd.DataFrame:
        """The bins as a table.

        Returns
        -------
        pandas.DataFrame
            As from :func:`csboost.metrics.cost_calibration`, with the ends of the bars, ``lower`` and ``upper``.

        Examples
        --------
        >>> from csboost import metrics, plots
        >>> table = metrics.cost_calibration(["A", "B"], ["A", "A"], [0.1, 0.6], None, n_bins=1)
        >>> plots.CostCalibrationDisplay(table).frame()[["expected", "realised"]].round(2).to_dict("records")
        [{'expected': 0.35, 'realised': 0.5}]
        """
        bar = 2 * self.table["standard_error"]
        return self.table.assign(lower=self.table["realised"] - bar, upper=self.table["realised"] + bar)

    def _set_limits(self) -> None:
        """The same limits on both axes: from 0, or from below it where there are gains, for all displays on them."""
        means, bars = self.table[["expected", "realised"]], 2 * self.table["standard_error"].fillna(0.0)
        top = max(means["expected"].max(), (means["realised"] + bars).max())
        bottom = min(means["expected"].min(), (means["realised"] - bars).min()) if means.min(axis=None) < 0 else 0.0
        low, high = self.ax_.get_xlim() if self.ax_.get_gid() == "calibration" else (0.0, 0.0)
        limits = min(1.05 * bottom, low), max(1.05 * top, high)
        self.ax_.set_gid("calibration")
        self.ax_.set(xlim=limits, ylim=limits, aspect="equal")

    def _say(self) -> None:
        """Write the verdict above the axes, below what stands there."""
        verdict = self.table.attrs.get("verdict")
        if verdict is None:
            return
        lines = fill(verdict if self.name is None else f"{self.name}: {verdict}", 84)
        above = self.ax_.get_title()
        if lines not in above:
            self.ax_.set_title(f"{above}\n{lines}" if above else lines, fontsize="x-small")
