"""A best-first tree of vector leaves: every candidate split by summing gradients and curvatures of both sides anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from .tree import boundaries

STIFFER = 10.0  # regularisation on top, for categories in order
SMOOTHING = 30.0  # rows of gradient 0 in the mean of a category
MASK = 2**64 - 1


class How(NamedTuple):
    """How splits are sought."""

    least_rows: int = 1
    reg: float = 1.0
    n_columns: int = 10**6
    seed: int = 0
    is_random: bool = False
    is_ordered: bool = False


class Split(NamedTuple):
    """A row goes left when ``x <= threshold``, or ``x`` is in ``numbers``; a missing one when ``missing_left``."""

    feature: int
    threshold: float
    numbers: frozenset[int] | None
    missing_left: bool

    def goes_left(self, X: np.ndarray) -> np.ndarray:
        x = X[:, self.feature]
        left = x <= self.threshold if self.numbers is None else np.isin(x, list(self.numbers))
        return np.where(np.isnan(x), self.missing_left, left)


@dataclass
class VectorTree:
    """Nodes by birth: their split (None for leaves), children, gain, and rows of positive weight."""

    splits: list[Split | None] = field(default_factory=list)
    children: list[tuple[int, int]] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def leaf_of_row(self, X: np.ndarray) -> np.ndarray:
        """Number of the leaf (n,), leaves by birth."""
        node = np.zeros(len(X), int)
        for parent, split in enumerate(self.splits):
            if split is not None:
                here = node == parent
                node[here] = np.where(split.goes_left(X[here]), *self.children[parent])
        leaves = [number for number, split in enumerate(self.splits) if split is None]
        return np.searchsorted(leaves, node)


def draw(seed: int, node: int, number: int) -> int:
    """64 random bits: splitmix64."""
    z = (seed + (node * 2**32 + number + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def drawn_columns(how: How, node: int, d: int) -> list[int]:
    """The columns of a node."""
    wanted, taken = min(how.n_columns, d), []
    for feature in range(d):
        if draw(how.seed, node, 2 * feature) % (d - feature) < wanted - len(taken):
            taken.append(feature)
    return taken


def principal_order(means: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Categories along the first principal axis of their mean gradients, the first one in the lower half.

    The axis is what ten steps of the power iteration make of the mean that weighs most.
    """
    centred = means - counts @ means / counts.sum()
    spread = centred.T @ (centred * counts[:, None])
    axis = centred[((centred**2).sum(axis=1) * counts).argmax()]
    for _ in range(10):
        axis = spread @ axis / np.linalg.norm(spread @ axis)
    along = centred @ axis
    return np.argsort(-along if along[0] > 0 else along, kind="stable")


def grow_vector_tree(X, G, H, weights, how: How, max_leaves: int, categorical=None) -> VectorTree:
    """Grow a tree.

    Parameters
    ----------
    X : array (n, d)
        NaN is missing; at most 255 values per column.
    G, H : array (n, K)
        Negative gradients and curvatures, weights included.
    weights : array (n,)
        Rows of weight 0 have no say, but boundaries lie between their values too.
    categorical : array (d,) of bool, optional
    """
    d = X.shape[1]
    categorical = np.zeros(d, bool) if categorical is None else categorical
    thresholds = [boundaries(X[:, j]) for j in range(d)]
    tolerance = 1e-9 * np.abs(G).sum()

    def score(rows, extra=0.0):
        return (G[rows].sum(axis=0) ** 2 / (H[rows].sum(axis=0) + how.reg + extra)).sum()

    def numeric(rows, node, j) -> Iterator[tuple[Split, float]]:
        x, cuts = X[rows, j], thresholds[j]
        if how.is_random:
            bins = np.searchsorted(cuts, x[~np.isnan(x)])
            low, high = (int(bins.min()), int(bins.max())) if len(bins) else (0, 0)
            cuts = [cuts[low + draw(how.seed, node, 2 * j + 1) % (high - low)]] if high > low else []
        for threshold in cuts:
            if np.isnan(x).any():
                yield Split(j, threshold, None, True), 0.0
                yield Split(j, threshold, None, False), 0.0
            else:
                yield Split(j, threshold, None, bool(2 * (x <= threshold).sum() >= len(x))), 0.0
        if np.isnan(x).any():
            yield Split(j, np.inf, None, False), 0.0

    def by_category(rows, j) -> Iterator[tuple[Split, float]]:
        x = np.where(np.isnan(X[rows, j]), 255, X[rows, j]).astype(int)
        codes, counts = np.unique(x, return_counts=True)

        def split(numbers):
            left = 2 * np.isin(x, numbers).sum() >= len(x) if 255 not in codes else 255 in numbers
            return Split(j, np.nan, frozenset(int(c) for c in numbers) - {255}, bool(left))

        for code in codes:
            yield split([code]), 0.0
        if how.is_ordered and len(codes) > 2:
            sums = np.array([G[rows[x == code]].sum(axis=0) for code in codes])
            order = principal_order(sums / (counts[:, None] + SMOOTHING), counts)
            for stop in range(1, len(codes)):
                yield split(codes[order[:stop]]), STIFFER

    def best_split(rows, node):
        best, best_gain = None, 0.0
        for j in drawn_columns(how, node, d):
            for split, extra in by_category(rows, j) if categorical[j] else numeric(rows, node, j):
                left = split.goes_left(X[rows])
                if min(left.sum(), (~left).sum()) < max(1, how.least_rows):
                    continue
                gain = score(rows[left], extra) + score(rows[~left], extra) - score(rows, extra)
                if gain > best_gain + tolerance:
                    best, best_gain = split, gain
        return best, best_gain

    tree, rows_of, found = VectorTree(), [], []

    def add(rows):
        tree.splits.append(None)
        tree.children.append((-1, -1))
        tree.gains.append(0.0)
        tree.counts.append(len(rows))
        rows_of.append(rows)
        found.append(best_split(rows, len(rows_of) - 1))

    add(np.flatnonzero(weights > 0))
    for _ in range(max_leaves - 1):
        open_gains = [gain if tree.splits[node] is None else 0.0 for node, (_, gain) in enumerate(found)]
        chosen = int(np.flatnonzero(np.array(open_gains) >= max(open_gains) - tolerance)[0])
        if open_gains[chosen] <= tolerance:
            break
        tree.splits[chosen], tree.gains[chosen] = found[chosen]
        left = tree.splits[chosen].goes_left(X[rows_of[chosen]])
        tree.children[chosen] = len(rows_of), len(rows_of) + 1
        for side in (left, ~left):
            add(rows_of[chosen][side])
    return tree
