"""The jobs of ``python -m bench.experiments`` and the table that their rows make."""

from __future__ import annotations

import argparse
import time
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bench.competitors.form import form_of
from bench.competitors.mixture import Regressions
from bench.exits import UsageError
from bench.rows.columns import EXPERIMENTS
from bench.rows.row import Job, Row
from bench.studies.linear_mixture import linear_weights
from bench.studies.listing import Listing, remembered
from bench.studies.suite import seed_of
from bench.studies.varied import (
    BOOSTER,
    DEFAULTS,
    DIVIDED,
    EQUAL,
    MEANS,
    MIXTURES,
    PLAIN,
    POOL,
    SEES_COSTS,
    VARIANTS,
    WEIGHTED,
    against,
)
from bench.suite import sets, splits, tasks
from csboost import AngleGradientBoostingClassifier, costs
from csboost.mixture.pooling import pool, pooled

QUICK = {"sets": ["iris", "wine"], "variants": [DEFAULTS, "4 leaves", "logistic loss"], "splits": 1}


class Fit(NamedTuple):
    """A fitted variant: its probabilities of training rows held out and of test rows, its answers, and its time."""

    held_out: np.ndarray  # (n, K); empty for what is not mixed
    probabilities: np.ndarray  # (m, K); likewise
    answers: np.ndarray | None  # (m,) class numbers of a model that decides itself
    seconds: float


class Case(NamedTuple):
    """A split of a set, with the regressions that all variants are mixed with."""

    data: Any
    rows: splits.Split
    regressions: Regressions
    others: list[np.ndarray]  # their probabilities (m, K) of the test rows
    seed: int
    fits: dict[tuple[str, str], Fit]  # by variant and cost structure; variants that are means take part in several


@lru_cache(maxsize=1)  # jobs of a split are neighbours
def case(name: str, split: int, base: int) -> Case:
    """Return a split of a set; ``base`` seeds the run."""
    data, seed = sets.load(name), seed_of(base, name, split)
    rows = splits.split(data, split)
    regressions = Regressions(data.X.iloc[rows.train], data.y[rows.train], seed)
    return Case(data, rows, regressions, regressions.predict_proba(data.X.iloc[rows.test]), seed, {})


def measure(name: str, variant: str, split: int, base: int) -> dict[str, Any]:
    """Return what a variant's answers cost on one split, a line for each cost structure of the set."""
    drawn, lines, seconds = case(name, split, base), [], {}
    for kind in tasks.kinds_of(name):
        C = tasks.Task(name, kind).cost_matrix(drawn.data)
        parts = [_fitted(drawn, part, kind, C) for part in _parts(variant)]
        seconds[kind] = sum(part.seconds for part in parts)
        lines.append({"kind": kind, **_costs(drawn, variant, parts, C)})
    return {"lines": lines, "fit_seconds": round(float(np.mean(list(seconds.values()))), 6)}


def _parts(variant: str) -> tuple[str, ...]:
    if variant in MEANS:
        return DEFAULTS, MEANS[variant]
    return (DEFAULTS,) if variant in MIXTURES else (variant,)


def _fitted(drawn: Case, variant: str, kind: str, C: np.ndarray) -> Fit:
    """Return a fit, from those kept where it is: one without costs serves all structures."""
    key = variant, "all" if variant in BOOSTER else kind
    if key not in drawn.fits:
        X = drawn.data.X
        _warm(variant, bool((X.dtypes == "category").any()))
        train = drawn.rows.train
        start = time.process_time()
        model = _fit(variant, X.iloc[train], drawn.data.y[train], C, drawn.seed)
        seconds = time.process_time() - start
        drawn.fits[key] = _read(model, variant, X.iloc[drawn.rows.test], C, seconds)
    return drawn.fits[key]


@cache
def _warm(variant: str, has_categories: bool) -> None:
    """Compile, or load, what the first fit of a process would have to: its time is no part of the comparison."""
    X = pd.DataFrame({"x": np.arange(90.0) % 7, "z": np.arange(90.0) % 11})
    if has_categories:
        X["c"] = pd.Categorical(np.array(list("abcd"))[np.arange(90) % 4])
    _fit(variant, X, np.arange(90) % 3, costs.linear(3), 0, n_estimators=3)


