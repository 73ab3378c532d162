"""What a fit of gradient boosting leaves behind, and its use."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.validation import check_is_fitted

from csboost.costs.gains import without_gains
from csboost.problem import class_costs
from csboost.staging import StagedBooster

if TYPE_CHECKING:
    from csboost._inputs.categories import Categories
    from csboost.angle.objectives import Objective
    from csboost.problem import Problem

__all__ = ["FittedGradientBooster", "for_all_rows"]


class FittedGradientBooster(StagedBooster):
    """The half of gradient boosting that uses what was fitted; it runs without Numba.

    Attributes
    ----------
    _categories : Categories
        The categories of the columns of a DataFrame.
    _by_bayes_rule : bool
        Whether answers are those of least expected cost, or of the largest margin.
    """

    _categories: Categories
    _by_bayes_rule: bool
    oof_probabilities_: np.ndarray
    n_estimators: int
    loss: Any

    def _needs_classes(self) -> str | None:
        if not (isinstance(self.loss, str) and self.loss == "guess-averse"):
            return None
        return (
            "The guess-averse loss compares wrong classes with the truth, so answers must be the classes: take another "
            'loss, such as "multinomial".'
        )

    # Other rows.

    def _eval_sets(self, eval_set: Any, problem: Problem) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Features, class numbers and costs of the rows to be recorded, gains included."""
        if eval_set is None:
            return []
        sets = [eval_set] if isinstance(eval_set, tuple) else list(eval_set)
        found = []
        for rows in sets:
            if not (isinstance(rows, (tuple, list)) and len(rows) == 2):
                raise ValueError("eval_set must be a tuple (X, y), or a list of such tuples")
            costs, _ = class_costs(self, rows[0], rows[1], None, None)
            labels = np.searchsorted(self.classes_, np.asarray(rows[1]).ravel())
            found.append((self._categories.transform(self, rows[0]), labels, np.ldexp(costs, -problem.exponent)))
        return found

    def _record(self, objective: Objective, X: np.ndarray, labels: np.ndarray, costs: np.ndarray) -> dict[str, Any]:
        """Mean loss and cost of other rows after each round."""
        rows, losses, spent, above = np.arange(len(X)), [], [], without_gains(costs)
        for margins in self._ensemble.staged_scores(X):
            losses.append(objective.losses(margins, labels, above).mean())
            spent.append(costs[rows, self._choose(margins)].mean())
        return {"loss": np.array(losses), "cost": np.ldexp(np.array(spent), objective.problem.exponent)}

    # Going on.

    def _check_warm(self, problem: Problem) -> None:
        if not np.array_equal(problem.classes, self.classes_):
            raise ValueError(
                f"warm_start goes on with the classes {self.classes_.tolist()}, but y has {problem.classes.tolist()}; "
                "set warm_start=False to start anew."
            )
        if problem.answers.tolist() != self.answers_.tolist():
            raise ValueError(
                f"warm_start goes on with the answers {self.answers_.tolist()}, but cost_matrix has "
                f"{problem.answers.tolist()}; set warm_start=False to start anew."
            )
        if self.n_estimators < self.n_iter_:
            raise ValueError(
                f"n_estimators={self.n_estimators} is less than the {self.n_iter_} rounds that are there; raise it to "
                "go on, or set warm_start=False to start anew."
            )

    # Use.

    def _check_X(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "_ensemble")
        return self._categories.transform(self, X)

    def _decision(self, scores: np.ndarray) -> np.ndarray:
        if not self._by_bayes_rule or self._answers_classes:
            return super()._decision(scores)
        return -self._estimate_from(scores)[1]  # the margins are of classes, the answers are others

    def _choose(self, scores: np.ndarray) -> np.ndarray:
        if not self._by_bayes_rule:
            return super()._choose(scores)
        assert self._link is not None
        return self._link.estimate(scores)[1].argmin(axis=1)

    def _answers(self, X: np.ndarray) -> np.ndarray:
        if not self._by_bayes_rule:
            return super()._answers(X)
        return self._choose(self._ensemble.scores(X, effective_n_jobs(self.n_jobs)))

    def _staged_costs(self, X: np.ndarray, costs: np.ndarray) -> np.ndarray:
        if not self._by_bayes_rule:
            return super()._staged_costs(X, costs)
        rows = np.arange(len(X))
        return np.array([costs[rows, self._choose(scores)].sum() for scores in self._ensemble.staged_scores(X)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def for_all_rows(probabilities: np.ndarray, sample_weight: Any) -> np.ndarray:
    """Those of the rows of positive weight, with NaN for the others."""
    if sample_weight is None or isinstance(sample_weight, Real):
        return probabilities
    kept = np.asarray(sample_weight, dtype=np.float64) > 0
    spread = np.full((len(kept), probabilities.shape[1]), np.nan)
    spread[kept] = probabilities
    return spread
