"""The works of each size: those of the figures to reach first, how cost grows in ``sweeps``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.algorithms import PAPER
from bench.timing.contestants import (
    CATBOOST_DEFAULTS,
    CONTESTANTS,
    EARLIER,
    REFERENCE,
    SKLEARN_ADABOOST,
    VECTORS_MODEL,
    XGBOOST_VECTORS,
)
from bench.timing.data import CLUSTERS, LOANS
from bench.timing.work import (
    COMPILING,
    DEFAULTS,
    FIRST_FIT,
    FIT,
    IMPORT,
    MATCHED,
    MEMORY,
    PREDICT,
    ROUND,
    VECTORS,
    Group,
    Work,
)

ROUND_ROUNDS = 12  # rounds of a fit whose rounds are timed one by one
WHOLE_ROUNDS = 100  # of a whole large fit
HIST = "HistGradientBoosting"
OWN = (REFERENCE,)


@dataclass(frozen=True)
class Planner:
    """Makes the groups of works of each size; the parameters are those of :func:`bench.timing.plan.plan`."""

    everyone: tuple[str, ...]
    threads: int
    cores: int
    rounds: int
    processes: int
    quick: bool
    against: str

    @property
    def names(self) -> tuple[str, ...]:
        """Those who are matched."""
        return self._under(MATCHED)

    def _under(self, protocol: str) -> tuple[str, ...]:
        return tuple(name for name in self.everyone if CONTESTANTS[name].protocol == protocol)

    def _without(self, *others: str) -> tuple[str, ...]:
        return tuple(name for name in self.names if name not in others)

    def _among(self, *others: str) -> tuple[str, ...]:
        return tuple(name for name in self.names if name in others)

    def _rows(self, full: int, quick: int = 40_000) -> int:
        return quick if self.quick else full

    @property
    def _round_rounds(self) -> int:
        return 4 if self.quick else ROUND_ROUNDS

    @property
    def _whole_rounds(self) -> int:
        return min(10 if self.quick else WHOLE_ROUNDS, self.rounds)

    def small(self) -> list[Group]:
        """Return the works at 300 rows, what a new process costs, and fits at the defaults."""
        one: dict[str, Any] = {"size": "small", "d": 21, "K": 3, "rounds": self.rounds, "threads": 1}
        few = 1 if self.quick else min(self.processes, 3)  # of what compiles everything
        return [
            # The empty cache comes first: it is the one that everything else then uses.
            (Work("first-fit", FIRST_FIT, n=300, names=OWN, repeats=few, cache="empty", **one),),
            (Work("every-first-fit", COMPILING, "small", 40_000, 21, 7, 10, 2, names=OWN, repeats=min(few, 2)),),
            (Work("import", IMPORT, n=0, names=("csboost",), repeats=5, **one),),
            (Work("small-fit", FIT, n=300, names=self.names, repeats=3, processes=self.processes, **one),),
            (Work("small-predict", PREDICT, n=4_700, names=self.names, repeats=5, fewer={SKLEARN_ADABOOST: 3}, **one),),
            *self._defaults(),
        ]

    def _defaults(self) -> list[Group]:
        """Return whole fits at the defaults, on classes that boosters need few rounds and many for."""
        at: dict[str, Any] = {"n": self._rows(2_000, 400), "d": 20, "K": 5, "rounds": 0, "threads": 1}
        at |= {"protocol": DEFAULTS, "size": "small", "names": self._under(DEFAULTS), "repeats": 1}
        at |= {"processes": min(self.processes, 3), "fewer": {CATBOOST_DEFAULTS: 1}}
        return [
            (Work("default-fit", FIT, **at),),
            (Work("default-fit-clusters", FIT, source=CLUSTERS, **at),),
        ]

    def medium(self) -> list[Group]:
        """Return the works at 500,000 and 1,000,000 rows, and those against earlier code."""
        shared: dict[str, Any] = {"size": "medium", "processes": self.processes}
        at = {**shared, "n": self._rows(500_000), "d": 57, "K": 7, "threads": self.threads, "repeats": 1}
        both = self._among(REFERENCE, "LightGBM")
        vectors: dict[str, Any] = {"names": self._under(VECTORS), "protocol": VECTORS}
        groups = [
            (Work("large-round", ROUND, names=self._without(HIST, SKLEARN_ADABOOST), rounds=self._round_rounds, **at),),
            (Work("vector-round", ROUND, rounds=self._round_rounds, **vectors, **at),),
            (Work("whole-fit", FIT, names=both, rounds=self._whole_rounds, **at),),
            tuple(
                Work("two-threads", ROUND, names=OWN, rounds=self._whole_rounds, **{**at, "threads": threads})
                for threads in ((1, 2) if self.cores > 1 else ())
            ),
            (Work("predict", PREDICT, names=both, rounds=self.rounds, **{**at, "n": self._rows(1_000_000, 20_000)}),),
        ]
        return groups + (self._against_own({**shared, "threads": self.threads}) if self.against else [])

    def _against_own(self, shared: dict[str, Any]) -> list[Group]:
        """Return the works in which two versions of the package take turns, without other libraries beside them."""
        fields = {**shared, "K": 7, "names": (REFERENCE, EARLIER), "against": self.against}
        many = self._rows(1_000_000, 20_000)
        return [
            (Work("own-predict", PREDICT, n=many, d=57, rounds=self.rounds, repeats=5, **fields),),
            (Work("credit-round", ROUND, n=self._rows(160_000), d=0, rounds=3 * self._round_rounds, repeats=3,
                  source=LOANS, **fields),),
        ]  # fmt: skip

    def large(self) -> list[Group]:
        """Return how cost grows with rows up to 4,000,000 and with classes up to 1,000, and memory."""
        at: dict[str, Any] = {"size": "large", "d": 57}
        doubled = [40_000, 80_000] if self.quick else [250_000 * 2**i for i in range(5)]
        rounds, threads, processes = self._round_rounds, self.threads, self.processes
        return [
            tuple(
                Work("doubling", ROUND, n=n, K=7, names=OWN, rounds=rounds, threads=threads, repeats=1,
                     processes=min(processes, 3), of=doubled[-1], **at)
                for n in doubled
            ),
            tuple(
                Work("many-classes", ROUND, n=self._rows(100_000), K=K, names=OWN, rounds=min(rounds, 6), threads=1,
                     repeats=1, processes=processes, **at)
                for K in (7, 20 if self.quick else 100)
            ),
            *self._vector_classes(),
            (Work("memory", MEMORY, n=self._rows(5_000_000, 100_000), K=7, names=OWN, rounds=3, threads=threads,
                  repeats=1, **at),),
            (Work("thousand-classes", MEMORY, n=self._rows(50_000), K=100 if self.quick else 1_000, names=OWN, rounds=3,
                  threads=threads, repeats=1, **at),),
        ]  # fmt: skip

    def _vector_classes(self) -> list[Group]:
        """Return how a tree of vector leaves grows with the number of classes, and its memory with many."""
        at: dict[str, Any] = {"n": self._rows(100_000), "d": 50, "threads": 1, "repeats": 1, "protocol": VECTORS}
        at |= {"size": "large", "names": (VECTORS_MODEL,)}
        few, many = 5, 20 if self.quick else 100
        return [
            tuple(
                Work("vector-classes", ROUND, K=K, rounds=self._round_rounds, processes=self.processes, **at)
                for K in (few, many)
            ),
            (Work("vector-memory", MEMORY, K=many, rounds=3, **at),),
        ]

    def sweeps(self) -> list[Group]:
        """Return how cost grows with rows, features, classes and threads, beside the others, and the slow."""
        at: dict[str, Any] = {"size": "sweeps", "threads": self.threads, "rounds": self._round_rounds}
        rows, fast = self._rows(100_000), self._without(SKLEARN_ADABOOST)
        few = {SKLEARN_ADABOOST: 1, HIST: 2}
        wide, classes = ((8, 16), (3, 7)) if self.quick else ((8, 16, 32, 57, 114, 228), (2, 3, 5, 7, 10, 15, 26))
        most = self._among(REFERENCE, "SAMME", "AdaBoost.MH", "LightGBM", "XGBoost", XGBOOST_VECTORS, HIST)
        steps = sorted({1, *(2**i for i in range(1, 9) if 2**i <= self.cores), self.cores})
        once = dict.fromkeys(self._without(REFERENCE), 1)
        half = self._rows(500_000)
        return [
            *self._first_fits(),
            *((Work("sweep-n", ROUND, n=n, d=57, K=7, names=who, repeats=repeats, fewer=few, **at),)
              for n, who, repeats in self._many_rows(fast)),
            *((Work("sweep-d", ROUND, n=rows, d=d, K=7, names=most, repeats=3, **at),) for d in wide),
            *((Work("sweep-K", ROUND, n=rows, d=57, K=K, names=most, repeats=3, **at),) for K in classes),
            tuple(
                Work("threads", ROUND, n=half, d=57, K=7, names=fast, repeats=5, fewer=once, **{**at, "threads": count})
                for count in steps
            ),
            (Work("slow-round", ROUND, n=half, d=57, K=7, names=self._among(REFERENCE, HIST, SKLEARN_ADABOOST),
                  repeats=2, fewer=few, **at),),
            (Work("all-predict", PREDICT, n=self._rows(1_000_000, 20_000), d=57, K=7, names=self.names, repeats=2,
                  fewer=dict.fromkeys(few, 1), **{**at, "rounds": self.rounds}),),
            (Work("all-memory", MEMORY, n=self._rows(5_000_000, 100_000), d=57, K=7, names=fast, repeats=1,
                  **{**at, "rounds": 3}),),
        ]  # fmt: skip

    def _first_fits(self) -> list[Group]:
        """Return the other contestants' first fits."""
        first = partial(Work, "first-fit", FIRST_FIT, "sweeps", 300, 21, 3, self.rounds, 1, repeats=1)
        others = () if self.quick else self._without(REFERENCE)  # each would compile for itself
        return [
            (first(names=tuple(name for name in others if name in PAPER), cache="empty"),),
            (first(names=others, cache="warm"),),
        ]

    def _many_rows(self, fast: tuple[str, ...]) -> list[tuple[int, tuple[str, ...], int]]:
        """Return rows, contestants and repeats of the sweep over rows."""
        if self.quick:
            return [(1_000, self.names, 2), (4_000, self.names, 2)]
        biggest = tuple(name for name in fast if name != HIST)
        return [*((n, self.names, 3) for n in (1_000, 10_000, 100_000)), (10**6, fast, 2), (10**7, biggest, 1)]
