"""The cheapest answers under limits on their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost.decisions.dual_prices import prices_near
from csboost.decisions.exchanges import NO_DIFFERENCE, Array, Numbers, all_moves, moves, shortest, unit_of
from csboost.decisions.limits import Limits, read_limits
from csboost.decisions.shadow_prices import shadow_prices

__all__ = ["cheapest_answers", "under_limits"]

FEW = 500  # rows that need no prices to start from
DOUBTFUL = 20_000  # rows that are decided first among many more
TIED = 1e-14  # rows whose moves differ by less, in proportion, are moved together


def under_limits(costs: Array, limits: Any, labels: NDArray[Any]) -> tuple[Numbers, dict[Any, float]]:
    """The answers (n,) of least total cost that keep limits by label, and what each limit costs; ``labels`` (A,)."""
    counts = read_limits(limits, labels, len(costs))
    answers = cheapest_answers(costs, counts)
    return answers, shadow_prices(costs, answers, counts)


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
    costs = costs - costs.min(axis=1, keepdims=True)  # only differences matter, and these are added up
    if len(costs) > FEW:
        answers = _nearly(costs, limits)
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
    best[order[:count]] = answer
    return best


def _nearly(costs: Array, limits: Limits) -> Numbers:
    """Answers that are the cheapest for their numbers, and that nearly keep the limits.

    They are decided under prices; of many rows, those left most in doubt are then decided among themselves.
    """
    priced = costs + prices_near(costs, limits)
    answers = priced.argmin(axis=1)
    if len(costs) <= 2 * DOUBTFUL:
        return answers
    two = np.partition(priced, 1, axis=1)
    rows = np.sort(np.argpartition(two[:, 1] - two[:, 0], DOUBTFUL)[:DOUBTFUL])
    A = costs.shape[1]
    fixed = np.bincount(answers, minlength=A) - np.bincount(answers[rows], minlength=A)
    left = Limits(np.maximum(limits.lower - fixed, 0), limits.upper - fixed, limits.named)
    if left.upper.min() < 0 or not left.lower.sum() <= len(rows) <= left.upper.sum():
        return answers
    first = answers.copy()
    first[rows] = _moved(costs[rows], answers[rows], left)
    # where the others would have to be decided anew, moves in a circle save something
    circles = np.diag(shortest(all_moves(costs, first), unit_of(costs)).lengths)
    return answers if circles.min() < 0 else first


def _moved(costs: Array, answers: Numbers, limits: Limits) -> Numbers:
    """From answers that are the cheapest for their numbers to the cheapest that keep the limits.

    Rows are moved along shortest paths, as many at once as tie: successive shortest paths (Ahuja, Magnanti & Orlin
    1993, section 9.7) until the limits are kept, then as long as a path saves something.
    """
    lower, upper, _ = limits
    answers, unit = answers.copy(), unit_of(costs)
    edges = all_moves(costs, answers)
    while True:
        counts = np.bincount(answers, minlength=costs.shape[1])
        excess, short = np.maximum(counts - upper, 0), np.maximum(lower - counts, 0)
        spare = excess if excess.any() else counts - lower
        room = short if short.any() else upper - counts
        paths = shortest(edges, unit)
        open_ = (spare > 0)[:, None] & (room > 0) & ~np.eye(len(lower), dtype=bool)
        lengths = np.where(open_, paths.lengths, np.inf)
        a, b = (int(place) for place in np.unravel_index(lengths.argmin(), lengths.shape))
        way = paths.between(a, b)
        if not (excess.any() or short.any()):
            added = np.array([edges[edge] for edge in way])
            if not added.sum() < -NO_DIFFERENCE * (unit + np.abs(added).sum()):
                return answers
        tied = [_rows_of(costs, answers, edge, edges[edge] + TIED * (unit + abs(edges[edge]))) for edge in way]
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
