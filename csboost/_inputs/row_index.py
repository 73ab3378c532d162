"""Rows meet their labels, weights and costs by position; tables that name their rows otherwise are refused."""

from __future__ import annotations

from typing import Any

import numpy as np

# how rows are brought in the order of another index, in that of their own, and rid of it; other classes say it alike
_OF_PANDAS = ("{0}.loc[{1}.index]", "{0}.sort_index()", "{0}.to_numpy()")


def check_row_index(**tables: Any) -> None:
    """Compare the indexes of what belongs together row by row, such as X, y, sample_weight and sample_cost.

    An index 0, 1, 2, ... beside one of other labels says nothing and passes, but for costs beside X: both are tables
    of one origin. Costs beside data without an index must not be numbered in another order than their rows.

    Raises
    ------
    ValueError
        Where two indexes name the rows in another order, or name others.
    """
    indexed = {name: table for name, table in tables.items() if index_of(table) is not None}
    names = list(indexed)
    for place, name in enumerate(names):
        for other in names[:place]:
            _compare(other, indexed[other], name, indexed[name])
    if names == ["sample_cost"] and _is_shuffled(index_of(indexed["sample_cost"])):
        by_rank, by_position = getattr(indexed["sample_cost"], "_in_order", _OF_PANDAS)[1:]
        raise ValueError(
            "sample_cost has the index 0, 1, 2, ... in another order; rows are matched by position. Give "
            f"{by_rank.format('sample_cost')} if X and y are in the order of that index, or "
            f"{by_position.format('sample_cost')} if the positions are right."
        )


def index_of(rows: Any) -> Any:
    """The index of a table, a column or of what was made of one; None where it has none."""
    index = getattr(rows, "index", None)
    return index if hasattr(index, "equals") else None


def _compare(other: str, reference: Any, name: str, table: Any) -> None:
    index, wanted = index_of(table), index_of(reference)
    if len(index) != len(wanted) or index.equals(wanted):
        return
    same_labels = set(index) == set(wanted)
    strict = same_labels or ((other, name) == ("X", "sample_cost") and hasattr(table, "loc"))
    if not strict and (_is_default(index) or _is_default(wanted)):
        return
    order = ": the same labels in another order" if same_labels else ""
    by_label, _, by_position = getattr(table, "_in_order", _OF_PANDAS)
    raise ValueError(
        f"{name} has another index than {other}{order}; rows are matched by position. Give "
        f"{by_label.format(name, other)}, or {by_position.format(name)} if the positions are right."
    )


def _is_default(index: Any) -> bool:
    return bool(np.array_equal(np.asarray(index), np.arange(len(index))))


def _is_shuffled(index: Any) -> bool:
    whole_numbers = getattr(getattr(index, "dtype", None), "kind", "O") in "iu"
    return whole_numbers and not _is_default(index) and _is_default(np.sort(index))
