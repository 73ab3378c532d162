"""Training state of a :class:`~csboost.weak.tree.CostTree` bound to one training set: codes, buffers, threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from itertools import pairwise

import numpy as np

from csboost.weak import growth, staged
from csboost.weak.binning import Binner, encode
from csboost.weak.bookkeeping import ACCUMULATE, PHASE, WRITE
from csboost.weak.channels import ONE_HOT, Channels, grid_dtype, grid_scale
from csboost.weak.columns import FEATURE, Columns, arrange
from csboost.weak.fine_sums import count_codes
from csboost.weak.forest import Forest
from csboost.weak.histogram import BINS, BLOCK, NARROW, RUN, WIDE
from csboost.weak.interface import CONFIDENCE, TIE, Rule
from csboost.weak.matrix import flat_view
from csboost.weak.second_look import closer_arrays

VECTOR_BYTES = 32
LINE = 64  # bytes of a cache line
CHUNKS = 8  # of row blocks, per thread and pass


def zeros(size: int, dtype: type) -> np.ndarray:
    """Zeros (size,) that start with a cache line, so that no vector of them lies across two."""
    n_bytes = size * np.dtype(dtype).itemsize
    raw = np.zeros(n_bytes + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + n_bytes].view(dtype)


def whole_masses(weights: np.ndarray | None) -> np.ndarray:
    """Weights (n,) as whole numbers whose sums are exact; none where all rows weigh the same."""
    if weights is None or (weights == weights[0]).all():
        return np.zeros(0, np.int64)
    _, exponent = np.frexp(weights.sum())
    return np.rint(np.ldexp(weights, 60 - exponent)).astype(np.int64)


class Engine:
    """Grows one tree after another on the same rows.

    Parameters
    ----------
    X : ndarray (n, d), float32 or float64
        Rows of positive weight only.
    labels : ndarray (n,) uint16 or int64
        Class numbers.
    n_classes, rule, max_leaves, n_rounds, n_threads : int
    weights : ndarray (n,), optional
        Sample weights, for the quantiles of the bins.
    """

    def __init__(self, X, labels, n_classes, rule, max_leaves, n_rounds, n_threads=1, weights=None):
        n_rows = len(X)
        self.labels, self.n_rows = labels, n_rows
        self.n_blocks = -(-n_rows // BLOCK)
        self.n_threads = max(1, min(n_threads, self.n_blocks // 2))
        n_chunks = self.n_threads * max(1, min(CHUNKS, self.n_blocks // (2 * self.n_threads)))  # as many for each
        ends = [self.n_blocks * chunk // n_chunks for chunk in range(n_chunks + 1)]
        self.chunks = list(pairwise(ends))
        self.pool = ThreadPoolExecutor(self.n_threads - 1) if self.n_threads > 1 else None  # and the calling thread
        self.dtype = grid_dtype(n_rows)
        self.n_lanes = 2 * n_classes if rule == CONFIDENCE else n_classes
        self.group = (0,) * (VECTOR_BYTES // np.dtype(self.dtype).itemsize)
        self.tile = len(NARROW) if self.n_lanes <= len(NARROW) else len(WIDE)
        n_padded = -(-self.n_lanes // self.tile) * self.tile
        with ThreadPoolExecutor(self.n_threads) if self.pool else nullcontext() as pool:
            self.binner = Binner().fit(X, weights, pool.map if pool else map)
        bins, width = self.binner.n_bins, len(self.group)
        columns = arrange(bins, self.binner.has_missing, join=n_rows >= growth.SMALL)
        self._encode(X, columns)
        feature_of_slot = columns.slots[:, FEATURE]
        members = [feature_of_slot[i : i + width] for i in range(0, len(bins), width)]
        groups = [[bins[group].max(), self.binner.has_missing[group].any()] for group in members]
        self.groups = [(g, g + 1) for g in range(len(groups))]  # chunks of a pass over groups
        self.layout = np.array(groups, np.int64), columns.slots
        n_nodes, n_lanes = 2 * max_leaves - 1, self.n_lanes
        n_even = columns.n_summed + columns.n_summed % 2  # two at a time
        n_staged = self.n_threads * n_even * BINS * n_padded if n_rows >= growth.SMALL else 0
        n_grouped = (max_leaves - 1) * len(members) * BINS * n_lanes * width
        packed = zeros(self.n_threads * (RUN + BLOCK) * self.tile if n_staged else 1, self.dtype)
        self.work = (
            zeros(n_staged, self.dtype), zeros(n_grouped, self.dtype), np.zeros((n_nodes, n_lanes), self.dtype),
            np.zeros(n_nodes), np.zeros((n_nodes, 4), np.int64), np.zeros(5, np.int64),
            np.zeros((2, 2 * len(members) * width)), np.zeros((2, 2 * len(members) * width), np.int64),
            packed.reshape(self.n_threads, -1), np.zeros((self.n_threads, RUN + BLOCK if n_staged else 1), np.uint32),
            np.zeros((self.n_threads, min(n_rows, BLOCK)), np.uint16), np.zeros(n_nodes, np.int64),
        )  # fmt: skip
        blocks = np.zeros((self.n_blocks, 4), np.int64)
        blocks[:, 0] = np.minimum(BLOCK, n_rows - BLOCK * np.arange(self.n_blocks))
        self.spans = np.empty(n_rows, np.uint16), np.zeros((n_nodes, self.n_blocks, 2), np.int64), blocks
        self.n_padded = n_padded
        self.masses = whole_masses(weights)
        self.closer = self._second_look(max_leaves, columns) if self.dtype is np.int32 else None
        self.data: tuple[np.ndarray, ...] = ()
        joint = columns.n_joint * BINS * self.tile
        self.joint = self.work[0].reshape(-1, n_even * BINS * self.tile)[:, :joint]  # folding leaves no zeros here
        self.forest = (
            np.zeros((n_rounds, n_nodes, 6), np.int32), np.zeros((n_rounds, n_nodes)),
            np.zeros((n_rounds, max_leaves, n_lanes)), np.zeros((n_rounds, max_leaves), np.int64),
        )  # fmt: skip
        self.settings = rule, max_leaves, self.n_threads, self.tile.bit_length() - 1, columns.n_joint, columns.n_summed
        self.n_leaves = np.zeros(n_rounds, np.int64)
        self.leaf_of_row = np.zeros(n_rows, np.uint16)

    def _encode(self, X: np.ndarray, columns: Columns) -> None:
        self.codes = np.empty(len(X) * (columns.n_joint + X.shape[1]), np.uint8)
        rows, slots = flat_view(X), (columns.slots, columns.n_joint, self.binner.table)
        self.over_blocks(lambda i, j, _: encode(*rows, i, j, len(X), *slots, self.codes))

    def _second_look(self, max_leaves: int, columns: Columns) -> tuple[np.ndarray, ...]:
        """The arrays of :mod:`csboost.weak.second_look`."""
        n_slots = len(columns.slots)
        counts, where = np.zeros((self.n_threads, n_slots, BINS + 1), np.int64), (columns.n_joint, n_slots)
        self.over_blocks(lambda i, j, thread: count_codes(self.codes, self.spans[2], *where, counts[thread], i, j))
        return closer_arrays(counts.sum(axis=0), self.n_threads, self.n_lanes, max_leaves)

    def over_blocks(self, task: Callable[[int, int, int], object]) -> None:
        """Run ``task(first, last, thread)`` over all row blocks."""
        self._in_turns(self.chunks, task)

    def _in_turns(self, chunks: list[tuple[int, int]], task: Callable[[int, int, int], object]) -> None:
        """Run ``task(*chunk, thread)``; each thread takes the next chunk when it is done with one, so that none waits
        for a slower one.
        """
        if self.pool is None:
            task(chunks[0][0], chunks[-1][1], 0)
            return
        waiting = iter(chunks)

        def work(thread: int) -> None:
            for first, last in waiting:
                task(first, last, thread)

        others = [self.pool.submit(work, thread) for thread in range(1, self.n_threads)]
        try:
            work(0)
        finally:
            wait(others)  # none may go on writing into arrays that somebody else uses by then
        for other in others:
            other.result()

    def grow(self, m: int, channels: Channels) -> Rule:
        """Grow the tree of round ``m`` on the channels."""
        kind, mass = channels.kind, channels.mass
        if not self.data:
            grid = zeros(self.n_rows * (1 if kind == ONE_HOT else self.n_padded), self.dtype)
            self.data = self.codes, grid, self.labels, *self.spans, self.leaf_of_row, self.masses
        scale, tie = grid_scale(mass, channels.weights.size, self.dtype), TIE * mass
        wanted = channels.weights, kind, scale, tie, tie * scale, grid_scale(mass, 0, np.float64)
        state = wanted, self.forest, self.data, self.layout, self.work, self.closer, self.settings
        try:
            leaves, chosen = self._passes(m, kind, state)
        except BaseException:  # Ctrl-C in the middle of a tree: the next one must not go on from there
            self._forget()
            raise
        self.n_leaves[m] = leaves
        _, _, leaf_sums, outputs = self.forest
        return Rule(self.leaf_of_row, leaf_sums[m, :leaves], tie, outputs[m, :leaves], chosen)

    def _passes(self, m: int, kind: int, state: tuple) -> tuple[int, float]:
        """Call the kernel, and the passes that it asks for, until the tree has its leaves."""
        leaves, chosen = growth.grow(*state, (m, growth.GROW, 0, 0, 0), self.group)
        while leaves == 0:  # it asks for a pass
            if self.work[5][PHASE] == ACCUMULATE:
                self._sum_rows(kind)
            else:
                self.over_blocks(lambda i, j, t: growth.grow(*state, (m, growth.SHARE, t, i, j), self.group))
            leaves, chosen = growth.grow(*state, (m, growth.RESUME, 0, 0, 0), self.group)
        return leaves, chosen

    def _forget(self) -> None:
        """Drop a tree that was interrupted."""
        self.work[5][PHASE] = WRITE
        for part in (self.work[0], *(self.closer[2:4] if self.closer else ())):
            part[:] = 0

    def _sum_rows(self, kind: int) -> None:
        """The histograms of a node of many rows."""
        data, work, settings = self.data, self.work, self.settings
        self.over_blocks(lambda i, j, t: staged.sum_rows(kind, data, work, settings, t, i, j))
        layout, members = self.layout, len(self.group)
        self._in_turns(self.groups, lambda i, j, t: staged.fold_groups(layout, work, settings, i, j, members))
        self.joint[:] = 0

    def rules(self, n_rounds: int) -> Forest:
        """The first ``n_rounds`` trees, packed for prediction."""
        return self._pack(slice(n_rounds))

    def leaves(self, X: np.ndarray, m: int) -> np.ndarray:
        """Leaf numbers (n,) of other rows in the tree of round ``m``."""
        return self._pack(slice(m, m + 1)).apply(X, 0)

    def _pack(self, rounds: slice) -> Forest:
        nodes, gained, _, _ = (array[rounds] for array in self.forest)
        return Forest.from_nodes(nodes, gained, self.n_leaves[rounds], self.binner.thresholds, self.binner.offsets)

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()
