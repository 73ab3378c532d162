"""What is declared of a column of the row file: the kind of its values, and which rows have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.rows.kinds import Kind

DONE, FAILED = "done", "failed"
BOOSTERS = ("credit", "simulations")
"""Studies that compare algorithms (:class:`bench.studies.study.Study`)."""
TIMING, CALIBRATION, READINGS, SUITE, DECISIONS = "timing", "calibration", "readings", "suite", "decisions"
EXPERIMENTS, OWN_FILE = "experiments", "compare"
STUDIES = (*BOOSTERS, TIMING, CALIBRATION, READINGS, SUITE, DECISIONS, EXPERIMENTS, OWN_FILE)
"""Studies whose rows are checked whole; of the rows of others, only the key and the status are known."""

Values = Mapping[str, Any]

Needed = Callable[[str | None, Values], bool]
"""(study, row as read) -> whether the row must have the column."""


def always(study: str | None, row: Values) -> bool:
    """Every row has it."""
    return True


def never(study: str | None, row: Values) -> bool:
    """A row may lack it."""
    return False


def if_known(study: str | None, row: Values) -> bool:
    """Every row of a known study has it."""
    return study in STUDIES


def if_failed(study: str | None, row: Values) -> bool:
    """Failed rows have it."""
    return row.get("status") == FAILED


def of(*studies: str) -> Needed:
    """Every row of these studies has it, finished or failed."""
    return lambda study, row: study in studies


def done_of(*studies: str, measures: tuple[str, ...] = ()) -> Needed:
    """Finished rows of these studies have it; of the timing study, those of these measures."""

    def needed(study: str | None, row: Values) -> bool:
        asked = study in studies or (study == TIMING and row.get("measure") in measures)
        return asked and row.get("status") == DONE

    return needed


@dataclass(frozen=True)
class Column:
    """A column: the kind of its values, and which rows have it."""

    kind: Kind
    needed: Needed
