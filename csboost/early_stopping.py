"""Early stopping: the cost of held-out rows, watched from round to round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from csboost.boosting import Round

if TYPE_CHECKING:
    from csboost.problem import Problem
    from csboost.weak.interface import BoundLearner

__all__ = ["EarlyStopping"]


class EarlyStopping:
    """Watches the mean cost of held-out rows and remembers the best round.

    Parameters
    ----------
    validation : Problem
        The held-out rows.
    learner : BoundLearner
        Whose rules are watched.
    patience : int
        Rounds to wait for a lower cost.
    start : float
        The score of every class before the first round.
    """

    def __init__(self, validation: Problem, learner: BoundLearner, patience: int, start: float):
        self.validation, self.learner, self.patience = validation, learner, patience
        self.sums = np.full(validation.costs.shape, start)
        self.best_cost, self.best_round = np.inf, 0

    def stops(self, m: int, round_: Round) -> bool:
        """Take round ``m`` in; whether ``patience`` rounds have passed without a lower cost."""
        leaves = self.learner.leaves(self.validation.X, m)
        rows = np.arange(len(leaves))
        if round_.outputs.ndim == 1:
            self.sums[rows, round_.outputs[leaves]] += round_.weight
        else:
            self.sums += round_.weight * round_.outputs[leaves]
        cost = self.validation.costs[rows, self.sums.argmax(axis=1)].sum()
        if cost < self.best_cost:
            self.best_cost, self.best_round = cost, m
        return m - self.best_round >= self.patience
