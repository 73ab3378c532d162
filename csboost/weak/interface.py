"""What a weak learner and the rule it finds must offer to a booster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from csboost.problem import Problem
    from csboost.weak.channels import Channels
    from csboost.weak.layout import Search
    from csboost.weak.rows import Rows

TIE = 1e-10  # sums closer than this, relative to the channels' mass, are ties
LABEL, VOTES, CONFIDENCE, VECTOR = range(4)  # the leaf rules: what a leaf is scored by (csboost.weak.rules)


class Rule(NamedTuple):
    """A weak rule as a booster sees it: a partition of the training rows into leaves.

    A tree's leaves are its own; a classifier that is not a tree has one "leaf" per class that it may answer.
    """

    leaf_of_row: np.ndarray  # (n,) uint16
    sums: np.ndarray  # (leaves, lanes) channel sums
    tie: float  # sums closer than this are equal
    labels: np.ndarray  # (leaves,) outputs of the label rule: the class of largest sum, the lowest among ties
    chosen: float  # total of the sums at the labels


class BoundLearner(Protocol):
    """A weak learner bound to one training set: it grows one rule after another on the same rows."""

    rows: Rows
    labels: np.ndarray  # (n,)

    def grow(self, m: int, channels: Channels, search: Search | None = None) -> Rule:
        """The rule of round ``m``; it is valid until the next call. ``search`` is for vector leaves."""

    def skip(self, n_rounds: int) -> None:
        """Draw what so many rounds before the first one drew: a fit goes on with their rules."""

    def leaves(self, X: np.ndarray, m: int) -> np.ndarray:
        """Leaf numbers (n,) of other rows under the rule of round ``m``."""

    def rules(self, n_rounds: int) -> Any:
        """The first rules, for prediction: a :class:`~csboost.weak.forest.Forest`, or a list of objects with
        ``apply(X)``.
        """

    def close(self) -> None:
        """Release threads."""


class WeakLearner(Protocol):
    """What ``weak_learner=`` accepts."""

    def bind(
        self, problem: Problem, rule: int, n_rounds: int, n_threads: int, rng: np.random.RandomState
    ) -> BoundLearner:
        """Prepare for ``n_rounds`` rounds with one of the leaf rules of :mod:`csboost.weak.rules`."""
