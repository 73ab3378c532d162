"""Problems of vector leaves whose gradients lie on the grid, so that sums are exact here and in the package."""

from __future__ import annotations

import numpy as np

from csboost.weak.binned import Binned
from csboost.weak.channels import GRADIENTS, Channels
from csboost.weak.grower import Grower
from csboost.weak.interface import VECTOR
from csboost.weak.rows import Rows

POINTS = 2.0**16  # of the grid per unit


class Problem:
    """Random rows, some left out; columns of quantities, then of categories."""

    def __init__(self, n, d, K, seed, n_categorical=0, missing=0.0, left_out=0.0, values=60):
        rng = np.random.default_rng(seed)
        self.n_classes, self.categorical = K, np.arange(d) >= d - n_categorical
        self.labels = rng.integers(0, K, n)
        shifts = rng.integers(0, 1 + values // 8, d)
        self.X = np.minimum(rng.integers(0, values, (n, d)) + self.labels[:, None] * shifts, 250) / 8.0
        numbers = rng.integers(0, 9, (n, d)) + self.labels[:, None] * rng.integers(0, 2, (n, d))
        self.X[:, self.categorical] = numbers[:, self.categorical]
        self.X[rng.random(self.X.shape) < missing] = np.nan
        P = rng.dirichlet(np.ones(K), n)
        self.weights = np.where(rng.random(n) < left_out, 0.0, rng.gamma(4.0, 0.25, n))
        own = np.eye(K)[self.labels]
        on_grid = np.rint(np.stack([own - P, P * (1.0 - P)]) * self.weights[:, None] * POINTS) / POINTS
        self.G, self.H = on_grid

    def channels(self):
        weights = np.ascontiguousarray(np.column_stack([self.G, self.H, self.weights]))
        total = (2.0**31 - 2.0 - weights.size) / POINTS
        assert np.abs(weights).sum(axis=0).max() < total
        return Channels(weights, GRADIENTS, total)

    def grower(self, X=None, n_threads=1, max_leaves=8, n_rounds=1):
        X, rows = self.X if X is None else X, Rows(len(self.X), n_threads)
        binned = Binned(X, None, rows, self.categorical)
        return Grower(binned, rows, self.labels, self.n_classes, VECTOR, max_leaves, n_rounds)

    def grow(self, search, **how):
        """The rule, its leaves' sums copied, and the grower."""
        grower = self.grower(**how)
        rule = grower.grow(0, self.channels(), search)
        grower.close()
        return rule, grower
