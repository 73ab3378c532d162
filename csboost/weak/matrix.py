"""Raw matrices of features: one flat view for either order of memory, and a fixed choice of rows."""

from __future__ import annotations

import numpy as np

__all__ = ["flat_view", "sample_rows"]

SAMPLE = 200_000  # rows whose quantiles place the bins of a feature with many values


def flat_view(X: np.ndarray) -> tuple[np.ndarray, int, int]:
    """``X`` (n, d) as one flat array with its row and column steps, so that C and Fortran order share one compiled
    kernel.
    """
    if not (X.flags.c_contiguous or X.flags.f_contiguous):
        X = np.ascontiguousarray(X)
    if X.flags.c_contiguous:
        return X.reshape(-1), X.shape[1], 1
    return X.reshape(-1, order="F"), 1, X.shape[0]


def sample_rows(n_rows: int, size: int = SAMPLE) -> np.ndarray:
    """Row numbers (size,) to place the bins by: one from each of ``size`` equal stretches, at a random-looking place.

    Every step-th row would do for shuffled rows alone: interleaved ones have a period. The choice depends on the number
    of the stretch only, so that whoever holds a part of the rows knows which of them are meant.
    """
    ends = np.arange(size + 1, dtype=np.int64) * n_rows // size
    mixed = np.arange(size, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # splitmix64 (Steele, Lea & Flood 2014)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return ends[:-1] + (mixed % np.diff(ends).astype(np.uint64)).astype(np.int64)
