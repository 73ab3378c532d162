"""What every competitor costs on the cases of a file, and how sure the differences are: from the stored rows alone.

A case is one observation, however often it was tested: its costs are averaged over the splits first. Splits weigh
alike, so that a mean over cases is the mean over splits that the table has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from bench.rows.row import Row
from bench.show.statistics import holm
from bench.studies.own_jobs import CONSTANT, TODAY, Asked
from csboost import metrics


@dataclass(frozen=True)
class Answered:
    """All that was answered, a line per case and split.

    Attributes
    ----------
    truth : ndarray (n,)
        Codes of the classes.
    case : ndarray (n,)
        Places in the file.
    weight : ndarray (n,)
        Summing to 1 in each split, over the number of splits.
    answers : dict
        Competitor or baseline -> codes of its answers (n,).
    left_out : dict
        Competitor -> splits that it lacks of those that others have.
    splits : tuple of int
        Those that are compared on.
    """

    truth: np.ndarray
    case: np.ndarray
    weight: np.ndarray
    answers: dict[str, np.ndarray]
    left_out: dict[str, int]
    splits: tuple[int, ...]

    @property
    def models(self) -> list[str]:
        """The competitors."""
        return [name for name in self.answers if name not in (CONSTANT, TODAY)]


def answered(asked: Asked, rows: Iterable[Row]) -> Answered | None:
    """Put together what all that are compared have answered; None where no competitor has finished a split.

    Compared are those that have finished all splits that any has, or else the splits that all of them have.
    """
    done = {row.job: row for row in rows if row.is_done}
    by_name = {
        name: {job.replication: done[job] for job in asked.jobs if job.algorithm == name and job in done}
        for name in (*asked.baselines, *asked.algorithms)
    }
    found = {name: runs for name, runs in by_name.items() if runs}
    models = [name for name in found if name not in asked.baselines]
    if not models or not set(asked.baselines) <= set(found):
        return None
    ground = set.intersection(*(set(found[name]) for name in asked.baselines))
    wanted = ground & {split for name in models for split in found[name]}
    complete = [name for name in models if wanted <= set(found[name])]
    if not complete:
        complete, wanted = models, ground.intersection(*(set(found[name]) for name in models))
    splits = tuple(sorted(wanted))
    if not splits:
        return None
    base = [found[CONSTANT][split] for split in splits]
    sizes = [len(row.truths) for row in base]
    return Answered(
        truth=np.concatenate([row.truths for row in base]).astype(np.intp),
        case=np.concatenate([row.cases for row in base]).astype(np.intp),
        weight=np.concatenate([np.full(n, 1 / (n * len(splits))) for n in sizes]),
        answers={
            name: np.concatenate([found[name][split].answers for split in splits]).astype(np.intp)
            for name in (*complete, *asked.baselines)
        },
        left_out={name: len(wanted - set(by_name[name])) for name in asked.algorithms if name not in complete},
        splits=splits,
    )


@dataclass(frozen=True)
class Worth:
    """What the competitors cost, and the verdict's numbers.

    Attributes
    ----------
    given : Answered
    n_cases : int
        Different ones.
    means : Series
        Competitor -> mean cost per case, lowest first; baselines are not among them.
    against : dict
        Baseline, or competitor of the lowest mean -> savings of all against it (:func:`csboost.metrics.savings`).
    flips : dict
        The same -> the changes of an entry of the costs that make the lowest competitor no cheaper than it, or than
        the runner-up (:func:`csboost.metrics.flip_points`).
    p_holm : Series
        Competitor -> p-value of no difference from the lowest, Holm-corrected over all pairs of competitors.
    constants : tuple of str
        The answers that were the best constant ones.
    """

    given: Answered
    n_cases: int
    means: pd.Series
    against: dict[str, pd.DataFrame]
    flips: dict[str, pd.DataFrame]
    p_holm: pd.Series
    constants: tuple[str, ...]

    @property
    def best(self) -> str:
        """The competitor of the lowest mean."""
        return str(self.means.index[0])

    @property
    def runner_up(self) -> str | None:
        """The next one."""
        return str(self.means.index[1]) if len(self.means) > 1 else None


def weigh(asked: Asked, given: Answered) -> Worth:
    """Return what the competitors cost and save, on the cases that all of them have answered."""
    matrix = asked.about.matrix
    paid = {name: matrix[given.truth, answer] for name, answer in given.answers.items()}
    _, case = np.unique(given.case, return_inverse=True)
    weight = np.bincount(case, weights=given.weight)
    per_case = pd.DataFrame(
        {name: np.bincount(case, weights=given.weight * cost) / weight for name, cost in paid.items()}
    )
    means = pd.Series({name: float(np.average(per_case[name], weights=weight)) for name in given.models})
    means = means.sort_values(kind="stable")
    best = str(means.index[0])
    bases = [*asked.baselines, *([best] if len(means) > 1 else [])]
    others = [*asked.baselines, *map(str, means.index[1:2])]
    labels = np.array(asked.about.classes, dtype=object)[given.truth]
    answers = {name: np.array(asked.about.answers, dtype=object)[codes] for name, codes in given.answers.items()}
    return Worth(
        given=given,
        n_cases=len(weight),
        means=means,
        against={base: saved(per_case, weight, base) for base in bases},
        flips={
            other: _reachable(
                metrics.flip_points(
                    labels, answers[best], answers[other], asked.about.table, sample_weight=given.weight
                )
            )
            for other in others
        },
        p_holm=_corrected(per_case[list(map(str, means.index))], weight),
        constants=tuple(asked.about.answers[a] for a in sorted(set(given.answers[CONSTANT].tolist()))),
    )


def _reachable(flips: pd.DataFrame) -> pd.DataFrame:
    """The changes that can come about: no cost that is none now falls below 0."""
    beyond = (flips["flips_at"] <= 0) & (flips["cost"] > 0) & (flips["side"] == "below")
    return flips[~beyond & flips["flips_at"].notna()]


def lines_of(table: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Return a table of savings as plain numbers: name -> column -> number."""
    return {str(name): {str(key): float(value) for key, value in line.items()} for name, line in table.T.items()}


def saved(per_case: pd.DataFrame, weight: np.ndarray, base: str) -> pd.DataFrame:
    """Return what each column of costs per case (n, m) saves against another (:func:`csboost.metrics.savings`)."""
    names = [str(name) for name in per_case]
    places = [f"column {number}" for number in range(len(names))]  # a name might be that of a class
    table = metrics.savings(
        np.full(len(per_case), places[0], dtype=object),
        {place: np.full(len(per_case), place, dtype=object) for place in places},
        sample_cost=per_case.set_axis(places, axis="columns"),
        sample_weight=weight / weight.mean(),
        baseline=places[names.index(base)],
    )
    return table.loc[places].set_axis(names, axis="index")


def _corrected(per_case: pd.DataFrame, weight: np.ndarray) -> pd.Series:
    """P-values of the lowest column, the first, against the others: Holm-corrected over all pairs, since it was picked
    on the same cases.
    """
    p_values: dict[tuple[str, str], float] = {}
    names = [str(name) for name in per_case]
    for place, name in enumerate(names[:-1]):
        table = lines_of(saved(per_case.iloc[:, place:], weight, name))
        p_values |= {(name, other): table[other]["p_value"] for other in names[place + 1 :]}
    corrected = dict(zip(p_values, holm(pd.Series(list(p_values.values()), dtype=float)), strict=True))
    return pd.Series({other: corrected[names[0], other] for other in names[1:]}, dtype=float)
