"""Which jobs a comparison on a user's file has: those of the competitors, and of what they are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bench.rows.row import Job
from bench.studies.own_file import About

CONSTANT, TODAY = "best constant", "today"
"""The answer that is cheapest for the training rows, given throughout; and the answers that are given today."""

ARM = "defaults"


@dataclass(frozen=True)
class Asked:
    """What is asked for: competitors on a number of splits.

    Attributes
    ----------
    about : About
    algorithms : tuple of str
    splits : int
    """

    about: About
    algorithms: tuple[str, ...]
    splits: int

    @property
    def baselines(self) -> tuple[str, ...]:
        """What the competitors are compared with."""
        return (CONSTANT, *((TODAY,) if self.about.today else ()))

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs, split by split, so that an interrupted run has tried every competitor."""
        return tuple(
            Job(self.about.name, self.about.costs_name, name, ARM, split)
            for split in range(self.splits)
            for name in (*self.baselines, *self.algorithms)
        )
