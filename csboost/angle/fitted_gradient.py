"""What a fit of gradient boosting leaves behind, and its use."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs

from csboost.costs.gains import without_gains
from csboost.staging import StagedBooster

if TYPE_CHECKING:
    from csboost.angle.objectives import Objective
    from csboost.angle.procedure import Outcome
    from csboost.eval_sets import EvalSet

__all__ = ["FittedGradientBooster", "for_all_rows"]


class FittedGradientBooster(StagedBooster):
    """The half of gradient boosting that uses what was fitted; it runs without Numba.

    Attributes
    ----------
    _by_bayes_rule : bool
        Whether answers are those of least expected cost, or of the largest margin.
    """

    _by_bayes_rule: bool
    oof_probabilities_: np.ndarray
    loss: Any
    learning_rate: float

    def _needs_classes(self) -> str | None:
        if not (isinstance(self.loss, str) and self.loss == "guess-averse"):
            return None
        return (
            "The guess-averse loss compares wrong classes with the truth, so answers must be the classes: take another "
            'loss, such as "multinomial".'
        )

    def _record(self, objective: Objective, rows: EvalSet) -> dict[str, Any]:
        """Mean loss and cost of other rows after each round."""
        numbers, losses, spent, above = np.arange(len(rows.X)), [], [], without_gains(rows.costs)
        for margins in self._ensemble.staged_scores(rows.X):
            losses.append(objective.losses(margins, rows.y, above).mean())
            spent.append(rows.costs[numbers, self._choose(margins)].mean())
        return {"loss": np.array(losses), "cost": np.ldexp(np.array(spent), objective.problem.exponent)}

    def _keep(self, outcome: Outcome, objective: Objective) -> None:
        """What the bags leave behind."""
        from csboost.angle.bags import averaged

        self._link, self._by_bayes_rule = objective.link(), objective.by_bayes_rule
        self._seeds = [bag.seed for bag in outcome.bags]
        self._ensemble = averaged(outcome.bags, float(self.learning_rate), objective.start())
        self.best_iteration_ = outcome.best
        loss, cost = outcome.curve.T
        self.validation_curve_ = {"loss": loss, "cost": np.ldexp(cost, objective.problem.exponent)}
        self.oof_probabilities_ = np.full((len(outcome.margins), objective.problem.n_classes), np.nan)
        known = ~np.isnan(outcome.margins[:, 0])
        self.oof_probabilities_[known] = objective.link().estimate(outcome.margins[known])[0]

    # Use.

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
