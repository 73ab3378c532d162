"""Training state of a :class:`~csboost.weak.tree.CostTree` bound to one training set: codes, buffers, threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from csboost.weak import growth
from csboost.weak.binning import Binner, encode, flat_view
from csboost.weak.channels import HALVES, ONE_HOT, Channels, grid_dtype, grid_scale, write_channels
from csboost.weak.forest import Forest
from csboost.weak.histogram import BINS, BLOCK
from csboost.weak.interface import Rule
from csboost.weak.splits import CONFIDENCE

TIE = 1e-10  # gains closer than this, relative to the channels' mass, are ties
VECTOR_BYTES = 32


class Engine:
    """Grows one tree after another on the same rows.

    Parameters
    ----------
    X : ndarray (n, d), float32 or float64
        Rows of positive weight only.
    labels : ndarray (n,) uint8 or int64
        Class numbers.
    n_classes, rule, max_leaves, n_rounds, n_threads : int
    weights : ndarray (n,), optional
        Sample weights, for the quantiles of the bins.
    """

    def __init__(self, X, labels, n_classes, rule, max_leaves, n_rounds, n_threads=1, weights=None):
        n_rows = len(X)
        self.labels, self.rule, self.max_leaves, self.n_rows = labels, rule, max_leaves, n_rows
        self.n_blocks = -(-n_rows // BLOCK)
        self.n_threads = max(1, min(n_threads, self.n_blocks // 2))
        self.pool = ThreadPoolExecutor(self.n_threads) if self.n_threads > 1 else None
        self.dtype = grid_dtype(n_rows)
        self.n_lanes = 2 * n_classes if rule == CONFIDENCE else n_classes
        self.lanes = (0,) * self.n_lanes
        self.padded = (0,) * max(4, 1 << (self.n_lanes - 1).bit_length())
        self.group = (0,) * (VECTOR_BYTES // np.dtype(self.dtype).itemsize)
        self.binner = Binner().fit(X, weights, self.pool.map if self.pool else map)
        self.grid: np.ndarray | None = None
        self._bind(X)
        width = 2 * max_leaves - 1
        self.nodes = np.zeros((n_rounds, width, 6), np.int32)
        self.gained = np.zeros((n_rounds, width))  # what each split added to the score
        self.sums = np.zeros((n_rounds, max_leaves, self.n_lanes))
        self.n_leaves = np.zeros(n_rounds, np.int64)
        self.leaf_of_row = np.zeros(n_rows, np.uint16)

    def _bind(self, X: np.ndarray) -> None:
        """Encode the rows and lay out the workspace; slots hold features by their number of bins, so that a group's scan wastes little."""
        n_rows, n_features = X.shape
        bins, width = self.binner.n_bins, len(self.group)
        feature_of_slot = np.argsort(bins, kind="stable")
        n_groups = -(-n_features // width)
        sizes = np.full(self.n_blocks, BLOCK)
        sizes[-1] = n_rows - BLOCK * (self.n_blocks - 1)
        codes = np.empty(n_rows * n_features, np.uint8)
        flat, row_step, column_step = flat_view(X)
        self.over_blocks(
            lambda first, last, _: encode(
                flat, row_step, column_step, first, last, n_rows, feature_of_slot, self.binner.thresholds, self.binner.offsets, codes
            )
        )
        groups = [feature_of_slot[i : i + width] for i in range(0, n_features, width)]
        nodes, staged = 2 * self.max_leaves - 1, 0
        if n_rows >= growth.SMALL:
            staged = self.n_threads * n_features * BINS * len(self.padded)
        self.arrays = tuple(growth.Workspace(
            codes=codes, sizes=sizes, labels=self.labels,
            group_bins=np.array([bins[group].max() for group in groups]),
            group_missing=np.array([self.binner.has_missing[group].any() for group in groups]),
            slot_of_feature=np.argsort(feature_of_slot), feature_of_slot=feature_of_slot,
            rows=np.empty(n_rows, np.uint16),
            starts=np.zeros((nodes, self.n_blocks), np.int64), stops=np.zeros((nodes, self.n_blocks), np.int64),
            counts=np.zeros((self.n_blocks, 2), np.int64),
            staged=np.zeros(staged, self.dtype),
            grouped=np.zeros(max(1, self.max_leaves - 1) * n_groups * BINS * self.n_lanes * width, self.dtype),
            homes=np.zeros(nodes, np.int64), gains=np.zeros(nodes), splits=np.zeros((nodes, 3), np.int64),
            sums=np.zeros((nodes, self.n_lanes), self.dtype),
            scores=np.zeros(2 * n_groups * width), cuts=np.zeros(2 * n_groups * width, np.int64), state=np.zeros(6, np.int64),
        ))  # fmt: skip
        self.workspace = growth.Workspace(*self.arrays)

    def over_blocks(self, task: Callable[[int, int, int], object]) -> list:
        """Run ``task(first, last, thread)`` over all row blocks, split among the threads; results in block order."""
        if self.pool is None:
            return [task(0, self.n_blocks, 0)]
        ends = np.linspace(0, self.n_blocks, self.n_threads + 1).astype(int)
        return list(self.pool.map(task, ends[:-1], ends[1:], range(self.n_threads)))

    def over_rows(self, task: Callable[[int, int], object]) -> list:
        """Run ``task(first_row, last_row)`` over all rows, split among the threads at block ends."""
        if self.pool is None:
            return [task(0, self.n_rows)]
        return self.over_blocks(lambda first, last, _: task(first * BLOCK, min(last * BLOCK, self.n_rows)))

    def grow(self, m: int, channels: Channels) -> Rule:
        """Grow the tree of round ``m`` on the channels."""
        one_hot = channels.kind == ONE_HOT
        padded = len(self.padded)
        if self.grid is None:
            self.grid = np.zeros(self.n_rows * (1 if one_hot else padded), self.dtype)
        weights = channels.weights.reshape(self.n_rows, -1)
        lanes = 1 if one_hot else self.n_lanes // (2 if channels.kind == HALVES else 1)
        scale = grid_scale(channels.mass, self.n_rows * lanes, self.dtype)
        dithered = self.dtype is np.int32
        self.over_rows(lambda first, last: write_channels(weights, self.labels, channels.kind, scale, dithered, self.grid, padded, first, last))
        tolerance = TIE * scale * channels.mass if self.dtype is np.float64 else 0.0
        settings = (self.rule, tolerance, self.max_leaves)
        if self.pool is None:
            leaves = growth.grow(self.arrays, self.nodes, self.gained, m, self.sums, self.leaf_of_row, self.grid, 1.0 / scale, one_hot, *settings,
                                 self.padded, self.lanes, self.group)  # fmt: skip
        else:
            leaves = self._grow_threaded(m, 1.0 / scale, one_hot, settings)
        self.n_leaves[m] = leaves
        return Rule(self.leaf_of_row, self.sums[m, :leaves], channels.mass * TIE)

    def _grow_threaded(self, m, unit, one_hot, settings):
        """The loop of :func:`csboost.weak.growth.grow`, its passes shared out among the threads."""
        w, shape = self.arrays, (self.padded, self.lanes, self.group)
        growth.begin_tree(w, self.nodes, m)
        state = self.workspace.state
        while state[growth.PHASE] != growth.DONE:
            if state[growth.PHASE] == growth.PARTITION or self.nodes[m, state[growth.NODE], growth.ROWS] >= growth.SMALL:
                self.over_blocks(lambda first, last, thread: growth.pass_blocks(w, self.grid, one_hot, first, last, thread, self.n_threads, self.padded))
            growth.advance_tree(w, self.nodes, self.gained, m, self.grid, one_hot, *settings, self.n_threads, *shape)
        self.over_blocks(lambda first, last, _: growth.leaves_of_blocks(w, self.nodes, m, first, last, self.leaf_of_row))
        return growth.sums_of_leaves(w, self.nodes, self.gained, m, unit, self.sums)

    def rules(self, n_rounds: int) -> Forest:
        """The first ``n_rounds`` trees, packed for prediction."""
        return self._pack(slice(n_rounds))

    def leaves(self, X: np.ndarray, m: int) -> np.ndarray:
        """Leaf numbers (n,) of other rows in the tree of round ``m``."""
        return self._pack(slice(m, m + 1)).apply(X, 0)

    def _pack(self, rounds: slice) -> Forest:
        return Forest.from_nodes(
            self.nodes[rounds], self.gained[rounds], self.sums[rounds], self.n_leaves[rounds], self.binner.thresholds, self.binner.offsets
        )

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()
