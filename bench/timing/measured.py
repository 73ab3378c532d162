"""What the stored rows say about a figure: finders, from rows to values."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from bench.algorithms import PAPER
from bench.rows.row import Row
from bench.timing.contestants import EARLIER, REFERENCE

Rows = Sequence[Row]
GIB = 2.0**30


class Measured(NamedTuple):
    """A value per process (per repeat where there is one process), and a word on them."""

    values: list[float]
    note: str = ""
    variant: str = ""

    @property
    def median(self) -> float:
        """The figure."""
        return statistics.median(self.values)


Find = Callable[[Rows], Measured | None]
"""Rows -> what they say, or None where they do not tell."""


def of_work(rows: Rows, work: str) -> list[Row]:
    """Return the finished rows of a family of works: those the floors are about, else those of the latest variant."""
    found = [row for row in rows if row.work == work and row.is_done]
    if not found:
        return []
    variant = "" if any(row.variant == "" for row in found) else found[-1].variant
    return [row for row in found if row.variant == variant]


def pairs(upper: Rows, lower: Rows, field: str = "value") -> list[tuple[int, float]]:
    """Return (process, ratio) for each repeat that both have."""
    below = {row.replication: getattr(row, field) for row in lower}
    both = [row for row in upper if row.replication in below]
    return [(row.process, getattr(row, field) / below[row.replication]) for row in both]


def pair_ratios(upper: Rows, lower: Rows) -> list[float]:
    """Return the ratio of values for each repeat that both have."""
    return [ratio for _, ratio in pairs(upper, lower)]


def by_process(values: Iterable[tuple[int, float]]) -> list[float]:
    """Return the median of each process; all values of a single one; nothing of none."""
    grouped: dict[int, list[float]] = {}
    for process, value in values:
        grouped.setdefault(process, []).append(value)
    if len(grouped) == 1:
        (only,) = grouped.values()
        return only
    return [statistics.median(mine) for mine in grouped.values()]


def by_name(rows: Rows, name: str) -> list[Row]:
    """Return the rows of a contestant."""
    return [row for row in rows if row.algorithm == name]


def over(work: str, above: str, below: str, *, as_asked: bool = True) -> Find:
    """Return a finder of how many times a contestant's time another takes; those at their defaults have threads and
    rounds of their own, whatever the run asks for.
    """

    def find(rows: Rows) -> Measured | None:
        rows = of_work(rows, work)
        ratios = by_process(pairs(by_name(rows, above), by_name(rows, below)))
        if not ratios:
            return None
        variant = rows[0].variant
        return Measured(ratios, variant=variant if as_asked else "quick" * ("quick" in variant))

    return find


def against(work: str, peer: str) -> Find:
    """Return a finder of how many times the reference's time a peer takes."""
    return over(work, peer, REFERENCE)


def against_earlier(work: str) -> Find:
    """Return a finder of how many times the reference's time its earlier code takes: the latest that was compared."""

    def find(rows: Rows) -> Measured | None:
        rows = of_work(rows, work)
        latest = [row for row in rows if row.against == rows[-1].against]
        found = against(work, EARLIER)(latest)
        return found and found._replace(note=f"earlier code {latest[0].against}")

    return find


def slowest_booster(work: str) -> Find:
    """Return a finder of the time of the slowest of the other five boosters over the reference's."""

    def find(rows: Rows) -> Measured | None:
        rows = of_work(rows, work)
        ratios = {name: pairs(by_name(rows, name), by_name(rows, REFERENCE)) for name in PAPER if name != REFERENCE}
        found = {name: by_process(values) for name, values in ratios.items() if values}
        if not found:
            return None
        name = max(found, key=lambda name: statistics.median(found[name]))
        return Measured(found[name], f"{name}, the slowest of {len(found)}", rows[0].variant)

    return find


def setup(rows: Rows) -> Measured | None:
    """Find what comes before the reference's first round, in its own rounds."""
    rows = by_name(of_work(rows, "large-round"), REFERENCE)
    rounds = [(row.process, row.setup_seconds / row.value) for row in rows if row.setup_seconds is not None]
    return Measured(by_process(rounds), variant=rows[0].variant) if rounds else None


def two_threads(field: str) -> Find:
    """Return a finder of how many times faster two threads are than one, in ``value`` (a round) or ``fit_seconds``."""

    def find(rows: Rows) -> Measured | None:
        rows = by_name(of_work(rows, "two-threads"), REFERENCE)
        one, two = ([row for row in rows if row.threads == threads] for threads in (1, 2))
        ratios = by_process(pairs(one, two, field))
        # One thread among several is what this work compares: only fewer rows depart from it.
        return Measured(ratios, variant="quick" if "quick" in two[0].variant else "") if ratios else None

    return find


def doubling(rows: Rows) -> Measured | None:
    """Find the largest ratio of time at twice the rows."""
    rows = by_name(of_work(rows, "doubling"), REFERENCE)
    by_rows = {n: [row for row in rows if row.n == n] for n in sorted({row.n for row in rows})}
    steps = {n: by_process(pairs(by_rows[2 * n], by_rows[n])) for n in by_rows if 2 * n in by_rows}
    steps = {n: values for n, values in steps.items() if values}
    if not steps:
        return None
    n = max(steps, key=lambda n: statistics.median(steps[n]))
    return Measured(steps[n], f"largest of {len(steps)}: {n:,} to {2 * n:,} rows", rows[0].variant)


def many_classes(work: str, name: str = REFERENCE) -> Find:
    """Return a finder of the time of a round with many classes over that with few."""

    def find(rows: Rows) -> Measured | None:
        rows = by_name(of_work(rows, work), name)
        counts = sorted({row.K for row in rows})
        if len(counts) < 2:
            return None
        few, many = ([row for row in rows if row.K == K] for K in (counts[0], counts[-1]))
        ratios = by_process(pairs(many, few))
        # It has one thread and rounds of its own: only fewer rows and classes depart from it.
        return Measured(ratios, variant="quick" if "quick" in rows[0].variant else "") if ratios else None

    return find


def one_value(work: str, field: str = "value", scale: float = 1.0, cache: str = "", name: str = REFERENCE) -> Find:
    """Return a finder of a contestant's own value (or of the only one there is)."""

    def find(rows: Rows) -> Measured | None:
        own = (name, "csboost")
        rows = [row for row in of_work(rows, work) if row.algorithm in own and row.cache == cache]
        values = [value / scale for row in rows if (value := getattr(row, field)) is not None]
        return Measured(values, variant=rows[0].variant) if values else None

    return find


def first_fit(field: str = "value") -> Find:
    """Return a finder of the seconds of a first fit; the note says how long the imports before it took."""

    def find(rows: Rows) -> Measured | None:
        found = one_value("first-fit", field, cache="empty")(rows)
        if found is None:
            return None
        mine = [row for row in by_name(of_work(rows, "first-fit"), REFERENCE) if row.cache == "empty"]
        imports = statistics.median(row.import_seconds for row in mine)
        return found._replace(note=f"after {imports:.1f} s of imports")

    return find


def memory(work: str, name: str = REFERENCE) -> Find:
    """Return a finder of the peak of the whole process beyond X; the note says how much of it the fit added."""

    def find(rows: Rows) -> Measured | None:
        found = one_value(work, scale=GIB, name=name)(rows)
        if found is None:
            return None
        mine = by_name(of_work(rows, work), name)
        added = statistics.median(row.fit_bytes for row in mine) / GIB
        return found._replace(note=f"libraries and y included; the fit itself {added:.2f} GiB")

    return find
