"""Join the tables of the blocks: remove duplicates, build the data frame, complete the report."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from csboost.data.errors import DataError
from csboost.data.lending_club.raw import columns, spellings
from csboost.data.lending_club.raw.parsing import Parsed
from csboost.data.lending_club.raw.report import ReadReport
from csboost.data.lending_club.table import GRADES

_ROUNDED = r"\d+(?:[.,]\d*)?[eE]\+?\d+"  # an id such as 1.07E+08, which a spreadsheet cut to a few digits


def assemble(parts: list[Parsed], report: ReadReport, start: str | None, stop: str | None) -> pd.DataFrame:
    """Join the parts (the list is emptied) and complete ``report``; see
    :func:`csboost.data.lending_club.raw.reader.read_loans`.
    """
    months = [part.months for part in parts if part.months is not None]
    if months:
        report.first = spellings.month_text(min(first for first, _ in months))
        report.last = spellings.month_text(max(last for _, last in months))
    where = ", ".join(report.files)
    if report.loans == 0:
        raise DataError(f"{where}: none of the {report.records:,} records has a grade from A to G.")
    shared = set.intersection(*(set(part.table.column_names) for part in parts))
    table = pa.concat_tables([part.table for part in parts], promote_options="default").unify_dictionaries()
    parts.clear()
    if table.num_rows == 0:
        raise _empty_window(where, report, start, stop)
    ids = _ids(table)
    rounded = ids.str.fullmatch(_ROUNDED, na=False).to_numpy(dtype=bool)
    ids = ids.mask(rounded)
    report.rounded_ids = int(rounded.sum())
    repeated = _repeated(table, ids, shared)
    report.duplicates = int(repeated.sum())
    if report.duplicates:
        table, ids = table.filter(pa.array(~repeated)), ids[~repeated]
    report.shared_ids = int((ids.duplicated(keep=False) & ids.notna()).sum())
    frame = _to_frame(_without(table, "id"))
    report.kept = len(frame)
    counts = np.bincount(frame["grade"].cat.codes, minlength=len(GRADES))
    report.per_grade = dict(zip(GRADES, counts.tolist(), strict=True))
    return frame


def _empty_window(where: str, report: ReadReport, start: str | None, stop: str | None) -> DataError:
    spelled = ", ".join(repr(text) for text, _ in report.undated_spellings.most_common(3))
    unread = "no month can be read" + (f": {spelled} should be spelled as 2017-12" if spelled else "")
    held = f"the file holds loans issued {report.first} to {report.last}" if report.first else unread
    wanted = f"from {start or 'the start'} to {stop or 'the end'}"
    return DataError(f"{where}: no loan was issued {wanted}; {held} (options --from and --to).")


def _without(table: pa.Table, name: str) -> pa.Table:
    return table.drop_columns([name]) if name in table.column_names else table


def _ids(table: pa.Table) -> pd.Series:
    """The ids as text, missing where there is none."""
    if "id" not in table.column_names:
        return pd.Series([None] * table.num_rows, dtype=object)
    ids = table["id"].to_pandas().str.strip().str.removesuffix(".0")
    return ids.mask(ids == "")


def _repeated(table: pa.Table, ids: pd.Series, shared: set[str]) -> np.ndarray:
    """True where a loan occurs again.

    The id alone does not say so: row numbers begin anew in every file. The values count too, in the columns that all
    files have (``shared``); without an id, those of all columns.
    """
    repeated = np.zeros(table.num_rows, dtype=bool)
    named = ids.notna().to_numpy()
    twice = named & ids.duplicated(keep=False).to_numpy()
    for rows, names in ((twice, shared), (~named, set(table.column_names))):
        if rows.any():
            values = _to_frame(
                table.filter(pa.array(rows)).select([n for n in table.column_names if n in names - {"id"}])
            )
            hashes = pd.util.hash_pandas_object(values, index=False).to_numpy()
            repeated[rows] = pd.DataFrame({"id": ids[rows].to_numpy(), "values": hashes}).duplicated().to_numpy()
    return repeated


def _to_frame(table: pa.Table) -> pd.DataFrame:
    data: dict[str, Any] = {}
    for name in table.column_names:
        column = table[name]
        if name == "grade":
            data[name] = pd.Series(
                pd.Categorical.from_codes(column.to_numpy(), dtype=pd.CategoricalDtype(list(GRADES)))
            )
        elif name in columns.DATES or name == columns.ISSUED:
            data[name] = _month_starts(column)
        elif name in columns.CATEGORIES:
            data[name] = _tidy_levels(column.to_pandas())
        else:
            data[name] = column.to_numpy()
        table = table.drop_columns([name])  # so that no column is held twice for long
    return pd.DataFrame(data, copy=False)


def _month_starts(column: pa.ChunkedArray) -> np.ndarray:
    numbers = column.fill_null(spellings.NO_MONTH).to_numpy().astype(np.int64)
    starts = numbers.astype("datetime64[M]")
    starts[numbers == spellings.NO_MONTH] = np.datetime64("NaT", "M")
    return starts.astype("datetime64[s]")


def _tidy_levels(values: pd.Series) -> pd.Series:
    """Strip blanks around the levels, join those that are then the same, and sort them."""
    levels = [str(level).strip() for level in values.cat.categories]
    tidy = sorted(set(levels))
    places = np.array([*(tidy.index(level) for level in levels), -1], dtype=np.int64)  # no level: a column of NaN
    codes = places[values.cat.codes.to_numpy()]
    return pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(tidy)))
