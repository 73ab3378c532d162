"""Reading and writing lines of ``runs.jsonl``: each is checked against the schema of a row."""

from __future__ import annotations

import json
from pathlib import Path

from bench.rows.columns import FAILED
from bench.rows.row import Job, Row, fault_of_row, of_json

KEPT = ("study", *Job._fields, "seed", "work", "size", "versions")
"""Columns that do not depend on what came out."""


def read_rows(path: Path, study: str | None = None) -> tuple[list[Row], list[str]]:
    """Read a row file.

    Parameters
    ----------
    path : Path
        The ``runs.jsonl``; a missing file is an empty one.
    study : str, optional
        Whose rows they are, which says what else than its key a row must have.

    Returns
    -------
    rows : list of Row
        At most one per job: the first finished one, or else the last failure.
    problems : list of str
        What was skipped and where; empty for a sound file.
    """
    rows: dict[Job, Row] = {}
    problems: list[str] = []
    data = path.read_bytes() if path.exists() else b""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
            fault = fault_of_row(values, study)
        except (ValueError, RecursionError):  # ValueError covers broken JSON and broken UTF-8
            fault = "not a whole row (an interrupted write?)"
        if fault is None:
            keep(rows, of_json(values))
        else:
            problems.append(
                f"{path}, line {number}: {fault}; skipped, its job counts as not run. Mend or delete the line; without "
                "--render-only the same command runs the job again."
            )
    return list(rows.values()), problems


def keep(rows: dict[Job, Row], row: Row) -> None:
    """Keep a row, unless its job has finished already: a failure gives way to what comes later."""
    job = row.job
    if job not in rows or not rows[job].is_done:
        rows[job] = row


def sound(row: Row, study: str | None = None) -> Row:
    """Return a row that can be stored: a result that no reader would take is a failure of its job."""
    fault = fault_of_row(row.stored(), study)
    if fault is None:
        return row
    kept = {name: value for name, value in row.stored().items() if name in KEPT}
    failure = Row(**kept, status=FAILED, error=f"what was measured cannot be stored: {fault}")
    fault = fault_of_row(failure.stored(), study)
    if fault is not None:
        raise ValueError(f"the row of {row.job} cannot be stored: {fault}")
    return failure


def in_line(row: Row) -> bytes:
    """Return a row as a line of the row file."""
    return json.dumps(row.stored(), separators=(",", ":"), allow_nan=False).encode() + b"\n"
