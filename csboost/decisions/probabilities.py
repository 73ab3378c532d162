"""Class probabilities of any classifier: read by label, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.labels import label_column
from csboost._inputs.values import listed
from csboost.costs.alignment import label_vector
from csboost.costs.checks import take_labels
from csboost.costs.cost_table import labels_of
from csboost.costs.named_columns import by_name, by_position
from csboost.costs.row_tables import CostTables

ROUNDED = 1e-3  # by how much a sum may miss 1: probabilities and shares come rounded, and in single precision


def read_probabilities(
    proba: Any, classes: Any = None, cost_matrix: Any = None
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Probabilities (n, K) and the labels (K,) of their columns.

    The labels are ``classes``, else the names of the columns, else the labels of the cost table's rows, else numbers.
    """
    names = None if classes is None else _unique(label_column(classes, "classes"))
    P, columns = by_name(proba, labels_of(cost_matrix) if names is None else list(names))
    if names is not None:
        return _checked(P if columns is None else P[:, take_labels(columns, list(names), "proba", "column")], names)
    if columns is not None:
        return _checked(P, _unique(label_vector(columns)))
    name = "sample_cost" if isinstance(cost_matrix, CostTables) else "cost_matrix"
    remedy = "classes=, the labels of the columns, such as model.classes_."
    rows = by_position(cost_matrix, f"{name} orders its rows", remedy)
    return _checked(P, np.arange(P.shape[1] if P.ndim == 2 else 0) if rows is None else label_vector(rows))


def _unique(names: NDArray[Any]) -> NDArray[Any]:
    if len(set(names.tolist())) < len(names):
        raise ValueError(f"the classes {listed(list(names))} repeat a label: each column of proba needs its own")
    return names


def _checked(P: NDArray[np.float64], names: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[Any]]:
    if P.ndim != 2:
        hint = " With two classes give both columns, np.column_stack([1 - p, p])." if P.ndim == 1 else ""
        raise ValueError(f"proba has shape {P.shape}, expected (n, K): a row per case and a column per class.{hint}")
    if P.shape[1] != len(names):
        raise ValueError(
            f"proba has {P.shape[1]} columns, but there are {len(names)} classes ({listed(list(names))}): give "
            "classes=, the labels of the columns."
        )
    bad = ~(np.isfinite(P) & (P >= 0))
    if bad.any():
        i, k = np.argwhere(bad)[0]
        raise ValueError(
            f"proba[{i}, {k}] (class {listed(list(names[k : k + 1]))}) is {P[i, k]:g}: probabilities must be finite "
            "and not negative. Leave such rows out, or give scores to a classifier that makes probabilities of them."
        )
    totals = P.sum(axis=1)
    off = np.abs(totals - 1.0) > ROUNDED
    if off.any():
        i = int(np.argmax(off))
        more = f", and so do {off.sum() - 1} more rows" if off.sum() > 1 else ""
        raise ValueError(
            f"row {i} of proba sums to {totals[i]:.6g}, not to 1{more}: give a column for every class, or "
            "proba / proba.sum(axis=1, keepdims=True) if the proportions are right."
        )
    return P, names
