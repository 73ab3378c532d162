"""The results folder: rows that survive a killed run, a lock, and the settings the rows were made with.

``runs.jsonl`` holds one JSON object per finished job. A row is appended by one ``write`` to a file opened for
appending, so a process killed at any moment leaves whole rows and at most one half-written last line, which the next
run cuts off.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.exits import UnusableError, UsageError
from bench.records import Keys, fault_of_row
from bench.settings import SETTINGS, belongs_to, differences, read_settings, require
from bench.study import Job

ROWS, LOCK = "runs.jsonl", ".lock"
OUTPUTS = (
    ROWS,
    SETTINGS,
    "table.csv",
    "table.md",
    "table.tex",
    "targets.csv",
    "report.html",
    "environment.json",
    "figure-*.png",
    "figure-*.pdf",
)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader, or a killed run, sees the old content or the new, never half of it.

    Raises
    ------
    UnusableError
        When it cannot be written; a full disk does not say which file it had no room for, so this does.
    """
    data = content.encode() if isinstance(content, str) else content
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except OSError as error:
        cure = "make room" if error.errno in _NO_ROOM else "mend that"
        raise UnusableError(
            f"cannot write {path} ({error.strerror}). The finished jobs are kept; {cure} and give the same command "
            "again."
        ) from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def job_of(row: dict[str, Any]) -> Job:
    """Return the key of a stored row."""
    return Job(*(row[name] for name in Job._fields))


def read_rows(path: Path, study: str | None = None) -> tuple[list[dict[str, Any]], list[str]]:
    """Read a row file.

    Parameters
    ----------
    path : Path
        The ``runs.jsonl``; a missing file is an empty one.
    study : str, optional
        Whose rows they are, which says what else than its key a row must have.

    Returns
    -------
    rows : list of dict
        At most one per job: the first finished one, or else the last failure.
    problems : list of str
        What was skipped and where; empty for a sound file.
    """
    rows: dict[Job, dict[str, Any]] = {}
    problems: list[str] = []
    data = path.read_bytes() if path.exists() else b""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            fault = fault_of_row(row, study)
        except (ValueError, RecursionError):  # ValueError covers broken JSON and broken UTF-8
            fault = "not a whole row (an interrupted write?)"
        if fault is not None:
            problems.append(
                f"{path}, line {number}: {fault}; skipped, its job counts as not run. Mend or delete the line; without "
                "--render-only the same command runs the job again."
            )
            continue
        job = job_of(row)
        if rows.get(job, {}).get("status") != "done":
            rows[job] = row
    return list(rows.values()), problems


