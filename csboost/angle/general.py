"""Angle boosting with any margin loss that the paper's Theorem 1 admits."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils._param_validation import HasMethods

from csboost.angle import engines, link
from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss, MarginLoss, get_loss
from csboost.booster import Algorithm, Booster
from csboost.ensemble import Ensemble
from csboost.problem import Problem
from csboost.weak.interface import BoundLearner
from csboost.weak.rules import LABEL


class _AngleBooster(Booster):
    """What the angle boosters share: the label rule, the hooks of their loss, and what Theorem 2 gives."""

    def _loss(self) -> MarginLoss:
        raise NotImplementedError

    def _leaf_rule(self) -> int:
        return LABEL

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        loss = self._loss()
        kind = type(loss)  # not isinstance: a subclass may have formulas of its own, which no kernel knows
        if kind is ExponentialLoss:
            return engines.ExponentialSteps(problem, learner, self.learning_rate)
        if kind is LogisticLoss:
            return engines.LogisticSteps(problem, learner, self.learning_rate)
        if isinstance(loss, LargeMarginUnifiedLoss) and kind is LargeMarginUnifiedLoss:
            return engines.LargeMarginSteps(problem, learner, self.learning_rate, float(loss.a), float(loss.c))
        return engines.CustomSteps(problem, learner, self.learning_rate, loss)

    def _fit_ensemble(self, problem: Problem, validation: Problem | None, rng: np.random.RandomState) -> Ensemble:
        ensemble = super()._fit_ensemble(problem, validation, rng)
        self.margin_scale_ = 1.0
        if validation is not None:
            margins = ensemble.scores(validation.X, effective_n_jobs(self.n_jobs))
            self.margin_scale_ = link.margin_scale(
                margins, validation.y, validation.weights, self.cost_matrix_, self._loss(), self._class_shares
            )
        return ensemble

    def _estimate(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities and expected costs (n, K)."""
        X = self._check_X(X)
        margins = self._ensemble.scores(X, effective_n_jobs(self.n_jobs))
        return link.estimate(margins, self.cost_matrix_, self._loss(), self._class_shares, self.margin_scale_)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities (n, K) through the link of the paper's Theorem 2.

        They are estimates: exact when the margins minimise the population risk, else of a point inside the simplex
        that explains the margins nearly as well as any for which :meth:`predict` answers the class of least expected
        cost (:mod:`csboost.angle.link`). Expected costs are what the margins tell; small probabilities are differences
        of nearly equal costs and poorly known. When rows were held
        out (``n_iter_no_change``), the margins are first multiplied by ``margin_scale_``, with which the expected cost
        of the answers to those rows is what they cost; it is 1 otherwise.

        The class of least expected cost need not be the most probable one. Costs given per row leave the link without
        one matrix; it then uses ``cost_matrix_``. Where an answer never costs anything (a column of zeros), nothing was
        learned about the classes: the probabilities are their shares in the training data.
        """
        return self._estimate(X)[0]

    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """Expected cost (n, K) of each answer, ``predict_proba(X) @ cost_matrix_`` (the paper's Theorem 2).

        Its ``argmin`` along a row is what :meth:`predict` answers, but for answers that tie at a cost of 0. The one
        exception needs costs on the diagonal (an answer that others dominate, so that no probabilities make it the
        cheapest) or costs that span more than ten powers of ten.
        """
        return self._estimate(X)[1]


class AngleBoostClassifier(_AngleBooster):
    """Angle boosting with a margin loss of your choice (the paper, Theorem 1).

    Parameters
    ----------
    loss : {"exponential", "logistic", "lum"} or object, default="logistic"
        A margin loss l(z), convex, differentiable and decreasing. An object needs ``value(z)``, ``derivative(z)`` and
        ``second_derivative(z)``, each from a float64 array to one of its shape
        (:class:`csboost.angle.losses.MarginLoss`); it is checked before fitting.
    lum_a, lum_c : float, default=1.0
        Parameters of the large-margin unified family (``loss="lum"``): ``lum_a > 0``, ``lum_c >= 0``, both finite.
    cost_matrix, n_estimators, learning_rate, weak_learner, n_iter_no_change, validation_fraction, n_jobs,
    random_state, verbose
        As in :class:`AngleAdaBoostClassifier`.

    Attributes
    ----------
    margin_scale_ : float
        By what :meth:`predict_proba` multiplies the margins: fitted on held-out rows, 1 without any.

    The others are those of :class:`AngleAdaBoostClassifier`.
    """

    _parameter_constraints: dict[str, Any] = {
        **Booster._parameter_constraints,
        "loss": [str, HasMethods(["value", "derivative", "second_derivative"])],
        "lum_a": "no_validation",
        "lum_c": "no_validation",
    }

    def __init__(
        self,
        cost_matrix=None,
        loss="logistic",
        lum_a=1.0,
        lum_c=1.0,
        n_estimators=200,
        learning_rate=1.0,
        weak_learner=None,
        n_iter_no_change=None,
        validation_fraction=0.1,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        super().__init__(
            cost_matrix,
            n_estimators,
            learning_rate,
            weak_learner,
            n_iter_no_change,
            validation_fraction,
            n_jobs,
            random_state,
            verbose,
        )
        self.loss = loss
        self.lum_a = lum_a
        self.lum_c = lum_c

    def _loss(self) -> MarginLoss:
        return get_loss(self.loss, self.lum_a, self.lum_c)
