"""What the reference boosters return, and what they share."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .tree import Tree


@dataclass
class Boosted:
    """A boosted sum of hypotheses.

    Attributes
    ----------
    start : float
        The score of every class before the first round: 0, for p-norm boosting 1/K.
    rounds : list of dict
        Per round: `tree`; `hypothesis`, a function X -> (n, K); `beta`, the raw step; `step`, the step as applied
        (times the learning rate); `error`, the quantity that decides on stopping (see each booster); and `keep`, the
        factor on the scores before the hypothesis is added, 1 everywhere except in p-norm boosting.
    margins : list of ndarray (n, K)
        Scores of the training rows after each round.
    """

    K: int
    start: float = 0.0
    rounds: list[dict] = field(default_factory=list)
    margins: list[np.ndarray] = field(default_factory=list)

    def add(self, scores: np.ndarray, **entry) -> None:
        self.rounds.append({"keep": 1.0, **entry})
        self.margins.append(scores.copy())

    def predict_scores(self, X: np.ndarray) -> np.ndarray:
        """Scores (n, K); the prediction is their argmax."""
        scores = np.full((len(X), self.K), self.start)
        for entry in self.rounds:
            scores = entry["keep"] * scores + entry["step"] * entry["hypothesis"](X)
        return scores


def hypothesis_of(tree: Tree, output):
    """The function X -> (n, K) that looks up ``output(sums)`` of each row's leaf."""
    table = {leaf: output(tree.sums[leaf]) for leaf in tree.leaves}
    return lambda X: np.array([table[leaf] for leaf in tree.apply(X)])


def normalised(weights: np.ndarray) -> np.ndarray:
    total = weights.sum()
    if not total > 0:
        raise ValueError("the weights sum to zero: every cost or every sample weight is zero")
    return weights / total


def no_weak_rule(round_index: int) -> None:
    """Called when a rule is no better than guessing: fatal in the first round, the end of the fit later."""
    if round_index == 0:
        raise ValueError("the first rule is no better than guessing")
