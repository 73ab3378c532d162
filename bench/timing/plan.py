"""What is measured: works, grouped so that what is compared runs in turns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from bench.algorithms import PAPER
from bench.study import Job
from bench.timing.contestants import REFERENCE, SKLEARN_ADABOOST

ROUND_ROUNDS = 12  # rounds of a fit whose rounds are timed one by one
FIT, ROUND, PREDICT, MEMORY, FIRST_FIT, IMPORT = "fit", "round", "predict", "memory", "first fit", "import"
UNITS = {MEMORY: "bytes"}  # of a measure; the others are in seconds


@dataclass(frozen=True)
class Work:
    """One task for several contestants.

    Attributes
    ----------
    name : str
        The family that tables and floors look for, such as ``large-round`` or ``sweep-n``.
    measure : str
        ``fit`` (seconds of a whole fit), ``round`` (seconds per boosting round), ``predict`` (seconds), ``memory``
        (bytes), ``first fit`` or ``import`` (seconds, in a new process).
    size : str
        Its ``--sizes`` name.
    n, d, K, rounds, threads : int
    names : tuple of str
        The contestants.
    repeats : int
    fewer : dict
        Contestant -> repeats, for the slow.
    of : int
        Rows of the draw whose first ``n`` are used; 0 for ``n`` itself.
    cache : str
        For ``first fit``: ``empty`` or ``warm`` compiled-code cache.
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
    fewer: dict[str, int] = field(default_factory=dict)
    of: int = 0
    cache: str = ""

    @property
    def key(self) -> str:
        """Its name in the stored rows."""
        cache = f", {self.cache} cache" if self.cache else ""
        return f"{self.name}: {self.n} x {self.d}, K = {self.K}, {self.rounds} rounds, {self.threads} threads{cache}"

    def contestants(self, repeat: int) -> list[str]:
        """Return who takes part in a repeat."""
        return [name for name in self.names if repeat < self.fewer.get(name, self.repeats)]

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
    rounds: int = 200,
    replications: int | None = None,
    quick: bool = False,
) -> list[Group]:
    """Return the groups of works of the sizes asked for, in the order in which they are run.

    Parameters
    ----------
    sizes : collection of {"small", "medium", "large"}
    names : sequence of str
        Contestants, the reference among them.
    threads : int
        Of the large works.
    cores : int
        The sweep over threads ends there.
    rounds : int
        Of whole fits.
    replications : int, optional
        Repeats of every work.
    quick : bool
        Far fewer rows.
    """
    planner = _Planner(tuple(names), threads, cores, rounds, quick)
    groups = [group for size in ("small", "medium", "large") if size in sizes for group in getattr(planner, size)()]
    groups = [tuple(work for work in group if work.names) for group in groups]
    if replications or quick:
        groups = [
            tuple(replace(work, repeats=replications or min(work.repeats, 2)) for work in group) for group in groups
        ]
    return [group for group in groups if group]


