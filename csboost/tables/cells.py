"""Numbers and dates in the spellings that people and spreadsheets use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

MISSING = frozenset(
    ["", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "-nan", "NULL", "null", "None", "none", "<NA>", "#N/A", "#NA",
     "#DIV/0!", "#VALUE!", "#REF!", "NaT", "nil", "<null>"]
)  # fmt: skip
"""What stands for a missing value in any column."""

BLANKS = frozenset([*MISSING, "-", "--", ".", "..", "\u2013", "\u2014", "*", "x", "X", "unknown", "missing"])
"""What stands for a missing value among numbers."""

_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:[. ]\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,})|0\d*,\d+|\d{4,},\d+)")
_COMMA_OR_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+")
_POINT_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_COMMA_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_SIGNS = re.compile(r"(?<=\d)[\s'\u2019](?=\d{3})|[%€$£]|\s+$|^\s+")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRUTHS = {"true": 1.0, "false": 0.0}

_FORMATS = {
    "ISO8601": "year-month-day",
    "%d.%m.%Y": "day.month.year", "%d.%m.%y": "day.month.year", "%d.%m.%Y %H:%M": "day.month.year",
    "%d.%m.%Y %H:%M:%S": "day.month.year",
    "%d/%m/%Y": "day/month/year", "%m/%d/%Y": "month/day/year",
    "%d/%m/%Y %H:%M": "day/month/year", "%m/%d/%Y %H:%M": "month/day/year",
    "%d/%m/%Y %H:%M:%S": "day/month/year", "%m/%d/%Y %H:%M:%S": "month/day/year",
    "%d/%m/%y": "day/month/year", "%m/%d/%y": "month/day/year", "%d-%m-%Y": "day-month-year",
    "%m-%d-%Y": "month-day-year", "%Y/%m/%d": "year/month/day", "%Y/%m/%d %H:%M": "year/month/day",
    "%d-%b-%Y": "day-month-year", "%d %b %Y": "day month year", "%d %B %Y": "day month year",
    "%b %d, %Y": "month day, year", "%B %d, %Y": "month day, year", "%b-%Y": "month-year", "%b %Y": "month year",
    "%m/%Y": "month/year", "%m.%Y": "month.year",
}  # fmt: skip
_ISO = re.compile(r"\d{4}-\d\d?(-\d\d?)?([ T]\d\d?:\d\d.*)?")
_DATE = re.compile(r"(?=.*\d)[\w.:/, +-]{6,35}")
_ENOUGH = 0.95  # of the cells must be dates
_DAY = 86_400.0


class Dates(NamedTuple):
    """A spelling of dates that a column has.

    ``twin`` is another one that it could have as well.
    """

    format: str
    twin: str | None = None

    @property
    def in_words(self) -> str:
        """Such as ``day.month.year``."""
        return _FORMATS[self.format]


def has_decimal_comma(cells: Iterable[str]) -> bool:
    """Whether a cell is a number with a decimal comma that is no mark of thousands."""
    return any(_COMMA.fullmatch(cell.strip()) for cell in cells)


def decimal_mark(cells: Iterable[str], default: str, *, alone: str | None = None) -> str:
    """The decimal mark of a column's cells.

    Parameters
    ----------
    cells : iterable of str
        Those that hold a value.
    default : str
        What it is where commas may mark thousands as well.
    alone : str, optional
        What it is where no cell has a comma, and points may mark thousands as well; by default ``default``.
    """
    bare = [_bare(cell) for cell in cells]
    commas = [cell for cell in bare if "," in cell]
    if has_decimal_comma(commas):
        return ","
    if commas:
        return default if any(_COMMA_OR_THOUSANDS.fullmatch(cell) for cell in commas) else "."
    points = [cell for cell in bare if "." in cell]
    is_either = bool(points) and all(_POINT_THOUSANDS.fullmatch(cell) for cell in points)
    return (default if alone is None else alone) if is_either else "."


def _bare(cell: str) -> str:
    """A cell without what stands beside its digits: blanks, per cent and currencies."""
    return _SIGNS.sub("", cell.replace("\u2212", "-").replace("\u00a0", " ").replace("\u202f", " ")).strip()


def numbers(cells: Iterable[str], decimal: str) -> NDArray[np.float64]:
    """Cells as numbers, NaN where they are none; marks of thousands, per cent and currencies are passed over."""
    return np.array([_number(cell, decimal) for cell in cells], dtype=np.float64)


def _number(cell: str, decimal: str) -> float:
    text = _bare(cell)
    if decimal == ",":
        text = (text.replace(".", "") if _POINT_THOUSANDS.fullmatch(text) else text).replace(",", ".")
    elif _COMMA_THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    return float(text) if _NUMBER.fullmatch(text) else _TRUTHS.get(text.lower(), np.nan)


def find_dates(cells: list[str]) -> Dates | None:
    """The spelling of dates that nearly all different cells of a column have; None where they are no dates."""
    sample = cells[:: max(len(cells) // 200, 1)]
    if not sample or sum(bool(_DATE.fullmatch(cell)) for cell in sample) < _ENOUGH * len(sample):
        return None
    shares = {spelling: float(np.isfinite(days(sample, spelling)).mean()) for spelling in _FORMATS}
    likely = [spelling for spelling, share in shares.items() if share >= _ENOUGH]
    if not likely:
        return None
    whole = {spelling: float(np.isfinite(days(cells, spelling)).mean()) for spelling in likely}
    best = max(whole, key=lambda spelling: whole[spelling])  # the first of equal ones
    if whole[best] < _ENOUGH:
        return None
    twins = [other for other in likely if whole[other] == whole[best] and _FORMATS[other] != _FORMATS[best]]
    return Dates(best, _FORMATS[twins[0]] if twins else None)


def days(cells: Iterable[str], spelling: str) -> NDArray[np.float64]:
    """Dates as days since 1970, NaN where they are none."""
    texts = pd.Series(list(cells), dtype=object)
    if spelling == "ISO8601":
        texts = texts.where(texts.str.fullmatch(_ISO).fillna(False).astype(bool))
    return days_of(pd.to_datetime(texts, format=spelling, errors="coerce", utc=True))


def days_of(moments: pd.Series) -> NDArray[np.float64]:
    """Moments as days since 1970, NaN where they are missing."""
    plain = moments.dt.tz_convert(None) if getattr(moments.dt, "tz", None) is not None else moments
    seconds = np.array((plain - pd.Timestamp(0)).dt.total_seconds(), dtype=np.float64)
    return seconds / _DAY
