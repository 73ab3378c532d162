"""Training state of a :class:`~csboost.weak.tree.CostTree` bound to one training set: codes, buffers, threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from csboost.weak import growth
from csboost.weak.binning import Binner, encode, flat_view
from csboost.weak.channels import ONE_HOT, Channels, grid_dtype, grid_scale, write_channels
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
        self.outputs = np.zeros((n_rounds, max_leaves), np.int64)  # the leaves' classes under the label rule
        self.n_leaves = np.zeros(n_rounds, np.int64)
        self.leaf_of_row = np.zeros(n_rows, np.uint16)

    def _bind(self, X: np.ndarray) -> None:
        """Encode the rows and lay out the workspace; slots hold features by their number of bins, so that a group's scan wastes little."""
        n_rows, n_features = X.shape
        bins, width = self.binner.n_bins, len(self.group)
        feature_of_slot = np.argsort(bins, kind="stable")
        members = [feature_of_slot[i : i + width] for i in range(0, n_features, width)]
        n_nodes, n_staged = 2 * self.max_leaves - 1, 0
        if n_rows >= growth.SMALL:
            n_staged = self.n_threads * n_features * BINS * len(self.padded)
        self.codes = np.empty(n_rows * n_features, np.uint8)
        self.rows = np.empty(n_rows, np.uint16)
        self.spans = np.zeros((n_nodes, self.n_blocks, 2), np.int64)
        self.blocks = np.zeros((self.n_blocks, 3), np.int64)
        self.blocks[:, 0] = np.minimum(BLOCK, n_rows - BLOCK * np.arange(self.n_blocks))
        self.groups = np.array([[bins[group].max(), self.binner.has_missing[group].any()] for group in members], np.int64)
        self.slots = np.stack([np.argsort(feature_of_slot), feature_of_slot], axis=1)
        self.staged = np.zeros(n_staged, self.dtype)
        self.grouped = np.zeros((self.max_leaves - 1) * len(members) * BINS * self.n_lanes * width, self.dtype)
        self.node_sums = np.zeros((n_nodes, self.n_lanes), self.dtype)
        self.gains, self.splits, self.state = np.zeros(n_nodes), np.zeros((n_nodes, 4), np.int64), np.zeros(5, np.int64)
        flat, row_step, column_step = flat_view(X)
        places = self.binner.thresholds, self.binner.offsets
        self.over_blocks(
            lambda first, last, _: encode(flat, row_step, column_step, first, last, n_rows, feature_of_slot, *places, self.codes)
        )

    def over_blocks(self, task: Callable[[int, int, int], object]) -> list:
        """Run ``task(first, last, thread)`` over all row blocks, split among the threads; results in block order."""
        if self.pool is None:
            return [task(0, self.n_blocks, 0)]
        ends = np.linspace(0, self.n_blocks, self.n_threads + 1).astype(int)
        return list(self.pool.map(task, ends[:-1], ends[1:], range(self.n_threads)))

    def grow(self, m: int, channels: Channels) -> Rule:
        """Grow the tree of round ``m`` on the channels."""
        kind, mass = channels.kind, channels.mass
        one_hot = kind == ONE_HOT
        if self.grid is None:
            self.grid = np.zeros(self.n_rows * (1 if one_hot else len(self.padded)), self.dtype)
        scale = grid_scale(mass, channels.weights.size, self.dtype)
        tie = TIE * mass
        grow = self._grow_alone if self.pool is None else self._grow_threaded
        leaves, chosen = grow(m, channels.weights, kind, scale, tie, tie * scale if self.dtype is np.float64 else 0.0)
        self.n_leaves[m] = leaves
        return Rule(self.leaf_of_row, self.sums[m, :leaves], tie, self.outputs[m, :leaves], chosen)

    def _grow_alone(self, m: int, weights: np.ndarray, kind: int, scale: float, tie: float, tolerance: float) -> tuple[int, float]:
        return growth.grow(
            weights, kind, scale, tie, self.nodes, self.gained, self.sums, self.outputs, self.leaf_of_row, m, self.codes, self.grid, self.labels,
            self.rows, self.spans, self.blocks, self.groups, self.slots, self.staged, self.grouped, self.node_sums, self.gains, self.splits, self.state,
            self.rule, tolerance, self.max_leaves, self.padded, self.lanes, self.group,
        )  # fmt: skip

    def _grow_threaded(self, m: int, weights: np.ndarray, kind: int, scale: float, tie: float, tolerance: float) -> tuple[int, float]:
        """What :func:`csboost.weak.growth.grow` does, its passes shared out among the threads."""
        one_hot, n_padded = kind == ONE_HOT, len(self.padded)
        self.over_blocks(lambda first, last, _: write_channels(weights, self.labels, kind, scale, self.grid, n_padded, first, last))
        data = self.codes, self.grid, self.labels, self.rows, self.spans, self.blocks
        n_slots, state = len(self.slots), self.state

        def run_pass(first: int, last: int, thread: int) -> None:
            growth.run_pass(*data, self.splits, state, self.staged, n_slots, one_hot, thread, self.n_threads, first, last, self.padded)

        growth.begin(self.nodes, m, self.rows, self.spans, self.blocks, self.splits, self.gains, state)
        while state[growth.PHASE] != growth.DONE:
            if state[growth.PHASE] == growth.PARTITION or self.nodes[m, state[growth.NODE], growth.ROWS] >= growth.SMALL:
                self.over_blocks(run_pass)
            growth.advance(
                self.nodes, self.gained, m, *data, self.groups, self.slots, self.staged, self.grouped, self.node_sums, self.gains, self.splits, state,
                one_hot, self.rule, tolerance, self.max_leaves, self.n_threads, self.padded, self.lanes, self.group,
            )  # fmt: skip
        self.over_blocks(lambda first, last, _: growth.assign_leaves(self.nodes, m, self.rows, self.spans, state, first, last, self.leaf_of_row))
        return growth.finish(self.nodes, self.gained, m, self.node_sums, state, 1.0 / scale, self.rule, tie, self.sums, self.outputs)

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
