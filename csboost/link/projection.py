"""Probabilities for margins that no probabilities explain: the nearest ones whose cheapest answer is the decision."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from csboost.costs.gains import put_before
from csboost.link.cones import cone_of
from csboost.link.interface import Array
from csboost.link.tolerances import EQUATION_MISS, TIED_COSTS

__all__ = ["project", "put_first"]

Answers = NDArray[np.intp]
_LOG_RANGE = np.log(1e6)  # expected costs are taken within so many powers of ten of each other
_SLACK = 0.04  # how far a projection is pulled inside the simplex (python -m bench.calibration)
_HALF_MISFIT = 0.3  # the misfit at which a projection gets half of that barrier


def project(log_q: Array, C: Array, answers: Answers, shares: Array) -> Array:
    """The point of the simplex whose ``C' p`` is nearest in proportion to ``q`` and least at the answer.

    Pulled inside where ``q`` is far off: that a fitted model lies outside the range of the link does not make a class
    impossible, so a barrier leaves every class as much as the errors of ``q`` can hide. The errors are relative,
    because the small expected costs decide and because a margin's error is an error of ``log q``.

    Where the answer can only cost nothing, as it does when its column or that of another is 0, ``q`` leaves open which
    of the classes it is for: the result is ``shares`` among those. An answer that no probabilities make the cheapest,
    because others dominate it, does not constrain the result. A class whose row of ``C`` is 0 gets nothing otherwise.

    Parameters
    ----------
    log_q : ndarray of shape (n, A)
        With a largest entry of 0 per row.
    C : ndarray of shape (K, A)
    answers : ndarray of shape (n,)
    shares : ndarray of shape (K,)

    Returns
    -------
    ndarray of shape (n, K)
    """
    from csboost.link.nonnegative import nearest_in_proportion  # a kernel: imported where rows need it

    relative = C / C.max()
    if not relative.any(axis=0).all():
        return np.array([_among(shares, relative[:, t] == 0) for t in range(C.shape[1])])[answers]
    q, costly = np.exp(_limit_range(log_q)), relative.any(axis=1)
    x = nearest_in_proportion(q, relative[costly], _SLACK, _HALF_MISFIT)
    P = np.zeros((len(q), len(C)))
    P[:, costly] = x / x.sum(axis=1, keepdims=True)
    moved = np.flatnonzero(_is_beaten(P @ C, answers))
    if moved.size:
        P[moved] = _with_answers(q[moved], relative, answers[moved], P[moved], shares)
    return P


def _with_answers(q: Array, C: Array, answers: Answers, P: Array, shares: Array) -> Array:
    """The projections ``P`` of rows whose cheapest answer is another than theirs, mended."""
    from csboost.link.decided import nearest_with_answer
    from csboost.link.nonnegative import nearest_in_proportion

    (K, A), costly, P = C.shape, C.any(axis=1), P.copy()
    start, give, binding = np.zeros((A, K)), np.zeros((A, A)), np.zeros((A, A), dtype=bool)
    for t in np.unique(answers):
        cone, rows = cone_of(C, t), answers == t
        supported = cone.start > 0
        if C[supported, t].any():
            start[t], binding[t], give[t] = cone
        elif supported.any():
            P[rows] = _among(shares, supported)
    rows = start[answers].any(axis=1)
    q, C, start = q[rows], C[costly], np.ascontiguousarray(start[:, costly])
    edge = nearest_in_proportion(q, C, 0.0, _HALF_MISFIT)
    misfit2 = ((edge @ C / q - 1.0) ** 2).mean(axis=1)
    barrier = _SLACK * misfit2 / (misfit2 + _HALF_MISFIT**2)
    first = np.ascontiguousarray(P[np.ix_(rows, costly)])
    x = nearest_with_answer(q, C, answers[rows], barrier, first, start, binding, give)
    P[np.ix_(rows, costly)] = x / x.sum(axis=1, keepdims=True)
    return P


def _among(shares: Array, chosen: NDArray[np.bool_]) -> Array:
    """``shares`` of the chosen classes, scaled to sum 1; of all where none is chosen."""
    found = np.where(chosen, shares, 0.0) if chosen.any() else shares
    if not found.sum() > 0:
        found = np.where(chosen, 1.0, 0.0) if chosen.any() else np.ones(len(shares))
    return found / found.sum()


def _is_beaten(costs: Array, answers: Answers) -> NDArray[np.bool_]:
    """Whether another answer is cheaper than a row's own, by more than rounding."""
    return costs[np.arange(len(costs)), answers] > (1.0 + TIED_COSTS) * costs.min(axis=1)


def put_first(costs: Array, answers: Answers) -> Array:
    """Raise costs (n, A) by their last digits, where they are tied with the answer's, so that ``argmin`` finds it."""
    own = costs[np.arange(len(costs)), answers]
    rows = np.flatnonzero((costs.argmin(axis=1) != answers) & (costs.min(axis=1) >= (1.0 - EQUATION_MISS) * own))
    return put_before(costs, rows, answers)


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
