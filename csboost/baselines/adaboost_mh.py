"""AdaBoost.MH (Schapire & Singer 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.utils._param_validation import StrOptions

from csboost.booster import Booster
from csboost.boosting import Algorithm, Interrupted
from csboost.early_stopping import EarlyStopping
from csboost.ensemble import Ensemble, interleave, taken_apart
from csboost.link import Link, OddsLink
from csboost.problem import Problem
from csboost.resuming import OTHER_RULES
from csboost.weak.interface import CONFIDENCE, VOTES, BoundLearner


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostMHClassifier(Booster):
    """AdaBoost.MH: one yes-or-no question per class, boosted together.

    A row's costs weigh its questions about the wrong classes, the largest of them that about its own. What a right
    answer costs (``C[j, j]``) enters there only, where it is the largest. Answers must be the classes.

    Parameters
    ----------
    votes : {"discrete", "real"}, default="discrete"
        Whether a leaf votes yes or no on every class, or with a confidence.
    joint : bool, default=True
        One tree per round whose leaves vote on all classes; False boosts every class against the rest on its own.
    cost_aware : bool, default=True
        Start row i and class l from the cost of answering l, and the truth from the largest; False is the uniform start
        of the original.
    {shared_parameters}

    Attributes
    ----------
    {shared_attributes}
    estimator_errors_ : ndarray of shape (n_iter_,)
        Weighted share of the questions that each weak rule answers wrongly; with ``votes="real"`` the normaliser Z.

    Notes
    -----
    ``predict_proba`` is the population minimiser of the loss (Schapire & Singer 1999). ``sum_l D[y, l] exp(-Y_l H_l)``
    asks one question per class, with starting weights ``D``. Its minimum is at half the log odds of each question,
    ``2 H_l = log(D[l, l] P_l) - log(sum over j other than l of D[j, l] P_j)``; without costs that is
    ``P_l = 1 / (1 + exp(-2 H_l))``. The odds of a fitted model need not agree with any ``P``: a factor common to all
    classes is left free.

    This assumes that the minimum has been reached. After many rounds the scores have grown beyond it and the
    probabilities are too sure; after few they are too timid. A class whose mistakes all cost nothing has weight 0 in
    the fit and gets probability 0. With costs per row, ``D`` is the mean over the rows of each class.

    ``predict`` answers the class of largest score, which is the one of largest odds. With unequal costs that need not
    be the class of least expected cost. To decide by the estimates, take the ``argmin`` of ``predict_expected_cost``.

    References
    ----------
    {schapire_singer_1999}

    Examples
    --------
    >>> from csboost import AdaBoostMHClassifier, data
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> model = AdaBoostMHClassifier("linear", votes="real", n_estimators=10).fit(X, y)
    >>> model.decision_function(X).shape, model.n_iter_
    ((300, 3), 10)
    """

    votes: Literal["discrete", "real"] = "discrete"
    joint: bool = True
    cost_aware: bool = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Booster._parameter_constraints,
        "votes": [StrOptions({"discrete", "real"})],
        "joint": ["boolean"],
        "cost_aware": ["boolean"],
    }
    _symmetric = False

    def _needs_classes(self) -> str:
        return "AdaBoost.MH asks of every class whether it is the truth, so answers must be the classes."

    def _leaf_rule(self) -> int:
        return VOTES if self.votes == "discrete" else CONFIDENCE

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        from csboost.baselines.rounds import DiscreteMH, RealMH  # kernels

        # all classes count, also where one is boosted against the rest
        smoothing = 1.0 / (len(problem.cost_matrix) * learner.rows.sum(problem.weights))
        kind = DiscreteMH if self.votes == "discrete" else RealMH
        return kind(problem, learner, self.learning_rate, smoothing)

    def _make_link(self, problem: Problem, shares: np.ndarray) -> Link:
        return OddsLink(problem.class_means(self._distribution(problem)), problem.training_matrix)

    def _fit_ensemble(
        self,
        problem: Problem,
        validation: Problem | None,
        rng: np.random.RandomState,
        before: Ensemble | list[Ensemble] | None = None,
    ) -> tuple[Ensemble, EarlyStopping | None]:
        starting = self._distribution(problem)
        found: list[Ensemble] = []  # of the first classes, where a fit of one class after the other was interrupted
        if isinstance(before, list):
            found, before = before, None
        if before is not None and self.joint != (before.trees_per_round == 1):
            raise ValueError(OTHER_RULES)
        if self.joint:
            return super()._fit_ensemble(problem.restated(starting), validation, rng, before)
        if validation is not None:
            raise ValueError(
                "joint=False boosts every class on its own and has no common round to stop at; "
                "set n_iter_no_change=None."
            )
        parts: list[Ensemble] = []
        earlier: list[Ensemble | None] = [None] * problem.n_classes if before is None else [*taken_apart(before)]
        earlier[: len(found)] = found
        for k in range(problem.n_classes):
            against_rest = np.where(problem.y == k, 0, 1).astype(problem.y.dtype)
            single = problem.restated(starting[:, k : k + 1].copy(), against_rest, problem.classes[k : k + 1])
            try:
                parts.append(super()._fit_ensemble(single, None, rng, earlier[k])[0])
            except Interrupted as interrupted:
                interrupted.found = [*parts, *([] if interrupted.found is None else [interrupted.found])]
                raise
        whole = interleave(parts)
        if before is not None:
            whole.errors[: before.n_rounds] = before.errors  # the parts know but their means
        return whole, None

    def _distribution(self, problem: Problem) -> np.ndarray:
        """The starting weights ``D`` (n, K), up to their total."""
        rows = np.arange(len(problem.y))
        if not self.cost_aware:
            return np.repeat(problem.weights[:, None], problem.n_classes, axis=1)
        start = problem.costs.copy()
        start[rows, problem.y] = problem.costs.max(axis=1)
        return start
