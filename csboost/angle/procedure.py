"""How the bags of a fit come about: folds find the number of rounds, then all rows are learnt from."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from csboost.angle.bags import Bag, Bagging
from csboost.angle.folds import FOLDS, HeldOut, deal, mean_curve
from csboost.angle.progress import Progress

__all__ = ["Course", "Outcome", "fit_bags"]

LONGER = 1.1  # rounds on all rows, relative to those that were best without a fold


class Course(NamedTuple):
    """What is to be done."""

    n_bags: int
    n_rounds: int  # at most
    patience: int | None  # rounds without a lower loss after which a fold ends; None: no folds
    refit: bool

    @property
    def n_runs(self) -> int:
        """How many runs there are at most."""
        return self.n_bags * (1 if self.patience is None or not self.refit else 2)


class Outcome(NamedTuple):
    """What came of it."""

    bags: list[Bag]
    best: int  # number of rounds, by the folds
    curve: np.ndarray  # (rounds, 2) mean loss and cost of held-out rows; (0, 2) without folds
    margins: np.ndarray  # (n, S) of every row by the bag that held it out, after ``best`` rounds; NaN without one


def fit_bags(
    bagging: Bagging,
    course: Course,
    rng: np.random.RandomState,
    progress: Progress | None,
    folds: np.ndarray | None = None,
) -> Outcome:
    """Fit the bags; ``folds`` (n,) are dealt where none are given.

    Without folds all bags learn from all rows for ``n_rounds``. With them each bag first holds out a fold; then the
    bags start again on all rows, for a tenth more rounds than were best, or (``refit=False``) are kept as they are, up
    to the best round of each.
    """
    problem, n_scores = bagging.objective.problem, bagging.objective.n_scores
    n_rows, rows = len(problem.y), problem.rows()
    seeds = rng.randint(np.iinfo(np.int32).max, size=2 * course.n_bags).tolist()
    n_folds = min(max(course.n_bags, FOLDS), rows.n_all // 2)
    if course.patience is None or n_folds < 2:  # fewer than four rows leave none to hold out
        n_rounds = course.n_rounds if course.patience is None else min(course.n_rounds, course.patience)
        bags = _on_all_rows(bagging, seeds[: course.n_bags], n_rounds, progress)
        return Outcome(bags, n_rounds, np.empty((0, 2)), np.full((n_rows if rows.is_alone else 0, n_scores), np.nan))
    folds = rows.own(deal(rows.pick(problem.y, slice(None)), n_folds, rng)) if folds is None else folds
    n_held = min(course.n_bags, int(rows.most(float(folds.max(initial=0)))) + 1)
    bags, watches = _with_folds(bagging, course, seeds[:n_held], folds, progress)
    curve = mean_curve(watches)
    best = int(curve[:, 0].argmin()) + 1
    margins = np.full((n_rows if rows.is_alone else 0, n_scores), np.nan)  # elsewhere nobody has all rows
    for j, bag in enumerate(bags):
        held = np.flatnonzero(folds == j) if rows.is_alone else np.zeros(0, np.int64)
        margins[held] = bagging.margins(bag.first(best), held)
    if course.refit:
        n_rounds = min(max(1, round(LONGER * best)), course.n_rounds)
        bags = _on_all_rows(bagging, seeds[course.n_bags :], n_rounds, progress)
    else:
        bags = [bag.first(watch.best + 1) for bag, watch in zip(bags, watches, strict=True)]
    return Outcome(bags, best, curve, margins)


def _on_all_rows(bagging: Bagging, seeds: list[int], n_rounds: int, progress: Progress | None) -> list[Bag]:
    if progress is not None:
        progress.refits(len(seeds), n_rounds)
    return bagging.run([bagging.job(seed, n_rounds) for seed in seeds])


def _with_folds(
    bagging: Bagging, course: Course, seeds: list[int], folds: np.ndarray, progress: Progress | None
) -> tuple[list[Bag], list[HeldOut]]:
    """Each bag without its fold, and how that one fared."""
    assert course.patience is not None
    watches, problem = [], bagging.objective.problem
    rows = problem.rows()
    for j in range(len(seeds)):
        report = None if progress is None else progress.reporter(j, f"fold {j + 1} of {len(seeds)}")
        held = folds == j
        weights = np.where(held, bagging.weights, 0.0)
        watches.append(HeldOut(weights, rows.sum(weights), course.patience, report, problem.total_gain(held)))

    def run(j: int, n_threads: int) -> Bag:
        bag = bagging.job(seeds[j], course.n_rounds, watches[j])(n_threads)
        if progress is not None:
            progress.ended(j)
        return bag

    return bagging.run([partial(run, j) for j in range(len(seeds))]), watches
