"""A file to be read in blocks: how it is written is found once, and an Excel sheet, which has no blocks, read once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from csboost.data.errors import DataError
from csboost.tables.columns import CATEGORY, DATE, Column
from csboost.tables.formats import PARQUET, TEXT, checked_path, find_format
from csboost.tables.frames import read_frame, text_frames
from csboost.tables.spelling import untyped

__all__ = ["Source"]


class Source:
    """A file of which blocks are read, more than once if need be.

    Parameters
    ----------
    path : str or path
        The file.
    sheet : str, optional
        Of an Excel file; the first by default.
    """

    def __init__(self, path: Any, sheet: str | None = None) -> None:
        self.path = checked_path(path)
        self.form = find_format(self.path)
        self._sheet_name = sheet

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns, in their order."""
        if self.form.kind == TEXT:
            return self.form.names
        if self.form.kind == PARQUET:
            with _parquet(self.path) as file:
                return list(_by_name(self.path, file))
        return list(self._sheet.columns)

    def frames(self, used: Sequence[Column], n_rows: int, aside: Collection[str] = ()) -> Iterator[pd.DataFrame]:
        """Yield frames of so many rows, which hold the columns ``used`` and ``aside`` at least."""
        if self.form.kind == TEXT:
            days = {column.name for column in used if column.kind == DATE and column.dates}
            texts = {column.name for column in used if column.kind == CATEGORY} | days | set(aside)
            texts |= untyped(used, self.form)
            yield from text_frames(self.path, self.form, texts, n_rows)
        elif self.form.kind == PARQUET:
            yield from _parquet_frames(self.path, [*(column.name for column in used), *aside], n_rows)
        else:
            for start in range(0, len(self._sheet), n_rows):
                yield self._sheet.iloc[start : start + n_rows]

    @cached_property
    def _sheet(self) -> pd.DataFrame:
        return read_frame(self.path, self.form, sheet=self._sheet_name)[0]


def _parquet(path: Path) -> Any:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise DataError(f"{path}: reading parquet needs the package pyarrow (pip install pyarrow).") from None
    try:
        return parquet.ParquetFile(path)
    except (ArrowException, OSError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> DataError:
    return DataError(f"{path} cannot be read as a parquet file ({error}): is it whole?")


def _by_name(path: Path, file: Any) -> dict[str, str]:
    """The columns' names without blanks around them -> as they stand."""
    found: dict[str, str] = {}
    for raw in file.schema_arrow.names:
        name = str(raw).strip()
        if name in found:
            raise DataError(f"{path.name} names {name!r} more than once: rename or delete one of them.")
        found[name] = raw
    return found


def _parquet_frames(path: Path, wanted: Collection[str], n_rows: int) -> Iterator[pd.DataFrame]:
    from pyarrow import ArrowException

    start = 0
    with _parquet(path) as file:
        raw = {name: found for name, found in _by_name(path, file).items() if name in wanted}
        try:
            # without a column there would be no rows, so where none is wanted all are read
            for batch in file.iter_batches(batch_size=n_rows, columns=list(raw.values()) or None):
                frame = batch.to_pandas()
                frame.columns = pd.Index([str(name).strip() for name in frame.columns])
                for name, found in raw.items():
                    if name not in frame.columns:  # pandas wrote it as the index of its rows
                        frame[name] = batch.column(batch.schema.names.index(found)).to_pandas().to_numpy()
                yield frame.set_index(pd.RangeIndex(start, start + len(frame)))
                start += len(frame)
        except (ArrowException, OSError) as error:
            raise _damaged(path, error) from None
