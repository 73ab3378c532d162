"""From margins to expected costs and class probabilities (the paper, Theorem 2).

At the population minimiser ``sum_j C[j, t] P_j = N q_t`` with ``q_t = -1 / l'(-M_t)`` and one normaliser ``N`` per row,
so ``P`` solves ``C' P = N q``. A fitted model is not the population minimiser: where that solution has a negative
entry, the probabilities are a point inside the simplex whose expected costs are near to ``q`` in proportion.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost.angle.losses import MarginLoss
from csboost.angle.nonnegative import nearest_in_proportion

__all__ = ["expected_costs", "inverse_slopes", "probabilities"]

Array = NDArray[np.float64]
_NEGATIVE = -1e-12  # a probability below it is no rounding error
_WORST_CONDITION = 1e10  # a cost matrix beyond it counts as singular
_HAIR = 1e-10  # what tells tied expected costs apart, relative to them
_LOG_RANGE = np.log(1e6)  # a projection works on expected costs within so many powers of ten of each other
_SLACK = 0.02  # how far a projection is pulled inside the simplex (python -m bench.calibration)
_HALF_MISFIT = 0.05  # the misfit at which a projection gets half of that barrier


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
    return _link(margins, C, loss)[0]


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
    return _link(margins, C, loss)[1]


def _log_inverse_slopes(margins: ArrayLike, loss: MarginLoss) -> Array:
    """``log q``, with a largest entry of 0 per row."""
    z = -np.asarray(margins, dtype=np.float64)
    if hasattr(loss, "log_slope"):
        log_slope = np.asarray(loss.log_slope(z), dtype=np.float64)
    else:
        log_slope = np.log(np.maximum(-np.asarray(loss.derivative(z), dtype=np.float64), np.finfo(np.float64).tiny))
    return _order_ties(log_slope.min(axis=1, keepdims=True) - log_slope, -z)


def _order_ties(log_q: Array, margins: Array) -> Array:
    """Where ``l'`` is flat, let the class of larger margin win by a hair, as it does in ``predict``."""
    tied = (np.diff(np.sort(log_q, axis=1), axis=1) < _HAIR).any(axis=1)
    ranks = np.argsort(np.argsort(-margins[tied], axis=1, kind="stable"), axis=1)
    log_q[tied] += _HAIR * (ranks - (log_q.shape[1] - 1))
    return log_q


def _link(margins: ArrayLike, C: ArrayLike, loss: MarginLoss) -> tuple[Array, Array]:
    """Probabilities and expected costs, each (n, K)."""
    log_q = _log_inverse_slopes(margins, loss)
    q, C = np.exp(log_q), np.asarray(C, dtype=np.float64)
    P, N, exact = _closed_form(q, C)
    costs = N[:, None] * q
    if not exact.all():
        rest = ~exact
        P[rest] = _project(log_q[rest], C)
        costs[rest] = P[rest] @ C
    return P, costs


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
    x = nearest_in_proportion(np.exp(_limit_range(log_q)), C / C.max(), _SLACK, _HALF_MISFIT)
    return x / x.sum(axis=1, keepdims=True)


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