class _Planner:
    def __init__(self, names: tuple[str, ...], threads: int, cores: int, rounds: int, quick: bool):
        self.names, self.threads, self.cores, self.rounds, self.quick = names, threads, cores, rounds, quick

    def _without(self, *others: str) -> tuple[str, ...]:
        return tuple(name for name in self.names if name not in others)

    def _among(self, *others: str) -> tuple[str, ...]:
        return tuple(name for name in self.names if name in others)

    def small(self) -> list[Group]:
        """Return the works at 300 rows, and what a new process costs."""
        one: dict[str, Any] = {"size": "small", "d": 21, "K": 3, "rounds": self.rounds, "threads": 1}
        reference = (REFERENCE,)
        slow = {SKLEARN_ADABOOST: 3}
        return [
            # The empty cache comes first: it is the one that everything else then uses.
            (Work("first-fit", FIRST_FIT, n=300, names=reference, repeats=1, cache="empty", **one),),
            (Work("first-fit", FIRST_FIT, n=300, names=reference, repeats=2, cache="warm", **one),),
            (Work("import", IMPORT, n=0, names=("csboost",), repeats=5, **one),),
            (Work("small-fit", FIT, n=300, names=self.names, repeats=5, fewer=slow, **one),),
            (Work("small-predict", PREDICT, n=4_700, names=self.names, repeats=5, fewer=slow, **one),),
        ]

    def medium(self) -> list[Group]:
        """Return the works at 500,000 and 1,000,000 rows, small sweeps, and the others' first fits."""
        rows, many = (40_000, 20_000) if self.quick else (500_000, 1_000_000)
        few, slow = {SKLEARN_ADABOOST: 1, "HistGradientBoosting": 2}, {SKLEARN_ADABOOST: 1, "HistGradientBoosting": 1}
        at: dict[str, Any] = {"size": "medium", "d": 57, "K": 7}
        rounds: dict[str, Any] = {**at, "rounds": self._round_rounds(), "threads": self.threads}
        first = partial(Work, "first-fit", FIRST_FIT, "medium", 300, 21, 3, self.rounds, 1, repeats=1)
        others = () if self.quick else self._without(REFERENCE)  # each would compile for itself
        boosters = tuple(name for name in others if name in PAPER)
        steps = sorted({1, *(2**i for i in range(1, 9) if 2**i <= self.cores), self.cores})
        fast = self._without(SKLEARN_ADABOOST)
        once = dict.fromkeys(self._without(REFERENCE), 1)
        return [
            (first(names=boosters, cache="empty"),),
            (first(names=others, cache="warm"),),
            (Work("large-round", ROUND, n=rows, names=self.names, repeats=5, fewer=few, **rounds),),
            tuple(
                Work("threads", ROUND, n=rows, names=fast, repeats=5, fewer=once, **{**rounds, "threads": count})
                for count in steps
            ),
            (Work("predict", PREDICT, n=many, names=self.names, repeats=3, fewer=slow, rounds=self.rounds,
                  threads=self.threads, **at),),
            *((Work("sweep-n", ROUND, n=n, names=self.names, repeats=3, fewer=few, **rounds),)
              for n in self._few_rows()),
        ]  # fmt: skip

    def large(self) -> list[Group]:
        """Return how cost grows up to 10,000,000 rows, with features and classes, and memory at 5,000,000 rows."""
        at: dict[str, Any] = {"size": "large", "threads": self.threads, "rounds": self._round_rounds()}
        doubled = [40_000, 80_000] if self.quick else [250_000 * 2**i for i in range(5)]
        rows = 40_000 if self.quick else 100_000
        memory_rows = 100_000 if self.quick else 5_000_000
        wide, classes = ((8, 16), (3, 7)) if self.quick else ((8, 16, 32, 57, 114, 228), (2, 3, 5, 7, 10, 15, 26))
        fast = self._without(SKLEARN_ADABOOST)
        most = self._among(REFERENCE, "SAMME", "AdaBoost.MH", "LightGBM", "XGBoost", "HistGradientBoosting")
        biggest = self._without(SKLEARN_ADABOOST, "HistGradientBoosting")
        return [
            tuple(
                Work("doubling", ROUND, n=n, d=57, K=7, names=(REFERENCE,), repeats=5, of=doubled[-1], **at)
                for n in doubled
            ),
            *((Work("sweep-d", ROUND, n=rows, d=d, K=7, names=most, repeats=3, **at),) for d in wide),
            *((Work("sweep-K", ROUND, n=rows, d=57, K=K, names=most, repeats=3, **at),) for K in classes),
            (Work("memory", MEMORY, n=memory_rows, d=57, K=7, names=fast, repeats=1, **{**at, "rounds": 3}),),
            *((Work("sweep-n", ROUND, n=n, d=57, K=7, names=who, repeats=repeats, **at),)
              for n, who, repeats in (() if self.quick else ((10**6, fast, 2), (10**7, biggest, 1)))),
        ]  # fmt: skip

    def _few_rows(self) -> tuple[int, ...]:
        return (1_000, 4_000) if self.quick else (1_000, 10_000, 100_000)

    def _round_rounds(self) -> int:
        return 4 if self.quick else ROUND_ROUNDS
