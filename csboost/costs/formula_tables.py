"""Costs per row from a table whose entries are formulas over columns of X."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.labels import declared, label_column
from csboost._inputs.row_index import check_row_index, index_of
from csboost._inputs.values import has_index, listed, sorted_labels
from csboost.costs.alignment import in_answer_order, plain_labels, refuse_equal, refuse_slips, turned
from csboost.costs.checks import take_labels
from csboost.costs.formulas import Formula, evaluate, parse
from csboost.costs.gains import check_gains, check_gains_alone, doubtful_gains
from csboost.costs.reading import read_costs
from csboost.costs.row_tables import CostTables
from csboost.costs.tables import refuse_turned_axes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["from_formulas"]


_NO_NUMBERS = (str, bytes, complex, np.complexfloating, np.datetime64, np.timedelta64, timedelta, date)


class _Cell(NamedTuple):
    """An entry of the table."""

    formula: Formula
    what: str  # begins messages


@overload
def from_formulas(
    table: pd.DataFrame, X: Any, y: ArrayLike, *, classes: Sequence[Any] | NDArray[Any] | None = None
) -> pd.DataFrame: ...


@overload
def from_formulas(
    table: pd.DataFrame, X: Any, y: None = None, *, classes: Sequence[Any] | NDArray[Any] | None = None
) -> CostTables: ...


def from_formulas(
    table: pd.DataFrame,
    X: Any,
    y: ArrayLike | None = None,
    *,
    classes: Sequence[Any] | NDArray[Any] | None = None,
) -> pd.DataFrame | CostTables:
    """Work out a cost table whose entries are formulas over the columns of X, for every row.

    An entry is a number, or text such as ``"0.6 * amount"``: numbers, names of columns, ``+ - * / **`` and parentheses.
    Names with blanks or other signs stand in backticks, as in ``DataFrame.eval``. Anything else is refused before it is
    evaluated, so that a table from elsewhere cannot run code.

    Parameters
    ----------
    table : pandas.DataFrame of shape (K, A)
        Rows = truth, columns = answers, both labelled; :func:`read_costs` with ``formulas=True`` reads one.
    X : pandas.DataFrame of shape (n, d)
        The rows, with the columns that the formulas name.
    y : array-like of shape (n,), optional
        The truth of each row, if it is known.
    classes : sequence of length K, optional
        The classes to be used, in their order, as ``model.classes_``; by default the labels of the table's rows,
        sorted.

    Returns
    -------
    pandas.DataFrame of shape (n, A), or CostTables of shape (n, K, A)
        With ``y``: what each answer costs each row, for ``sample_cost=`` in ``fit`` and in metrics. Without: what it
        costs under every truth, for ``sample_cost=`` in ``decide``, before the truth is known. Both have the index of
        X. Answers that are classes
        come first, in the order of ``classes``, then the others in the order of the table.

    Raises
    ------
    ValueError
        For an entry that is no formula, a column that X lacks or that holds no numbers, and a result that is not
        finite; the entry is named by truth and answer, the row by its number. For answers that are nearly classes and
        for signs that cannot be meant, as in a cost table of numbers.

    Warns
    -----
    UserWarning
        For a table that may be turned over, and for gains alone: whatever is answered where one class is the truth
        earns in every row of X, or nothing costs and the right answer always gains least.

    References
    ----------
    Zadrozny, B., Langford, J. and Abe, N. (2003), "Cost-sensitive learning by cost-proportionate example weighting",
    Third IEEE International Conference on Data Mining, 435-442, doi:10.1109/ICDM.2003.1250950 (costs that differ from
    example to example).

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import costs
    >>> table = pd.DataFrame({"paid": [0, "0.6 * amount"], "lost": ["0.1 * amount", 0]}, index=["paid", "lost"])
    >>> X = pd.DataFrame({"amount": [1000.0, 200.0]})
    >>> costs.from_formulas(table, X, ["lost", "paid"])
       lost   paid
    0   0.0  600.0
    1  20.0    0.0
    >>> costs.from_formulas(table, X, classes=["paid", "lost"])[0].tolist()
    [[0.0, 100.0], [600.0, 0.0]]
    """
    import pandas as pd

    truths, answers, cells = _cells(table, classes)
    frame = X if has_index(X) else X.to_pandas() if hasattr(X, "to_pandas") else None
    if frame is None:
        raise ValueError(f"formulas name columns, but X is a {type(X).__name__}: give a pandas.DataFrame.")
    if y is None:
        rows = np.arange(len(frame))
        tables = np.stack([_row_values(row, frame, rows) for row in cells], axis=1)
        made = CostTables._made(tables, plain_labels(truths), plain_labels(answers), index_of(X))
        _warn(made._doubt())
        return made
    check_row_index(X=frame, y=y)
    labels = label_column(y, "y")
    if len(labels) != len(frame):
        raise ValueError(f"y has {len(labels)} labels, but X has {len(frame)} rows")
    place = {truth: j for j, truth in enumerate(truths)}
    unknown = list(dict.fromkeys(label for label in labels.tolist() if label not in place))
    if unknown:
        raise ValueError(f"y holds {listed(unknown)}, for which the table has no row; its rows are {listed(truths)}.")
    codes = np.array([place[label] for label in labels.tolist()], dtype=np.intp)
    values = np.empty((len(frame), len(answers)))
    for j in np.unique(codes):
        rows = np.flatnonzero(codes == j)
        values[rows] = _row_values(cells[j], frame, rows)
    if classes is None:
        _warn(_turned_by_labels(table, y, labels))
    _warn(doubtful_gains(values, codes, truths, answers, "sample_cost"))
    return pd.DataFrame(values, index=frame.index, columns=pd.Index(answers))


def _cells(table: Any, classes: Any) -> tuple[list[Any], list[Any], list[list[_Cell]]]:
    """The labels of both axes in their order, and the entries."""
    if not has_index(table):
        raise ValueError(f"a table of formulas must be a pandas.DataFrame, got {type(table).__name__}.")
    refuse_turned_axes(table, "the table")
    table = read_costs(table, formulas=True)
    found, columns = list(table.index), list(table.columns)
    refuse_slips(found, columns, "the table", say_so="call it by a name that is less alike")
    numbers = np.array([[np.nan if isinstance(c, str) else c for c in row] for row in table.to_numpy()], np.float64)
    (check_gains_alone if np.isnan(numbers).any() else check_gains)(numbers, found, columns, "the table")
    truths = (sorted_labels(found) or found) if classes is None else list(classes)
    _warn(turned(found, columns, truths, "the table"), stacklevel=4)
    rows = take_labels(found, truths, "the table", "row")
    answers = in_answer_order(columns, truths, found)
    entries = table.to_numpy()[np.ix_(rows, [columns.index(label) for label in answers])]
    cells = [[_cell(entries[j, a], t, b) for a, b in enumerate(answers)] for j, t in enumerate(truths)]
    contents = [str([row[a].formula for row in cells]) for a in range(len(answers))]
    refuse_equal(contents, truths, answers, "the table")
    return truths, answers, cells


def _turned_by_labels(table: pd.DataFrame, y: Any, labels: NDArray[Any]) -> str | None:
    """What speaks for a table with its axes in each other's place, by the classes that occur or are declared."""
    seen, known = set(labels.tolist()), declared(y)
    seen |= set() if known is None else set(known[0])
    rows, columns = (list(axis) for axis in (table.index, table.columns))
    return turned(rows, columns, [label for label in rows if label in seen], "the table")


