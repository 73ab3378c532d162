"""How a file is written: its kind, and of text the encoding, the delimiter, the decimal mark and the header."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import csv
import difflib
import gzip
import io
import lzma
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from csboost.data.errors import DataError
from csboost.tables.cells import has_decimal_comma

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
TEXT, PARQUET, EXCEL = "text", "parquet", "Excel"
SAMPLE = 1 << 20  # bytes that are looked at

_SIGNATURES = {b"PAR1": PARQUET, b"PK\x03\x04": EXCEL, b"\xd0\xcf\x11\xe0": EXCEL}
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_REMARK = re.compile(r"sep=.\s*", re.IGNORECASE)  # what spreadsheets write above the header
_LINES = 200  # records of the sample by which the delimiter is chosen


class Format(NamedTuple):
    """How a file is written; of files other than text, only the kind is known."""

    kind: str
    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    skipped: int = 0  # lines above the header
    header: tuple[str, ...] = ()
    row_names: bool = False  # whether lines have one cell more than the header, as R writes them

    @property
    def names(self) -> list[str]:
        """Names of the columns of a text."""
        return ["row name", *self.header] if self.row_names else list(self.header)

    def in_words(self) -> str:
        """What a reader should know of it."""
        if self.kind != TEXT:
            return f"{self.kind} file"
        comma = ", decimal commas" if self.decimal == "," else ""
        return f"text in {self.encoding}, columns separated by {DELIMITERS[self.delimiter]}{comma}"


def checked_path(path: object) -> Path:
    """The path of a file that is there, or else an error that names files of nearly that name."""
    found = Path(str(path))
    if found.is_file():
        return found
    if found.is_dir():
        raise DataError(f"{found} is a folder: give the path of a CSV, TSV, parquet or Excel file.")
    there = [other.name for other in found.parent.iterdir()] if found.parent.is_dir() else []
    near = difflib.get_close_matches(found.name, there, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise FileNotFoundError(f"there is no file {str(found)!r} (looked for at {found.absolute()}).{hint}")


def opened(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked where it is compressed by gzip, bzip2 or xz."""
    with path.open("rb") as file:
        start = file.read(8)
    for mark, opener in _OPENERS.items():
        if start.startswith(mark):
            return opener(path, "rb")  # type: ignore[return-value, operator]
    return path.open("rb")


@contextlib.contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of :func:`opened`; a DataError says where a compressed file is not whole."""
    try:
        with opened(path) as file:
            yield file
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise DataError(f"{path.name} cannot be unpacked ({error}): is it whole?") from None


def find_format(path: Path, target: str | None = None) -> Format:
    """Find how a file is written; where two delimiters are as likely, the one that gives a column ``target``."""
    with unpacked(path) as file:
        sample = file.read(SAMPLE)
        while not isinstance(file, io.BufferedReader) and file.read(SAMPLE):
            pass  # packed: a sum at its end tells whether it is whole, and damage may look like text
    for mark, kind in _SIGNATURES.items():
        if sample.startswith(mark):
            return Format(kind)
    if not sample.strip(codecs.BOM_UTF8 + b" \t\r\n\0"):
        raise DataError(f"{path.name} is empty: it needs a header with the names of the columns, and a line per case.")
    encoding = _encoding(path, sample)
    text = sample.decode(encoding, errors="ignore")
    if "\0" in text:
        raise DataError(f"{path.name} is no table: it holds bytes that no text has. Give CSV, TSV, parquet or Excel.")
    if len(sample) == SAMPLE:  # its last line may be cut
        text = text[: text.rfind("\n") + 1] or text
    skipped = 0
    for line in text.splitlines():
        if line.strip() and not _REMARK.fullmatch(line):
            break
        skipped += 1
    body = "".join(text.splitlines(keepends=True)[skipped:])
    return _of_text(path.name, encoding, body, skipped, target)


def _encoding(path: Path, sample: bytes) -> str:
    """By the mark at the beginning, by zeros between the letters, or UTF-8 if all of it is, else Windows' Latin."""
    for mark, name in _MARKS.items():
        if sample.startswith(mark):
            return name
    half = len(sample[:2000]) // 2
    for place, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if sample[place:2000:2].count(0) > 0.8 * half > 0:
            return name
    return next((name for name in ("utf-8", "cp1252") if _decodes(path, name)), "latin-1")


def _decodes(path: Path, encoding: str) -> bool:
    """Whether a whole file is text in an encoding."""
    decoder, block = codecs.getincrementaldecoder(encoding)(), b"-"
    with unpacked(path) as file:
        while block:
            block = file.read(SAMPLE)
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError:
                return False
    return True


def _of_text(name: str, encoding: str, body: str, skipped: int, target: str | None) -> Format:
    records = {sign: _records(body, sign) for sign in DELIMITERS}
    best = max(DELIMITERS, key=lambda sign: _likelihood(records[sign], target))
    if len(records[best][0]) < 2:
        raise DataError(
            f"{name} has one column only, {records[best][0][0].strip()!r}: separate the columns by commas, semicolons "
            "or tabs."
        )
    header, *rows = records[best]
    names = tuple(cell.strip() for cell in header)
    longer = bool(rows) and all(len(row) == len(names) + 1 for row in rows)
    if longer and not any(row[-1].strip() for row in rows):  # each line ends with a delimiter, and the header does not
        names, longer = (*names, ""), False
    decimal = "," if best != "," and has_decimal_comma(cell for row in rows for cell in row) else "."
    return Format(TEXT, encoding, best, decimal, skipped, _checked_names(name, names), longer)


def _records(body: str, delimiter: str) -> list[list[str]]:
    """The first records; a quote that is never closed ends them."""
    found: list[list[str]] = []
    try:
        for record in csv.reader(io.StringIO(body, newline=""), delimiter=delimiter):
            if record:
                found.append(record)
            if len(found) == _LINES:
                break
    except csv.Error:
        pass
    return found or [[""]]


def _likelihood(records: list[list[str]], target: str | None) -> tuple[bool, bool, float, int]:
    """Larger for a delimiter that gives the target, then several columns, as many in each record, then the most."""
    widths = Counter(map(len, records[1:] or records))
    width, count = widths.most_common(1)[0]
    fits = abs(width - len(records[0])) <= 1
    given = target is not None and target in (cell.strip() for cell in records[0])
    return given, len(records[0]) > 1 and fits, count / sum(widths.values()), len(records[0])


def _checked_names(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Column names: what has none is named by its place; what two columns are called is refused."""
    given = [column for column in names if column]
    repeated = [column for column, count in Counter(given).items() if count > 1]
    if repeated:
        places = [str(place) for place, column in enumerate(names, 1) if column == repeated[0]]
        raise DataError(
            f"{name} names {repeated[0]!r} more than once (columns {' and '.join(places)}): rename or delete one of "
            "them, as nothing tells which is meant."
        )
    if not given:
        raise DataError(f"{name} has no names in its first line: it needs a header with a name for every column.")
    return tuple(column or f"column {place}" for place, column in enumerate(names, 1))
