"""From jobs to tasks: what a worker is sent, so that it draws the rows that several jobs share once."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import attrgetter

import numpy as np
from joblib import parallel_config

from bench.algorithms import Maker, maker
from bench.machine import versions
from bench.rows.row import Job
from bench.studies.study import Draw, Split, Study


@dataclass(frozen=True)
class Task:
    """Jobs that share the rows of one replication, one protocol and one cost matrix.

    It carries what a worker needs and no more: not the study, which may hold a whole file.
    """

    study: str
    seed: int
    cost_matrix: np.ndarray
    rounds: int
    jobs: tuple[Job, ...]
    makers: tuple[Maker, ...]
    versions: dict[str, str]
    draw: Draw
    measure_memory: bool = False
    threads: int = 1  # of each fit


def given(split: Split, scenario: str, protocol: str, seed: int) -> Split:
    """Return rows that were drawn before: with :func:`functools.partial`, the ``draw`` of a task whose parent drew."""
    return split


def group(study: Study, jobs: Iterable[Job]) -> list[tuple[Job, ...]]:
    """Group jobs that share rows and costs (or leave them single, when the study's fits are large)."""
    if study.single_jobs:
        return [(job,) for job in jobs]
    return [
        tuple(kin) for _, kin in itertools.groupby(jobs, key=attrgetter("replication", "scenario", "costs", "protocol"))
    ]


def one_of_each(jobs: Iterable[Job]) -> list[Job]:
    """Return the first job of each algorithm and protocol on each source of rows."""
    return list({(job.scenario, job.algorithm, job.protocol): job for job in reversed(list(jobs))}.values())[::-1]


def make_tasks(
    study: Study, groups: Iterable[tuple[Job, ...]], seed: int, rounds: int, processes: int = 1
) -> Iterator[Task]:
    """Yield a task per group; where the parent draws, one draw serves all cost structures of a replication.

    Jobs that run one at a time have all ``processes`` to themselves, as threads.
    """
    matrices = {(s.scenario, s.costs): s.cost_matrix for s in study.scenarios}

    @lru_cache(maxsize=1)
    def draw(scenario: str, protocol: str, draw_seed: int) -> Split:
        # Tasks are made while they are sent out: what joblib does within a draw must keep off the study's workers.
        with parallel_config(backend="sequential"):
            return study.draw(scenario, protocol, draw_seed)

    for jobs in groups:
        draw_seed = study.seed(seed, jobs[0].scenario, jobs[0].replication)
        rows = (jobs[0].scenario, jobs[0].protocol, draw_seed)
        yield Task(
            study=study.name,
            seed=draw_seed,
            cost_matrix=matrices[jobs[0].scenario, jobs[0].costs],
            rounds=rounds,
            jobs=jobs,
            makers=tuple(maker(job.algorithm, job.protocol) for job in jobs),
            versions=versions(),
            draw=partial(given, draw(*rows)) if study.draw_in_parent else study.draw,
            measure_memory=study.single_jobs,
            threads=processes if study.single_jobs else 1,
        )
