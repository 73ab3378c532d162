"""Competitors that the tests of the suite register, quick and of known answers."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from test_bench_fakes import run_here

from bench.algorithms import REGISTRY, Algorithm
from bench.competitors import others
from bench.competitors.form import Form
from bench.rows.files import ROWS

FITS = []


class Nearest(ClassifierMixin, BaseEstimator):
    """Probabilities by distance from class means, the sharper the larger ``power``; remembers that it was fitted."""

    def __init__(self, seed, power=1.0):
        self.seed, self.power = seed, power

    def fit(self, X, y):
        FITS.append(len(X))
        X, self.classes_ = np.asarray(X, dtype=float), np.unique(y)
        self.spread = X.std(axis=0) + 1e-9
        self.centres = np.array([X[y == k].mean(axis=0) for k in self.classes_])
        return self

    def predict_proba(self, X):
        away = (((np.asarray(X, dtype=float)[:, None] - self.centres) / self.spread) ** 2).sum(axis=2)
        P = np.exp(-self.power * (away - away.min(axis=1, keepdims=True)))
        return P / P.sum(axis=1, keepdims=True)


class Cheapest(ClassifierMixin, BaseEstimator):
    """Answers the class that is cheapest for the training rows: trained with costs."""

    def __init__(self, cost_matrix, rounds, seed):
        self.cost_matrix, self.rounds, self.seed = cost_matrix, rounds, seed

    def fit(self, X, y):
        FITS.append(len(X))
        self.classes_, counts = np.unique(y, return_counts=True)
        self.answer = int((counts @ self.cost_matrix).argmin())
        self.prior = counts / counts.sum()
        return self

    def predict(self, X):
        return np.full(len(X), self.answer)

    def predict_proba(self, X):
        return np.tile(self.prior, (len(X), 1))


class Mute(ClassifierMixin, BaseEstimator):
    """Always answers class 0, without probabilities."""

    def __init__(self, cost_matrix, rounds, seed):
        self.cost_matrix, self.rounds, self.seed = cost_matrix, rounds, seed

    def fit(self, X, y):
        FITS.append(len(X))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X))


class Refusing(Nearest):
    def fit(self, X, y):
        if len(X) > 110:
            raise RuntimeError("too many rows for me")
        return super().fit(X, y)


@pytest.fixture(autouse=True)
def fakes(monkeypatch):
    install(monkeypatch)


def install(monkeypatch):
    FITS.clear()
    monkeypatch.setattr(others, "NEAREST", Form(Nearest, ({}, {"power": 0.01}, {"power": 3.0})), raising=False)
    monkeypatch.setattr(others, "REFUSING", Form(Refusing), raising=False)
    monkeypatch.setitem(REGISTRY, "Nearest", Algorithm(Nearest, "#0072B2", form="others.NEAREST"))
    monkeypatch.setitem(REGISTRY, "Refusing", Algorithm(Nearest, "#D55E00", form="others.REFUSING"))
    monkeypatch.setitem(REGISTRY, "Cheapest", Algorithm(Cheapest, "#009E73"))


def run(*words, out):
    return run_here("compare", "--suite", *words, "--out", out)


def rows_of(folder):
    return [json.loads(line) for line in (folder / ROWS).read_text().splitlines()]


WORDS = ["--sets", "iris", "wine", "--algorithms", "Nearest", "Cheapest", "--replications", "2"]
