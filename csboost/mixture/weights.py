"""The weights of a mixture from the probabilities that its members gave to rows they had not seen."""

from __future__ import annotations

import numpy as np

__all__ = ["likelihoods", "log_loss_of", "mixture_weights"]

STEPS = 100  # of expectation and maximisation
LEAST = 1e-15  # a member that was sure of a wrong class is not ruled out by one row


def likelihoods(probabilities: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What each row's own class was given (n,), of ``probabilities`` (n, K)."""
    return np.maximum(probabilities[np.arange(len(y)), y], LEAST)


def log_loss_of(probabilities: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Mean log loss of ``probabilities`` (n, K) for the classes ``y`` (n,)."""
    return float(np.average(-np.log(likelihoods(probabilities, y)), weights=weights))


def mixture_weights(members: list[np.ndarray], y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weights (m,) under which a mixture of the ``members``, each (n, K), makes the classes ``y`` (n,) most likely.

    Rows that a member knows nothing of (NaN) do not count; without any others all members weigh the same. See
    Dempster, A. P., Laird, N. M. and Rubin, D. B. (1977), "Maximum likelihood from incomplete data via the EM
    algorithm", Journal of the Royal Statistical Society B 39, 1-38, doi:10.1111/j.2517-6161.1977.tb01600.x, and for
    weights from held-out rows Wolpert, D. H. (1992), "Stacked generalization", Neural Networks 5, 241-259,
    doi:10.1016/S0893-6080(05)80023-1.
    """
    found = np.full(len(members), 1.0 / len(members))
    known = ~np.isnan([P[:, 0] for P in members]).any(axis=0)
    if not known.any():
        return found
    likely = np.stack([likelihoods(P[known], y[known]) for P in members], axis=1)
    for _ in range(STEPS):
        shares = found * likely
        found = np.average(shares / shares.sum(axis=1, keepdims=True), axis=0, weights=weights[known])
    return found
