"""Numbers, months and years in the spellings of Lending Club's files."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

MISSING = ("", " ", "NA", "N/A", "n/a", "nan", "NaN", "null", "NULL", "#N/A")
"""Spellings of a missing value."""

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MON_YEAR = re.compile(r"([A-Za-z]{3})[a-z]*[- ](\d{4}|\d{2})")
_YEAR_FIRST = re.compile(r"(\d{4})[-/](\d{1,2})(?:[-/]\d{1,2})?(?:[ T][\d:.]+)?")
NO_MONTH = np.iinfo(np.int32).min
"""Code of an absent or unreadable month."""


def month_number(text: str | None) -> int:
    """Read a month, as the number of months since January 1970; ``NO_MONTH`` if it cannot be read.

    Known are ``Dec-2017``, ``Mar-19``, ``2017-12``, ``2017-12-01`` and ``2018/5/1``; the day is ignored. Two-digit
    years up to 29 are 20xx.

    >>> month_number("Dec-2017") == month_number("2017/12/1") == month_number("Dec-17") == 575
    True
    """
    text = (text or "").strip()
    if match := _MON_YEAR.fullmatch(text):
        name, year = match[1].lower(), int(match[2])
        month = _NAMES.index(name) + 1 if name in _NAMES else 0
        year += (2000 if year < 30 else 1900) if len(match[2]) == 2 else 0
    elif match := _YEAR_FIRST.fullmatch(text):
        year, month = int(match[1]), int(match[2])
    else:
        return NO_MONTH
    return 12 * (year - 1970) + month - 1 if 1 <= month <= 12 and year >= 1900 else NO_MONTH


def month_text(number: int) -> str:
    """Spell a month number as ``2017-12``."""
    return str(np.datetime64(int(number), "M"))


def months(texts: Sequence[str | None]) -> np.ndarray:
    """Read many months, shape (n,), int32 (see :func:`month_number`)."""
    return np.array([month_number(text) for text in texts], dtype=np.int32)


def terms(texts: Sequence[str | None]) -> np.ndarray:
    """Read loan terms such as ``" 36 months"``, in months, shape (n,), float64; NaN where there is none."""
    found = [re.search(r"\d+", text or "") for text in texts]
    return np.array([float(match[0]) if match else np.nan for match in found])


def employment_years(texts: Sequence[str | None]) -> np.ndarray:
    """Read ``"< 1 year"`` as 0, ``"1 year"`` as 1 ... ``"10+ years"`` as 10, shape (n,), float64; NaN where unknown."""
    found = [(text or "", re.search(r"\d+", text or "")) for text in texts]
    return np.array([np.nan if match is None else 0.0 if "<" in text else float(match[0]) for text, match in found])


def number(text: str | None) -> float:
    """Read a number that may have blanks, a percent sign, a dollar sign or thousands separators; NaN if there is none.

    >>> number(" 17.27%"), number("1,234")
    (17.27, 1234.0)
    """
    try:
        return float((text or "nan").strip().rstrip("%").lstrip("$").replace(",", ""))
    except ValueError:
        return np.nan
