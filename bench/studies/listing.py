"""Studies whose result is a list: jobs of any kind, run one by one, and stored, resumed and shown as other studies are.

A :class:`~bench.studies.study.Study` compares algorithms of the registry on rows that it draws. What measures something
else (``bench.calibration``, ``bench.decisions``, ``bench.protocols.readings``) is a :class:`Listing`: its jobs, what
runs one, and what table their rows make.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench.rows.row import Job, Row

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Listing:
    """What a command measures.

    Attributes
    ----------
    name, title : str
        The name is that of the results folder.
    jobs : tuple of Job
        What is asked for, in the order of the list; a job's key says all that its outcome depends on but the seed.
    work : callable
        ``work(job)`` -> the columns of its row that say what came out.
    tidy : callable
        Finished rows -> the table as numbers, for ``table.csv``.
    shown : callable
        The table as numbers -> the table as it is printed.
    selection : dict
        What ``--render-only`` repeats when nothing is asked for.
    notes : tuple of str
        Sentences for the report.
    finding : callable, optional
        The table as numbers -> what was found, in a sentence for the top of the report.
    keys : int
        How many columns of the table say what a line is about.
    """

    name: str
    title: str
    jobs: tuple[Job, ...]
    work: Callable[[Job], dict[str, Any]]
    tidy: Callable[[list[Row]], pd.DataFrame]
    shown: Callable[[pd.DataFrame], pd.DataFrame]
    selection: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    finding: Callable[[pd.DataFrame], str] | None = None
    keys: int = 1

    def in_order(self, rows: Iterable[Row]) -> list[Row]:
        """Return the finished rows in the order of the jobs, which is not that of the file after a resumed run."""
        done = {row.job: row for row in rows if row.is_done}
        return [done[job] for job in self.jobs if job in done]


Make = Callable[[argparse.Namespace, dict[str, Any]], Listing]
"""From the options, and from the selection that the folder was last asked for, to what is to be listed."""


def remembered(given: Any, stored: dict[str, Any], name: str, default: Any) -> Any:
    """Return an option as given, else as the folder was last asked for, else its default."""
    return stored.get(name, default) if given is None else given


def jobs_of(parts: Sequence[tuple[str, str, str, str]], replications: int = 1) -> tuple[Job, ...]:
    """Return a job per replication of each (scenario, costs, algorithm, protocol)."""
    return tuple(Job(*part, replication) for part in parts for replication in range(replications))
