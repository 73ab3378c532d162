"""Where the cost comes from: the cost-weighted confusion matrix as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from csboost.metrics.confusion import cost_confusion_matrix
from csboost.plots._style import axes, costs_of, diverging

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

    def __init__(self, table: Any, *, quantity: str = "total cost") -> None:
        self.table = table
        self.quantity = quantity

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
        quantity = _TITLES[normalize]
        if normalize == "pred" and not _is_square(table):
            quantity = "cost per row of the answer"
        return cls(table, quantity=quantity).plot(ax, **options)

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
        self.ax_ = axes(ax, figsize=(1.9 + 0.62 * max(A, 4), 1.2 + 0.56 * max(K, 4)))
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
        if max(len(str(answer)) for answer in self.table.columns) > 8:
            self.ax_.tick_params("x", rotation=30)
        self.text_ = self._write(values, values_format or self._format(largest)) if include_values else None
        return self

    def _format(self, largest: float) -> str:
        if self.quantity == _TITLES["cost"]:
            return ".1%"
        return ",.0f" if largest >= 100 else ".1f" if largest >= 10 else ".2f" if largest >= 1 else ".3f"

    def _write(self, values: Any, values_format: str) -> Any:
        text = np.empty(values.shape, dtype=object)
        sizes = abs(values)
        longest = max(len(format(value, values_format)) for value in values.flat)
        for j, k in np.ndindex(*values.shape):
            # Dark on light and light on dark; a cell without cost stays quiet.
            color = "white" if sizes[j, k] > 0.6 * sizes.max() else "0.15" if values[j, k] else "0.7"
            label = format(values[j, k], values_format) if values[j, k] else "0"
            size = min(10.0, 46.0 / longest)  # points that fit a cell
            text[j, k] = self.ax_.text(k, j, label, ha="center", va="center", color=color, fontsize=size)
        return text


def _is_square(table: Any) -> bool:
    """Whether the answers are the classes."""
    return list(table.columns) == list(table.index)
