"""Perron vectors of small matrices: the probabilities that keep the ratios of odds, one small problem per row."""

from __future__ import annotations

import numpy as np

from csboost.link.interface import Array
from csboost.link.kernel import kernel

__all__ = ["perron_vectors"]


@kernel(allocates=True)
def perron_vectors(root: Array, others: Array) -> Array:
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
