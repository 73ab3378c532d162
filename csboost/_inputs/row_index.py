"""Rows meet their labels, weights and costs by position; tables that name their rows otherwise are refused."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_row_index(**tables: Any) -> None:
    """Compare the indexes of what belongs together row by row, such as X, y, sample_weight and sample_cost.

    An index 0, 1, 2, ... beside one of other labels says nothing and passes, but for costs beside X: both are tables
    of one origin. Costs beside data without an index must not be numbered in another order than their rows.

    Raises
    ------
    ValueError
        Where two indexes name the rows in another order, or name others.
    """
    indexes = {name: table.index for name, table in tables.items() if hasattr(getattr(table, "index", None), "equals")}
    names = list(indexes)
    for place, name in enumerate(names):
        for other in names[:place]:
            _compare(other, indexes[other], name, indexes[name])
    if names == ["sample_cost"] and _is_shuffled(indexes["sample_cost"]):
        raise ValueError(
            "sample_cost has the index 0, 1, 2, ... in another order; rows are matched by position. Give "
            "sample_cost.sort_index() if X and y are in the order of that index, or sample_cost.to_numpy() if the "
            "positions are right."
        )


def _compare(other: str, reference: Any, name: str, index: Any) -> None:
    if len(index) != len(reference) or index.equals(reference):
        return
    same_labels = set(index) == set(reference)
    strict = same_labels or (other, name) == ("X", "sample_cost")
    if not strict and (_is_default(index) or _is_default(reference)):
        return
    order = ": the same labels in another order" if same_labels else ""
    raise ValueError(
        f"{name} has another index than {other}{order}; rows are matched by position. Give {name}.loc[{other}.index], "
        f"or {name}.to_numpy() if the positions are right."
    )


def _is_default(index: Any) -> bool:
    return bool(np.array_equal(np.asarray(index), np.arange(len(index))))


def _is_shuffled(index: Any) -> bool:
    whole_numbers = getattr(getattr(index, "dtype", None), "kind", "O") in "iu"
    return whole_numbers and not _is_default(index) and _is_default(np.sort(index))
