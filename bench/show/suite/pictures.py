"""Figures of a comparison over the suite: ranks, and cost against time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from bench.algorithms import REGISTRY
from bench.show.figures import INK, SOFT, STYLE, name_points, number_plainly, plt
from bench.show.suite.scores import Scores


def cost_against_time(scores: Scores, seconds: Mapping[str, float]) -> Figure:
    """Draw mean relative cost against the median seconds of a fit, an algorithm a point with its name."""
    means = np.exp(scores.mean_logs)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
        points = []
        for name, cost in means.items():
            x = max(seconds[str(name)], 1e-3)
            colour = REGISTRY[str(name)].colour
            axes.plot([x], [cost], "o", color=colour, markersize=7)
            points.append((str(name), x, cost))
        axes.set_xscale("log")
        number_plainly(axes.xaxis, (1, 3))
        axes.margins(x=0.2, y=0.1)
        axes.set_xlabel("median seconds of a fit, one thread (log scale)")
        axes.set_ylabel("cost relative to the best constant answer\n(geometric mean over sets)")
        axes.set_title(f"Cost against time, arm {scores.arm}, {scores.part}", loc="left")
        figure.draw_without_rendering()
        name_points(axes, points)
    return figure


def log_ratios(scores: Scores) -> Figure:
    """Draw every set's log cost ratio to the lowest algorithm, a line of points per algorithm, its mean as a bar."""
    by_set = scores.by_set
    order = list(scores.mean_logs.index)
    gaps = by_set[order].sub(by_set[order[0]], axis="index")
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 1.4 + 0.3 * len(order)), layout="constrained")
        limit = 1.05 * float(np.clip(np.nanquantile(np.abs(gaps.to_numpy()), 0.95), 0.1, None))
        for place, name in enumerate(order):
            values = gaps[name].to_numpy()
            colour = REGISTRY[str(name)].colour
            seen = np.clip(values, -limit, limit)
            axes.plot(seen, np.full(len(seen), place), "|", color=colour, markersize=9, alpha=0.7)
            axes.plot([values.mean()], [place], "D", color=colour, markersize=6, markeredgecolor="white")
        outside = int((np.abs(gaps.to_numpy()) > limit).sum())
        axes.axvline(0, color=SOFT, linewidth=0.8)
        axes.set_xlim(-limit * 1.05, limit * 1.05)
        axes.set_yticks(range(len(order)), [f"{name}  {gaps[name].mean():+.3f}" for name in order], color=INK)
        axes.set_ylim(len(order) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        beyond = f"; {outside} beyond the edges are drawn there" if outside else ""
        axes.set_xlabel(f"log cost ratio to {order[0]}\na stroke per set, diamond: mean{beyond}")
        axes.set_title(f"Log cost ratios, arm {scores.arm}, {scores.part}", loc="left")
    return figure
