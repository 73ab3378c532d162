"""A work, and which works a run takes: grouped so that what is compared runs in turns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from bench.study import Job

FIT, ROUND, PREDICT, MEMORY = "fit", "round", "predict", "memory"
FIRST_FIT, COMPILING, IMPORT = "first fit", "compiling", "import"
UNITS = {MEMORY: "bytes"}  # of a measure; the others are in seconds
IN_NEW_PROCESSES = (MEMORY, FIRST_FIT, COMPILING, IMPORT)  # every sample of these measures starts one


@dataclass(frozen=True)
class Work:
    """One task for several contestants.

    Attributes
    ----------
    name : str
        The family that tables and floors look for, such as ``large-round`` or ``sweep-n``.
    measure : str
        ``fit`` (seconds of a whole fit), ``round`` (seconds per boosting round), ``predict`` (seconds), ``memory``
        (bytes), ``first fit`` or ``import`` (seconds, in a new process), ``compiling`` (cpu seconds, in a new process).
    size : str
        Its ``--sizes`` name.
    n, d, K, rounds, threads : int
        ``d`` is 0 where only the rows tell.
    names : tuple of str
        The contestants.
    repeats : int
        In each process.
    processes : int
        New processes in which the repeats are taken, one after the other.
    fewer : dict
        Contestant -> repeats in all, for the slow.
    of : int
        Rows of the draw whose first ``n`` are used; 0 for ``n`` itself.
    cache : str
        For ``first fit``: ``empty`` or ``warm`` compiled-code cache.
    source : str
        ``loans`` for invented loans, empty for waveforms and floats.
    against : str
        Which earlier code takes part.
    """

    name: str
    measure: str
    size: str
    n: int
    d: int
    K: int
    rounds: int
    threads: int
    names: tuple[str, ...]
    repeats: int
    processes: int = 1
    fewer: dict[str, int] = field(default_factory=dict)
    of: int = 0
    cache: str = ""
    source: str = ""
    against: str = ""

    @property
    def key(self) -> str:
        """Its name in the stored rows."""
        rows = f"{self.n} x {self.d}" if self.d else f"{self.n} {self.source}"
        more = f", {self.cache} cache" if self.cache else ""
        more += f", against {self.against}" if self.against else ""
        return f"{self.name}: {rows}, K = {self.K}, {self.rounds} rounds, {self.threads} threads{more}"

    @property
    def total_repeats(self) -> int:
        """Repeats over all processes."""
        return self.repeats * self.processes

    def process_of(self, repeat: int) -> int:
        """Return the number of the process in which a repeat is taken."""
        return repeat if self.measure in IN_NEW_PROCESSES else repeat // self.repeats

    def contestants(self, repeat: int) -> list[str]:
        """Return who takes part in a repeat."""
        return [name for name in self.names if repeat < self.fewer.get(name, self.total_repeats)]

    def job(self, name: str, repeat: int) -> Job:
        """Return the key of a stored row."""
        return Job(self.key, "equal", name, "matched", repeat)


Group = tuple[Work, ...]
"""Works that are run in turns, repeat by repeat."""


def plan(
    sizes: Collection[str],
    names: Sequence[str],
    *,
    threads: int,
    cores: int,
    works: Collection[str] | None = None,
    rounds: int = 200,
    processes: int = 5,
    replications: int | None = None,
    quick: bool = False,
    against: str = "",
) -> list[Group]:
    """Return the groups of works asked for, in the order in which they are run.

    Parameters
    ----------
    sizes : collection of {"small", "medium", "large", "sweeps"}
    names : sequence of str
        Contestants, the reference among them.
    threads : int
        Of the large works.
    cores : int
        The sweep over threads ends there.
    works : collection of str, optional
        Names of works; only these.
    rounds : int
        Of whole fits.
    processes : int
        In which the works of the figures to reach are repeated.
    replications : int, optional
        Repeats of every work in each process.
    quick : bool
        Far fewer rows.
    against : str
        Which earlier code there is to compare with; empty for none.
    """
    from bench.timing.works import Planner

    planner = Planner(tuple(names), threads, cores, rounds, min(processes, 2) if quick else processes, quick, against)
    order = ("small", "medium", "large", "sweeps")
    groups = [group for size in order if size in sizes for group in getattr(planner, size)()]
    groups = [tuple(work for work in group if work.names) for group in groups]
    if works is not None:
        groups = [tuple(work for work in group if work.name in works) for group in groups]
    if replications or quick:
        groups = [
            tuple(replace(work, repeats=replications or min(work.repeats, 2)) for work in group) for group in groups
        ]
    return [group for group in groups if group]
