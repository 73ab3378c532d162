"""Angle boosting with any margin loss that the paper's Theorem 1 admits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.validation import check_is_fitted

from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss, LossName, MarginLoss, get_loss
from csboost.booster import Booster
from csboost.boosting import Algorithm
from csboost.ensemble import Ensemble
from csboost.link import Link, MarginLink
from csboost.problem import Problem
from csboost.weak.interface import LABEL, BoundLearner


class _AngleBooster(Booster):
    """What the angle boosters share: the label rule, the hooks of their loss, and what Theorem 2 gives."""

    def _loss(self) -> MarginLoss:
        raise NotImplementedError

    def _leaf_rule(self) -> int:
        return LABEL

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        from csboost.angle import rounds  # kernels

        loss = self._loss()
        kind = type(loss)  # not isinstance: a subclass may have formulas of its own, which no kernel knows
        if kind is ExponentialLoss:
            return rounds.ExponentialSteps(problem, learner, self.learning_rate)
        if kind is LogisticLoss:
            return rounds.LogisticSteps(problem, learner, self.learning_rate)
        if isinstance(loss, LargeMarginUnifiedLoss) and kind is LargeMarginUnifiedLoss:
            return rounds.LargeMarginSteps(problem, learner, self.learning_rate, float(loss.a), float(loss.c))
        return rounds.CustomSteps(problem, learner, self.learning_rate, loss)

    def _make_link(self, problem: Problem, shares: np.ndarray) -> Link:
        return MarginLink(self._loss(), problem.training_matrix, shares)

    def _fit_link(self, link: Link | None, ensemble: Ensemble, validation: Problem) -> Link | None:
        if not isinstance(link, MarginLink):
            return link
        rows, margins = validation.rows(), ensemble.scores(validation.X, effective_n_jobs(self.n_jobs))
        few = link.rows_to_scale_by(rows.n_all)
        return link.scaled(*(rows.pick(values, few) for values in (margins, validation.y, validation.weights)))

    @property
    def margin_scale_(self) -> float:
        """By what ``predict_proba`` multiplies the margins: fitted on held-out rows, 1 without any."""
        check_is_fitted(self, "_link")
        return self._link.scale if isinstance(self._link, MarginLink) else 1.0


@dataclass(kw_only=True, eq=False, repr=False)
class AngleBoostClassifier(_AngleBooster):
    """Angle boosting with a margin loss of your choice (the paper, Theorem 1).

    Parameters
    ----------
    loss : {"exponential", "logistic", "lum"} or object, default="logistic"
        A margin loss l(z), convex, differentiable and decreasing. An object needs ``value(z)``, ``derivative(z)`` and
        ``second_derivative(z)``, each from a float64 array to one of its shape
        (:class:`csboost.angle.losses.MarginLoss`); it is checked before fitting.
    lum_a : float, default=1.0
        Decay of the large-margin unified family's tail (``loss="lum"``), positive and finite.
    lum_c : float, default=1.0
        From soft (0) to hard, not negative and finite (``loss="lum"``).
    {shared_parameters}

    Attributes
    ----------
    {shared_attributes}
    estimator_errors_ : ndarray of shape (n_iter_,)
        Weighted cost share of each weak rule (the paper's epsilon).
    margin_scale_ : float
        By what ``predict_proba`` multiplies the margins: fitted on held-out rows, 1 without any.

    Notes
    -----
    ``predict_proba`` and ``predict_expected_cost`` follow the link of the paper's Theorem 2, as
    :class:`AngleAdaBoostClassifier` describes.

    References
    ----------
    {yang_2021}
    {zhang_liu_2014}
    {liu_2011}

    Examples
    --------
    >>> from csboost import AngleBoostClassifier, data
    >>> X, y = data.make_four_gaussians(300, random_state=0)
    >>> AngleBoostClassifier(loss="lum", lum_c=0.0, n_estimators=10).fit(X, y).score(X, y) > 0.9
    True
    """

    loss: LossName | MarginLoss = "logistic"
    lum_a: float = 1.0
    lum_c: float = 1.0

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Booster._parameter_constraints,
        "loss": [str, HasMethods(["value", "derivative", "second_derivative"])],
        "lum_a": "no_validation",
        "lum_c": "no_validation",
    }

    def _loss(self) -> MarginLoss:
        return get_loss(self.loss, self.lum_a, self.lum_c)
