"""Running a comparison on a user's file: one fit a task, a row each, with the answers to every test row."""

from __future__ import annotations

import contextlib
import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from bench.competitors.form import Form, Options, form_of
from bench.exits import reason
from bench.machine import versions
from bench.rows.columns import DONE, FAILED, OWN_FILE
from bench.rows.row import Job, Row
from bench.rows.store import Store
from bench.run.case import Watch, decided, probabilities
from bench.run.jobs import limit_threads
from bench.run.runner import run_tasks
from bench.studies.own_file import OwnFile
from bench.studies.own_jobs import CONSTANT, TODAY

WARM_UP_ROWS = 2000  # of what cannot be told to take few rounds


@dataclass(frozen=True)
class Fit:
    """What a worker is sent: a competitor, its rows, and the costs (K, A) with the codes of their answers."""

    job: Job
    form: Form
    options: Options
    X_train: pd.DataFrame
    y_train: np.ndarray
    X_test: pd.DataFrame
    y_test: np.ndarray
    costs: np.ndarray
    answers: np.ndarray
    seed: int
    versions: dict[str, str]


def answer_codes(classes: Sequence[str], answers: Sequence[str]) -> np.ndarray:
    """Return the answers (A,) as codes: that of the class, or one beyond them all for an answer that is no class."""
    place = {name: k for k, name in enumerate(classes)}
    return np.array([place.get(name, len(classes) + a) for a, name in enumerate(answers)])


def run_own_file(
    own: OwnFile,
    jobs: Sequence[Job],
    store: Store,
    *,
    seed: int,
    rounds: int | None,
    processes: int,
    cluster: str | None = None,
) -> None:
    """Run jobs and append a row per job to the store.

    Parameters
    ----------
    own : OwnFile
    jobs : sequence of Job
    store : Store
        Open.
    seed : int
    rounds : int or None
        Of the boosters that see costs; None for the usual number.
    processes, cluster
        As for :func:`bench.run.runner.run_jobs`, which has the errors too.
    """
    plain = [job for job in jobs if job.algorithm in (CONSTANT, TODAY)]
    store.append([baseline(own, job, seed) for job in plain])
    fitted = [job for job in jobs if job not in set(plain)]
    forms = {name: form_of(name) for name in dict.fromkeys(job.algorithm for job in fitted)}
    codes = answer_codes(own.about.classes, own.about.answers)

    def fits() -> Iterator[Fit]:
        for job in fitted:
            train, test = own.split(job.replication)
            form = forms[job.algorithm]
            has_rounds = form.sees_costs and bool(form.warm_up)
            yield Fit(
                job, form, {"n_estimators": rounds} if rounds and has_rounds else {},
                own.X.iloc[train].reset_index(drop=True), own.y[train], own.X.iloc[test].reset_index(drop=True),
                own.y[test], own.about.matrix, codes, seed_of(seed, own.about.name, job.replication), versions(),
            )  # fmt: skip

    def compile_all() -> None:
        """Fill the cache of compiled code, so that no two workers do so at once."""
        seen = set()
        for fit in fits():
            if fit.job.algorithm not in seen:
                seen.add(fit.job.algorithm)
                warm_up(fit)

    if fitted:
        run_tasks(
            run_fit, fits(), store, n_jobs=len(fitted), processes=min(processes, len(fitted)), cluster=cluster,
            prepare=compile_all,
        )  # fmt: skip


def seed_of(base: int, name: str, split: int) -> int:
    """Return the seed of a split's fits, which all competitors share."""
    return int.from_bytes(hashlib.sha256(f"{base}/{name}/{split}".encode()).digest()[:4]) >> 1


def baseline(own: OwnFile, job: Job, seed: int) -> Row:
    """Return the row of the best constant answer of the training rows, or of today's answers."""
    train, test = own.split(job.replication)
    costs, extra = own.about.matrix, {}
    if job.algorithm == TODAY and own.today is not None:
        answers = own.today[test]
    else:
        answers = np.full(len(test), int(costs[own.y[train]].sum(axis=0).argmin()))
        extra = {"truths": own.y[test].tolist(), "cases": own.cases[test].tolist()}
    return Row(
        study=OWN_FILE, **job._asdict(), seed=seed_of(seed, own.about.name, job.replication), status=DONE,
        test_cost=float(costs[own.y[test], answers].mean()), answers=answers.tolist(), **extra, fit_seconds=0.0,
        predict_seconds=0.0, versions=versions(),
    )  # fmt: skip


