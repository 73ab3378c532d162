"""What a run of the suite is asked for: jobs by data set, cost structure, algorithm, arm and split."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from bench.rows.row import Job
from bench.suite.tasks import Task

TITLE = "Costs on real tables"


class FitKey(NamedTuple):
    """What is fitted once: costs play no part in it unless the algorithm sees them."""

    set_name: str
    algorithm: str
    arm: str
    split: int


@dataclass(frozen=True)
class Comparison:
    """Which jobs of the suite are asked for.

    Attributes
    ----------
    tasks : tuple of Task
    algorithms, arms : tuple of str
    splits : int
        Of each data set.
    """

    tasks: tuple[Task, ...]
    algorithms: tuple[str, ...]
    arms: tuple[str, ...]
    splits: int

    @property
    def set_names(self) -> list[str]:
        """The data sets, each once."""
        return list(dict.fromkeys(task.set_name for task in self.tasks))

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs, arm by arm and split by split, so that an interrupted run has looked at every set.

        Those of a fit are neighbours. A job's ``protocol`` is the arm.
        """
        by_set = [list(kin) for _, kin in itertools.groupby(self.tasks, key=attrgetter("set_name"))]
        return tuple(
            Job(task.set_name, task.kind, algorithm, arm, split)
            for arm in self.arms
            for split in range(self.splits)
            for tasks in by_set
            for algorithm in self.algorithms
            for task in tasks
        )


def fits_of(jobs: Iterable[Job], apart: Iterable[str]) -> list[tuple[FitKey, tuple[str, ...]]]:
    """Group jobs that share a fit; return each fit with its cost structures.

    Parameters
    ----------
    jobs : iterable of Job
        In the order of :attr:`Comparison.jobs`.
    apart : iterable of str
        Algorithms that see costs: each of their jobs is a fit.
    """
    alone = set(apart)
    found: list[tuple[FitKey, tuple[str, ...]]] = []
    for key, kin in itertools.groupby(jobs, _key_of):
        kinds = tuple(job.costs for job in kin)
        found += [(key, (kind,)) for kind in kinds] if key.algorithm in alone else [(key, kinds)]
    return found


def _key_of(job: Job) -> FitKey:
    return FitKey(job.scenario, job.algorithm, job.protocol, job.replication)


def seed_of(base: int, set_name: str, split: int) -> int:
    """Return the seed of a split's fits: all algorithms and arms share it."""
    return int.from_bytes(hashlib.sha256(f"{base}/{set_name}/{split}".encode()).digest()[:4]) >> 1
