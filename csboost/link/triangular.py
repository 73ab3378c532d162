"""Small systems of equations by Cholesky factors, one row's at a time."""

from __future__ import annotations

import numpy as np

from csboost.link.interface import Array
from csboost.link.kernel import kernel

__all__ = ["factorise", "solve_lower", "solve_upper"]


@kernel(inner=True)
def factorise(matrix: Array, size: int, floor: float) -> bool:
    """Put the Cholesky factor into the lower triangle of ``matrix[:size, :size]``; whether every pivot, before its
    root, reached ``floor``, to which smaller ones are raised.
    """
    definite = True
    for a in range(size):
        for b in range(a + 1):
            total = matrix[a, b]
            for c in range(b):
                total -= matrix[a, c] * matrix[b, c]
            if a != b:
                matrix[a, b] = total / matrix[b, b]
            else:
                definite = definite and not total < floor
                matrix[a, a] = np.sqrt(max(total, floor))
    return definite


@kernel(inner=True)
def solve_lower(factor: Array, size: int, vector: Array) -> None:
    """Multiply ``vector[:size]`` by the inverse of the factor, in place."""
    for a in range(size):
        total = vector[a]
        for c in range(a):
            total -= factor[a, c] * vector[c]
        vector[a] = total / factor[a, a]


@kernel(inner=True)
def solve_upper(factor: Array, size: int, vector: Array) -> None:
    """Multiply ``vector[:size]`` by the inverse of the factor's transpose, in place."""
    for a in range(size - 1, -1, -1):
        total = vector[a]
        for c in range(a + 1, size):
            total -= factor[c, a] * vector[c]
        vector[a] = total / factor[a, a]
