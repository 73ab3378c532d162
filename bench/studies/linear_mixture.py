"""The other way to mix: a weighted mean of probabilities, by the weights that make held-out rows most likely."""

from __future__ import annotations

import numpy as np

from csboost.mixture.pooling import LEAST

STEPS = 100  # of expectation and maximisation


def linear_weights(members: list[np.ndarray], y: np.ndarray) -> np.ndarray:
    """Return the weights (m,) under which a mean of the ``members``, each (n, K), makes the classes (n,) likeliest.

    Rows that a member knows nothing of (NaN) do not count. See Dempster, A. P., Laird, N. M. and Rubin, D. B. (1977),
    "Maximum likelihood from incomplete data via the EM algorithm", Journal of the Royal Statistical Society B 39, 1-38,
    doi:10.1111/j.2517-6161.1977.tb01600.x.
    """
    found = np.full(len(members), 1.0 / len(members))
    known = ~np.isnan([P[:, 0] for P in members]).any(axis=0)
    likely = np.stack([np.maximum(P[known, y[known]], LEAST) for P in members], axis=1)
    for _ in range(STEPS):
        shares = found * likely
        found = np.mean(shares / shares.sum(axis=1, keepdims=True), axis=0)
    return found
