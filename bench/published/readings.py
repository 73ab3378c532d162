"""The readings that ``bench.protocols.readings`` tries, and the table that their rows make."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from bench.algorithms import PAPER, published_factory
from bench.published.other_readings import READINGS, SPLITS
from bench.published.printed import printed_costs
from bench.rows.columns import READINGS as NAME
from bench.rows.row import Job, Row
from bench.studies.listing import Listing, jobs_of, remembered
from bench.studies.scenarios import SIMULATIONS, key_of
from bench.studies.simulated import cost_matrix, simulation

N_ROWS, N_TRAIN, ROUNDS = 5000, 300, 200


def tried() -> Iterator[tuple[str, str, str, Callable[..., Any]]]:
    """Yield (algorithm, split, reading, factory): the protocol under three splits, then the other readings."""
    for split in SPLITS:
        for algorithm in PAPER:
            yield algorithm, split, "as published", published_factory(algorithm)
    for algorithm, classes in READINGS.items():
        for reading in classes:
            yield algorithm, "grouped", str(reading.__doc__), reading


@cache
def _factories() -> dict[tuple[str, str], tuple[str, Callable[..., Any]]]:
    """Return a job's algorithm and protocol -> its split and what makes its booster."""
    return {(name, _protocol(split, reading)): (split, make) for name, split, reading, make in tried()}


def _protocol(split: str, reading: str) -> str:
    return f"{split} split: {reading}"


def last_cost(job: Job, seed: int) -> float:
    """Return the test cost after the last round of one replication."""
    split, make = _factories()[job.algorithm, job.protocol]
    key = key_of(SIMULATIONS, job.scenario, job.costs)
    rng = np.random.default_rng([seed, int(key[0]), job.replication])
    X, y = simulation(job.scenario).make(N_ROWS, rng)
    train, test = SPLITS[split](y, N_TRAIN, rng)
    costs = cost_matrix(SIMULATIONS[key])
    return float(make(costs, ROUNDS, seed).fit(X[train], y[train]).staged_cost(X[test], y[test])[-1])


def tidy(rows: list[Row]) -> pd.DataFrame:
    """Return a line per reading and scenario, with the difference from print in combined standard errors."""
    columns = ["algorithm", "protocol", "scenario", "costs"]
    cells = (
        pd.DataFrame(row.stored() for row in rows)
        .groupby(columns, sort=False)["test_cost"]
        .agg(["mean", "std", "count"])
        .reset_index()
    )
    split, reading = (cells["protocol"].str.partition(" split: ")[part] for part in (0, 2))
    error = cells["std"] / np.sqrt(cells["count"])
    keys = zip(cells["scenario"], cells["costs"], cells["algorithm"], strict=True)
    printed = np.array([printed_costs()[key] for key in keys])
    return pd.DataFrame(
        {
            "algorithm": cells["algorithm"],
            "split": split,
            "reading": reading,
            "scenario": cells["scenario"],
            "costs": cells["costs"],
            "mean": cells["mean"],
            "standard_error": error,
            "replications": cells["count"],
            "difference": (cells["mean"] - printed[:, 0]) / np.hypot(error, printed[:, 1]),
        }
    )


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return a line per reading: in each scenario the mean, its standard error, and the difference from print."""
    asked = table["replications"].max()
    lines: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in table.to_dict("records"):
        text = f"{row['mean']:.3f}"
        if row["replications"] > 1:
            text += f" ({row['standard_error']:.4f}) [{row['difference']:+.1f}]"
        if row["replications"] < asked:
            text += f" of {row['replications']}"
        line = lines.setdefault((row["algorithm"], row["split"], row["reading"]), dict.fromkeys(SIMULATIONS, ""))
        line[key_of(SIMULATIONS, row["scenario"], row["costs"])] = text
    return pd.DataFrame(
        {"algorithm": algorithm, "split": split, **cells, "reading": reading}
        for (algorithm, split, reading), cells in lines.items()
    )


def finding(table: pd.DataFrame) -> str:
    """Say which reading of each algorithm is nearest to print; empty where standard errors are not known."""
    far = table.assign(off=table["difference"].abs()).groupby(["algorithm", "split", "reading"], sort=False)["off"]
    means = far.mean().dropna().reset_index()
    if means.empty:
        return ""
    nearest = means.loc[means.groupby("algorithm", sort=False)["off"].idxmin()].to_dict("records")
    parts = [f"{line['algorithm']} {line['off']:.1f} ({line['split']} split, {line['reading']})" for line in nearest]
    return f"Nearest to print, by the mean distance in combined standard errors: {'; '.join(parts)}."


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be measured: every reading in every scenario."""
    asked = options.quick_replications if options.quick and options.replications is None else options.replications
    replications = remembered(asked, stored, "replications", options.default_replications)
    parts = [
        (named.scenario, named.costs, algorithm, _protocol(split, reading))
        for algorithm, split, reading, _ in tried()
        for named in SIMULATIONS.values()
    ]
    return Listing(
        name=NAME,
        title="Readings of the settings that the paper does not state, beside print",
        jobs=jobs_of(parts, replications),
        work=lambda job: {"test_cost": last_cost(job, options.seed)},
        tidy=tidy,
        shown=shown,
        finding=finding,
        keys=2,
        selection={"replications": replications},
        notes=(
            "Mean test cost after the last round, its standard error in parentheses, and in brackets the difference "
            f"from print in combined standard errors; {replications} replications.",
        ),
    )
