"""Forests, logistic regression and additive models; all but the last see indicators and imputed numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

from bench.competitors.form import Form, Options
from bench.competitors.frames import encoded, native


def _forest(class_name: str, seed: int, **options: Any) -> Any:
    from sklearn import ensemble

    return encoded(getattr(ensemble, class_name)(random_state=seed, n_jobs=1, **options), impute=True)


def logistic_regression(seed: int, **options: Any) -> Any:
    """Make a multinomial logistic regression on standardised numbers and indicators; it has no random part."""
    from sklearn.linear_model import LogisticRegression

    return encoded(LogisticRegression(max_iter=1000, **options), impute=True, scale=True)


def _ebm(seed: int, **options: Any) -> Any:
    from interpret.glassbox import ExplainableBoostingClassifier

    return native(ExplainableBoostingClassifier(random_state=seed, n_jobs=1, **options))


_FOREST_GRID: tuple[Options, ...] = (
    {},
    {"n_estimators": 300},
    {"n_estimators": 300, "min_samples_leaf": 3},
    {"n_estimators": 300, "min_samples_leaf": 10},
    {"n_estimators": 300, "max_features": 0.5},
    {"n_estimators": 300, "max_features": 0.5, "min_samples_leaf": 3},
)
RANDOM_FOREST = Form(partial(_forest, "RandomForestClassifier"), _FOREST_GRID)
EXTRA_TREES = Form(partial(_forest, "ExtraTreesClassifier"), _FOREST_GRID)

LOGISTIC_REGRESSION = Form(logistic_regression, ({}, {"C": 0.003}, {"C": 0.03}, {"C": 0.3}, {"C": 3.0}, {"C": 30.0}))

EBM = Form(
    _ebm,
    (
        {},
        {"learning_rate": 0.005},
        {"learning_rate": 0.04},
        {"max_leaves": 3},
        {"smoothing_rounds": 500},
        {"outer_bags": 8},
    ),
)
