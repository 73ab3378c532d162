"""The jobs of ``python -m bench.experiments`` and the table that their rows make."""

from __future__ import annotations

import argparse
import time
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bench.algorithms import PAPER
from bench.competitors.form import form_of
from bench.competitors.mixture import Regressions
from bench.exits import UsageError
from bench.rows.columns import EXPERIMENTS
from bench.rows.row import Job, Row
from bench.studies.listing import Listing, remembered
from bench.studies.suite import seed_of
from bench.suite import sets, splits, tasks
from csboost import AngleGradientBoostingClassifier, costs
from csboost.mixture.weights import mixture_weights

DEFAULTS, WEIGHTED = "defaults", "rows weighted by their costs"
BOOSTER: dict[str, dict[str, Any]] = {
    DEFAULTS: {},
    **{f"rate {rate:g}": {"learning_rate": rate} for rate in (0.05, 0.1, 0.2, 0.3)},
    **{f"{bins} bins": {"max_bins": bins} for bins in (63, 255)},
    **{f"{leaves} leaves": {"max_leaf_nodes": leaves} for leaves in (4, 16)},
    **{f"{rows} rows a leaf": {"min_samples_leaf": rows} for rows in (1, 20)},
    **{f"lambda {reg:g}": {"reg_lambda": reg} for reg in (0.0, 1.0, 3.0)},
    **{f"{share:.0%} of the rows": {"subsample": share} for share in (0.5, 0.8)},
    **{f"{share:.0%} of the columns": {"max_features": share} for share in (0.3, 1.0)},
    **{f"{kind} thresholds": {"thresholds": kind} for kind in ("exact", "random")},
    **{f"{bags} bags": {"n_bags": bags} for bags in (1, 10)},
    "no refits": {"refit": False},
    **{f"patience {rounds}": {"n_iter_no_change": rounds} for rounds in (10, 50)},
    "no folds, 200 rounds": {"n_iter_no_change": None, "n_estimators": 200},
}
"""The booster by likelihood with one parameter changed: costs enter the decision alone."""

SEES_COSTS: dict[str, dict[str, Any]] = {
    **{f"{loss} loss": {"loss": loss} for loss in ("exponential", "logistic", "guess-averse")},
    WEIGHTED: {},
}
STEPS = {f"{name}, rate {rate:g}": (name, rate) for name in PAPER for rate in (1.0, 0.3, 0.1)}
VARIANTS = (*BOOSTER, *SEES_COSTS, *STEPS)
QUICK = {"sets": ["iris", "wine"], "variants": [DEFAULTS, "4 leaves", "logistic loss"], "splits": 1}


class Case(NamedTuple):
    """A split of a set, with the regressions that all variants are mixed with."""

    data: Any
    rows: splits.Split
    regressions: Regressions
    others: list[np.ndarray]  # their probabilities (m, K) of the test rows
    seed: int


@lru_cache(maxsize=1)  # jobs of a split are neighbours
def case(name: str, split: int, base: int) -> Case:
    """Return a split of a set; ``base`` seeds the run."""
    data, seed = sets.load(name), seed_of(base, name, split)
    rows = splits.split(data, split)
    regressions = Regressions(data.X.iloc[rows.train], data.y[rows.train], seed)
    return Case(data, rows, regressions, regressions.predict_proba(data.X.iloc[rows.test]), seed)


def measure(name: str, variant: str, split: int, base: int) -> dict[str, Any]:
    """Return what a variant's answers cost on one split, a line for each cost structure of the set."""
    drawn, lines, seconds, model = case(name, split, base), [], [], None
    for kind in tasks.kinds_of(name):
        C = tasks.Task(name, kind).cost_matrix(drawn.data)
        if model is None or variant not in BOOSTER:  # a fit without costs serves all structures
            start = time.process_time()
            model = _fit(drawn, variant, C)
            seconds.append(time.process_time() - start)
        lines.append({"kind": kind, **_costs(drawn, model, C, variant)})
    return {"lines": lines, "fit_seconds": round(float(np.mean(seconds)), 6)}


def _fit(drawn: Case, variant: str, C: np.ndarray) -> Any:
    X, y = drawn.data.X.iloc[drawn.rows.train], drawn.data.y[drawn.rows.train]
    if variant in STEPS:
        name, rate = STEPS[variant]
        return form_of(name).make(C, drawn.seed, learning_rate=rate).fit(X, y)
    options = {**BOOSTER, **SEES_COSTS}[variant]
    weights = C[y].mean(axis=1) if variant == WEIGHTED else None
    given = C if "loss" in options else None
    model = AngleGradientBoostingClassifier(given, random_state=drawn.seed, n_jobs=1, **options)
    return model.fit(X, y, sample_weight=weights)


