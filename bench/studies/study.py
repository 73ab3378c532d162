"""What a study is: its scenarios, how a replication's rows are drawn, and what else fixes the outcome of a job.

Runner, store, tables, figures and report know only these classes, so a study of other data needs no change in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from bench.algorithms import REGISTRY
from bench.rows.row import Job

QUICK_REPLICATIONS = 3


class Split(NamedTuple):
    """One replication's rows; ``test_weight`` None means that test rows count alike."""

    X_train: Any
    y_train: Any
    X_test: Any
    y_test: Any
    test_weight: np.ndarray | None = None


Draw = Callable[[str, str, int], Split]
"""Called with the name of a scenario's source, the protocol and a seed."""


@dataclass(frozen=True)
class Scenario:
    """A source of rows under one cost structure: a row of the result table.

    Attributes
    ----------
    key : str
        Its name on the command line, such as ``1c`` or ``linear``.
    scenario, costs : str
        Its names in ``table.csv`` and ``published.csv``.
    label : str
        Its name in tables and figures.
    cost_matrix : ndarray of shape (K, K)
        Rows = truth, in the order of the sorted classes.
    classes : tuple of str
        Display names of the classes, in the same order.
    """

    key: str
    scenario: str
    costs: str
    label: str
    cost_matrix: np.ndarray
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """A set of scenarios that share one way of drawing rows.

    Attributes
    ----------
    name, title : str
    unit : str
        What a test row is ("loan"): costs are per unit.
    scenarios : tuple of Scenario
        In the order of the table.
    draw : callable
        ``draw(scenario_name, protocol, seed)`` -> :class:`Split`. Sent to the workers, so importable, unless
        ``draw_in_parent``.
    replications : int
        How many when nothing is asked for.
    settings : dict
        What besides seed and rounds fixes the outcome of a job; stored, and compared when a run resumes.
    notes : tuple of str
        Sentences for the foot of the table and the report.
    bayes_cost : callable or None
        ``bayes_cost(scenario_key)`` -> (cost, standard error): the least cost that any classifier can reach, where it
        is known.
    draw_in_parent : bool
        Draw in the parent and send the rows: for data that are slow to load.
    single_jobs : bool
        One job per task, in this process, with its peak memory: for few, large fits.
    """

    name: str
    title: str
    unit: str
    scenarios: tuple[Scenario, ...]
    draw: Draw
    replications: int
    settings: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    bayes_cost: Callable[[str], tuple[float, float]] | None = None
    draw_in_parent: bool = False
    single_jobs: bool = False

    def seed(self, base: int, scenario: str, replication: int) -> int:
        """Return the seed of a replication.

        It depends on study, scenario and replication only: all algorithms and cost structures meet the same rows, so
        comparisons are paired. Protocols share the seed, but may split the rows in their own way.
        """
        entropy = [base, crc32(self.name.encode()), crc32(scenario.encode()), replication]
        return int(np.random.SeedSequence(entropy).generate_state(1)[0])


@dataclass(frozen=True)
class Selection:
    """Which jobs of a study are asked for."""

    scenarios: tuple[Scenario, ...]
    algorithms: tuple[str, ...]
    protocols: tuple[str, ...]
    replications: int

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs, replication by replication, so that an interrupted run has looked at every scenario.

        An algorithm without a published form has jobs under the faithful protocol only.
        """
        return tuple(
            Job(scenario.scenario, scenario.costs, algorithm, protocol, replication)
            for replication in range(self.replications)
            for scenario in self.scenarios
            for protocol in self.protocols
            for algorithm in self.algorithms
            if protocol == "faithful" or REGISTRY[algorithm].published
        )

    def of(self, scenario: Scenario, protocol: str) -> Iterator[Job]:
        """Yield the jobs of a scenario under a protocol."""
        return (job for job in self.jobs if job[:2] == (scenario.scenario, scenario.costs) and job.protocol == protocol)
