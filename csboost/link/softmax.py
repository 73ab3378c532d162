"""SAMME's link: a softmax of the scores (Zhu, Zou, Rosset & Hastie 2009, section 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from csboost.link.interface import Array

__all__ = ["SoftmaxLink"]


@dataclass(frozen=True, eq=False)
class SoftmaxLink:
    """Scores that are ``K/(K-1) (log(w_k P_k) - mean)`` at the minimum of the loss.

    So ``P_k`` is proportional to ``exp((K-1)/K score_k) / w_k``.

    Attributes
    ----------
    weights : ndarray of shape (K,)
        With what weight the fit starts a row of each class: ``w_k``, not negative. Of a class of weight 0 the scores
        tell nothing; it gets probability 0.
    cost_matrix : ndarray of shape (K, K)
        Rows = truth.
    """

    weights: Array
    cost_matrix: Array

    def estimate(self, scores: Array) -> tuple[Array, Array]:
        """Probabilities (n, K) and expected costs (n, K); see :class:`csboost.link.Link`."""
        positive = self.weights > 0
        log_weights = np.log(self.weights, where=positive, out=np.full(len(positive), np.inf))
        P = softmax(scores * (1.0 - 1.0 / scores.shape[1]) - log_weights, axis=1)
        return P, P @ self.cost_matrix
