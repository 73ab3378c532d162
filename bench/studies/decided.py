"""The jobs of ``python -m bench.decisions`` and the table that their rows make."""

from __future__ import annotations

import argparse
import time
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from bench.rows.columns import DECISIONS
from bench.rows.row import Job, Row
from bench.studies.estimates import draw
from bench.studies.listing import Listing, jobs_of, remembered
from bench.studies.scenarios import SIMULATIONS, key_of
from csboost import AngleAdaBoostClassifier, AngleGradientBoostingClassifier

QUICK_ROWS, QUICK_TABLES, QUICK_SHRINK = 300, 2, 20
_drawn = lru_cache(maxsize=1)(draw)  # the models of a scenario share its rows


def models(shrink: int) -> dict[str, Any]:
    """Return how each model is made of a cost matrix: one that learns from costs, and one that decides by them."""
    rounds = max(5, 200 // shrink)
    return {
        "Angle AdaBoost 0.1": lambda C: AngleAdaBoostClassifier(C, n_estimators=rounds, learning_rate=0.1),
        "Angle Gradient": lambda C: AngleGradientBoostingClassifier(
            C, n_estimators=max(5, 700 // shrink), random_state=0
        ),
    }


def random_table(number: int, n_classes: int, seed: int) -> np.ndarray:
    """Return a random cost matrix (K, K), rows = truth: mistakes cost from 1 to 10, whose logarithms are uniform."""
    C = 10.0 ** np.random.default_rng([seed, number, n_classes]).random((n_classes, n_classes))
    np.fill_diagonal(C, 0.0)
    return C


def measure(key: str, n_rows: int, n_test: int, n_tables: int, shrink: int, seed: int, model: str) -> dict[str, Any]:
    """Return what one model's decisions cost by each table: after one fit, and after a fit for the table."""
    case, make = _drawn(key, n_rows, n_test, seed), models(shrink)[model]
    start = time.perf_counter()
    one = make(case.costs).fit(case.X, case.y)
    seconds, lines = time.perf_counter() - start, []
    for number in range(n_tables):
        C = random_table(number, len(case.costs), seed)
        exact = case.truth @ C
        refit = make(C).fit(case.X, case.y)
        paid = {"decide": one.decide(case.test_X, C), "refit": refit.predict(case.test_X)}
        costs = {name: float(exact[np.arange(n_test), answers].mean()) for name, answers in paid.items()}
        lines.append({"table": number, **costs, "bayes": float(exact.min(axis=1).mean())})
    return {"lines": lines, "fit_seconds": round(seconds, 6)}


def tidy(rows: list[Row]) -> pd.DataFrame:
    """Return a line per scenario and model."""
    found = []
    for row in rows:
        lines = pd.DataFrame(row.lines)
        total, ratios = lines.sum(), lines["decide"] / lines["refit"]
        found.append(
            {
                "scenario": _key(row),
                "model": row.algorithm,
                "decide": total["decide"] / total["bayes"],
                "refit": total["refit"] / total["bayes"],
                "ratio": total["decide"] / total["refit"],
                "least": ratios.min(),
                "largest": ratios.max(),
            }
        )
    return pd.DataFrame(found)


def _key(of: Job | Row) -> str:
    return key_of(SIMULATIONS, of.scenario, of.costs)


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be fitted: every model in every scenario."""
    if options.quick:
        options.rows, options.test_rows, options.tables = QUICK_ROWS, QUICK_ROWS, QUICK_TABLES
        stored = {**stored, "shrink": QUICK_SHRINK}
    n_rows = remembered(options.rows, stored, "rows", options.default_rows)
    n_test = remembered(options.test_rows, stored, "test_rows", options.default_test_rows)
    n_tables = remembered(options.tables, stored, "tables", options.default_tables)
    scenarios = remembered(options.scenarios, stored, "scenarios", list(SIMULATIONS))
    shrink = stored.get("shrink", 1)
    protocol = f"{n_rows} training rows, {n_test} test rows, {n_tables} random tables"
    protocol += f", rounds / {shrink}" if shrink > 1 else ""
    keys = [key for key in SIMULATIONS if key in scenarios]
    return Listing(
        name=DECISIONS,
        title="Decisions by other tables than that of the fit",
        jobs=jobs_of([(*SIMULATIONS[key][1:3], name, protocol) for key in keys for name in models(shrink)]),
        work=lambda job: measure(_key(job), n_rows, n_test, n_tables, shrink, options.seed, job.algorithm),
        tidy=tidy,
        shown=lambda table: table.map(lambda cell: cell if isinstance(cell, str) else f"{cell:.3f}"),
        selection={"scenarios": keys, "rows": n_rows, "test_rows": n_test, "tables": n_tables, "shrink": shrink},
        notes=(
            f"The paper's simulations, {protocol}; costs are exact expected ones, summed over the tables.",
            "decide: one fit to the scenario's costs, divided by the Bayes rule. refit: a fit to each table, likewise.",
            "ratio: decide divided by refit; least and largest: of a single table.",
        ),
    )
