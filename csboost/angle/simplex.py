"""The simplex that stands for the classes (the paper, eq. (1))."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["vertices"]


def vertices(K: int) -> NDArray[np.float64]:
    """The vertices ``w_1 .. w_K`` of the regular simplex in ``K - 1`` dimensions: unit length, equal angles, sum 0.

    Parameters
    ----------
    K : int
        Number of classes, at least 2.

    Returns
    -------
    ndarray of shape (K, K - 1)
        Row ``k`` is the vertex of class ``k``. A function value ``f`` has the margins ``vertices(K) @ f``.
    """
    if not isinstance(K, (int, np.integer)) or K < 2:
        raise ValueError(f"a simplex needs at least two classes, got K = {K!r}")
    W = np.empty((K, K - 1))
    W[0] = 1 / np.sqrt(K - 1)
    W[1:] = np.sqrt(K / (K - 1)) * np.eye(K - 1) - (1 + np.sqrt(K)) / (K - 1) ** 1.5
    return W
