"""Estimated probabilities and expected costs where the truth is known: what is fitted, and how it is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from bench.studies.scenarios import SIMULATIONS
from bench.studies.simulated import cost_matrix, simulation
from csboost import AdaBoostMHClassifier, AngleLogitBoostClassifier, PNormBoostClassifier, SAMMEClassifier
from csboost.angle.losses import LogisticLoss
from csboost.costs import BayesDecisionClassifier
from csboost.link import MarginLink
from csboost.link.margin import inverse_slopes
from csboost.link.nonnegative import nearest_in_proportion
from csboost.weak import CostTree

Line = tuple[str, np.ndarray, np.ndarray]
"""A link, answers (n,), probabilities (n, K)."""

SHAPES = ((4, 200), (4, 2000), (12, 500), (128, 150))  # leaves and rounds of the angle boosters
BAGGED, WATCHED = (128, 150), ((4, 200), (12, 500))
FLOOR = 1e-3  # share of the uniform distribution without which two of the links would answer 0


@dataclass
class Case:
    """A scenario with training rows, test rows and what is true of them: ``truth`` (n, K), ``costs`` (K, K)."""

    key: str
    costs: np.ndarray
    X: np.ndarray
    y: np.ndarray
    test_X: np.ndarray
    truth: np.ndarray


def draw(key: str, n_rows: int, n_test: int, seed: int) -> Case:
    """Draw a scenario's training and test rows."""
    named = SIMULATIONS[key]
    make, exact, _ = simulation(named.scenario)
    X, y = make(n_rows, random_state=seed)
    test_X, _ = make(n_test, random_state=1_000_000 + seed)
    return Case(key, cost_matrix(named), X, y, test_X, exact(test_X))


def log_loss(truth: np.ndarray, P: np.ndarray) -> float:
    """Mean log loss of ``P`` (n, K) over labels drawn from ``truth`` (n, K)."""
    return float(-(truth * np.log(np.maximum(P, 1e-12))).sum(axis=1).mean())


def judge(case: Case, answers: np.ndarray, P: np.ndarray) -> dict[str, float]:
    """Return the three ratios of the table."""
    rows, exact = np.arange(len(answers)), case.truth @ case.costs
    paid = exact[rows, answers].mean()
    return {
        "log loss": log_loss(case.truth, P) / log_loss(case.truth, case.truth),
        "expected": (P @ case.costs)[rows, answers].mean() / paid,
        "cost": paid / exact.min(axis=1).mean(),
    }


def links(margins: np.ndarray, C: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield probabilities from margins by the package's link and by two simpler ones."""
    loss, K = LogisticLoss(), len(C)
    q = inverse_slopes(margins, loss)
    clipped = np.maximum(np.linalg.solve(C.T, q.T).T, 0.0)
    nearest = nearest_in_proportion(np.maximum(q, 1e-6), C / C.max(), 0.0, 1.0)
    for name, x in (("negative entries cut", clipped), ("least squares", nearest)):
        yield name, (1 - FLOOR) * x / x.sum(axis=1, keepdims=True) + FLOOR / K
    yield "predict_proba", MarginLink(loss, C).estimate(margins)[0]


def angle(case: Case, shape: tuple[int, int], **options: Any) -> Any:
    """Return an unfitted Angle LogitBoost of learning rate 0.1."""
    leaves, rounds = shape
    return AngleLogitBoostClassifier(
        case.costs, n_estimators=rounds, learning_rate=0.1, weak_learner=CostTree(leaves), **options
    )


def own(case: Case, model: Any, name: str = "predict_proba") -> list[Line]:
    """Fit a model and take its answers and probabilities as they are."""
    model.fit(case.X, case.y)
    answers = np.searchsorted(model.classes_, model.predict(case.test_X))
    return [(name, answers, model.predict_proba(case.test_X))]


def by_bayes_rule(case: Case, model: Any, name: str) -> list[Line]:
    """Fit a model without costs of its own and answer by the Bayes rule on its probabilities."""
    return own(case, BayesDecisionClassifier(model, case.costs), name)


def by_every_link(case: Case, model: Any) -> list[Line]:
    """Fit an angle booster once and read its margins in several ways."""
    margins = model.fit(case.X, case.y).decision_function(case.test_X)
    return [(name, margins.argmax(axis=1), P) for name, P in links(margins, case.costs)]


def competitors(case: Case, shrink: int) -> Iterator[tuple[str, Callable[[], list[Line]]]]:
    """Yield what to fit: a name, and a function that fits it and returns its lines of the table."""

    def shaped(shape: tuple[int, int]) -> tuple[str, tuple[int, int]]:
        leaves, rounds = shape[0], max(2, shape[1] // shrink)
        return f"Angle LogitBoost {leaves} x {rounds}", (leaves, rounds)

    for name, shape in map(shaped, SHAPES):
        yield name, partial(by_every_link, case, angle(case, shape))
    for name, shape in map(shaped, WATCHED):
        yield name, partial(own, case, angle(case, shape, n_iter_no_change=shape[1], random_state=0), "held-out scale")
    name, shape = shaped(BAGGED)
    bagged = BaggingClassifier(angle(case, shape), 10, random_state=0)
    yield name, partial(by_bayes_rule, case, bagged, "mean of 10 bootstrap fits")
    recalibrated = CalibratedClassifierCV(angle(case, shape), method="sigmoid", cv=5)
    yield name, partial(by_bayes_rule, case, recalibrated, "sigmoids, 5 folds")
    rounds = max(2, 300 // shrink)
    shared: dict[str, Any] = {"cost_matrix": case.costs, "n_estimators": rounds, "learning_rate": 0.1}
    for name, model in (
        ("SAMME", SAMMEClassifier(**shared)),
        ("AdaBoost.MH discrete", AdaBoostMHClassifier(**shared)),
        ("AdaBoost.MH real", AdaBoostMHClassifier(votes="real", **shared)),
        ("p-norm", PNormBoostClassifier(**shared)),
    ):
        yield f"{name} 4 x {rounds}", partial(own, case, model)
    trees = HistGradientBoostingClassifier(max_iter=rounds, learning_rate=0.05, max_leaf_nodes=8, early_stopping=False)
    yield f"HistGradientBoosting 8 x {rounds}", partial(by_bayes_rule, case, trees, "predict_proba")
    yield "LogisticRegression", partial(by_bayes_rule, case, LogisticRegression(max_iter=1000), "predict_proba")
