"""The competitors: name -> how to make one. This is the only file to edit to add a competitor.

Add a line to ``REGISTRY`` (:func:`register` does it from elsewhere). ``make(cost_matrix, rounds, seed)`` returns an
unfitted estimator with ``fit(X, y)`` and either ``staged_cost(X, y, sample_weight=None)``, the mean cost after each
round, or ``predict(X)``. It is called in a worker process, so it must be importable: a function at the top of a module,
or a partial of one. Libraries are imported inside the functions, because the command line reads this file before it
knows what is needed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench import extras
from bench.protocols import PROTOCOLS as PROTOCOLS
from bench.protocols import published_factory

Maker = Callable[[Any, int, int], Any]
Dashes = str | tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class Algorithm:
    """A competitor and how it is drawn.

    Attributes
    ----------
    make : callable
        ``make(cost_matrix, rounds, seed)`` -> unfitted estimator; ``cost_matrix`` is a (K, K) ndarray, rows = truth.
    colour, dashes, marker : str, Matplotlib line style, Matplotlib marker
        The same in every figure. Colours from Okabe and Ito (2008), then Tol's muted scheme, both safe for colour-blind
        readers; dashes and markers tell lines apart in grey.
    published : bool
        Whether the ``published`` protocol has a form of it.
    requires : str or None
        The package that it needs beyond the project's own.
    """

    make: Maker
    colour: str
    dashes: Dashes = "-"
    marker: str = ""
    published: bool = False
    requires: str | None = None


def _booster(class_name: str, cost_matrix: Any, rounds: int, seed: int, **options: Any) -> Any:
    booster = getattr(importlib.import_module("csboost"), class_name)
    return booster(cost_matrix=cost_matrix, n_estimators=rounds, random_state=seed, **options)


def make_published(name: str, cost_matrix: Any, rounds: int, seed: int) -> Any:
    """Make the ``published`` form of an algorithm."""
    return published_factory(name)(cost_matrix, rounds, seed)


def _with_bayes_rule(classifier: Any, cost_matrix: Any) -> Any:
    """Let a probability classifier decide for the class of least expected cost."""
    from csboost.costs import BayesDecisionClassifier

    return BayesDecisionClassifier(classifier, cost_matrix=cost_matrix)


def _lightgbm(cost_matrix: Any, rounds: int, seed: int) -> Any:
    from lightgbm import LGBMClassifier

    return _with_bayes_rule(LGBMClassifier(n_estimators=rounds, random_state=seed, n_jobs=1, verbose=-1), cost_matrix)


def _xgboost(cost_matrix: Any, rounds: int, seed: int) -> Any:
    from xgboost import XGBClassifier

    return _with_bayes_rule(XGBClassifier(n_estimators=rounds, random_state=seed, n_jobs=1, verbosity=0), cost_matrix)


def _hist_gradient_boosting(cost_matrix: Any, rounds: int, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return _with_bayes_rule(
        HistGradientBoostingClassifier(max_iter=rounds, early_stopping=False, random_state=seed), cost_matrix
    )


def _random_forest(cost_matrix: Any, rounds: int, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return _with_bayes_rule(RandomForestClassifier(n_estimators=rounds, random_state=seed, n_jobs=1), cost_matrix)


def _logistic_regression(cost_matrix: Any, rounds: int, seed: int) -> Any:
    """Make a logistic regression; it has no rounds and no random part, and the studies' features are scaled already."""
    from sklearn.linear_model import LogisticRegression

    return _with_bayes_rule(LogisticRegression(max_iter=1000), cost_matrix)


REGISTRY: dict[str, Algorithm] = {
    # The paper's six, in the order of its tables.
    "AdaBoost.MH": Algorithm(partial(_booster, "AdaBoostMHClassifier"), "#E69F00", (0, (5, 1.5)), "s", published=True),
    "SAMME": Algorithm(partial(_booster, "SAMMEClassifier"), "#56B4E9", (0, (6, 1.5, 1, 1.5)), "^", published=True),
    "AdaBoost.M2": Algorithm(partial(_booster, "AdaBoostM2Classifier"), "#009E73", (0, (1, 1.2)), "o", published=True),
    "p-norm": Algorithm(partial(_booster, "PNormBoostClassifier"), "#CC79A7", (0, (2.5, 1)), "D", published=True),
    "Angle AdaBoost": Algorithm(partial(_booster, "AngleAdaBoostClassifier"), "#0072B2", "-", published=True),
    "Angle LogitBoost": Algorithm(
        partial(_booster, "AngleLogitBoostClassifier"), "#D55E00", (0, (10, 1.5)), "v", published=True
    ),
    # The paper's future work.
    "Angle LUM": Algorithm(
        partial(_booster, "AngleBoostClassifier", loss="lum"), "#000000", (0, (8, 1.5, 1, 1.5, 1, 1.5)), "P"
    ),
    # The paper's two with small steps, which overfit less (docs/guide.md).
    "Angle AdaBoost 0.1": Algorithm(
        partial(_booster, "AngleAdaBoostClassifier", learning_rate=0.1), "#44AA99", (0, (4, 1, 1, 1)), "d"
    ),
    "Angle LogitBoost 0.1": Algorithm(
        partial(_booster, "AngleLogitBoostClassifier", learning_rate=0.1), "#CC6677", (0, (2, 2)), "h"
    ),
    # Peers from other libraries, each followed by the Bayes rule on its probabilities.
    "LightGBM": Algorithm(_lightgbm, "#332288", (0, (3, 3)), "x", requires="lightgbm"),
    "XGBoost": Algorithm(_xgboost, "#117733", (0, (1, 3)), "+", requires="xgboost"),
    "HistGradientBoosting": Algorithm(_hist_gradient_boosting, "#882255", (0, (6, 3)), "*"),
    "RandomForest": Algorithm(_random_forest, "#999933", (0, (6, 3, 1, 3)), "<"),
    "LogisticRegression": Algorithm(_logistic_regression, "#AA4499", (0, (3, 3, 1, 3)), ">"),
}

PAPER = tuple(name for name, algorithm in REGISTRY.items() if algorithm.published)
"""The paper's six algorithms in the order of its tables."""


def register(name: str, algorithm: Algorithm) -> None:
    """Add a competitor, or replace one of the same name."""
    REGISTRY[name] = algorithm


def missing_packages(names: list[str]) -> dict[str, str]:
    """Return algorithm -> package for those whose package is not installed."""
    needs = {name: REGISTRY[name].requires for name in names}
    return {name: package for name, package in needs.items() if package and not extras.is_installed(package)}


def maker(name: str, protocol: str) -> Maker:
    """Return the factory of an algorithm under a protocol, ready to be sent to a worker."""
    return REGISTRY[name].make if protocol == "faithful" else partial(make_published, name)
