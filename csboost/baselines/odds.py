"""Class probabilities from the odds of one yes-or-no question per class (AdaBoost.MH)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from csboost._jit import kernel

__all__ = ["probabilities"]

Array = NDArray[np.float64]
_LEAST_LINK = 1e-10  # share of the largest weight that replaces smaller ones: every class must be tied to every other
_LOG_RANGE = 60.0  # odds of one row beyond this factor of each other change nothing


def probabilities(log_odds: Array, weights: Array) -> Array:
    """The ``P`` (n, K) for which ``weights[l, l] P_l`` against ``sum of weights[j, l] P_j`` has the odds of ``l``.

    ``K`` odds state more than a ``P`` of ``K - 1`` free entries can meet, unless they come from one. So one factor per
    row, common to all odds, is left free: ``P`` is then the Perron vector of ``odds_l weights[j, l] / weights[l, l]``
    (0 at ``j = l``), which is positive and unique, and keeps the ratios of the odds. With equal weights it is
    ``P_l = odds_l / (factor + odds_l)``.

    Parameters
    ----------
    log_odds : ndarray of shape (n, K)
        Infinite odds are not allowed.
    weights : ndarray of shape (K, K)
        Not negative. A class ``j`` whose row is 0 is undetermined and gets probability 0.

    Returns
    -------
    ndarray of shape (n, K)
    """
    own = np.diag(weights).copy()
    asked = own > 0
    log_odds = log_odds - np.log(own, where=asked, out=np.zeros_like(own))
    highest = log_odds[:, asked].max(axis=1, keepdims=True)
    root = np.exp(0.5 * np.maximum(log_odds - highest, -_LOG_RANGE))
    root[:, ~asked] = 0.0
    others = np.maximum(weights, _LEAST_LINK * weights.max())
    np.fill_diagonal(others, 0.0)
    return _perron_vectors(root, others / others.max())


@kernel(allocates=True)
def _perron_vectors(root: Array, others: Array) -> Array:
    """Per row the vector ``p`` of sum 1 for which ``root_l^2 sum_j others[j, l] p_j`` is proportional to ``p_l``.

    Noda's inverse iteration (1971), on the better balanced ``root_l others[j, l] root_j``: each step solves an
    M-matrix, keeps the vector positive and squares the error.
    """
    n, K = root.shape
    result = np.empty((n, K))
    matrix, vector, image = np.empty((K, K)), np.empty(K), np.empty(K)
    for i in range(n):
        vector[:] = 1.0
        for _ in range(100):
            largest, least = 0.0, np.inf
            for a in range(K):
                image[a] = 0.0
                for b in range(K):
                    image[a] += root[i, a] * others[b, a] * root[i, b] * vector[b]
                if root[i, a] > 0.0:
                    largest, least = max(largest, image[a] / vector[a]), min(least, image[a] / vector[a])
            if largest - least <= 1e-12 * largest:
                break
            shift = largest * (1.0 + 1e-14)
            for a in range(K):
                for b in range(K):
                    matrix[a, b] = -root[i, a] * others[b, a] * root[i, b]
                matrix[a, a] += shift
            _solve_m_matrix(matrix, vector)
        total = 0.0
        for a in range(K):
            result[i, a] = root[i, a] * vector[a]
            total += result[i, a]
        for a in range(K):
            result[i, a] /= total
    return result


@kernel(inner=True)
def _solve_m_matrix(matrix: Array, vector: Array) -> None:
    """Solve by elimination without pivots, in place, and scale the solution to a largest entry of 1."""
    K = len(vector)
    for a in range(K):
        pivot = max(matrix[a, a], 1e-300)
        for b in range(a + 1, K):
            ratio = matrix[b, a] / pivot
            for c in range(a + 1, K):
                matrix[b, c] -= ratio * matrix[a, c]
            vector[b] -= ratio * vector[a]
    largest = 0.0
    for a in range(K - 1, -1, -1):
        for b in range(a + 1, K):
            vector[a] -= matrix[a, b] * vector[b]
        vector[a] /= max(matrix[a, a], 1e-300)
        largest = max(largest, vector[a])
    for a in range(K):
        vector[a] /= largest