def _fit(variant: str, X: pd.DataFrame, y: np.ndarray, C: np.ndarray, seed: int, **more: Any) -> Any:
    if variant in PLAIN:
        step = PLAIN[variant]
        return form_of(step.booster).make(C, seed, **{**step.options, **more}).fit(X, y)
    options = {**BOOSTER, **SEES_COSTS}[variant]
    weights = C[y].mean(axis=1) if variant in (WEIGHTED, DIVIDED) else None
    given = C if "loss" in options else None
    model = AngleGradientBoostingClassifier(given, random_state=seed, n_jobs=1, **{**options, **more})
    return model.fit(X, y, sample_weight=weights)


def _read(model: Any, variant: str, X: pd.DataFrame, C: np.ndarray, seconds: float) -> Fit:
    if variant in PLAIN:
        return Fit(np.empty((0, 0)), np.empty((0, 0)), model.predict(X), seconds)
    answers = model.predict(X) if "loss" in SEES_COSTS.get(variant, {}) else None
    held_out, P = model.oof_probabilities_, model.predict_proba(X)
    if variant == DIVIDED:  # weights of classes shift the probabilities that are learnt
        held_out, P = (each / C.mean(axis=1) for each in (held_out, P))
        held_out, P = (each / each.sum(axis=1, keepdims=True) for each in (held_out, P))
    return Fit(held_out, P, answers, seconds)


def _costs(drawn: Case, variant: str, parts: list[Fit], C: np.ndarray) -> dict[str, float]:
    """Return the mean cost per test row, alone and in the mixture where rows were held out.

    Two parts answer by the mean of their expected costs, and the first of them is the one that is mixed before.
    """
    y, first = drawn.data.y[drawn.rows.test], parts[0]

    def paid(answers: np.ndarray) -> float:
        floor = float(C[C > 0].min() / (2 * len(y)))  # a mean of 0 has no logarithm
        return max(floor, float(C[y, answers].mean()))

    def by_mean(P: np.ndarray) -> float:
        return paid(costs.bayes_decision(np.mean([P, *(part.probabilities for part in parts[1:])], axis=0), C))

    if len(parts) == 1 and first.answers is not None:
        found = {"alone": paid(first.answers)}
    else:
        found = {"alone": by_mean(first.probabilities)}
    if not np.isnan(first.held_out).all():
        taken = MIXTURES.get(variant)
        held_out = [first.held_out, *drawn.regressions.held_out[:taken]]
        members = [first.probabilities, *drawn.others[:taken]]
        found["mixed"] = by_mean(_mixed(variant, held_out, members, drawn.regressions.y))
    return found


def _mixed(variant: str, held_out: list[np.ndarray], members: list[np.ndarray], y: np.ndarray) -> np.ndarray:
    """Return the probabilities (m, K) of a mixture, from those of its members: (n, K) held out, (m, K) of test rows."""
    is_equal, equal = variant.endswith(EQUAL), np.full(len(members), 1.0 / len(members))
    if variant.startswith(POOL):
        return pooled(members, equal if is_equal else pool(held_out, y, np.ones(len(y))).exponents)
    return np.einsum("m,mnk->nk", equal if is_equal else linear_weights(held_out, y), members)


def tidy(rows: list[Row]) -> pd.DataFrame:
    """Return a line per variant: means over the sets of logarithms of ratios to the defaults, and their medians."""
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
        if against(variant) not in set(lines["variant"]):
            continue
        differences = pd.DataFrame(means.loc[variant] - means.loc[against(variant)]).groupby("set").mean()
        line: dict[str, Any] = {"variant": variant, "sets": len(differences)}
        for name in ("alone", "mixed"):
            known = differences.get(name, pd.Series(dtype=float)).dropna()
            error = known.std(ddof=1) / np.sqrt(max(1, len(known)))
            line |= {name: known.mean(), f"{name}_se": error, f"{name}_median": known.median()}
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
