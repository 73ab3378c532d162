"""Open the user's files: plain, gzip or zip, told apart by their first bytes, with a clear error for anything else."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any

from csboost.data.errors import DataError

_FOREIGN = {
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PAR1": "Parquet",
    b"%PDF": "PDF",
    b"\xd0\xcf\x11\xe0": "old Excel",
    b"\x89PNG": "PNG",
}
_HOW = "Lending Club's loans come as CSV: plain, .gz or .zip."


@dataclass
class Source:
    """One stream of CSV bytes.

    Attributes
    ----------
    name : str
        For messages: the path, and the member if it is an archive.
    read : callable
        ``read(n)`` returns up to n bytes, b"" at the end; raises :class:`DataError` for a damaged archive.
    position : callable
        Bytes of the file on disk that are used up, for progress.
    """

    name: str
    read: Callable[[int], bytes]
    position: Callable[[], int]


def check_path(path: str | PathLike[str]) -> Path:
    """Return ``path`` as a file that exists and is not empty, or raise :class:`DataError`."""
    path = Path(path)
    if path.is_dir():
        inside = sorted(p.name for p in path.iterdir() if p.name.lower().endswith((".csv", ".csv.gz", ".zip")))
        hint = f"; it holds {', '.join(inside[:5])}" if inside else ""
        raise DataError(f"{path} is a directory: name the file in it{hint}.")
    if not path.exists():
        raise DataError(f"There is no file {path}. {_HOW}")
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty. Download it again.")
    return path


def open_sources(path: Path) -> Iterator[Source]:
    """Yield the CSV streams of a file: one, or those in a zip archive; each is closed when the next is asked for."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open(path, "rb"))
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
        magic = file.read(8)
        file.seek(0)
        if magic.startswith(b"PK\x03\x04"):
            yield from _zip_members(path, file)
        else:
            _refuse_foreign(str(path), magic)
            yield _stream(str(path), file, magic, file.tell)


def _stream(name: str, file: IO[bytes], magic: bytes, position: Callable[[], int]) -> Source:
    if not magic.startswith(b"\x1f\x8b"):
        return Source(name, _guarded(name, file.read), position)
    import pyarrow as pa

    # Arrow unpacks outside the interpreter lock, joins the members of a concatenated file and notices a truncated one.
    unpacked = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "gzip")
    return Source(name, _guarded(name, unpacked.read), position)


def _guarded(name: str, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    def guarded(size: int) -> bytes:
        try:
            parts = [read(size)]
            while parts[-1] and sum(map(len, parts)) < size:  # a stream may return less than it is asked for
                parts.append(read(size - sum(map(len, parts))))
            return b"".join(parts)
        except (OSError, EOFError, RuntimeError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
            cause = "ends too early" if "runcated" in str(error) else f"cannot be unpacked ({error})"
            raise DataError(f"{name} is damaged: it {cause}. Download it again.") from error

    return guarded


def _refuse_foreign(name: str, magic: bytes) -> None:
    for start, kind in _FOREIGN.items():
        if magic.startswith(start):
            raise DataError(f"{name} is a {kind} file. {_HOW}")


def _zip_members(path: Path, file: IO[bytes]) -> Iterator[Source]:
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile as error:
        raise DataError(f"{path} is a damaged zip archive ({error}). Download it again.") from error
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if any(name.startswith("xl/") for name in names):
        raise DataError(f"{path} is an Excel workbook: save its sheet as CSV. {_HOW}")
    chosen = _loan_members(names)
    if not chosen:
        raise DataError(f"{path} holds no CSV of loans, but {', '.join(names[:5]) or 'nothing'}. {_HOW}")
    for name in chosen:
        with ExitStack() as stack:
            label = f"{path}:{name}"
            try:
                member: Any = stack.enter_context(archive.open(name))
            except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:  # a password, an unknown method
                raise DataError(f"{label} cannot be unpacked ({error}). Unpack it first.") from error
            magic = _guarded(label, member.peek)(8)
            _refuse_foreign(label, magic)
            yield _stream(label, member, magic, file.tell)


def _loan_members(names: list[str]) -> list[str]:
    """Leave out what is not CSV, the rejected applications, and the packed twin of a member that is there unpacked."""
    bases = {name: name.rsplit("/", 1)[-1].lower() for name in names if not name.startswith("__MACOSX")}
    wanted = {name: base for name, base in bases.items() if not base.startswith(("reject", "."))}
    plain = [name for name, base in wanted.items() if base.endswith(".csv")]
    unpacked = {wanted[name] for name in plain}
    packed = [name for name, base in wanted.items() if base.endswith(".csv.gz") and base[:-3] not in unpacked]
    return [*plain, *packed]
