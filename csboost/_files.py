"""Write a file that is there whole or not at all."""

from __future__ import annotations

import errno
import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any

__all__ = ["whole_file"]


@contextmanager
def whole_file(out: Path, gzip_level: int | None = None) -> Iterator[IO[bytes]]:
    """Open a file that gets its name when the block ends well, and is removed when it does not.

    Parameters
    ----------
    out : Path
        Of a link, the file that it leads to is replaced. A device or a pipe is written directly.
    gzip_level : int, optional
        How thoroughly gzip packs the file; by default it is not packed.

    Raises
    ------
    OSError
        With ``out`` as the name of the file, as the error of a full disk has none and others have the temporary one.
        Errors of other files, and those that are none of the system, stay as they are.
    """
    if out.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a directory: name a file in it", str(out))
    device = out.exists() and not out.is_file()
    target = out if device else Path(os.path.realpath(out))
    unfinished = target if device else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(unfinished, "wb") as raw, _packed(raw, out, gzip_level) as file:
            yield file
        if not device:
            unfinished.replace(target)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(unfinished), unfinished):
            raise
        raise OSError(error.errno, error.strerror, str(out)) from error
    finally:
        if not device:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)


def _packed(raw: IO[bytes], out: Path, level: int | None) -> Any:
    if level is None:
        return nullcontext(raw)
    return gzip.GzipFile(out.stem, "wb", compresslevel=level, fileobj=raw)  # not the name of the unfinished file
