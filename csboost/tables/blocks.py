"""Files larger than memory, block by block."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pandas as pd

from csboost.data.errors import DataError
from csboost.tables.columns import CATEGORY, DATE, UNUSED, Column
from csboost.tables.formats import PARQUET, TEXT, Format, checked_path, find_format
from csboost.tables.frames import read_frame, text_frames
from csboost.tables.names import check_name
from csboost.tables.spelling import LOOKED_AT, Unread, respelt, untyped

__all__ = ["column_names", "read_blocks"]


def read_blocks(
    path: Any, columns: Sequence[Column], *, n_rows: int = 100_000, sheet: str | None = None
) -> Iterator[pd.DataFrame]:
    """Read the features of a file block by block, as those of another file were found to be.

    Parameters
    ----------
    path : str or path
        The file: text (which may be compressed) and parquet are read in blocks, Excel at once.
    columns : sequence of Column
        From :func:`read_table` on the file that a model was fitted on.
    n_rows : int, default=100_000
        Rows of a block.
    sheet : str, optional
        Of an Excel file; the first by default.

    Yields
    ------
    pandas.DataFrame of shape (at most n_rows, d)
        The columns that are used, in the order of ``columns``, as in ``Table.X``.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        (as :class:`csboost.data.DataError`) As :func:`read_table`, and for columns that the file does not have.

    References
    ----------
    Shafranovich, Y. (2005), "Common format and MIME type for comma-separated values (CSV) files", RFC 4180,
    https://www.rfc-editor.org/rfc/rfc4180.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from csboost import tables
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "loans.csv"
    >>> _ = path.write_text("amount,grade\\n10.5,A\\n7,B\\n3,A\\n")
    >>> columns = tables.read_table(path, target="grade").columns
    >>> [len(block) for block in tables.read_blocks(path, columns, n_rows=2)]
    [2, 1]
    """
    for block, _ in blocks_beside(path, columns, (), n_rows, sheet):
        yield block


def blocks_beside(
    path: Any,
    columns: Sequence[Column],
    aside: Collection[str],
    n_rows: int,
    sheet: str | None = None,
    unread: Unread | None = None,
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """Yield the blocks of :func:`read_blocks`, each with other columns as they stand in the file: text, if it is.

    Cells that stand for no value of their column are counted by ``unread``.
    """
    if n_rows < 1:
        raise DataError(f"n_rows must be at least 1, got {n_rows!r}")
    found = checked_path(path)
    form = find_format(found)
    used = [column for column in columns if column.kind != UNUSED]
    if used:
        first = next(_frames(found, form, used, LOOKED_AT, (), sheet), None)
        if first is not None:
            _check_names(used, (), first, path)
            used = respelt(used, first, form, found.name)
    for frame in _frames(found, form, used, n_rows, aside, sheet):
        _check_names(used, aside, frame, path)
        block = pd.DataFrame({column.name: column.convert(frame[column.name]) for column in used}, index=frame.index)
        if unread is not None:
            unread.count(used, frame, block)
        yield block, frame[list(aside)]


def _check_names(used: Sequence[Column], aside: Collection[str], frame: pd.DataFrame, path: Any) -> None:
    names = list(frame.columns)
    for column in used:
        check_name(column.name, names, str(path), "feature")
    for name in aside:
        check_name(name, names, str(path))


def column_names(path: Any, *, sheet: str | None = None) -> list[str]:
    """Names of the columns of a file.

    Parameters
    ----------
    path : str or path
        The file.
    sheet : str, optional
        Of an Excel file; the first by default.

    Returns
    -------
    list of str
        In the order of the file, as :func:`read_table` names them.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        (as :class:`csboost.data.DataError`) As :func:`read_table`.

    References
    ----------
    Shafranovich, Y. (2005), "Common format and MIME type for comma-separated values (CSV) files", RFC 4180,
    https://www.rfc-editor.org/rfc/rfc4180.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from csboost import tables
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "loans.csv"
    >>> _ = path.write_text("amount;grade\\n10,5;A\\n")
    >>> tables.column_names(path)
    ['amount', 'grade']
    """
    found = checked_path(path)
    form = find_format(found)
    if form.kind == TEXT:
        return form.names
    if form.kind == PARQUET:
        return [str(name).strip() for name in _parquet(found).schema_arrow.names]
    return list(read_frame(found, form, sheet=sheet)[0].columns)


def _frames(
    path: Any, form: Format, used: Sequence[Column], n_rows: int, aside: Collection[str], sheet: str | None
) -> Iterator[pd.DataFrame]:
    if form.kind == TEXT:
        texts = {column.name for column in used if column.kind == CATEGORY or (column.kind == DATE and column.dates)}
        yield from text_frames(path, form, texts | set(aside) | untyped(used, form), n_rows)
    elif form.kind == PARQUET:
        yield from _parquet_blocks(path, n_rows)
    else:
        frame, _ = read_frame(path, form, sheet=sheet)
        for start in range(0, len(frame), n_rows):
            yield frame.iloc[start : start + n_rows]


def _parquet(path: Any) -> Any:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise DataError(f"{path}: reading parquet needs the package pyarrow (pip install pyarrow).") from None
    try:
        return parquet.ParquetFile(path)
    except (ArrowException, OSError) as error:
        raise DataError(f"{path} cannot be read as a parquet file ({error}): is it whole?") from None


def _parquet_blocks(path: Any, n_rows: int) -> Iterator[pd.DataFrame]:
    start = 0
    for batch in _parquet(path).iter_batches(batch_size=n_rows):
        frame = batch.to_pandas()
        frame.columns = pd.Index([str(name).strip() for name in frame.columns])
        yield frame.set_index(pd.RangeIndex(start, start + len(frame)))
        start += len(frame)
