"""The figures to reach: which rows each is made of, its floor and aim, and whether they are met."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from bench.algorithms import PAPER
from bench.timing.contestants import REFERENCE, SKLEARN_ADABOOST

Rows = Sequence[dict[str, Any]]
GIB = 2.0**30


class Measured(NamedTuple):
    """What the rows say about a figure: a value per repeat, and a word on them."""

    values: list[float]
    note: str = ""
    variant: str = ""

    @property
    def median(self) -> float:
        """The figure."""
        return statistics.median(self.values)


@dataclass(frozen=True)
class Target:
    """A figure to reach.

    Attributes
    ----------
    label : str
    floor, aim : float
        To be reached, and where to go.
    unit : {"x", "GiB", "s"}
        A ratio, memory or time.
    more : bool
        Whether larger is better.
    find : callable
        Rows -> :class:`Measured`, or None where they do not tell.
    size : str
        The ``--sizes`` name that measures it.
    """

    label: str
    floor: float
    aim: float
    unit: str
    more: bool
    find: Callable[[Rows], Measured | None]
    size: str

    def reaches(self, value: float, goal: float) -> bool:
        """Return whether a value is as good as a goal."""
        return value >= goal if self.more else value <= goal

    def mark(self, measured: Measured | None) -> str:
        """Return ``ok``, ``ok, aim met`` or ``missed``; what was not measured as the figure asks has no mark."""
        if measured is None:
            return f"not measured: --sizes {self.size}"
        if measured.variant:
            return f"no mark: {measured.variant}"
        if self.reaches(measured.median, self.aim):
            return "ok, aim met"
        return "ok" if self.reaches(measured.median, self.floor) else "missed"


def of_work(rows: Rows, work: str) -> list[dict[str, Any]]:
    """Return the finished rows of a family of works: those the floors are about, else those of the latest variant."""
    found = [row for row in rows if row["work"] == work and row["status"] == "done"]
    if not found:
        return []
    variant = "" if any(row["variant"] == "" for row in found) else found[-1]["variant"]
    return [row for row in found if row["variant"] == variant]


def pair_ratios(upper: Rows, lower: Rows) -> list[float]:
    """Return the ratio of values for each repeat that both have."""
    below = {row["replication"]: row["value"] for row in lower}
    return [row["value"] / below[row["replication"]] for row in upper if row["replication"] in below]


def _by(rows: Rows, name: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["algorithm"] == name]


def against(work: str, peer: str) -> Callable[[Rows], Measured | None]:
    """Return a finder of how many times the reference's time a peer takes."""

    def find(rows: Rows) -> Measured | None:
        rows = of_work(rows, work)
        ratios = pair_ratios(_by(rows, peer), _by(rows, REFERENCE))
        return Measured(ratios, variant=rows[0]["variant"]) if ratios else None

    return find


def slowest_booster(work: str) -> Callable[[Rows], Measured | None]:
    """Return a finder of the time of the slowest of the other five boosters over the reference's."""

    def find(rows: Rows) -> Measured | None:
        rows = of_work(rows, work)
        ratios = {name: pair_ratios(_by(rows, name), _by(rows, REFERENCE)) for name in PAPER if name != REFERENCE}
        ratios = {name: values for name, values in ratios.items() if values}
        if not ratios:
            return None
        name = max(ratios, key=lambda name: statistics.median(ratios[name]))
        return Measured(ratios[name], f"{name}, the slowest of {len(ratios)}", rows[0]["variant"])

    return find


def two_threads(rows: Rows) -> Measured | None:
    """Find how many times faster two threads are than one."""
    rows = _by(of_work(rows, "threads"), REFERENCE)
    one, two = ([row for row in rows if row["threads"] == threads] for threads in (1, 2))
    ratios = pair_ratios(one, two)
    # One thread among several is what this work compares: only fewer rows depart from it.
    return Measured(ratios, variant="quick" if "quick" in two[0]["variant"] else "") if ratios else None


def doubling(rows: Rows) -> Measured | None:
    """Find the largest ratio of time at twice the rows."""
    rows = _by(of_work(rows, "doubling"), REFERENCE)
    by_rows = {n: [row for row in rows if row["n"] == n] for n in sorted({row["n"] for row in rows})}
    ratios = {n: pair_ratios(by_rows[2 * n], by_rows[n]) for n in by_rows if 2 * n in by_rows}
    ratios = {n: values for n, values in ratios.items() if values}
    if not ratios:
        return None
    n = max(ratios, key=lambda n: statistics.median(ratios[n]))
    return Measured(ratios[n], f"largest of {len(ratios)}: {n:,} to {2 * n:,} rows", rows[0]["variant"])


