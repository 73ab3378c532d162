"""Probabilities from expected costs that are known up to one factor per row: ``C' P = N q``."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost.link.interface import Array
from csboost.link.projection import project, put_first
from csboost.link.tolerances import NEGATIVE, NO_COST, WORST_CONDITION

__all__ = ["solve"]


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
        Shares of the classes in the training data; equal ones by default. Used only where ``q`` leaves open what
        the probabilities are.

    Returns
    -------
    P, costs : ndarray of shape (n, K)
        ``costs = P @ C``, but for the last digits of ties, which are raised so that ``argmin`` finds the answer.
    """
    q, C = np.exp(log_q), np.array(C, dtype=np.float64)
    C[C / C.max() < NO_COST] = 0.0
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


def _closed_form(q: Array, C: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """``p = inv(C') q / (1' inv(C') q)``, ``N = 1 / (1' inv(C') q)``, and where ``p`` lies in the simplex."""
    if np.linalg.cond(C) > WORST_CONDITION:
        return np.zeros_like(q), np.zeros(len(q)), np.zeros(len(q), dtype=bool)
    solution = np.linalg.solve(C.T, q.T).T
    total = solution.sum(axis=1)
    total[total <= 0] = np.nan
    P = solution / total[:, None]
    exact = (P >= NEGATIVE).all(axis=1)  # False for NaN
    P = np.maximum(P, 0.0)
    return P / P.sum(axis=1, keepdims=True), 1.0 / total, exact
