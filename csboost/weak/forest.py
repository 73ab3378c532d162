"""Fitted trees packed into flat arrays, the form in which a fitted model keeps them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from csboost._jit import kernel
from csboost.weak.binning import flat_view
from csboost.weak.layout import CUT, FEATURE, LEFT, MISSING_LEFT, RIGHT, Packed, Scratch
from csboost.weak.walk import CHUNK, apply_tree


@dataclass
class Forest:
    """Trees of one fit, all padded to the same number of nodes.

    Attributes
    ----------
    feature, left, right : ndarray (rounds, nodes) int32
        ``left`` and ``right`` are node numbers; a leaf is its own child. For a leaf ``feature`` is its number among
        the leaves.
    threshold : ndarray (rounds, nodes) float64
        A row goes left when ``x[feature] <= threshold``.
    missing_left : ndarray (rounds, nodes) bool
    depth : ndarray (rounds,) int32
        Comparisons on the longest way down.
    gains : ndarray (rounds, nodes) float64
        What each split added to the score; 0 for leaves.
    sums : ndarray (rounds, leaves, lanes) float64
        Channel sums of the leaves.
    n_leaves : ndarray (rounds,) int64
    """

    feature: np.ndarray
    left: np.ndarray
    right: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    depth: np.ndarray
    gains: np.ndarray
    sums: np.ndarray
    n_leaves: np.ndarray

    @classmethod
    def from_nodes(
        cls,
        nodes: np.ndarray,
        gains: np.ndarray,
        sums: np.ndarray,
        n_leaves: np.ndarray,
        thresholds: np.ndarray,
        offsets: np.ndarray,
    ) -> Forest:
        """Pack the node table of a fit (rounds, nodes, 6); the boundary after a feature's last bin separates missing
        values only: threshold +inf.
        """
        rounds, width, _ = nodes.shape
        feature, left, right = (np.zeros((rounds, width), np.int32) for _ in range(3))
        threshold, depth = np.full((rounds, width), np.inf), np.zeros(rounds, np.int32)
        links, level = (feature, left, right), np.zeros(width, np.int32)
        pack(nodes, n_leaves, thresholds, offsets, links, threshold, depth, level)
        return cls(feature, left, right, threshold, nodes[:, :, MISSING_LEFT] != 0, depth, gains, sums, n_leaves)

    def prepare(self, X: np.ndarray) -> tuple[Any, ...]:
        """The leading arguments of the kernels of :mod:`csboost.weak.walk`, plain tuples: the rows, the trees, scratch
        (:class:`~csboost.weak.layout.Matrix`, :class:`~csboost.weak.layout.Packed`,
        :class:`~csboost.weak.layout.Scratch`).

        Each thread needs scratch of its own. Thresholds are compared in the precision of ``X``: below any
        float64 threshold lie the same float32 numbers as below the largest float32 that does not exceed it.
        """
        inner = self.left != np.arange(self.left.shape[1])
        used, position = np.unique(self.feature[inner], return_inverse=True)
        feature = self.feature.copy()
        feature[inner] = position
        threshold = self.threshold.astype(X.dtype)
        above = threshold > self.threshold
        threshold[above] = np.nextafter(threshold[above], np.array(-np.inf, X.dtype))
        used = used.astype(np.int64) if len(used) else np.zeros(1, np.int64)
        trees = Packed(used, feature, self.left, self.right, threshold, self.missing_left, self.depth, self.n_leaves)
        scratch = Scratch(np.empty((len(used), CHUNK), X.dtype), np.empty(CHUNK, np.int32))
        return flat_view(X), tuple(trees), tuple(scratch)

    @classmethod
    def joined(cls, forests: list[Forest]) -> Forest:
        """The trees of several forests, padded to one size."""
        parts = {field.name: [getattr(forest, field.name) for forest in forests] for field in fields(cls)}
        return cls(**{name: _stack(arrays) for name, arrays in parts.items()})

    def __getitem__(self, rounds: slice | np.ndarray) -> Forest:
        """The trees of some rounds."""
        return Forest(**{field.name: getattr(self, field.name)[rounds] for field in fields(self)})

    def by_node(self, outputs: np.ndarray) -> np.ndarray:
        """What the leaves answer, ``outputs`` (rounds, leaves) of int, as a table (rounds, nodes)."""
        leaf = np.where(self.left == np.arange(self.left.shape[1]), self.feature, 0)
        return np.take_along_axis(outputs, np.minimum(leaf, outputs.shape[1] - 1), axis=1).astype(np.int64)

    def apply(self, X: np.ndarray, m: int) -> np.ndarray:
        """Leaf number (n,) of every row in the tree of round ``m``."""
        out = np.empty(len(X), np.int64)
        apply_tree(*self[m : m + 1].prepare(X), 0, out)
        return out


def _stack(arrays: list[np.ndarray]) -> np.ndarray:
    """Arrays one above the other, the later axes padded with zeros."""
    shape = np.max([array.shape[1:] for array in arrays], axis=0) if arrays[0].ndim > 1 else ()
    return np.concatenate(
        [np.pad(a, [(0, 0), *((0, int(s) - have) for s, have in zip(shape, a.shape[1:], strict=True))]) for a in arrays]
    )


@kernel
def pack(nodes, n_leaves, thresholds, offsets, links, threshold, depth, level):
    """Fill a forest's arrays from the node table of a fit; ``links`` are its features, left and right children, and
    ``level`` (nodes,), zeros, is scratch.
    """
    feature, left, right = links
    for m in range(nodes.shape[0]):
        leaf = 0
        for node in range(2 * n_leaves[m] - 1):
            if nodes[m, node, LEFT] < 0:
                left[m, node], right[m, node], feature[m, node] = node, node, leaf
                leaf += 1
                depth[m] = max(depth[m], level[node])
                continue
            column = np.intp(nodes[m, node, FEATURE])
            left[m, node], right[m, node], feature[m, node] = nodes[m, node, LEFT], nodes[m, node, RIGHT], column
            level[left[m, node]] = level[right[m, node]] = level[node] + 1
            place = offsets[column] + nodes[m, node, CUT]
            if place < offsets[column + 1]:
                threshold[m, node] = thresholds[place]
