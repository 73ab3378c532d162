"""The cheapest answers under limits on their numbers."""

from __future__ import annotations

import numpy as np

from csboost.decisions.limits import Limits
from csboost.decisions.residual import Array, Numbers, all_moves, moves, rounding, shortest
from csboost.decisions.start import prices_near

__all__ = ["cheapest_answers"]

FEW = 500  # rows that need no prices to start from


def cheapest_answers(costs: Array, limits: Limits) -> Numbers:
    """The answers (n,) of least total cost among those that keep the limits; ``costs`` (n, A)."""
    answers = costs.argmin(axis=1)
    counts = np.bincount(answers, minlength=costs.shape[1])
    if ((limits.lower <= counts) & (counts <= limits.upper)).all():
        return answers
    if len(limits.named) == 1:
        (answer,) = limits.named.values()
        least, most = limits.lower[answer], limits.upper[answer]
        return _with_count(costs, answers, answer, int(np.clip(counts[answer], least, most)))
    if len(costs) > FEW:
        answers = (costs + prices_near(costs, limits)).argmin(axis=1)
    return _moved(costs, answers, limits)


def _with_count(costs: Array, answers: Numbers, answer: int, count: int) -> Numbers:
    """The cheapest answers with ``count`` times ``answer``, by the order of what it costs beside the best other one."""
    others = costs.copy()
    others[:, answer] = np.inf
    best = others.argmin(axis=1)
    given = answers == answer
    more = costs[:, answer] - costs[np.arange(len(costs)), best]
    # ties: rows that have the answer keep it, then the first rows come first
    order = np.lexsort((~given, more))
    result = best
    result[order[:count]] = answer
    return result


def _moved(costs: Array, answers: Numbers, limits: Limits) -> Numbers:
    """From answers that are the cheapest for their numbers to the cheapest that keep the limits.

    Rows are moved along shortest paths, as many at once as tie: successive shortest paths (Ahuja, Magnanti & Orlin
    1993, section 9.7) until the limits are kept, then as long as a path saves something.
    """
    lower, upper, _ = limits
    answers, tolerance = answers.copy(), rounding(costs)
    edges = all_moves(costs, answers)
    while True:
        counts = np.bincount(answers, minlength=costs.shape[1])
        excess, short = np.maximum(counts - upper, 0), np.maximum(lower - counts, 0)
        spare = excess if excess.any() else counts - lower
        room = short if short.any() else upper - counts
        paths = shortest(edges, tolerance)
        open_ = (spare > 0)[:, None] & (room > 0) & ~np.eye(len(lower), dtype=bool)
        lengths = np.where(open_, paths.lengths, np.inf)
        a, b = np.unravel_index(lengths.argmin(), lengths.shape)
        if not (excess.any() or short.any()) and not lengths[a, b] < -tolerance * len(lower):
            return answers
        way = paths.between(int(a), int(b))
        tied = [_rows_of(costs, answers, edge, edges[edge] + tolerance) for edge in way]
        size = min(int(spare[a]), int(room[b]), *map(len, tied))
        for (_, stop), rows in zip(way, tied, strict=True):
            answers[rows[:size]] = stop
        for stop in {place for edge in way for place in edge}:
            edges[stop] = moves(costs, answers, stop)


def _rows_of(costs: Array, answers: Numbers, edge: tuple[int, int], most: float) -> Numbers:
    """The rows whose move along an edge adds no more than ``most``."""
    a, b = edge
    rows = np.flatnonzero(answers == a)
    return rows[costs[rows, b] - costs[rows, a] <= most]
