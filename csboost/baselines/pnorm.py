"""p-norm boosting (Lozano & Abe 2008)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from csboost.booster import Booster
from csboost.boosting import Algorithm, Round
from csboost.link import Link, MixtureLink
from csboost.problem import Problem
from csboost.weak.interface import LABEL, VOTES, BoundLearner, Rule

LARGEST_EXPONENT = 690.0  # exp of it is finite


@dataclass(kw_only=True, eq=False, repr=False)
class PNormBoostClassifier(Booster):
    """p-norm boosting: a mixture of hypotheses that lowers the costs' p-norm.

    With ``hypothesis="set"`` what a right answer costs (``C[j, j]``) is not used, and answers must be the classes.

    Parameters
    ----------
    p : float, default=3.0
        The norm, above 1.
    hypothesis : {"label", "set"}, default="label"
        Whether a leaf gives one answer, or a set of classes with equal probability.
    step : float or None, default=None
        None averages the hypotheses (``1 / (t + 1)`` in round t); a number below 1 is a fixed share, multiplied by
        ``learning_rate``.
    learning_rate : float, default=1.0
        Multiplies a fixed ``step``; averaging does not use it.
    {shared_parameters}

    Attributes
    ----------
    {shared_attributes}
    estimator_errors_ : ndarray of shape (n_iter_,)
        The functional ``sum over i and k of c[i, k] F[i, k]^p`` before each round, in the unit of the costs.

    Notes
    -----
    With ``hypothesis="label"``, ``predict_proba`` and ``predict_expected_cost`` follow from the functional: at a point
    it is ``sum_k E_k F_k^p`` with ``E_k`` the expected cost of ``k`` and ``F`` the mixture. Its minimum over the
    simplex has ``E_k F_k^(p-1)`` equal for all ``k``, so ``E_k`` is proportional to ``F_k^-(p-1)``; from there on as in
    the paper's Theorem 2, so that ``predict`` answers the class of least expected cost. Derived here: Lozano & Abe
    (2008) give no link.

    This assumes that the mixture has reached the minimum, which averaging does slowly: in ``T`` rounds no ``F_k`` falls
    below ``1 / (K (T + 1))``. With costs per row, ``cost_matrix_`` is used. With ``hypothesis="set"`` there is neither
    method: what the sets of the relational form balance is not this functional.

    References
    ----------
    {lozano_abe_2008}
    {yang_2021}

    Examples
    --------
    >>> from csboost import PNormBoostClassifier, data
    >>> X, y = data.make_waveform(300, random_state=0)
    >>> model = PNormBoostClassifier("partitioned-linear", n_estimators=10).fit(X, y)
    >>> bool((model.predict(X) == model.predict_expected_cost(X).argmin(axis=1)).all())
    True
    """

    p: float = 3.0
    hypothesis: Literal["set", "label"] = "label"
    step: float | None = None

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Booster._parameter_constraints,
        "p": [Interval(Real, 1, None, closed="neither")],
        "hypothesis": [StrOptions({"set", "label"})],
        "step": [Interval(Real, 0, 1, closed="neither"), None],
    }
    _symmetric = False

    def _leaf_rule(self) -> int:
        return LABEL if self.hypothesis == "label" else VOTES

    def _share(self) -> float | None:
        """The fixed step, learning rate included."""
        if self.step is None:
            return None
        share = self.step * self.learning_rate
        if share >= 1.0:
            raise ValueError(
                f"step * learning_rate must be below 1, got {share:g}: it is the new hypothesis's share of the mixture."
            )
        if -0.5 * self.n_estimators * np.log1p(-share) > LARGEST_EXPONENT:
            raise ValueError(
                f"step={self.step} forgets its first rounds long before n_estimators={self.n_estimators}; "
                "lower one of them."
            )
        return share

    def _start(self, problem: Problem, learner: BoundLearner) -> Algorithm:
        from csboost.baselines.mixture import PNorm  # kernels

        share = self._share()
        if (self.p - 1.0) * np.log(problem.n_answers) > LARGEST_EXPONENT - 60.0:
            many = f"{problem.n_answers} {'classes' if problem.other_answers is None else 'answers'}"
            raise ValueError(f"p={self.p:g} is too large: with {many} all weights would vanish.")
        return PNorm(problem, learner, float(self.p), self.hypothesis == "label", share, self.n_estimators)

    def _start_score(self, n_answers: int) -> float:
        share, start = self._share(), 1.0 / n_answers
        return start if share is None else start * (1.0 - share) ** (0.5 * self.n_estimators)

    def _scales(self, n_rounds: int) -> np.ndarray:
        share, rounds = self._share(), np.arange(1, n_rounds + 1)
        return 1.0 / (rounds + 1.0) if share is None else (1.0 - share) ** (rounds - 0.5 * self.n_estimators)

    def _counted_again(self, rounds: Iterable[tuple[Rule, Round]]) -> Iterator[tuple[Rule, Round]]:
        from csboost.baselines.mixture import coefficient  # kernels

        share = self._share()
        for m, (rule, round_) in enumerate(rounds):
            yield rule, round_._replace(weight=coefficient(share, self.n_estimators, m + 1))

    def _make_link(self, problem: Problem, shares: np.ndarray) -> Link:
        return MixtureLink(self.p, problem.training_matrix, shares)

    def _needs_classes(self) -> str | None:
        if self.hypothesis != "set":
            return None
        return (
            'p-norm boosting with hypothesis="set" compares every answer with the right one, so answers must be '
            "the classes."
        )

    def _no_link(self) -> str | None:
        if self.hypothesis != "set":
            return None
        return (
            'p-norm boosting with hypothesis="set" has no link to probabilities: the sets it adds balance another sum '
            'than the functional. hypothesis="label" has one.'
        )
