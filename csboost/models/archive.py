"""The file: a zip of ``model.json`` and ``arrays/0.npy``, ``arrays/1.npy``, ..., nothing compressed.

As nothing is compressed no file takes more memory than a small multiple of its size; nothing is unpacked to disk.
``model.json`` holds the digest of every array, and one of itself.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from csboost._files import whole_file
from csboost.models.values import checked_dtype

__all__ = ["FORMAT", "VERSION", "read_archive", "write_archive"]

FORMAT, VERSION = "csboost model", 1
_JSON = "model.json"
_DAMAGED = "is damaged, or was edited"
_AGAIN = "Copy it again from where it was written, or save the model again."


def write_archive(path: Path, contents: dict[str, Any], arrays: list[np.ndarray]) -> None:
    """Write the file whole or not at all. The same model makes the same bytes.

    Raises
    ------
    OSError
    """
    parts = {_name(place): _npy(array) for place, array in enumerate(arrays)}
    digests = {name: hashlib.sha256(part).hexdigest() for name, part in parts.items()}
    described = {"format": FORMAT, "version": VERSION, **contents, "arrays": digests}
    described["digest"] = _digest(described)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {path.parent}")
    with whole_file(path) as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_STORED) as file:
        for name, part in {_JSON: _dumped(described).encode(), **parts}.items():
            entry = zipfile.ZipInfo(name)  # of 1980: no time of day in the bytes
            entry.external_attr = 0o644 << 16
            file.writestr(entry, part)


def read_archive(path: Path) -> tuple[dict[str, Any], list[np.ndarray]]:
    """What the file says, and its arrays.

    Raises
    ------
    ValueError
        For a file that is truncated, edited, foreign or of a later version; the message names it and says what to do.
    OSError
        For one that cannot be read.
    """
    data = path.read_bytes()
    parts = _parts(path, data)
    described = _description(path, parts)
    digests = described["arrays"]
    if not isinstance(digests, dict) or list(digests) != [_name(place) for place in range(len(parts) - 1)]:
        refuse(path, f"{_DAMAGED}: its parts are not those that it lists", _AGAIN)
    if described.pop("digest", None) != _digest(described):
        refuse(path, f"{_DAMAGED}: {_JSON} does not match its digest", _AGAIN)
    for name, digest in digests.items():
        if name not in parts or hashlib.sha256(parts[name]).hexdigest() != digest:
            refuse(path, f"{_DAMAGED}: {name} does not match its digest", _AGAIN)
    try:
        return described, [_array(parts[name]) for name in digests]
    except Exception as error:
        refuse(path, f"{_DAMAGED}: {error}", _AGAIN, error)


def refuse(path: Path, what: str, remedy: str, error: Exception | None = None) -> NoReturn:
    """Say what is wrong with a file and what to do."""
    raise ValueError(f"{path} {' '.join(what.split())}. {remedy}") from error


def _parts(path: Path, data: bytes) -> dict[str, bytes]:
    """The parts of the zip file by name."""
    if not data.startswith(b"PK\x03\x04"):
        refuse(path, f"is no model file of csboost{_guess(data)}", "Give a file that csboost.save_model has written.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            entries = file.infolist()
            names = [entry.filename for entry in entries]
            if _JSON not in names:
                refuse(path, "is no model file of csboost", "Give a file that csboost.save_model has written.")
            plain = all(entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & 1 for entry in entries)
            if not plain or sum(entry.file_size for entry in entries) > len(data) or len(set(names)) < len(names):
                refuse(path, f"{_DAMAGED}: csboost.save_model does not write such a zip file", _AGAIN)
            return {name: file.read(name) for name in names}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, OverflowError) as error:
        refuse(path, f"{_DAMAGED} ({error})", _AGAIN, error)


def _guess(data: bytes) -> str:
    if not data:
        return ": it is empty"
    if data.startswith(b"\x80"):
        return ": it looks like a pickle"
    return ""


def _description(path: Path, parts: dict[str, bytes]) -> dict[str, Any]:
    """What ``model.json`` says, of a version that is known."""
    try:
        described = json.loads(parts[_JSON], parse_constant=_no_number)
        known = isinstance(described, dict) and described.get("format") == FORMAT
        version = described.get("version") if known else None
    except (ValueError, RecursionError) as error:
        refuse(path, f"{_DAMAGED}: {_JSON} cannot be read", _AGAIN, error if isinstance(error, ValueError) else None)
    if not known:
        refuse(path, "is no model file of csboost", "Give a file that csboost.save_model has written.")
    if type(version) is not int or version < 1 or not {"arrays", "written_by", "model"} <= described.keys():
        refuse(path, _DAMAGED, _AGAIN)
    if version > VERSION:
        writer = described["written_by"].get("csboost") if isinstance(described["written_by"], dict) else None
        refuse(
            path,
            f"was written by a later csboost ({writer}), in version {version} of the format; this one reads up to "
            f"{VERSION}",
            "Update csboost.",
        )
    if not isinstance(described["written_by"], dict):
        refuse(path, f"{_DAMAGED}: it does not say which versions wrote it", _AGAIN)
    return described


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _name(place: int) -> str:
    return f"arrays/{place}.npy"


def _dumped(described: dict[str, Any]) -> str:
    return json.dumps(described, separators=(",", ":"), allow_nan=False)


def _digest(described: dict[str, Any]) -> str:
    return hashlib.sha256(_dumped(described).encode()).hexdigest()


def _npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _array(part: bytes) -> np.ndarray:
    """One array; its header must declare as much as there is."""
    buffer = io.BytesIO(part)
    if np.lib.format.read_magic(buffer) != (1, 0):
        raise ValueError("an array is of a version that is not written")
    shape, _, dtype = np.lib.format.read_array_header_1_0(buffer)
    size = math.prod(shape)
    checked_dtype(dtype.str)
    if size * dtype.itemsize != len(part) - buffer.tell() or size > len(part):
        raise ValueError("an array is not as large as it says")
    buffer.seek(0)
    return np.asarray(np.lib.format.read_array(buffer, allow_pickle=False))
