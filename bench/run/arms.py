"""The arms of the suite: a competitor at its defaults, with a temperature, or tuned; one fit serves several costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from bench.competitors.form import Form, Options
from bench.machine import peak_memory, reset_peak_memory, resident_memory
from csboost.costs import bayes_decision

HELD_OUT_FOLDS, TUNING_FOLDS = 5, 3
_HOTTEST = 50.0
_TRIES = 20  # divisions of the groups that are looked at


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
    fit_bytes: float | None = field(default=None)

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

    def fitted(self, rows: Rows, options: Options) -> Any:
        """Return the competitor fitted to rows."""
        seen = tuple(self.costs.values()) if self.form.sees_costs else ()
        return self.form.make(*seen, self.seed, **options).fit(rows.X, rows.y)

    def outcomes(self, model: Any, X: pd.DataFrame) -> dict[str, Outcome]:
        """Return what a fitted competitor makes of rows under each cost structure."""
        if self.form.sees_costs:
            (kind,) = self.costs
            return {kind: Outcome(np.asarray(model.predict(X)).astype(np.intp), None)}
        return decided(probabilities(model, X, self.n_classes), self.costs)


def defaults(case: Case) -> dict[str, Outcome]:
    """Fit with the library's defaults."""
    model = case.watch.fit(lambda: case.fitted(case.train, {}))
    return case.watch.predict(lambda: case.outcomes(model, case.test.X))


def temperature(case: Case) -> dict[str, Outcome]:
    """Fit to four fifths of the training rows, and scale the probabilities by what suits the other fifth."""
    learn, hold = divisions(case.train, case.n_classes, HELD_OUT_FOLDS, case.seed)[0]

    def fit() -> tuple[Any, float]:
        model = case.fitted(case.train.take(learn), {})
        held = case.train.take(hold)
        return model, best_temperature(probabilities(model, held.X, case.n_classes), held.y)

    model, T = case.watch.fit(fit)
    P = case.watch.predict(lambda: scaled(probabilities(model, case.test.X, case.n_classes), T))
    return decided(P, case.costs, f"temperature {T:.3g}")


def tuned(case: Case) -> dict[str, Outcome]:
    """Fit with the options of least cost in cross-validation; each cost structure chooses its own."""
    found = case.watch.fit(lambda: _search(case))
    outcomes: dict[str, Outcome] = {}
    for number in sorted(set(found.values())):
        options = case.form.grid[number]
        model = case.watch.fit(lambda options=options: case.fitted(case.train, options))
        made = case.watch.predict(lambda model=model: case.outcomes(model, case.test.X))
        for kind in (kind for kind, best in found.items() if best == number):
            outcomes[kind] = made[kind]
            outcomes[kind].chosen = ", ".join(f"{name}={value}" for name, value in options.items())
    return outcomes


def _search(case: Case) -> dict[str, int]:
    """Return kind -> number of the options of least cost over the folds, the first of equal ones."""
    form = case.form
    if len(form.grid) == 1:
        return dict.fromkeys(case.costs, 0)
    paid = {kind: np.zeros(len(form.grid)) for kind in case.costs}
    for learn, hold in divisions(case.train, case.n_classes, TUNING_FOLDS, case.seed):
        rows, held = case.train.take(learn), case.train.take(hold)
        for number, options in enumerate(form.grid):
            for kind, outcome in case.outcomes(case.fitted(rows, options), held.X).items():
                paid[kind][number] += case.costs[kind][held.y, outcome.answers].sum()
    return {kind: int(total.argmin()) for kind, total in paid.items()}


ARMS: dict[str, Callable[[Case], dict[str, Outcome]]] = {
    "defaults": defaults,
    "temperature": temperature,
    "tuned": tuned,
}


def decided(P: np.ndarray, costs: Mapping[str, np.ndarray], chosen: str = "") -> dict[str, Outcome]:
    """Return what the Bayes rule makes of probabilities (n, K) under each cost structure."""
    return {kind: Outcome(bayes_decision(P, C), P, chosen) for kind, C in costs.items()}


def probabilities(model: Any, X: pd.DataFrame, n_classes: int) -> np.ndarray:
    """Return probabilities of all classes, shape (n, K); those that the model has not met have 0."""
    P = np.zeros((len(X), n_classes))
    P[:, np.asarray(model.classes_).astype(np.intp)] = model.predict_proba(X)
    return P


def best_temperature(P: np.ndarray, y: np.ndarray) -> float:
    """Return the temperature of least log loss for probabilities (n, K) of rows whose classes are known (Guo 2017)."""

    def loss(log_T: float) -> float:
        return log_loss(scaled(P, float(np.exp(log_T))), y)

    bound = np.log(_HOTTEST)
    return float(np.exp(minimize_scalar(loss, bounds=(-bound, bound), method="bounded").x))


def scaled(P: np.ndarray, T: float) -> np.ndarray:
    """Return probabilities (n, K) raised to 1 / T and made to sum to 1 again."""
    logs = np.log(np.maximum(P, 1e-15)) / T
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def log_loss(P: np.ndarray, y: np.ndarray) -> float:
    """Return the mean log loss of probabilities (n, K)."""
    return float(-np.log(np.maximum(P[np.arange(len(y)), y], 1e-15)).mean())


def divisions(rows: Rows, n_classes: int, folds: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return stratified folds as (others, fold); groups stay whole where every class can then be learnt.

    Parameters
    ----------
    rows : Rows
    n_classes : int
        All of them have to be among the others of every fold.
    folds, seed : int
    """
    for number in range(_TRIES if rows.groups is not None else 0):
        whole = StratifiedGroupKFold(folds, shuffle=True, random_state=seed + number)
        found = list(whole.split(rows.X, rows.y, rows.groups))
        if all(len(np.unique(rows.y[learn])) == n_classes for learn, _ in found):
            return found
    return list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(rows.X, rows.y))
