"""What compiled code takes for granted, checked: it would follow a wrong number out of its arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from csboost.ensemble import End, Ensemble
from csboost.models.foreign import FOREIGN_CHECKS
from csboost.weak.forest import Forest
from csboost.weak.packing import depths

__all__ = ["CHECKS", "Outdated"]

_FOREST = {
    "feature": "i4", "left": "i4", "right": "i4", "threshold": "f8", "missing_left": "?", "gains": "f8",
    "is_set": "?",
}  # fmt: skip


class Outdated(ValueError):
    """What an earlier version fitted, and this one cannot use."""


def check_forest(forest: Forest) -> None:
    """Refuse trees that are none: every way down must end at a leaf with a number of its own.

    Raises
    ------
    ValueError
    """
    trees, nodes = forest.left.shape
    for name, kind in _FOREST.items():
        if getattr(forest, name) is not None:
            _require(_is_array(getattr(forest, name), kind, (trees, nodes)), f"the trees' {name}")
    _require(_is_array(forest.depth, "i4", (trees,)), "the trees' depth")
    _require(_is_array(forest.n_leaves, "i8", (trees,)), "the trees' n_leaves")
    _require((forest.is_set is None) == (forest.sets is None), "the trees' sets")
    if forest.sets is not None:
        _require(_is_array(forest.sets, "u4", (trees, nodes, 8)), "the trees' sets")
    own, n_leaves = np.arange(nodes), forest.n_leaves[:, None]
    n_nodes = 2 * n_leaves - 1
    exists = own < n_nodes
    is_leaf = forest.left == own
    _require(bool(((n_leaves >= 1) & (n_nodes <= nodes)).all()), "the trees' number of leaves")
    _require(bool((forest.right[is_leaf & exists] == np.nonzero(is_leaf & exists)[1]).all()), "the trees' leaves")
    numbers = forest.feature >= 0
    numbers &= ~(is_leaf & exists) | (forest.feature < n_leaves)
    _require(bool(numbers.all()), "the trees' features")
    is_inner, found = exists & ~is_leaf, np.zeros(trees * nodes, np.int64)
    for child in (forest.left, forest.right):
        _require(bool(((child >= 0) & (child < nodes)).all()), "the trees' links")
        _require(bool((child > own)[is_inner].all()), "the trees' links")
        found += np.bincount((child + nodes * np.arange(trees)[:, None])[is_inner], minlength=trees * nodes)
    # every node but the root has one parent, which comes before it: no way is a circle, and none leads to another tree
    _require(bool((found.reshape(trees, nodes) == (exists & (own > 0))).all()), "the trees' links")
    _require(bool((depths(is_inner, forest.left, forest.right) == forest.depth).all()), "the trees' depth")


def check_ensemble(ensemble: Ensemble) -> None:
    """Refuse rules, outputs and coefficients that do not belong together.

    Raises
    ------
    ValueError
    """
    S, per_round, outputs = ensemble.n_scores, ensemble.trees_per_round, ensemble.outputs
    _require(type(S) is int and type(per_round) is int and S >= 1 and per_round >= 1, "the number of scores")
    _require(type(ensemble.symmetric) is bool, "symmetric")
    trees, rounds = len(ensemble.weights), len(ensemble.scales)
    _require(rounds >= 1 and trees == rounds * per_round, "the number of rounds")
    for name, length in {"weights": trees, "scales": rounds, "errors": rounds, "start": S}.items():
        _require(_is_array(getattr(ensemble, name), "f8", (length,)), name)
    _require(type(ensemble.ends) is tuple and all(type(end) is End for end in ensemble.ends), "how the rounds ended")
    for end in ensemble.ends:
        _require(isinstance(end.step, float) and isinstance(end.last, bool | np.bool_), "how the rounds ended")
    if outputs.ndim == 2:
        _require(outputs.dtype.kind in "iu" and len(outputs) == trees, "outputs")
        _require(bool(((outputs >= 0) & (outputs < S)).all()), "outputs")
    else:
        _require(_is_array(outputs, "f8", (trees, outputs.shape[1], S)), "outputs")
    if isinstance(ensemble.rules, Forest):
        _require(len(ensemble.rules.left) == trees, "the number of trees")
        _require(bool((ensemble.rules.n_leaves <= outputs.shape[1]).all()), "outputs")
    else:
        _require(type(ensemble.rules) is list and len(ensemble.rules) == trees, "rules")


def check_mixture(mixture: Any) -> None:
    """Refuse members without sound numbers to pool them by.

    Raises
    ------
    Outdated
        For a mixture that averaged probabilities.
    ValueError
    """
    fitted = vars(mixture)
    if "members_" not in fitted:
        return
    if "temperature_" not in fitted:
        raise Outdated("holds a mixture of an earlier csboost, which averaged probabilities")
    weights, temperature = fitted.get("weights_"), fitted["temperature_"]
    is_known = _is_array(weights, "f8", (len(mixture.members_),)) and type(temperature) in (float, int)
    what = "the mixture's weights and temperature"
    _require(is_known, what)
    _require(bool((weights >= 0).all()) and math.isclose(weights.sum(), 1.0) and 1e-6 < temperature < 1e6, what)


def _is_array(found: Any, kind: str, shape: tuple[int, ...]) -> bool:
    return isinstance(found, np.ndarray) and found.dtype == np.dtype(kind) and found.shape == shape


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"{what} cannot be right")


#: By the names of classes, what is asked of their objects before they are used.
CHECKS: dict[str, Callable[[Any], None]] = {
    "CostSensitiveClassifier": check_mixture,
    "Ensemble": check_ensemble,
    "Forest": check_forest,
    **FOREIGN_CHECKS,
}
