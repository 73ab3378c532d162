"""Weights of samples."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import numeric


def check_sample_weight(sample_weight: Any, n: int) -> NDArray[np.float64]:
    """Check weights: (n,), finite, not negative, not all zero. A single number counts for every row."""
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n, float(sample_weight))
    weights = numeric(sample_weight, "sample_weight")
    if weights.shape != (n,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n},): one weight per sample")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"sample_weight[{i}] is {weights[i]:g}: weights must be finite and not negative")
    if not weights.any():
        raise ValueError("sample_weight is zero everywhere: at least one sample needs a positive weight")
    return weights


def class_weights(codes: NDArray[Any], weights: Any, n_classes: int) -> NDArray[np.float64]:
    """Share of each class (K,) in the weight of all rows, given their class numbers (n,) and weights (n,), positive
    somewhere.
    """
    totals = np.bincount(codes, weights / np.max(weights), minlength=n_classes)
    return totals / totals.sum()