def _costs(drawn: Case, model: Any, C: np.ndarray, variant: str) -> dict[str, float]:
    """Return the mean cost per test row, alone and in the mixture where rows were held out."""
    X, y = drawn.data.X.iloc[drawn.rows.test], drawn.data.y[drawn.rows.test]
    floor = float(C[C > 0].min() / (2 * len(y)))  # a mean of 0 has no logarithm
    if variant in STEPS:
        return {"alone": max(floor, float(C[y, model.predict(X)].mean()))}
    P, held_out = model.predict_proba(X), model.oof_probabilities_
    sees_costs = "loss" in SEES_COSTS.get(variant, {})
    own = model.predict(X) if sees_costs else costs.bayes_decision(P, C)
    found = {"alone": max(floor, float(C[y, own].mean()))}
    if not np.isnan(held_out).all():
        weights = mixture_weights([held_out, *drawn.regressions.held_out], drawn.regressions.y, np.ones(len(held_out)))
        mixed = np.einsum("m,mnk->nk", weights, [P, *drawn.others])
        found["mixed"] = max(floor, float(C[y, costs.bayes_decision(mixed, C)].mean()))
    return found


def tidy(rows: list[Row]) -> pd.DataFrame:
    """Return a line per variant: means over the sets of logarithms of ratios to the defaults."""
    lines = pd.DataFrame(
        [
            {"set": row.scenario, "variant": row.algorithm, "split": row.replication, "time": row.fit_seconds, **line}
            for row in rows
            for line in row.lines
        ]
    )
    if lines.empty:
        return pd.DataFrame(columns=["variant", "sets", "alone", "alone_se", "mixed", "mixed_se", "time"])
    logs = lines.assign(**{name: np.log(lines[name]) for name in ("alone", "mixed", "time") if name in lines})
    means = logs.groupby(["variant", "set", "kind"]).mean(numeric_only=True).drop(columns="split")
    found = []
    for variant in [name for name in VARIANTS if name in set(lines["variant"])]:
        against = f"{STEPS[variant][0]}, rate 1" if variant in STEPS else DEFAULTS
        if against not in set(lines["variant"]):
            continue
        differences = pd.DataFrame(means.loc[variant] - means.loc[against]).groupby("set").mean()
        line: dict[str, Any] = {"variant": variant, "sets": len(differences)}
        for name in ("alone", "mixed"):
            known = differences.get(name, pd.Series(dtype=float)).dropna()
            line |= {name: known.mean(), f"{name}_se": known.std(ddof=1) / np.sqrt(max(1, len(known)))}
        found.append({**line, "time": float(np.exp(differences["time"].mean()))})
    return pd.DataFrame(found)


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table as it is printed: log ratios with their standard errors."""
    out = table[["variant", "sets"]].astype(str)
    for name in ("alone", "mixed"):
        pairs = zip(table[name], table[f"{name}_se"], strict=True)
        out[name] = ["" if np.isnan(value) else f"{value:+.4f} ({error:.4f})" for value, error in pairs]
    return out.assign(time=[f"{ratio:.2f}" for ratio in table["time"]])


def finding(table: pd.DataFrame) -> str:
    """Say which variants are told apart from the defaults in the mixture, by two standard errors."""
    apart = table[(table["mixed"].abs() > 2 * table["mixed_se"]) & (table["variant"] != DEFAULTS)].sort_values("mixed")
    parts = [
        f"{variant} {'cheaper' if mixed < 0 else 'dearer'} by {abs(np.expm1(mixed)):.1%}"
        for variant, mixed in zip(apart["variant"], apart["mixed"].astype(float), strict=True)
    ]
    said = "; ".join(parts) if parts else "none"
    return f"Of {len(table)} variants those whose mixture differs from the default one by two standard errors: {said}."


def make_listing(options: argparse.Namespace, stored: dict[str, Any]) -> Listing:
    """Return what is to be fitted: every variant on every split of every set.

    Raises
    ------
    UsageError
        For sets that are unknown or held out, and for unknown variants.
    """
    stored = {**stored, **QUICK} if options.quick else stored
    tuning = [name for name in sets.ENTRIES if name not in sets.HELD_OUT]
    asked = remembered(options.sets, stored, "sets", tuning)
    variants = remembered(options.variants, stored, "variants", list(VARIANTS))
    n_splits = remembered(options.splits, stored, "splits", 2)
    for what, given, known in (("tuning set", asked, tuning), ("variant", variants, VARIANTS)):
        if unknown := [name for name in given if name not in known]:
            raise UsageError(f"no {what}: {', '.join(unknown)}; known: {', '.join(known)}")
    jobs = [
        Job(name, "all", variant, "tuning", split)
        for split in range(n_splits)
        for name in asked
        for variant in VARIANTS
        if variant in variants
    ]
    return Listing(
        name=EXPERIMENTS,
        title="Variants of the model to fit first",
        jobs=tuple(jobs),
        work=lambda job: measure(job.scenario, job.algorithm, job.replication, options.seed),
        tidy=tidy,
        finding=finding,
        shown=shown,
        selection={"sets": asked, "variants": variants, "splits": n_splits},
        notes=(
            "Mean log ratio of costs to those of the defaults, over sets (each the mean of its cost structures and "
            "splits), with its standard error; of a booster of the paper, to itself at rate 1. Below 0 is cheaper.",
            f"{len(asked)} tuning sets of the suite, {n_splits} splits each; no held-out set takes part.",
        ),
    )
