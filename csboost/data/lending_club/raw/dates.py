"""Months in the spellings of Lending Club's files and of the programs that rewrite them.

Only the standard library is imported here, so that a month on the command line can be checked before long imports.
"""

from __future__ import annotations

import re

_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
NO_MONTH = -(2**31)
"""Code of an absent or unreadable month; the smallest int32."""

MONTH_FIRST, DAY_FIRST = "the month first", "the day first"

_TIME = re.compile(r"[ T]\d{1,2}:\d{2}.*|\.0+")
_WORD = r"(?P<name>[A-Za-z]{3,9})\.?"
_SPELLINGS = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"{_WORD}[-/ ,]{{0,2}}(?P<year>\d{{4}}|\d\d)",  # Dec-2017, Mar-19, December 2017
        rf"(?P<year>\d{{4}}|\d\d?)[-/ ]{_WORD}",  # 2017-Dec; 7-Dec, which spreadsheets make of Dec-07
        rf"(?P<year>\d{{4}})[-/ ]{_WORD}[-/ ](?P<day>\d\d?)",  # 2017-Dec-01
        rf"(?P<day>\d\d?)[-/ .]{{0,2}}{_WORD}[-/ ,]{{0,2}}(?P<year>\d{{4}})",  # 1-Dec-2017, 01DEC2017
        rf"(?P<day>0?1)[-/ ]{_WORD}[-/ ](?P<year>\d\d)",  # 01-Dec-17; with another day the year might stand first
        rf"{_WORD}[-/ ](?P<day>\d\d?)[-/ ,]{{1,2}}(?P<year>\d{{4}})",  # December 1, 2017
        r"(?P<year>\d{4})[-/.](?P<month>\d\d?)(?:[-/.](?P<day>\d\d?))?",  # 2017-12-01, 2018/5/1, 2017-12
        r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)?",  # 20171201, 201712
        r"(?P<month>\d\d?)[-/.](?P<year>\d{4})",  # 12/2017
        r"(?P<first>\d\d?)[-/.](?P<second>\d\d?)[-/.](?P<year>\d{4})",  # 12/1/2017
    )
)
_TWO_NUMBERS = _SPELLINGS[-1]


def month_number(text: str | None) -> int:
    """Read a month, as the number of months since January 1970; ``NO_MONTH`` if it cannot be read.

    Known are ``Dec-2017``, ``Mar-19``, ``17-Dec``, ``2017-12``, ``2017-12-01``, ``2018/5/1``, ``20171201``,
    ``12/1/2017`` (see :func:`day_order`) and the like; day and time are ignored. Two-digit years up to 29 are 20xx.

    >>> month_number("Dec-2017") == month_number("2017/12/1") == month_number("17-Dec") == 575
    True
    """
    text = _TIME.sub("", (text or "").strip())
    for spelling in _SPELLINGS:
        if match := spelling.fullmatch(text):
            found = match.groupdict()
            month = _month(found)
            year = int(found["year"]) + (0 if len(found["year"]) == 4 else 2000 if int(found["year"]) < 30 else 1900)
            if month and year >= 1900 and int(found.get("day") or 1) <= 31:
                return 12 * (year - 1970) + month - 1
    return NO_MONTH


def _month(found: dict[str, str]) -> int:
    """The month, 1 to 12, in the parts of a spelling; 0 if there is none."""
    if name := found.get("name"):
        fits = [number for number, full in enumerate(_NAMES, 1) if full.startswith(name.lower())]
        return fits[0] if fits else 0
    if "first" in found:
        first, second = int(found["first"]), int(found["second"])
        order = _order(first, second)
        month = first if order == MONTH_FIRST or first == second else second if order == DAY_FIRST else 0
    else:
        month = int(found["month"])
    return month if month <= 12 else 0


def day_order(text: str | None) -> str | None:
    """Say whether a spelling such as ``12/1/2017`` has the month or the day first; None where that cannot be seen.

    A number above 12 is the day. Else it is the 1, since the files hold months and programs that need a day take the
    first. So ``12/1/2017`` is December and ``3/5/2017`` remains unread.
    """
    match = _TWO_NUMBERS.fullmatch(_TIME.sub("", (text or "").strip()))
    return _order(int(match["first"]), int(match["second"])) if match else None


def _order(first: int, second: int) -> str | None:
    if first == second or max(first, second) > 31:
        return None
    for day, month, order in ((second, first, MONTH_FIRST), (first, second, DAY_FIRST)):
        if day > 12 >= month or (day == 1 and month <= 12):
            return order
    return None


def month_text(number: int) -> str:
    """Spell a month number as ``2017-12``."""
    return f"{1970 + number // 12:04d}-{number % 12 + 1:02d}"
