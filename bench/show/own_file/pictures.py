"""Figures of a comparison on a user's file: savings with intervals, cost against time, where the lowest model pays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.show.figures import INK, SOFT, STYLE, name_points, number_plainly, plt, short
from bench.show.own_file.worth import Worth
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
        labels = [f"{short(label_of(str(name), worth))}  {row['saving']:+.3f}" for name, row in table.iterrows()]
        axes.set_yticks(place, labels, color=INK)
        axes.set_ylim(len(place) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(
            f"saved per case against {_against(base, worth, asked)}\nright of the line is cheaper; bars: 95 % "
            "intervals of the paired differences"
        )
        axes.set_title(f"What each model saves, {source_of(asked)}", loc="left")
    return figure


def source_of(asked: Asked) -> str:
    """Return whose costs are drawn, for a title."""
    return f"{short(asked.about.name)}, costs {short(asked.about.costs_name)}"


def label_of(name: str, worth: Worth) -> str:
    """Return what a model or baseline is called in a figure."""
    return f"always {' or '.join(worth.constants)}" if name == CONSTANT else name


def _against(base: str, worth: Worth, asked: Asked) -> str:
    if base == TODAY:
        return f"today's answers ({short(asked.about.today)})"
    return f"always answering {' or '.join(map(short, worth.constants))}"


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
        axes.set_title(f"Cost against time, {short(asked.about.name)}", loc="left")
        figure.draw_without_rendering()
        name_points(axes, points)
    return figure


def paid_per_case(worth: Worth, asked: Asked) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return what each pair of truth and answer adds to the lowest model's cost per case, and how often it was given.

    Answers in all splits count.
    """
    about, given = asked.about, worth.given
    places = (given.truth, given.answers[worth.best])
    paid, counts = np.zeros(about.matrix.shape), np.zeros(about.matrix.shape)
    np.add.at(paid, places, given.weight * about.matrix[places])
    np.add.at(counts, places, 1)
    classes, answers = list(about.classes), list(about.answers)
    return pd.DataFrame(paid, classes, answers), pd.DataFrame(counts, classes, answers)


def where_it_pays(worth: Worth, asked: Asked) -> Figure:
    """Draw where the cost of the lowest model comes from: truth by answer, in cost per case."""
    about = asked.about
    K, A = len(about.classes), len(about.answers)
    paid, counts = (table.rename(index=short, columns=short) for table in paid_per_case(worth, asked))
    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure, axes = plt.subplots(figsize=(3 + 0.8 * A, 2 + 0.6 * K), layout="constrained")
        CostConfusionDisplay(paid, quantity="cost per case", counts=counts).plot(axes)
        axes.set_title(f"{worth.best}: cost per case by truth and answer", loc="left")
    return figure
