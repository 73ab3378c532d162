"""What a weak learner and the rule it finds must offer to a booster."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Rule(NamedTuple):
    """A weak rule as a booster sees it: a partition of the training rows into leaves.

    A tree's leaves are its own; a classifier that is not a tree has one "leaf" per class it may answer.
    """

    leaf_of_row: np.ndarray  # (n,) uint16
    sums: np.ndarray  # (leaves, lanes) channel sums per leaf
    tie: float  # sums closer than this are equal

    def labels(self) -> np.ndarray:
        """Leaf outputs of the label rule (leaves,): the class of largest sum, the lowest among ties."""
        return np.argmax(self.sums >= self.sums.max(axis=1, keepdims=True) - self.tie, axis=1)

    def votes(self) -> np.ndarray:
        """Leaf outputs of the votes rule (leaves, K): whether the class's sum is positive."""
        return self.sums > self.tie
