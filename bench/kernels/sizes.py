"""Sizes of the kernel benchmarks: those that are timed, and smaller ones for runs as tests."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Rows, features and classes."""

    n: int
    d: int
    K: int

    def __str__(self) -> str:
        return f"{self.n}x{self.d}x{self.K}"


# The first is on the float64 grid, the second on the int32 grid, the third is predicted.
SMALL, LARGE, PREDICTED = Size(300, 21, 3), Size(50_000, 57, 7), Size(20_000, 57, 7)
LIMITED = Size(1_000_000, 0, 3)  # rows that are decided by their probabilities, under limits


def use_small_ones() -> None:
    """Keep the grids and the code paths, with one number of classes to compile for; before the suites are imported."""
    global LARGE, PREDICTED, LIMITED
    LARGE, PREDICTED, LIMITED = Size(33_000, 6, 3), Size(3_000, 6, 3), Size(50_000, 0, 3)
