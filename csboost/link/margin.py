"""From margins to expected costs and class probabilities (the paper, Theorem 2).

Answers need not be classes. At the population minimiser ``sum_j C[j, t] P_j = N q_t`` with ``q_t = -1 / l'(-M_t)`` and
one normaliser ``N`` per row, so ``P`` solves ``C' P = N q``. A fitted model is not the population minimiser:
where that solution has a negative entry, the probabilities are a point inside the simplex whose expected costs are near
to ``q`` in proportion, and least at the answer of largest margin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from csboost.angle.losses import MarginLoss, log_slopes
from csboost.link.equations import leaves_open, solve
from csboost.link.interface import Array
from csboost.link.tolerances import TIED_COSTS
from csboost.weak.matrix import sample_rows

__all__ = ["MarginLink", "inverse_slopes"]

_SCALE_WORK = 50_000_000  # rows times K^3 that the margins' scale is fitted on
_PRIOR_ROWS = 30  # so many rows that agree with the margins as they are hold their scale near 1


@dataclass(frozen=True, eq=False)
class MarginLink:
    """Margins that minimise the expected cost-weighted loss (the paper, Theorem 2).

    The estimates are exact at the population minimiser and carry the error of a fitted model elsewhere. The answer of
    largest margin is always the one of least expected cost (the lowest of several where margins tie; an answer that
    never costs anything ties with whatever costs 0). It need not be the most probable class. The exceptions are an
    answer that others dominate, so that no probabilities make it the cheapest (with costs of 0 on the diagonal of the
    matrix there is none), and costs that span more than ten powers of ten, where the leads of some answers are lost in
    rounding.

    Attributes
    ----------
    loss : MarginLoss
        With a ``log_slope`` method the result stays exact however large the margins.
    cost_matrix : array-like of shape (K, A)
        That of the fit, rows = truth, columns = answers; not negative, and right answers may cost something. If its
        rank is below K, as with fewer answers than classes, the margins do not determine the probabilities, and one
        solution is returned, in which a class whose row is 0 has probability 0.
        If a column is 0 (an answer that never costs), they say nothing at all: the result is ``shares``, among the
        classes for which the answer costs nothing.
    shares : array-like of shape (K,), optional
        Shares of the classes in the training data; equal ones by default. Used only where the margins leave open what
        the probabilities are.
    scale : float, default=1.0
        Factor on the margins.
    """

    loss: MarginLoss
    cost_matrix: ArrayLike
    shares: ArrayLike | None = None
    scale: float = 1.0

    @property
    def leaves_open(self) -> bool:
        """Whether many probabilities explain the same scores, as with fewer answers than classes."""
        return leaves_open(self.cost_matrix)

    def estimate(self, scores: ArrayLike) -> tuple[Array, Array]:
        """Class probabilities and expected costs, consistent with each other and with the answer.

        Parameters
        ----------
        scores : array-like of shape (n, A)
            Margins.

        Returns
        -------
        P : ndarray of shape (n, K)
            Rows are not negative and sum to 1.
        costs : ndarray of shape (n, A)
            In the unit of the matrix: ``N q`` where the link is exact; ``P @ C`` elsewhere. The two agree up to
            rounding.
        """
        margins = np.asarray(scores, dtype=np.float64)
        log_q = _log_inverse_slopes(self.scale * margins, self.loss)
        shares = np.ones(np.shape(self.cost_matrix)[0]) if self.shares is None else self.shares
        return solve(log_q, self.cost_matrix, margins.argmax(axis=1), shares)

    def rows_to_scale_by(self, n_rows: int) -> NDArray[np.int64]:
        """Which of ``n_rows`` rows tell the scale; of that many rows, all."""
        n_classes = np.shape(self.cost_matrix)[0]
        return sample_rows(n_rows, min(n_rows, max(20, _SCALE_WORK // n_classes**3)))  # a row takes K^3

    def scaled(self, margins: Array, y: NDArray[Any], weights: Array) -> MarginLink:
        """The link whose scale, from 1/4 to 4, makes the answers' expected cost what they cost held-out rows.

        A fit that ends early leaves margins too short and expects too much, one that goes on for long makes them too
        long and expects too little. One factor mends that on average and moves no decision. (To choose it by likelihood
        lowers the log loss a little more, but then expected costs come out too low.)

        Parameters
        ----------
        margins : ndarray of shape (n, A)
            Of rows that the fit has not seen: training rows cost less than others.
        y : ndarray of shape (n,)
            Class numbers.
        weights : ndarray of shape (n,)

        Returns
        -------
        MarginLink
            Where no factor in the range will do, its scale is the end that comes nearer; 1 where the factor makes no
            difference.
        """
        C, few = np.asarray(self.cost_matrix, dtype=np.float64), self.rows_to_scale_by(len(y))
        margins, y, weights = margins[few], y[few], weights[few]
        rows, answers = np.arange(len(y)), margins.argmax(axis=1)

        def expected(log_scale: float) -> float:
            costs = replace(self, scale=np.exp(log_scale)).estimate(margins)[1][rows, answers]
            return float(np.average(costs, weights=weights))

        realised = float(np.average(C[y, answers], weights=weights))
        target = (len(y) * realised + _PRIOR_ROWS * expected(0.0)) / (len(y) + _PRIOR_ROWS)
        low, high = -np.log(4.0), np.log(4.0)
        too_low, too_high = expected(low) - target, expected(high) - target
        if too_low == too_high:
            return replace(self, scale=1.0)
        if too_low * too_high >= 0:
            return replace(self, scale=0.25 if abs(too_low) < abs(too_high) else 4.0)
        log_scale = brentq(lambda log_scale: expected(log_scale) - target, low, high, xtol=1e-3)
        return replace(self, scale=float(np.exp(log_scale)))


def inverse_slopes(margins: ArrayLike, loss: MarginLoss) -> Array:
    """``q_k = -1 / l'(-M_k)``, to which the expected costs are proportional, scaled to a largest entry of 1 per row.

    Only proportions within a row carry meaning; the scaling keeps large margins from overflowing.

    Parameters
    ----------
    margins : array-like of shape (n, A)
    loss : MarginLoss
        With a ``log_slope`` method the result stays exact however large the margins.

    Returns
    -------
    ndarray of shape (n, A)
        In [0, 1].
    """
    return np.exp(_log_inverse_slopes(margins, loss))


def _log_inverse_slopes(margins: ArrayLike, loss: MarginLoss) -> Array:
    """``log q``, with a largest entry of 0 per row."""
    z = -np.asarray(margins, dtype=np.float64)
    log_slope = log_slopes(loss, z)
    return _order_ties(log_slope.min(axis=1, keepdims=True) - log_slope, -z)


def _order_ties(log_q: Array, margins: Array) -> Array:
    """Where ``l'`` is flat, let the answer of larger margin win by a hair, as it does in ``predict``."""
    tied = (np.diff(np.sort(log_q, axis=1), axis=1) < TIED_COSTS).any(axis=1)
    ranks = np.argsort(np.argsort(-margins[tied], axis=1, kind="stable"), axis=1)
    log_q[tied] += TIED_COSTS * (ranks - (log_q.shape[1] - 1))
    return log_q
