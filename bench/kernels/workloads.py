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
from csboost.weak import bookkeeping, growth, staged
from csboost.weak.binned import Binned
from csboost.weak.channels import HALVES, NEGATED, ONE_HOT, SIGNED, Channels
from csboost.weak.grower import Grower
from csboost.weak.histogram import BINS
from csboost.weak.rows import Rows
from csboost.weak.splits import CONFIDENCE, LABEL, VOTES

MISSING = BINS - 1


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


def alone(inner: Any) -> Any:
    """An inner kernel, which only kernels may call, as one for Python."""
    return numba.njit(nogil=True, error_model="numpy")(lambda *arguments: inner(*arguments))


begin, choose_leaf = alone(bookkeeping.begin), alone(bookkeeping.choose_leaf)
choose_splits, split_leaf = alone(growth.choose_splits), alone(growth.split_leaf)


class Growing:
    """A grower of one tree on random weights, with its arrays by name.

    Attributes
    ----------
    engine : Grower
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
        self.total = self.grid().sum(axis=0)
        places = np.split(self.engine.binned.binner.thresholds, self.engine.binned.binner.offsets[1:-1])
        self.codes = np.stack([np.searchsorted(cuts, self.X[:, f]) for f, cuts in enumerate(places)], axis=1)

    @property
    def one_hot(self) -> bool:
        return self.kind == ONE_HOT

    @property
    def state(self) -> np.ndarray:
        return self.engine.work[5]

    @property
    def n_padded(self) -> int:
        """Lanes in whole tiles."""
        return self.engine.n_padded

    @property
    def gain_of_root(self) -> float:
        """In the grid's unit."""
        return float(self.engine.work[3][0])

    def grid(self) -> np.ndarray:
        """The channels (n, lanes) as whole numbers."""
        _, grid, labels, *_ = self.engine.data
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
        tiles = self.engine.work[0].reshape(self.n_padded // self.engine.tile, -1, BINS, self.engine.tile)
        found = tiles.transpose(1, 2, 0, 3).reshape(-1, BINS, self.n_padded)[:, :, : self.engine.n_lanes]
        return found[self.engine.layout[1][:, 0]]

    def clear(self) -> None:
        """Zero the staged histogram, as folding it does."""
        self.engine.work[0][:] = 0

    def grouped(self, node: int) -> np.ndarray:
        """The grouped histogram (d, BINS, lanes) of a node."""
        home, width = self.engine.work[4][node, bookkeeping.HOME], len(self.engine.group)
        shape = -1, BINS, self.engine.n_lanes, width
        size = len(self.engine.layout[0]) * np.prod(shape[1:])
        found = self.engine.work[1][home : home + size].reshape(shape).transpose(0, 3, 1, 2)
        return found.reshape(-1, BINS, self.engine.n_lanes)[self.engine.layout[1][:, 0]]

    def rows_of(self, node: int) -> np.ndarray:
        """The rows of a node, in its order."""
        rows, spans, _ = self.engine.spans
        parts = [rows[start:stop] + block * 4096 for block, (start, stop) in enumerate(spans[node].astype(int))]
        return np.concatenate([part.astype(int) for part in parts])

    # The phases of a tree, each leading to the state before the next.

    @property
    def tree(self) -> tuple[np.ndarray, ...]:
        """The tree's arrays in the forest."""
        return tuple([part[0] for part in self.engine.forest])

    def begin(self) -> None:
        """A root of all rows, with its sums; a histogram comes next."""
        engine = self.engine
        engine.work[2][0] = self.total
        masses = engine.binned.masses, engine.work[11]
        begin(self.tree[0], *engine.spans, engine.work[4], engine.work[3], self.state, *masses)

    def run_pass(self, n: int | None = None) -> None:
        """The pass that the state asks for, over all blocks or ``n`` groups of features."""
        engine, wanted = self.engine, (self.weights, self.kind, 1.0, 0.0, 0.0, 1.0)
        if self.state[bookkeeping.PHASE] == bookkeeping.ACCUMULATE:
            staged.sum_rows(self.kind, engine.data, engine.work, engine.settings, 0, 0, engine.rows.n_blocks)
            return
        growth.grow(
            wanted, engine.forest, engine.data, engine.layout, engine.work, engine.closer, engine.settings,
            (0, growth.SHARE, 0, 0, engine.rows.n_blocks if n is None else n), engine.group,
        )  # fmt: skip

    def find_splits(self) -> None:
        """Fold the histogram, scan it, choose the best split of the node (and of its sibling)."""
        engine = self.engine
        if self.size.n >= growth.SMALL:
            staged.fold_groups(engine.layout, engine.work, engine.settings, 0, len(engine.layout[0]), len(engine.group))
        self.state[bookkeeping.PHASE] = bookkeeping.SCAN
        self.run_pass(len(engine.layout[0]))
        choose_splits(engine.layout, engine.work, self.rule, 0.0)

    def until_partition(self) -> None:
        """Stop before the root's rows are parted."""
        self.begin()
        if self.size.n >= growth.SMALL:
            self.clear()
            self.run_pass()
        self.find_splits()
        choose_leaf(self.engine.work[3], self.state, 0.0)

    def until_child(self) -> None:
        """Stop before the histogram of the root's smaller child."""
        self.until_partition()
        self.run_pass()
        engine = self.engine
        split_leaf(self.tree, engine.data, engine.layout, engine.work, 4, engine.n_lanes, len(engine.group))
