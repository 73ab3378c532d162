"""Columns of a file, spelt as another one has them: its decimal mark, its dates; and the cells that nobody can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from csboost.data.errors import DataError
from csboost.tables.cells import BLANKS, MISSING, days, decimal_mark, find_dates, numbers
from csboost.tables.columns import CATEGORY, DATE, NUMBER, UNUSED, Column
from csboost.tables.formats import TEXT, Format

LOOKED_AT = 1000  # rows by which the spelling of a file is judged: the same ones, whatever the size of blocks

_FEW = 5  # cells below which even none that can be read is no proof that the column is another one
_READ_ENOUGH = 0.95  # of the different dates
_SHOWN = 3
_WANTED = {NUMBER: "numbers", DATE: "dates"}


def respelt(columns: Sequence[Column], sample: pd.DataFrame, form: Format, name: str) -> list[Column]:
    """Return the columns as a file spells them, found from its first rows.

    Raises
    ------
    DataError
        For a column in which nothing is what it was where the columns were found.
    """
    return [_respelt(column, sample[column.name], form, name) for column in columns]


def _respelt(column: Column, cells: pd.Series, form: Format, name: str) -> Column:
    if column.kind == CATEGORY or pd.api.types.is_datetime64_any_dtype(cells):
        return column
    levels = _present(cells)
    if column.kind == NUMBER:
        found = replace(column, decimal=_decimal(column, cells, levels, form))
        read = ~np.isnan(numbers(levels, found.decimal))
    else:
        found, read = _dated(column, levels)
    if len(cells.dropna()) >= _FEW and len(levels) and not read.any():
        raise DataError(
            f"{name}: the column {column.name!r} holds {_WANTED[column.kind]} where its types were found, but no "
            f"{_WANTED[column.kind]} here: {', '.join(map(repr, levels[:_SHOWN]))}. Give the column that is meant this "
            "name, or empty these cells if its values are missing."
        )
    return found


def _present(cells: pd.Series) -> list[str]:
    """The different cells that stand for a value, as text."""
    texts = [str(level).strip() for level in cells.dropna().unique()]
    return [text for text in texts if text not in BLANKS]


def _decimal(column: Column, cells: pd.Series, levels: list[str], form: Format) -> str:
    """The decimal mark of a file's numbers; where it does not tell, that of the file in which the column was found."""
    is_text, has_commas = form.kind == TEXT, form.kind == TEXT and form.decimal == ","
    usual = "," if has_commas else column.decimal
    if pd.api.types.is_numeric_dtype(cells):
        whole = (cells.dropna() == cells.dropna().round()).all()
        return usual if whole or has_commas or not is_text else "."
    if not any(mark in level for level in levels for mark in ",."):
        return usual
    return decimal_mark(levels, "," if is_text and form.delimiter == ";" else usual, alone=usual)


def untyped(columns: Sequence[Column], form: Format) -> set[str]:
    """Columns of numbers that must be read as text, as 1.500 may be fifteen hundred.

    They had decimal commas where they were found. A text without any, but between semicolons or tabs, need not have
    decimal points: its numbers may all be whole. Between commas a point is a decimal one.
    """
    if form.kind != TEXT or form.decimal == "," or form.delimiter == ",":
        return set()
    return {column.name for column in columns if column.kind == NUMBER and column.decimal == ","}


def _dated(column: Column, levels: list[str]) -> tuple[Column, np.ndarray]:
    read = np.isfinite(days(levels, column.dates)) if column.dates and levels else np.zeros(len(levels), dtype=bool)
    if not levels or read.mean() >= _READ_ENOUGH:
        return column, read
    found = find_dates(levels)
    if found is None:
        return column, read
    return replace(column, dates=found.format), np.ones(len(levels), dtype=bool)


class Unread:
    """Counts the cells of a file that are read as missing though something stands there, block by block.

    Parameters
    ----------
    levels : mapping of str to container of str
        The categories that a model tells apart, by column.
    """

    def __init__(self, levels: Mapping[str, Container[str]] | None = None) -> None:
        self._levels = dict(levels or {})
        self._rows, self._empty = 0, set[str]()
        self._counts: dict[str, Counter[str]] = {}
        self._kinds: dict[str, str] = {}

    def count(self, columns: Sequence[Column], frame: pd.DataFrame, values: pd.DataFrame) -> None:
        """Count a block: its cells, and what became of them."""
        if not self._rows:
            self._empty = {column.name for column in columns}
        self._rows += len(frame)
        for column in columns:
            name = column.name
            if name in self._empty and values[name].notna().any():
                self._empty.remove(name)
            lost = self._lost(column, frame[name], values[name])
            if lost:
                self._kinds[name] = column.kind
                self._counts.setdefault(name, Counter()).update(lost)

    def _lost(self, column: Column, cells: pd.Series, values: pd.Series) -> Counter[str]:
        if column.kind == CATEGORY:
            known = self._levels.get(column.name)
            strange = [] if known is None else [level for level in values.cat.categories if level not in known]
            return Counter(values[values.isin(strange)].tolist()) if strange else Counter()
        if column.kind == UNUSED or pd.api.types.is_numeric_dtype(cells) or pd.api.types.is_datetime64_any_dtype(cells):
            return Counter()
        lost = cells[values.isna() & cells.notna()].astype(str).str.strip()
        return Counter(lost[~lost.isin(BLANKS if column.kind == NUMBER else MISSING)].tolist())

    def lines(self) -> Iterator[str]:
        """Say what was found, a sentence for each column."""
        for name, counts in self._counts.items():
            shown = ", ".join(repr(text) for text, _ in counts.most_common(_SHOWN))
            cells = f"{counts.total():,} of {self._rows:,} cells"
            if self._kinds[name] == CATEGORY:
                yield f"{name}: {cells} hold a category that the model has not met ({shown})."
            else:
                yield f"{name}: {cells} are no {_WANTED[self._kinds[name]]} ({shown}) and read as missing."
        empty = sorted(self._empty - set(self._counts)) if self._rows else []
        if empty:
            yield f"Without a value in any row: {', '.join(empty)}."
