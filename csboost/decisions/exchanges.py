"""What it costs to give one row more one answer and one row less another: paths of cheapest moves between answers.

Answers are the nodes of a small graph; the edge from ``a`` to ``b`` costs what the cheapest row to be moved from ``a``
to ``b`` adds. Where answers are the cheapest for their counts no cycle is negative, and the shortest path from ``a`` to
``b`` is what one row less at ``a`` and one more at ``b`` costs (Ahuja, Magnanti & Orlin 1993, chapter 9).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]

NO_DIFFERENCE = 1e-12  # differences of costs below this share of what they are made of are taken for none
SAMPLE = 10_000  # rows that tell the order of magnitude


class Paths(NamedTuple):
    """Shortest paths between all answers."""

    lengths: Array  # (A, A)
    first: Numbers  # (A, A): the first stop on the way

    def between(self, a: int, b: int) -> list[tuple[int, int]]:
        """The edges of the path from ``a`` to ``b``."""
        edges, here = [], a
        while here != b:
            stop = int(self.first[here, b])
            edges.append((here, stop))
            here = stop
            if len(edges) > len(self.first):  # a circle made by rounding: the straight way will do
                return [(a, b)]
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


def shortest(edges: Array, unit: float) -> Paths:
    """Shortest paths by Floyd and Warshall's algorithm; a way must be shorter by more than rounding can make it."""
    lengths, A = edges.copy(), len(edges)
    first = np.tile(np.arange(A), (A, 1))
    for stop in range(A):
        to, on = lengths[:, stop, None], lengths[None, stop, :]
        known = np.isfinite(to) & np.isfinite(on)
        to, on = np.where(known, to, 0.0), np.where(known, on, 0.0)
        shorter = known & (to + on < lengths - NO_DIFFERENCE * (unit + np.abs(to) + np.abs(on)))
        lengths = np.where(shorter, to + on, lengths)
        first = np.where(shorter, first[:, stop, None], first)
    return Paths(lengths, first)


def unit_of(costs: Array) -> float:
    """By how much answers to a row differ, in order of magnitude: between the quartiles, so that neither a few rows nor
    an answer that is all but forbidden set the scale.
    """
    some = costs[:: max(1, len(costs) // SAMPLE)]
    more = some - some.min(axis=1, keepdims=True)
    more = more[more > 0]
    return float(np.prod(np.sqrt(np.quantile(more, [0.25, 0.75])))) if more.size else 1.0
