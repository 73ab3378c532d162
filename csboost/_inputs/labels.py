"""Columns of class labels: as arrays, without missing values; which classes they declare, and in what order."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from csboost._inputs.values import is_integer, listed, refuse_parted


def label_array(labels: Any, name: str = "y") -> Any:
    """``labels`` as an array of the same shape: booleans of every kind as bool, nothing missing.

    Raises
    ------
    ValueError
        For labels that are tuples, and for missing ones; the first one's row is named.
    """
    if isinstance(labels, list | tuple) and not all(isinstance(v, tuple) and len(v) == 1 for v in labels):
        refuse_parted(labels, name)  # before NumPy makes columns of the parts
    values = np.asarray(labels)
    kind = values.dtype.kind
    if kind == "O" and values.ndim == 1:
        refuse_parted(values, name)
    if kind not in "fcmMO":
        return values
    missing = _missing(values) if kind == "O" else np.isnat(values) if kind in "mM" else np.isnan(values)
    if missing.any():
        rows = np.flatnonzero(missing.reshape(len(values), -1).any(axis=1)) if values.ndim else np.zeros(1, int)
        index: Any = getattr(labels, "index", None)
        label = index[rows[0]] if hasattr(index, "equals") else rows[0]
        where = "" if label == rows[0] else f" (index {listed([label])})"
        more = f", as are {len(rows) - 1} more" if len(rows) > 1 else ""
        raise ValueError(
            f"Input {name} contains NaN: the label of row {rows[0]}{where} is missing{more}. Leave such rows out, or "
            "give them a class of their own."
        )
    return _narrowed(values) if kind == "O" else values


def label_column(labels: Any, name: str) -> np.ndarray:
    """``labels`` as an array (n,); one column (n, 1) will do."""
    column = label_array(labels, name)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise ValueError(f"{name} must have shape (n,), got {column.shape}")
    return column


def _missing(values: np.ndarray) -> np.ndarray:
    missing = [not isinstance(v, str) and is_missing(v) for v in values.flat]
    return np.array(missing, dtype=bool).reshape(values.shape)


def is_missing(value: Any) -> bool:
    """None, NaN, NA or NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Real) and value != value


def _narrowed(values: np.ndarray) -> np.ndarray:
    """Objects that are all booleans, or all whole numbers, as such."""
    if not values.size or isinstance(values.flat[0], str):
        return values
    if all(isinstance(v, (bool, np.bool_)) for v in values.flat):
        return values.astype(bool)
    if all(is_integer(v) and abs(int(v)) < 2**63 for v in values.flat):
        return values.astype(np.int64)
    return values


def declared(labels: Any) -> tuple[list[Any], bool] | None:
    """The categories that a column declares, present or not, and whether their order means something."""
    labels = _single_column(labels)
    dtype: Any = getattr(labels, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is not None and hasattr(dtype, "ordered"):  # pandas, or dask, which may not know them yet
        if not getattr(getattr(labels, "cat", None), "known", True):
            return None
        return list(categories), bool(dtype.ordered)
    if categories is not None and type(dtype).__name__ == "Enum":  # polars, narwhals
        return list(categories), True
    return _declared_by_arrow(labels, dtype)


def _declared_by_arrow(labels: Any, dtype: Any) -> tuple[list[Any], bool] | None:
    if hasattr(dtype, "pyarrow_dtype"):
        labels = labels.array.__arrow_array__() if hasattr(labels, "array") else labels.__arrow_array__()
    kind: Any = getattr(labels, "type", None)
    if not hasattr(kind, "ordered"):
        return None
    parts = labels.unify_dictionaries().chunks if hasattr(labels, "unify_dictionaries") else [labels]
    return (parts[0].dictionary.to_pylist(), bool(kind.ordered)) if parts else None


def _single_column(labels: Any) -> Any:
    """The column of a table of one column, anything else as it is."""
    if len(getattr(labels, "shape", ())) != 2 or labels.shape[1] != 1:
        return labels
    if hasattr(labels, "iloc"):
        return labels.iloc[:, 0]
    names = getattr(labels, "column_names", None) or getattr(labels, "columns", None)
    return labels if names is None else labels[names[0]]


def known_classes(**columns: Any) -> tuple[list[Any], bool] | None:
    """All classes that some columns of labels declare, and whether in a declared order; None where none does.

    An ordered column decides the order. Otherwise it is the sorted one.
    """
    return declared_together({name: declared(column) for name, column in columns.items()})


def declared_together(found: Mapping[str, tuple[list[Any], bool] | None]) -> tuple[list[Any], bool] | None:
    """The same of what columns declare, by their names."""
    orders = {name: kinds[0] for name, kinds in found.items() if kinds is not None and kinds[1]}
    if orders:
        first, longest = max(orders.items(), key=lambda item: len(item[1]))
        for name, order in orders.items():
            if [label for label in longest if label in set(order)] != order:
                raise ValueError(
                    f"{first} orders its categories {listed(longest)}, but {name} {listed(order)}: give both the same."
                )
        return longest, True
    unordered = {label: None for kinds in found.values() if kinds is not None for label in kinds[0]}
    try:
        return (sorted(unordered), False) if unordered else None
    except TypeError:
        return None
