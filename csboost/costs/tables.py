"""Tables whose columns have names, of whatever library: read by label, or refused where that cannot be done.

No library is imported for it: a table is judged by what it offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from csboost._inputs.values import has_index, is_integer, listed, numeric, refuse_parted
from csboost.costs.checks import take_labels
from csboost.costs.gains import check_gains
from csboost.costs.roles import are_turned


class Labelled(NamedTuple):
    """A table in memory; ``rows`` are the labels of a cost matrix's rows, the index of other tables."""

    values: Any  # what :func:`csboost._inputs.values.numeric` takes
    rows: list[Any]
    columns: list[Any]


def is_labelled(table: Any) -> bool:
    """Whether the columns of ``table`` have names, so that reading it by position could take it amiss."""
    return _is_lazy(table) or has_index(table) or _is_grid(table) or _names(table) is not None


def read_cost_table(table: Any, name: str = "cost_matrix") -> Labelled:
    """A labelled cost matrix: rows = truth, columns = predicted.

    Where a library's tables have no index, the first column holds the labels of the rows.
    """
    table = _in_memory(table, name)
    if has_index(table):
        refuse_parted(table.index, name, "index")
        refuse_parted(table.columns, name, "columns")
        _refuse_row_labels_in_a_column(table, name)
        return Labelled(table, list(table.index), list(table.columns))
    names = _unique_names(table, name)
    columns = [_column(table, place, label, name) for place, label in enumerate(names)]
    rows = _listed_values(columns[0]) if columns else []
    if len(names) < 2 or not (_holds_text(rows) or _among(rows, names[1:])):
        raise ValueError(
            f"{name} is a {_kind(table)}, whose rows have no labels: make its first column the class labels of the "
            "rows (the truth), or give csboost.costs.CostTable(values, labels) with its numbers as an array."
        )
    return Labelled(_stacked(columns[1:], names[1:], name), rows, match_text(names[1:], rows))


def costs_of(table: Labelled) -> np.ndarray:
    """The numbers (K, A) of a labelled cost matrix."""
    try:
        return numeric(table.values, "cost_matrix")
    except ValueError as error:
        cells = np.ravel(np.asarray(table.values, dtype=object))
        if not any(isinstance(cell, str) and any(map(str.isalpha, cell)) for cell in cells):
            raise
        raise ValueError(
            f"{error}. If that is a formula over columns of X, work it out for every row first: "
            "csboost.costs.from_formulas(table, X), or (table, X, y) where the truth is known, gives sample_cost."
        ) from None


def axis_names(table: Any) -> tuple[Any, Any]:
    """What a labelled cost matrix calls its rows and its columns; None for each where it does not."""
    table = table.to_pandas() if _is_grid(table) else table
    if has_index(table):
        return getattr(table.index, "name", None), getattr(table.columns, "name", None)
    return next(iter(_names(table) or ()), None), None


def refuse_turned_axes(table: Any, name: str = "cost_matrix") -> None:
    """Refuse a labelled cost matrix whose axes are called the wrong way round."""
    rows, columns = axis_names(table)
    if are_turned(rows, columns):
        what, called = ("columns", columns) if rows is None else ("rows", rows)
        raise ValueError(
            f"the {what} of {name} are called {str(called)!r}, but rows are the truth, columns the answers: give "
            f"{name}.T, or other names of its axes if only these are wrong."
        )


def aligned(cost_matrix: Any, labels: Sequence[Any]) -> np.ndarray:
    """The numbers of a labelled cost matrix in the order of ``labels``, cut to them."""
    table = read_cost_table(cost_matrix)
    refuse_turned_axes(cost_matrix)
    rows = take_labels(table.rows, labels, "cost_matrix", "row")
    columns = take_labels(table.columns, labels, "cost_matrix", "column", other=table.rows)
    costs = costs_of(table)
    check_gains(costs, table.rows, table.columns)  # of the whole table: a part may lack what is no gain
    return costs[np.ix_(rows, columns)]


def read_columns(table: Any, name: str, labels: Sequence[Any] | None = None) -> Labelled:
    """A table with a row per sample and named columns; names that can only be text stand for the ``labels`` that read
    the same.
    """
    table = _in_memory(table, name)
    if has_index(table):
        refuse_parted(table.columns, name, "columns")
        return Labelled(table, list(range(len(table))), list(table.columns))
    names = _unique_names(table, name)
    columns = [_column(table, place, label, name) for place, label in enumerate(names)]
    values = _stacked(columns, names, name)
    return Labelled(values, list(range(len(values))), match_text(names, labels or []))


