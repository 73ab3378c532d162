"""What each column adds to the scores of a linear member, with products of two columns shared between them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import PolynomialFeatures

__all__ = ["Part", "regression_part"]


class Part(NamedTuple):
    """Scores that are a sum over columns: those of a row are ``base + values.sum(axis=1)``."""

    weight: float  # of the part in a pool: the exponent of its probabilities
    scores: np.ndarray  # (S,) the numbers of the answers, or classes, that the scores are of
    base: np.ndarray  # (S,) means over the reference rows
    values: np.ndarray  # (n, d, S)


def regression_part(regression: Pipeline, weight: float, X: np.ndarray, reference: np.ndarray) -> Part:
    """The scores of a linear member. What its encoder does column by column is what a column's value changes wherever
    the others are; products of two columns are shared as Shapley has it.
    """
    base = _margins(regression, reference).mean(axis=0)
    values = np.empty((*X.shape, len(base)))
    encoder, last = regression.named_steps["columns"], regression.named_steps["regression"]
    steps, numbers = encoder.named_transformers_["numbers"], encoder.transformers_[0][2]
    if not (len(numbers) and isinstance(steps[-2], PolynomialFeatures)):
        numbers = []
    else:
        coefficients = np.atleast_2d(last.coef_)[:, : len(steps[-1].scale_)] / steps[-1].scale_
        if len(coefficients) < len(base):  # two classes: the scores of the second less those of the first
            coefficients = np.vstack([np.zeros_like(coefficients), coefficients])
        Z, R = (steps[:-2].transform(rows[:, numbers]) for rows in (X, reference))
        values[:, numbers] = _of_quadratic(*_quadratic(steps[-2].powers_, coefficients), Z, R)
    n, start = len(X), np.repeat(reference[:1], len(X) + len(reference), axis=0)
    for column in np.setdiff1d(np.arange(X.shape[1]), numbers):
        moved = start.copy()
        moved[:n, column], moved[n:, column] = X[:, column], reference[:, column]
        margins = _margins(regression, moved)
        values[:, column] = margins[:n] - margins[n:].mean(axis=0)
    return Part(weight, np.asarray(regression.classes_, dtype=np.intp), base, values)


def _margins(regression: Any, X: np.ndarray) -> np.ndarray:
    """A score per class that the member knows (n, S); their softmax are its probabilities."""
    margins = np.asarray(regression.decision_function(X), dtype=np.float64)
    return np.stack([np.zeros(len(margins)), margins], axis=1) if margins.ndim == 1 else margins


def _quadratic(powers: np.ndarray, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``b`` (S, q) and the symmetric ``W`` (S, q, q) of ``b.z + z.W.z``, from the powers (p, q) of the products."""
    S, q = len(coefficients), powers.shape[1]
    b, W = np.zeros((S, q)), np.zeros((S, q, q))
    for power, each in zip(powers, coefficients.T, strict=True):
        places = np.repeat(np.arange(q), power)
        if len(places) == 1:
            b[:, places[0]] = each
        else:
            W[:, places[0], places[1]] += each / 2
            W[:, places[1], places[0]] += each / 2
    return b, W


def _of_quadratic(b: np.ndarray, W: np.ndarray, Z: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Shapley values (n, q, S) of the columns of ``Z`` (n, q) against the rows ``R``: of products of two columns, the
    mean of what a column changes before and after all others is that over all orders.
    """
    own = np.einsum("sjj->sj", W)
    shared = W - own[:, :, None] * np.eye(W.shape[1])
    mean, moved = R.mean(axis=0), Z - R.mean(axis=0)
    moments = R.T @ R / len(R)
    alone = np.einsum("nj,sj->njs", moved, b) + np.einsum("nj,sj->njs", Z**2 - np.diag(moments), own)
    first = np.einsum("nj,sj->njs", Z, shared @ mean) - np.einsum("sij,ij->js", shared, moments)
    last = np.einsum("nj,sji,ni->njs", moved, shared, Z, optimize=True)
    return alone + first + last