_warm: set[str] = set()  # algorithms that this process has compiled for


def warm_up(fit: Fit) -> None:
    """Compile what a fit needs, or load it; a failure is left for the fit itself to report.

    Which kernels are used depends on the rows, so they are the fit's own.
    """
    if fit.form.warm_up is None or fit.job.algorithm in _warm:
        return
    _warm.add(fit.job.algorithm)
    few = slice(None if "n_estimators" in fit.form.warm_up else WARM_UP_ROWS)
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Model(fit, fit.form.warm_up).fit(fit.X_train.iloc[few], fit.y_train[few])
        model.answer(fit.X_test.iloc[few])


def run_fit(fit: Fit) -> list[Row]:
    """Fit a competitor and return its row; a fit that raises becomes a failed one."""
    limit_threads(1)
    warm_up(fit)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: Mapping[str, Any] = {"status": DONE, **_measure(fit)}
    except Exception as error:
        found = {"status": FAILED, "error": reason(error)}
    return [Row(study=OWN_FILE, **fit.job._asdict(), seed=fit.seed, **found, versions=fit.versions)]


def _measure(fit: Fit) -> dict[str, Any]:
    watch, model = Watch(), Model(fit, fit.options)
    watch.fit(lambda: model.fit(fit.X_train, fit.y_train))
    answers = watch.predict(lambda: model.answer(fit.X_test))
    curve = model.curve(fit.X_test, fit.y_test)
    return {
        "test_cost": float(fit.costs[fit.y_test, answers].mean()),
        "answers": answers.tolist(),
        **({"cost_curve": curve.tolist(), "n_iter": len(curve)} if len(curve) else {}),
        "fit_seconds": round(watch.fit_seconds, 6),
        "predict_seconds": round(watch.predict_seconds, 6),
    }


class Model:
    """A competitor that answers by the columns of the costs, whichever classes its training rows have.

    Libraries want classes 0, 1, ... without a gap, and costs of these alone.
    """

    def __init__(self, fit: Fit, options: Options) -> None:
        self.form, self.costs, self.codes, self.seed, self.options = (
            fit.form, fit.costs, fit.answers, fit.seed, options,
        )  # fmt: skip

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Model:
        """Fit to rows X (n, d) of classes y (n,)."""
        self.known, codes = np.unique(y, return_inverse=True)
        if len(self.known) < 2:
            raise ValueError("the training rows have one class only")
        seen = (self._seen_costs(),) if self.form.sees_costs else ()
        self.model = self.form.make(*seen, self.seed, **self.options).fit(X, codes)
        return self

    def _seen_costs(self) -> Any:
        """The costs of the classes that there are: an array, or a table where answers are not just these."""
        K = len(self.costs)
        self.kept = np.flatnonzero((self.codes >= K) | np.isin(self.codes, self.known))
        names = np.where(self.codes >= K, self.codes, np.searchsorted(self.known, self.codes))[self.kept]
        self.place = dict(zip(names.tolist(), self.kept.tolist(), strict=True))
        table = self.costs[np.ix_(self.known, self.kept)]
        if names.tolist() == list(range(len(self.known))):
            return table
        return pd.DataFrame(table, index=range(len(self.known)), columns=names)

    def answer(self, X: pd.DataFrame) -> np.ndarray:
        """Return the answers (n,) to rows, as columns of the costs."""
        if self.form.sees_costs:
            return np.array([self.place[int(code)] for code in np.asarray(self.model.predict(X))])
        P = np.zeros((len(X), len(self.costs)))
        P[:, self.known] = probabilities(self.model, X, len(self.known))
        return decided(P, {"": self.costs})[""].answers

    def curve(self, X: pd.DataFrame, y: np.ndarray) -> np.ndarray:
        """Return the mean cost after each round of a booster that sees costs; empty for what has no rounds."""
        last = self.model[-1] if isinstance(self.model, Pipeline) else self.model
        if not (self.form.sees_costs and hasattr(last, "staged_cost") and np.isin(y, self.known).all()):
            return np.empty(0)
        seen = self.model[:-1].transform(X) if isinstance(self.model, Pipeline) else X
        return np.asarray(last.staged_cost(seen, np.searchsorted(self.known, y)), dtype=np.float64)
