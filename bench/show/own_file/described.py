"""Figures of a comparison on a user's file in words (:mod:`bench.show.own_file.pictures`)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bench.show.described import points_in_words
from bench.show.own_file.pictures import label_of, paid_per_case
from bench.show.own_file.worth import Worth, lines_of
from bench.studies.own_jobs import Asked

_CELLS = 12  # of a confusion matrix that are said


def describe_savings(worth: Worth, asked: Asked, against: str) -> str:
    """Say what each model saves, with its interval, the most first."""
    base = asked.baselines[-1]
    table = worth.against[base].drop(index=base).sort_values("saving", ascending=False, kind="stable")
    parts = [
        f"{label_of(name, worth)} {row['saving']:+.3f} ({row['lower']:+.3f} to {row['upper']:+.3f})"
        for name, row in lines_of(table).items()
    ]
    return f"Saved per case against {against}, in parentheses the 95 % interval, most first: {', '.join(parts)}."


def describe_where_it_pays(worth: Worth, asked: Asked) -> str:
    """Say which mistakes the cost of the lowest model comes from, the dearest first."""
    about = asked.about
    paid = paid_per_case(worth, asked)[0].to_numpy()
    order = [np.unravel_index(place, paid.shape) for place in np.argsort(-np.abs(paid), axis=None, kind="stable")]
    cells = [(about.classes[k], about.answers[a], paid[k, a]) for k, a in order if paid[k, a]]
    if not cells:
        return f"No answer of {worth.best} costs anything."
    parts = [f"{cost:.3f} from a true {truth} answered {answer}" for truth, answer, cost in cells[:_CELLS]]
    rest = f", and {len(cells) - _CELLS} smaller parts" if len(cells) > _CELLS else ""
    return f"The cost of {worth.best}, {paid.sum():.3f} per case, is made of: {', '.join(parts)}{rest}."


def describe_cost_against_time(worth: Worth, seconds: Mapping[str, float]) -> str:
    """Say each model's cost per case and the seconds of a fit."""
    costs = {str(name): float(cost) for name, cost in worth.means.items()}
    return f"Cost per case, and median seconds of a fit, cheapest first: {points_in_words(costs, seconds)}."
