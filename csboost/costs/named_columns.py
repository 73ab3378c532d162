"""Which class a column of probabilities is of, by its own name or by a cost table's rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import listed, numeric, sorted_labels
from csboost.costs.cost_table import CostTable, labels_of
from csboost.costs.tables import default_labels, is_labelled, read_columns


def by_name(proba: Any, known: Sequence[Any] | None) -> tuple[NDArray[np.float64], list[Any] | None]:
    """Probabilities (n, K) and the labels of their columns, None where nobody named them; ``known`` are the labels that
    there should be.
    """
    if not is_labelled(proba):
        return numeric(proba, "proba"), None
    table = read_columns(proba, "proba", known)
    nameless = default_labels(table.columns) and known is not None and set(known) != set(table.columns)
    return numeric(table.values, "proba"), None if nameless else table.columns


def by_position(cost_matrix: Any, what: str, remedy: str) -> list[Any] | None:
    """The labels of columns that nobody named: the sorted ones of a cost table's rows, None where it has none either.

    Rows in another order are refused, as ``what`` of them (the beginning of the message) and with a remedy; a CostTable
    stands for its sorted labels.
    """
    rows = labels_of(cost_matrix)
    if rows is None:
        return None
    in_order = sorted_labels(rows)
    if in_order != rows and not isinstance(cost_matrix, CostTable):
        raise ValueError(
            f"{what} {listed(rows)}, but proba has no labels to tell whether its columns do too: give {remedy}"
        )
    return in_order
