"""Fitted trees packed into flat arrays, the form in which a fitted model keeps them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import ModuleType
from typing import NamedTuple

import numpy as np

from csboost import _numba
from csboost.weak.layout import MISSING_LEFT
from csboost.weak.packing import pack


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
    n_leaves : ndarray (rounds,) int64
    is_set : ndarray (rounds, nodes) bool, optional
        Splits of category numbers, where there are any; a row goes left when its number is in the split's set.
    sets : ndarray (rounds, nodes, 8) uint32, optional
        Number c is bit ``c % 32`` of ``sets[..., c // 32]``; missing values have the last bit, which is also in
        ``missing_left``. Numbers beyond 254 are in no set.
    """

    feature: np.ndarray
    left: np.ndarray
    right: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    depth: np.ndarray
    gains: np.ndarray
    n_leaves: np.ndarray
    is_set: np.ndarray | None = None
    sets: np.ndarray | None = None

    @classmethod
    def from_nodes(
        cls,
        nodes: np.ndarray,
        gains: np.ndarray,
        n_leaves: np.ndarray,
        thresholds: np.ndarray,
        offsets: np.ndarray,
        sets: np.ndarray | None = None,
        categorical: np.ndarray | None = None,
    ) -> Forest:
        """Pack the node table of a fit (rounds, nodes, 6); the boundary after a feature's last bin separates missing
        values only: threshold +inf. Splits of ``categorical`` features (d,) are by their ``sets``.
        """
        feature, left, right, threshold, depth = pack(nodes, n_leaves, thresholds, offsets)
        forest = cls(feature, left, right, threshold, nodes[:, :, MISSING_LEFT] != 0, depth, gains, n_leaves)
        if sets is not None and categorical is not None:
            is_set = forest.is_inner
            is_set[is_set] = categorical[feature[is_set]]
            forest.is_set, forest.sets = is_set, np.where(is_set[:, :, None], sets, np.uint32(0))
            forest.threshold[is_set] = np.inf
        return forest

    @property
    def is_inner(self) -> np.ndarray:
        """Which nodes are split (rounds, nodes)."""
        return self.left != np.arange(self.left.shape[1])

    def thresholds_in(self, dtype: np.dtype) -> np.ndarray:
        """The thresholds in the precision of the rows: below any float64 threshold lie the same float32 numbers as
        below the largest float32 that does not exceed it.
        """
        threshold = self.threshold.astype(dtype)
        above = threshold > self.threshold
        threshold[above] = np.nextafter(threshold[above], np.array(-np.inf, dtype))
        return threshold

    @classmethod
    def joined(cls, forests: list[Forest]) -> Forest:
        """The trees of several forests, padded to one size."""
        parts = {field.name: [getattr(forest, field.name) for forest in forests] for field in fields(cls)}
        return cls(**{name: _stack(arrays) for name, arrays in parts.items() if arrays[0] is not None})

    def __getitem__(self, rounds: slice | np.ndarray) -> Forest:
        """The trees of some rounds."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return Forest(**{name: array[rounds] for name, array in arrays.items() if array is not None})

    def by_node(self, outputs: np.ndarray) -> np.ndarray:
        """What the leaves answer, ``outputs`` (rounds, leaves) of int, as a table (rounds, nodes)."""
        leaf = np.where(self.is_inner, 0, self.feature)
        return np.take_along_axis(outputs, np.minimum(leaf, outputs.shape[1] - 1), axis=1).astype(np.int64)

    def apply(self, X: np.ndarray, m: int) -> np.ndarray:
        """Leaf number (n,) of every row in the tree of round ``m``."""
        return walking().leaves(self[m : m + 1], X)


class Votes(NamedTuple):
    """What the leaves of a forest add to the scores."""

    outputs: np.ndarray  # (trees, leaves) classes, or (trees, leaves, K) vectors
    weights: np.ndarray  # (trees,) coefficients of the outputs
    start: np.ndarray  # (K,) the sums before the first tree
    n_classes: int
    trees_per_round: int = 1


def walking() -> ModuleType:
    """How rows find their leaves: by kernels, or with NumPy alone where Numba is absent; the bits are the same."""
    if _numba.available():
        from csboost.weak import compiled_walk

        return compiled_walk
    from csboost.weak import numpy_walk

    return numpy_walk


def _stack(arrays: list[np.ndarray]) -> np.ndarray:
    """Arrays one above the other, the later axes padded with zeros."""
    shape = np.max([array.shape[1:] for array in arrays], axis=0) if arrays[0].ndim > 1 else ()
    return np.concatenate(
        [np.pad(a, [(0, 0), *((0, int(s) - have) for s, have in zip(shape, a.shape[1:], strict=True))]) for a in arrays]
    )
