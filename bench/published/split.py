"""The split into training and test rows that fits the published numbers: random within groups of neighbouring classes.

It was chosen because it fits, after the fact: the paper says how many rows train and test, not how they are split.
:mod:`bench.protocols.readings` compares it with the plain and the stratified split.

It is the rule of ``createDataPartition`` in R's caret for labels given as numbers: the quartiles of the labels cut them
into groups, and each group gives its share of training rows. With three classes the groups are {1, 2} and {3}, with
four mostly {1, 2}, {3} and {4}: the class counts of the training rows vary less than in a plain random draw, but more
than in a draw stratified by class.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def grouped_split(
    y: ArrayLike, n_train: int, random_state: int | np.random.Generator | None = None
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Split rows at random, holding the share of each group of neighbouring classes.

    Parameters
    ----------
    y : array of shape (n,)
        Labels; their sorted order numbers the classes.
    n_train : int
        Training rows, at least 1 and fewer than n. (caret rounds each group's share up, which gives up to three rows
        more; here the remainders go to the groups with the largest fractions.)
    random_state : int, numpy Generator or None
        Source of randomness.

    Returns
    -------
    train, test : ndarray of shape (n_train,), (n - n_train,)
        Ascending row numbers.
    """
    codes = np.unique(np.asarray(y), return_inverse=True)[1]
    if not 0 < n_train < len(codes):
        raise ValueError(f"n_train must be between 1 and {len(codes) - 1}, one less than the rows; got {n_train}.")
    edges = np.unique(np.quantile(codes, [0.0, 0.25, 0.5, 0.75, 1.0]))
    group = np.maximum(np.searchsorted(edges, codes, side="left"), 1) - 1
    share = n_train * np.bincount(group) / len(codes)
    take = np.floor(share).astype(int)
    take[np.argsort(take - share, kind="stable")[: n_train - take.sum()]] += 1
    rng = np.random.default_rng(random_state)
    chosen = [rng.permutation(np.flatnonzero(group == g))[:size] for g, size in enumerate(take)]
    train = np.sort(np.concatenate(chosen))
    return train, np.setdiff1d(np.arange(len(codes)), train, assume_unique=True)
