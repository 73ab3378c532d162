"""AdaBoost.MH as the published numbers have it: K separate one-versus-rest AdaBoosts.

A vote of "not this class" counts nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.published.booster import PublishedBooster
from bench.published.stump import gini_stump, rows_below
from bench.published.votes import NO_VOTE
from csboost._jit import kernel


@kernel
def binary_round(weight, inside, votes):
    """Update the row weights (n,) in place after the ``votes`` (n,) on being ``inside``; return the coefficient."""
    n_rows = weight.shape[0]
    total, error = 0.0, 0.0
    for i in range(n_rows):
        total += weight[i]
        error += weight[i] if votes[i] != inside[i] else 0.0
    error /= total
    if error == 0.0:
        return 1.0
    coefficient = np.log((1.0 - error) / error)
    factor = np.exp(coefficient)
    total = 0.0
    for i in range(n_rows):
        weight[i] *= factor if votes[i] != inside[i] else 1.0
        total += weight[i]
    for i in range(n_rows):
        weight[i] /= total
    return coefficient


class AdaBoostMH(PublishedBooster):
    """One-versus-rest discrete AdaBoost on Gini stumps with votes of 0 and 1, trained without costs."""

    min_leaf = 7  # rows; the default of R's rpart, a third of 20

    def fit(self, X: Any, y: Any) -> AdaBoostMH:
        """Boost each class against the rest; see :meth:`PublishedBooster.fit`."""
        self.stumps_per_round = len(np.unique(np.asarray(y)))
        super().fit(X, y)
        return self

    def _boost(self, codes: np.ndarray, y: np.ndarray, costs: np.ndarray) -> None:
        counts = rows_below(codes)
        n_classes = self.stumps_per_round
        for k in range(n_classes):
            inside = y == k
            weight = np.full(len(y), 1.0 / len(y))
            for m in range(self.rounds):
                feature, code, left, right = gini_stump(codes, counts, inside, weight, self.min_leaf)
                votes = np.where(codes[feature] <= code, left, right)
                rule = m * n_classes + k
                self.rules_[rule] = feature, code, k if left else NO_VOTE, k if right else NO_VOTE
                self.weights_[rule] = binary_round(weight, inside, votes)
