"""What every link offers to a booster."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Link"]

Array = NDArray[np.float64]


class Link(Protocol):
    """From scores to class probabilities and expected costs; picklable."""

    def estimate(self, scores: Array) -> tuple[Array, Array]:
        """Probabilities and expected costs.

        Parameters
        ----------
        scores : ndarray of shape (n, S)
            One per answer, or per class for likelihoods.

        Returns
        -------
        P : ndarray of shape (n, K)
            Rows are not negative and sum to 1.
        costs : ndarray of shape (n, A)
            ``P @ cost_matrix`` up to rounding, for a matrix (K, A) that is not negative.
        """
