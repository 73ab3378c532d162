"""Multiclass boosting that minimises the cost of mistakes."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Imported on first use, so that ``import csboost`` loads neither Numba nor scikit-learn.
_HOMES = {
    "AngleAdaBoostClassifier": "csboost.angle.adaboost",
    "AngleLogitBoostClassifier": "csboost.angle.logitboost",
    "AngleBoostClassifier": "csboost.angle.general",
    "SAMMEClassifier": "csboost.baselines.samme",
    "AdaBoostMHClassifier": "csboost.baselines.adaboost_mh",
    "AdaBoostM2Classifier": "csboost.baselines.adaboost_m2",
    "PNormBoostClassifier": "csboost.baselines.pnorm",
    "warm_up": "csboost.warming",
}
_MODULES = ("costs", "data", "metrics", "plots", "weak")

__all__ = [*_HOMES, *_MODULES, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"csboost.{name}")
    else:
        raise AttributeError(f"module 'csboost' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
