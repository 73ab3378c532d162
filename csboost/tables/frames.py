"""A file as a data frame, its cells as they are: typed where pandas is sure of the type, else text."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from csboost.data.errors import DataError
from csboost.tables.cells import MISSING
from csboost.tables.formats import EXCEL, PARQUET, TEXT, Format, unpacked

_PACKAGES = {PARQUET: "pyarrow", EXCEL: "openpyxl"}


def read_frame(
    path: Path, form: Format, *, as_text: Collection[str] = (), sheet: str | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Read a whole file; return the frame, and remarks.

    Parameters
    ----------
    path, form
        The file, and how it is written.
    as_text : collection of str
        Columns that hold labels: read as text, in which only an empty cell is missing.
    sheet : str, optional
        Of an Excel file; the first by default.
    """
    remarks: list[str] = []
    if form.kind == TEXT:
        frame = next(text_frames(path, form, as_text, None))
    else:
        frame = _read_typed(path, form, sheet, remarks)
        frame.columns = pd.Index([str(name).strip() for name in frame.columns])
        repeated = frame.columns[frame.columns.duplicated()]
        if len(repeated):
            raise DataError(f"{path.name} names {str(repeated[0])!r} more than once: rename or delete one of them.")
    if frame.empty:
        raise DataError(f"{path.name} has a header, but no line below it: it needs a line per case.")
    return frame, remarks


def text_frames(path: Path, form: Format, as_text: Collection[str], rows: int | None) -> Iterator[pd.DataFrame]:
    """Yield a text file in frames of so many rows (None: all of it in one).

    Columns that nobody wants are read too: pandas counts the cells of a line only where it reads them all.
    """
    names = form.names
    missing = {name: [""] if name in as_text else sorted(MISSING) for name in names}
    try:
        _check_first(path, form)
        with unpacked(path) as binary, io.TextIOWrapper(binary, encoding=form.encoding, newline="") as text:
            for _ in range(form.skipped):
                text.readline()
            reader: Any = pd.read_csv(
                text, sep=form.delimiter, decimal=form.decimal, names=names, header=0, index_col=False,
                dtype=dict.fromkeys((name for name in names if name in as_text), str), na_values=missing,
                keep_default_na=False, low_memory=False, chunksize=rows, skipinitialspace=True,
            )  # fmt: skip
            if rows is None:
                yield reader
            else:
                yield from reader
    except pd.errors.ParserError as error:
        raise DataError(_parsing_fault(path, form, str(error))) from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path.name}: {error}. Save the file as UTF-8 (in Excel: 'CSV UTF-8').") from None


def _check_first(path: Path, form: Format) -> None:
    """Refuse a first line with more cells than the header (ParserError).

    Of these pandas only warns, and reads the lines without their last cells; longer lines after it are errors. Filters
    that would make errors of warnings are those of all threads, and a file may be read in one of its own.
    """
    with unpacked(path) as binary, io.TextIOWrapper(binary, encoding=form.encoding, newline="") as text:
        for _ in range(form.skipped):
            text.readline()
        try:
            first = pd.read_csv(
                text, sep=form.delimiter, header=None, skiprows=1, nrows=1, dtype=str, skipinitialspace=True
            )
        except pd.errors.EmptyDataError:  # a header alone
            return
    wanted, found = len(form.names), first.shape[1]
    if found > wanted:
        raise pd.errors.ParserError(f"Expected {wanted} fields in the first line below the header, saw {found}")


def _parsing_fault(path: Path, form: Format, what: str) -> str:
    what = what.removeprefix("Error tokenizing data. ").removeprefix("C error: ").strip()
    if "EOF inside string" in what:
        return f"{path.name}: a quotation mark is never closed ({what}); close or delete it."
    sign = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"}[form.delimiter]
    return (
        f"{path.name} cannot be read as a table of {len(form.header)} columns: {what}. Give every line as many cells "
        f"as the header has; put quotation marks around text that holds a {sign}."
    )


def _read_typed(path: Path, form: Format, sheet: str | None, remarks: list[str]) -> pd.DataFrame:
    try:
        return pd.read_parquet(path) if form.kind == PARQUET else _read_excel(path, sheet, remarks)
    except ImportError as error:
        package = "xlrd" if "xlrd" in str(error) else _PACKAGES[form.kind]  # of the old format of Excel
        raise DataError(
            f"{path.name} is {_named(form.kind)} file: reading it needs the package {package}, which is not installed "
            f"(pip install {package}). Or save it as CSV in UTF-8."
        ) from None
    except DataError:
        raise
    except Exception as error:  # each reader has exceptions of its own for a file that is not whole
        raise DataError(f"{path.name} cannot be read as {_named(form.kind)} file ({error}): is it whole?") from None


def _named(kind: str) -> str:
    return f"an {kind}" if kind == EXCEL else f"a {kind}"


def _read_excel(path: Path, sheet: str | None, remarks: list[str]) -> pd.DataFrame:
    with pd.ExcelFile(path) as book:
        sheets: list[Any] = list(book.sheet_names)
        if sheet is not None and sheet not in sheets:
            raise DataError(f"{path.name} has no sheet {sheet!r}; it has {', '.join(map(repr, sheets))}.")
        if sheet is None and len(sheets) > 1:
            remarks.append(f"The first of {len(sheets)} sheets was read ({sheets[0]!r}).")
        return pd.read_excel(book, sheet or sheets[0], na_values=sorted(MISSING), keep_default_na=False)
