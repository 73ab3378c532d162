"""Bags: boosting runs over one coded training set that differ in the rows they learn from and in what they draw."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from csboost.angle.folds import HeldOut
from csboost.angle.objectives import Objective
from csboost.angle.vector_steps import Training
from csboost.boosting import Interrupted, Loop, Round
from csboost.ensemble import Ensemble
from csboost.weak.binned import Binned
from csboost.weak.binning import limits_of
from csboost.weak.channels import Channels
from csboost.weak.forest import Forest
from csboost.weak.grower import Grower
from csboost.weak.interface import VECTOR, Rule
from csboost.weak.layout import Search

ROWS_TO_SHARE = 200_000  # from here on threads share the rows of one bag, as bags side by side would take more memory


class Drawing(NamedTuple):
    """How the trees of all bags are sought."""

    max_leaves: int
    least_rows: int
    reg: float
    n_columns: int
    thresholds: str  # "mixed", "exact" or "random"

    def search(self, number: int, coins: list[bool]) -> Search:
        """How a tree is sought by what was drawn for it: a number, and two flips of a coin."""
        is_random = coins[0] if self.thresholds == "mixed" else self.thresholds == "random"
        return Search(self.least_rows, self.reg, self.n_columns, number, is_random, is_ordered=coins[1])


class Bag(NamedTuple):
    """What one run leaves behind."""

    seed: int
    rules: Forest
    outputs: np.ndarray  # (rounds, leaves, S), a value for each of the S margins
    errors: np.ndarray  # (rounds,)

    @property
    def n_rounds(self) -> int:
        """How many trees there are."""
        return len(self.errors)

    def first(self, n_rounds: int) -> Bag:
        """The bag as it was after so many rounds."""
        kept = slice(n_rounds)
        return Bag(self.seed, self.rules[kept], self.outputs[kept], self.errors[kept])


Bags = dict[int, Bag]  # by their seeds


class _Seeker:
    """A weak learner that seeks each round's tree in its own way, from round ``done`` on.

    What is drawn for the trees of a shorter fit is the first part of what a longer one draws.
    """

    def __init__(self, grower: Grower, drawing: Drawing, seed: int, n_rounds: int, done: int):
        self.grower, self.drawing, self.done = grower, drawing, done
        self.numbers = np.random.default_rng([seed, 0]).integers(2**62, size=n_rounds).tolist()
        self.coins = (np.random.default_rng([seed, 1]).random((n_rounds, 2)) < 0.5).tolist()

    def grow(self, m: int, channels: Channels) -> Rule:
        """The tree of round ``m`` of this fit."""
        tree = self.done + m
        return self.grower.grow(m, channels, self.drawing.search(self.numbers[tree], self.coins[tree]))


@dataclass
class Bagging:
    """Runs bags over the rows of one problem.

    Attributes
    ----------
    name : str
        Of the booster.
    objective : Objective
    drawing : Drawing
    learning_rate, subsample : float
    n_threads : int
    categorical : ndarray (d,) bool
        Columns of category numbers.
    max_bins : int or None
        Of a column of quantities; None: see :func:`limits_of`.
    found : dict of int to Bag
        By their seeds, where a fit may be interrupted: those that are done, and the one that is not.
    """

    name: str
    objective: Objective
    drawing: Drawing
    learning_rate: float
    subsample: float
    n_threads: int
    categorical: np.ndarray
    max_bins: int | None
    found: Bags = field(default_factory=dict)

    def __post_init__(self) -> None:
        problem = self.objective.problem
        self.weights = np.ascontiguousarray(problem.weights)
        self.binned = problem.once((Bagging, self.max_bins), self._bin)

    def _bin(self) -> Binned:
        rows = self.objective.problem.rows(self.n_threads)
        try:
            return Binned(self.objective.problem.X, self.weights, rows, self.categorical, limits_of(self.max_bins))
        finally:
            rows.close()

    def run(self, jobs: list[Callable[[int], Bag]]) -> list[Bag]:
        """Run the jobs, each called with its number of threads; their results in order."""
        rows = self.objective.problem.rows()
        side_by_side = min(self.n_threads, len(jobs)) if rows.is_alone and rows.n_all < ROWS_TO_SHARE else 1
        each = max(1, self.n_threads // side_by_side)
        if side_by_side == 1:
            return [job(each) for job in jobs]
        with ThreadPoolExecutor(side_by_side) as pool:
            return list(pool.map(lambda job: job(each), jobs))

    def job(
        self, seed: int, n_rounds: int, held_out: HeldOut | None = None, before: Bag | None = None
    ) -> Callable[[int], Bag]:
        """The run of one bag for ``n_rounds`` rounds, or until its held-out rows say that it is enough; it goes on from
        ``before``.
        """
        return lambda n_threads: self._fit(seed, n_rounds, held_out, before, n_threads)

    def _fit(self, seed: int, n_rounds: int, held_out: HeldOut | None, before: Bag | None, n_threads: int) -> Bag:
        problem = self.objective.problem
        before = self.found.get(seed, before)
        weights = self.weights if held_out is None else np.where(held_out.weights > 0, 0.0, self.weights)
        training = Training(
            labels=problem.y,
            weights=weights,
            costs=problem.costs,
            matrix=problem.training_matrix,
            held_out=held_out,
            learning_rate=self.learning_rate,
            reg_lambda=self.drawing.reg,
            subsample=self.subsample,
            seed=seed,
        )
        rounds: list[Round] = []
        done = 0 if before is None else before.n_rounds
        rows = problem.rows(n_threads)
        n_scores = self.objective.n_scores
        grower = Grower(self.binned, rows, problem.y, n_scores, VECTOR, self.drawing.max_leaves, n_rounds - done)
        seeker = _Seeker(grower, self.drawing, seed, n_rounds, done)
        try:
            steps = self.objective.steps(training, rows)
            if before is not None and self._replay(steps, before):
                return before
            lower = f"learning_rate (learning_rate={self.learning_rate:g})"
            with np.errstate(over="ignore", invalid="ignore"):
                Loop(self.name, n_rounds - done, lower).run(steps, seeker, rounds=rounds)
        except Interrupted:
            if rounds:
                self.found[seed] = _after(before, _packed(seed, rounds, grower.rules(len(rounds))))
            raise
        finally:
            grower.close()
        bag = _after(before, _packed(seed, rounds, grower.rules(len(rounds)))) if rounds else before
        assert bag is not None  # there is a round, or one before
        if not grower.rows.is_alone:
            self.found[seed] = bag
        return bag

    def _replay(self, steps: Any, before: Bag) -> bool:
        """Bring the state of the hooks to where ``before`` ended; whether that was enough."""
        enough = False
        for m in range(before.n_rounds):
            leaves = before.rules.apply(self.objective.problem.X, m).astype(np.uint16)
            rule = Rule(leaves, before.outputs[m], 0.0, np.empty(0, np.int64), 0.0)
            if m == before.n_rounds - 1:
                steps.channels()  # draws the rows that the error of the next round is over
            enough = bool(steps.update(rule, Round(before.outputs[m], self.learning_rate, 0.0)))
        return enough

    def margins(self, bag: Bag, rows: np.ndarray) -> np.ndarray:
        """What one bag makes of some of the training rows (rows, S)."""
        ensemble = averaged([bag], self.learning_rate, self.objective.start())
        return ensemble.scores(self.objective.problem.X[rows])


def _packed(seed: int, rounds: list[Round], rules: Forest) -> Bag:
    leaves, n_scores = max(len(round_.outputs) for round_ in rounds), rounds[0].outputs.shape[1]
    outputs = np.zeros((len(rounds), leaves, n_scores))
    for m, round_ in enumerate(rounds):
        outputs[m, : len(round_.outputs)] = round_.outputs
    return Bag(seed, rules, outputs, np.array([round_.error for round_ in rounds]))


def _after(first: Bag | None, then: Bag) -> Bag:
    """One bag after the other, if there was another."""
    if first is None:
        return then
    return Bag(
        first.seed,
        Forest.joined([first.rules, then.rules]),
        _padded([first.outputs, then.outputs], axis=0),
        np.append(first.errors, then.errors),
    )


def _padded(outputs: list[np.ndarray], axis: int) -> np.ndarray:
    """Outputs (rounds, leaves, S) with as many leaves, joined along an axis."""
    leaves = max(part.shape[1] for part in outputs)
    wide = [np.pad(part, [(0, 0), (0, leaves - part.shape[1]), (0, 0)]) for part in outputs]
    return np.concatenate(wide, axis=axis)


def averaged(bags: list[Bag], learning_rate: float, start: np.ndarray) -> Ensemble:
    """One ensemble whose scores are the mean of the bags' margins: each round has a tree of every bag, and a bag that
    ended early adds nothing after that.
    """
    rounds, n_bags = max(bag.n_rounds for bag in bags), len(bags)
    weights, order, offset = np.zeros((rounds, n_bags)), np.zeros((rounds, n_bags), np.int64), 0
    for b, bag in enumerate(bags):
        weights[: bag.n_rounds, b] = learning_rate / n_bags
        order[:, b] = offset + np.minimum(np.arange(rounds), bag.n_rounds - 1)
        offset += bag.n_rounds
    errors = []
    for first, stop in pairwise([0, *sorted({bag.n_rounds for bag in bags})]):  # rounds that the same bags have
        there = [bag.errors[first:stop] for bag in bags if bag.n_rounds >= stop]
        errors.append(np.stack(there, axis=1).mean(axis=1))
    return Ensemble(
        rules=Forest.joined([bag.rules for bag in bags])[order.ravel()],
        outputs=_padded([bag.outputs for bag in bags], axis=0)[order.ravel()],
        weights=weights.ravel(),
        errors=np.concatenate(errors),
        scales=np.ones(rounds),
        start=start,
        n_scores=len(start),
        symmetric=False,
        trees_per_round=n_bags,
    )


def taken_apart(ensemble: Ensemble, seeds: list[int]) -> list[Bag]:
    """The bags of which an ensemble was made; each has the mean of their errors."""
    n_bags, bags = len(seeds), []
    for b, seed in enumerate(seeds):
        mine = slice(b, None, n_bags)
        bag = Bag(seed, ensemble.rules[mine], ensemble.outputs[mine], ensemble.errors)
        bags.append(bag.first(int(np.count_nonzero(ensemble.weights[mine]))))
    return bags
