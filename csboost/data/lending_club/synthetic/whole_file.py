"""Write a file that is there whole or not at all."""

from __future__ import annotations

import errno
import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any


@contextmanager
def whole_file(out: Path) -> Iterator[IO[bytes]]:
    """Open a file that gets its name when the block ends well, and is removed when it does not.

    Parameters
    ----------
    out : Path
        Packed with gzip if it ends in ``.gz``. A device or a pipe is written directly.

    Raises
    ------
    OSError
        Always with ``out`` as the name of the file: the error of a full disk has none, others have the temporary one.
    """
    if out.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a directory: name a file in it", str(out))
    device = out.exists() and not out.is_file()
    target = out if device else Path(os.path.realpath(out))
    unfinished = target if device else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(unfinished, "wb") as raw, _packed(raw, out) as file:
            yield file
        if not device:
            unfinished.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(out)) from error
    finally:
        if not device:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)


def _packed(raw: IO[bytes], out: Path) -> Any:
    if out.suffix != ".gz":
        return nullcontext(raw)
    return gzip.GzipFile(out.stem, "wb", compresslevel=4, fileobj=raw)  # not the name of the unfinished file
