"""Figures from stored rows: cost curves per scenario, and the critical-difference diagram over scenarios."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.statistics import ALPHA, Ranks
from bench.store import job_of, write_atomic
from bench.study import Job, Scenario, Selection, Study

STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
}
MARKERS = 8  # on a curve
LOG_SPAN = 4.0  # drawn on a logarithmic axis when the curves span more than this factor


def style(name: str) -> dict[str, Any]:
    """Return an algorithm's line style, the same in every figure."""
    algorithm = REGISTRY[name]
    return {
        "color": algorithm.colour,
        "linestyle": algorithm.dashes,
        "marker": algorithm.marker,
        "markersize": 4.5,
        "markerfacecolor": "white",
    }


def save(figure: Figure, folder: Path, name: str) -> Path:
    """Write ``name.png`` and ``name.pdf`` and return the path of the first."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, not again for each format
    for suffix, options in (("pdf", {"metadata": {"CreationDate": None}}), ("png", {"dpi": 160})):
        buffer = io.BytesIO()
        figure.savefig(buffer, format=suffix, **options)
        write_atomic(folder / f"{name}.{suffix}", buffer.getvalue())
    plt.close(figure)
    return folder / f"{name}.png"


def curves_of(
    rows: Sequence[dict[str, Any]], selection: Selection, scenario: Scenario, protocol: str
) -> dict[str, np.ndarray]:
    """Return the cost curves of a scenario: algorithm -> array of shape (replications, rounds), NaN where missing.

    An algorithm without rounds (a peer) has one column.
    """
    done = {job_of(row): row for row in rows if row["status"] == "done"}
    curves: dict[str, np.ndarray] = {}
    for name in selection.algorithms:
        jobs = (Job(scenario.scenario, scenario.costs, name, protocol, r) for r in range(selection.replications))
        found = {job.replication: done[job]["cost_curve"] or [done[job]["test_cost"]] for job in jobs if job in done}
        if found:
            stacked = np.full((selection.replications, max(map(len, found.values()))), np.nan)
            for replication, curve in found.items():
                stacked[replication, : len(curve)] = curve
            curves[name] = stacked
    return curves


def cost_curves(
    curves: dict[str, np.ndarray],
    study: Study,
    scenario: Scenario,
    protocol: str,
    seed: int,
    bayes_cost: float | None = None,
) -> Figure:
    """Draw a scenario: left the mean over replications with a band of two standard errors, right one replication.

    Parameters
    ----------
    curves : dict
        From :func:`curves_of`.
    study, scenario, protocol
        For axis names and title.
    seed : int
        Chooses the single replication at random among those that every algorithm has finished.
    bayes_cost : float, optional
        Drawn as a horizontal line.
    """
    whole = [np.isfinite(stacked).all(axis=1) for stacked in curves.values()]
    common = np.flatnonzero(np.logical_and.reduce(whole))
    rng = np.random.default_rng([seed, crc32(f"{scenario.scenario} {scenario.costs}".encode())])
    chosen = int(rng.choice(common)) if len(common) else None
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
        rounds = max(stacked.shape[1] for stacked in curves.values())
        for order, (name, stacked) in enumerate(curves.items()):
            phase = order / len(curves)
            _draw_mean(left, name, stacked, rounds, phase)
            if chosen is not None:
                _draw_line(right, name, stacked[chosen], rounds, phase)
        if bayes_cost is not None:
            for axes in (left, right):
                axes.axhline(bayes_cost, color="#555555", linewidth=0.8, label="Bayes cost")
                axes.axhspan(0, bayes_cost, color="#f3f3f3", zorder=0, linewidth=0)
        _name_axes(left, right, study, len(next(iter(curves.values()))), chosen, rounds)
        drawn = [np.nanmean(stacked, axis=0) for stacked in curves.values()]
        drawn += [stacked[chosen] for stacked in curves.values() if chosen is not None]
        _limit(left, drawn, bayes_cost)
        figure.suptitle(f"{scenario.label}, {protocol} protocol", fontsize=10, fontweight="bold")
        handles, labels = left.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, handlelength=4)
    return figure


def _draw_mean(axes: Axes, name: str, stacked: np.ndarray, rounds: int, phase: float) -> None:
    count = np.isfinite(stacked).sum(axis=0)
    mean = np.nanmean(stacked, axis=0)
    _draw_line(axes, name, mean, rounds, phase)
    if count.min() > 1:
        band = 2 * np.nanstd(stacked, axis=0, ddof=1) / np.sqrt(count)
        low, high = _stretch(mean - band, rounds), _stretch(mean + band, rounds)
        axes.fill_between(np.arange(1, len(low) + 1), low, high, color=style(name)["color"], alpha=0.18, linewidth=0)


def _draw_line(axes: Axes, name: str, values: np.ndarray, rounds: int, phase: float) -> None:
    """Draw a curve; ``phase`` in [0, 1) shifts its markers, so that those of several curves do not meet."""
    values = _stretch(values, rounds)
    apart = max(rounds // MARKERS, 1)
    markers = (int(phase * apart), apart)
    axes.plot(np.arange(1, len(values) + 1), values, label=name, linewidth=1.3, markevery=markers, **style(name))


def _stretch(values: np.ndarray, rounds: int) -> np.ndarray:
    """A model without rounds is one number: a level line."""
    return np.full(rounds, values[0]) if len(values) == 1 else values


def _name_axes(left: Axes, right: Axes, study: Study, replications: int, chosen: int | None, rounds: int) -> None:
    left.set_ylabel(f"test cost per {study.unit}")
    left.set_title("mean over replications (band: ±2 standard errors)" if replications > 1 else "mean (1 replication)")
    right.set_title("no replication is complete" if chosen is None else f"replication {chosen}, chosen at random")
    for axes in (left, right):
        axes.set_xlabel("boosting round")
        axes.set_xlim(1, max(rounds, 2))


def _limit(axes: Axes, drawn: list[np.ndarray], bayes_cost: float | None) -> None:
    """Choose the axis so that late rounds can be told apart: the first rounds of a curve may leave the picture."""
    settled = np.concatenate([curve[len(curve) // 10 :] for curve in drawn])
    low, high = settled.min(), settled.max()
    if bayes_cost is not None:
        low = min(low, bayes_cost)
    if low > 0 and high / low > LOG_SPAN:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 3, 5)))
        axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
        axes.yaxis.set_minor_locator(ticker.NullLocator())
        axes.set_ylim(low / 1.1, high * 1.15)
    else:
        margin = 0.08 * (high - low) or 0.1
        axes.set_ylim(low - margin, high + margin)


def rank_diagram(ranks: Ranks, protocol: str) -> Figure:
    """Draw the critical-difference diagram: average ranks; bars join algorithms that the test does not tell apart."""
    from scikit_posthocs import critical_difference_diagram

    with plt.rc_context({**STYLE, "axes.grid": False}):
        figure, axes = plt.subplots(figsize=(7.5, 0.6 + 0.26 * len(ranks.average)), layout="constrained")
        critical_difference_diagram(
            ranks.average,
            ranks.p_values,
            alpha=ALPHA,
            ax=axes,
            color_palette={name: REGISTRY[name].colour for name in ranks.average.index},
            label_fmt_left="{label} ({rank:.2f}) ",
            label_fmt_right=" ({rank:.2f}) {label}",
            text_h_margin=0.05,
        )
        axes.set_title(
            f"Average rank over {ranks.scenarios} scenarios, {protocol} protocol (1 is best). "
            "A bar joins algorithms\nthat Nemenyi's test does not tell apart "
            f"(5 %, critical difference {ranks.critical_difference:.2f})."
        )
    return figure
