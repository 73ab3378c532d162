"""Grows a :class:`~csboost.weak.tree.CostTree` per round on one training set: what a fit keeps between its trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from csboost.weak import growth, layout, margins, staged, staged_labels
from csboost.weak.adding_up import add_up, counted, used_cells
from csboost.weak.binned import Binned, block_table
from csboost.weak.channels import ONE_HOT, Channels, grid_dtype, grid_scale, is_dithered
from csboost.weak.forest import Forest
from csboost.weak.histogram import RUN, tile_of, tiles_of
from csboost.weak.interface import TIE, VECTOR, Rule
from csboost.weak.layout import ACCUMULATE, BINS, BLOCK, FEATURE_OF, PHASE, WRITE, Part, Plain, Search, Seek
from csboost.weak.packing import sets_of_codes
from csboost.weak.rows import Rows
from csboost.weak.rules import lanes_of
from csboost.weak.second_look import closer_arrays
from csboost.weak.seek_arrays import seek_arrays, sought

VECTOR_BYTES = 32  # of the numbers that are scanned at once
LINE = 64  # bytes of a cache line


def zeros(size: int, dtype: type) -> np.ndarray:
    """Zeros (size,) that start with a cache line, so that no vector of them lies across two."""
    n_bytes = size * np.dtype(dtype).itemsize
    raw = np.zeros(n_bytes + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + n_bytes].view(dtype)


class Grower:
    """Grows one tree after another on the same rows.

    Parameters
    ----------
    binned : Binned
        The coded rows.
    rows : Rows
        Their blocks, and the threads; closed with the grower.
    labels : ndarray (n,) uint16 or int64
        Class numbers.
    n_classes, rule, max_leaves, n_rounds : int

    Attributes
    ----------
    n_lanes, tile_width, n_padded : int
        Numbers per cell of a histogram; in the tile they are added in; and in whole tiles.
    tiles : tuple
        The two tiles of the leaf rule, as zeros.
    dtype : type
        Of the grid on which channels are summed.
    group : tuple of int
        As many zeros as features are scanned at once; ``n_groups`` times.
    data, layout, work, closer, forest, settings : tuple
        The arrays as the kernels take them (:mod:`csboost.weak.layout`). ``data`` is empty until the first channels
        come, ``closer`` None where no second look is needed.
    """

    def __init__(
        self, binned: Binned, rows: Rows, labels: np.ndarray, n_classes: int, rule: int, max_leaves: int, n_rounds: int
    ):
        self.binned, self.rows, self.labels = binned, rows, labels
        # gradients are no counts that may tie: 31 bits of them are enough for few rows too
        self.dtype: type = np.int32 if rule == VECTOR else grid_dtype(rows.n_all)
        self.group = (0,) * (VECTOR_BYTES // np.dtype(self.dtype).itemsize)
        arranged, columns = binned.layout(len(self.group)), binned.columns
        self.layout, self.n_groups = tuple(arranged), len(arranged.groups)
        n_alone = columns.n_summed - columns.n_joint  # slots that share no joint column are the first
        self.n_groups_alone = -(-n_alone // len(self.group))
        self.n_lanes = lanes_of(rule, n_classes)
        self.tiles = tiles_of(rule)
        self.tile_width = len(tile_of(self.n_lanes, self.tiles))
        self.n_padded = -(-self.n_lanes // self.tile_width) * self.tile_width
        n_nodes = 2 * max_leaves - 1
        work = self._make_work(max_leaves)
        self.state, self.staged, self.work = work.state, work.staged, tuple(work)
        self.closer: Plain | None = None
        if self.dtype is np.int32 and rule != VECTOR:
            self.closer = closer_arrays(binned.counts(rows), rows.n_threads, self.n_lanes, max_leaves)
        self.seek: Seek | None = None
        if rule == VECTOR:
            extent = self.n_groups, len(self.group), self.n_lanes, n_nodes
            self.seek = seek_arrays(binned.categorical[columns.slots[:, FEATURE_OF]], n_rounds, extent, self.dtype)
        self.data: Plain = ()
        spans = np.zeros((n_nodes, rows.n_blocks, 2), np.int64)
        self.spans = np.empty(rows.n_rows, np.uint16), spans, block_table(rows)
        self.leaf_of_row = np.zeros(rows.n_rows, np.uint16)
        self.trees = layout.Trees(
            nodes=np.zeros((n_rounds, n_nodes, 6), np.int32),
            gained=np.zeros((n_rounds, n_nodes)),
            leaf_sums=np.zeros((n_rounds, max_leaves, self.n_lanes)),
            outputs=np.zeros((n_rounds, max_leaves), np.int64),
        )
        self.forest = tuple(self.trees)
        self.n_leaves = np.zeros(n_rounds, np.int64)
        settings = layout.Settings(
            rule=rule,
            max_leaves=max_leaves,
            n_threads=rows.n_threads,
            bits=self.tile_width.bit_length() - 1,
            n_joint=columns.n_joint,
            n_summed=columns.n_summed,
            small=self._small(),
            is_alone=rows.is_alone,
        )
        self.settings = tuple(settings)
        self._used: np.ndarray | None = None  # what other machines are told of a histogram
        self._whole: np.ndarray | None = None  # what a root counts

    def _small(self) -> int:
        """Nodes of fewer rows are not staged: ``Settings.small``."""
        if not self.rows.is_alone:
            return 0
        in_kernel = self.seek is not None and self.rows.n_threads == 1 and self.binned.columns.n_joint == 0
        is_worth_it = in_kernel and self.rows.n_rows >= growth.SMALL
        return min(growth.FEW, growth.SMALL) if is_worth_it else growth.SMALL

    def _make_work(self, max_leaves: int) -> layout.Work:
        n_rows, n_threads, dtype = self.rows.n_rows, self.rows.n_threads, self.dtype
        n_nodes, n_lanes, n_summed = 2 * max_leaves - 1, self.n_lanes, self.binned.columns.n_summed
        n_places = self.n_groups * len(self.group)  # of slots, in whole groups
        is_staged = n_rows >= growth.SMALL or not self.rows.is_alone
        n_staged = n_threads * (n_summed + n_summed % 2) * BINS * self.n_padded if is_staged else 0
        n_packed = RUN + BLOCK if is_staged else 1
        packed = zeros(n_threads * n_packed * self.tile_width, dtype)
        return layout.Work(
            staged=zeros(n_staged, dtype),
            grouped=zeros((max_leaves - 1) * n_places * BINS * n_lanes, dtype),
            sums=np.zeros((n_nodes, n_lanes), dtype),
            gains=np.zeros(n_nodes),
            splits=np.zeros((n_nodes, 4), np.int64),
            state=np.zeros(5, np.int64),
            scores=np.zeros((2, 2 * n_places)),
            cuts=np.zeros((2, 2 * n_places), np.int64),
            packed=packed.reshape(n_threads, -1),
            places=np.zeros((n_threads, n_packed), np.uint32),
            spare=np.zeros((n_threads, min(n_rows, BLOCK)), np.uint16),
            node_masses=np.zeros(n_nodes, np.int64),
            counts=np.zeros(3, np.int64),
            sides=np.zeros((2, n_lanes)),
        )

    def _make_data(self, n_padded: int) -> layout.Data:
        """The rows' arrays, with a grid of so many numbers per row."""
        row_numbers, spans, blocks = self.spans
        return layout.Data(
            codes=self.binned.codes,
            channels=zeros(self.rows.n_rows * n_padded, self.dtype),
            labels=self.labels,
            rows=row_numbers,
            spans=spans,
            blocks=blocks,
            leaf_of_row=self.leaf_of_row,
            masses=self.binned.masses,
        )

    def grow(self, m: int, channels: Channels, search: Search | None = None) -> Rule:
        """Grow the tree of round ``m`` on the channels; for vector leaves ``search`` says how its splits are sought."""
        weights, kind, mass = channels.weights, channels.kind, channels.mass
        if not self.data:
            self.data = tuple(self._make_data(1 if channels.is_single else self.n_padded))
        self.rows.starts(m)
        scale, tie = grid_scale(mass, self.rows.n_all * (weights.size // len(weights)), self.dtype), TIE * mass
        wanted = layout.Wanted(
            weights=weights,
            kind=kind,
            scale=scale,
            tie=tie,
            tolerance=tie * scale,
            fine_scale=grid_scale(mass, 0, np.float64),
            dithered=is_dithered(self.rows.n_all),
        )
        seek = None if self.seek is None else sought(self.seek, search or Search(), scale)
        arrays = tuple(wanted), self.forest, self.data, self.layout, self.work, self.closer, self.settings, seek
        try:
            leaves, chosen = self._passes(m, kind, arrays)
        except BaseException:  # Ctrl-C in the middle of a tree: the next one must not go on from there
            self._forget()
            raise
        self.n_leaves[m] = leaves
        sums, outputs = self.trees.leaf_sums[m, :leaves], self.trees.outputs[m, :leaves]
        return Rule(self.leaf_of_row, sums, tie, outputs, chosen)

    def _passes(self, m: int, kind: int, arrays: tuple[Any, ...]) -> tuple[int, float]:
        """Call the kernel, and the passes that it asks for, until the tree has its leaves."""
        leaves, chosen = growth.grow(*arrays, tuple(Part(m, growth.GROW, thread=0, first=0, last=0)), self.group)
        while leaves == 0:  # it asks for a pass
            if self.state[PHASE] == ACCUMULATE:
                self._sum_rows(kind)
            else:
                self.rows.run(lambda i, j, t: growth.grow(*arrays, tuple(Part(m, growth.SHARE, t, i, j)), self.group))
            if not self.rows.is_alone:
                self._add_up()
            leaves, chosen = growth.grow(*arrays, tuple(Part(m, growth.RESUME, thread=0, first=0, last=0)), self.group)
        return leaves, chosen

    def _sum_rows(self, kind: int) -> None:
        """The histograms of a node of many rows."""
        data, work, settings, tiles = self.data, self.work, self.settings, self.tiles
        sum_rows = staged_labels.sum_rows if kind == ONE_HOT else staged.sum_rows
        self.rows.run(lambda i, j, t: sum_rows(data, work, settings, t, i, j, tiles))
        self.rows.share(self.n_groups_alone + self.binned.columns.n_joint, self._fold)

    def _fold(self, first: int, last: int, _: int) -> None:
        """Fold groups of slots, then joint columns, by their numbers among both."""
        n_alone = self.n_groups_alone
        if first < n_alone:
            staged.fold_groups(self.layout, self.work, self.settings, first, min(last, n_alone), self.tiles, self.group)
        if last > n_alone:
            first, last = max(first - n_alone, 0), last - n_alone
            margins.fold_columns(self.layout, self.work, self.settings, first, last, len(self.group))

    def _add_up(self) -> None:
        """What the pass found on all machines in place of what it found on this one."""
        data, work = layout.Data(*self.data), layout.Work(*self.work)
        if self._used is None or self._whole is None:  # the first pass gives all rows to a root, as in every tree
            self._used = used_cells(self.layout, self.n_lanes, len(self.group))
            self._whole = counted(self.rows, data)
        if self.state[PHASE] == WRITE:
            work.counts[:] = self._whole
        else:
            add_up(self.rows, data, work, self.closer, self._used)

    def _forget(self) -> None:
        """Drop a tree that was interrupted."""
        self.state[PHASE] = WRITE
        self.staged[:] = 0
        if self.closer is not None:
            closer = layout.Closer(*self.closer)
            closer.cells[:] = 0
            closer.leaf_cells[:] = 0

    def skip(self, n_rounds: int) -> None:
        """Nothing is drawn."""

    def rules(self, n_rounds: int) -> Forest:
        """The first ``n_rounds`` trees, packed for prediction."""
        return self._pack(slice(n_rounds))

    def leaves(self, X: np.ndarray, m: int) -> np.ndarray:
        """Leaf numbers (n,) of other rows in the tree of round ``m``."""
        return self._pack(slice(m, m + 1)).apply(X, 0)

    def _pack(self, rounds: slice) -> Forest:
        trees, binner = self.trees, self.binned.binner
        cuts = binner.thresholds, binner.offsets
        nodes, gained, n_leaves = trees.nodes[rounds], trees.gained[rounds], self.n_leaves[rounds]
        sets = None
        if self.binned.categorical.any():
            sets = sets_of_codes(nodes) if self.seek is None else self.seek.kept[rounds]
        return Forest.from_nodes(nodes, gained, n_leaves, *cuts, sets, self.binned.categorical)

    def close(self) -> None:
        """End the threads."""
        self.rows.close()
