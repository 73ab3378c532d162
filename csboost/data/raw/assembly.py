"""Join the tables of the blocks: remove duplicates, build the data frame, complete the report."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from csboost.data.credit_table import GRADES
from csboost.data.errors import DataError
from csboost.data.raw import columns, spellings
from csboost.data.raw.parsing import Parsed
from csboost.data.raw.report import ReadReport


def assemble(parts: list[Parsed], report: ReadReport, start: str | None, stop: str | None) -> pd.DataFrame:
    """Join the parts (the list is emptied) and complete ``report``; see :func:`csboost.data.raw.reader.read_loans`."""
    months = [part.months for part in parts if part.months is not None]
    if months:
        report.first = spellings.month_text(min(first for first, _ in months))
        report.last = spellings.month_text(max(last for _, last in months))
    where = ", ".join(report.files)
    if report.loans == 0:
        raise DataError(f"{where}: none of the {report.records:,} records has a grade from A to G.")
    table = pa.concat_tables([part.table for part in parts], promote_options="default").unify_dictionaries()
    parts.clear()
    if table.num_rows == 0:
        held = (
            f"the file holds loans issued {report.first} to {report.last}" if report.first else "no month can be read"
        )
        wanted = f"from {start or 'the start'} to {stop or 'the end'}"
        raise DataError(f"{where}: no loan was issued {wanted}; {held} (options --from and --to).")
    repeated = _repeated(table)
    report.duplicates = int(repeated.sum())
    if report.duplicates:
        table = table.filter(pa.array(~repeated))
    frame = _to_frame(_without(table, "id"))
    report.kept = len(frame)
    counts = np.bincount(frame["grade"].cat.codes, minlength=len(GRADES))
    report.per_grade = dict(zip(GRADES, counts.tolist(), strict=True))
    return frame


def _without(table: pa.Table, name: str) -> pa.Table:
    return table.drop_columns([name]) if name in table.column_names else table


def _repeated(table: pa.Table) -> np.ndarray:
    """True where a loan has the id of an earlier one or, without an id, the same values throughout."""
    repeated = np.zeros(table.num_rows, dtype=bool)
    named = repeated.copy()
    if "id" in table.column_names:
        ids = table["id"].to_pandas().str.strip().str.removesuffix(".0")
        named = ids.notna().to_numpy()
        repeated[named] = ids[named].duplicated().to_numpy()
    if not named.all():
        rest = _without(table, "id").filter(pa.array(~named)).to_pandas()
        repeated[~named] = pd.util.hash_pandas_object(rest, index=False).duplicated().to_numpy()
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
    starts[numbers == spellings.NO_MONTH] = np.datetime64("NaT")
    return starts.astype("datetime64[s]")


def _tidy_levels(values: pd.Series) -> pd.Series:
    """Strip blanks around the levels, join those that are then the same, and sort them."""
    levels = [str(level).strip() for level in values.cat.categories]
    tidy = sorted(set(levels))
    codes = np.append([tidy.index(level) for level in levels], -1)[values.cat.codes.to_numpy()]
    return pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(tidy)))
