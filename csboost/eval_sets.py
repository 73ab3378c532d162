"""Rows beside the training set that a fit looks at from round to round: ``eval_set`` of ``fit``."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csboost._inputs.labels import label_column
from csboost.costs.gains import gains_of, without_gains
from csboost.early_stopping import drawn_cost
from csboost.problem import Problem, class_costs

if TYPE_CHECKING:
    from csboost.early_stopping import EarlyStopping
    from csboost.ensemble import Ensemble

__all__ = ["EvalSet", "held_out_curve", "read_eval_sets", "recorded"]


class EvalSet(NamedTuple):
    """Rows of an ``eval_set``, all of weight 1."""

    X: np.ndarray  # (n, d) numbers
    y: np.ndarray  # (n,) class numbers
    costs: np.ndarray  # (n, A) gains included, in the unit of the problem that is fitted

    def problem(self, fitted: Problem) -> Problem:
        """The rows as early stopping watches them."""
        shared = fitted.classes, fitted.cost_matrix, fitted.exponent, fitted.other_answers
        gains = gains_of(self.costs)
        weights, above = np.ones(len(self.X)), without_gains(self.costs)
        return Problem(self.X, self.y.astype(fitted.y.dtype), weights, above, *shared, gains if gains.any() else None)


def read_eval_sets(eval_set: Any, problem: Problem, read: Callable[[Any], np.ndarray]) -> list[EvalSet]:
    """The rows of ``eval_set``, a pair (X, y) or a list of such; ``read(X)`` makes numbers of features.

    Raises
    ------
    ValueError
        For what is no pair, features that do not fit, and classes that are not in the training data.
    """
    if eval_set is None:
        return []
    sets = [eval_set] if isinstance(eval_set, tuple) else list(eval_set)
    fitted = SimpleNamespace(classes_=problem.classes, answers_=problem.answers, cost_matrix_=problem.cost_matrix)
    found = []
    for rows in sets:
        if not (isinstance(rows, (tuple, list)) and len(rows) == 2):
            raise ValueError("eval_set must be a tuple (X, y), or a list of such tuples")
        X = read(rows[0])
        costs, _ = class_costs(fitted, rows[0], rows[1], None, None)
        labels = np.searchsorted(problem.classes, label_column(rows[1], "y"))
        found.append(EvalSet(X, labels, np.ldexp(costs, -problem.exponent)))
    return found


def recorded(ensemble: Ensemble, rows: EvalSet, exponent: int) -> dict[str, np.ndarray]:
    """Mean cost (rounds,) of the answers to other rows after each round, and of answers that are drawn with the softmax
    of the scores, as early stopping watches them; ``exponent`` leads back to the user's unit.
    """
    numbers, paid, drawn = np.arange(len(rows.X)), [], []
    for scores in ensemble.staged_scores(rows.X):
        paid.append(rows.costs[numbers, scores.argmax(axis=1)].mean())
        drawn.append(drawn_cost(scores, rows.costs) / len(rows.X))
    return {"cost": np.ldexp(np.array(paid), exponent), "drawn_cost": np.ldexp(np.array(drawn), exponent)}


def held_out_curve(watch: EarlyStopping | None) -> dict[str, np.ndarray]:
    """The same two of the rows that early stopping watched, after every round that was tried; empty without any."""
    curve, unit, total = np.empty((0, 2)), 0, 1.0
    if watch is not None:
        rows = watch.validation
        curve, unit, total = np.array(watch.curve), rows.exponent, rows.rows().sum(rows.weights)
        curve += rows.total_gain()
    paid, drawn = np.ldexp(curve / total, unit).T
    return {"cost": paid, "drawn_cost": drawn}
