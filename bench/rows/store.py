"""The results folder: rows that survive a killed run, a lock, and the settings the rows were made with.

``runs.jsonl`` holds one JSON object per finished job. A row is appended by one ``write`` to a file opened for
appending, so a process killed at any moment leaves whole rows and at most one half-written last line, which the next
run cuts off.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.exits import UnusableError, UsageError
from bench.rows.files import LOCK, OUTPUTS, ROWS, write_atomic
from bench.rows.reading import in_line, keep, read_rows, sound
from bench.rows.row import Job, Row
from bench.rows.settings import SETTINGS, Keys, belongs_to, differences, read_settings, require


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
        self._rows: dict[Job, Row] | None = None  # as in the file, once it has been read
        self._settings: dict[str, Any] | None = None

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
        """Return the stored settings (empty when the folder has none); the file is read once.

        See :func:`bench.rows.settings.read_settings` for the errors.
        """
        if self._settings is None:
            self._settings = read_settings(self.folder)
        return self._settings

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
        text = json.dumps({**self.settings(), "study": self.study, **changes}, indent=2) + "\n"
        write_atomic(self.folder / SETTINGS, text)
        self._settings = json.loads(text)

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
        self._rows = self._settings = None  # another run may have written since
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

    def rows(self) -> list[Row]:
        """Return the stored rows, one per job; the file is read once, and what is skipped is added to ``problems``."""
        return list(self._known_rows().values())

    def done(self) -> set[Job]:
        """Return the jobs that have a finished row."""
        return {job for job, row in self._known_rows().items() if row.is_done}

    def _known_rows(self) -> dict[Job, Row]:
        if self._rows is None:
            try:
                rows, problems = read_rows(self.folder / ROWS, self.study)
            except OSError as error:
                raise UnusableError(f"cannot read {self.folder / ROWS} ({error.strerror}).") from None
            self._rows = {row.job: row for row in rows}
            self.problems += [problem for problem in problems if problem not in self.problems]
        return self._rows

    def append(self, rows: Iterable[Row]) -> None:
        """Append rows, each by one write.

        Raises
        ------
        UnusableError
            When the disk is full or the folder has become unwritable; the file then ends at its last whole row.
        """
        if self._file is None:
            raise RuntimeError("the store is not open")
        for row in (sound(row, self.study) for row in rows):
            line = in_line(row)
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
            if self._rows is not None:
                keep(self._rows, row)
