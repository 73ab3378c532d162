"""Class probabilities from the odds of one yes-or-no question per class (AdaBoost.MH)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from csboost.link.interface import Array

__all__ = ["OddsLink", "probabilities"]

_LEAST_LINK = 1e-10  # share of the largest weight that replaces smaller ones: every class must be tied to every other
_LOG_RANGE = 60.0  # odds of one row beyond this factor of each other change nothing


@dataclass(frozen=True, eq=False)
class OddsLink:
    """Scores ``H`` that are half the log odds of one question per class, as at the minimum of AdaBoost.MH's loss.

    The loss ``sum_l D[y, l] exp(-Y_l H_l)``, with starting weights ``D``, has its minimum at ``2 H_l = log(D[l, l] P_l)
    - log(sum over j other than l of D[j, l] P_j)`` (Schapire & Singer 1999).

    Attributes
    ----------
    weights : ndarray of shape (K, K)
        ``D`` by class: with what weight the fit starts the question about ``l`` for a row of class ``j``.
    cost_matrix : ndarray of shape (K, K)
        Rows = truth.
    """

    weights: Array
    cost_matrix: Array

    def estimate(self, scores: Array) -> tuple[Array, Array]:
        """Probabilities (n, K) and expected costs (n, K); see :class:`csboost.link.Link`."""
        P = probabilities(2.0 * scores, self.weights)
        return P, P @ self.cost_matrix


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
    from csboost.link.perron import perron_vectors  # a kernel: imported where rows need it

    own = np.diag(weights).copy()
    asked = own > 0
    log_odds = log_odds - np.log(own, where=asked, out=np.zeros_like(own))
    highest = log_odds[:, asked].max(axis=1, keepdims=True)
    root = np.exp(0.5 * np.maximum(log_odds - highest, -_LOG_RANGE))
    root[:, ~asked] = 0.0
    others = np.maximum(weights, _LEAST_LINK * weights.max())
    np.fill_diagonal(others, 0.0)
    return perron_vectors(root, others / others.max())
