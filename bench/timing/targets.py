"""The figures to reach: which rows each is made of, its floor and aim, and whether they are met."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from bench.rows.row import Row
from bench.timing.contestants import (
    CATBOOST_DEFAULTS,
    CONTESTANTS,
    FIRST_MODEL,
    LIGHTGBM_DEFAULTS,
    LIGHTGBM_EIGHT,
    ONE_BAG,
    REFERENCE,
    SKLEARN_ADABOOST,
    VECTORS_MODEL,
    XGBOOST_VECTORS,
    XGBOOST_VECTORS_EIGHT,
)
from bench.timing.measured import (
    Find,
    Measured,
    Rows,
    against,
    against_earlier,
    doubling,
    first_fit,
    many_classes,
    memory,
    of_work,
    one_value,
    over,
    setup,
    slowest_booster,
    two_threads,
)


@dataclass(frozen=True)
class Target:
    """A figure to reach.

    Attributes
    ----------
    label : str
    floor, aim : float
        To be reached, and where to go. An infinite floor is reached by whatever runs; an infinite aim is none.
    unit : {"x", "rounds", "GiB", "s"}
        A ratio, a time in rounds, memory or time.
    more : bool
        Whether larger is better.
    find : callable
        Rows -> :class:`~bench.timing.measured.Measured`, or None where they do not tell.
    size, work : str
        The ``--sizes`` and the ``--works`` name that measure it.
    peer : str
        The ``--peers`` name that it needs; ``earlier`` for ``--against``, ``others`` for ``--algorithms``.
    of : tuple of str
        The two contestants that it compares, where they are not the reference and all of a peer's.
    """

    label: str
    floor: float
    aim: float
    unit: str
    more: bool
    find: Find
    size: str
    work: str
    peer: str = ""
    of: tuple[str, ...] = ()

    def reaches(self, value: float, goal: float) -> bool:
        """Return whether a value is as good as a goal."""
        return value >= goal if self.more else value <= goal

    def mark(self, measured: Measured | None, reason: str = "") -> str:
        """Return ``ok``, ``ok, aim met`` or ``missed``; what was not measured as the figure asks has no mark."""
        if measured is None:
            return reason or f"not measured: --sizes {self.size}"
        if measured.variant:
            return f"no mark: {measured.variant}"
        if math.isfinite(self.aim) and self.reaches(measured.median, self.aim):
            return "ok, aim met"
        return "ok" if self.reaches(measured.median, self.floor) else "missed"

    def reason(self, rows: Rows, absent: Mapping[str, str]) -> str:
        """Say why the rows do not tell: what failed, what is not installed, or what was not asked for."""
        failed = [row for row in rows if row.work == self.work and not row.is_done and self._needs(row)]
        if failed:  # the whole message is told beside the tables
            return f"{failed[-1].algorithm} failed: {failed[-1].error.split(':')[0]}"
        for need in (self.peer, self.work):
            if need in absent:
                return f"not measured: {absent[need]}"
        if self.peer == "earlier":
            return "not measured: --against CHECKOUT"
        if self.peer and of_work(rows, self.work):
            return f"not measured: {'--algorithms' if self.peer == 'others' else f'--peers {self.peer}'}"
        known = any(row.size == self.size for row in rows)
        return f"not measured: --works {self.work}" if known else f"not measured: --sizes {self.size}"

    def _needs(self, row: Row) -> bool:
        """Return whether a row is of a contestant that the figure is made of."""
        name = row.algorithm
        peer = CONTESTANTS[name].peer if name in CONTESTANTS else None
        if self.of:
            return name in self.of
        return peer is None if self.peer in ("", "others") else name == REFERENCE or peer == self.peer


_LARGE, _SMALL = "500,000 x 57, K = 7, 2 threads", "fit, 300 x 21, K = 3, 200 rounds, 1 thread"
_DEFAULTS = "whole fit at the defaults, 2,000 x 20, K = 5, 1 thread"
_LIGHT, _XGB, _SKL = "lightgbm", "xgboost", "sklearn"


def _over(label: str, floor: float, aim: float, work: str, mine: str, peer: str) -> Target:
    """Return the figure of a time over a peer's."""
    find, name = over(work, mine, peer, as_asked=False), CONTESTANTS[peer].peer
    return Target(label, floor, aim, "x", False, find, "small", work, name or "", (mine, peer))


