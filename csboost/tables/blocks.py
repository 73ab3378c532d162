"""Files larger than memory, block by block."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pandas as pd

from csboost.data.errors import DataError
from csboost.tables.columns import UNUSED, Column
from csboost.tables.names import check_name
from csboost.tables.sources import Source
from csboost.tables.spelling import LOOKED_AT, Unread, respelt

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
    if n_rows < 1:
        raise DataError(f"n_rows must be at least 1, got {n_rows!r}")
    for block, _ in blocks_beside(Source(path, sheet), columns, (), n_rows):
        yield block


def blocks_beside(
    source: Source,
    columns: Sequence[Column],
    aside: Collection[str],
    n_rows: int,
    unread: Unread | None = None,
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """Yield the blocks of :func:`read_blocks`, each with other columns as they stand in the file: text, if it is.

    Cells that stand for no value of their column are counted by ``unread``.
    """
    used = [column for column in columns if column.kind != UNUSED]
    for column in used:
        check_name(column.name, source.names, str(source.path), "feature")
    for name in aside:
        check_name(name, source.names, str(source.path))
    if used:
        first = next(source.frames(used, LOOKED_AT), None)
        if first is not None:
            used = respelt(used, first, source.form, source.path.name)
    for frame in source.frames(used, n_rows, aside):
        block = pd.DataFrame({column.name: column.convert(frame[column.name]) for column in used}, index=frame.index)
        if unread is not None:
            unread.count(used, frame, block)
        yield block, frame[list(aside)]


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
    return Source(path, sheet).names
