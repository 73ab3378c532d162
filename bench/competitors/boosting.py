"""Gradient boosting of other libraries; categories and missing values are left to them."""

from __future__ import annotations

import os
from typing import Any

from bench.competitors.form import Form, Options
from bench.competitors.frames import CategoriesAsText, encoded, native


def _lightgbm(seed: int, **options: Any) -> Any:
    from lightgbm import LGBMClassifier

    return native(LGBMClassifier(random_state=seed, n_jobs=1, verbose=-1, **options))


def _xgboost(seed: int, **options: Any) -> Any:
    from xgboost import XGBClassifier

    shared = {"tree_method": "hist", "enable_categorical": True, "n_jobs": 1, "verbosity": 0}
    return native(XGBClassifier(random_state=seed, **shared, **options))


def _xgboost_vector(seed: int, **options: Any) -> Any:
    """Make the XGBoost whose leaves hold a value per class; it takes no categories, so it sees indicators."""
    from xgboost import XGBClassifier

    shared = {"tree_method": "hist", "multi_strategy": "multi_output_tree", "n_jobs": 1, "verbosity": 0}
    return encoded(XGBClassifier(random_state=seed, **shared, **options))


def _catboost(seed: int, **options: Any) -> Any:
    from catboost import CatBoostClassifier

    shared = {"thread_count": 1, "verbose": False, "allow_writing_files": False}
    return CategoriesAsText(CatBoostClassifier(random_seed=seed, **shared, **options))


def _chimeraboost(seed: int, **options: Any) -> Any:
    os.environ.setdefault("CHIMERABOOST_NO_NOTICE", "1")  # that it compiles is no news here
    from chimeraboost import ChimeraBoostClassifier

    return CategoriesAsText(ChimeraBoostClassifier(random_state=seed, thread_count=1, ensemble_n_jobs=1, **options))


def _hist_gradient_boosting(seed: int, **options: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return native(HistGradientBoostingClassifier(random_state=seed, **options))


LIGHTGBM = Form(
    _lightgbm,
    (
        {},
        {"num_leaves": 8},
        {"num_leaves": 8, "learning_rate": 0.05},
        {"num_leaves": 8, "learning_rate": 0.05, "subsample": 0.7, "subsample_freq": 1, "colsample_bytree": 0.6},
        {"n_estimators": 300, "learning_rate": 0.03, "num_leaves": 15, "colsample_bytree": 0.6},
        {"n_estimators": 50, "num_leaves": 4},
    ),
)

_XGBOOST_GRID: tuple[Options, ...] = (
    {},
    {"max_depth": 3},
    {"max_depth": 3, "learning_rate": 0.1},
    {"max_depth": 3, "learning_rate": 0.1, "subsample": 0.7, "colsample_bytree": 0.6},
    {"n_estimators": 300, "max_depth": 4, "learning_rate": 0.05, "colsample_bytree": 0.6},
    {"n_estimators": 50, "max_depth": 2},
)
XGBOOST = Form(_xgboost, _XGBOOST_GRID)
XGBOOST_VECTOR = Form(_xgboost_vector, _XGBOOST_GRID)

CATBOOST = Form(
    _catboost,
    (
        {},
        {"depth": 4},
        {"depth": 4, "learning_rate": 0.05, "n_estimators": 500},
        {"depth": 8, "learning_rate": 0.05, "n_estimators": 500},
        {"l2_leaf_reg": 10.0},
        {"n_estimators": 200},
    ),
)

CHIMERABOOST = Form(
    _chimeraboost,
    ({}, {"depth": 4}, {"depth": 3}, {"depth": 4, "learning_rate": 0.05}, {"l2_leaf_reg": 10.0}, {"subsample": 0.7}),
    warm_up={"n_estimators": 10},
)

HIST_GRADIENT_BOOSTING = Form(
    _hist_gradient_boosting,
    (
        {},
        {"max_leaf_nodes": 8},
        {"max_leaf_nodes": 8, "learning_rate": 0.05},
        {"max_leaf_nodes": 8, "learning_rate": 0.05, "max_features": 0.6},
        {"max_iter": 300, "max_leaf_nodes": 15, "learning_rate": 0.03, "max_features": 0.6},
        {"max_iter": 50, "max_leaf_nodes": 4},
    ),
)