def one_value(work: str, scale: float = 1.0, cache: str = "") -> Callable[[Rows], Measured | None]:
    """Return a finder of the reference's own value (or of the only one there is)."""

    def find(rows: Rows) -> Measured | None:
        own = (REFERENCE, "csboost")
        rows = [row for row in of_work(rows, work) if row["algorithm"] in own and row["cache"] == cache]
        return Measured([row["value"] / scale for row in rows], variant=rows[0]["variant"]) if rows else None

    return find


def first_fit(cache: str) -> Callable[[Rows], Measured | None]:
    """Return a finder of the seconds of the first fit; the note says how long the imports before it took."""

    def find(rows: Rows) -> Measured | None:
        found = one_value("first-fit", cache=cache)(rows)
        if found is None:
            return None
        mine = [row for row in _by(of_work(rows, "first-fit"), REFERENCE) if row["cache"] == cache]
        imports = statistics.median(row["import_seconds"] for row in mine)
        return found._replace(note=f"after {imports:.1f} s of imports")

    return find


def memory(rows: Rows) -> Measured | None:
    """Find the peak of the whole process beyond X; the note says how much of it the fit added."""
    found = one_value("memory", GIB)(rows)
    if found is None:
        return None
    added = statistics.median(row["fit_bytes"] for row in _by(of_work(rows, "memory"), REFERENCE)) / GIB
    return found._replace(note=f"libraries and y included; the fit itself {added:.2f} GiB")


_SMALL, _LARGE = "fit, 300 x 21, K = 3, 200 rounds, 1 thread", "round, 500,000 x 57, K = 7, 2 threads"

TARGETS = (
    Target(f"{_SMALL}: against LightGBM", 5, 10, "x", True, against("small-fit", "LightGBM"), "small"),
    Target("the same against scikit-learn's AdaBoost", 40, 80, "x", True,
           against("small-fit", SKLEARN_ADABOOST), "small"),
    Target(f"{_LARGE}: against LightGBM", 5, 10, "x", True, against("large-round", "LightGBM"), "medium"),
    Target("the same against XGBoost hist", 4, 8, "x", True, against("large-round", "XGBoost"), "medium"),
    Target("predict 1,000,000 x 57, 200 rounds, K = 7, 2 threads: against LightGBM", 5, 10, "x", True,
           against("predict", "LightGBM"), "medium"),
    Target("the other five boosters against Angle AdaBoost, 300 rows", 1.6, 1.2, "x", False,
           slowest_booster("small-fit"), "small"),
    Target("the same, 500,000 rows", 1.6, 1.2, "x", False, slowest_booster("large-round"), "medium"),
    Target("two threads against one, 500,000 rows", 1.7, 1.9, "x", True, two_threads, "medium"),
    Target("time at 2n over time at n, 250,000 to 4,000,000 rows", 2.1, 2.0, "x", False, doubling, "large"),
    Target("peak memory beyond X (float32), 5,000,000 x 57, K = 7", 1.2, 0.8, "GiB", False, memory, "large"),
    Target("first fit in a new process, empty cache", 12, 6, "s", False, first_fit("empty"), "small"),
    Target("first fit in a new process, warm cache", 1.0, 0.5, "s", False, first_fit("warm"), "small"),
    Target("import csboost", 0.3, 0.1, "s", False, one_value("import"), "small"),
)  # fmt: skip
"""The floors and aims, in the order of the table. Ratios to peers are peer over Angle AdaBoost."""


def evaluate(rows: Rows) -> pd.DataFrame:
    """Return a line per target: floor, aim, the median measured value, its least and largest, and the mark.

    Returns
    -------
    DataFrame
        Columns work, unit, more_is_better, floor, aim, measured, low, high, repeats, mark, note.
    """
    lines = []
    for target in TARGETS:
        measured = target.find(rows)
        values = measured.values if measured else [math.nan]
        lines.append(
            {
                "work": target.label,
                "unit": target.unit,
                "more_is_better": target.more,
                "floor": target.floor,
                "aim": target.aim,
                "measured": measured.median if measured else math.nan,
                "low": min(values),
                "high": max(values),
                "repeats": len(measured.values) if measured else 0,
                "mark": target.mark(measured),
                "note": measured.note if measured else "",
            }
        )
    return pd.DataFrame(lines)
