"""Tables of costs cell by cell, from text separated by commas, semicolons or tabs, or from a table in memory."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from csboost.costs.roles import COSTS, names_a_list, roles
from csboost.costs.tables import default_labels

__all__ = ["COMMA", "NUMBER", "Cells", "cells_of_file", "cells_of_frame", "reads_as_number"]

SEPARATORS = {"\t": "tab", ";": "semicolon", ",": "comma"}  # in the order in which they are tried
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")  # with a decimal point, if any
COMMA = re.compile(r"[-+]?\d+,\d+")  # with a decimal comma
_GROUPS = re.compile(r"[-+]?\d{1,3}([.,]\d{3})+([.,]\d+)?")  # meant as a number, but with marks between thousands
_REMARK = re.compile(r"sep=.\s*", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")  # how files of gzip, bzip2, xz and zstd begin
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how files of Excel begin


class Cells(NamedTuple):
    """What stands where in a table; text without the blanks around it, ``""`` where there is nothing. Numbers have the
    keyboard's minus, whichever they were written with.
    """

    name: str  # of the file or the table
    header: list[Any]
    rows: list[list[Any]]
    places: list[str]  # of the rows, as people count them
    separator: str | None = None  # of the columns of a file


def reads_as_number(cell: Any) -> bool:
    """Whether people would take a cell for a number; not every such text is read as one."""
    return not isinstance(cell, str) or any(form.fullmatch(cell) for form in (NUMBER, COMMA, _GROUPS))


def cells_of_file(source: Any) -> Cells:
    """The cells of a file (a path, or open); each error names the file and the line."""
    name, text = _read(source)
    lines = {number: line for number, line in enumerate(text.splitlines(), 1) if _counts(line)}
    if not lines:
        raise ValueError(f"{name} is empty: it needs a header with the answers, and a line per truth.")
    separator = _separator(list(lines.values()))
    if separator is None:
        first = next(iter(lines))
        raise ValueError(
            f"{name}, line {first}: there is one column only, {lines[first].strip()!r}. Separate the columns by "
            "commas, semicolons or tabs."
        )
    _align(name, lines, separator)
    table = _parsed(name, lines, separator)
    rows = [[_cell(cell) for cell in row] for row in table.to_numpy().tolist()]
    header, *rows = _without_empty_end(rows)
    if not rows:
        raise ValueError(f"{name} has a header, but no line of costs below it: give a line per truth.")
    return Cells(name, header, rows, [f"line {number}" for number in list(lines)[1:]], separator)


def cells_of_frame(frame: pd.DataFrame) -> Cells:
    """The cells of a table in memory; its index holds the truths, or else its first column does."""
    columns: list[Any] = list(frame.columns)
    index: list[Any] = list(frame.index)
    rows = [[_cell(value) for value in row] for row in frame.astype(object).to_numpy().tolist()]
    places = [f"row {place}" for place in range(1, len(index) + 1)]
    name = "the table"
    if not rows or not columns:
        raise ValueError(f"{name} is empty: it needs a column per answer and a row per truth.")
    if not names_a_list(columns) and (not default_labels(index) or set(index) & set(columns)):
        corner = "truth" if frame.index.name is None else frame.index.name
        columns, rows = [corner, *columns], [[label, *row] for label, row in zip(index, rows, strict=True)]
    return Cells(name, [_cell(label) for label in columns], [[_cell(row[0]), *row[1:]] for row in rows], places)


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        text = value.strip()
        number = text.replace("\u2212", "-")  # the minus of typesetters
        return number if reads_as_number(number) else text
    return "" if value is None or value is pd.NA or value != value else value


def _read(source: Any) -> tuple[str, str]:
    """Name and text of a file."""
    if hasattr(source, "read"):
        name, content = str(getattr(source, "name", "the file")), source.read()
    else:
        path = Path(source)
        if not path.exists():
            raise FileNotFoundError(
                f"there is no file {str(path)!r} (looked for at {path.absolute()}): give the path of a CSV file of "
                "costs, or the table itself as a pandas.DataFrame."
            )
        name, content = path.name, path.read_bytes()
    if isinstance(content, str):
        return name, content.removeprefix("\ufeff")
    if content.startswith(_PACKED) or name.lower().endswith(".zip"):
        raise ValueError(f"{name} is compressed: unpack it, or give pandas.read_csv(path, index_col=0).")
    if content.startswith(_WORKBOOKS):
        raise ValueError(
            f"{name} is a workbook of Excel: save the sheet as CSV, or give pandas.read_excel(path, index_col=0)."
        )
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return name, content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{name}, line {line}: this is no text in UTF-8. Save the file as UTF-8 (in Excel: 'CSV UTF-8')."
        ) from None


def _counts(line: str) -> bool:
    """Whether a line is neither blank nor a comment, nor a spreadsheet's remark on its separator."""
    return line.strip(" ,;\t") != "" and not line.lstrip().startswith("#") and not _REMARK.fullmatch(line)