class Store:
    """A results folder, open for one run at a time.

    Parameters
    ----------
    folder : Path
    study : str
        The study's name; a folder of another study is refused.
    """

    def __init__(self, folder: Path, study: str) -> None:
        self.folder, self.study = folder, study
        self.problems: list[str] = []
        self._lock: Any = None
        self._file: int | None = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._file)
            os.close(self._file)
        if self._lock is not None:
            self._lock.close()
        self._file = self._lock = None

    def settings(self) -> dict[str, Any]:
        """Return the stored settings (empty when the folder has none); see :func:`bench.settings.read_settings`."""
        return read_settings(self.folder)

    def check_rendered(self, *needed: Keys) -> None:
        """Refuse a folder from which nothing can be drawn; ``needed`` are settings, as paths of keys, that must be."""
        if not (self.folder / ROWS).exists():
            raise UnusableError(f"{self.folder} has no {ROWS}: nothing to draw. Run without --render-only first.")
        settings = self.settings()
        if settings.get("study") != self.study:
            raise UsageError(f"{self.folder} holds no results of this study; choose another --out.")
        require(self.folder, settings, *needed)

    def save_settings(self, **changes: Any) -> None:
        """Store settings beside those already there."""
        write_atomic(
            self.folder / SETTINGS, json.dumps({**self.settings(), "study": self.study, **changes}, indent=2) + "\n"
        )

    def open(self, fingerprint: dict[str, Any], fresh: bool = False) -> None:
        """Make the folder ready for a run that appends rows.

        Parameters
        ----------
        fingerprint : dict
            Whatever fixes the outcome of a job; rows of another fingerprint must not mix with the new ones.
        fresh : bool
            Delete the earlier results in the folder (files that this program writes, and no others).

        Raises
        ------
        UsageError
            Another run holds the folder; it holds other settings; with ``fresh``, it is not a results folder.
        UnusableError
            The folder cannot be made or written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._take_lock()
            if fresh:
                self._clear()
            self._check(json.loads(json.dumps(fingerprint)))
            self.save_settings(fingerprint=fingerprint)
            self._open_rows()
        except OSError as error:
            raise UnusableError(f"cannot write to {self.folder} ({error.strerror}); choose another --out.") from None

    def _take_lock(self) -> None:
        if self._lock is None:
            self._lock = open(self.folder / LOCK, "a+")  # noqa: SIM115 - held until the store is closed
        try:
            import fcntl

            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows has no flock: there, two runs into one folder are the user's care
            pass
        except BlockingIOError:
            raise UsageError(
                f"another run is writing to {self.folder}; wait for it to end or choose another --out."
            ) from None

    def _clear(self) -> None:
        others = [path.name for path in self.folder.iterdir() if path.name != LOCK]
        if others and not belongs_to(self.folder, self.study):
            raise UsageError(
                f"--fresh refuses to delete anything in {self.folder}: it is not a results folder of this study "
                f"(no {SETTINGS} of it; found {', '.join(sorted(others)[:3])}). Choose another --out."
            )
        for pattern in OUTPUTS:
            for path in self.folder.glob(pattern):
                path.unlink()

    def _check(self, fingerprint: dict[str, Any]) -> None:
        stored = self.settings()
        if not stored:
            if (self.folder / ROWS).exists():
                raise UsageError(
                    f"{self.folder} has a {ROWS} without {SETTINGS}: nothing says how it was made; choose another --out"
                )
            return
        before = {"study": stored.get("study"), **stored.get("fingerprint", {})}
        what = differences(before, {"study": self.study, **fingerprint})
        if what:
            raise UsageError(
                f"{self.folder} holds results made with other settings ({what}). "
                "Give --fresh to delete them, or another --out to keep them."
            )

    def _open_rows(self) -> None:
        path = self.folder / ROWS
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        data = path.read_bytes()
        if data and not data.endswith(b"\n"):
            whole = data.rfind(b"\n") + 1
            try:  # a last row that is whole but for its newline is kept
                json.loads(data[whole:])
                os.write(self._file, b"\n")
            except (ValueError, RecursionError):
                os.ftruncate(self._file, whole)
                self.problems.append(f"{path}: the last line was half-written and has been cut off; its job runs again")

    def rows(self) -> list[dict[str, Any]]:
        """Return the stored rows, one per job; what had to be skipped is added to ``problems``."""
        try:
            rows, problems = read_rows(self.folder / ROWS, self.study)
        except OSError as error:
            raise UnusableError(f"cannot read {self.folder / ROWS} ({error.strerror}).") from None
        self.problems += [problem for problem in problems if problem not in self.problems]
        return rows

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Append rows, each by one write.

        Raises
        ------
        UnusableError
            When the disk is full or the folder has become unwritable; the file then ends at its last whole row.
        """
        if self._file is None:
            raise RuntimeError("the store is not open")
        for row in rows:
            line = json.dumps(row, separators=(",", ":"), allow_nan=False).encode() + b"\n"
            size = os.fstat(self._file).st_size
            try:
                if os.write(self._file, line) != len(line):
                    raise OSError(28, "No space left on device")
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._file, size)
                raise UnusableError(
                    f"cannot write to {self.folder / ROWS} ({error.strerror}). The finished jobs are kept; "
                    "make room and give the same command again."
                ) from None
