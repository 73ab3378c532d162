"""Nearest solutions of the link's equations among those whose cheapest answer is given: one small problem per row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from csboost._jit import kernel

__all__ = ["nearest_with_answer"]

Array = NDArray[np.float64]
_FIRST, _LAST = 3e-3, 1e-12  # weight of the barrier that keeps the answer cheapest: at the start, at the end
_ROUNDS = 60  # a row takes about 8


@kernel(allocates=True)
def nearest_with_answer(
    q: Array,
    C: Array,
    answers: NDArray[np.int64],
    barrier: Array,
    first: Array,
    start: Array,
    binding: NDArray[np.bool_],
    give: Array,
) -> Array:
    """Per row the ``x`` that fits ``q`` best in proportion while its costs ``E = C' x`` are least at ``answers``.

    It minimises, over ``x >= 0`` with ``E_t <= E_k`` for all ``k`` and ``t`` the answer,

        sum_k (E_k / q_k - log(E_k / q_k) - 1) - barrier sum_j log x_j

    the function of :func:`csboost.angle.nonnegative.nearest_in_proportion`. A weight of 1e-12 on the logarithms of
    ``E_k / q_k - E_t / q_k`` keeps the result inside by a hair, so that rounding does not turn the answer.

    Every term is linear or a weighted logarithm of one, so this is a linear programme's interior-point method whose
    complementary products go to the weights of the logarithms in place of 0 (weighted centres: Roos, Terlaky & Vial
    2006, part III). Rows stay feasible from the first step on, whenever it ends.

    Parameters
    ----------
    q : ndarray of shape (n, A)
        Relative costs of the answers, from about 1e-7 to 1.
    C : ndarray of shape (J, A)
        Rows = truth; entries from 0 to 1.
    answers : ndarray of shape (n,)
    barrier : ndarray of shape (n,)
        Weight of the barrier at the edge of the simplex, not negative.
    first : ndarray of shape (n, J)
        Where to come from, of any length, not negative: the solution that may have another answer.
    start : ndarray of shape (A, J)
        For each answer an ``x`` that has it strictly; truths at 0 stay at 0.
    binding : ndarray of shape (A, A)
        For each answer ``t``, the ``k`` whose constraint does not hold by itself.
    give : ndarray of shape (A, A)
        Constraints are ``E_t <= (1 + give) E_k``, with a small number where ``E_t = E_k`` throughout the cone.

    Returns
    -------
    ndarray of shape (n, J)
    """
    n, A = q.shape
    J = len(C)
    result = np.zeros((n, J))
    forms, slope, scale = np.empty((2 * A, J)), np.empty(J), np.empty(J)
    members = np.empty(J, dtype=np.int64)
    x, step, factor = np.empty(J), np.empty(J), np.empty((J, J))
    logs = np.empty((4, 2 * A + J))  # of what logarithms are taken: value, dual variable, and their steps
    for i in range(n):
        t = answers[i]
        m = 0
        for j in range(J):
            if start[t, j] > 0.0:
                members[m] = j
                m += 1
        e, r = _linear_forms(q[i], C, t, members, m, binding[t], give[t], forms, slope, scale)
        _begin(first[i], start[t], members, m, r, A, forms, slope, scale, x, step)
        _follow(forms, slope, m, e, r, A, barrier[i], x, logs[0], logs[1], logs[2], logs[3], step, factor)
        for a in range(m):
            result[i, members[a]] = x[a] * scale[a]
    return result


@kernel(inner=True)
def _linear_forms(q, C, t, members, m, binding, give, forms, slope, scale):
    """The forms in scaled ``x`` that logarithms are taken of: ``E_k / q_k``, then ``(E_k - E_t) / q_k`` of the binding
    constraints, those with ``give`` last. Returns where these begin and end; ``slope`` is the sum of the first kind.
    """
    A = len(q)
    for a in range(m):
        j = members[a]
        square, slope[a] = 0.0, 0.0
        for k in range(A):
            forms[k, a] = C[j, k] / q[k]
            square += forms[k, a] * forms[k, a]
        scale[a] = 1.0 / np.sqrt(square)
        for k in range(A):
            forms[k, a] *= scale[a]
            slope[a] += forms[k, a]
    e = r = A
    for equations in (False, True):
        for k in range(A):
            if binding[k] and (give[k] > 0.0) == equations:
                for a in range(m):
                    j = members[a]  # the difference first: equal costs leave an exact 0
                    forms[r, a] = scale[a] * ((C[j, k] - C[j, t]) + give[k] * C[j, k]) / q[k]
                r += 1
        if not equations:
            e = r
    return e, r


@kernel(inner=True)
def _begin(first, start, members, m, r, A, forms, slope, scale, x, other):
    """Into ``x``: from ``first`` towards ``start``, a tenth of the way beyond where the answer is right."""
    total, other_total = 0.0, 0.0
    for a in range(m):
        x[a] = start[members[a]] / scale[a]
        other[a] = first[members[a]] / scale[a]
        total += slope[a] * x[a]
        other_total += slope[a] * other[a]
    for a in range(m):  # the length at which the forms' mean is 1
        x[a] *= A / total
        other[a] *= A / other_total if other_total > 0.0 else 0.0
    share = 0.0 if other_total > 0.0 else 1.0
    for k in range(A, r):
        here, there = _value(forms, k, r, m, other), _value(forms, k, r, m, x)
        if here < 0.0:
            share = max(share, here / (here - there))
    share += 0.1 * (1.0 - share)
    for a in range(m):
        x[a] = share * x[a] + (1.0 - share) * other[a]


@kernel(inner=True)
def _follow(forms, slope, m, e, r, A, barrier, x, values, dual, moves, change, step, factor):
    """The method itself: from ``x`` to the weighted centre, where ``dual * value = weight``.

    ``values`` holds the forms, then ``x``; ``moves`` and ``change`` are the steps of ``values`` and ``dual``.
    """
    weight = _FIRST
    for k in range(r + m):
        values[k] = _value(forms, k, r, m, x)
        dual[k] = _weight(k, A, e, r, barrier, weight) / values[k]
    for _ in range(_ROUNDS):
        _direction(forms, slope, m, e, r, A, barrier, weight, values, dual, change, step, factor)
        length, dual_length, moved = 1.0, 1.0, 0.0
        for k in range(r + m):
            moves[k] = _value(forms, k, r, m, step)
            ratio = moves[k] / values[k]
            change[k] = _weight(k, A, e, r, barrier, weight) / values[k] - dual[k] * (1.0 + ratio)
            length = min(length, -0.95 / ratio) if ratio < 0.0 else length
            dual_length = min(dual_length, -0.95 * dual[k] / change[k]) if change[k] < 0.0 else dual_length
            if k < A or k >= r:
                moved += abs(ratio)
        if not moved < np.inf:
            return  # this is as near as numbers go
        for a in range(m):
            x[a] += length * step[a]
        for k in range(r + m):  # not computed afresh: so they cannot turn negative by rounding
            values[k] += length * moves[k]
            dual[k] += dual_length * change[k]
        if weight == _LAST and moved < 1e-6:  # so near, a step squares the error
            return
        shorter = min(length, dual_length)
        if shorter >= 0.1:
            weight = max(_LAST, weight * (0.01 if shorter > 0.5 else 0.3))


@kernel(inner=True)
def _value(forms, k, r, m, x):
    """Form ``k`` at ``x``; beyond the forms come the entries of ``x``."""
    if k >= r:
        return x[k - r]
    total = 0.0
    for a in range(m):
        total += forms[k, a] * x[a]
    return total


@kernel(inner=True)
def _weight(k, A, e, r, barrier, weight):
    """Weight of the logarithm ``k``."""
    if k < A:
        return 1.0
    if k < r:
        return weight if k < e else _LAST  # the room of an equation is too narrow for more
    return max(barrier, weight)


@kernel(inner=True)
def _direction(forms, slope, m, e, r, A, barrier, weight, values, dual, change, step, factor):
    """Newton's step for ``slope = sum of dual * form`` and ``dual * value = weight``, by Cholesky factors.

    ``change`` serves as room.
    """
    for k in range(r):
        change[k] = dual[k] / values[k]
    for a in range(m):
        step[a] = max(barrier, weight) / values[r + a] - slope[a]
    for k in range(r):
        pull = _weight(k, A, e, r, barrier, weight) / values[k]
        for a in range(m):
            step[a] += pull * forms[k, a]
    for a in range(m):
        for b in range(a + 1):
            total = dual[r + a] / values[r + a] if a == b else 0.0
            for k in range(r):
                total += change[k] * forms[k, a] * forms[k, b]
            for c in range(b):
                total -= factor[a, c] * factor[b, c]
            factor[a, b] = np.sqrt(max(total, 1e-15)) if a == b else total / factor[b, b]
        for c in range(a):
            step[a] -= factor[a, c] * step[c]
        step[a] /= factor[a, a]
    for a in range(m - 1, -1, -1):
        for c in range(a + 1, m):
            step[a] -= factor[c, a] * step[c]
        step[a] /= factor[a, a]
