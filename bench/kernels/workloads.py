"""Workloads for the kernel benchmarks: rows of a size, a grower stopped before any phase of a tree, and a clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numba
import numpy as np
import pytest

from bench.kernels.sizes import LARGE, SMALL, Size
from bench.timing.data import make_floats
from csboost.problem import Problem, class_numbers
from csboost.weak import bookkeeping, growth, passes, staged, staged_labels
from csboost.weak.binned import Binned
from csboost.weak.channels import HALVES, NEGATED, ONE_HOT, SIGNED, Channels
from csboost.weak.grower import Grower
from csboost.weak.layout import (
    ACCUMULATE,
    BINS,
    BLOCK,
    HOME,
    PHASE,
    SCAN,
    SLOT,
    Data,
    Layout,
    Part,
    Trees,
    Wanted,
    Work,
)
from csboost.weak.rows import Rows
from csboost.weak.rules import CONFIDENCE, LABEL, VOTES

sizes = pytest.mark.parametrize("size", [SMALL, LARGE], ids=str)


def by_size(names: Iterable[str], small_only: str) -> Any:
    """Return a mark of sizes and names; one name, whose many lanes take long to compile, in the small size alone."""
    pairs = [(size, name) for name in names for size in (SMALL, LARGE) if size == SMALL or name != small_only]
    return pytest.mark.parametrize(("size", "name"), pairs, ids=[f"{size}-{name}" for size, name in pairs])


KIND_OF_RULE = {LABEL: NEGATED, VOTES: SIGNED, CONFIDENCE: HALVES}


def clock(
    benchmark: Any, group: str, size: Size, run: Callable[[], Any], before: Callable[[], Any] | None = None
) -> Any:
    """Time ``run`` once everything is compiled and cached; return its last result.

    Parameters
    ----------
    benchmark : pytest-benchmark's fixture
    group : str
        The kernel.
    size : Size
        Goes into ``extra_info``.
    run : callable
    before : callable, optional
        Restores what ``run`` changes; not timed.
    """
    benchmark.group = group
    benchmark.extra_info.update(n=size.n, d=size.d, K=size.K)
    if before is not None:
        before()
    run()
    if before is None:
        return benchmark(run)

    def setup() -> None:
        before()

    return benchmark.pedantic(run, setup=setup, rounds=200 if size.n < 1000 else 30)


def make_problem(size: Size) -> Problem:
    """Return a training set with unequal costs."""
    X, y = make_floats(size.n, size.d, size.K, seed=0)
    matrix = 1.0 + np.abs(np.subtract.outer(np.arange(size.K), np.arange(size.K))) - np.eye(size.K)
    return Problem(X, class_numbers(y, size.K), np.ones(size.n), matrix[y], np.arange(size.K), matrix)


for_python = numba.njit(nogil=True, error_model="numpy")


def alone(inner: Any) -> Any:
    """An inner kernel, which only kernels may call, as one for Python."""
    return for_python(lambda *arguments: inner(*arguments))


@for_python
def begin(nodes, data_, work_):
    """A root of all rows."""
    data, work = Data(*data_), Work(*work_)
    passes.gather_root(data, 0, data.blocks.shape[0])
    bookkeeping.count_left(data.blocks, work.counts)
    bookkeeping.begin(nodes, work)


@for_python
def choose_splits(slots, work_, rule):
    """The best split of the new leaves."""
    bookkeeping.choose_splits(slots, Work(*work_), rule, 0.0, None, 0)


@for_python
def split_leaf(tree_, blocks, slots, work_, max_leaves, width):
    """Two leaves out of the one that was parted."""
    work = Work(*work_)
    bookkeeping.count_left(blocks, work.counts)
    bookkeeping.split_leaf(Trees(*tree_), slots, work, max_leaves, None, width)


choose_leaf = alone(bookkeeping.choose_leaf)


class Growing:
    """A grower of one tree on random weights, with its arrays by name.

    Attributes
    ----------
    engine : Grower
    data, layout, work, tree : Data, Layout, Work, Trees
        Its arrays; those of one tree.
    weights : ndarray (n, K), or (n, 1) for ONE_HOT
    kind, rule : int
        Of channel and leaf.
    total : ndarray (lanes,)
        Sums of the channels on the grid.
    codes : ndarray (n, d)
        The bins of the rows, found by NumPy.
    """

    def __init__(self, size: Size, rule: int = LABEL, kind: int | None = None):
        self.size, self.rule = size, rule
        self.kind = KIND_OF_RULE[rule] if kind is None else kind
        problem = make_problem(size)
        self.X, self.y = problem.X, problem.y
        rng = np.random.default_rng(1)
        columns = 1 if self.kind == ONE_HOT else size.K
        self.weights = np.exp(rng.standard_normal((size.n, columns))) * problem.costs[:, :columns].clip(0.5)
        if self.kind in (SIGNED, HALVES):  # the truth against all others, as in AdaBoost.MH: else no split gains
            self.weights[np.arange(size.n), self.y] *= size.K
        self.channels = Channels(self.weights, self.kind, float(self.weights.sum()))
        rows = Rows(size.n)
        self.engine = Grower(Binned(self.X, None, rows), rows, self.y, size.K, rule, 4, 1)
        self.engine.grow(0, self.channels)  # makes and fills the grid
        self.data, self.layout = Data(*self.engine.data), Layout(*self.engine.layout)
        self.work, self.tree = Work(*self.engine.work), Trees(*[part[0] for part in self.engine.forest])
        self.total = self.grid().sum(axis=0)
        places = np.split(self.engine.binned.binner.thresholds, self.engine.binned.binner.offsets[1:-1])
        self.codes = np.stack([np.searchsorted(cuts, self.X[:, f]) for f, cuts in enumerate(places)], axis=1)

    @property
    def one_hot(self) -> bool:
        return self.kind == ONE_HOT

    @property
    def state(self) -> np.ndarray:
        return self.work.state

    @property
    def n_padded(self) -> int:
        """Lanes in whole tiles."""
        return self.engine.n_padded

    @property
    def gain_of_root(self) -> float:
        """In the grid's unit."""
        return float(self.work.gains[0])

    def grid(self) -> np.ndarray:
        """The channels (n, lanes) as whole numbers."""
        grid, labels = self.data.channels, self.data.labels
        if not self.one_hot:
            return grid.reshape(self.size.n, -1)[:, : self.engine.n_lanes].astype(np.float64)
        dense = np.zeros((self.size.n, self.size.K))
        dense[np.arange(self.size.n), labels] = grid
        return dense

    def histogram_of(self, rows: np.ndarray) -> np.ndarray:
        """The histogram (d, BINS, lanes) of some rows, by NumPy."""
        found = np.zeros((self.size.d, BINS, self.engine.n_lanes))
        grid = self.grid()[rows]
        for feature in range(self.size.d):
            np.add.at(found[feature], self.codes[rows, feature], grid)
        return found

    def staged(self) -> np.ndarray:
        """The staged histogram (d, BINS, lanes)."""
        tiles = self.work.staged.reshape(self.n_padded // self.engine.tile_width, -1, BINS, self.engine.tile_width)
        found = tiles.transpose(1, 2, 0, 3).reshape(-1, BINS, self.n_padded)[:, :, : self.engine.n_lanes]
        return found[self.layout.slots[:, SLOT]]

    def clear(self) -> None:
        """Zero the staged histogram, as folding it does."""
        self.work.staged[:] = 0

    def grouped(self, node: int) -> np.ndarray:
        """The grouped histogram (d, BINS, lanes) of a node."""
        home, width = self.work.splits[node, HOME], len(self.engine.group)
        shape = -1, BINS, self.engine.n_lanes, width
        size = len(self.layout.groups) * np.prod(shape[1:])
        found = self.work.grouped[home : home + size].reshape(shape).transpose(0, 3, 1, 2)
        return found.reshape(-1, BINS, self.engine.n_lanes)[self.layout.slots[:, SLOT]]

    def rows_of(self, node: int) -> np.ndarray:
        """The rows of a node, in its order."""
        spans = self.data.spans[node].astype(int)
        parts = [self.data.rows[start:stop].astype(int) + block * BLOCK for block, (start, stop) in enumerate(spans)]
        return np.concatenate(parts)

    # The phases of a tree, each leading to the state before the next.

    def begin(self) -> None:
        """A root of all rows, with its sums; a histogram comes next."""
        self.work.sums[0] = self.total
        begin(self.tree.nodes, self.engine.data, self.engine.work)

    def run_pass(self, n: int | None = None) -> None:
        """The pass that the state asks for, over all blocks or ``n`` groups of features."""
        engine = self.engine
        wanted = tuple(Wanted(self.weights, self.kind, scale=1.0, tie=0.0, tolerance=0.0, fine_scale=1.0))
        if self.state[PHASE] == ACCUMULATE:
            summing = staged_labels if self.kind == ONE_HOT else staged
            summing.sum_rows(engine.data, engine.work, engine.settings, 0, 0, engine.rows.n_blocks, engine.tiles)
            return
        last = engine.rows.n_blocks if n is None else n
        growth.grow(
            wanted, engine.forest, engine.data, engine.layout, engine.work, engine.closer, engine.settings,
            None, tuple(Part(0, growth.SHARE, thread=0, first=0, last=last)), engine.group,
        )  # fmt: skip

    def find_splits(self) -> None:
        """Fold the histogram, scan it, choose the best split of the node (and of its sibling)."""
        engine = self.engine
        if self.size.n >= growth.SMALL:
            staged.fold_groups(
                engine.layout, engine.work, engine.settings, 0, len(engine.layout[0]), engine.tiles, engine.group
            )
        self.state[PHASE] = SCAN
        self.run_pass(len(engine.layout[0]))
        choose_splits(self.layout.slots, engine.work, self.rule)

    def until_partition(self) -> None:
        """Stop before the root's rows are parted."""
        self.begin()
        if self.size.n >= growth.SMALL:
            self.clear()
            self.run_pass()
        self.find_splits()
        choose_leaf(self.work.gains, self.state, 0.0)

    def until_child(self) -> None:
        """Stop before the histogram of the root's smaller child."""
        self.until_partition()
        self.run_pass()
        engine = self.engine
        split_leaf(tuple(self.tree), self.data.blocks, self.layout.slots, engine.work, 4, len(engine.group))
