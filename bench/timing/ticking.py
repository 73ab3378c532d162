"""Weak learners and callbacks that tell when each boosting round begins or ends, without touching the libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csboost.weak import CostTree

Tick = Callable[[], None]


class TickingTree(CostTree):
    """A :class:`~csboost.weak.CostTree` that ticks when it is asked for a tree: a round lies between two ticks."""

    tick: Tick

    def bind(self, *args: Any) -> Any:
        """Return the tree's grower, wrapped."""
        return _TickingGrower(super().bind(*args), self.tick)


class _TickingGrower:
    def __init__(self, grower: Any, tick: Tick):
        self._grower, self._tick = grower, tick

    def grow(self, m: int, channels: Any) -> Any:
        self._tick()
        return self._grower.grow(m, channels)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._grower, name)


def ticking_tree(leaves: int, tick: Tick) -> TickingTree:
    """Return a weak learner for the package's boosters that ticks."""
    tree = TickingTree(max_leaf_nodes=leaves)
    tree.tick = tick
    return tree


def ticking_decision_tree(leaves: int, tick: Tick) -> Any:
    """Return a scikit-learn tree that ticks when it is fitted; the class carries the clock, so clones tick too."""
    from sklearn.tree import DecisionTreeClassifier

    class TickingDecisionTree(DecisionTreeClassifier):
        def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
            tick()
            return super().fit(X, y, sample_weight, check_input)

    return TickingDecisionTree(max_leaf_nodes=leaves)


def xgboost_callback(tick: Tick) -> Any:
    """Return an XGBoost callback that ticks after each round."""
    from xgboost.callback import TrainingCallback

    class Ticking(TrainingCallback):
        def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
            tick()
            return False

    return Ticking()
