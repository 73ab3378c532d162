"""Cut a stream of CSV bytes into blocks of whole records, and pick single fields out of them.

Most records of a large file lie outside the window. Converting their hundred fields costs ten times more than finding
the two that decide, so these two are picked out of the bytes first, and only the records that count are parsed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from csboost._jit import kernel
from csboost.data.errors import DataError
from csboost.data.lending_club.raw.files import Source
from csboost.data.lending_club.raw.header import find_header

BLOCK = 1 << 24  # bytes read at once; a handful of blocks is alive at a time
KEY = 24  # bytes kept of a key field; longer ones are no month and no grade
_LONGEST = 1 << 26  # a record longer than this is a quotation mark without its partner
_SHORTEST = 128  # bytes per record that the index has room for; a block with shorter records is cut earlier
_QUOTE, _COMMA, _NEWLINE, _RETURN = 34, 44, 10, 13


@dataclass
class Block:
    """Whole records.

    Attributes
    ----------
    text : ndarray of uint8, shape (n_bytes,)
    ends : ndarray of int64, shape (n_records,)
        Where each record ends, line end included; record i starts at ``ends[i - 1]``.
    widths : ndarray of int32, shape (n_records,)
        Number of fields; 0 for a blank line.
    """

    text: np.ndarray
    ends: np.ndarray
    widths: np.ndarray


@kernel
def index_records(text: np.ndarray, final: bool, ends: np.ndarray, widths: np.ndarray) -> int:
    """Index the records of ``text`` until its end or until ``ends`` is full; return their number.

    Parameters
    ----------
    text : ndarray of uint8, shape (n,)
        Starts at the start of a record.
    final : bool
        Whether the file ends here, so that a last record without a line end counts.
    ends, widths : ndarray
        Filled; see :class:`Block`.

    Notes
    -----
    A quotation mark opens a quoted field only as its first byte, as Arrow's parser has it; elsewhere it is text.
    Counting quotation marks would be simpler, but one stray inch sign would turn the rest of the file inside out.
    Commas, the most frequent of the bytes that matter, are counted without a branch, which saves mispredictions.
    """
    n = text.size
    records = 0
    commas = 0
    begin = 0
    quoted = False
    last = _COMMA
    i = 0
    while i < n and records < ends.size:
        c = text[i]
        if c <= _QUOTE and (c == _QUOTE or c == _NEWLINE or c == _RETURN):  # noqa: SIM109
            if c == _QUOTE:
                if not quoted:
                    quoted = last == _COMMA or i == begin
                elif i + 1 < n and text[i + 1] == _QUOTE:
                    i += 1
                else:
                    quoted = False
            elif not quoted and (c == _NEWLINE or (i + 1 < n and text[i + 1] != _NEWLINE)):
                blank = commas == 0 and (i == begin or (i == begin + 1 and text[begin] == _RETURN))
                widths[records] = 0 if blank else commas + 1
                ends[records] = i + 1
                records += 1
                begin = i + 1
                commas = 0
        else:
            commas += (c == _COMMA) & (not quoted)
        last = c
        i += 1
    if final and not quoted and begin < n and i >= n and records < ends.size:
        widths[records] = commas + 1
        ends[records] = n
        records += 1
    return records


@kernel
def find_keys(text: np.ndarray, ends: np.ndarray, key_of: np.ndarray, keys: np.ndarray) -> None:
    """Copy the first bytes of the key fields of each record.

    Parameters
    ----------
    text, ends : ndarray
        See :class:`Block`.
    key_of : ndarray of int64, shape (n_fields,)
        Number of the key that a field is, -1 if none; later fields are none.
    keys : ndarray of uint8, shape (n_records, n_keys, KEY)
        Filled without the quotation marks around a field; must be zero.
    """
    for record in range(ends.size):
        i = ends[record - 1] if record > 0 else 0
        stop = ends[record]
        for field in range(key_of.size):
            first = i
            if i < stop and text[i] == _QUOTE:
                i += 1
                first = i
                while i < stop and (text[i] != _QUOTE or (i + 1 < stop and text[i + 1] == _QUOTE)):
                    i += 2 if text[i] == _QUOTE else 1
                last = min(i, stop)
                while i < stop and text[i] != _COMMA:
                    i += 1
            else:
                while i < stop and text[i] != _COMMA and text[i] != _NEWLINE and text[i] != _RETURN:
                    i += 1
                last = i
            if key_of[field] >= 0:
                for j in range(min(last - first, KEY)):
                    keys[record, key_of[field], j] = text[first + j]
            if i >= stop or text[i] != _COMMA:
                break
            i += 1


@kernel(allocates=True)
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


def read_blocks(source: Source, text: bytes, size: int = BLOCK) -> Iterator[Block]:
    """Yield the rest of a file in blocks of whole records.

    Parameters
    ----------
    source : Source
    text : bytes
        What is already read.
    size : int
        Bytes to read at once.

    Raises
    ------
    DataError
        For a damaged archive, or a quoted field that is never closed.
    """
    final = False
    while text or not final:
        while len((block := _index(np.frombuffer(text, dtype=np.uint8), final)).ends):
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


def _index(text: np.ndarray, final: bool) -> Block:
    room = text.size // _SHORTEST + 64
    ends, widths = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int32)
    n = index_records(text, final, ends, widths)
    return Block(text[: ends[n - 1] if n else 0], ends[:n], widths[:n])


def key_fields(block: Block, places: np.ndarray) -> np.ndarray:
    """Return the first bytes of some fields of each record, padded with zeros; (n_records, n_places, KEY) uint8.

    Quotation marks around a field are left out; doubled ones within it stay doubled.
    """
    keys = np.zeros((len(block.ends), len(places), KEY), dtype=np.uint8)
    key_of = np.full(places.max() + 1, -1, dtype=np.int64)
    key_of[places] = np.arange(len(places))
    find_keys(block.text, block.ends, key_of, keys)
    return keys
