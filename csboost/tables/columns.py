"""What a column of a table is: numbers, categories, dates, or nothing that a model could use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from csboost.tables.cells import BLANKS, MISSING, days, days_of, decimal_mark, find_dates, numbers
from csboost.tables.labels import in_order, label_texts

NUMBER, CATEGORY, DATE, UNUSED = "number", "category", "date", "unused"
MOST_LEVELS = 1000
"""A text column of more different texts is taken for free text."""

_NUMBERS_ENOUGH = 0.9  # of the cells must be numbers; the others count as missing, which is said
_FREE = 50  # rows from which on a column of texts that seldom recur is taken for free text
_ID = re.compile(r"(?i)(^|[\W_])(id|nr|no|key|number|nummer|uuid|guid|index)$|[a-z](Id|ID|Nr|No)$|^(id|index)([\W_]|$)")


@dataclass(frozen=True)
class Column:
    """A column of a file, and how its cells become values of a feature.

    Parameters
    ----------
    name : str
        In the header.
    kind : {"number", "category", "date", "unused"}
        Dates become days since 1970.
    decimal : str, default="."
        The decimal mark of numbers that are text.
    dates : str, default=""
        The format of dates that are text, as :func:`pandas.to_datetime` has it.
    remark : str, default=""
        Why it is not used, or what a reader should know of it.

    Attributes
    ----------
    name, kind, decimal, dates, remark : str
        As given.

    References
    ----------
    Wickham, H. (2014), "Tidy data", Journal of Statistical Software 59(10), doi:10.18637/jss.v059.i10.

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import tables
    >>> column = tables.Column("amount", "number", decimal=",")
    >>> column.convert(pd.Series(["1.200,50", "7", None])).tolist()
    [1200.5, 7.0, nan]
    """

    name: str
    kind: str
    decimal: str = "."
    dates: str = ""
    remark: str = ""

    def convert(self, cells: pd.Series) -> pd.Series:
        """Make the values of a feature from cells.

        Parameters
        ----------
        cells : pandas.Series of length n
            As they were read.

        Returns
        -------
        pandas.Series of length n
            float64, NaN where a value is missing or cannot be read; of a category, ``category`` with sorted texts.

        Raises
        ------
        ValueError
            For a column that is not used.

        Examples
        --------
        >>> import pandas as pd
        >>> from csboost import tables
        >>> tables.Column("opened", "date", dates="%d.%m.%Y").convert(pd.Series(["02.01.1970"])).tolist()
        [1.0]
        """
        if self.kind == UNUSED:
            raise ValueError(f"column {self.name!r} is not used: {self.remark}")
        if self.kind == CATEGORY:
            texts = label_texts(cells) if _is_numeric(cells) else _texts(cells)
            levels = in_order(texts.dropna().unique())
            return pd.Series(pd.Categorical(texts, categories=levels), index=cells.index, name=self.name)
        return pd.Series(self._numbers(cells), index=cells.index, name=self.name)

    def _numbers(self, cells: pd.Series) -> NDArray[np.float64]:
        if self.kind == DATE and pd.api.types.is_datetime64_any_dtype(cells):
            return days_of(cells)
        if _is_numeric(cells) and not (self.kind == DATE and self.dates):
            values = cells.to_numpy(dtype=np.float64, na_value=np.nan)
            return np.where(np.isfinite(values), values, np.nan)
        codes, levels = pd.factorize(_texts(cells))
        found = days(levels, self.dates) if self.kind == DATE else numbers(levels, self.decimal)
        return np.append(found, np.nan)[codes]  # the code of a missing cell is -1: the last value


def find_column(cells: pd.Series, *, is_category: bool = False, comma: str = ".", alone: str = ".") -> Column:
    """Find what a column is.

    Parameters
    ----------
    cells : Series
        As they were read: numbers, moments or texts.
    is_category : bool
        Numbers in it are names.
    comma : str
        The decimal mark where commas may be that or mark thousands.
    alone : str
        The decimal mark where there is no comma, and points may be that or mark thousands.
    """
    name, present = str(cells.name), cells.dropna()
    if present.empty:
        return Column(name, UNUSED, remark="empty")
    if pd.api.types.is_datetime64_any_dtype(cells):
        return Column(name, DATE, remark="used as days since 1970")
    if _is_numeric(cells) and not is_category:
        return _of_numbers(name, cells, present)
    return _of_texts(name, cells, is_category, (comma, alone))


def _of_numbers(name: str, cells: pd.Series, present: pd.Series) -> Column:
    values = present.to_numpy(dtype=np.float64)
    if len(values) == len(cells) and values.min() == values.max():
        return Column(name, UNUSED, remark=f"the same in every row ({values[0]:g})")
    whole = bool(np.isfinite(values).all() and (values == np.round(values)).all())
    if whole and len(values) > 2 and len(np.unique(values)) == len(values) == len(cells):
        if values.max() - values.min() == len(values) - 1:
            return Column(name, UNUSED, remark="a running number")
        if _ID.search(name):
            return Column(name, UNUSED, remark="another whole number in every row: says which case it is")
    infinite = int(np.isinf(values).sum())
    return Column(name, NUMBER, remark=f"{infinite} infinite values read as missing" if infinite else "")


def _of_texts(name: str, cells: pd.Series, is_category: bool, marks: tuple[str, str]) -> Column:
    texts = label_texts(cells) if _is_numeric(cells) else _texts(cells)
    counts = texts.value_counts()
    levels, n = list(counts.index), int(counts.sum())
    if not levels:
        return Column(name, UNUSED, remark="empty")
    if len(levels) == 1 and n == len(cells):
        return Column(name, UNUSED, remark=f"the same in every row ({levels[0]!r})")
    if not is_category:
        found = _as_numbers(name, counts, marks) or _as_dates(name, levels)
        if found is not None:
            values = found.convert(cells)
            again = _of_numbers(name, values, values.dropna()) if found.kind == NUMBER else found
            return again if again.kind == UNUSED else found
    if is_category:
        return Column(name, CATEGORY)
    if len(levels) == n > 2:
        return Column(name, UNUSED, remark="another text in every row: says which case it is")
    if (n >= _FREE and len(levels) > n / 2) or len(levels) > MOST_LEVELS:
        return Column(name, UNUSED, remark=f"free text: {len(levels):,} different ones in {n:,} rows")
    return Column(name, CATEGORY)


def _as_numbers(name: str, counts: pd.Series, marks: tuple[str, str]) -> Column | None:
    """The column as numbers, where nearly all of its cells are: what else there is counts as missing, and is named."""
    counts = counts[[level not in BLANKS for level in counts.index]]
    if counts.empty:
        return None
    decimal = decimal_mark(counts.index, marks[0], alone=marks[1])
    unread = np.isnan(numbers(counts.index, decimal))
    if counts[~unread].sum() < _NUMBERS_ENOUGH * counts.sum():
        return None
    remarks = ["decimal commas"] if decimal == "," and any("," in level for level in counts.index) else []
    if unread.any():
        lost = counts[unread]
        shown = ", ".join(repr(level) for level in lost.index[:3])
        remarks.append(f"{lost.sum():,} cells are no numbers ({shown}) and read as missing")
    return Column(name, NUMBER, decimal=decimal, remark="; ".join(remarks))


def _as_dates(name: str, levels: list[str]) -> Column | None:
    found = find_dates(levels)
    if found is None:
        return None
    twin = f" (it could be {found.twin} as well)" if found.twin else ""
    return Column(name, DATE, dates=found.format, remark=f"dates, {found.in_words}{twin}, used as days since 1970")


def _is_numeric(cells: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(cells) or pd.api.types.is_bool_dtype(cells)


def _texts(cells: pd.Series) -> pd.Series:
    """The cells as text without blanks at the ends; what stands for a missing value is missing."""
    codes, levels = pd.factorize(cells.astype(object))
    texts = [_text(level) for level in levels]
    names: NDArray[Any] = np.array([*(np.nan if text in MISSING else text for text in texts), np.nan], dtype=object)
    return pd.Series(names[codes], index=cells.index, dtype=object, name=cells.name)


def _text(level: Any) -> str:
    whole = isinstance(level, float) and level.is_integer()
    return str(int(level)) if whole else str(level).strip()
