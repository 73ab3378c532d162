"""SAMME (Zhu, Zou, Rosset & Hastie 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from csboost.booster import Booster
from csboost.boosting import Algorithm
from csboost.link import Link, SoftmaxLink
from csboost.problem import Problem
from csboost.weak.interface import LABEL, BoundLearner


@dataclass(kw_only=True, eq=False, repr=False)
class SAMMEClassifier(Booster):
    """SAMME: multiclass AdaBoost with one weight per row.

    Of a row's costs it knows their mean alone: which wrong answer is dear, and whether the right one costs something,
    makes no difference. Answers must be the classes.

    Parameters
    ----------
    cost_aware : bool, default=True
        Start each row from its mean cost; False is the original, which knows no costs.
    {shared_parameters}

    Attributes
    ----------
    {shared_attributes}
    estimator_errors_ : ndarray of shape (n_iter_,)
        Weighted share of the rows that each weak rule answers wrongly.

    Notes
    -----
    ``predict_proba`` is the population minimiser of SAMME's loss (Zhu et al. 2009, section 2). With starting weights
    ``w_k`` for rows of class ``k`` the scores at the minimiser are ``K/(K-1) (log(w_k P_k) - mean)``, so ``P_k`` is
    proportional to ``exp((K-1)/K score_k) / w_k``. ``w_k`` is the mean cost of class ``k`` when ``cost_aware``, else 1.

    This assumes that the minimum has been reached. After many rounds the scores have grown beyond it and the
    probabilities are too sure; after few they are too timid. A class whose mistakes all cost nothing has weight 0 in
    the fit and gets probability 0. With costs per row, ``w_k`` is the mean over the rows of the class.

    ``predict`` answers the class of largest score, which is the one of largest ``w_k P_k``. As SAMME knows costs only
    by their row means, that need not be the class of least expected cost. To decide by the estimates, take the
    ``argmin`` of ``predict_expected_cost``.

    References
    ----------
    {zhu_2009}

    Examples
    --------
    >>> from csboost import SAMMEClassifier, data
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> model = SAMMEClassifier(n_estimators=10).fit(X, y)
    >>> model.score(X, y) > 0.8, model.predict_proba(X).shape
    (True, (300, 3))
    """

    cost_aware: bool = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {**Booster._parameter_constraints, "cost_aware": ["boolean"]}

    def _needs_classes(self) -> str:
        return "SAMME raises the weight of rows whose class is not answered, so answers must be the classes."

    def _leaf_rule(self) -> int:
        return LABEL

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        from csboost.baselines.rounds import Samme  # kernels

        return Samme(self._row_weights(problem), problem, learner, self.learning_rate)

    def _row_weights(self, problem: Problem) -> np.ndarray:
        """The starting weights (n,), up to their total."""
        return problem.costs.mean(axis=1) if self.cost_aware else problem.weights

    def _make_link(self, problem: Problem, shares: np.ndarray) -> Link:
        return SoftmaxLink(problem.class_means(self._row_weights(problem)), problem.training_matrix)
