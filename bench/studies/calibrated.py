"""The jobs of ``python -m bench.calibration`` and the table that their rows make."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import pandas as pd

from bench.rows.columns import CALIBRATION
from bench.rows.row import Row
from bench.studies.estimates import Case, Line, competitors, draw, judge
from bench.studies.exact import asked_for, drawn, list_fits, scenario_of
from bench.studies.listing import Listing

FIT = ", fit "  # before the number of a fit that shares its name with another
QUICK, QUICK_SHRINK = {"rows": 2000, "test_rows": 2000}, 20
LEGEND = (
    "log loss: divided by that of the exact probabilities.",
    "expected: the estimated expected cost of the answers, divided by their exact expected cost.",
    "cost: the exact expected cost of the answers, divided by that of the Bayes rule.",
)


def measure(key: str, n_rows: int, n_test: int, shrink: int, seed: int, fit: str) -> dict[str, Any]:
    """Fit one of the competitors and return its lines of the table, and the seconds that it took."""
    case = drawn(key, n_rows, n_test, seed)
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


def tidy(rows: list[Row]) -> pd.DataFrame:
    """Return a line per scenario, fit and link."""
    return pd.DataFrame(
        {"scenario": scenario_of(row), "fit": row.algorithm.partition(FIT)[0], **line}
        for row in rows
        for line in row.lines
    )


def finding(table: pd.DataFrame) -> str:
    """Say which answers cost least, and which expected costs are nearest to the exact ones, over the scenarios.

    Empty where no fit has finished them all.
    """
    table = table.assign(off=(table["expected"] - 1).abs(), name=table["fit"] + ", " + table["link"])
    lines = table.groupby("name", sort=False)
    means = lines[["off", "cost"]].mean()[lines["scenario"].nunique() == table["scenario"].nunique()]
    if means.empty:
        return ""
    cheapest, nearest = means["cost"].idxmin(), means["off"].idxmin()
    over = f"mean over {table['scenario'].nunique()} scenarios" if table["scenario"].nunique() > 1 else "one scenario"
    return (
        f"Answers cost least with {cheapest}: {means['cost'].min():.3f} times the Bayes rule's ({over}). "
        f"Estimated expected costs are nearest to the exact ones with {nearest}: off by {means['off'].min():.1%}."
    )


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be fitted: every competitor in every scenario."""
    asked = asked_for(options, stored, QUICK, QUICK_SHRINK)
    return list_fits(
        asked,
        numbered(draw("1", 100, 100, 0), asked.shrink),
        options.seed,
        measure,
        name=CALIBRATION,
        title="Estimated probabilities and expected costs beside the exact ones",
        tidy=tidy,
        finding=finding,
        keys=2,
        notes=(f"The paper's simulations, {asked.protocol}.", *LEGEND),
    )
