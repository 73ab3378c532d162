"""Where the cost comes from: the cost-weighted confusion matrix as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from csboost.metrics.confusion import confusion_counts, cost_confusion_matrix
from csboost.plots._cells import number_format, write_counts, write_values
from csboost.plots._style import axes, costs_of, diverging, turn_long_names

__all__ = ["CostConfusionDisplay"]

_TITLES = {
    None: "total cost",
    "all": "cost per row",
    "true": "cost per row of the true class",
    "pred": "cost per row of the predicted class",
    "cost": "share of the total cost",
}


class CostConfusionDisplay:
    """Counts times costs for every pair of a true class and an answer; gains in a colour of their own.

    Parameters
    ----------
    table : pandas.DataFrame of shape (K, A)
        As from :func:`csboost.metrics.cost_confusion_matrix`.
    quantity : str, default="total cost"
        What the entries are; it labels the colour bar.
    counts : pandas.DataFrame of shape (K, A), optional
        How many rows are in each cell.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the matrix is drawn.
    figure_ : matplotlib Figure
        What holds the axes.
    im_ : matplotlib AxesImage
        The matrix.
    text_ : ndarray of shape (K, A)
        The numbers in the cells, or None.
    count_text_ : ndarray of shape (K, A)
        The numbers of rows, or None.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import metrics, plots
    >>> table = metrics.cost_confusion_matrix(["A", "C", "B"], ["A", "A", "C"], "linear")
    >>> plots.CostConfusionDisplay(table).plot().text_[2, 0].get_text()
    '2.00'
    """

    def __init__(self, table: Any, *, quantity: str = "total cost", counts: Any = None) -> None:
        self.table = table
        self.quantity = quantity
        self.counts = counts

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        cost_matrix: Any = None,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        sample_cost: Any = None,
        normalize: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> CostConfusionDisplay:
        """Draw from labels.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            True labels.
        y_pred : array-like of shape (n,)
            The answers given: predicted labels, or what else the columns of the costs name.
        cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
            What an answer costs, rows = truth, columns = answer: see :func:`csboost.costs.resolve`. Gains are negative.
        labels : array-like of shape (K,), optional
            All class labels, in the order of ``cost_matrix``.
        sample_weight : array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.
        sample_cost : array-like or labelled table of shape (n, A), optional
            What each answer costs in each row; it wins over ``cost_matrix``, which may then be left out.
        normalize : {"all", "true", "pred", "cost"}, optional
            As in :func:`csboost.metrics.cost_confusion_matrix`.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options : dict
            Further parameters of :meth:`plot`.

        Returns
        -------
        CostConfusionDisplay
            Drawn.

        Raises
        ------
        ValueError
            As :func:`csboost.metrics.cost_confusion_matrix`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import plots
        >>> plots.CostConfusionDisplay.from_predictions(["A", "C"], ["A", "A"], "linear", normalize="cost").quantity
        'share of the total cost'
        """
        rows = {"sample_weight": sample_weight, "sample_cost": sample_cost}
        table = cost_confusion_matrix(y_true, y_pred, cost_matrix, labels=labels, normalize=normalize, **rows)
        counts = confusion_counts(y_true, y_pred, cost_matrix, labels, sample_weight, sample_cost)
        quantity = _TITLES[normalize]
        if normalize == "pred" and not _is_square(table):
            quantity = "cost per row of the answer"
        return cls(table, quantity=quantity, counts=counts).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, cost_matrix: Any = None, **options: Any
    ) -> CostConfusionDisplay:
        """Draw from a fitted classifier.

        The classes are in the order of the cost table or, without one, in the order that ``y`` declares.

        Parameters
        ----------
        estimator : classifier
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
        CostConfusionDisplay
            Drawn.

        Raises
        ------
        ValueError
            As :func:`csboost.metrics.cost_confusion_matrix`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import data, plots
        >>> from csboost.weak import CostTree
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> plots.CostConfusionDisplay.from_estimator(CostTree(cost_matrix="linear").fit(X, y), X, y).table.shape
        (3, 3)
        """
        cost_matrix, classes = costs_of(estimator, cost_matrix, y)
        return cls.from_predictions(y, estimator.predict(X), cost_matrix, **{"labels": classes, **options})

    def plot(
        self,
        ax: Any = None,
        *,
        cmap: str = "Blues",
        gain_cmap: str = "Oranges",
        values_format: str | None = None,
        include_values: bool = True,
        include_counts: bool = True,
    ) -> CostConfusionDisplay:
        """Draw the matrix.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        cmap : str, default="Blues"
            Matplotlib's name of a colour map, for costs.
        gain_cmap : str, default="Oranges"
            The same for gains, where there are some.
        values_format : str, optional
            Format of the numbers in the cells; by default percentages for shares, else digits as the size suggests.
        include_values : bool, default=True
            Whether to write the numbers into the cells.
        include_counts : bool, default=True
            Whether to write below them, where it is known, how many rows there are (weights included).

        Returns
        -------
        CostConfusionDisplay
            The display itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import metrics, plots
        >>> table = metrics.cost_confusion_matrix(["A", "C", "B"], ["A", "A", "C"], "linear")
        >>> plots.CostConfusionDisplay(table).plot(include_values=False).text_ is None
        True
        """
        values = np.asarray(self.table, dtype=np.float64)
        K, A = values.shape
        largest, gains = abs(values).max(), bool(values.min() < 0)
        names = [str(name) for name in (*self.table.index, *self.table.columns)]
        margin = 0.075 * max(map(len, names))  # inches, of long names
        self.ax_ = axes(ax, figsize=(1.7 + margin + 0.68 * max(A, 4), 1.0 + margin + 0.6 * max(K, 4)))
        self.figure_ = self.ax_.figure
        colors = diverging(cmap, gain_cmap) if gains else cmap
        self.im_ = self.ax_.imshow(values, cmap=colors, vmin=-largest if gains else 0, vmax=largest or 1.0)
        label = f"{self.quantity} (gains below 0)" if gains else self.quantity
        self.figure_.colorbar(self.im_, ax=self.ax_, label=label, shrink=min(1.0, K / A))
        square = _is_square(self.table)
        self.ax_.set(
            xticks=range(A),
            yticks=range(K),
            xticklabels=self.table.columns,
            yticklabels=self.table.index,
            xlabel="predicted class" if square else "answer",
            ylabel="true class",
        )
        turn_long_names(self.ax_, self.table.columns)
        has_counts = include_values and include_counts and self.counts is not None
        self.text_ = self.count_text_ = None
        if include_values:
            self.text_ = write_values(self.ax_, values, values_format or self._format(largest), has_counts=has_counts)
        if has_counts:
            self.count_text_ = write_counts(self.ax_, self.counts.to_numpy(dtype=np.float64), values)
        return self

    def frame(self) -> pd.DataFrame:
        """The matrix as a list.

        Returns
        -------
        pandas.DataFrame
            A row per cell: ``truth``, ``answer``, the ``value`` that is drawn and, where they are known, ``rows``.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import plots
        >>> display = plots.CostConfusionDisplay.from_predictions(["A", "C"], ["A", "A"], "linear")
        >>> display.frame().iloc[2].to_dict()
        {'truth': 'C', 'answer': 'A', 'value': 1.0, 'rows': 1.0}
        """
        K, A = self.table.shape
        columns = {"truth": self.table.index.repeat(A), "answer": [*self.table.columns] * K}
        columns["value"] = self.table.to_numpy().ravel()
        if self.counts is not None:
            columns["rows"] = self.counts.to_numpy().ravel()
        return pd.DataFrame(columns)

    def _format(self, largest: float) -> str:
        return ".1%" if self.quantity == _TITLES["cost"] else number_format(largest)


def _is_square(table: Any) -> bool:
    """Whether the answers are the classes."""
    return list(table.columns) == list(table.index)
