"""The score of vector leaves, sum_k G_k^2 / (H_k + reg), for the scan of all boundaries (:mod:`csboost.weak.scan`).

A sweep over the boundaries makes one division for all its terms: a / b + c / d is (a d + c b) / (b d), and a division
takes as long as ten multiplications. Sums of 31 bits leave room for the products of a sweep. The first sums of all are
no gradients and curvatures but nothing and the count of rows: too few of them, and the score is minus infinity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from csboost.weak.vectors import INFINITY, Vectors


def fold(vectors: Vectors, score: Any, sums: Any, how: Any) -> Any:
    """The score with the terms of a sweep: ``sums`` are gradients and curvatures, ``how`` is the least rows and the
    regularisation, and whether the first sums are those of all.
    """
    builder, (gradients, curvatures), ((least_rows, reg), is_first) = vectors.builder, sums, how
    if is_first:
        enough = builder.fcmp_ordered(">=", curvatures[0], least_rows)
        score = builder.select(enough, score, vectors.constant(-INFINITY))
    above = below = None
    for gradient, curvature in list(zip(gradients, curvatures, strict=True))[is_first:]:
        divisor, square = vectors.add(curvature, reg), vectors.multiply(gradient, gradient)
        if below is None:
            above, below = square, divisor
        else:
            above = vectors.add(vectors.multiply(above, divisor), vectors.multiply(square, below))
            below = vectors.multiply(below, divisor)
    return score if below is None else vectors.add(score, builder.fdiv(above, below))


def twin(score: Any, sums: Any, how: Any) -> Any:
    """:func:`fold` of arrays."""
    (gradients, curvatures), ((least_rows, reg), is_first) = sums, how
    if is_first:
        score = np.where(curvatures[0] >= least_rows, score, -INFINITY)
    above = below = None
    for gradient, curvature in list(zip(gradients, curvatures, strict=True))[is_first:]:
        divisor, square = curvature + reg, gradient * gradient
        above, below = (square, divisor) if below is None else (above * divisor + square * below, below * divisor)
    return score if below is None else score + above / below
