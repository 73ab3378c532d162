"""Probabilities that fewer answers than classes leave open: of those that explain the margins, the nearest to the
classes' shares.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, logsumexp

from csboost.angle.simplex import vertices
from csboost.link.interface import Array

__all__ = ["nearest_to_shares"]

_BLOCK = 5_000_000  # numbers of the systems that are solved at once
_STEPS = 60  # a row takes about 8
_LEAST = 1e-12  # rows of wider range are not tried
_LONGEST = 30.0  # by how much a step may change a logarithm
_FOUND = 1e-11  # how unequal the ratios ``E_a / q_a`` may stay, relative to them


def nearest_to_shares(q: Array, C: Array, shares: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The ``p`` with ``C' p`` proportional to ``q`` that has the least Kullback-Leibler divergence from the shares.

    Its ``p_j`` are proportional to ``shares_j exp(-lam' v_j)``, where ``v_j`` says how unequal the ratios ``C[j, a] /
    q_a`` are and ``lam`` minimises the convex ``log sum_j shares_j exp(-lam' v_j)`` (Csiszar 1975). There is one where
    ``q`` is inside the cone of the rows of ``C``.

    Parameters
    ----------
    q : ndarray of shape (n, A)
        With a largest entry of 1 per row.
    C : ndarray of shape (K, A)
        Rows = truth.
    shares : ndarray of shape (K,)
        Positive.

    Returns
    -------
    P : ndarray of shape (n, K)
    found : ndarray of shape (n,)
        Whether there is one, and within the range of numbers; elsewhere ``P`` is of no use.

    References
    ----------
    Csiszar, I. (1975), "I-divergence geometry of probability distributions and minimization problems", The Annals of
    Probability 3, 146-158, doi:10.1214/aop/1176996454.
    """
    P, found = np.zeros((len(q), len(C))), np.zeros(len(q), dtype=bool)
    rows, size = np.flatnonzero(q.min(axis=1) > _LEAST), max(1, _BLOCK // C.size)
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        P[block], found[block] = _of_block(q[block], C, np.log(shares))
    return P, found


def _of_block(q: Array, C: Array, log_shares: Array) -> tuple[Array, NDArray[np.bool_]]:
    ratios = C / q[:, None, :]  # (n, K, A)
    ratios /= ratios.max(axis=(1, 2), keepdims=True)
    unequal = ratios @ vertices(C.shape[1])  # (n, K, A - 1): 0 where all ratios are the same
    lam = np.zeros((len(q), unequal.shape[2]))
    P, found, rows = np.zeros((len(q), len(C))), np.zeros(len(q), dtype=bool), np.arange(len(q))
    for _ in range(_STEPS):
        v = unequal[rows]
        tilt = np.einsum("nkb,nb->nk", v, lam[rows])
        P[rows] = p = np.exp(log_softmax(log_shares - tilt, axis=1))
        level = np.einsum("nk,nka->na", p, ratios[rows])
        found[rows] = np.ptp(level, axis=1) <= _FOUND * level.mean(axis=1)
        open_ = ~found[rows] & ~(tilt > 0).all(axis=1)  # all positive: lam could grow for ever, so there is none
        rows, v, p, tilt = rows[open_], v[open_], p[open_], tilt[open_]
        if not rows.size:
            break
        lam[rows] += _newton(v, p, tilt, log_shares)
    return P, found


def _newton(v: Array, p: Array, tilt: Array, log_shares: Array) -> Array:
    """Newton's steps, halved until they go down."""
    mean = np.einsum("nk,nkb->nb", p, v)
    bends = np.einsum("nk,nkb,nkc->nbc", p, v, v) - mean[:, :, None] * mean[:, None, :]
    ridge = 1e-13 * np.trace(bends, axis1=1, axis2=2)[:, None, None] + 1e-30
    step = np.linalg.solve(bends + ridge * np.eye(v.shape[2]), mean[:, :, None])[:, :, 0]
    moved, slope = np.einsum("nkb,nb->nk", v, step), (mean * step).sum(axis=1)
    start = logsumexp(log_shares - tilt, axis=1)
    length = np.minimum(1.0, _LONGEST / np.maximum(np.abs(moved).max(axis=1), 1e-300))
    for _ in range(40):
        value = logsumexp(log_shares - tilt - length[:, None] * moved, axis=1)
        too_far = value > start - 1e-4 * length * slope + 1e-15
        if not too_far.any():
            break
        length[too_far] /= 2
    return length[:, None] * step
