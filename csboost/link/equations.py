"""Probabilities from expected costs that are known up to one factor per row: ``C' P = N q``."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost.link.entropy import nearest_to_shares
from csboost.link.interface import Array
from csboost.link.projection import project, put_first
from csboost.link.tolerances import CONSISTENT, NEGATIVE, NO_COST, WORST_CONDITION

__all__ = ["leaves_open", "solve"]


def leaves_open(C: ArrayLike) -> bool:
    """Whether ``C' P = N q`` has many solutions, so that the probabilities are one choice among those that fit."""
    C = np.asarray(C, dtype=np.float64)
    return C.shape[1] < len(C) or bool(np.linalg.cond(C) > WORST_CONDITION)


def solve(log_q: Array, C: ArrayLike, answers: NDArray[np.intp], shares: ArrayLike) -> tuple[Array, Array]:
    """Probabilities and expected costs from expected costs that are known up to one factor per row.

    There is one solution at most where ``C`` has rank K. With more answers than classes the system is overdetermined:
    where it has a solution, least squares find it. With fewer it leaves the probabilities open: they are then the
    nearest to the ``shares`` (:func:`csboost.link.entropy.nearest_to_shares`). Where there is no solution in the
    simplex it is left to :func:`csboost.link.projection.project`.

    Parameters
    ----------
    log_q : ndarray of shape (n, A)
        Logarithms of the proportions, with a largest entry of 0 per row.
    C : array-like of shape (K, A)
        Rows = truth; not negative.
    answers : ndarray of shape (n,)
        The cheapest answers.
    shares : array-like of shape (K,)
        Shares of the classes in the training data, up to a factor. Used only where ``q`` leaves open what the
        probabilities are.

    Returns
    -------
    P : ndarray of shape (n, K)
    costs : ndarray of shape (n, A)
        ``costs = P @ C``, but for the last digits of ties, which are raised so that ``argmin`` finds the answer.
    """
    q, C = np.exp(log_q), np.array(C, dtype=np.float64)
    if C.ndim != 2 or C.shape[1] != q.shape[1]:  # kernels would read beyond the costs
        raise ValueError(f"costs of the shape {C.shape} do not fit to {q.shape[1]} scores per row")
    C[C / C.max() < NO_COST] = 0.0
    shares = np.asarray(shares, dtype=np.float64)
    if C.shape[1] < len(C) and C.any(axis=0).all():
        P, exact = nearest_to_shares(q, C, shares)
        costs = P @ C
    else:
        P, N, exact = _closed_form(q, C)
        costs = N[:, None] * q
    if not exact.all():
        rest = ~exact
        P[rest] = project(log_q[rest], C, answers[rest], shares)
        costs[rest] = P[rest] @ C
    costs = put_first(costs, answers)
    costs[:, ~C.any(axis=0)] = 0.0
    return P, costs


def _closed_form(q: Array, C: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """``p = x / (1' x)``, ``N = 1 / (1' x)`` for the ``x`` with ``C' x = q``, and where it is there, with ``p`` in the
    simplex.
    """
    n, K = len(q), len(C)
    if leaves_open(C):
        return np.zeros((n, K)), np.zeros(n), np.zeros(n, dtype=bool)
    solution, exists = _solution(q, C)
    total = solution.sum(axis=1)
    total[total <= 0] = np.nan
    P = solution / total[:, None]
    exact = (P >= NEGATIVE).all(axis=1) & exists  # False for NaN
    P = np.maximum(P, 0.0)
    return P / P.sum(axis=1, keepdims=True), 1.0 / total, exact


def _solution(q: Array, C: Array) -> tuple[Array, NDArray[np.bool_]]:
    """``x`` (n, K) with ``C' x = q``, and whether there is one (n,)."""
    K, A = C.shape
    if A == K:
        return np.asarray(np.linalg.solve(C.T, q.T).T, np.float64), np.ones(len(q), dtype=bool)
    solution = np.asarray(np.linalg.lstsq(C.T, q.T, rcond=None)[0].T, np.float64)
    exists: NDArray[np.bool_] = np.all(np.abs(solution @ C - q) <= CONSISTENT * q, axis=1)
    return solution, exists
