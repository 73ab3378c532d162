"""Exact Shapley values of scores that trees add up to.

The game of a row ``x`` and a reference row ``z``: a set ``S`` of columns is worth the score of the row that has the
values of ``x`` in ``S`` and those of ``z`` elsewhere. A leaf is reached by that row when every column on its path
meets what the path asks of it. So a leaf with a columns that only ``x`` meets and b columns that only ``z`` meets pays
its value ``v`` to the sets that hold all of the former and none of the latter, and the Shapley values of this game are
``v (a - 1)! b! / (a + b)!`` for each of the former and ``-v a! (b - 1)! / (a + b)!`` for each of the latter; a column
that neither meets closes the leaf. Shapley values add up over leaves, trees and reference rows, so no approximation is
made, and no distribution of the columns is assumed but that of the reference rows.

The counts depend on nothing but which columns of a path a row meets. Rows of the same pattern are therefore treated
once, and many reference rows take hardly longer than few.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import beta

from csboost.weak.forest import Forest
from csboost.weak.numpy_walk import goes_left

__all__ = ["Shares", "shapley_values"]

_BITS = 62  # columns of a path whose pattern fits a number


class Shares(NamedTuple):
    """Scores taken apart: ``base + values.sum(axis=1)`` is what the trees add to the scores of each row."""

    base: np.ndarray  # (S,) mean over the reference rows
    values: np.ndarray  # (n, d, S) what each column adds to that


class _Path(NamedTuple):
    """The way to a leaf."""

    leaf: int  # its number
    columns: np.ndarray  # (columns on the path,)
    splits: list[list[tuple[int, bool]]]  # by column: nodes, and whether the way goes left there


def shapley_values(forest: Forest, values: np.ndarray, X: np.ndarray, reference: np.ndarray) -> Shares:
    """Shapley values of the sums of the trees' leaves.

    Parameters
    ----------
    forest : Forest
    values : ndarray (trees, leaves, S)
        What leaves add, coefficients included.
    X : ndarray (n, d)
    reference : ndarray (m, d)
        Rows that stand for what a column is worth when it is not known.

    Returns
    -------
    Shares
    """
    found, base = np.zeros((*X.shape, values.shape[2])), np.zeros(values.shape[2])
    for m in range(len(values)):
        tree = forest[m : m + 1]
        left, left_reference = _go_left(tree, X), _go_left(tree, reference)
        for path in _paths(tree):
            own, share = _patterns(_meets(path, left)), _patterns(_meets(path, left_reference))
            reached, weights = _game(own.patterns, share.patterns, share.counts / len(reference))
            found[:, path.columns] += weights[own.pattern_of][:, :, None] * values[m, path.leaf]
            base += reached * values[m, path.leaf]
    return Shares(base, found)


def _go_left(tree: Forest, X: np.ndarray) -> np.ndarray:
    """Which rows would go left at every split (nodes, n)."""
    threshold, inner = tree.thresholds_in(X.dtype)[0], np.flatnonzero(tree.is_inner[0])
    left = np.zeros((tree.left.shape[1], len(X)), bool)
    for node in inner:
        left[node] = goes_left(tree, threshold, np.full(len(X), node), X[:, tree.feature[0, node]])
    return left


def _paths(tree: Forest) -> Iterator[_Path]:
    """The ways to all leaves of one tree."""
    pending: list[tuple[int, list[tuple[int, bool]]]] = [(0, [])]
    while pending:
        node, way = pending.pop()
        if tree.left[0, node] != node:
            for child, is_left in ((tree.right[0, node], False), (tree.left[0, node], True)):
                pending.append((int(child), [*way, (node, is_left)]))
            continue
        by_column: dict[int, list[tuple[int, bool]]] = {}
        for split in way:
            by_column.setdefault(int(tree.feature[0, split[0]]), []).append(split)
        yield _Path(int(tree.feature[0, node]), np.array(list(by_column), dtype=np.intp), list(by_column.values()))


def _meets(path: _Path, left: np.ndarray) -> np.ndarray:
    """Whether rows meet what the path asks of each of its columns (n, columns on the path)."""
    met = np.ones((left.shape[1], len(path.columns)), bool)
    for place, splits in enumerate(path.splits):
        for node, goes in splits:
            met[:, place] &= left[node] == goes
    return met


class _Patterns(NamedTuple):
    """Rows by what they meet."""

    patterns: np.ndarray  # (different ones, columns on the path) of 0.0 and 1.0
    pattern_of: np.ndarray  # (n,)
    counts: np.ndarray  # (different ones,)


def _patterns(met: np.ndarray) -> _Patterns:
    n_columns = met.shape[1]
    keys = met @ (1 << np.arange(n_columns)) if n_columns <= _BITS else np.packbits(met, axis=1)
    axis = None if keys.ndim == 1 else 0
    _, first, inverse, counts = np.unique(keys, axis=axis, return_index=True, return_inverse=True, return_counts=True)
    return _Patterns(met[first].astype(np.float64), inverse.reshape(-1), counts)


def _game(own: np.ndarray, other: np.ndarray, shares: np.ndarray) -> tuple[float, np.ndarray]:
    """A leaf of value 1: how large a share of the reference rows reaches it, and the Shapley values (patterns, columns)
    of every pattern of ``own`` (patterns, columns), on average over the patterns ``other`` by their ``shares``.
    """
    only_own, only_other = own @ (1.0 - other).T, (1.0 - own) @ other.T
    is_open = (1.0 - own) @ (1.0 - other).T == 0
    weight = is_open * shares
    with np.errstate(divide="ignore", invalid="ignore"):  # beta(0, .) is infinite: of columns that are not there
        gain = np.where(only_own > 0, beta(only_own, only_other + 1.0), 0.0) * weight
        loss = np.where(only_other > 0, beta(only_own + 1.0, only_other), 0.0) * weight
    values = own * (gain @ (1.0 - other)) - (1.0 - own) * (loss @ other)
    return float(shares @ other.all(axis=1)), values
