"""The hooks of p-norm boosting, whose state is a mixture of hypotheses."""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.baselines.rounds import TINY
from csboost.boosting import Round
from csboost.problem import Problem
from csboost.weak.channels import NEGATED, RELATIONAL, Channels
from csboost.weak.interface import BoundLearner, Rule
from csboost.weak.layout import BLOCK


def coefficient(share: float | None, n_rounds: int, number: int) -> float:
    """The coefficient of the hypothesis of round ``number``, counted from 1, of ``n_rounds``."""
    return 1.0 if share is None else share * (1.0 - share) ** (0.5 * n_rounds - number)


class PNorm:
    """The mixture ``F`` (n, A) and its weights ``c F^(p-1)``.

    After round t, ``F_t = (1 - a) F + a h``. The coefficients are kept so that ``F_t = scale_t * (start + sum of
    coefficient * h)``: 1 when averaging, and ``a (1 - a)^(M/2 - t)`` for a fixed share a in M rounds.
    """

    def __init__(
        self, problem: Problem, learner: BoundLearner, p: float, labels: bool, share: float | None, n_rounds: int
    ):
        self.n_answers, self.p, self.labels = problem.n_answers, p, labels
        # a large p makes small numbers of the mixture's powers: costs of a small unit on top would vanish
        self.rows = learner.rows
        _, exponent = np.frexp(self.rows.most(float(problem.costs.max(initial=0.0))))
        self.costs, self.unit = np.ldexp(problem.costs, -exponent), float(np.ldexp(1.0, exponent))
        self.share, self.n_rounds, self.round = share, n_rounds, 0
        self.mixture = np.full_like(self.costs, 1.0 / self.n_answers)
        self.weights = self.costs * self.mixture ** (p - 1.0)
        self.total = self.rows.sum(self.weights)
        self.functional = self.total / self.n_answers

    def channels(self) -> Channels:
        return Channels(self.weights, NEGATED if self.labels else RELATIONAL, self.total)

    def step(self, rule: Rule) -> Round | None:
        if self.round == 0 and not self._beats_guessing(rule):
            return None
        if self.labels:
            outputs = rule.labels
        else:
            chosen = rule.sums > rule.tie
            chosen |= ~chosen.any(axis=1, keepdims=True)
            outputs = chosen / chosen.sum(axis=1, keepdims=True)
        return Round(outputs, coefficient(self.share, self.n_rounds, self.round + 1), self.unit * self.functional)

    def _beats_guessing(self, rule: Rule) -> bool:
        """Whether the hypothesis is better than the uniform start. Only the first one must be."""
        if self.labels:
            return rule.chosen + self.total / self.n_answers > TINY * self.total
        return bool((rule.sums > rule.tie).any())

    def update(self, rule: Rule, round_: Round) -> None:
        self.round += 1
        share = 1.0 / (self.round + 1.0) if self.share is None else self.share
        outputs = round_.outputs
        if self.labels:
            outputs = (outputs[:, None] == np.arange(self.n_answers)).astype(np.float64)
        arguments = self.mixture, rule.leaf_of_row, outputs, share, self.costs, self.p, self.weights
        self.total, self.functional = self.rows.totals(mix, *arguments, count=2)


@kernel
def mix(mixture, leaf_of_row, outputs, share, costs, p, weights, first, last, partial):
    """``F <- (1 - share) F + share h`` and ``weights = c F^(p-1)`` over row blocks ``first .. last - 1``; per block,
    their total and that of ``weights F``, the functional, into ``partial`` (blocks, 2).
    """
    n_rows, n_answers = mixture.shape
    for block in range(first, last):
        total = functional = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)  # unsigned: no test for negative indices
            leaf = np.uintp(leaf_of_row[row])
            for k in range(n_answers):
                value = (1.0 - share) * mixture[row, k] + share * outputs[leaf, k]
                mixture[row, k] = value
                weights[row, k] = costs[row, k] * (value * value if p == 3.0 else value ** (p - 1.0))
                total += weights[row, k]
                functional += weights[row, k] * value
        partial[block, 0], partial[block, 1] = total, functional
