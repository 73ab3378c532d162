"""Numbers, months and years in the spellings of Lending Club's files."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from csboost.data.lending_club.raw.dates import NO_MONTH, day_order, month_number, month_text

__all__ = [
    "LARGEST", "MISSING", "NO_MONTH", "comma_use", "day_order", "employment_years", "month_number", "month_text",
    "months", "number", "terms",
]  # fmt: skip

MISSING = ("", " ", "NA", "N/A", "n/a", "nan", "NaN", "null", "NULL", "#N/A")
"""Spellings of a missing value."""

LARGEST = 1e15
"""No number about a loan is larger; what is, such as 1e400 or inf, is a damaged cell."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?(\d+|[1-9]\d{0,2}(\.\d{3})+),\d+", re.ASCII)
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}", re.ASCII)

DECIMAL, UNSURE_COMMA, UNSURE_POINT = "a decimal comma", "a comma of thousands or decimals", "a point of either"


def months(texts: Sequence[str | None]) -> np.ndarray:
    """Read many months, shape (n,), int32 (see :func:`csboost.data.lending_club.raw.dates.month_number`)."""
    return np.array([month_number(text) for text in texts], dtype=np.int32)


def number(text: str | None) -> float:
    """Read a number that may have blanks, a percent sign, a dollar sign, thousands separators or a decimal comma.

    Returns
    -------
    float
        NaN if there is no number, or none that a loan can have (``inf``, ``1e400``).

    >>> number(" 17.27%"), number("1,234"), number("12,33"), number("1.234,5")
    (17.27, 1234.0, 12.33, 1234.5)
    """
    text = _bare(text)
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    elif _DECIMAL_COMMA.fullmatch(text):
        text = text.replace(".", "").replace(",", ".")
    if not _NUMBER.fullmatch(text):
        return np.nan
    value = float(text)
    return value if abs(value) <= LARGEST else np.nan


def comma_use(text: str | None) -> str | None:
    """Return ``DECIMAL`` for ``12,33``; ``UNSURE_COMMA`` for ``1,234`` and ``UNSURE_POINT`` for ``1.234``.

    >>> comma_use("12,33"), comma_use("1,234"), comma_use("1,234.5")
    ('a decimal comma', 'a comma of thousands or decimals', None)
    """
    text = _bare(text)
    if match := _EITHER.fullmatch(text):
        return UNSURE_COMMA if match[1] == "," else UNSURE_POINT
    return DECIMAL if _DECIMAL_COMMA.fullmatch(text) else None


def _bare(text: str | None) -> str:
    return (text or "").strip().rstrip("% ").replace("$", "", 1).strip()


_TERM = re.compile(r"(?:term )?(\d{1,4})(?:\.0*)?(?: ?(months?|mths?|mos?|m|years?|yrs?|y)\.?)?", re.ASCII)


def terms(texts: Sequence[str | None]) -> np.ndarray:
    """Read loan terms such as ``" 36 months"``, in months, shape (n,), float64; NaN where there is none."""
    return np.array([_term(text) for text in texts], dtype=np.float64)


def _term(text: str | None) -> float:
    match = _TERM.fullmatch(_plain(text))
    return np.nan if match is None else float(match[1]) * (12 if (match[2] or "").startswith("y") else 1)


_COUNT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORD = re.compile(r"\b(" + "|".join(_COUNT) + r")\b")
_LESS = r"(?P<less><|less than|fewer than|under|below|up to|lt)"
_MORE = r"(?:>=?|more than|over|above|at least|ge|gt)"
_BEYOND = r"(?: ?(?:\+|plus|(?:or|and) (?:more|over|above|longer)))?"
_YEARS = re.compile(
    rf"(?:emp )?(?:{_LESS}|{_MORE})? ?(?P<count>\d{{1,4}}|an?)(?:\.\d*)?{_BEYOND}"
    rf"(?: ?(?P<unit>years?|yrs?|y|months?|mths?|mos?)\.?)?{_BEYOND}",
    re.ASCII,
)


def employment_years(texts: Sequence[str | None]) -> np.ndarray:
    """Read years in employment, whole years from 0 to 10, shape (n,), float64; NaN where unknown.

    ``"< 1 year"`` and ``"less than 1 year"`` are 0, ``"1 year"`` is 1, ``"10+ years"`` and ``"more than 10 years"`` 10.
    """
    return np.array([_employment(text) for text in texts], dtype=np.float64)


def _employment(text: str | None) -> float:
    match = _YEARS.fullmatch(_WORD.sub(lambda word: str(_COUNT.index(word[1])), _plain(text)))
    if match is None:
        return np.nan
    count = 1.0 if match["count"].startswith("a") else float(match["count"])
    if (match["unit"] or "").startswith("m"):
        count /= 12
    if match["less"]:
        count = max(count - 1, 0.0)
    return min(float(int(count)), 10.0)


def _plain(text: str | None) -> str:
    """Lower case, one blank between words."""
    return " ".join((text or "").lower().replace("_", " ").split())
