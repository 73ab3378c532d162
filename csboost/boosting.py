"""The loop that all boosters share.

A booster is three hooks: the channels it shows the weak learner, the step it takes, the update it makes
(:class:`Algorithm`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from csboost.early_stopping import EarlyStopping
    from csboost.weak.channels import Channels
    from csboost.weak.interface import Rule

__all__ = ["Algorithm", "Grows", "Interrupted", "Loop", "Round"]

VANISHED = 1e-290  # a total weight below it is zero but for rounding


class Round(NamedTuple):
    """What a booster makes of a weak rule."""

    outputs: np.ndarray  # (leaves,) classes, or (leaves, K) vectors
    weight: float
    error: float  # the booster's own measure of the rule
    last: bool = False  # nothing is left to learn after this round
    step: float = 1.0  # what a line search found, before the learning rate: the next one starts from there


class Interrupted(Exception):
    """Rounds end because a machine that holds rows is gone.

    Attributes
    ----------
    found : object, optional
        What the fit had found by then, from which another can go on.
    """

    found: Any = None


class Algorithm(Protocol):
    """One booster's hooks over one training set."""

    def channels(self) -> Channels:
        """What every row wants, for the weak learner."""

    def step(self, rule: Rule) -> Round | None:
        """Outputs and coefficient of a rule, or None when it is no better than guessing."""

    def update(self, rule: Rule, round_: Round) -> bool | None:
        """Take the rule in: the next channels depend on it. Whether that is enough, as held-out rows may say."""


class Grows(Protocol):
    """What the loop needs of a weak learner."""

    def grow(self, m: int, channels: Channels) -> Rule:
        """The rule of round ``m``."""


class Loop(NamedTuple):
    """Rounds of boosting, with what is said about them."""

    name: str  # of the booster
    n_rounds: int  # at most
    lower: str  # what to lower when the weights overflow, and its value
    verbose: int = 0

    def run(
        self,
        algorithm: Algorithm,
        learner: Grows,
        watch: EarlyStopping | None = None,
        before: Iterable[tuple[Rule, Round]] = (),
        rounds: list[Round] | None = None,
    ) -> list[Round]:
        """The rounds that are kept.

        Parameters
        ----------
        algorithm : Algorithm
            In its state before the first round.
        learner : Grows
        watch : EarlyStopping, optional
            Ends the loop early, and cuts off what came after the best round.
        before : iterable of (Rule, Round), optional
            Rounds of an earlier fit, which are taken in before new rules are grown.
        rounds : list of Round, optional
            Takes the rounds as they are found, so that they are there when one fails.

        Raises
        ------
        ValueError
            When the first rule is no better than guessing, no mistake costs anything, or the weights overflow.
        """
        rounds = [] if rounds is None else rounds
        earlier = iter(before)
        for m in range(self.n_rounds):
            found = next(earlier, None) or self._next(m, algorithm, learner)
            if found is None:
                break
            rule, round_ = found
            rounds.append(round_)
            if self.verbose and (m + 1) % max(1, self.n_rounds // 10) == 0:
                print(f"[{self.name}] round {m + 1}: error {round_.error:.4g}", file=sys.stderr)
            stopped = watch is not None and watch.stops(m, round_)  # the last round may be the best: it is watched too
            if round_.last or stopped:
                break
            try:
                if algorithm.update(rule, round_):
                    break
            except OverflowError:
                raise ValueError(self._overflow(m + 1)) from None
        return rounds if watch is None else rounds[: watch.best_round + 1]

    def _next(self, m: int, algorithm: Algorithm, learner: Grows) -> tuple[Rule, Round] | None:
        """The rule of round ``m`` and what the booster makes of it, or None when nothing is left to learn."""
        channels = algorithm.channels()
        if channels.total < VANISHED:
            if m == 0:
                raise ValueError(f"{self.name}: no mistake costs anything, so there is nothing to boost.")
            return None
        if not channels.total < np.inf:
            raise ValueError(self._overflow(m))
        rule = learner.grow(m, channels)
        round_ = algorithm.step(rule)
        if round_ is None:
            if m == 0:
                raise ValueError(self._no_rule())
            return None
        return rule, round_

    def _no_rule(self) -> str:
        return (
            f"{self.name}: the first weak rule is no better than guessing, so there is nothing to boost. The features "
            "carry no usable signal about the classes, or the costs make one answer right for all; check X and "
            "cost_matrix, or give weak_learner more leaves."
        )

    def _overflow(self, m: int) -> str:
        return f"{self.name}: the weights overflowed in round {m}; lower {self.lower}."
