"""Prices of limited answers under which the cheapest answers nearly keep the limits.

With prices on answers, every row is decided for itself. The best prices maximise a concave function, the dual of the
transportation problem, of as many variables as there are limits, whatever the number of rows. It is the minimum of
linear functions, one for each way to answer all rows: cutting planes find its top by small linear programmes (Kelley,
J. E. (1960), "The cutting-plane method for solving convex programs", Journal of the Society for Industrial and Applied
Mathematics 8, 703-712, doi:10.1137/0108053).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from csboost.decisions.exchanges import Array, unit_of
from csboost.decisions.limits import Limits

__all__ = ["prices_near"]

ROUNDS = 200
NEAR = 100  # rows by which the numbers of answers may miss what the prices stand for
EXACT = 1e-10  # the finest tolerance of the linear programmes; a mean cost this near to its bound has reached it
HIGH = 1e6  # units of cost beyond which it does not matter, for a start, how much dearer an answer is


def prices_near(costs: Array, limits: Limits) -> Array:
    """Prices (A,) to be added to ``costs`` (n, A), least 0 in each row: positive where an upper limit binds, negative
    where a lower one does.
    """
    n, A = costs.shape
    unit = unit_of(costs)
    scaled = np.minimum(costs / unit, HIGH)
    farthest = (len(limits.named) + 1.0) * float(scaled.max())
    limited = np.array(sorted(limits.named.values()))
    least, most = limits.lower[limited], limits.upper[limited]
    prices = best = np.zeros(A)
    highest, cuts, bounds = -np.inf, [], []
    for _ in range(ROUNDS):
        cost, counts = _answered(scaled, prices)
        asked = np.where(prices[limited] > 0, most, least)
        asked = np.where(prices[limited] == 0, np.clip(counts[limited], least, most), asked)
        value = (cost + counts @ prices - asked @ prices[limited]) / n
        if value > highest:
            highest, best = value, prices
        if np.abs(counts[limited] - asked).sum() <= NEAR:
            return prices * unit
        cuts.append(counts[limited] / n)
        bounds.append(cost / n)
        moved, ceiling = _highest(np.array(cuts), np.array(bounds), least / n, most / n, farthest)
        if ceiling - highest < EXACT:
            break
        prices = np.zeros(A)
        prices[limited] = moved
    return best * unit


def _answered(scaled: Array, prices: Array) -> tuple[float, Array]:
    """What the cheapest answers under ``prices`` cost without them, and how many rows each gets (A,)."""
    answers = (scaled + prices).argmin(axis=1)
    cost = np.take_along_axis(scaled, answers[:, None], axis=1).sum()
    return float(cost), np.bincount(answers, minlength=scaled.shape[1]).astype(np.float64)


def _highest(cuts: Array, bounds: Array, least: Array, most: Array, farthest: float) -> tuple[Array, float]:
    """The prices (L,) at the top of ``min(bounds + cuts @ prices) - max(least * prices, most * prices)``, and how high
    it is. Prices, at most ``farthest``, are parted into what is above and below 0, which makes the second term
    linear.
    """
    L = len(least)
    slopes = np.column_stack([-cuts, cuts, np.ones(len(cuts))])
    found = linprog(
        np.concatenate([most, -least, [-1.0]]),
        A_ub=slopes,
        b_ub=bounds,
        bounds=[(0.0, farthest)] * (2 * L) + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": EXACT, "dual_feasibility_tolerance": EXACT},
    )
    if not found.success:  # rounding alone can do that: the prices that are there must serve
        return np.zeros(L), -np.inf
    return found.x[:L] - found.x[L : 2 * L], -float(found.fun)
