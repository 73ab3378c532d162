"""From the node table of a fit to the flat arrays of a forest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csboost.weak.layout import CUT, FEATURE, LEFT, MISSING, MISSING_LEFT, RIGHT


class Nodes(NamedTuple):
    """The arrays of :class:`csboost.weak.forest.Forest` that follow from the node table; zeros where no node is."""

    feature: np.ndarray  # (rounds, nodes)
    left: np.ndarray  # (rounds, nodes)
    right: np.ndarray  # (rounds, nodes)
    threshold: np.ndarray  # (rounds, nodes); infinite where no number decides
    depth: np.ndarray  # (rounds,)


def pack(nodes: np.ndarray, n_leaves: np.ndarray, thresholds: np.ndarray, offsets: np.ndarray) -> Nodes:
    """Name the leaves of ``nodes`` (rounds, nodes, 6) by birth, and the boundaries by their numbers: those of feature j
    are ``thresholds[offsets[j] : offsets[j + 1]]``.
    """
    own = np.arange(nodes.shape[1])
    exists = own < 2 * n_leaves[:, None] - 1
    is_leaf = exists & (nodes[:, :, LEFT] < 0)
    is_inner = exists & ~is_leaf
    feature, left, right = (np.where(is_inner, nodes[:, :, column], 0) for column in (FEATURE, LEFT, RIGHT))
    place = offsets[feature] + nodes[:, :, CUT]
    is_number = is_inner & (place < offsets[feature + 1])
    threshold = np.full(place.shape, np.inf)
    threshold[is_number] = thresholds[place[is_number]]
    feature = np.where(is_leaf, np.cumsum(is_leaf, axis=1) - 1, feature).astype(np.int32)
    left, right = (np.where(is_leaf, own, child).astype(np.int32) for child in (left, right))
    return Nodes(feature, left, right, threshold, depths(is_inner, left, right))


def sets_of_codes(nodes: np.ndarray) -> np.ndarray:
    """The sets (rounds, nodes, 8) of splits of one category against the rest: its code, the cut, and the missing one
    where such values go left. They mean nothing for other nodes.
    """
    cuts = nodes[:, :, CUT, None]
    bits = np.left_shift(np.uint32(1), (cuts & 31).astype(np.uint32))
    sets = np.where(np.arange(8) == cuts >> 5, bits, np.uint32(0))
    missing = np.where(nodes[:, :, MISSING_LEFT] != 0, np.uint32(1) << np.uint32(MISSING & 31), np.uint32(0))
    sets[:, :, MISSING >> 5] |= missing
    return sets


def depths(is_inner: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The number of splits above the deepest leaf (rounds,), level by level."""
    depth, level = np.zeros(len(is_inner), np.int32), 0
    trees, at = np.arange(len(is_inner)), np.zeros(len(is_inner), np.int64)
    while len(trees):
        splits = is_inner[trees, at]
        trees, at, level = trees[splits], at[splits], level + 1
        depth[trees] = level
        trees, at = np.concatenate([trees, trees]), np.concatenate([left[trees, at], right[trees, at]])
    return depth
