"""AdaBoost.M2 (Freund & Schapire 1997)."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal

from sklearn.utils._param_validation import Interval, StrOptions

from csboost.booster import Booster
from csboost.boosting import Algorithm
from csboost.problem import Problem
from csboost.weak.interface import LABEL, VOTES, BoundLearner


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostM2Classifier(Booster):
    """AdaBoost.M2: boosting of the pseudo-loss over mislabels.

    What a right answer costs (``C[j, j]``) is not used, and answers must be the classes: the pseudo-loss compares wrong
    classes with the truth.

    Parameters
    ----------
    hypothesis : {"set", "label"}, default="set"
        Whether a leaf answers the set of plausible classes or one class.
    step : float or None, default=None
        A fixed step in place of ``log((1 - eps) / eps)``; either is multiplied by ``learning_rate``.
    {shared_parameters}

    Attributes
    ----------
    {shared_attributes}
    estimator_errors_ : ndarray of shape (n_iter_,)
        Pseudo-loss of each weak rule.

    Notes
    -----
    There is no ``predict_proba``: the pseudo-loss compares the truth with each wrong class by a hypothesis between 0
    and 1, and the literature has no link from its scores to probabilities.

    References
    ----------
    {freund_schapire_1997}

    Examples
    --------
    >>> from csboost import AdaBoostM2Classifier, data
    >>> X, y = data.make_four_gaussians(300, random_state=0)
    >>> model = AdaBoostM2Classifier(n_estimators=10).fit(X, y)
    >>> model.score(X, y) > 0.9, hasattr(model, "predict_proba")
    (True, False)
    """

    hypothesis: Literal["set", "label"] = "set"
    step: float | None = None

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Booster._parameter_constraints,
        "hypothesis": [StrOptions({"set", "label"})],
        "step": [Interval(Real, 0, None, closed="neither"), None],
    }
    _symmetric = False

    def _needs_classes(self) -> str:
        return "AdaBoost.M2 compares the truth with each wrong class, so answers must be the classes."

    def _leaf_rule(self) -> int:
        return LABEL if self.hypothesis == "label" else VOTES

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        from csboost.baselines.rounds import M2  # kernels

        return M2(problem, learner, self.hypothesis == "label", self.step, self.learning_rate)

    def _no_link(self) -> str:
        return (
            "AdaBoost.M2 has no link from its scores to probabilities: its pseudo-loss compares the truth with each "
            "wrong class by a hypothesis between 0 and 1, and the literature has none."
        )
