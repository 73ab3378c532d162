"""What it costs to give one row more one answer and one row less another: paths of cheapest moves between answers.

Answers are the nodes of a small graph; the edge from ``a`` to ``b`` costs what the cheapest row to be moved from ``a``
to ``b`` adds. Where answers are the cheapest for their counts no cycle is negative, and the shortest path from ``a`` to
``b`` is what one row less at ``a`` and one more at ``b`` costs (Ahuja, Magnanti & Orlin 1993, chapter 9).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csboost.decisions.limits import Limits

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]


class Paths(NamedTuple):
    """Shortest paths between all answers."""

    lengths: Array  # (A, A)
    first: Numbers  # (A, A): the first stop on the way

    def between(self, a: int, b: int) -> list[tuple[int, int]]:
        """The edges of the path from ``a`` to ``b``."""
        edges = []
        while a != b:
            stop = int(self.first[a, b])
            edges.append((a, stop))
            a = stop
        return edges


def moves(costs: Array, answers: Numbers, answer: int) -> Array:
    """What the cheapest row of ``answer`` adds (A,) when it is moved to each other one; infinite where it has none."""
    rows = np.flatnonzero(answers == answer)
    added = np.full(costs.shape[1], np.inf)
    if len(rows):
        added = (costs[rows] - costs[rows, answer][:, None]).min(axis=0)
    added[answer] = 0.0
    return added


def all_moves(costs: Array, answers: Numbers) -> Array:
    """The edges (A, A) of the graph."""
    return np.array([moves(costs, answers, answer) for answer in range(costs.shape[1])])


def shortest(edges: Array, tolerance: float) -> Paths:
    """Shortest paths by Floyd and Warshall's algorithm; ways shorter by less than ``tolerance`` are not taken, so that
    rounding makes no cycle.
    """
    lengths, A = edges.copy(), len(edges)
    first = np.tile(np.arange(A), (A, 1))
    for stop in range(A):
        over = lengths[:, stop, None] + lengths[None, stop, :]
        shorter = over < lengths - tolerance
        lengths = np.where(shorter, over, lengths)
        first = np.where(shorter, first[:, stop, None], first)
    return Paths(lengths, first)


def rounding(costs: Array) -> float:
    """Differences of costs that are below this are taken for none."""
    return 1e-12 * float(np.ptp(costs)) if costs.size else 0.0


def shadow_prices(costs: Array, answers: Numbers, limits: Limits) -> dict[object, float]:
    """What the limit of each named answer costs: the saving when the side that binds is relaxed by one row."""
    lower, upper, named = limits
    counts = np.bincount(answers, minlength=costs.shape[1])
    ways = shortest(all_moves(costs, answers), rounding(costs)).lengths
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
