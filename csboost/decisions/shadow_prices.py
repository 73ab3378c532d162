"""What each limit costs: by how much the total falls where it is relaxed by one row."""

from __future__ import annotations

import numpy as np

from csboost.decisions.exchanges import Array, Numbers, all_moves, shortest, unit_of
from csboost.decisions.limits import Limits


def shadow_prices(costs: Array, answers: Numbers, limits: Limits) -> dict[object, float]:
    """What the limit of each named answer costs: the saving when the side that binds is relaxed by one row."""
    lower, upper, named = limits
    counts = np.bincount(answers, minlength=costs.shape[1])
    ways = shortest(all_moves(costs, answers), unit_of(costs)).lengths
    np.fill_diagonal(ways, np.inf)
    prices = {}
    for label, place in named.items():
        added = 0.0
        if counts[place] == upper[place]:
            added = min(added, ways[counts > lower, place].min(initial=0.0))
        if counts[place] == lower[place]:
            added = min(added, ways[place, counts < upper].min(initial=0.0))
        prices[label] = float(-added) or 0.0
    return prices
