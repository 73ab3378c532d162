"""The weak learner that feeds all boosters, and the adapter for scikit-learn's classifiers."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "CostTree":
        from csboost.weak.tree import CostTree

        return CostTree
    if name == "SklearnWeakLearner":
        from csboost.weak.adapter import SklearnWeakLearner

        return SklearnWeakLearner
    raise AttributeError(f"module 'csboost.weak' has no attribute {name!r}")


__all__ = ["CostTree", "SklearnWeakLearner"]
