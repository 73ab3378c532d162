"""Nearest solutions of the link's equations among those whose cheapest answer is given: one small problem per row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csboost.link.interface import Array
from csboost.link.kernel import kernel
from csboost.link.triangular import factorise, solve_lower, solve_upper

__all__ = ["nearest_with_answer"]

_FIRST, _LAST = 3e-3, 1e-12  # weight of the barrier that keeps the answer cheapest: at the start, at the end
_ROUNDS = 60  # a row takes about 8


class _Programme(NamedTuple):
    """What is to be minimised for one row, in scaled ``x``: ``slope' x`` less weighted logarithms of the forms.

    The forms are ``E_k / q_k``, then ``(E_k - E_t) / q_k`` of the binding constraints, those with ``give`` (equations)
    last; beyond them come the entries of ``x`` themselves.
    """

    forms: Array  # (2 A, J)
    slope: Array  # (J,) sum of the forms of the first kind
    n_costs: int  # A: how many these are
    equations: int  # where the equations begin
    n_forms: int  # where all end
    n_truths: int  # entries of x


class _Path(NamedTuple):
    """Where the method stands."""

    x: Array  # (J,)
    values: Array  # (2 A + J,) of what logarithms are taken
    dual: Array  # (2 A + J,)
    moves: Array  # (2 A + J,) the step of the values
    change: Array  # (2 A + J,) the step of the dual variables
    step: Array  # (J,) the step of x
    factor: Array  # (J, J) scratch


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

    the function of :func:`csboost.link.nonnegative.nearest_in_proportion`. A weight of 1e-12 on the logarithms of
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
    logs = np.empty((4, 2 * A + J))
    path = _Path(np.empty(J), logs[0], logs[1], logs[2], logs[3], np.empty(J), np.empty((J, J)))
    for i in range(n):
        t = answers[i]
        m = 0
        for j in range(J):
            if start[t, j] > 0.0:
                members[m] = j
                m += 1
        _scaled_costs(q[i], C, members[:m], forms, slope, scale)
        equations, n_forms = _leads(q[i], C, t, members[:m], binding[t], give[t], forms, scale)
        programme = _Programme(forms, slope, A, equations, n_forms, m)
        for a in range(m):
            path.x[a] = start[t, members[a]] / scale[a]
            path.step[a] = first[i, members[a]] / scale[a]
        _begin(programme, path.x, path.step)
        _follow(programme, barrier[i], path)
        for a in range(m):
            result[i, members[a]] = path.x[a] * scale[a]
    return result


@kernel(inner=True)
def _scaled_costs(q, C, members, forms, slope, scale):
    """The forms ``E_k / q_k`` of the truths ``members``, scaled to columns of length 1, and their sum ``slope``."""
    A = len(q)
    for a in range(len(members)):
        j = members[a]
        square, slope[a] = 0.0, 0.0
        for k in range(A):
            forms[k, a] = C[j, k] / q[k]
            square += forms[k, a] * forms[k, a]
        scale[a] = 1.0 / np.sqrt(square)
        for k in range(A):
            forms[k, a] *= scale[a]
            slope[a] += forms[k, a]


@kernel(inner=True)
def _leads(q, C, t, members, binding, give, forms, scale):
    """The forms of the binding constraints behind those of the costs; returns where equations begin and all end."""
    A = len(q)
    e = r = A
    for equations in (False, True):
        for k in range(A):
            if binding[k] and (give[k] > 0.0) == equations:
                for a in range(len(members)):
                    j = members[a]  # the difference first: equal costs leave an exact 0
                    forms[r, a] = scale[a] * ((C[j, k] - C[j, t]) + give[k] * C[j, k]) / q[k]
                r += 1
        if not equations:
            e = r
    return e, r


@kernel(inner=True)
def _begin(programme, x, other):
    """Move ``x``, where the answer is right, to a tenth of the way beyond the point towards ``other`` where it still
    is. ``other`` is overwritten.
    """
    total, other_total = 0.0, 0.0
    for a in range(programme.n_truths):
        total += programme.slope[a] * x[a]
        other_total += programme.slope[a] * other[a]
    for a in range(programme.n_truths):  # the length at which the forms' mean is 1
        x[a] *= programme.n_costs / total
        other[a] *= programme.n_costs / other_total if other_total > 0.0 else 0.0
    share = 0.0 if other_total > 0.0 else 1.0
    for k in range(programme.n_costs, programme.n_forms):
        here, there = _value(programme, k, other), _value(programme, k, x)
        if here < 0.0:
            share = max(share, here / (here - there))
    share += 0.1 * (1.0 - share)
    for a in range(programme.n_truths):
        x[a] = share * x[a] + (1.0 - share) * other[a]


@kernel(inner=True)
def _follow(programme, barrier, path):
    """The method itself: from ``x`` to the weighted centre, where ``dual * value = weight``."""
    x, step, values, dual, moves, change = path.x, path.step, path.values, path.dual, path.moves, path.change
    n_logs = programme.n_forms + programme.n_truths
    weight = _FIRST
    for k in range(n_logs):
        values[k] = _value(programme, k, x)
        dual[k] = _weight(programme, k, barrier, weight) / values[k]
    for _ in range(_ROUNDS):
        _direction(programme, barrier, weight, path)
        length, dual_length, moved = 1.0, 1.0, 0.0
        for k in range(n_logs):
            moves[k] = _value(programme, k, step)
            ratio = moves[k] / values[k]
            change[k] = _weight(programme, k, barrier, weight) / values[k] - dual[k] * (1.0 + ratio)
            length = min(length, -0.95 / ratio) if ratio < 0.0 else length
            dual_length = min(dual_length, -0.95 * dual[k] / change[k]) if change[k] < 0.0 else dual_length
            if k < programme.n_costs or k >= programme.n_forms:
                moved += abs(ratio)
        if not moved < np.inf:
            return  # this is as near as numbers go
        for a in range(programme.n_truths):
            x[a] += length * step[a]
        for k in range(n_logs):  # not computed afresh: so they cannot turn negative by rounding
            values[k] += length * moves[k]
            dual[k] += dual_length * change[k]
        if weight == _LAST and moved < 1e-6:  # so near, a step squares the error
            return
        shorter = min(length, dual_length)
        if shorter >= 0.1:
            weight = max(_LAST, weight * (0.01 if shorter > 0.5 else 0.3))


@kernel(inner=True)
def _value(programme, k, x):
    """Form ``k`` at ``x``; beyond the forms come the entries of ``x``."""
    if k >= programme.n_forms:
        return x[k - programme.n_forms]
    total = 0.0
    for a in range(programme.n_truths):
        total += programme.forms[k, a] * x[a]
    return total


@kernel(inner=True)
def _weight(programme, k, barrier, weight):
    """Weight of the logarithm ``k``."""
    if k < programme.n_costs:
        return 1.0
    if k < programme.n_forms:
        return weight if k < programme.equations else _LAST  # the room of an equation is too narrow for more
    return max(barrier, weight)


@kernel(inner=True)
def _direction(programme, barrier, weight, path):
    """Newton's step for ``slope = sum of dual * form`` and ``dual * value = weight``; ``change`` serves as room."""
    forms, r, m = programme.forms, programme.n_forms, programme.n_truths
    values, dual, curvature, step, factor = path.values, path.dual, path.change, path.step, path.factor
    for k in range(r):
        curvature[k] = dual[k] / values[k]
    for a in range(m):
        step[a] = max(barrier, weight) / values[r + a] - programme.slope[a]
    for k in range(r):
        pull = _weight(programme, k, barrier, weight) / values[k]
        for a in range(m):
            step[a] += pull * forms[k, a]
    for a in range(m):
        for b in range(a + 1):
            total = dual[r + a] / values[r + a] if a == b else 0.0
            for k in range(r):
                total += curvature[k] * forms[k, a] * forms[k, b]
            factor[a, b] = total
    factorise(factor, m, 1e-15)
    solve_lower(factor, m, step)
    solve_upper(factor, m, step)
