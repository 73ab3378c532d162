"""From margins to expected costs and class probabilities (the paper, Theorem 2).

At the population minimiser ``sum_j C[j, t] P_j = N q_t`` with ``q_t = -1 / l'(-M_t)`` and one normaliser ``N`` per row,
so ``P`` solves ``C' P = N q``. A fitted model is not the population minimiser: where that solution has a negative
entry, the probabilities are a point inside the simplex whose expected costs are near to ``q`` in proportion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from csboost.angle.losses import MarginLoss, log_slopes
from csboost.angle.nonnegative import nearest_in_proportion

__all__ = ["expected_costs", "inverse_slopes", "margin_scale", "probabilities", "solve"]

Array = NDArray[np.float64]
_NEGATIVE = -1e-12  # a probability below it is no rounding error
_WORST_CONDITION = 1e10  # a cost matrix beyond it counts as singular
_HAIR = 1e-10  # what tells tied expected costs apart, relative to them
_LOG_RANGE = np.log(1e6)  # a projection works on expected costs within so many powers of ten of each other
_SLACK = 0.04  # how far a projection is pulled inside the simplex (python -m bench.calibration)
_HALF_MISFIT = 0.3  # the misfit at which a projection gets half of that barrier
_PRIOR_ROWS = 30  # so many rows that agree with the margins as they are hold their scale near 1


def inverse_slopes(margins: ArrayLike, loss: MarginLoss) -> Array:
    """``q_k = -1 / l'(-M_k)``, to which the expected costs are proportional, scaled to a largest entry of 1 per row.

    Only proportions within a row carry meaning; the scaling keeps large margins from overflowing.

    Parameters
    ----------
    margins : array-like of shape (n, K)
    loss : MarginLoss
        With a ``log_slope`` method the result stays exact however large the margins.

    Returns
    -------
    ndarray of shape (n, K)
        In [0, 1].
    """
    return np.exp(_log_inverse_slopes(margins, loss))


def probabilities(margins: ArrayLike, C: ArrayLike, loss: MarginLoss) -> Array:
    """Class probabilities by Theorem 2.

    They are estimates through the link from margins to costs: exact at the population minimiser, they carry the error
    of a fitted model elsewhere. Their ``argmax`` need not be the predicted class, which is the one of least expected
    cost.

    Parameters
    ----------
    margins : array-like of shape (n, K)
    C : array-like of shape (K, K)
        The cost matrix of the fit, rows = truth; costs on the diagonal are allowed. If it is singular, the margins do
        not determine the probabilities, and one solution is returned.
    loss : MarginLoss

    Returns
    -------
    ndarray of shape (n, K)
        Rows are not negative and sum to 1.
    """
    return solve(_log_inverse_slopes(margins, loss), C)[0]


def expected_costs(margins: ArrayLike, C: ArrayLike, loss: MarginLoss) -> Array:
    """Expected cost of predicting each class, by Theorem 2.

    ``N q`` where the link is exact; ``probabilities @ C`` where the probabilities had to be projected on the simplex.
    The two functions therefore always agree with each other.

    Parameters
    ----------
    margins, C, loss
        As in :func:`probabilities`.

    Returns
    -------
    ndarray of shape (n, K)
        In the unit of ``C``.
    """
    return solve(_log_inverse_slopes(margins, loss), C)[1]


def solve(log_q: Array, C: ArrayLike) -> tuple[Array, Array]:
    """Probabilities and expected costs from expected costs that are known up to one factor per row.

    Parameters
    ----------
    log_q : ndarray of shape (n, K)
        Logarithms of the proportions, with a largest entry of 0 per row.
    C : array-like of shape (K, K)
        Rows = truth.

    Returns
    -------
    P, costs : ndarray of shape (n, K)
        ``costs = P @ C``.
    """
    q, C = np.exp(log_q), np.asarray(C, dtype=np.float64)
    P, N, exact = _closed_form(q, C)
    costs = N[:, None] * q
    if not exact.all():
        rest = ~exact
        P[rest] = _project(log_q[rest], C)
        costs[rest] = P[rest] @ C
    return P, costs


def margin_scale(margins: Array, y: NDArray[Any], weights: Array, C: Array, loss: MarginLoss) -> float:
    """The factor on the margins, from 1/4 to 4, with which the answers' expected cost is what they cost held-out rows.

    A fit that ends early leaves margins too short and expects too much, one that goes on for long makes them too long
    and expects too little. One factor mends that on average and moves no decision. (To choose it by likelihood lowers
    the log loss a little more, but then expected costs come out too low.)

    Parameters
    ----------
    margins : ndarray of shape (n, K)
        Of rows that the fit has not seen: training rows cost less than others.
    y : ndarray of shape (n,)
        Class numbers.
    weights : ndarray of shape (n,)
    C : ndarray of shape (K, K)
    loss : MarginLoss

    Returns
    -------
    float
        Where no factor in the range will do, the end that comes nearer.
    """
    rows, answers = np.arange(len(y)), margins.argmax(axis=1)

    def expected(log_scale: float) -> float:
        costs = expected_costs(np.exp(log_scale) * margins, C, loss)[rows, answers]
        return float(np.average(costs, weights=weights))

    realised = float(np.average(C[y, answers], weights=weights))
    target = (len(y) * realised + _PRIOR_ROWS * expected(0.0)) / (len(y) + _PRIOR_ROWS)
    low, high = -np.log(4.0), np.log(4.0)
    too_low, too_high = expected(low) - target, expected(high) - target
    if too_low * too_high >= 0:
        return 0.25 if abs(too_low) < abs(too_high) else 4.0
    return float(np.exp(brentq(lambda log_scale: expected(log_scale) - target, low, high, xtol=1e-3)))


def _log_inverse_slopes(margins: ArrayLike, loss: MarginLoss) -> Array:
    """``log q``, with a largest entry of 0 per row."""
    z = -np.asarray(margins, dtype=np.float64)
    log_slope = log_slopes(loss, z)
    return _order_ties(log_slope.min(axis=1, keepdims=True) - log_slope, -z)


def _order_ties(log_q: Array, margins: Array) -> Array:
    """Where ``l'`` is flat, let the class of larger margin win by a hair, as it does in ``predict``."""
    tied = (np.diff(np.sort(log_q, axis=1), axis=1) < _HAIR).any(axis=1)
    ranks = np.argsort(np.argsort(-margins[tied], axis=1, kind="stable"), axis=1)
    log_q[tied] += _HAIR * (ranks - (log_q.shape[1] - 1))
    return log_q


