"""The weak learner that feeds all boosters, and the adapter for scikit-learn's classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

_HOMES = {"CostTree": "tree", "SklearnWeakLearner": "adapter"}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.weak.adapter import SklearnWeakLearner as SklearnWeakLearner
    from csboost.weak.tree import CostTree as CostTree
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
