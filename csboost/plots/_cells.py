"""Numbers in the cells of a matrix that is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["number_format", "write_counts", "write_values"]

_UP, _DOWN = 0.14, 0.24  # of a cell: where its value stands, and its count


def number_format(largest: float) -> str:
    """A format for numbers up to ``largest`` in size."""
    return ",.0f" if largest >= 100 else ".1f" if largest >= 10 else ".2f" if largest >= 1 else ".3f"


def write_values(ax: Any, values: np.ndarray, values_format: str, *, has_counts: bool = False) -> np.ndarray:
    """Write values (K, A) into the cells; returns the texts (K, A)."""
    text = np.empty(values.shape, dtype=object)
    longest = max(len(format(value, values_format)) for value in values.flat)
    size, up = min(10.0, 46.0 / longest), _UP if has_counts else 0.0  # points that fit a cell
    for (j, k), color in zip(np.ndindex(*values.shape), _ink(values), strict=True):
        label = format(values[j, k], values_format) if values[j, k] else "0"
        text[j, k] = ax.text(k, j - up, label, ha="center", va="center", color=color, fontsize=size)
    return text


def write_counts(ax: Any, counts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Write how many rows a cell has (K, A) below its value; returns the texts (K, A)."""
    text = np.empty(counts.shape, dtype=object)
    for (j, k), color in zip(np.ndindex(*counts.shape), _ink(values), strict=True):
        label = f"n={counts[j, k]:.7g}"
        size = min(7.0, 46.0 / len(label))
        color = color if counts[j, k] else "0.7"
        text[j, k] = ax.text(k, j + _DOWN, label, ha="center", va="center", color=color, fontsize=size)
    return text


def _ink(values: np.ndarray) -> list[str]:
    """Dark on light and light on dark, cell by cell; one without cost stays quiet."""
    sizes = abs(values)
    return ["white" if size > 0.6 * sizes.max() else "0.15" if size else "0.45" for size in sizes.flat]
