"""Figures of a comparison over the suite in words (:mod:`bench.show.suite.pictures`)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bench.show.described import points_in_words
from bench.show.suite.scores import Scores


def describe_cost_against_time(scores: Scores, seconds: Mapping[str, float]) -> str:
    """Say each algorithm's relative cost and the seconds of a fit."""
    costs = {str(name): float(cost) for name, cost in np.exp(scores.mean_logs).items()}
    return (
        f"Cost relative to the best constant answer, and median seconds of a fit, cheapest first: "
        f"{points_in_words(costs, seconds)}."
    )


def describe_log_ratios(scores: Scores) -> str:
    """Say each algorithm's mean log cost ratio to the lowest, with the least and the largest of a set."""
    order = [str(name) for name in scores.mean_logs.index]
    gaps = scores.by_set[order].sub(scores.by_set[order[0]], axis="index")
    parts = [
        f"{name} {gaps[name].mean():+.3f} ({gaps[name].min():+.3f} to {gaps[name].max():+.3f})" for name in order[1:]
    ]
    return (
        f"Log cost ratio to {order[0]}, the mean over {len(gaps)} set{'s' if len(gaps) > 1 else ''}, in parentheses "
        f"the least and the largest of a set, cheapest first: {', '.join(parts)}."
    )
