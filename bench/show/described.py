"""Figures in words, for who does not see them: the values that are drawn, the best first."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from bench.show.statistics import ALPHA, Ranks


def describe_curves(curves: Mapping[str, np.ndarray], unit: str, title: str, bayes_cost: float | None = None) -> str:
    """Say where cost curves begin and end (:func:`bench.show.curves.draw_curves`)."""
    means = {name: np.nanmean(stacked, axis=0) for name, stacked in curves.items()}
    rounds = max(map(len, means.values()))
    parts = [
        f"{name} {mean[-1]:.3f} ({f'from {mean[0]:.3f}' if len(mean) > 1 else 'without rounds'})"
        for name, mean in sorted(means.items(), key=lambda item: _last(item[1]))
    ]
    bound = "" if bayes_cost is None else f" The Bayes cost is {bayes_cost:.3f}."
    return (
        f"{title}: mean test cost per {unit} after {rounds} rounds, in parentheses after the first, lowest first: "
        f"{', '.join(parts)}.{bound}"
    )


def _last(mean: np.ndarray) -> float:
    return math.inf if math.isnan(mean[-1]) else float(mean[-1])


def describe_ranks(ranks: Ranks, where: str, unit: str = "scenarios") -> str:
    """Say average ranks and what a test makes of them (:func:`bench.show.ranks.rank_diagram`)."""
    listed = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.average.items())
    told = (
        f"tells apart ranks that differ by more than {ranks.critical_difference:.2f}"
        if ranks.can_tell
        else "cannot tell any two apart"
    )
    return (
        f"Average ranks over {ranks.scenarios} {unit}, {where}, 1 is best: {listed}. "
        f"Nemenyi's test ({ALPHA:.0%}) {told}."
    )


def points_in_words(costs: Mapping[str, float], seconds: Mapping[str, float]) -> str:
    """List costs with seconds."""
    return ", ".join(f"{name} {cost:.3f} in {seconds[name]:.3g} s" for name, cost in costs.items())
