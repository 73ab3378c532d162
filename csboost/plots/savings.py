"""What sets of answers save against a baseline, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.paired_savings import BEST_CONSTANT, savings
from csboost.plots._style import COLORS, axes, costs_of

__all__ = ["SavingsDisplay"]


class SavingsDisplay:
    """Savings per case against a baseline, one line per set of answers; right of 0 is cheaper than the baseline.

    Above the axes stands the verdict in a sentence.

    Parameters
    ----------
    table : pandas.DataFrame
        As from :func:`csboost.metrics.savings`, with its ``attrs``.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the savings are drawn.
    figure_ : matplotlib Figure
        What holds the axes.
    points_ : matplotlib ErrorbarContainer
        The savings with their intervals.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993), An Introduction to the Bootstrap, Chapman & Hall, chapter 13,
    doi:10.1201/9780429246593 (intervals).

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import metrics, plots
    >>> truth = ["sick", "well", "well", "well"] * 50
    >>> today, model = ["well"] * 200, ["sick", "sick", "well", "well"] * 50
    >>> table = metrics.savings(truth, {"today": today, "model": model}, [[0, 5], [1, 0]])
    >>> plots.SavingsDisplay(table).plot().ax_.get_xlabel().splitlines()[1]
    'bars: 95 % intervals'
    """

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        answers: Mapping[str, ArrayLike],
        cost_matrix: Any = None,
        *,
        baseline: str | None = None,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        sample_cost: Any = None,
        confidence: float = 0.95,
        ax: Any = None,
        **options: Any,
    ) -> SavingsDisplay:
        """Draw from sets of answers.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            True labels.
        answers : mapping of str to array-like of shape (n,)
            Sets of answers by name, such as ``{"today": ..., "model": ...}``.
        cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
            What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
        baseline : str, optional
            As in :func:`csboost.metrics.savings`: by default ``"today"`` if there is one, else the best constant
            answer.
        labels : array-like of shape (K,), optional
            All class labels, in the order of ``cost_matrix``.
        sample_weight : array-like of shape (n,), optional
            How many cases each row stands for, not negative; 1 by default.
        sample_cost : array-like or labelled table of shape (n, A), optional
            What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out.
        confidence : float, default=0.95
            Of the intervals.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options : dict
            Further parameters of :func:`csboost.metrics.savings`.

        Returns
        -------
        SavingsDisplay
            Drawn.

        Raises
        ------
        ValueError
            As :func:`csboost.metrics.savings`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import plots
        >>> truth, model = ["A", "B", "B", "A"], ["A", "B", "B", "B"]
        >>> plots.SavingsDisplay.from_predictions(truth, {"model": model}).frame()["saving"].tolist()
        [0.25, 0.0]
        """
        rows: dict[str, Any] = {"sample_weight": sample_weight, "sample_cost": sample_cost}
        given: dict[str, Any] = {"baseline": baseline, "labels": labels, "confidence": confidence}
        return cls(savings(y_true, answers, cost_matrix, **rows, **given, **options)).plot(ax)

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        cost_matrix: Any = None,
        *,
        today: ArrayLike | None = None,
        **options: Any,
    ) -> SavingsDisplay:
        """Draw from fitted classifiers.

        Parameters
        ----------
        estimators : mapping of str to classifier
            Name -> a fitted classifier, or a pipeline that ends with one.
        X : array-like of shape (n, d)
            Features, as the estimators take them.
        y : array-like of shape (n,)
            True labels.
        cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable, optional
            Rows = truth. By default the costs that the first of the estimators was fitted with.
        today : array-like of shape (n,), optional
            The answers that are given today: the baseline.
        **options : dict
            Further parameters of :meth:`from_predictions`.

        Returns
        -------
        SavingsDisplay
            Drawn.

        Raises
        ------
        ValueError
            As :func:`csboost.metrics.savings`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import data, plots
        >>> from csboost.weak import CostTree
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> models = {"tree": CostTree(cost_matrix="linear").fit(X, y)}
        >>> plots.SavingsDisplay.from_estimators(models, X, y).frame().index.tolist()
        ['tree', 'best constant']
        """
        if not estimators:
            raise ValueError("estimators is empty: give at least one model by its name")
        answers = {} if today is None else {"today": today}
        answers |= {name: estimator.predict(X) for name, estimator in estimators.items()}
        cost_matrix, classes = costs_of(next(iter(estimators.values())), cost_matrix, y)
        return cls.from_predictions(y, answers, cost_matrix, **{"labels": classes, **options})

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, cost_matrix: Any = None, *, name: str = "model", **options: Any
    ) -> SavingsDisplay:
        """Draw from one fitted classifier.

        Parameters
        ----------
        estimator : classifier
            Fitted, or a pipeline that ends with one that is.
        X : array-like of shape (n, d)
            Features, as the estimator takes them.
        y : array-like of shape (n,)
            True labels.
        cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable, optional
            Rows = truth. By default the costs that the estimator was fitted with.
        name : str, default="model"
            What the answers of the estimator are called.
        **options : dict
            Further parameters of :meth:`from_estimators`.

        Returns
        -------
        SavingsDisplay
            Drawn.

        Raises
        ------
        ValueError
            As :func:`csboost.metrics.savings`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import data, plots
        >>> from csboost.weak import CostTree
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> display = plots.SavingsDisplay.from_estimator(CostTree().fit(X, y), X, y, today=y[::-1])
        >>> display.frame().attrs["baseline"]
        'today'
        """
        return cls.from_estimators({name: estimator}, X, y, cost_matrix, **options)

    def plot(self, ax: Any = None, *, color: str = COLORS[0], marker: str = "o") -> SavingsDisplay:
        """Draw the savings.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        color : str
            Of the points and bars.
        marker : str, default="o"
            Of the points.

        Returns
        -------
        SavingsDisplay
            The display itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import metrics, plots
        >>> table = metrics.savings(["A", "B", "B"], {"model": ["A", "B", "A"]})
        >>> [label.get_text() for label in plots.SavingsDisplay(table).plot().ax_.get_yticklabels()]
        ['model (0.3333)', 'always B (0.3333)']
        """
        table, attrs = self.table, self.table.attrs
        places = np.arange(len(table))
        names = [self._named(str(name)) for name in table.index]
        labels = [f"{name} ({cost:.4g})" for name, cost in zip(names, table["mean_cost"], strict=True)]
        width = 5.4 + 0.085 * max(map(len, labels))  # inches
        self.ax_ = axes(ax, figsize=(width, 1.6 + 0.42 * len(table)))
        self.figure_ = self.ax_.figure
        bars = np.abs(np.stack([table["saving"] - table["lower"], table["upper"] - table["saving"]]))
        bars[~np.isfinite(bars)] = 0.0  # a single row does not tell
        self.ax_.axvline(0.0, color="0.6", linewidth=1.0, linestyle="--", zorder=1)
        look = {"fmt": marker, "color": color, "markersize": 6, "elinewidth": 1.4, "capsize": 3}
        self.points_ = self.ax_.errorbar(table["saving"], places, xerr=bars, zorder=3, **look)
        against = self._named(attrs["baseline"])
        self.ax_.set(yticks=places, yticklabels=labels, ylim=(len(table) - 0.5, -0.5))  # the first one on top
        interval = f"{100 * attrs['confidence']:g} % intervals"
        self.ax_.set_xlabel(f"saving per case against {against} (in brackets: mean cost)\nbars: {interval}")
        self.ax_.spines[["top", "right"]].set_visible(False)
        self.ax_.set_title(fill(attrs["verdict"], 82), fontsize="small", loc="left")
        return self

    def frame(self) -> pd.DataFrame:
        """The savings as a table.

        Returns
        -------
        pandas.DataFrame
            As from :func:`csboost.metrics.savings`.

        Examples
        --------
        >>> from csboost import metrics, plots
        >>> table = metrics.savings(["A", "B", "B"], {"model": ["A", "B", "B"]})
        >>> plots.SavingsDisplay(table).frame().loc["model", "mean_cost"]
        np.float64(0.0)
        """
        return self.table

    def _named(self, name: str) -> str:
        return f"always {self.table.attrs['best_constant']}" if name == BEST_CONSTANT else name
