"""A best-first tree that tries every candidate split by summing the channels of both sides anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

TOLERANCE = 1e-10  # relative to the sum of all absolute channels


class Split(NamedTuple):
    gain: float
    feature: int
    threshold: float
    missing_left: bool
    left_rows: np.ndarray
    right_rows: np.ndarray


@dataclass
class Tree:
    """A tree as parallel lists, one entry per node; node 0 is the root, children get the next two ids, left first.

    Attributes
    ----------
    feature, threshold, missing_left : lists
        The split: a row goes left when ``x <= threshold``, or when ``x`` is NaN and `missing_left`. -1, NaN and
        False at leaves.
    left, right : list of int
        Ids of the children, -1 at leaves.
    sums : list of ndarray (K,)
        Channel sums of the node's training rows; shape (2, K) under the rule "Z".
    n_rows : list of int
        Training rows of positive weight in the node.
    scale : float
        Sum of the absolute channels over all training rows; tolerances are relative to it.
    """

    scale: float
    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    missing_left: list[bool] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    sums: list[np.ndarray] = field(default_factory=list)
    n_rows: list[int] = field(default_factory=list)

    def add_leaf(self, sums: np.ndarray, n_rows: int) -> int:
        self.feature.append(-1)
        self.threshold.append(np.nan)
        self.missing_left.append(False)
        self.left.append(-1)
        self.right.append(-1)
        self.sums.append(sums)
        self.n_rows.append(n_rows)
        return len(self.feature) - 1

    @property
    def leaves(self) -> list[int]:
        """Leaf ids in order of creation, which is ascending."""
        return [node for node, child in enumerate(self.left) if child == -1]

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Leaf id (n,) of every row of X (n, d)."""
        return np.array([self._leaf_of(x) for x in np.asarray(X, dtype=float)], dtype=int)

    def _leaf_of(self, x: np.ndarray) -> int:
        node = 0
        while self.left[node] != -1:
            value = x[self.feature[node]]
            goes_left = self.missing_left[node] if np.isnan(value) else value <= self.threshold[node]
            node = self.left[node] if goes_left else self.right[node]
        return node


def label_output(sums: np.ndarray, scale: float) -> int:
    """The class of the largest sum; the lowest class among equals."""
    return int(np.flatnonzero(sums >= sums.max() - TOLERANCE * scale)[0])


def votes_output(sums: np.ndarray, scale: float) -> np.ndarray:
    """+1 where the sum is positive, else -1, shape (K,)."""
    return np.where(sums > TOLERANCE * scale, 1.0, -1.0)


def set_output(sums: np.ndarray, scale: float) -> np.ndarray:
    """1 where the sum is positive, else 0, shape (K,)."""
    return np.where(sums > TOLERANCE * scale, 1.0, 0.0)


def leaf_score(rule: str, sums: np.ndarray, curvature: float, reg: float) -> float:
    """What splits maximise; "Z" is minus the Z of Schapire & Singer (1999)."""
    if rule == "label":
        return sums.max()
    if rule == "votes":
        return np.abs(sums).sum()
    if rule == "vector":
        return (sums**2).sum() / (curvature + reg) if curvature + reg > 0 else 0.0
    if rule == "Z":
        positive, negative = sums
        return -(2 * np.sqrt(positive * negative)).sum()
    raise ValueError(f"unknown rule {rule!r}; use 'label', 'votes', 'vector' or 'Z'")


def boundaries(x: np.ndarray) -> list[float]:
    """Midpoints between adjacent distinct values of a training column."""
    values = np.unique(x[~np.isnan(x)])
    return [midpoint(low, high) for low, high in pairwise(values)]


def midpoint(low: float, high: float) -> float:
    middle = low / 2 + high / 2
    return middle if middle < high else low  # between neighbouring floats the middle may be rounded up


def candidates(x: np.ndarray, weights: np.ndarray, thresholds: list[float]) -> Iterator[tuple[float, bool, np.ndarray]]:
    """Threshold, missing_left and the mask of the rows that go left, in the order in which ties are won."""
    missing = np.isnan(x)
    for threshold in thresholds:
        below = x <= threshold  # False for NaN
        if missing.any():
            yield threshold, True, below | missing
            yield threshold, False, below
        else:
            # No row says where NaN belongs: it follows the heavier child, the left one if both are equal.
            heavier = weights[below].sum() - weights[~below].sum() >= -1e-12 * weights.sum()
            yield threshold, bool(heavier), below
    if missing.any():
        yield np.inf, False, ~missing


def grow_tree(X, A, rule, max_leaves=4, curvature=None, reg=0.0, row_weights=None, min_samples_leaf=1) -> Tree:
    """Grow a tree best-first.

    Parameters
    ----------
    X : array (n, d)
        NaN is missing.
    A : array (n, K), or a pair of such arrays
        Channels, larger is better. For the rule "Z" the pair of nonnegative weights (W+, W-).
    rule : {"label", "votes", "vector", "Z"}
    curvature : array (n,), optional
        Per-row curvature of the rule "vector", default 1.
    row_weights : array (n,), optional
        Sample weights, 1 by default. Rows of weight 0 count nowhere; a missing value that a node did not see goes to
        the heavier child.
    """
    X = np.asarray(X, dtype=float)
    A = np.stack(A, axis=1) if rule == "Z" else np.asarray(A, dtype=float)  # Z: (n, 2, K)
    curvature = np.ones(len(X)) if curvature is None else np.asarray(curvature, dtype=float)
    row_weights = np.ones(len(X)) if row_weights is None else np.asarray(row_weights, dtype=float)
    all_rows = np.flatnonzero(row_weights > 0)
    thresholds = [boundaries(X[all_rows, j]) for j in range(X.shape[1])]
    scale = np.abs(A[all_rows]).sum()
    tolerance = TOLERANCE * scale

    def score(rows):
        return leaf_score(rule, A[rows].sum(axis=0), curvature[rows].sum(), reg)

    def best_split(rows):
        best, best_gain, parent = None, 0.0, score(rows)
        for j in range(X.shape[1]):
            for threshold, missing_left, goes_left in candidates(X[rows, j], row_weights[rows], thresholds[j]):
                left, right = rows[goes_left], rows[~goes_left]
                if min(len(left), len(right)) < max(1, min_samples_leaf):
                    continue
                gain = score(left) + score(right) - parent
                if gain > best_gain + tolerance:
                    best, best_gain = Split(gain, j, threshold, missing_left, left, right), gain
        return best

    tree = Tree(scale)
    splits = {tree.add_leaf(A[all_rows].sum(axis=0), len(all_rows)): best_split(all_rows)}  # of leaves, as created
    while len(splits) < max_leaves:
        chosen, chosen_gain = None, 0.0
        for leaf, split in splits.items():
            if split is not None and split.gain > chosen_gain + tolerance:
                chosen, chosen_gain = leaf, split.gain
        if chosen is None:
            break
        split = splits.pop(chosen)
        tree.feature[chosen], tree.threshold[chosen] = split.feature, split.threshold
        tree.missing_left[chosen] = split.missing_left
        for side, rows in (("left", split.left_rows), ("right", split.right_rows)):
            child = tree.add_leaf(A[rows].sum(axis=0), len(rows))
            getattr(tree, side)[chosen] = child
            splits[child] = best_split(rows)
    return tree
