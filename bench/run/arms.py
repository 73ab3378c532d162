"""The arms of the suite: a competitor at its defaults, with a temperature, or tuned; one fit serves several costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from bench.competitors.form import Options
from bench.run.case import Case, Outcome, Rows, decided, probabilities

HELD_OUT_FOLDS, TUNING_FOLDS = 5, 3
_HOTTEST = 50.0
_TRIES = 20  # divisions of the groups that are looked at


def defaults(case: Case) -> dict[str, Outcome]:
    """Fit with the library's defaults."""
    return _fit_and_predict(case, {})


def _fit_and_predict(case: Case, options: Options) -> dict[str, Outcome]:
    model = case.watch.fit(lambda: case.fitted(case.train, options))
    return case.watch.predict(lambda: case.outcomes(model, case.test.X))


def temperature(case: Case) -> dict[str, Outcome]:
    """Fit to four fifths of the training rows, and scale the probabilities by what suits the other fifth.

    What has no probabilities to scale stays as it is by default.
    """
    if not hasattr(case.made({}), "predict_proba"):
        outcomes = defaults(case)
        for outcome in outcomes.values():
            outcome.chosen = "no probabilities to scale"
        return outcomes
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
        made = _fit_and_predict(case, options)
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
