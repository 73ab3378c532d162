"""What the rows of a study say under a protocol: pure functions of them, whatever order they came in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from bench.rows.row import Job, Row
from bench.show import statistics, tables
from bench.studies.study import Scenario, Selection, Study

Done = Mapping[Job, Row]
"""The finished rows by their jobs."""


def finished(rows: Iterable[Row]) -> dict[Job, Row]:
    """Return the finished rows by their jobs."""
    return {row.job: row for row in rows if row.is_done}


@dataclass(frozen=True)
class Result:
    """What the rows say under one protocol.

    Attributes
    ----------
    protocol, title : str
    blocks : list of Block
        The table.
    pairs : dict
        Scenario key -> paired differences from the best algorithm.
    ranks : Ranks or None
        Average ranks over scenarios.
    """

    protocol: str
    title: str
    blocks: list[tables.Block]
    pairs: dict[str, pd.DataFrame]
    ranks: statistics.Ranks | None


def evaluate(study: Study, selection: Selection, done: Done, protocol: str, printed: bool = True) -> Result:
    """Return means, paired differences and ranks of a protocol; ``printed`` puts the paper's figures beside them."""
    blocks, pairs = [], {}
    for scenario in selection.scenarios:
        costs = test_costs(done, selection, scenario, protocol)
        if costs:
            blocks.append(tables.summarise(costs, scenario, printed))
            pairs[scenario.key] = statistics.paired_differences(pd.DataFrame(costs))
    means = pd.DataFrame([{name: cell.mean for name, cell in block.cells.items()} for block in blocks])
    title = f"{study.title}, {protocol} protocol: mean test cost per {study.unit}"
    ranks = statistics.average_ranks(means, [block.scenario.scenario for block in blocks])
    return Result(protocol, title, blocks, pairs, ranks)


def test_costs(done: Done, selection: Selection, scenario: Scenario, protocol: str) -> dict[str, np.ndarray]:
    """Return a scenario's test costs: algorithm -> array over replications, NaN where a job is missing or failed.

    Algorithms that have no jobs under the protocol are left out.
    """
    costs: dict[str, list[float]] = {}
    for job in selection.of(scenario, protocol):
        costs.setdefault(job.algorithm, []).append(done[job].test_cost if job in done else math.nan)
    return {name: np.array(values) for name, values in costs.items()}


def curves_of(done: Done, selection: Selection, scenario: Scenario, protocol: str) -> dict[str, np.ndarray]:
    """Return the cost curves of a scenario: algorithm -> array of shape (replications, rounds), NaN where missing.

    An algorithm without rounds (a peer) has one column.
    """
    curves: dict[str, np.ndarray] = {}
    for name in selection.algorithms:
        jobs = (Job(scenario.scenario, scenario.costs, name, protocol, r) for r in range(selection.replications))
        mine = (done[job] for job in jobs if job in done)
        found = {row.replication: row.cost_curve or [row.test_cost] for row in mine}
        if found:
            stacked = np.full((selection.replications, max(map(len, found.values()))), np.nan)
            for replication, curve in found.items():
                stacked[replication, : len(curve)] = curve
            curves[name] = stacked
    return curves
