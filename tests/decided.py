"""Probabilities and tables that decisions are tried on, and expected costs by plain sums."""

from __future__ import annotations

import numpy as np
import pandas as pd

P3 = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.4, 0.35, 0.25]])
GRADES = ["fair", "good", "poor"]
TABLE = pd.DataFrame(
    [[0.0, 1.0, 2.0, 0.5], [4.0, 0.0, 1.0, 0.5], [9.0, 5.0, 0.0, 0.5]],
    index=["good", "fair", "poor"],
    columns=["good", "fair", "poor", "human"],
)


def random_probabilities(n, K, seed):
    return np.random.default_rng(seed).dirichlet(np.ones(K), size=n)


def by_hand(P, tables):
    """Expected costs (n, A) by plain sums; ``tables`` (n, K, A)."""
    n, K = P.shape
    A = tables.shape[2]
    return np.array([[sum(P[i, j] * tables[i, j, a] for j in range(K)) for a in range(A)] for i in range(n)])
