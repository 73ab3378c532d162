"""Going on with a fit: ``warm_start``.

The rules that are there are not grown again: the booster takes them in one by one, as if they had just been found, and
goes on from there. So more rounds after a fit are those of one long fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from csboost.boosting import Round
from csboost.weak.forest import Forest
from csboost.weak.interface import LABEL, Rule

if TYPE_CHECKING:
    from csboost.ensemble import Ensemble
    from csboost.problem import Problem
    from csboost.weak.channels import Channels
    from csboost.weak.interface import BoundLearner
    from csboost.weak.layout import Search

__all__ = ["OTHER_RULES", "Resumed", "check_warm", "random_numbers"]

OTHER_RULES = (
    "warm_start goes on with rules of the kind that is there, but weak_learner or another parameter asks for other "
    "ones; set warm_start=False to start anew."
)


def check_warm(estimator: Any, problem: Problem) -> None:
    """Raise a ValueError where a fitted ``estimator`` cannot go on with the classes and answers of ``problem``, or is
    to have fewer rounds than there are.
    """
    if not np.array_equal(problem.classes, estimator.classes_):
        raise ValueError(
            f"warm_start goes on with the classes {estimator.classes_.tolist()}, but y has {problem.classes.tolist()}; "
            "set warm_start=False to start anew."
        )
    if problem.answers.tolist() != estimator.answers_.tolist():
        raise ValueError(
            f"warm_start goes on with the answers {estimator.answers_.tolist()}, but cost_matrix has "
            f"{problem.answers.tolist()}; set warm_start=False to start anew."
        )
    if estimator.n_estimators < estimator.n_iter_:
        raise ValueError(
            f"n_estimators={estimator.n_estimators} is less than the {estimator.n_iter_} rounds that are there; raise "
            "it to go on, or set warm_start=False to start anew."
        )


def random_numbers(estimator: Any, *, goes_on: bool, holds_out: bool) -> np.random.RandomState:
    """What ``random_state`` draws from: in a fit that ``goes_on``, once more what the first one drew.

    Raises
    ------
    ValueError
        Where a fit that ``holds_out`` rows cannot tell which ones the first one held out.
    """
    kept = getattr(estimator, "_random_state", None) if goes_on else None
    if kept is not None:
        rng = np.random.RandomState()
        rng.set_state(kept)
        return rng
    if goes_on and holds_out and not isinstance(estimator.random_state, Integral):
        raise ValueError(
            "warm_start cannot tell which rows the first fit held out: set warm_start=True or random_state to a number "
            "before that fit, or give an eval_set."
        )
    return check_random_state(estimator.random_state)


class Resumed:
    """A bound learner whose first rules are those of an earlier fit.

    Parameters
    ----------
    learner : BoundLearner
        Grows the rounds that are not there yet, counted from 0.
    ensemble : Ensemble
        What the earlier fit left behind, of one rule per round.
    X : ndarray (n, d)
        The training rows.
    rule : int
        The leaf rule of the rounds to come.

    Raises
    ------
    ValueError
        When the earlier rules are of another kind.
    """

    def __init__(self, learner: BoundLearner, ensemble: Ensemble, X: np.ndarray, rule: int):
        self.learner, self.ensemble, self.X = learner, ensemble, X
        self.rows, self.labels, self.done = learner.rows, learner.labels, ensemble.n_rounds
        answers_labels = ensemble.outputs.ndim == 2
        if isinstance(learner.rules(0), Forest) != ensemble.is_packed or answers_labels != (rule == LABEL):
            raise ValueError(OTHER_RULES)
        learner.skip(self.done)

    def recalled(self) -> Iterator[tuple[Rule, Round]]:
        """The earlier rounds, and their rules as far as updates need them."""
        made = self.ensemble
        rounds = [Round(*each) for each in zip(made.outputs, made.weights, made.errors, strict=True)]
        for end in made.ends:
            rounds[-1] = rounds[-1]._replace(step=end.step, last=end.last)
        for m, round_ in enumerate(rounds):
            leaf_of_row = self.leaves(self.X, m).astype(np.uint16)
            yield Rule(leaf_of_row, np.empty((len(round_.outputs), 0)), 0.0, round_.outputs, 0.0), round_

    def grow(self, m: int, channels: Channels, search: Search | None = None) -> Rule:
        """The rule of a new round."""
        return self.learner.grow(m - self.done, channels, search)

    def leaves(self, X: np.ndarray, m: int) -> np.ndarray:
        """Leaf numbers (n,) of other rows under the rule of round ``m``."""
        if m >= self.done:
            return self.learner.leaves(X, m - self.done)
        return self.ensemble.rules.apply(X, m) if self.ensemble.is_packed else self.ensemble.rules[m].apply(X)

    def rules(self, n_rounds: int) -> Any:
        """The first rules of both."""
        if n_rounds <= self.done:
            return self.ensemble.rules[:n_rounds]
        earlier, later = self.ensemble.rules, self.learner.rules(n_rounds - self.done)
        return Forest.joined([earlier, later]) if self.ensemble.is_packed else [*earlier, *later]

    def close(self) -> None:
        """Release threads."""
        self.learner.close()
