"""Positive solutions of the link's equations that fit best: one small problem per row."""

from __future__ import annotations

import numpy as np

from csboost.link.interface import Array
from csboost.link.kernel import kernel
from csboost.link.triangular import factorise, solve_lower, solve_upper

__all__ = ["nearest_in_proportion"]


@kernel(allocates=True)
def nearest_in_proportion(q: Array, C: Array, slack: float, half: float) -> Array:
    """Per row the ``x >= 0`` whose costs ``E = C' x`` fit ``q`` best in proportion, pulled inside by a barrier.

    Non-negative least squares (Lawson & Hanson 1974, chapter 23) minimises ``sum_t (E_t / q_t - 1)^2``; the root mean
    square of these errors is the row's misfit. Where it is not 0, the result minimises

        sum_t (E_t / q_t - log(E_t / q_t) - 1) - lam sum_j log x_j

    with ``lam = slack * misfit^2 / (misfit^2 + half^2)``. The first sum is half of that of the squares where the errors
    are small (the Itakura-Saito divergence); it does not let go of a ``q_t`` that is far too large. The result varies
    continuously with ``q``.

    Parameters
    ----------
    q : ndarray of shape (n, A)
        From about 1e-7 to 1: the squares of a wider range would be lost in the normal equations.
    C : ndarray of shape (J, A)
        Rows = truth, entries from 0 to 1. An ``x_j`` whose row is 0 is undetermined and becomes 0; a column of 0 is not
        allowed.
    slack, half : float
        ``slack >= 0``, and 0 gives least squares; ``half > 0`` is the misfit at which the barrier has half its weight.

    Returns
    -------
    ndarray of shape (n, J)
    """
    n, A = q.shape
    J = len(C)
    result = np.zeros((n, J))
    scale = np.empty(J)
    moment = np.empty(J)
    costs = np.empty((J, A))
    gram = np.empty((J, J))
    for i in range(n):
        x = result[i]
        _scaled_costs(q[i], C, costs, scale)
        _normal_equations(costs, moment, gram)
        _solve_row(gram, moment, x)
        square = 0.0
        for t in range(A):
            error = -1.0
            for j in range(J):
                error += costs[j, t] * x[j]
            square += error * error
        square /= A
        barrier = slack * square / (square + half * half)
        if barrier > 1e-13:  # less of it moves nothing by more than 1e-6
            _pull_inside(costs, barrier, x, gram)
        for j in range(J):
            x[j] *= scale[j]
    return result


@kernel(inner=True)
def _scaled_costs(q: Array, C: Array, costs: Array, scale: Array) -> None:
    """``costs[j, t] = scale_j C[j, t] / q_t`` with rows of length 1: entries of ``q`` differ by powers of ten."""
    J, A = C.shape
    for j in range(J):
        square = 0.0
        for t in range(A):
            costs[j, t] = C[j, t] / q[t]
            square += costs[j, t] * costs[j, t]
        scale[j] = 1.0 / np.sqrt(square) if square > 0.0 else 0.0
        for t in range(A):
            costs[j, t] *= scale[j]


@kernel(inner=True)
def _normal_equations(costs: Array, moment: Array, gram: Array) -> None:
    J, A = costs.shape
    for j in range(J):
        moment[j] = 0.0
        for t in range(A):
            moment[j] += costs[j, t]
        for k in range(j + 1):
            total = 0.0
            for t in range(A):
                total += costs[j, t] * costs[k, t]
            gram[j, k] = total
            gram[k, j] = total


@kernel(inner=True, allocates=True)
def _pull_inside(costs: Array, barrier: float, x: Array, factor: Array) -> None:
    """Newton's method for ``sum_t (E_t - log E_t) - barrier * sum log x`` with ``E = costs' x``, from ``x``.

    The function divided by ``barrier`` is self-concordant, so that steps cut short of the boundary get there (Boyd &
    Vandenberghe 2004, section 9.6). ``factor`` (J, J) is overwritten.
    """
    J, A = costs.shape
    relative, E, inverse, step = np.empty((J, A)), np.empty(A), np.empty(A), np.empty(J)
    root = np.sqrt(barrier)
    for j in range(J):
        x[j] = max(x[j], root)
    for _ in range(100):
        for t in range(A):
            E[t] = 0.0
            for j in range(J):
                E[t] += costs[j, t] * x[j]
            inverse[t] = 1.0 / E[t]
        for j in range(J):
            step[j] = barrier / x[j]  # the negative slope; below, its product with the inverse of the factor
            for t in range(A):
                relative[j, t] = costs[j, t] * inverse[t]
                step[j] += relative[j, t] - costs[j, t]
        for j in range(J):
            for k in range(j + 1):
                total = barrier / (x[j] * x[j]) if j == k else 0.0
                for t in range(A):
                    total += relative[j, t] * relative[k, t]
                factor[j, k] = total
        factorise(factor, J, 1e-15)
        solve_lower(factor, J, step)
        decrement = 0.0
        for j in range(J):
            decrement += step[j] * step[j]
        solve_upper(factor, J, step)
        length = _step_length(x, step, relative, E, barrier, 0.5 * decrement)
        for j in range(J):
            x[j] += length * step[j]
        if decrement < 1e-6 * barrier:  # so near, a step squares the error
            return


@kernel(inner=True)
def _step_length(x: Array, step: Array, relative: Array, E: Array, barrier: float, steepest: float) -> float:
    """The length, at most 1, that stays inside and does not overshoot: a slope of at most ``steepest`` at its end."""
    J, A = relative.shape
    length = 1.0
    for j in range(J):
        if step[j] < 0.0:
            length = min(length, -0.99 * x[j] / step[j])
    while length > 1e-12:
        slope = 0.0
        for t in range(A):
            change = 0.0
            for j in range(J):
                change += relative[j, t] * step[j]
            slope += change * (E[t] - 1.0 / (1.0 + length * change))
        for j in range(J):
            slope -= barrier * step[j] / (x[j] + length * step[j])
        if slope <= steepest:
            break
        length *= 0.5
    return length


@kernel(inner=True, allocates=True)
def _solve_row(gram: Array, moment: Array, x: Array) -> None:
    """Minimise ``x' gram x / 2 - moment' x`` over ``x >= 0`` by an active set; ``x`` starts at 0."""
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


@kernel(inner=True)
def _solve_free(gram: Array, moment: Array, members: Array, m: int, factor: Array, trial: Array) -> bool:
    """Cholesky solution of the free part into ``trial[:m]``; False when a pivot vanishes."""
    for a in range(m):
        trial[a] = moment[members[a]]
        for b in range(a + 1):
            factor[a, b] = gram[members[a], members[b]]
    if not factorise(factor, m, 1e-14):
        return False
    solve_lower(factor, m, trial)
    solve_upper(factor, m, trial)
    return True
