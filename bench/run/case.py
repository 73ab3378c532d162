"""What an arm of the suite is run on, and what it comes to: rows, answers, and the price in time and memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bench.competitors.form import Form, Options
from bench.machine import peak_memory, reset_peak_memory, resident_memory
from csboost.costs import bayes_decision


class Rows(NamedTuple):
    """Rows of a split: features, codes of the classes, and numbers of the groups (None without)."""

    X: pd.DataFrame
    y: np.ndarray
    groups: np.ndarray | None = None

    def take(self, rows: np.ndarray) -> Rows:
        """Return some of the rows."""
        groups = None if self.groups is None else self.groups[rows]
        return Rows(self.X.iloc[rows].reset_index(drop=True), self.y[rows], groups)


@dataclass
class Outcome:
    """What an arm came to under one cost structure: answers (n,), probabilities (n, K) or None, and its choice."""

    answers: np.ndarray
    probabilities: np.ndarray | None
    chosen: str = ""


@dataclass
class Watch:
    """Seconds and memory of an arm's fits and of its predictions on the test rows."""

    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    fit_bytes: float | None = None

    def fit(self, work: Callable[[], Any]) -> Any:
        """Do what belongs to fitting."""
        reset_peak_memory()
        before, start = resident_memory(), time.perf_counter()
        done = work()
        self.fit_seconds += time.perf_counter() - start
        after = peak_memory()
        if before is not None and after is not None:
            self.fit_bytes = max(self.fit_bytes or 0.0, float(max(after - before, 0)))
        return done

    def predict(self, work: Callable[[], Any]) -> Any:
        """Do what belongs to predicting."""
        start = time.perf_counter()
        done = work()
        self.predict_seconds += time.perf_counter() - start
        return done


class Case(NamedTuple):
    """What an arm is run on.

    ``costs`` has (K, K) matrices by kind, a single one where the form sees costs.
    """

    form: Form
    train: Rows
    test: Rows
    costs: Mapping[str, np.ndarray]
    seed: int
    watch: Watch

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(next(iter(self.costs.values())))

    def made(self, options: Options) -> Any:
        """Return the competitor, unfitted."""
        seen = tuple(self.costs.values()) if self.form.sees_costs else ()
        return self.form.make(*seen, self.seed, **options)

    def fitted(self, rows: Rows, options: Options) -> Any:
        """Return the competitor fitted to rows."""
        return self.made(options).fit(rows.X, rows.y)

    def outcomes(self, model: Any, X: pd.DataFrame) -> dict[str, Outcome]:
        """Return what a fitted competitor makes of rows under each cost structure."""
        if self.form.sees_costs:
            (kind,) = self.costs
            return {kind: Outcome(np.asarray(model.predict(X)).astype(np.intp), None)}
        return decided(probabilities(model, X, self.n_classes), self.costs)


def decided(P: np.ndarray, costs: Mapping[str, np.ndarray], chosen: str = "") -> dict[str, Outcome]:
    """Return what the Bayes rule makes of probabilities (n, K) under each cost structure."""
    return {kind: Outcome(bayes_decision(P, C), P, chosen) for kind, C in costs.items()}


def probabilities(model: Any, X: pd.DataFrame, n_classes: int) -> np.ndarray:
    """Return probabilities of all classes, shape (n, K); those that the model has not met have 0."""
    P = np.zeros((len(X), n_classes))
    P[:, np.asarray(model.classes_).astype(np.intp)] = model.predict_proba(X)
    return P
