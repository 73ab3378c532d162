"""The two sides of a split in words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csboost.explain.members import Grown
from csboost.weak.layout import MISSING

__all__ = ["Condition", "condition", "number"]

MOST_NAMES = 6  # categories that are written out
OTHERS, MISSING_VALUE = "any other", "missing"


class Condition(NamedTuple):
    """What holds of the rows that go left, and of those that go right."""

    column: str
    left: str
    right: str


def condition(grown: Grown, tree: int, node: int, decimals: int | None = None) -> Condition:
    """The split of one node.

    Missing values of numbers are named on the side they go to only where that is the left one.
    """
    forest = grown.forest
    feature, missing_left = int(forest.feature[tree, node]), bool(forest.missing_left[tree, node])
    column = grown.columns[feature]
    if forest.is_set is not None and forest.sets is not None and forest.is_set[tree, node]:
        return Condition(column, *_of_categories(forest.sets[tree, node], grown.categories.get(feature)))
    threshold = float(forest.threshold[tree, node])
    if np.isposinf(threshold):  # after the last bin
        return Condition(column, "is not missing", "is missing")
    limit = number(threshold, decimals)
    return Condition(column, f"<= {limit}{' or missing' if missing_left else ''}", f"> {limit}")


def number(value: float, decimals: int | None = None, digits: int = 6) -> str:
    """A number as text: with so many decimals, or so many digits in all."""
    return f"{value + 0.0:.{digits}g}" if decimals is None else f"{round(value, decimals) + 0.0:.{decimals}f}"


def _of_categories(chosen: np.ndarray, names: list[str] | None) -> tuple[str, str]:
    """Both sides as a list of what the shorter of them holds. Every category is on one side, and so are missing values
    and all categories that have no name.
    """
    codes = np.arange(256)
    is_left = (chosen[codes >> 5] >> (codes & 31).astype(np.uint32)) & 1 != 0
    if names is None:  # numbers that stand for categories: those chosen are known, no others
        names = [str(code) for code in range(int(np.flatnonzero(is_left[:MISSING]).max(initial=-1)) + 1)]
    named = [*names, OTHERS, MISSING_VALUE]
    sides = np.append(is_left[: len(names) + 1], is_left[MISSING])
    left = [name for name, is_in in zip(named, sides, strict=True) if is_in]
    right = [name for name, is_in in zip(named, sides, strict=True) if not is_in]
    if len(left) <= len(right):
        return f"in {_listed(left)}", f"not in {_listed(left)}"
    return f"not in {_listed(right)}", f"in {_listed(right)}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return "{" + ", ".join(names[:MOST_NAMES]) + more + "}"
