"""Cut a stream of CSV bytes into blocks of whole records; index where each ends, its width and its key fields.

Most records of a large file lie outside the window. Converting their hundred fields costs ten times more than finding
the two that decide, so these two are picked out of the bytes first, and only the records that count are parsed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from csboost._jit import kernel
from csboost.data.errors import DataError
from csboost.data.raw.files import Source
from csboost.data.raw.header import find_header

BLOCK = 1 << 24  # bytes read at once; a handful of blocks is alive at a time
KEY = 24  # bytes kept of a key field; longer ones are no month and no grade
_LONGEST = 1 << 26  # a record longer than this is a quotation mark without its partner
_SHORTEST = 128  # bytes per record that the index has room for; a block with shorter records is cut earlier
_QUOTE, _COMMA, _NEWLINE, _RETURN = 34, 44, 10, 13


@dataclass
class Block:
    """Whole records and their index.

    Attributes
    ----------
    text : ndarray of uint8, shape (n_bytes,)
    ends : ndarray of int64, shape (n_records,)
        Where each record ends, line end included; record i starts at ``ends[i - 1]``.
    widths : ndarray of int32, shape (n_records,)
        Number of fields; 0 for a blank line.
    keys : ndarray of uint8, shape (n_records, n_keys, KEY)
        The first bytes of the key fields, without quotation marks around them, padded with zeros.
    """

    text: np.ndarray
    ends: np.ndarray
    widths: np.ndarray
    keys: np.ndarray


@kernel
def index_records(
    text: np.ndarray, places: np.ndarray, final: bool, ends: np.ndarray, widths: np.ndarray, keys: np.ndarray
) -> int:
    """Index the records of ``text`` until its end or until ``ends`` is full; return their number.

    Parameters
    ----------
    text : ndarray of uint8, shape (n,)
        Starts at the start of a record.
    places : ndarray of int64, shape (n_keys,)
        Which fields are keys.
    final : bool
        Whether the file ends here, so that a last record without a line end counts.
    ends, widths, keys : ndarray
        Filled; see :class:`Block`. ``keys`` must be zero.

    Notes
    -----
    A quotation mark opens a quoted field only as its first byte, as Arrow's parser has it; elsewhere it is text.
    Counting quotation marks would be simpler, but one stray inch sign would turn the rest of the file inside out.
    """
    n = text.size
    quoted = False
    start = True  # of a field
    field = 0
    key = -1
    length = 0
    records = 0
    begin = 0
    i = 0
    for k in range(places.size):
        if places[k] == 0:
            key = k
    while i < n and records < ends.size:
        c = text[i]
        plain = True
        if quoted:
            if c == _QUOTE:
                if i + 1 < n and text[i + 1] == _QUOTE:
                    i += 1
                else:
                    quoted = False
                    plain = False
        elif c == _QUOTE and start:
            quoted = True
            plain = False
        elif c == _COMMA:
            field += 1
            start = True
            length = 0
            key = -1
            for k in range(places.size):
                if places[k] == field:
                    key = k
            i += 1
            continue
        elif c == _NEWLINE or (c == _RETURN and i + 1 < n and text[i + 1] != _NEWLINE):
            blank = field == 0 and (i == begin or (i == begin + 1 and text[begin] == _RETURN))
            widths[records] = 0 if blank else field + 1
            ends[records] = i + 1
            records += 1
            begin = i + 1
            field = 0
            start = True
            length = 0
            key = -1
            for k in range(places.size):
                if places[k] == 0:
                    key = k
            i += 1
            continue
        start = False
        if plain and key >= 0 and length < KEY:
            keys[records, key, length] = c
            length += 1
        i += 1
    if final and not quoted and records < ends.size and begin < n and i >= n:
        widths[records] = field + 1
        ends[records] = n
        records += 1
    return records


@kernel
def gather_records(text: np.ndarray, ends: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """Copy the records where ``keep`` is true, one after the other; (n_bytes,) uint8."""
    size = 0
    for i in range(ends.size):
        if keep[i]:
            size += ends[i] - (ends[i - 1] if i > 0 else 0)
    out = np.empty(size, dtype=np.uint8)
    at = 0
    for i in range(ends.size):
        if keep[i]:
            first = ends[i - 1] if i > 0 else 0
            out[at : at + ends[i] - first] = text[first : ends[i]]
            at += ends[i] - first
    return out


def open_records(source: Source, size: int = BLOCK) -> tuple[list[str], bytes]:
    """Read the header; return the names of the columns and the bytes already read below it."""
    first = source.read(size)
    names, start = find_header(source.name, first)
    return names, first[start:]


def read_blocks(source: Source, text: bytes, places: np.ndarray, size: int = BLOCK) -> Iterator[Block]:
    """Yield the rest of a file in blocks of whole records.

    Parameters
    ----------
    source : Source
    text : bytes
        What is already read.
    places : ndarray of int64
        Which fields are keys.
    size : int
        Bytes to read at once.

    Raises
    ------
    DataError
        For a damaged archive, or a quoted field that is never closed.
    """
    final = False
    while text or not final:
        while True:
            block = _index(np.frombuffer(text, dtype=np.uint8), places, final)
            if len(block.ends) == 0:
                break
            yield block
            text = text[block.ends[-1] :]
        if len(text) > _LONGEST or (final and text):
            raise DataError(
                f"{source.name}: a quotation mark opens a field that is never closed, in the record that starts with"
                f" {text[:60].decode('utf-8', 'replace')!r}."
            )
        if final:
            break
        more = source.read(size)
        final = not more
        text += more


def _index(text: np.ndarray, places: np.ndarray, final: bool) -> Block:
    room = text.size // _SHORTEST + 64
    ends, widths = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int32)
    keys = np.zeros((room, len(places), KEY), dtype=np.uint8)
    n = index_records(text, places, final, ends, widths, keys)
    used = int(ends[n - 1]) if n else 0
    return Block(text[:used], ends[:n], widths[:n], keys[:n])
