"""Test cost after each boosting round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from csboost._inputs.pipelines import last_step, split_pipeline
from csboost.plots._style import LINE_STYLES, axes, color_of, line_of

__all__ = ["CostCurveDisplay"]

_MARK = {"marker": "o", "markersize": 8, "markerfacecolor": "white", "markeredgewidth": 1.8, "linestyle": ""}


class CostCurveDisplay:
    """Mean cost against the number of rounds, one curve per model.

    Parameters
    ----------
    curves : mapping of str to array-like of shape (n_rounds,) or (n_replications, n_rounds)
        Staged costs. Several replications are drawn as their mean with a band of two standard errors.
    stops : mapping of str to int, optional
        The round at which early stopping ended a curve's fit, or that it found best; it is marked on the curve.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the curves are drawn.
    figure_ : matplotlib Figure
        What holds the axes.
    lines_ : list of matplotlib Line2D
        One per curve.
    bands_ : list of matplotlib PolyCollection
        One per curve with replications.
    marks_ : list of matplotlib Line2D
        One per curve that was stopped.

    Raises
    ------
    ValueError
        For a curve of another shape, or an empty one, and for a stop that is on no curve.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the figures of section "Numerical
    Experiments").

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from csboost import plots
    >>> display = plots.CostCurveDisplay({"a model": [0.5, 0.4, 0.35]}).plot(reference={"Bayes cost": 0.3})
    >>> len(display.lines_)
    1
    """

    def __init__(self, curves: Mapping[str, ArrayLike], *, stops: Mapping[str, int] | None = None) -> None:
        self.curves = {name: np.atleast_2d(np.asarray(curve, dtype=np.float64)) for name, curve in curves.items()}
        for name, curve in self.curves.items():
            if curve.ndim != 2 or not curve.size:
                raise ValueError(f"curve {name!r} must have shape (n_rounds,) or (n_replications, n_rounds)")
        self.stops = dict(stops or {})
        for name, stop in self.stops.items():
            if name not in self.curves or not 1 <= stop <= self.curves[name].shape[1]:
                raise ValueError(f"stops[{name!r}] = {stop!r} is no round of a curve of that name")

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, name: str | None = None, **options: Any
    ) -> CostCurveDisplay:
        """Draw the curve of one fitted booster (anything with ``staged_cost``), or of a pipeline that ends with one.

        Parameters
        ----------
        estimator : booster, or Pipeline that ends in one
            Fitted.
        X : array-like of shape (n, d)
            Features, as the estimator takes them.
        y : array-like of shape (n,)
            True labels.
        name : str, optional
            In the legend; the name of the class (of a pipeline's last step) by default.
        **options : dict
            Further parameters of :meth:`from_estimators` and of :meth:`plot`.

        Returns
        -------
        CostCurveDisplay
            Drawn.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import SAMMEClassifier, data, plots
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> model = SAMMEClassifier(n_estimators=3).fit(X, y)
        >>> plots.CostCurveDisplay.from_estimator(model, X, y).curves["SAMMEClassifier"].shape
        (1, 3)
        """
        return cls.from_estimators({name or type(last_step(estimator)).__name__: estimator}, X, y, **options)

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        sample_cost: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> CostCurveDisplay:
        """Draw the curves of several fitted boosters on the same rows, and mark where early stopping ended a fit.

        Gradient boosting that found its rounds by folds is marked at ``best_iteration_``, the others at their last
        round where ``n_iter_no_change`` left fewer than ``n_estimators``.

        Parameters
        ----------
        estimators : mapping of str to booster
            Name in the legend -> a fitted booster (anything with ``staged_cost``), or a pipeline that ends with one.
        X : array-like of shape (n, d)
            Features, as the estimators take them.
        y : array-like of shape (n,)
            True labels.
        sample_weight : array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.
        sample_cost : array-like or labelled table of shape (n, A), optional
            What each answer costs in each row, instead of the costs that the estimators were fitted with.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options : dict
            Further parameters of :meth:`plot`.

        Returns
        -------
        CostCurveDisplay
            Drawn.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import SAMMEClassifier, data, plots
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> steps = 0.1, 1.0
        >>> models = {f"{step}": SAMMEClassifier(n_estimators=3, learning_rate=step).fit(X, y) for step in steps}
        >>> len(plots.CostCurveDisplay.from_estimators(models, X, y).lines_)
        2
        """
        rows = {"sample_weight": sample_weight, "sample_cost": sample_cost}
        given = {name: values for name, values in rows.items() if values is not None}
        curves, stops = {}, {}
        for name, model in estimators.items():
            last, seen = split_pipeline(model, X)
            curves[name] = np.asarray(last.staged_cost(seen, y, **given))
            stop = _stopped(last, len(curves[name]))
            if stop is not None:
                stops[name] = stop
        return cls(curves, stops=stops).plot(ax, **options)

    def plot(
        self, ax: Any = None, *, reference: Mapping[str, float] | None = None, log_rounds: bool = False
    ) -> CostCurveDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        reference : mapping of str to float, optional
            Horizontal lines, such as the Bayes cost or the best constant answer.
        log_rounds : bool, default=False
            Whether the rounds are on a logarithmic scale.

        Returns
        -------
        CostCurveDisplay
            The display itself.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from csboost import plots
        >>> plots.CostCurveDisplay({"a model": [0.5, 0.4, 0.35]}).plot(log_rounds=True).ax_.get_xscale()
        'log'
        """
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        self.lines_: list[Any] = []
        self.bands_: list[Any] = []
        self.marks_: list[Any] = []
        for i, (name, curve) in enumerate(self.curves.items()):
            self._draw(name, curve, color_of(i), line_of(i))
        if self.marks_:
            self.ax_.plot([], [], color="0.35", label="early stop", **_MARK)
        for i, (name, level) in enumerate((reference or {}).items()):
            self.ax_.axhline(level, color="0.45", linewidth=1.0, linestyle=LINE_STYLES[1:][i % 3], label=name, zorder=1)
        self.ax_.set(xlabel="boosting rounds", ylabel="mean test cost")
        if log_rounds:
            self.ax_.set_xscale("log")
        self.ax_.spines[["top", "right"]].set_visible(False)
        if len(self.curves) + len(reference or {}) + len(self.stops) > 1:
            # Beside the axes, where it cannot cover a curve.
            place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "handlelength": 3.2}
            bands = {"title": "bands: mean ± 2 standard errors", "title_fontsize": "small"} if self.bands_ else {}
            self.ax_.legend(frameon=False, **place, **bands)
        return self

    def frame(self) -> pd.DataFrame:
        """The curves as a table.

        Returns
        -------
        pandas.DataFrame
            A row per curve and round: ``name``, ``round`` (from 1), ``mean_cost``, ``standard_error`` (of the mean over
            replications, NaN where there is one) and ``is_stop``.

        Examples
        --------
        >>> from csboost import plots
        >>> plots.CostCurveDisplay({"a": [0.5, 0.4]}, stops={"a": 2}).frame()["is_stop"].tolist()
        [False, True]
        """
        parts = []
        for name, curve in self.curves.items():
            rounds = np.arange(1, curve.shape[1] + 1)
            error = curve.std(axis=0, ddof=1) / len(curve) ** 0.5 if len(curve) > 1 else np.full(len(rounds), np.nan)
            columns = {"name": name, "round": rounds, "mean_cost": curve.mean(axis=0), "standard_error": error}
            parts.append(pd.DataFrame({**columns, "is_stop": rounds == self.stops.get(name)}))
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    def _draw(self, name: str, curve: Any, color: str, style: Any) -> None:
        rounds = np.arange(1, curve.shape[1] + 1)
        mean = curve.mean(axis=0)
        self.lines_ += self.ax_.plot(rounds, mean, color=color, linestyle=style, label=name)
        if len(curve) > 1:
            error = 2 * curve.std(axis=0, ddof=1) / len(curve) ** 0.5
            band = self.ax_.fill_between(rounds, mean - error, mean + error, color=color, alpha=0.18, linewidth=0)
            self.bands_.append(band)
        if name in self.stops:
            self.marks_ += self.ax_.plot(self.stops[name], mean[self.stops[name] - 1], color=color, zorder=5, **_MARK)


def _stopped(model: Any, n_rounds: int) -> int | None:
    """The round at which early stopping ended the fit of a model; None where it did not."""
    if getattr(model, "n_iter_no_change", None) is None:
        return None
    best = getattr(model, "best_iteration_", None)
    if best is not None:
        return min(int(best), n_rounds)
    return n_rounds if n_rounds < model.n_estimators else None
