"""Links of the likelihoods: of plain margins, and of margins shifted by costs (the guess-averse loss)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from csboost.link.interface import Array

__all__ = ["GuessAverseLink", "MultinomialLink"]

_BLOCK = 20_000_000  # numbers in the matrices that are solved at once
_LOOSE = 1e-12  # keeps a chain whose classes never meet solvable


@dataclass(frozen=True, eq=False)
class MultinomialLink:
    """Margins that maximise the multinomial likelihood: probabilities are their softmax.

    Attributes
    ----------
    cost_matrix : ndarray of shape (K, A)
        Rows = truth.
    """

    cost_matrix: Array

    def estimate(self, scores: Array) -> tuple[Array, Array]:
        """Probabilities (n, K) and expected costs (n, A); see :class:`csboost.link.Link`."""
        P = softmax(scores, axis=1)
        return P, P @ self.cost_matrix


@dataclass(frozen=True, eq=False)
class GuessAverseLink:
    """Margins that minimise the guess-averse loss ``log(1 + sum_{k != y} C[y, k] exp(M_k - M_y))``.

    With ``q[y]`` the softmax of ``M + log C[y]`` (``C[y, y]`` read as 1), the derivative of the expected loss in ``M``
    vanishes where ``sum_y P_y q[y, k] = P_k``: the probabilities are the stationary ones of the chain that goes from
    ``y`` to ``k`` with probability ``q[y, k]``. Derived here: Beijbom et al. (2014) give no link.

    Attributes
    ----------
    cost_matrix : ndarray of shape (K, K)
        Rows = truth.
    scale : float
        The factor on costs with which the loss was formed.
    """

    cost_matrix: Array
    scale: float

    def estimate(self, scores: Array) -> tuple[Array, Array]:
        """Probabilities (n, K) and expected costs (n, K); see :class:`csboost.link.Link`."""
        K = scores.shape[1]
        size = max(1, _BLOCK // K**2)
        parts = [self._stationary(scores[start : start + size]) for start in range(0, len(scores), size)]
        P = np.concatenate(parts) if parts else np.empty((0, K))
        return P, P @ self.cost_matrix

    def _stationary(self, scores: Array) -> Array:
        shift = self.scale * self.cost_matrix
        np.fill_diagonal(shift, 1.0)
        odds = shift * np.exp(scores - scores.max(axis=1, keepdims=True))[:, None, :]
        K = len(shift)
        chain = (odds / odds.sum(axis=2, keepdims=True)) * (1.0 - _LOOSE) + _LOOSE / K
        # P (chain - I) = 0 with sum 1: adding 1 to every entry makes the system regular and its right side 1
        system = (chain - np.eye(K) + 1.0).transpose(0, 2, 1)
        P = np.maximum(np.linalg.solve(system, np.ones((len(scores), K, 1)))[:, :, 0], 0.0)
        return P / P.sum(axis=1, keepdims=True)