def _warn(doubt: str | None, stacklevel: int = 3) -> None:
    if doubt is not None:
        warnings.warn(doubt, stacklevel=stacklevel)


def _cell(entry: Any, truth: Any, answer: Any) -> _Cell:
    what = f"the cost of truth {listed([truth])}, answer {listed([answer])}"
    if isinstance(entry, str):
        return _Cell(parse(entry, what), f"{what}, {entry!r},")
    return _Cell(Formula(repr(float(entry)), {}), what)


def _row_values(cells: list[_Cell], X: pd.DataFrame, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """What every answer costs some rows of X (len(rows), A), where one truth holds."""
    found = []
    for formula, what in cells:
        columns = {name: _column(X, name, what)[rows] for name in formula.columns}
        values = evaluate(formula, columns, len(rows))
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise ValueError(_not_finite(what, values[bad[0]], columns, bad[0], rows[bad[0]], X.index))
        found.append(values)
    return np.column_stack(found)


def _column(X: pd.DataFrame, name: str, what: str) -> NDArray[np.float64]:
    names = list(X.columns)
    if names.count(name) != 1:
        problem = "has no such column" if name not in names else "has several such columns"
        raise ValueError(f"{what} names the column {name!r}, but X {problem}; its columns are {listed(names)}.")
    try:
        if not _holds_numbers(X[name]):
            raise TypeError
        return X[name].to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise ValueError(
            f"{what} computes with the column {name!r} of X, which holds other things than numbers."
        ) from None


def _holds_numbers(column: pd.Series) -> bool:
    """Whether a column converts to floats as what it means: dates, times, complex numbers and text do not."""
    kind = getattr(column.dtype, "kind", "O")
    if kind != "O":
        return kind in "biuf"
    return not any(isinstance(value, _NO_NUMBERS) for value in column.array)


def _not_finite(what: str, value: float, columns: dict[str, Any], place: int, row: int, index: Any) -> str:
    label = "" if index[row] == row else f" (index {listed([index[row]])})"
    missing = [name for name, values in columns.items() if not np.isfinite(values[place])]
    remedy = "mind divisions by 0 and powers of negative numbers"
    if missing:
        remedy = f"fill the column {missing[0]!r} in before, or leave the row out"
        what, value = f"{what} needs the column {missing[0]!r}, which", columns[missing[0]][place]
    return f"{what} is {value:g} in row {row}{label} of X; {remedy}."
