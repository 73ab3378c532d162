"""The rows of a training set as blocks: who works on which of them, and how their totals are added up.

This is the one place that knows threads, and of other machines. What runs over the rows is a *task*, called as
``task(first, last, thread)`` for row blocks ``first .. last - 1``. A total is a number per block, added up in the order
of the blocks, so that no result depends on the number of threads, or on where the blocks lie.

One machine holds all rows here. Where others hold some (:class:`csboost.dask.rows.SpreadRows`), each runs the same fit
on its own blocks, and what the fit asks of all rows goes through the last part of this class.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from csboost.weak.layout import BLOCK
from csboost.weak.matrix import SAMPLE, sample_rows

CHUNKS = 8  # of row blocks, per thread and pass

Task = Callable[[int, int, int], object]


class Rows:
    """Blocks of rows, and the threads that work on them.

    Parameters
    ----------
    n_rows : int
    n_threads : int, default=1
        At most; a thread has two blocks or more.

    Attributes
    ----------
    n_rows, n_blocks, n_threads : int
    blocks : list of slice
        The rows of each block.
    n_all : int
        Rows of all machines.
    numbers : ndarray (blocks,)
        The places of the blocks among those of all machines.
    is_alone : bool
        Whether there is no other machine.
    """

    is_alone = True

    def __init__(self, n_rows: int, n_threads: int = 1):
        self.n_rows, self.n_blocks = n_rows, -(-n_rows // BLOCK)
        self.n_all, self.numbers = n_rows, np.arange(self.n_blocks)
        self.blocks = [slice(start, min(start + BLOCK, n_rows)) for start in range(0, n_rows, BLOCK)]
        self.n_threads = max(1, min(n_threads, self.n_blocks // 2))
        n_chunks = self.n_threads * max(1, min(CHUNKS, self.n_blocks // (2 * self.n_threads)))  # as many for each
        self._chunks = list(pairwise(self.n_blocks * chunk // n_chunks for chunk in range(n_chunks + 1)))
        self._pool = self._open()  # and the calling thread
        self._partials: dict[int, np.ndarray] = {}  # by numbers per block

    def _open(self) -> ThreadPoolExecutor | None:
        """The threads beside the calling one."""
        return ThreadPoolExecutor(self.n_threads - 1) if self.n_threads > 1 else None

    # Work.

    def run(self, task: Task) -> None:
        """Run ``task(first, last, thread)`` over all row blocks."""
        if self._pool is None:
            task(0, self.n_blocks, 0)
        else:
            self._in_turns(self._pool, self._chunks, task)

    def share(self, n: int, task: Task) -> None:
        """Run ``task(first, last, thread)`` over the numbers ``0 .. n - 1`` of something else than row blocks."""
        if self._pool is None:
            task(0, n, 0)
        else:
            self._in_turns(self._pool, [(number, number + 1) for number in range(n)], task)

    def map(self, function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """Call ``function`` with each of the items; returns its results in their order."""
        items = list(items)
        found = [None] * len(items)

        def task(first: int, last: int, _: int) -> None:
            for number in range(first, last):
                found[number] = function(items[number])

        self.share(len(items), task)
        return found

    def _in_turns(self, pool: ThreadPoolExecutor, chunks: list[tuple[int, int]], task: Task) -> None:
        """Each thread takes the next chunk when it is done with one, so that none waits for a slower one; when a task
        fails, the others end with the chunk they are at.
        """
        waiting = iter(chunks)

        def work(thread: int) -> None:
            try:
                for first, last in waiting:
                    task(first, last, thread)
            except BaseException:
                deque(waiting, maxlen=0)
                raise

        others = [pool.submit(work, thread) for thread in range(1, self.n_threads)]
        try:
            work(0)
        finally:
            wait(others)  # none may go on writing into arrays that somebody else uses by then
        for other in others:
            other.result()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # Totals.

    def total(self, partial: np.ndarray) -> Any:
        """Add up per-block numbers in the order of the blocks: all totals of a fit are formed here.

        Parameters
        ----------
        partial : ndarray (blocks,) or (blocks, m)

        Returns
        -------
        float, or list of m floats
        """
        # most fits have one block, where NumPy's sum would cost as much as a small update
        return partial.tolist()[0] if len(partial) == 1 else partial.sum(axis=0).tolist()

    def totals(self, kernel: Callable[..., object], *arguments: Any, count: int = 0) -> Any:
        """Run a kernel that ends in ``first, last, partial`` over all row blocks.

        Parameters
        ----------
        kernel : callable
            Called as ``kernel(*arguments, first, last, partial)``; writes what blocks ``first .. last - 1`` sum to.
        *arguments
            What comes before.
        count : int, default=0
            Numbers per block: 0 where ``partial`` is (blocks,), m where it is (blocks, m).

        Returns
        -------
        float, or list of ``count`` floats
            The total over all blocks.
        """
        partial = self._partials.get(count)
        if partial is None:
            partial = self._partials[count] = np.zeros((self.n_blocks, count) if count else self.n_blocks)
        if self._pool is None:  # as run does, without a second call: a small update takes two microseconds
            kernel(*arguments, 0, self.n_blocks, partial)
        else:
            self.run(lambda first, last, _: kernel(*arguments, first, last, partial))
        return self.total(partial)

    def sum(self, values: np.ndarray) -> float:
        """The total of ``values`` (n, ...), one or more per row."""
        return self.total(np.array([values[block].sum() for block in self.blocks]))

    def class_sums(self, labels: np.ndarray, values: np.ndarray, n_classes: int) -> np.ndarray:
        """Totals (K,) of ``values`` (n,) by class, or (K, m) of (n, m)."""
        columns = values.reshape(len(values), -1).T
        partial = [
            [np.bincount(labels[block], column[block], n_classes) for column in columns] for block in self.blocks
        ]
        every = self.gathered(np.array(partial).reshape(self.n_blocks, len(columns), n_classes))
        totals = np.zeros(every.shape[1:])
        for part in every:
            totals += part
        return totals.T.reshape((n_classes, *values.shape[1:]))

    # All rows, of other machines too.

    def starts(self, m: int) -> None:
        """The tree of round ``m`` begins: somebody else may want to know."""

    def add(self, numbers: np.ndarray) -> None:
        """Add up numbers over all machines, in place: whole ones, whose sums do not depend on the order."""

    def most(self, value: float) -> float:
        """The largest of the numbers that each machine has."""
        return value

    def gathered(self, partial: np.ndarray) -> np.ndarray:
        """The sums (blocks, ...) of all blocks, or (1, ...) what they add up to in their order."""
        return partial

    def pick(self, values: np.ndarray, numbers: Any) -> np.ndarray:
        """``values`` (n, ...) of the rows of these ascending numbers among all (or of ``slice(None)``, all of them)."""
        return values[numbers]

    def own(self, values: np.ndarray) -> np.ndarray:
        """Of values of all rows those of this machine."""
        return values

    def uniform(self, seed: list[int]) -> np.ndarray:
        """A number (n,) for each row, drawn between 0 and 1."""
        return np.random.default_rng(seed).random(self.n_rows)

    def sampled(self, X: np.ndarray) -> Callable[[int], np.ndarray]:
        """By the number of a column of ``X`` (n, d), its values in a fixed choice of rows, or in all where they are
        few.
        """
        rows = sample_rows(self.n_all) if self.n_all > SAMPLE else slice(None)
        return lambda feature: X[rows, feature]

    def distinct(self, X: np.ndarray, features: list[int], masses: np.ndarray) -> list[Distinct]:
        """The values of some columns in all rows: see :func:`distinct`."""
        return self.map(lambda feature: distinct(X[:, feature], masses), features)


class Distinct(NamedTuple):
    """The values of a column."""

    values: np.ndarray  # (m,) ascending, without the missing one
    masses: np.ndarray  # (m,) int64, what their rows weigh together


def distinct(column: np.ndarray, masses: np.ndarray) -> Distinct:
    """The values of a ``column`` (n,) whose rows weigh ``masses`` (n,) in whole numbers, or (0,) where all weigh the
    same.
    """
    order = np.argsort(column, kind="stable") if len(masses) else None
    values = np.sort(column) if order is None else column[order]  # a tenth of the time
    values = values[: np.searchsorted(values, np.nan)]  # NaN sorts last
    if len(values) == 0:
        return Distinct(np.empty(0), np.zeros(0, np.int64))
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    totals = np.diff(starts, append=len(values))
    if order is not None:
        totals = np.add.reduceat(masses[order[: len(values)]], starts)
    return Distinct(values[starts].astype(np.float64), totals)
