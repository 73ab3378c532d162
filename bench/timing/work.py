"""A work: one task for several contestants, and what is measured of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.rows.row import Job

FIT, ROUND, PREDICT, MEMORY = "fit", "round", "predict", "memory"
FIRST_FIT, COMPILING, IMPORT = "first fit", "compiling", "import"
UNITS = {MEMORY: "bytes"}  # of a measure; the others are in seconds
MATCHED, DEFAULTS, VECTORS = "matched", "defaults", "vector leaves"  # protocols
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
        ``d`` is 0 where only the rows tell, ``rounds`` where each contestant has its own.
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
        A name of :mod:`bench.timing.data`; empty for waveforms and floats.
    against : str
        Which earlier code takes part.
    protocol : str
        ``matched``, ``defaults``, or ``vector leaves``: which contestants take part.
    workers : int
        Of a Dask cluster, with one thread each; 0 where there is none.
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
    protocol: str = MATCHED
    workers: int = 0

    @property
    def key(self) -> str:
        """Its name in the stored rows."""
        rows = f"{self.n} x {self.d}" if self.d else f"{self.n} {self.source}"
        rounds = f"{self.rounds} rounds, " if self.rounds else ""
        more = f", {self.cache} cache" if self.cache else ""
        more += f", against {self.against}" if self.against else ""
        more += f", {self.workers} workers" if self.workers else ""
        return f"{self.name}: {rows}, K = {self.K}, {rounds}{self.threads} threads{more}"

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
        return Job(self.key, "equal", name, self.protocol, repeat)


Group = tuple[Work, ...]
"""Works that are run in turns, repeat by repeat."""
