"""The additive scores of a model: what each column adds to them, against reference rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from csboost.ensemble import Ensemble
from csboost.explain.members import packed_ensemble
from csboost.explain.shapley import shapley_values

__all__ = ["Part", "booster_part", "mixture_parts", "tree_part"]


class Part(NamedTuple):
    """Scores that are a sum over columns: those of a row are ``base + values.sum(axis=1)``."""

    weight: float  # of the part in the probabilities
    scores: np.ndarray  # (S,) the numbers of the answers, or classes, that the scores are of
    base: np.ndarray  # (S,) means over the reference rows
    values: np.ndarray  # (n, d, S)


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
    *boosters, linear = zip(mixture.members_.values(), mixture.weights_, strict=True)
    parts = [booster_part(member, X, reference, float(weight)) for member, weight in boosters]
    return [*parts, _linear_part(*linear, X, reference)]


def _leaf_values(ensemble: Ensemble) -> np.ndarray:
    """What the leaves add to the sums of the scores (trees, leaves, S)."""
    outputs, weights = ensemble.outputs, ensemble.weights[:, None, None]
    if outputs.ndim == 2:
        return weights * (outputs[:, :, None] == np.arange(ensemble.n_scores))
    return weights * outputs


def _linear_part(linear: Any, weight: float, X: np.ndarray, reference: np.ndarray) -> Part:
    """The scores of a linear member. Its encoder treats every column by itself, so a column's part is what its value
    changes wherever the others are.
    """
    n, start = len(X), np.repeat(reference[:1], len(X) + len(reference), axis=0)
    base = _margins(linear, reference).mean(axis=0)
    values = np.empty((*X.shape, len(base)))
    for column in range(X.shape[1]):
        moved = start.copy()
        moved[:n, column], moved[n:, column] = X[:, column], reference[:, column]
        margins = _margins(linear, moved)
        values[:, column] = margins[:n] - margins[n:].mean(axis=0)
    return Part(float(weight), np.asarray(linear.classes_, dtype=np.intp), base, values)


def _margins(linear: Any, X: np.ndarray) -> np.ndarray:
    """A score per class that the member knows (n, S); their softmax are its probabilities."""
    margins = np.asarray(linear.decision_function(X), dtype=np.float64)
    return np.stack([np.zeros(len(margins)), margins], axis=1) if margins.ndim == 1 else margins