def _widths(lines: list[str], separator: str) -> list[int]:
    """Number of fields of each line."""
    return [1 + _QUOTED.sub("", line).count(separator) for line in lines]


def _separator(lines: list[str]) -> str | None:
    """What separates the columns: the first that does so evenly, or else the commonest in the header."""
    widths = {separator: _widths(lines, separator) for separator in SEPARATORS}
    even = [separator for separator, found in widths.items() if found[0] > 1 and len(set(found)) == 1]
    best = even[0] if even else max(SEPARATORS, key=lambda separator: widths[separator][0])
    return best if widths[best][0] > 1 else None


def _align(name: str, lines: dict[int, str], separator: str) -> None:
    """Give the header its first cell, which some programs leave out, in place; refuse lines of other lengths."""
    numbers, widths = list(lines), _widths(list(lines.values()), separator)
    if len(widths) > 1 and set(widths[1:]) == {widths[0] + 1} and not _has_corner(list(lines.values()), separator):
        lines[numbers[0]] = separator + lines[numbers[0]]
        return
    for number, width in zip(numbers, widths, strict=True):
        if width != widths[0]:
            raise ValueError(
                f"{name}, line {number}: {width} cells, but the header (line {numbers[0]}) has {widths[0]}, separated "
                f"by a {SEPARATORS[separator]}. Give every line as many; put quotes around text that holds a "
                f"{SEPARATORS[separator]}{', also around numbers with a decimal comma' if separator == ',' else ''}."
            )


def _has_corner(lines: list[str], separator: str) -> bool:
    """Whether a header has its first cell: an empty one, or a name for the truths, which is none of them itself; or
    whether it is that of a list.
    """
    names, *rows = ([cell.strip(' "') for cell in line.split(separator)] for line in lines)
    named = names[0] == "" or bool(roles(names[0])) or names[-1].lower() in COSTS
    return named and names[0] not in {row[0] for row in rows}


def _parsed(name: str, lines: dict[int, str], separator: str) -> pd.DataFrame:
    """The fields as text, header included."""
    text = io.StringIO("\n".join(lines.values()))
    try:
        table = pd.read_csv(text, sep=separator, header=None, dtype=str, na_filter=False, skipinitialspace=True)
    except pd.errors.ParserError as error:
        raise ValueError(f"{name} cannot be read as a table: {error}. Look for a quote that is not closed.") from None
    if len(table) != len(lines):
        raise ValueError(f"{name} has a cell of several lines in quotes, or a quote that is not closed: mend it.")
    return table


def _without_empty_end(rows: list[list[str]]) -> list[list[str]]:
    """The rows without empty columns at their right, which spreadsheets leave behind."""
    width = len(rows[0])
    while width > 2 and not any(row[width - 1] for row in rows):
        width -= 1
    return [row[:width] for row in rows]
