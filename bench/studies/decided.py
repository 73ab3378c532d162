"""The jobs of ``python -m bench.decisions`` and the table that their rows make."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import pandas as pd

from bench.rows.columns import DECISIONS
from bench.rows.row import Row
from bench.studies.exact import asked_for, drawn, list_fits, scenario_of
from bench.studies.listing import Listing
from csboost import AngleAdaBoostClassifier, AngleGradientBoostingClassifier

QUICK, QUICK_SHRINK = {"rows": 300, "test_rows": 300, "tables": 2}, 20


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
    case, make = drawn(key, n_rows, n_test, seed), models(shrink)[model]
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
                "scenario": scenario_of(row),
                "model": row.algorithm,
                "decide": total["decide"] / total["bayes"],
                "refit": total["refit"] / total["bayes"],
                "ratio": total["decide"] / total["refit"],
                "least": ratios.min(),
                "largest": ratios.max(),
            }
        )
    return pd.DataFrame(found)


def finding(table: pd.DataFrame) -> str:
    """Say what deciding by other tables costs beside fits to them, per model over the scenarios."""
    parts = [
        f"{lines['ratio'].mean():.3f} times as much with {model} "
        f"({lines['ratio'].min():.3f} to {lines['ratio'].max():.3f} by scenario)"
        for model, lines in table.groupby("model", sort=False)
    ]
    return (
        "Deciding by other tables than that of the fit costs, beside fits to each table and on average over scenarios, "
        f"{', and '.join(parts)}."
    )


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be fitted: every model in every scenario."""
    asked = asked_for(options, stored, QUICK, QUICK_SHRINK)
    return list_fits(
        asked,
        models(asked.shrink),
        options.seed,
        measure,
        name=DECISIONS,
        title="Decisions by other tables than that of the fit",
        tidy=tidy,
        finding=finding,
        keys=2,
        notes=(
            f"The paper's simulations, {asked.protocol}; costs are exact expected ones, summed over the tables.",
            "decide: one fit to the scenario's costs, divided by the Bayes rule. refit: a fit to each table, likewise.",
            "ratio: decide divided by refit; least and largest: of a single table.",
        ),
    )
