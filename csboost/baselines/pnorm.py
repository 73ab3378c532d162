"""p-norm boosting (Lozano & Abe 2008)."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from csboost._jit import kernel
from csboost.angle import link
from csboost.baselines.samme import TINY
from csboost.booster import Booster, Round
from csboost.problem import Problem
from csboost.weak.channels import NEGATED, RELATIONAL, Channels
from csboost.weak.interface import BoundLearner, Rule
from csboost.weak.layout import BLOCK
from csboost.weak.rules import LABEL, VOTES

LARGEST_EXPONENT = 690.0  # exp of it is finite


def _has_link(booster: PNormBoostClassifier) -> bool:
    if booster.hypothesis == "set":
        raise AttributeError(
            'p-norm boosting with hypothesis="set" has no link to probabilities: the sets it adds balance another sum '
            'than the functional. hypothesis="label" has one.'
        )
    return True


class PNormBoostClassifier(Booster):
    """p-norm boosting: a mixture of hypotheses that lowers the costs' p-norm (Lozano & Abe 2008).

    With ``hypothesis="set"`` what a right answer costs (``C[j, j]``) is not used.

    Parameters
    ----------
    p : float, default=3.0
        The norm, above 1.
    hypothesis : {"label", "set"}, default="label"
        Whether a leaf answers one class, or a set of classes with equal probability.
    step : float or None, default=None
        None averages the hypotheses (``1 / (t + 1)`` in round t); a number below 1 is a fixed share, multiplied by
        ``learning_rate``.
    learning_rate : float, default=1.0
        Multiplies a fixed ``step``; averaging does not use it.
    cost_matrix, n_estimators, weak_learner, n_iter_no_change, validation_fraction, n_jobs, random_state, verbose
        As in :class:`csboost.AngleAdaBoostClassifier`.
    """

    _parameter_constraints: dict[str, Any] = {
        **Booster._parameter_constraints,
        "p": [Interval(Real, 1, None, closed="neither")],
        "hypothesis": [StrOptions({"set", "label"})],
        "step": [Interval(Real, 0, 1, closed="neither"), None],
    }
    _symmetric = False

    def __init__(
        self,
        cost_matrix=None,
        p=3.0,
        hypothesis="label",
        step=None,
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
        self.p = p
        self.hypothesis = hypothesis
        self.step = step

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

    def _start(self, problem: Problem, learner: BoundLearner) -> _PNorm:
        share = self._share()
        if (self.p - 1.0) * np.log(problem.n_classes) > LARGEST_EXPONENT - 60.0:
            raise ValueError(f"p={self.p:g} is too large: with {problem.n_classes} classes all weights would vanish.")
        self._start_score = 1.0 / problem.n_classes
        if share is not None:
            self._start_score *= (1.0 - share) ** (0.5 * self.n_estimators)
        return _PNorm(problem, learner, float(self.p), self.hypothesis == "label", share, self.n_estimators)

    def _scales(self, n_rounds: int) -> np.ndarray:
        share, rounds = self._share(), np.arange(1, n_rounds + 1)
        return 1.0 / (rounds + 1.0) if share is None else (1.0 - share) ** (rounds - 0.5 * self.n_estimators)

    @available_if(_has_link)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities (n, K) from the mixture ``F``, as for :meth:`predict_expected_cost`."""
        return self._solve(X)[0]

    @available_if(_has_link)
    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """Expected cost (n, K) of each answer, ``predict_proba(X) @ cost_matrix_``.

        At a point the functional is ``sum_k E_k F_k^p`` with ``E_k`` the expected cost of ``k``. Its minimum over the
        simplex has ``E_k F_k^(p-1)`` equal for all ``k``, so ``E_k`` is proportional to ``F_k^-(p-1)``; from there on
        as in the paper's Theorem 2 (:mod:`csboost.angle.link`), so that :meth:`predict` answers the class of least
        expected cost. Derived here: Lozano & Abe (2008) give no link.

        This assumes that the mixture has reached the minimum, which averaging does slowly: in ``T`` rounds no
        ``F_k`` falls below ``1 / (K (T + 1))``. With costs per row, ``cost_matrix_`` is used. Only for
        ``hypothesis="label"``: what the sets of the relational form balance is not this functional.
        """
        return self._solve(X)[1]

    def _solve(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        X = self._check_X(X)
        mixture = self._ensemble.scores(X, effective_n_jobs(self.n_jobs))
        log_q = (1.0 - self.p) * np.log(mixture)
        log_q -= log_q.max(axis=1, keepdims=True)
        return link.solve(log_q, self.cost_matrix_, mixture.argmax(axis=1), self._class_shares)


class _PNorm:
    """The mixture ``F`` (n, K) and its weights ``c F^(p-1)``.

    After round t, ``F_t = (1 - a) F + a h``. The coefficients are kept so that ``F_t = scale_t * (start + sum of
    coefficient * h)``: 1 when averaging, and ``a (1 - a)^(M/2 - t)`` for a fixed share a in M rounds.
    """

    def __init__(
        self, problem: Problem, learner: BoundLearner, p: float, labels: bool, share: float | None, n_rounds: int
    ):
        self.n_classes, self.p, self.labels = problem.n_classes, p, labels
        # a large p makes small numbers of the mixture's powers: costs of a small unit on top would vanish
        _, exponent = np.frexp(problem.costs.max())
        self.costs, self.unit = np.ldexp(problem.costs, -exponent), float(np.ldexp(1.0, exponent))
        self.share, self.n_rounds, self.round = share, n_rounds, 0
        self.rows = learner.rows
        self.mixture = np.full_like(self.costs, 1.0 / self.n_classes)
        self.weights = self.costs * self.mixture ** (p - 1.0)
        self.total = self.rows.sum(self.weights)
        self.functional = self.total / self.n_classes

    def channels(self) -> Channels:
        return Channels(self.weights, NEGATED if self.labels else RELATIONAL, self.total)

    def step(self, rule: Rule) -> Round | None:
        self.round += 1
        if self.round == 1 and not self._beats_guessing(rule):
            return None
        if self.labels:
            outputs = rule.labels
        else:
            chosen = rule.sums > rule.tie
            chosen |= ~chosen.any(axis=1, keepdims=True)
            outputs = chosen / chosen.sum(axis=1, keepdims=True)
        weight = 1.0 if self.share is None else self.share * (1.0 - self.share) ** (0.5 * self.n_rounds - self.round)
        return Round(outputs, weight, self.unit * self.functional)

    def _beats_guessing(self, rule: Rule) -> bool:
        """Whether the hypothesis is better than the uniform start. Only the first one must be."""
        if self.labels:
            return rule.chosen + self.total / self.n_classes > TINY * self.total
        return bool((rule.sums > rule.tie).any())

    def update(self, rule: Rule, round_: Round) -> None:
        share = 1.0 / (self.round + 1.0) if self.share is None else self.share
        outputs = round_.outputs
        if self.labels:
            outputs = (outputs[:, None] == np.arange(self.n_classes)).astype(np.float64)
        arguments = self.mixture, rule.leaf_of_row, outputs, share, self.costs, self.p, self.weights
        self.total, self.functional = self.rows.totals(mix, *arguments, count=2)


@kernel
def mix(mixture, leaf_of_row, outputs, share, costs, p, weights, first, last, partial):
    """``F <- (1 - share) F + share h`` and ``weights = c F^(p-1)`` over row blocks ``first .. last - 1``; per block,
    their total and that of ``weights F``, the functional, into ``partial`` (blocks, 2).
    """
    n_rows, n_classes = mixture.shape
    for block in range(first, last):
        total = functional = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)  # unsigned: no test for negative indices
            leaf = np.uintp(leaf_of_row[row])
            for k in range(n_classes):
                value = (1.0 - share) * mixture[row, k] + share * outputs[leaf, k]
                mixture[row, k] = value
                weights[row, k] = costs[row, k] * (value * value if p == 3.0 else value ** (p - 1.0))
                total += weights[row, k]
                functional += weights[row, k] * value
        partial[block, 0], partial[block, 1] = total, functional
