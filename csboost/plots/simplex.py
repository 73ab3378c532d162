"""Three classes in the plane: function values among the vertices of the simplex."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost.angle.simplex import vertices
from csboost.plots._regions import (
    Margins,
    draw_regions,
    draw_rows,
    labels_in,
    largest,
    margins_of,
    order_of,
    rows_of,
)
from csboost.plots._style import COLORS, axes

__all__ = ["SimplexDisplay"]

# The paper's first vertex points to 45 degrees; turned by as much again, it stands at the top.
_TURN = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2)


class SimplexDisplay:
    """Where the rows of a three-class problem lie among the class directions.

    The angle decides the class, the distance from the centre says how strongly. The triangle joins the vertices, at
    distance 1.

    Parameters
    ----------
    margins : array-like of shape (n, 3)
        As from ``decision_function``; each row sums to 0.
    y : array-like of shape (n,), optional
        True classes, shown by colour and marker.
    classes : array-like of shape (3,), optional
        Names of the classes, or of the answers, in the order of the columns.
    decide : callable, optional
        From margins of shape (m, 3) to numbers of shape (m,) among ``answers``, where not the largest margin is the
        answer: the regions are then those of its answers.
    answers : array-like of shape (A,), optional
        What ``decide`` chooses from; ``classes`` by default.

    Attributes
    ----------
    points : ndarray of shape (n, 2)
        The function values ``f``, turned so that the first class is at the top.
    ax_ : matplotlib Axes
        Where the rows are drawn.
    figure_ : matplotlib Figure
        What holds the axes.

    Raises
    ------
    ValueError
        When the margins are not those of three classes.

    References
    ----------
    Zhang, C. and Liu, Y. (2014), "Multicategory angle-based large-margin classification", Biometrika 101, 625-640,
    doi:10.1093/biomet/asu017 (the simplex as code of the classes).
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import plots
    >>> margins = [[1.0, -0.5, -0.5], [-0.5, -0.5, 1.0]]
    >>> display = plots.SimplexDisplay(margins, ["A", "C"], classes=["A", "B", "C"]).plot()
    >>> display.points.round(3)
    array([[ 0.   ,  1.   ],
           [-0.866, -0.5  ]])
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
        if M.ndim != 2 or M.shape[1] != 3:
            raise ValueError(f"the simplex view is for three classes: margins must have shape (n, 3), got {M.shape}")
        self.y = None if y is None else np.asarray(y)
        names = list(range(3)) if classes is None else labels_in(classes)
        self.classes = np.asarray(names, dtype=object if len({type(name) for name in names}) > 1 else None)
        chosen = names if answers is None else labels_in(answers)
        self._margins = Margins(M, names, decide or largest, chosen)
        self._by_angle = decide is None and chosen == names
        # Margins are M = f W', and W' W = K / (K - 1) on the plane, so f = (K - 1) / K M W.
        self.points = 2 / 3 * M @ vertices(3) @ _TURN.T

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike | None = None, *, ax: Any = None, **options: Any
    ) -> SimplexDisplay:
        """Draw a fitted model's margins on ``X``.

        Parameters
        ----------
        estimator : classifier
            Fitted on three classes, or with costs of three answers, or a pipeline that ends with such a one: a booster,
            or a model that answers by its probabilities, whose logarithms are then the margins.
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
        SimplexDisplay
            Drawn.

        Raises
        ------
        ValueError
            When the margins are not those of three classes or answers; for more there is
            :class:`SimplexProjectionDisplay`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import AngleAdaBoostClassifier, data, plots
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> plots.SimplexDisplay.from_estimator(AngleAdaBoostClassifier(n_estimators=3).fit(X, y), X, y).points.shape
        (300, 2)
        """
        found = margins_of(estimator, X)
        how: dict[str, Any] = {} if found.decide is largest else {"decide": found.decide, "answers": found.answers}
        return cls(found.values, y, classes=found.names, **how).plot(ax, **options)

    def plot(self, ax: Any = None, *, size: float = 12.0, alpha: float = 0.7) -> SimplexDisplay:
        """Draw the decision regions, the triangle and the rows.

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
        SimplexDisplay
            The display itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import plots
        >>> plots.SimplexDisplay([[1.0, -0.5, -0.5]]).plot(size=30.0).ax_.get_title()
        'predicted class by angle; triangle: vertices at distance 1'
        """
        self.ax_ = axes(ax, figsize=(5.6, 5.2))
        self.figure_ = self.ax_.figure
        radius = 1.2 * max(1.2, np.linalg.norm(self.points, axis=1).max(initial=0.0))
        W, order = vertices(3) @ _TURN.T, order_of([*self.classes.tolist(), *self._margins.answers], self.y)
        if self._by_angle:
            self._draw_sectors(W, radius)
        else:
            limits = (-radius, radius, -radius, radius)
            draw_regions(self.ax_, limits, lambda points: points @ _TURN @ vertices(3).T, self._margins, order)
            self._name_vertices(W)
        self.ax_.plot(*W[[0, 1, 2, 0]].T, color="0.35", linewidth=1.0, zorder=2)
        self.ax_.set(xlim=(-radius, radius), ylim=(-radius, radius), aspect="equal", xticks=[], yticks=[])
        told = "predicted class by angle" if self._by_angle else "tinted: the answer"
        self.ax_.set_title(f"{told}; triangle: vertices at distance 1", fontsize="medium")
        draw_rows(self.ax_, self.points, self.y, order, size, alpha)
        return self

    def frame(self) -> pd.DataFrame:
        """The rows as a table.

        Returns
        -------
        pandas.DataFrame
            The coordinates ``x`` and ``y``, the ``answer`` and, where it is known, the ``truth``.

        Examples
        --------
        >>> from csboost import plots
        >>> plots.SimplexDisplay([[1.0, -0.5, -0.5]], classes=["A", "B", "C"]).frame()["answer"].tolist()
        ['A']
        """
        return rows_of(self.points, self._margins, self.y, ("x", "y"))

    def _draw_sectors(self, W: NDArray[np.float64], radius: float) -> None:
        far = 2 * radius
        for k in range(3):
            # The region of class k lies between the directions opposite to the other two vertices.
            corners = np.array([[0, 0], -W[(k + 1) % 3] * far, W[k] * far, -W[(k + 2) % 3] * far])
            self.ax_.fill(*corners.T, color=COLORS[k], alpha=0.10, linewidth=0, zorder=0)
            self.ax_.plot(*np.array([[0, 0], -W[k] * far]).T, color="0.6", linewidth=0.8, zorder=1)
            name = {"s": str(self.classes[k]), "color": COLORS[k], "fontweight": "bold"}
            self.ax_.text(*(W[k] * 0.94 * radius), ha="center", va="center", zorder=4, **name)

    def _name_vertices(self, W: NDArray[np.float64]) -> None:
        for k, name in enumerate(self.classes):
            self.ax_.plot(*W[k], marker="o", markersize=4, color="0.35", zorder=4)
            look = {"fontsize": "x-small", "color": "0.35", "zorder": 4}
            look["ha"] = "right" if W[k, 0] < -0.1 else "left"  # away from the others
            away = (4 if W[k, 0] > -0.1 else -4, 4 if W[k, 1] > 0 else -9)
            self.ax_.annotate(f"vertex {name}", W[k], xytext=away, textcoords="offset points", **look)
