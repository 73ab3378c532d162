"""Figures of a comparison on a user's file: savings with intervals, cost against time, where the lowest model pays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.show.figures import INK, SOFT, STYLE, number_plainly, plt
from bench.show.own_file.worth import Worth
from bench.show.suite.pictures import name_points
from bench.studies.own_jobs import CONSTANT, TODAY, Asked
from csboost.plots import CostConfusionDisplay

_PLAIN = "#555555"


def _colour(name: str) -> str:
    return REGISTRY[name].colour if name in REGISTRY else _PLAIN


def savings(worth: Worth, asked: Asked) -> Figure:
    """Draw what each model saves per case against today's answers (or the best constant one), with its interval."""
    base = asked.baselines[-1]
    table = worth.against[base].drop(index=base).sort_values("saving", ascending=False, kind="stable")
    place = np.arange(len(table))
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 1.5 + 0.3 * len(table)), layout="constrained")
        for y, (name, row) in enumerate(table.iterrows()):
            colour = _colour(str(name))
            axes.plot([row["lower"], row["upper"]], [y, y], color=colour, linewidth=4, alpha=0.4, solid_capstyle="butt")
            axes.plot([row["saving"]], [y], "o" if str(name) in REGISTRY else "s", color=colour, markersize=6)
        axes.axvline(0, color=SOFT, linewidth=1)
        labels = [f"{label_of(str(name), worth)}  {row['saving']:+.3f}" for name, row in table.iterrows()]
        axes.set_yticks(place, labels, color=INK)
        axes.set_ylim(len(place) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(
            f"saved per case against {_against(base, worth, asked)}\nright of the line is cheaper; bars: 95 % "
            "intervals of the paired differences"
        )
        axes.set_title(f"What each model saves, {asked.about.name}, costs {asked.about.costs_name}", loc="left")
    return figure


def label_of(name: str, worth: Worth) -> str:
    """Return what a model or baseline is called in a figure."""
    return f"always {' or '.join(worth.constants)}" if name == CONSTANT else name


def _against(base: str, worth: Worth, asked: Asked) -> str:
    if base == TODAY:
        return f"today's answers ({asked.about.today})"
    return f"always answering {' or '.join(worth.constants)}"


def cost_against_time(worth: Worth, asked: Asked, seconds: Mapping[str, float]) -> Figure:
    """Draw cost per case against the median seconds of a fit, a model a point with its name."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
        points = []
        for name, cost in worth.means.items():
            x = max(seconds[str(name)], 1e-3)
            axes.plot([x], [cost], "o", color=_colour(str(name)), markersize=7)
            points.append((str(name), x, float(cost)))
        axes.set_xscale("log")
        number_plainly(axes.xaxis, (1, 3))
        axes.margins(x=0.2, y=0.1)
        axes.set_xlabel("median seconds of a fit, one thread (log scale)")
        axes.set_ylabel("cost per case")
        axes.set_title(f"Cost against time, {asked.about.name}", loc="left")
        figure.draw_without_rendering()
        name_points(axes, points)
    return figure


def where_it_pays(worth: Worth, asked: Asked) -> Figure:
    """Draw where the cost of the lowest model comes from: truth by answer, in cost per case."""
    about, given = asked.about, worth.given
    K, A = len(about.classes), len(about.answers)
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure, axes = plt.subplots(figsize=(3 + 0.8 * A, 2 + 0.6 * K), layout="constrained")
        CostConfusionDisplay.from_predictions(
            np.array(about.classes, dtype=object)[given.truth],
            np.array(about.answers, dtype=object)[given.answers[worth.best]],
            about.table, sample_weight=given.weight, normalize="all", ax=axes,
        )  # fmt: skip
        axes.set_title(f"{worth.best}: cost per case by truth and answer", loc="left")
    return figure
