"""The classifiers of csboost that are trained without costs: these enter at the decision."""

from __future__ import annotations

from functools import partial
from typing import Any

from bench.competitors.form import Form


def _make(class_name: str, seed: int, **options: Any) -> Any:
    import csboost

    return getattr(csboost, class_name)(random_state=seed, **options)


ANGLE_GRADIENT = Form(
    partial(_make, "AngleGradientBoostingClassifier"),
    (
        {},
        {"max_leaf_nodes": 4},
        {"max_leaf_nodes": 16},
        {"max_features": 1.0},
        {"learning_rate": 0.05},
        {"reg_lambda": 3.0},
    ),
    warm_up={"n_estimators": 3},
)

COST_SENSITIVE = Form(partial(_make, "CostSensitiveClassifier"), warm_up={"effort": "fast"})
"""It has nothing to tune: in the tuned arm its cross-validation has one candidate, the defaults."""