def match_text(names: Sequence[Any], labels: Sequence[Any]) -> list[Any]:
    """``names``, each replaced by the label that it is the text of: ``"3"`` stands for 3 where names must be text."""
    by_text = {str(label): label for label in labels}
    return [by_text.get(name, name) for name in names]


def default_labels(axis: Sequence[Any]) -> bool:
    """Whether an axis says no more than the positions 0, 1, 2, ..."""
    labels = list(axis)
    return all(is_integer(label) for label in labels) and labels == list(range(len(labels)))


def _names(table: Any) -> list[Any] | None:
    """The names of a table's columns, as its library tells them."""
    for names in (
        getattr(getattr(table, "dtype", None), "names", None),  # NumPy's records
        getattr(table, "column_names", None),  # pyarrow, and the interchange protocol, where it is a method
        getattr(table, "columns", None),  # polars, narwhals, dask
    ):
        found = names() if callable(names) else names
        if found is not None and not isinstance(found, str) and hasattr(found, "__iter__"):
            return list(found)
    return None


def _is_lazy(table: Any) -> bool:
    """Whether a table is a plan to compute one: it tells of columns, but has no values yet."""
    planned = hasattr(table, "collect") or hasattr(table, "compute")
    return planned and hasattr(type(table), "columns") and not hasattr(table, "to_numpy")


def _is_grid(table: Any) -> bool:
    """Whether it is an array with labelled axes, as xarray has them."""
    return hasattr(table, "dims") and hasattr(table, "to_pandas") and len(getattr(table, "coords", ())) > 0


def _in_memory(table: Any, name: str) -> Any:
    if _is_lazy(table):
        call = ".collect()" if hasattr(table, "collect") else ".compute()"
        raise ValueError(f"{name} is a {_kind(table)}, which holds no values yet; give {name}{call}.")
    return table.to_pandas() if _is_grid(table) else table


def _unique_names(table: Any, name: str) -> list[Any]:
    names = _names(table) or []
    repeated = list(dict.fromkeys(label for label in names if names.count(label) > 1))
    if repeated:
        raise ValueError(f"{name} repeats the column labels {listed(repeated)}: each class needs exactly one column")
    return names


def _column(table: Any, place: int, label: Any, name: str) -> Any:
    try:
        column = table.column(place) if callable(getattr(table, "column", None)) else table[label]
        if np.ndim(np.asarray(column)) == 1:
            return column
    except (TypeError, KeyError, ValueError, AttributeError, NotImplementedError):
        pass
    raise ValueError(
        f"{name} is a {_kind(table)}, which cannot be read by label here; convert it to a pandas.DataFrame first."
    )


def _listed_values(column: Any) -> list[Any]:
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return np.asarray(column).tolist()


def _stacked(columns: Sequence[Any], names: Sequence[Any], name: str) -> np.ndarray:
    named = zip(columns, names, strict=True)
    return np.column_stack([numeric(column, f"{name} (column {label!r})") for column, label in named])


def _holds_text(values: Sequence[Any]) -> bool:
    return len(values) > 0 and all(isinstance(value, str) for value in values)


def _among(values: Sequence[Any], names: Sequence[Any]) -> bool:
    """Whether values are labels that stand among the names, as text."""
    texts = list(map(str, values))
    return len(set(texts)) == len(texts) and set(texts) <= set(map(str, names))


def _kind(table: Any) -> str:
    return f"{type(table).__module__.split('.')[0]} {type(table).__name__}"


def _refuse_row_labels_in_a_column(table: Any, name: str) -> None:
    """A file of costs that was read without its row labels has them in its first column."""
    names = list(table.columns)
    if len(names) < 2 or list(table.index) == names:
        return
    first = list(table.iloc[:, 0]) if hasattr(table, "iloc") else []
    named = set(table.index) <= set(names)  # its own rows are answers: the first column is costs
    if (_holds_text(first) and default_labels(table.index)) or (first and not named and _among(first, names[1:])):
        raise ValueError(
            f"{name} has the labels of its rows in the column {names[0]!r} instead of in its index. If it comes from a "
            f"file, read it with index_col=0, as in pandas.read_csv(path, index_col=0); or give "
            f"{name}.set_index({names[0]!r})."
        )
