"""The rows of a training set that is spread over machines, as one of them sees them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from csboost.dask.meeting import Seat
from csboost.weak.layout import BLOCK
from csboost.weak.matrix import SAMPLE, sample_rows
from csboost.weak.rows import Distinct, Rows, distinct

__all__ = ["SpreadRows"]


class SpreadRows(Rows):
    """The blocks that one machine holds.

    Every machine of a fit has to call the same methods in the same order: each is an exchange.

    Parameters
    ----------
    numbers : ndarray (blocks,)
        Which blocks of all those are, ascending.
    n_all : int
        Rows of all machines.
    seat : Seat
    n_threads : int, default=1
        That work on the blocks.
    pool : ThreadPoolExecutor, optional
        One thread fewer than these; it stays open.
    """

    is_alone = False

    def __init__(
        self, numbers: np.ndarray, n_all: int, seat: Seat, n_threads: int = 1, pool: ThreadPoolExecutor | None = None
    ):
        heights = np.minimum(BLOCK, n_all - numbers * BLOCK)  # the last block of all may be a short one
        self._shared = pool
        super().__init__(int(heights.sum()), n_threads)
        self.numbers, self.n_all, self._seat = numbers, n_all, seat

    def _open(self) -> ThreadPoolExecutor | None:
        return self._shared if self.n_threads > 1 else None

    def close(self) -> None:
        """The threads are those of the machine."""

    def starts(self, m: int) -> None:
        """Count the trees."""
        self._seat.meeting.trees += 1

    def add(self, numbers: np.ndarray) -> None:
        """Add up whole numbers over all machines, in place."""
        numbers[...] = self._seat.exchange("add", numbers)

    def most(self, value: float) -> float:
        """The largest of the numbers that each machine has."""
        return float(self._seat.exchange("most", float(value)))

    def total(self, partial: np.ndarray) -> Any:
        """Add up per-block numbers in the order of all blocks."""
        return self._seat.exchange("total", [(self.numbers, partial)])

    def gathered(self, partial: np.ndarray) -> np.ndarray:
        """What the sums (blocks, ...) of all blocks add up to in their order, (1, ...)."""
        total: np.ndarray = self._seat.exchange("in order", [(self.numbers, partial)])
        return total

    def pick(self, values: np.ndarray, numbers: Any) -> np.ndarray:
        """``values`` of the rows of these ascending numbers among all; all of them for ``slice(None)``."""
        own = self._numbers_of_rows()
        mine = np.arange(len(own))
        if not isinstance(numbers, slice):
            places = np.searchsorted(own, numbers)
            found = places < len(own)
            found[found] = own[places[found]] == numbers[found]
            mine = places[found]
        picked: np.ndarray = self._seat.exchange("line up", [(own[mine], values[mine])])
        return picked

    def own(self, values: np.ndarray) -> np.ndarray:
        """Of values of all rows those of this machine."""
        return values[self._numbers_of_rows()]

    def uniform(self, seed: list[int]) -> np.ndarray:
        """A number (n,) for each row, drawn between 0 and 1: those of a single machine."""
        drawn = np.empty(self.n_rows)
        for block, number in zip(self.blocks, self.numbers.tolist(), strict=True):
            bits = np.random.PCG64(seed)
            bits.advance(number * BLOCK)  # a number of 64 bits for each row before
            drawn[block] = np.random.Generator(bits).random(block.stop - block.start)
        return drawn

    def sampled(self, X: np.ndarray) -> Callable[[int], np.ndarray]:
        """By the number of a column of ``X`` (n, d), its values in a fixed choice of all rows, or in all where they are
        few.
        """
        picked = self.pick(X, sample_rows(self.n_all) if self.n_all > SAMPLE else slice(None))
        return lambda feature: picked[:, feature]

    def distinct(self, X: np.ndarray, features: list[int], masses: np.ndarray) -> list[Distinct]:
        """The values of some columns in all rows."""
        here = super().distinct(X, features, masses)
        everywhere = self._seat.exchange("list", [[tuple(each) for each in here]])
        found = []
        for parts in zip(*everywhere, strict=True):
            values, weighed = (np.concatenate(column) for column in zip(*parts, strict=True))
            found.append(distinct(values, weighed))
        return found

    def _numbers_of_rows(self) -> np.ndarray:
        """The numbers (n,) of the rows here among all, ascending."""
        every = self.numbers[:, None] * BLOCK + np.arange(BLOCK)
        return every[every < self.n_all] if len(every) else np.zeros(0, np.int64)
