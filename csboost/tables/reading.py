"""A table from a file: features with their types, the classes, and what was found in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from csboost.data.errors import DataError
from csboost.tables.cells import MISSING
from csboost.tables.columns import CATEGORY, DATE, NUMBER, UNUSED, Column, find_column
from csboost.tables.formats import EXCEL, checked_path, find_format
from csboost.tables.frames import read_frame
from csboost.tables.labels import label_texts
from csboost.tables.names import check_name
from csboost.tables.spelling import LOOKED_AT, respelt, untyped

__all__ = ["Table", "read_table"]

_KINDS = {NUMBER: ("number", "numbers"), CATEGORY: ("category", "categories"), DATE: ("date", "dates")}


@dataclass(frozen=True)
class Table:
    """A table that was read from a file.

    Parameters
    ----------
    name : str
        Of the file.
    X : pandas.DataFrame of shape (n, d)
        The features: float64, NaN where a value is missing, or ``category``.
    y : pandas.Series of length n, or None
        The classes as text, if a target was named; rows without a class are left out.
    aside : pandas.DataFrame of shape (n, m)
        Columns that were set aside, as text.
    rows : ndarray of shape (n,)
        Where the rows stand in the file, the first below the header being 1.
    columns : tuple of Column
        The columns that were looked at, those that are not used included.
    notes : tuple of str
        What was found, in sentences.

    Attributes
    ----------
    name, X, y, aside, rows, columns, notes
        As given.

    References
    ----------
    Wickham, H. (2014), "Tidy data", Journal of Statistical Software 59(10), doi:10.18637/jss.v059.i10.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from csboost import tables
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "loans.csv"
    >>> _ = path.write_text("id;amount;grade\\n1;10,5;A\\n2;7,25;B\\n3;;A\\n")
    >>> table = tables.read_table(path, target="grade")
    >>> table.X["amount"].tolist(), table.y.tolist()
    ([10.5, 7.25, nan], ['A', 'B', 'A'])
    """

    name: str
    X: pd.DataFrame
    y: pd.Series | None
    aside: pd.DataFrame
    rows: NDArray[np.intp]
    columns: tuple[Column, ...]
    notes: tuple[str, ...]


def read_table(
    path: Any,
    *,
    target: str | None = None,
    aside: Collection[str] = (),
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    categories: Collection[str] = (),
    columns: Sequence[Column] | None = None,
    labels: Collection[str] = (),
    sheet: str | None = None,
) -> Table:
    """Read a table from a CSV, TSV, parquet or Excel file, as people have them.

    Delimiter, encoding and decimal commas are found; types are inferred. Columns that cannot be features are left out
    and named: empty and constant ones, running numbers, texts that are another one in every row, free text. Dates
    become days since 1970. A column of numbers with a few other cells is one of numbers, in which these are missing.

    Parameters
    ----------
    path : str or path
        The file; text may be compressed by gzip, bzip2 or xz.
    target : str, optional
        The column of classes.
    aside : collection of str
        Columns that are no features, but wanted: such as the answers given today.
    drop : collection of str
        Columns to leave out.
    keep : collection of str
        Columns to use though they look like free text or a number of the case.
    categories : collection of str
        Columns of numbers that are names.
    columns : sequence of Column, optional
        What the columns were found to be in another file (``Table.columns``), to read this one alike.
    labels : collection of str
        Labels that are classes even where they look like a missing value, such as ``"NA"``.
    sheet : str, optional
        Of an Excel file; the first by default.

    Returns
    -------
    Table
        Features, classes, and what was found in words.

    Raises
    ------
    FileNotFoundError
        When there is no such file; files of nearly that name are suggested.
    ValueError
        (as :class:`csboost.data.DataError`) For a file that is empty, no table, or not whole; column names that are
        repeated, or not there; a file without features or without a row that has a class.

    References
    ----------
    Wickham, H. (2014), "Tidy data", Journal of Statistical Software 59(10), doi:10.18637/jss.v059.i10.
    Shafranovich, Y. (2005), "Common format and MIME type for comma-separated values (CSV) files", RFC 4180,
    https://www.rfc-editor.org/rfc/rfc4180.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from csboost import tables
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "loans.csv"
    >>> _ = path.write_text("id;amount;grade\\n1;10,5;A\\n2;7,25;B\\n3;;A\\n")
    >>> for note in tables.read_table(path, target="grade").notes:
    ...     print(note)
    loans.csv: 3 rows; text in utf-8, columns separated by semicolons, decimal commas.
    1 column is used: 1 number; missing: 33.3 % of the cells.
    Not used: id (a running number).
    """
    found = checked_path(path)
    form = find_format(found, target)
    as_text = [*([target] if target is not None else []), *aside]
    texts = [*as_text, *categories, *untyped(columns or (), form)]
    frame, remarks = read_frame(found, form, as_text=texts, sheet=sheet if form.kind == EXCEL else None)
    names = list(frame.columns)
    for name in as_text:
        check_name(name, names, found.name, "target" if name == target else "column")
    for asked, what in ((drop, "column to drop"), (keep, "column to keep"), (categories, "column of categories")):
        for name in asked:
            check_name(name, names, found.name, what)
    total, rows = len(frame), np.arange(1, len(frame) + 1)
    if target is not None:
        classes = _labels(frame[target], labels)
        known = classes.notna().to_numpy()
        if not known.any():
            raise DataError(f"{found.name}: the target {target!r} is empty in all {total:,} rows.")
        frame, rows = frame[known].reset_index(drop=True), rows[known]
        if not known.all():
            remarks.append(f"Rows without a class ({target!r} is missing) are left out: {total - len(frame):,}.")
    others = [name for name in names if name not in {*as_text, *drop}]
    marks = "," if form.decimal == "," or form.delimiter == ";" else ".", form.decimal
    is_found = columns is None
    if columns is None:
        columns = [_find(frame[name], name in keep, name in categories, marks) for name in others]
    used = [column for column in columns if column.kind != UNUSED]
    for column in used:
        check_name(column.name, names, found.name, "feature")
    if not used:
        why = "; ".join(f"{column.name} ({column.remark})" for column in columns)
        raise DataError(f"{found.name} has no column that could be a feature{f': {why}' if why else ''}.")
    spelt = used if is_found else respelt(used, frame.head(LOOKED_AT), form, found.name)
    X = pd.DataFrame({column.name: column.convert(frame[column.name]) for column in spelt})
    return Table(
        name=found.name,
        X=X,
        y=None if target is None else _labels(frame[target], labels).rename(target),
        aside=pd.DataFrame({name: _labels(frame[name], labels) for name in aside}, index=frame.index),
        rows=rows,
        columns=tuple(columns),
        notes=(f"{found.name}: {total:,} rows; {form.in_words()}.", *remarks, *_about(columns, X, drop)),
    )


def _find(cells: pd.Series, is_kept: bool, is_category: bool, marks: tuple[str, str]) -> Column:
    column = find_column(cells, is_category=is_category, comma=marks[0], alone=marks[1])
    if is_kept and column.kind == UNUSED and column.remark != "empty":
        is_number = pd.api.types.is_numeric_dtype(cells) and not is_category
        return Column(column.name, NUMBER if is_number else CATEGORY)
    return column


def _labels(cells: pd.Series, known: Collection[str]) -> pd.Series:
    """Labels as text; what stands for a missing value is one, unless it is known to be a label."""
    texts = label_texts(cells)
    return texts.where(~texts.isin(MISSING - set(known)))


def _about(columns: Sequence[Column], X: pd.DataFrame, drop: Collection[str]) -> list[str]:
    """Say what the columns are."""
    used = [column for column in columns if column.kind != UNUSED]
    counts = {kind: sum(column.kind == kind for column in used) for kind in _KINDS}
    each = ", ".join(f"{count} {_KINDS[kind][count > 1]}" for kind, count in counts.items() if count)
    share = float(X.isna().to_numpy().mean()) if len(X) else 0.0
    missing = f"missing: {100 * share:.1f} % of the cells" if share else "no cell is missing"
    notes = [f"{len(used)} column{'s are' if len(used) > 1 else ' is'} used: {each}; {missing}."]
    notes += [
        f"{column.name}: {column.remark}." for column in used if column.remark and column.remark != "decimal commas"
    ]
    unused = [f"{column.name} ({column.remark})" for column in columns if column.kind == UNUSED]
    unused += [f"{name} (as asked)" for name in drop]
    return [*notes, *([f"Not used: {'; '.join(unused)}."] if unused else [])]
