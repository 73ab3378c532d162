"""Non-negative least squares for one small problem per row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from csboost._jit import kernel

__all__ = ["nearest_in_proportion"]

Array = NDArray[np.float64]


@kernel
def nearest_in_proportion(q: Array, C: Array) -> Array:
    """Per row the ``x >= 0`` that minimises ``sum_t ((C' x)_t / q_t - 1)^2`` (Lawson & Hanson 1974, chapter 23).

    Parameters
    ----------
    q : ndarray of shape (n, K)
        From about 1e-7 to 1: the squares of a wider range would be lost in the normal equations.
    C : ndarray of shape (K, K)
        Entries from 0 to 1.

    Returns
    -------
    ndarray of shape (n, K)
    """
    n, K = q.shape
    result = np.zeros((n, K))
    weight = np.empty(K)
    scale = np.empty(K)
    moment = np.empty(K)
    gram = np.empty((K, K))
    for i in range(n):
        for t in range(K):
            weight[t] = 1.0 / q[i, t]
        # Columns are scaled to length 1, as entries of q may differ by several powers of ten.
        for j in range(K):
            square = 0.0
            for t in range(K):
                square += (C[j, t] * weight[t]) ** 2
            scale[j] = 1.0 / np.sqrt(square) if square > 0.0 else 0.0
        for j in range(K):
            total = 0.0
            for t in range(K):
                total += C[j, t] * weight[t] * scale[j]
            moment[j] = total
            for k in range(j + 1):
                total = 0.0
                for t in range(K):
                    total += (C[j, t] * weight[t] * scale[j]) * (C[k, t] * weight[t] * scale[k])
                gram[j, k] = total
                gram[k, j] = total
        _solve_row(gram, moment, result[i])
        for j in range(K):
            result[i, j] *= scale[j]
    return result


@kernel
def _solve_row(gram: Array, moment: Array, x: Array) -> None:
    """Minimise ``x' gram x / 2 - moment' x`` over ``x >= 0`` by an active set; ``x`` starts at 0 and is overwritten."""
    K = len(moment)
    free = np.zeros(K, dtype=np.bool_)
    barred = np.zeros(K, dtype=np.bool_)
    factor = np.empty((K, K))
    trial = np.empty(K)
    members = np.empty(K, dtype=np.int64)
    for _ in range(4 * K):
        entering, steepest = -1, 1e-12
        for j in range(K):
            if not free[j] and not barred[j]:
                slope = moment[j]
                for k in range(K):
                    slope -= gram[j, k] * x[k]
                if slope > steepest:
                    entering, steepest = j, slope
        if entering < 0:
            return
        free[entering] = True
        while True:
            m = 0
            for j in range(K):
                if free[j] and j != entering:
                    members[m] = j
                    m += 1
            if free[entering]:  # last, so that a dependent column shows in the last pivot
                members[m] = entering
                m += 1
            if not _solve_free(gram, moment, members, m, factor, trial):
                free[entering] = False  # it adds nothing that the free columns do not have
                barred[entering] = True
                break
            step, blocking = 1.0, -1
            for a in range(m):
                j = members[a]
                if trial[a] <= 0.0:
                    share = x[j] / (x[j] - trial[a]) if x[j] > 0.0 else 0.0
                    if blocking < 0 or share < step:
                        step, blocking = share, j
            for a in range(m):
                j = members[a]
                x[j] += step * (trial[a] - x[j])
            if blocking < 0:
                if free[entering]:
                    barred[:] = False
                break
            x[blocking] = 0.0
            free[blocking] = False
            if blocking == entering:
                barred[entering] = True  # rounding let it in; unbarred it would come back at once


@kernel
def _solve_free(gram: Array, moment: Array, members: Array, m: int, factor: Array, trial: Array) -> bool:
    """Cholesky solution of the free part into ``trial[:m]``; False when a pivot vanishes."""
    for a in range(m):
        for b in range(a + 1):
            total = gram[members[a], members[b]]
            for c in range(b):
                total -= factor[a, c] * factor[b, c]
            if a == b:
                if total < 1e-14:
                    return False
                factor[a, a] = np.sqrt(total)
            else:
                factor[a, b] = total / factor[b, b]
    for a in range(m):
        total = moment[members[a]]
        for c in range(a):
            total -= factor[a, c] * trial[c]
        trial[a] = total / factor[a, a]
    for a in range(m - 1, -1, -1):
        total = trial[a]
        for c in range(a + 1, m):
            total -= factor[c, a] * trial[c]
        trial[a] = total / factor[a, a]
    return True
