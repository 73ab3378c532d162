"""Find the header of a raw file, below titles and blank lines, and refuse text that is no CSV of loans."""

from __future__ import annotations

import csv
import io
import re

from csboost.data.errors import DataError, NoLoansError
from csboost.data.lending_club.raw import columns

_TOP_LINES = 20
_LINE_END = re.compile(rb"\r\n|\n|\r")


def find_header(name: str, text: bytes) -> tuple[list[str], int]:
    """Find the header: the first of the top lines with ``grade`` or ``sub_grade`` and another known column.

    The other column tells it from the line about the grade in a data dictionary.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    text : bytes
        Its beginning.

    Returns
    -------
    names : list of str
        Column names in lower case without blanks around them.
    start : int
        Where the first record starts.
    """
    _refuse_other_text(name, text)
    start = 3 if text.startswith(b"\xef\xbb\xbf") else 0  # byte order mark
    seen: list[str] = []
    for _ in range(_TOP_LINES):
        match = _LINE_END.search(text, start)
        stop, after = match.span() if match else (len(text), len(text))
        fields = _fields(text[start:stop].decode("latin-1"))
        start = after
        if ("grade" in fields or "sub_grade" in fields) and len(columns.known(fields)) > 1:
            return fields, start
        if len(fields) > len(seen):
            seen = fields
        if start == len(text):
            break
    raise _headerless(name, seen)


def _fields(line: str) -> list[str]:
    try:
        return [field.strip().lower() for field in next(csv.reader(io.StringIO(line)), [])]
    except csv.Error:  # a huge field: not CSV
        return []


def _refuse_other_text(name: str, text: bytes) -> None:
    head = text[:4096].lstrip()
    if not text.strip():
        raise NoLoansError(f"{name} is empty. Download it again.")
    if text.startswith((b"\x1f\x8b", b"PK\x03\x04")):
        raise DataError(f"{name} holds another archive: unpack it first.")
    zeros = sorted((head[::2].count(0), head[1::2].count(0)))  # Latin letters in UTF-16: every other byte is zero
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or (zeros[0] == 0 and zeros[1] >= len(head) // 2 - 1 > 0):
        raise DataError(f"{name} is in UTF-16, not UTF-8: save it as UTF-8 (iconv -f UTF-16 -t UTF-8 FILE > NEW).")
    if b"\0" in head:
        raise DataError(f"{name} is not text: it holds zero bytes (another kind of archive inside?).")
    if head[:1] == b"<":
        raise DataError(f"{name} is an HTML page, not CSV: the download probably asked for a login. Download it again.")


def _headerless(name: str, fields: list[str]) -> DataError:
    for separator, kind in ((";", "semicolons"), ("\t", "tabs")):
        if any(separator in field and "grade" in field for field in fields):
            return DataError(f"{name} is separated by {kind}: save it with commas.")
    shown = ", ".join(fields[:30]) + (f" and {len(fields) - 30} more" if len(fields) > 30 else "")
    if "grade" in fields or "sub_grade" in fields:
        return NoLoansError(f"{name} has a grade but no other column of Lending Club's files. Its columns: {shown}.")
    return NoLoansError(
        f"{name} has no column 'grade' or 'sub_grade' in its first {_TOP_LINES} lines. Its columns: {shown}."
    )
