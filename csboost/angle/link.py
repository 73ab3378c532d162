"""From margins to expected costs and class probabilities (the paper, Theorem 2).

At the population minimiser ``sum_j C[j, t] P_j = N q_t`` with ``q_t = -1 / l'(-M_t)`` and one normaliser ``N`` per row,
so ``P`` solves ``C' P = N q``. A fitted model is not the population minimiser: where that solution has a negative
entry, the probabilities are a point inside the simplex whose expected costs are near to ``q`` in proportion, and least
at the answer of largest margin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from csboost.angle.losses import MarginLoss, log_slopes
from csboost.angle.projection import project, put_first
from csboost.weak.binning import sample_rows

__all__ = ["estimate", "expected_costs", "inverse_slopes", "margin_scale", "probabilities", "solve"]

Array = NDArray[np.float64]
_NEGATIVE = -1e-12  # a probability below it is no rounding error
_WORST_CONDITION = 1e10  # a cost matrix beyond it counts as singular
_NO_COST = 1e-15  # share of the largest cost below which one is 0 but for rounding
_HAIR = 1e-10  # what tells tied expected costs apart, relative to them
_SCALE_WORK = 50_000_000  # rows times K^3 that the margins' scale is fitted on
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


def estimate(
    margins: ArrayLike, C: ArrayLike, loss: MarginLoss, shares: ArrayLike | None = None, scale: float = 1.0
) -> tuple[Array, Array]:
    """Class probabilities and expected costs by Theorem 2, consistent with each other and with the answer.

    They are estimates through the link from margins to costs: exact at the population minimiser, they carry the error
    of a fitted model elsewhere. The answer of largest margin is always the one of least expected cost (the lowest of
    several where margins tie; an answer that never costs anything ties with whatever costs 0). It need not be the most
    probable class. The exceptions are an answer that others dominate, so that no probabilities make it the cheapest
    (with costs of 0 on the diagonal of ``C`` there is none), and costs that span more than ten powers of ten, where the
    leads of some answers are lost in rounding.

    Parameters
    ----------
    margins : array-like of shape (n, K)
    C : array-like of shape (K, K)
        The cost matrix of the fit, rows = truth; costs on the diagonal are allowed. If it is singular, the margins do
        not determine the probabilities, and one solution is returned, in which a class whose row is 0 has probability
        0. If a column is 0 (an answer that never costs), they say nothing at all: the result is ``shares``, among the
        classes for which the answer costs nothing.
    loss : MarginLoss
    shares : array-like of shape (K,), optional
        Shares of the classes in the training data; equal ones by default. Used only where ``q`` leaves open what
        the probabilities are.
    scale : float, default=1.0
        Factor on the margins.

    Returns
    -------
    P : ndarray of shape (n, K)
        Rows are not negative and sum to 1.
    costs : ndarray of shape (n, K)
        In the unit of ``C``: ``N q`` where the link is exact; ``P @ C`` elsewhere. The two agree up to rounding.
    """
    margins = np.asarray(margins, dtype=np.float64)
    return solve(_log_inverse_slopes(scale * margins, loss), C, margins.argmax(axis=1), shares)


def probabilities(margins: ArrayLike, C: ArrayLike, loss: MarginLoss, shares: ArrayLike | None = None) -> Array:
    """The probabilities (n, K) of :func:`estimate`."""
    return estimate(margins, C, loss, shares)[0]


def expected_costs(margins: ArrayLike, C: ArrayLike, loss: MarginLoss, shares: ArrayLike | None = None) -> Array:
    """The expected costs (n, K) of :func:`estimate`."""
    return estimate(margins, C, loss, shares)[1]


def solve(
    log_q: Array, C: ArrayLike, answers: NDArray[np.intp] | None = None, shares: ArrayLike | None = None
) -> tuple[Array, Array]:
    """Probabilities and expected costs from expected costs that are known up to one factor per row.

    Parameters
    ----------
    log_q : ndarray of shape (n, K)
        Logarithms of the proportions, with a largest entry of 0 per row.
    C : array-like of shape (K, K)
        Rows = truth.
    answers : ndarray of shape (n,), optional
        The cheapest answers; by default the lowest of least ``log_q``.
    shares : array-like of shape (K,), optional
        As in :func:`estimate`.

    Returns
    -------
    P, costs : ndarray of shape (n, K)
        ``costs = P @ C``, but for the last digits of ties, which are raised so that ``argmin`` finds the answer.
    """
    q, C = np.exp(log_q), np.array(C, dtype=np.float64)
    C[C / C.max() < _NO_COST] = 0.0
    answers = log_q.argmin(axis=1) if answers is None else answers
    shares = np.ones(len(C)) if shares is None else np.asarray(shares, dtype=np.float64)
    P, N, exact = _closed_form(q, C)
    costs = N[:, None] * q
    if not exact.all():
        rest = ~exact
        P[rest] = project(log_q[rest], C, answers[rest], shares)
        costs[rest] = P[rest] @ C
    costs = put_first(costs, answers)
    costs[:, ~C.any(axis=0)] = 0.0
    return P, costs


def margin_scale(
    margins: Array, y: NDArray[Any], weights: Array, C: Array, loss: MarginLoss, shares: ArrayLike | None = None
) -> float:
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
    shares : array-like of shape (K,), optional
        As in :func:`estimate`.

    Returns
    -------
    float
        Where no factor in the range will do, the end that comes nearer; 1 where the factor makes no difference.
    """
    few = sample_rows(len(y), min(len(y), max(20, _SCALE_WORK // len(C) ** 3)))  # solving a row takes K^3
    margins, y, weights = margins[few], y[few], weights[few]
    rows, answers = np.arange(len(y)), margins.argmax(axis=1)

    def expected(log_scale: float) -> float:
        costs = estimate(margins, C, loss, shares, np.exp(log_scale))[1][rows, answers]
        return float(np.average(costs, weights=weights))

    realised = float(np.average(C[y, answers], weights=weights))
    target = (len(y) * realised + _PRIOR_ROWS * expected(0.0)) / (len(y) + _PRIOR_ROWS)
    low, high = -np.log(4.0), np.log(4.0)
    too_low, too_high = expected(low) - target, expected(high) - target
    if too_low == too_high:
        return 1.0
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
