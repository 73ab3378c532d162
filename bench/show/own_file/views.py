"""Tables of a comparison on a user's file, as texts."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from bench.rows.row import Row
from bench.show.own_file.worth import Worth, lines_of
from bench.show.tables import Block, summarise
from bench.show.views import View, number, p_text
from bench.studies.own_jobs import CONSTANT, Asked
from bench.studies.study import Scenario

_FLIPS = 6  # lines of the table of flips


def block(asked: Asked, rows: Iterable[Row]) -> Block:
    """Return a cell per competitor and baseline: its mean test cost over the splits that it has finished."""
    done = {row.job: row.test_cost for row in rows if row.is_done}
    costs: dict[str, list[float]] = {}
    for job in asked.jobs:
        costs.setdefault(job.algorithm, []).append(done.get(job, math.nan))
    about = asked.about
    scenario = Scenario(about.costs_name, about.name, about.costs_name, about.name, about.matrix, about.classes)
    return summarise({name: np.array(values) for name, values in costs.items()}, scenario, printed=False)


def summary(worth: Worth, asked: Asked, cells: Block, rows: Sequence[Row]) -> View:
    """Return a line per competitor and baseline, lowest cost first: what it saves, with its interval."""
    base = asked.baselines[-1]
    table = lines_of(worth.against[base].sort_values("mean_cost", kind="stable"))
    best = lines_of(worth.against[worth.best]) if worth.best in worth.against else {}
    seconds = _seconds(rows)
    lines = []
    for name, row in table.items():
        cell, is_base = cells.cells[name], name == base
        above = -best[name]["saving"] if best else math.nan
        p = float(worth.p_holm.get(name, math.nan))
        lines.append(
            {
                "answers": name,
                "cost": number(cell.mean),
                "(s.e.)": "" if math.isnan(cell.standard_error) else cell.error_text,
                "saved": "" if is_base else f"{row['saving']:+.3f}",
                "95 % interval": "" if is_base else f"{row['lower']:+.3f} to {row['upper']:+.3f}",
                "share": "" if is_base or math.isnan(row["saved_share"]) else f"{row['saved_share']:+.1%}",
                "above lowest": "" if math.isnan(above) else "lowest" if name == worth.best else f"{above:+.3f}",
                "p": "" if math.isnan(p) else p_text(p),
                "fit s": number(seconds[name], 2) if name in seconds else "",
                "reps": f"{cell.replications}/{cell.asked}",
            }
        )
    return View(f"Cost per case, {asked.about.name}, costs {asked.about.costs_name}", pd.DataFrame(lines))


def _seconds(rows: Iterable[Row]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for row in rows:
        if row.is_done and row.fit_seconds > 0:
            found.setdefault(row.algorithm, []).append(row.fit_seconds)
    return {name: statistics.median(values) for name, values in found.items()}


def flips(worth: Worth, asked: Asked) -> list[View]:
    """Return, for each comparison of the lowest model, which entries of the costs would flip it, the nearest first."""
    views = []
    for other, table in worth.flips.items():
        near = table.head(_FLIPS)
        if near.empty:
            continue
        lines = [
            {
                "truth": str(truth),
                "answer": str(answer),
                "cost now": f"{row['cost']:g}",
                "flips": f"{row['side']} {row['flips_at']:.4g}",
                "change": f"{row['relative_change']:.0%}" if math.isfinite(row["relative_change"]) else "-",
            }
            for (truth, answer), row in zip(near.index.tolist(), near.to_dict("records"), strict=True)
        ]
        words = f"always answering {' or '.join(worth.constants)}" if other == CONSTANT else other
        views.append(View(f"Where {worth.best} and {words} change places", pd.DataFrame(lines)))
    return views


def cost_table(asked: Asked) -> View:
    """Return the costs as they were given."""
    about = asked.about
    lines = [
        {"truth": name, **{answer: f"{cost:g}" for answer, cost in zip(about.answers, row, strict=True)}}
        for name, row in zip(about.classes, about.costs, strict=True)
    ]
    return View("The costs (rows: truth, columns: answer)", pd.DataFrame(lines))
