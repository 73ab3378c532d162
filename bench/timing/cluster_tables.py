"""From the rows of a cluster to tables and the verdict: pure functions of the rows, and their writing."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pandas as pd

from bench.rows.store import Store
from bench.show.views import View
from bench.timing.contestants import REFERENCE
from bench.timing.measured import Measured, Rows, by_name, by_process, of_work, pair_ratios, pairs
from bench.timing.on_dask import BOOSTERS, LIGHTGBM, SPREAD, SUFFIX
from bench.timing.outputs import write_study
from bench.timing.tables import quantity, spread, summarise, three_digits
from bench.timing.targets import Target, evaluate

TITLE = "Speed on a Dask cluster, beside local fits"
LEGEND = (
    "Medians; spread: least and largest over repeats. A round is what the further rounds of the longer of two fits "
    "took (before round 1: what the rest did); ratios are formed repeat by repeat. Matched: 4 leaves, 255 bins; local "
    "fits have as many threads as there are workers, as far as there are cores. kB a round: what one machine "
    "has found, one way; per exchange: what a round takes beyond the local one, by the exchanges. LightGBM: "
    'DaskLGBMClassifier, tree_learner="data", the same cluster and rows; it grows a tree per class and round.'
)


def two_workers(rows: Rows) -> Measured | None:
    """Find how many times a local round with two threads a round on two workers takes, with the most rows."""
    rows = [row for row in of_work(rows, "cluster-round") if (row.workers, row.threads) == (2, 2)]
    rows = [row for row in rows if row.n == max(row.n for row in rows)]
    ratios = by_process(pairs(by_name(rows, SPREAD), by_name(rows, REFERENCE)))
    return Measured(ratios, variant=rows[0].variant) if ratios else None


TARGETS = (
    Target("round, 2,000,000 x 57, K = 7: two workers of one thread over two local threads", 1.5, math.inf, "x", False,
           two_workers, "cluster", "cluster-round"),
)  # fmt: skip


def write_outputs(rows: Rows, store: Store) -> None:
    """Print the tables and write ``table.*``, ``targets.csv``, ``environment.json`` and ``report.html``."""
    targets = evaluate(rows, store.settings().get("absent", {}), TARGETS)
    tidy = summarise(rows, ("workers", "exchanges", "sent_bytes"))
    write_study(rows, store, TITLE, finding(targets), LEGEND, targets, [*scaling_views(rows), *tiny_views(rows)], tidy)


def finding(targets: pd.DataFrame) -> str:
    """Say in a sentence what a round on two workers takes, and whether that is what it may take."""
    (line,) = targets.to_dict("records")
    measured = "" if math.isnan(line["measured"]) else f" takes {three_digits(line['measured'])} times a local one"
    floor = f"with two threads (at most {line['floor']:g} times is the figure to reach)"
    return f"A round on two workers of one thread{measured or ', against a local one'} {floor}: {line['mark']}."


def scaling_views(rows: Rows) -> list[View]:
    """Return strong scaling (the same rows for all) and weak scaling (as many rows for each worker)."""
    rows = of_work(rows, "cluster-round")
    if not rows:
        return []
    most, each = max(row.n for row in rows), min(row.n // row.workers for row in rows)
    same = [row for row in rows if row.n == most]
    grown = [row for row in rows if row.n == each * row.workers]
    return [
        View(f"One round, strong scaling: {most:,} x {rows[0].d}, K = {rows[0].K}", _by_workers(same)),
        View(f"One round, weak scaling: {each:,} x {rows[0].d} for each worker, K = {rows[0].K}", _by_workers(grown)),
    ]


def _by_workers(rows: Rows) -> pd.DataFrame:
    lines = []
    pace: dict[int, float] = {}  # rows a second
    for workers in sorted({row.workers for row in rows}):
        mine = [row for row in rows if row.workers == workers]
        dask, local, light = (by_name(mine, name) for name in (SPREAD, REFERENCE, LIGHTGBM))
        pace[workers] = mine[0].n / _median(dask)
        shown = {"workers": str(workers), "rows": f"{mine[0].n:,}", **_beside(dask, local)}
        shown["local threads"] = str(mine[0].threads)
        shown["rows a second against one worker"] = three_digits(pace[workers] / pace.get(1, math.nan))
        shown["before round 1"] = quantity(_median(dask, "setup_seconds"), "s")
        shown["LightGBM on Dask"] = quantity(_median(light), "s")
        shown["times ours"] = _ratio(light, dask)
        lines.append(shown)
    return pd.DataFrame(lines)


def tiny_views(rows: Rows) -> list[View]:
    """Return what a round on a cluster takes beyond a local one when there is next to nothing to do."""
    rows = of_work(rows, "cluster-tiny")
    lines = []
    for name in BOOSTERS:
        local, dask = by_name(rows, name), by_name(rows, name + SUFFIX)
        if local or dask:
            lines.append({"": name, "overhead": quantity(_median(dask) - _median(local), "s"), **_beside(dask, local)})
    if not lines:
        return []
    shape = f"{rows[0].n:,} x {rows[0].d}, K = {rows[0].K}, {rows[0].workers} workers"
    return [View(f"One round, overhead: {shape}", pd.DataFrame(lines))]


def _beside(dask: Rows, local: Rows) -> dict[str, str]:
    """A round on the cluster, the local one, and what the difference is made of."""
    values = [row.value for row in dask] or [math.nan]
    exchanges, beyond = _median(dask, "exchanges"), _median(dask) - _median(local)
    return {
        "on Dask": quantity(_median(dask), "s"),
        "spread": spread(min(values), max(values), lambda value: quantity(value, "s")),
        "local": quantity(_median(local), "s"),
        "times local": _ratio(dask, local),
        "exchanges": three_digits(exchanges),
        "kB a round": three_digits(_median(dask, "sent_bytes") / 1e3),
        "per exchange": quantity(beyond / exchanges, "s") if beyond > 0 and exchanges else "-",
    }


def _ratio(upper: Rows, lower: Rows) -> str:
    ratios = pair_ratios(upper, lower)
    return three_digits(statistics.median(ratios)) if ratios else "-"


def _median(rows: Rows, field: str = "value") -> float:
    values: list[Any] = [value for row in rows if (value := getattr(row, field)) is not None]
    return float(statistics.median(values)) if values else math.nan
