"""The additive scores of a model: what each column adds to them, against reference rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from csboost.ensemble import Ensemble
from csboost.explain.members import packed_ensemble
from csboost.explain.regressions import Part, regression_part
from csboost.explain.shapley import shapley_values

__all__ = ["Part", "booster_part", "mixture_parts", "tree_part"]


def tree_part(tree: Any, X: np.ndarray, reference: np.ndarray) -> Part:
    """The expected costs of a fitted :class:`csboost.weak.CostTree`."""
    base, values = shapley_values(tree._forest, tree._costs[None], X, reference)
    return Part(1.0, np.arange(len(base)), base, values)


def booster_part(booster: Any, X: np.ndarray, reference: np.ndarray, weight: float = 1.0) -> Part:
    """The scores of a fitted booster."""
    ensemble = packed_ensemble(booster)
    finish = ensemble._scaling(ensemble.n_rounds - 1)
    base, values = shapley_values(ensemble.rules, _leaf_values(ensemble), X, reference)
    scores = finish.scores(ensemble.start + base)
    return Part(weight, np.arange(len(scores)), scores, values * (finish.factor * finish.times / finish.over))


def mixture_parts(mixture: Any, X: np.ndarray, reference: np.ndarray) -> list[Part]:
    """The scores of the members of a fitted mixture, boosters first."""
    boosters, regressions = mixture._parts()
    exponents = iter(mixture._exponents.tolist())
    parts = [booster_part(member, X, reference, next(exponents)) for member in boosters]
    return [*parts, *(regression_part(member, next(exponents), X, reference) for member in regressions)]


def _leaf_values(ensemble: Ensemble) -> np.ndarray:
    """What the leaves add to the sums of the scores (trees, leaves, S)."""
    outputs, weights = ensemble.outputs, ensemble.weights[:, None, None]
    if outputs.ndim == 2:
        return weights * (outputs[:, :, None] == np.arange(ensemble.n_scores))
    return weights * outputs
