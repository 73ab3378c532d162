"""Early stopping: the cost of held-out rows, watched from round to round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from csboost.boosting import Round
from csboost.weak.rows import Rows

if TYPE_CHECKING:
    from csboost.problem import Problem
    from csboost.weak.interface import BoundLearner

__all__ = ["EarlyStopping", "drawn_cost"]

FALLEN = 1.0 - 1e-9  # of the least so far: less has not fallen


class EarlyStopping:
    """Watches the mean cost of held-out rows and remembers the best round.

    What the answers cost is a step function of the scores: with few rows it ties for many rounds, and falls by chance.
    So what answers would cost that are drawn by the scores (:func:`drawn_cost`), which moves with every round, stands
    beside it. The fit goes on while either of them falls, and the best round is the one of least sum.

    Parameters
    ----------
    validation : Problem
        The held-out rows.
    learner : BoundLearner
        Whose rules are watched.
    patience : int
        Rounds to wait for a lower cost.
    start : float
        The score of every answer before the first round.
    rows : Rows, optional
        The blocks of the held-out rows; by default there are no other machines.

    Attributes
    ----------
    best_round : int
    curve : list of (float, float)
        Both total costs after each round.
    """

    def __init__(
        self, validation: Problem, learner: BoundLearner, patience: int, start: float, rows: Rows | None = None
    ):
        self.validation, self.learner, self.patience = validation, learner, patience
        self.rows = Rows(len(validation.costs)) if rows is None else rows
        self.sums = np.full(validation.costs.shape, start)
        self.best_round, self._least_sum = 0, np.inf
        self._least, self._fell = np.array([np.inf, np.inf]), 0
        self.curve: list[tuple[float, float]] = []

    def stops(self, m: int, round_: Round) -> bool:
        """Take round ``m`` in; whether ``patience`` rounds have passed without a lower cost."""
        leaves = self.learner.leaves(self.validation.X, m)
        rows = np.arange(len(leaves))
        if round_.outputs.ndim == 1:
            self.sums[rows, round_.outputs[leaves]] += round_.weight
        else:
            self.sums += round_.weight * round_.outputs[leaves]
        costs = self.validation.costs
        paid = self.rows.sum(costs[rows, self.sums.argmax(axis=1)])
        found = np.array([paid, drawn_cost(self.sums, costs, self.rows)])
        self.curve.append((float(found[0]), float(found[1])))
        if (found < FALLEN * self._least).any():
            self._fell = m
        self._least = np.minimum(self._least, found)
        if found.sum() < FALLEN * self._least_sum:
            self.best_round, self._least_sum = m, float(found.sum())
        return m - self._fell >= self.patience


def drawn_cost(scores: NDArray[np.float64], costs: NDArray[np.float64], rows: Rows | None = None) -> float:
    """Total cost of answers drawn with the softmax of the scores, which are divided by their spread.

    The spread is the root mean square of what the scores of all rows differ by from the mean of their row, so that
    neither the length of the steps nor the number of rounds matters.

    Parameters
    ----------
    scores : ndarray of shape (n, A)
    costs : ndarray of shape (n, A)
        What each answer costs each row.
    rows : Rows, optional
        Their blocks; by default there are no other machines.
    """
    rows = Rows(len(scores)) if rows is None else rows
    with np.errstate(invalid="ignore"):  # of infinite scores
        lead = scores - scores.mean(axis=1, keepdims=True)
    largest = rows.most(float(np.abs(lead).max(initial=0.0)))
    if not 0.0 < largest < np.inf:  # nothing is told apart, or too large for numbers
        return rows.sum(costs.mean(axis=1))
    lead /= largest
    spread = np.sqrt(rows.sum(lead**2) / (rows.n_all * scores.shape[1]))
    return rows.sum(softmax(lead / spread, axis=1) * costs)
