"""Figures from stored rows: how cost grows, and the ratios beside their floors."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.show.figures import LOG, STYLE, number_plainly, plt, style
from bench.timing.contestants import REFERENCE
from bench.timing.measured import Rows, of_work
from bench.timing.tables import sweep_table
from bench.timing.verdicts import whole_labels

NAMES = {
    "sweep-n": ("rows", "n"),
    "sweep-d": ("features", "d"),
    "sweep-K": ("classes", "K"),
    "threads": ("threads", "threads"),
    "doubling": ("rows", "n"),
}
"""Sweep -> axis label, varied column."""

_OTHER = {"color": "#888888", "linestyle": (0, (1, 2)), "marker": "d", "markersize": 4.5, "markerfacecolor": "white"}


def style_of(name: str) -> dict[str, Any]:
    """Return a contestant's line style, the same as in the other studies' figures where it is known there."""
    return style(name) if name in REGISTRY else _OTHER


def scaling(rows: Rows, work: str) -> Figure | None:
    """Draw a sweep: left seconds per round, right the same over Angle AdaBoost's; None for fewer than two points.

    Grey: growth in proportion to the varied quantity (for threads: perfect division of the work).
    """
    rows = of_work(rows, work)
    label, varied = NAMES[work]
    if len({getattr(row, varied) for row in rows}) < 2:
        return None
    table = sweep_table(rows, varied)
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
        _draw(left, table, f"seconds per round, {rows[0].K} classes" if varied != "K" else "seconds per round")
        _draw_proportion(left, table[REFERENCE].dropna(), falling=varied == "threads")
        if len(table.columns) > 1:
            _draw(right, table.div(table[REFERENCE], axis=0), "times Angle AdaBoost's")
        else:  # one contestant alone: its time per row (or feature, ...) instead
            _draw(right, 1e9 * table.div(pd.Series(table.index, table.index), axis=0), "")
            right.set_title(f"nanoseconds per round and {label.removesuffix('s')}")
            right.set_yscale("linear")
            right.set_ylim(bottom=0)
        for axes in (left, right):
            axes.set_xlabel(f"{label} ({LOG})")
            _number_axis(axes, table.index)
        handles, labels = left.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, handlelength=4)
        figure.suptitle(f"One boosting round by number of {label}", fontsize=10, fontweight="bold")
    return figure


def _draw(axes: Axes, table: pd.DataFrame, title: str) -> None:
    for name in table:
        values = table[name].dropna()
        axes.plot(values.index, values, label=name, linewidth=1.3, **style_of(str(name)))
    axes.set_xscale("log")
    axes.set_yscale("log")
    _plain_numbers(axes.yaxis, decades=np.log10(np.nanmax(table) / np.nanmin(table)))
    axes.set_title(f"{title} ({LOG})")


def _plain_numbers(axis: Axis, decades: float) -> None:
    """Label a logarithmic axis with 0.1 1 10, and with 2 and 5 between them when it is short."""
    number_plainly(axis, (1, 2, 5) if decades < 2.5 else (1,))


def _draw_proportion(axes: Axes, values: pd.Series, falling: bool) -> None:
    place = np.asarray(values.index, dtype=float)
    anchor = 0 if falling else -1
    line = values.iloc[anchor] * (place[anchor] / place if falling else place / place[anchor])
    axes.plot(place, line, color="#bbbbbb", linewidth=1, zorder=0, label="in proportion")


def _number_axis(axes: Axes, places: Iterable[int]) -> None:
    """Label the points that were measured, as far as they do not crowd."""
    places = list(places)
    spread = np.log(places[-1] / places[0]) / 9
    shown = [places[-1]]
    for place in places[-2::-1]:
        if np.log(shown[-1] / place) >= spread:
            shown.append(place)
    axes.set_xticks(shown, [_short(place) for place in shown])
    axes.xaxis.set_minor_locator(ticker.NullLocator())


def _short(number: int) -> str:
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"


def ratios(targets: pd.DataFrame) -> Figure | None:
    """Draw the measured ratios with their spread beside floor and aim; None when no ratio was measured."""
    whole = targets.assign(work=whole_labels(targets["work"]))  # the line above may not be drawn
    known = whole[(whole["unit"] == "x") & whole["measured"].notna()].iloc[::-1]
    if known.empty:
        return None
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(9, 0.9 + 0.42 * len(known)), layout="constrained")
        place = np.arange(len(known))
        axes.hlines(place, known["low"], known["high"], color="#0072B2", linewidth=3, alpha=0.4, label="spread")
        axes.plot(known["measured"], place, "o", color="#0072B2", label="median")
        axes.plot(known["floor"], place, "|", color="#D55E00", markersize=14, markeredgewidth=2, label="floor")
        axes.plot(known["aim"], place, "|", color="#009E73", markersize=14, markeredgewidth=2, label="aim")
        ways = ["at least" if more else "at most" for more in known["more_is_better"]]
        texts = [f"{work} ({way})" for work, way in zip(known["work"], ways, strict=True)]
        axes.set_yticks(place, [textwrap.fill(text, 48) for text in texts])
        axes.set_xscale("log")
        _plain_numbers(axes.xaxis, decades=0)
        axes.set_xlabel(f"ratio ({LOG})")
        axes.grid(axis="y", visible=False)
        axes.set_ylim(-0.6, len(known) - 0.4)
        figure.legend(loc="outside lower center", ncols=4)
    return figure