def _closed_form(q: Array, C: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """``p = inv(C') q / (1' inv(C') q)``, ``N = 1 / (1' inv(C') q)``, and where ``p`` lies in the simplex."""
    if np.linalg.cond(C) > _WORST_CONDITION:
        return np.zeros_like(q), np.zeros(len(q)), np.zeros(len(q), dtype=bool)
    solution = np.linalg.solve(C.T, q.T).T
    total = solution.sum(axis=1)
    total[total <= 0] = np.nan
    P = solution / total[:, None]
    exact = (P >= _NEGATIVE).all(axis=1)  # False for NaN
    P = np.maximum(P, 0.0)
    return P / P.sum(axis=1, keepdims=True), 1.0 / total, exact


def _project(log_q: Array, C: Array) -> Array:
    """The point of the simplex whose ``C' p`` is nearest in proportion to ``q``, pulled inside where ``q`` is far off.

    The errors are relative, because the small expected costs decide and because a margin's error is an error of
    ``log q``. That a fitted model lies outside the range of the link does not make a class impossible: the barrier
    leaves every class as much as the errors of ``q`` can hide.
    """
    q, relative_costs = np.exp(_limit_range(log_q)), C / C.max()
    P = _scaled(nearest_in_proportion(q, relative_costs, _SLACK, _HALF_MISFIT))
    best = np.argmin(q, axis=1)
    moved = np.argmin(P @ C, axis=1) != best
    if moved.any():
        edge = _scaled(nearest_in_proportion(q[moved], relative_costs, 0.0, _HALF_MISFIT))
        P[moved] = edge + _share_inside(edge @ C, P[moved] @ C, best[moved])[:, None] * (P[moved] - edge)
    return P


def _scaled(x: Array) -> Array:
    return x / x.sum(axis=1, keepdims=True)


def _share_inside(at_edge: Array, inside: Array, best: NDArray[np.intp]) -> Array:
    """How far to go from the edge of the simplex to the point inside, so that ``best`` keeps the least expected cost.

    Never less than a tenth: no class is impossible.
    """
    rows = np.arange(len(best))
    lead = at_edge - at_edge[rows, best][:, None]
    lost = lead - (inside - inside[rows, best][:, None])
    shares = np.where(lost > 0, np.maximum(lead, 0.0) / np.where(lost > 0, lost, 1.0), 1.0).min(axis=1)
    return np.clip(0.9 * shares, 0.1, 1.0)


def _limit_range(log_q: Array) -> Array:
    """Shrink the widest gaps between a row's sorted entries to one width, so that its range is at most ``_LOG_RANGE``.

    The order and the narrow gaps stay: whether the two best classes are close matters, how hopeless the worst one is
    does not. The largest entry of a row is 0.
    """
    order = np.argsort(-log_q, axis=1)
    gaps = -np.diff(np.take_along_axis(log_q, order, axis=1), axis=1)
    ascending = np.sort(gaps, axis=1)
    narrower = np.cumsum(ascending, axis=1) - ascending
    widths = (_LOG_RANGE - narrower) / np.arange(gaps.shape[1], 0, -1)  # if all gaps from this one on had one width
    widest = np.where(widths < ascending, widths, -np.inf).max(axis=1)  # the first such width is the largest
    widest[np.isneginf(widest)] = np.inf  # the range is narrow enough as it is
    limited = np.zeros_like(log_q)
    limited[:, 1:] = -np.cumsum(np.minimum(gaps, widest[:, None]), axis=1)
    result = np.empty_like(log_q)
    np.put_along_axis(result, order, limited, axis=1)
    return result
