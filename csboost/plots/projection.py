"""More than three classes in the plane: the two directions in which function values differ most."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost.angle.simplex import vertices
from csboost.plots._regions import (
    Margins,
    answers_on,
    draw_regions,
    draw_rows,
    labels_in,
    largest,
    margins_of,
    order_of,
    rows_of,
)
from csboost.plots._style import axes

__all__ = ["SimplexProjectionDisplay"]


class SimplexProjectionDisplay:
    """Where the rows of a problem of three or more classes lie, and what is answered there, in two dimensions.

    Function values of K classes have K - 1 dimensions. Shown are their two principal components; the regions are what
    is answered in the plane of these. Rows lie above and below it, so a row need not be in the region of its answer:
    the title says how many are, and how much of the spread the plane shows.

    Parameters
    ----------
    margins : array-like of shape (n, K)
        As from ``decision_function``.
    y : array-like of shape (n,), optional
        True classes, shown by colour and marker.
    classes : array-like of shape (K,), optional
        What the columns are of: classes, or answers.
    decide : callable, optional
        From margins of shape (m, K) to numbers of shape (m,) among ``answers``; the largest margin by default.
    answers : array-like of shape (A,), optional
        What ``decide`` chooses from; ``classes`` by default.

    Attributes
    ----------
    points : ndarray of shape (n, 2)
        The principal components.
    shown_ : float
        Share of the spread of the function values that they have.
    agreement_ : float
        Share of the rows that are in the region of their answer.
    ax_ : matplotlib Axes
        Where the rows are drawn.
    figure_ : matplotlib Figure
        What holds the axes.

    Raises
    ------
    ValueError
        When the margins are those of fewer than three classes.

    References
    ----------
    Zhang, C. and Liu, Y. (2014), "Multicategory angle-based large-margin classification", Biometrika 101, 625-640,
    doi:10.1093/biomet/asu017 (the simplex as code of the classes).
    Jolliffe, I. T. (2002), Principal Component Analysis, Springer, chapter 5, doi:10.1007/b98835.

    Examples
    --------
    >>> import numpy as np
    >>> from csboost import plots
    >>> margins = np.eye(4) - 0.25
    >>> plots.SimplexProjectionDisplay(margins, classes=["A", "B", "C", "D"]).points.shape
    (4, 2)
    """

    def __init__(
        self,
        margins: ArrayLike,
        y: ArrayLike | None = None,
        *,
        classes: ArrayLike | None = None,
        decide: Any = None,
        answers: ArrayLike | None = None,
    ) -> None:
        M = np.asarray(margins, dtype=np.float64)
        if M.ndim != 2 or M.shape[1] < 3 or not len(M):
            raise ValueError(f"a projection is for three or more classes: margins have shape (n, K), got {M.shape}")
        K = M.shape[1]
        names = list(range(K)) if classes is None else labels_in(classes)
        chosen = names if answers is None else labels_in(answers)
        self.y = None if y is None else np.asarray(y)
        self._margins = Margins(M, names, decide or largest, chosen)
        # Margins are M = f W', and W' W = K / (K - 1) on their space, so f = (K - 1) / K M W.
        self._W = vertices(K)
        f = (K - 1) / K * M @ self._W
        self._center = f.mean(axis=0)
        _, spread, axes_ = np.linalg.svd(f - self._center, full_matrices=False)
        self._plane = np.zeros((2, K - 1))
        self._plane[: len(axes_[:2])] = axes_[:2]
        self.points: NDArray[np.float64] = (f - self._center) @ self._plane.T
        total = float((spread**2).sum())
        self.shown_ = float((spread[:2] ** 2).sum()) / total if total > 0 else 1.0
        given, drawn = self._margins.decide(M), answers_on(self.points, self._to_margins, self._margins.decide)
        self.agreement_ = float(np.mean(np.asarray(given) == drawn))

    def _to_margins(self, points: NDArray[Any]) -> NDArray[Any]:
        """The margins (n, K) at points (n, 2) of the plane."""
        return (self._center + points @ self._plane) @ self._W.T

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike | None = None, *, ax: Any = None, **options: Any
    ) -> SimplexProjectionDisplay:
        """Draw the rows of ``X`` as a fitted model sees them.

        Parameters
        ----------
        estimator : classifier
            Fitted, or a pipeline that ends with one: a booster, or a model that answers by its probabilities, whose
            logarithms are then the margins.
        X : array-like of shape (n, d)
            Features, as the estimator takes them.
        y : array-like of shape (n,), optional
            True classes, shown by colour and marker.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options : dict
            Further parameters of :meth:`plot`.

        Returns
        -------
        SimplexProjectionDisplay
            Drawn.

        Raises
        ------
        ValueError
            When the estimator's classes are fewer than three.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import SAMMEClassifier, data, plots
        >>> X, y = data.make_four_gaussians(300, random_state=0)
        >>> model = SAMMEClassifier(n_estimators=3).fit(X, y)
        >>> plots.SimplexProjectionDisplay.from_estimator(model, X, y).points.shape
        (300, 2)
        """
        found = margins_of(estimator, X)
        display = cls(found.values, y, classes=found.names, decide=found.decide, answers=found.answers)
        return display.plot(ax, **options)

    def plot(self, ax: Any = None, *, size: float = 12.0, alpha: float = 0.7) -> SimplexProjectionDisplay:
        """Draw the regions and the rows.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        size : float, default=12.0
            Area of a marker in square points.
        alpha : float, default=0.7
            Opacity of the markers.

        Returns
        -------
        SimplexProjectionDisplay
            The display itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> import numpy as np
        >>> from csboost import plots
        >>> plots.SimplexProjectionDisplay(np.eye(3)).plot(size=30.0).ax_.get_xlabel()
        'first principal component'
        """
        self.ax_ = axes(ax, figsize=(6.0, 5.6))
        self.figure_ = self.ax_.figure
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        margin = 0.08 * max(float((high - low).max()), 1e-9)
        limits = (low[0] - margin, high[0] + margin, low[1] - margin, high[1] + margin)
        order = order_of([*self._margins.names, *self._margins.answers], self.y)
        draw_regions(self.ax_, limits, self._to_margins, self._margins, order)
        draw_rows(self.ax_, self.points, self.y, order, size, alpha)
        self.ax_.set(xlim=limits[:2], ylim=limits[2:], xticks=[], yticks=[])
        self.ax_.set_xlabel("first principal component", labelpad=2)
        self.ax_.set_ylabel("second principal component")
        said = f"{self.shown_:.0%} of the spread; {self.agreement_:.0%} of the rows are in the region of their answer"
        self.ax_.set_title(said, fontsize="medium")
        return self

    def frame(self) -> pd.DataFrame:
        """The rows as a table.

        Returns
        -------
        pandas.DataFrame
            The components ``first`` and ``second``, the ``answer`` and, where it is known, the ``truth``.

        Examples
        --------
        >>> import numpy as np
        >>> from csboost import plots
        >>> plots.SimplexProjectionDisplay(np.eye(3), classes=["A", "B", "C"]).frame()["answer"].tolist()
        ['A', 'B', 'C']
        """
        return rows_of(self.points, self._margins, self.y, ("first", "second"))
