"""The link of p-norm boosting: from a mixture of hypotheses to expected costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from csboost.link.equations import leaves_open, solve
from csboost.link.interface import Array

__all__ = ["MixtureLink"]


@dataclass(frozen=True, eq=False)
class MixtureLink:
    """Mixtures ``F`` that minimise ``sum_k E_k F_k^p`` over the simplex, ``E_k`` the expected cost of answer ``k``.

    At the minimum ``E_k F_k^(p-1)`` is the same for all ``k``, so ``E_k`` is proportional to ``F_k^-(p-1)``; the rest
    is that of the paper's Theorem 2 (:func:`csboost.link.equations.solve`). Derived here: Lozano & Abe (2008) give no
    link.

    Attributes
    ----------
    p : float
        The norm, above 1.
    cost_matrix : ndarray of shape (K, A)
        Rows = truth.
    shares : ndarray of shape (K,)
        Shares of the classes in the training data, for what the mixture leaves open.
    """

    p: float
    cost_matrix: Array
    shares: Array

    @property
    def leaves_open(self) -> bool:
        """Whether many probabilities explain the same scores, as with fewer answers than classes."""
        return leaves_open(self.cost_matrix)

    def estimate(self, scores: Array) -> tuple[Array, Array]:
        """Probabilities (n, K) and expected costs (n, A) from a mixture (n, A), positive; see
        :class:`csboost.link.Link`.
        """
        log_q = (1.0 - self.p) * np.log(scores)
        log_q -= log_q.max(axis=1, keepdims=True)
        return solve(log_q, self.cost_matrix, scores.argmax(axis=1), self.shares)
