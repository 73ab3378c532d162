"""Why an answer was given: the contributions of features to its lead over another one."""

from __future__ import annotations

from textwrap import fill, shorten
from typing import Any

import numpy as np
import pandas as pd

from csboost._inputs.values import check_whole
from csboost.explain.contributing import contributions
from csboost.explain.results import Contributions, shown, signed
from csboost.plots._style import COLORS, axes

__all__ = ["ContributionDisplay"]

_FOR, _AGAINST = COLORS[0], COLORS[1]


class ContributionDisplay:
    """The contributions of features to one answer, largest first: to the right what speaks for it.

    Parameters
    ----------
    contributions : Contributions
        As from :func:`csboost.explain.contributions`.
    row : int, default=0
        Which of its rows, counted from 0.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the contributions are drawn.
    figure_ : matplotlib Figure
        What holds the axes.
    bars_ : matplotlib BarContainer
        One bar per feature, and one for those that are added up.

    References
    ----------
    Lundberg, S. M., Erion, G., Chen, H. et al. (2020), "From local explanations to global understanding with
    explainable AI for trees", Nature Machine Intelligence 2, 56-67, doi:10.1038/s42256-019-0138-9.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import explain, plots
    >>> from csboost.weak import CostTree
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
    >>> found = explain.contributions(CostTree().fit(X, y), [[0.5]], X, feature_names=["income"])
    >>> [label.get_text() for label in plots.ContributionDisplay(found).plot().ax_.get_yticklabels()]
    ['income = 0.5']
    """

    def __init__(self, contributions: Contributions, row: int = 0) -> None:
        self.contributions = contributions
        self.row = check_whole(row, "row", 0, len(contributions.values) - 1)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        background: Any,
        *,
        row: int = 0,
        n_features: int = 10,
        ax: Any = None,
        **options: Any,
    ) -> ContributionDisplay:
        """Draw one row of ``X`` as a fitted model sees it.

        Parameters
        ----------
        estimator : booster, CostTree, CostSensitiveClassifier, Pipeline or search
            Fitted.
        X : array-like or DataFrame of shape (n, d)
            Features, as the estimator takes them.
        background : array-like or DataFrame of shape (m, d)
            The rows to compare with.
        row : int, default=0
            Which row of ``X``, counted from 0.
        n_features : int, default=10
            The features of the largest contributions have a bar each; the others are added up.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options : dict
            Further parameters of :func:`csboost.explain.contributions`.

        Returns
        -------
        ContributionDisplay
            Drawn.

        Raises
        ------
        TypeError, ValueError
            As :func:`csboost.explain.contributions`, and for a row that is not there.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import AngleAdaBoostClassifier, data, plots
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> model = AngleAdaBoostClassifier(n_estimators=10).fit(X, y)
        >>> len(plots.ContributionDisplay.from_estimator(model, X[:1], X, n_features=3).bars_)
        4
        """
        return cls(contributions(estimator, X, background, **options), row).plot(ax, n_features=n_features)

    def plot(self, ax: Any = None, *, n_features: int = 10) -> ContributionDisplay:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        n_features : int, default=10
            The features of the largest contributions have a bar each; the others are added up.

        Returns
        -------
        ContributionDisplay
            The display itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import explain, plots
        >>> from csboost.weak import CostTree
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> found = explain.contributions(CostTree().fit(X, y), [[0.5]], X)
        >>> plots.ContributionDisplay(found).plot().ax_.get_xlabel()
        'contribution to the difference in expected cost'
        """
        n_features = check_whole(n_features, "n_features", 1, 10**9)
        table, found, row = self.frame(), self.contributions, self.row
        names = [shorten(f"{name} = {shown(value)}", 40, placeholder=" ...") for name, value in table["value"].items()]
        values = table["contribution"].to_numpy()
        if len(values) > n_features:
            names = [*names[:n_features], f"{len(values) - n_features} others"]
            values = np.append(values[:n_features], values[n_features:].sum())
        places = np.arange(len(values))
        width = 5.2 + 0.085 * max(map(len, names))  # inches
        self.ax_ = axes(ax, figsize=(width, 1.7 + 0.32 * len(values)))
        self.figure_ = self.ax_.figure
        colors = [_FOR if value >= 0 else _AGAINST for value in values]
        self.bars_ = self.ax_.barh(places, values, color=colors, height=0.7, zorder=2)
        texts = [signed(value) for value in values]
        self.ax_.bar_label(self.bars_, labels=texts, padding=3, fontsize="small", color="0.25")
        self.ax_.axvline(0.0, color="0.35", linewidth=0.8, zorder=3)
        self.ax_.margins(x=0.16)
        self.ax_.set(yticks=places, yticklabels=names, ylim=(len(values) - 0.4, -0.6))
        self.ax_.set_xlabel(f"contribution to the difference in {found.quantity}")
        self.ax_.spines[["top", "right", "left"]].set_visible(False)
        self.ax_.tick_params("y", length=0)
        said = f"{found.describe(row).splitlines()[0]}; right: for {found.answers[row]}, left: for {found.against[row]}"
        self.ax_.set_title(fill(said, 84), fontsize="small", loc="left")
        return self

    def frame(self) -> pd.DataFrame:
        """The contributions as a table.

        Returns
        -------
        pandas.DataFrame
            ``value`` and ``contribution`` by feature, largest contributions first.

        Examples
        --------
        >>> from csboost import explain, plots
        >>> from csboost.weak import CostTree
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> found = explain.contributions(CostTree().fit(X, y), [[0.5]], X)
        >>> plots.ContributionDisplay(found).frame()["contribution"].tolist()
        [1.0]
        """
        return self.contributions.frame(self.row)
