"""The jobs of ``python -m bench.calibration`` and the table that their rows make."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pandas as pd

from bench.rows.columns import CALIBRATION
from bench.rows.row import Job, Row
from bench.studies.estimates import Case, Line, competitors, draw, judge
from bench.studies.listing import Listing, jobs_of, remembered
from bench.studies.scenarios import SIMULATIONS, key_of

FIT = ", fit "  # before the number of a fit that shares its name with another
QUICK_ROWS, QUICK_SHRINK = 2000, 20
LEGEND = (
    "log loss: divided by that of the exact probabilities.",
    "expected: the estimated expected cost of the answers, divided by their exact expected cost.",
    "cost: the exact expected cost of the answers, divided by that of the Bayes rule.",
)

_drawn = lru_cache(maxsize=1)(draw)  # the fits of a scenario share its rows


def measure(key: str, n_rows: int, n_test: int, shrink: int, seed: int, fit: str) -> dict[str, Any]:
    """Fit one of the competitors and return its lines of the table, and the seconds that it took."""
    case = _drawn(key, n_rows, n_test, seed)
    compute = numbered(case, shrink)[fit]
    start = time.perf_counter()
    results = compute()
    seconds = time.perf_counter() - start
    lines = [{"link": name, **judge(case, answers, P)} for name, answers, P in results]
    return {"lines": lines, "fit_seconds": round(seconds, 6)}


def numbered(case: Case, shrink: int) -> dict[str, Callable[[], list[Line]]]:
    """Return the competitors by name; of fits that share one, the later are numbered."""
    found: dict[str, Callable[[], list[Line]]] = {}
    for name, compute in competitors(case, shrink):
        same = sum(known.partition(FIT)[0] == name for known in found)
        found[f"{name}{FIT}{same + 1}" if same else name] = compute
    return found


def _key(of: Job | Row) -> str:
    return key_of(SIMULATIONS, of.scenario, of.costs)


def tidy(rows: list[Row]) -> pd.DataFrame:
    """Return a line per scenario, fit and link."""
    return pd.DataFrame(
        {"scenario": _key(row), "fit": row.algorithm.partition(FIT)[0], **line} for row in rows for line in row.lines
    )


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be fitted: every competitor in every scenario."""
    if options.quick:
        options.rows, options.test_rows, stored = QUICK_ROWS, QUICK_ROWS, {**stored, "shrink": QUICK_SHRINK}
    n_rows = remembered(options.rows, stored, "rows", options.default_rows)
    n_test = remembered(options.test_rows, stored, "test_rows", options.default_rows)
    scenarios = remembered(options.scenarios, stored, "scenarios", list(SIMULATIONS))
    shrink = stored.get("shrink", 1)
    protocol = f"{n_rows} training rows, {n_test} test rows" + (f", rounds / {shrink}" if shrink > 1 else "")
    keys = [key for key in SIMULATIONS if key in scenarios]
    names = list(numbered(draw("1", 100, 100, 0), shrink))
    return Listing(
        name=CALIBRATION,
        title="Estimated probabilities and expected costs beside the exact ones",
        jobs=jobs_of([(*SIMULATIONS[key][1:3], name, protocol) for key in keys for name in names]),
        work=lambda job: measure(_key(job), n_rows, n_test, shrink, options.seed, job.algorithm),
        tidy=tidy,
        shown=lambda table: table.map(lambda cell: cell if isinstance(cell, str) else f"{cell:.3f}"),
        selection={"scenarios": keys, "rows": n_rows, "test_rows": n_test, "shrink": shrink},
        notes=(f"The paper's simulations, {protocol}.", *LEGEND),
    )