TARGETS = (
    Target(f"whole fit, {_LARGE}, 100 rounds: against LightGBM", 6, 9, "x", True,
           against("whole-fit", "LightGBM"), "medium", "whole-fit", _LIGHT),
    Target(f"round, {_LARGE}: against LightGBM", 8, 10, "x", True,
           against("large-round", "LightGBM"), "medium", "large-round", _LIGHT),
    Target("the same against XGBoost hist", 7.5, 10, "x", True,
           against("large-round", "XGBoost"), "medium", "large-round", _XGB),
    Target("the same against XGBoost multi_output_tree", 5, 8, "x", True,
           against("large-round", XGBOOST_VECTORS), "medium", "large-round", _XGB),
    Target(f"round of 8 vector leaves, {_LARGE}: against LightGBM", 4, 8, "x", True,
           over("vector-round", LIGHTGBM_EIGHT, VECTORS_MODEL), "medium", "vector-round", _LIGHT,
           (VECTORS_MODEL, LIGHTGBM_EIGHT)),
    Target("the same against XGBoost multi_output_tree", 4, 8, "x", True,
           over("vector-round", XGBOOST_VECTORS_EIGHT, VECTORS_MODEL), "medium", "vector-round", _XGB,
           (VECTORS_MODEL, XGBOOST_VECTORS_EIGHT)),
    Target(f"setup, {_LARGE}: in rounds of its own fit", 14, 10, "rounds", False, setup, "medium", "large-round"),
    Target("two threads against one, 500,000 rows: a round", 1.8, 1.95, "x", True,
           two_threads("value"), "medium", "two-threads"),
    Target("the same, whole fit of 100 rounds", 1.7, 1.9, "x", True,
           two_threads("fit_seconds"), "medium", "two-threads"),
    Target(f"{_SMALL}: against LightGBM", 6.5, 9, "x", True,
           against("small-fit", "LightGBM"), "small", "small-fit", _LIGHT),
    Target("the same against scikit-learn's AdaBoost", 40, 80, "x", True,
           against("small-fit", SKLEARN_ADABOOST), "small", "small-fit", _SKL),
    Target("predict 1,000,000 x 57, 200 rounds, K = 7, 2 threads: against LightGBM", 50, 65, "x", True,
           against("predict", "LightGBM"), "medium", "predict", _LIGHT),
    Target("the same against its own earlier code", 1.6, 1.9, "x", True,
           against_earlier("own-predict"), "medium", "own-predict", "earlier"),
    Target("round, credit layout of 160,000 loans, K = 7, 2 threads: against its own earlier code", 1.4, 1.7, "x", True,
           against_earlier("credit-round"), "medium", "credit-round", "earlier"),
    Target("round, K = 100 over K = 7, 100,000 x 57, 1 thread", 16, 12, "x", False,
           many_classes("many-classes"), "large", "many-classes"),
    Target("round of vector leaves, K = 100 over K = 5, 100,000 x 50, 1 thread", 20, math.inf, "x", False,
           many_classes("vector-classes", VECTORS_MODEL), "large", "vector-classes", of=(VECTORS_MODEL,)),
    Target("vector leaves, K = 100, 100,000 x 50: peak memory beyond X", math.inf, math.inf, "GiB", False,
           memory("vector-memory", VECTORS_MODEL), "large", "vector-memory", of=(VECTORS_MODEL,)),
    Target("K = 1,000, 50,000 x 57: peak memory beyond X", math.inf, math.inf, "GiB", False,
           memory("thousand-classes"), "large", "thousand-classes"),
    Target("first fit in a new process: empty cache", 9, 6, "s", False, first_fit(), "small", "first-fit"),
    Target("the same: a second number of classes", 1, 0.2, "s", False,
           first_fit("second_seconds"), "small", "first-fit"),
    Target("the same: warm cache", 0.4, 0.3, "s", False, first_fit("warm_seconds"), "small", "first-fit"),
    Target("all that one user meets (K = 3 and 7, both grids, two threads, predict, staged cost), empty cache, cpu",
           25, 15, "s", False, one_value("every-first-fit"), "small", "every-first-fit"),
    Target("peak memory beyond X (float32), 5,000,000 x 57, K = 7", 1.06, 0.8, "GiB", False,
           memory("memory"), "large", "memory"),
    Target("the other five boosters against Angle AdaBoost, 300 rows", 1.6, 1.2, "x", False,
           slowest_booster("small-fit"), "small", "small-fit", "others"),
    Target("the same, 500,000 rows", 1.6, 1.2, "x", False,
           slowest_booster("large-round"), "medium", "large-round", "others"),
    Target("time at 2n over time at n, 250,000 to 4,000,000 rows", 2.1, 2.0, "x", False,
           doubling, "large", "doubling"),
    _over(f"{_DEFAULTS}: CostSensitive over LightGBM", 3, 2, "default-fit", FIRST_MODEL, LIGHTGBM_DEFAULTS),
    _over("the same, two clusters a class: CostSensitive over LightGBM", 3, 2,
          "default-fit-clusters", FIRST_MODEL, LIGHTGBM_DEFAULTS),
    _over("the same: CostSensitive over CatBoost", 0.5, 0.25, "default-fit-clusters", FIRST_MODEL, CATBOOST_DEFAULTS),
    _over("the same: one bag over LightGBM", 0.3, 0.1, "default-fit-clusters", ONE_BAG, LIGHTGBM_DEFAULTS),
    Target("import csboost", 0.3, 0.1, "s", False, one_value("import"), "small", "import"),
)  # fmt: skip
"""The floors and aims, in the order of the table. Ratios to peers are peer over Angle AdaBoost, for vector leaves over
Angle Gradient; for fits at the defaults ours over the peer's.
"""


def evaluate(rows: Rows, absent: Mapping[str, str] | None = None, targets: Sequence[Target] = TARGETS) -> pd.DataFrame:
    """Return a line per target: floor, aim, the median measured value, its least and largest, and the mark.

    Parameters
    ----------
    rows : list of Row
    absent : mapping, optional
        Name of a peer or a work -> why it could not be measured.
    targets : sequence of Target

    Returns
    -------
    DataFrame
        Columns work, unit, more_is_better, floor, aim, measured, low, high, repeats, mark, note.
    """
    lines = []
    for target in targets:
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
                "mark": target.mark(measured, "" if measured else target.reason(rows, absent or {})),
                "note": measured.note if measured else "",
            }
        )
    return pd.DataFrame(lines)
