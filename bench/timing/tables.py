"""From stored rows to tables: pure functions of the rows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from typing import Any

import pandas as pd

from bench.rows.row import Row
from bench.show.views import View
from bench.timing.contestants import CONTESTANTS, REFERENCE
from bench.timing.measured import GIB, Rows, of_work, pair_ratios
from bench.timing.work import FIRST_FIT, FIT, MATCHED, MEMORY, ROUND

SWEEPS = {"sweep-n": "n", "sweep-d": "d", "sweep-K": "K", "threads": "threads", "doubling": "n"}
"""Families of works of which one quantity is varied."""

FAMILIES = {
    "small-fit": "Whole fit",
    "small-predict": "Prediction",
    "default-fit": "Whole fit at the defaults",
    "default-fit-clusters": "Whole fit at the defaults, classes of two clusters each",
    "large-round": "One boosting round",
    "vector-round": "One boosting round, 8 leaves, which hold vectors in one tree",
    "slow-round": "One boosting round of the slow",
    "whole-fit": "Whole fit",
    "two-threads": "One boosting round, one thread and two",
    "predict": "Prediction",
    "all-predict": "Prediction, all contestants",
    "own-predict": "Prediction, this code and earlier code",
    "credit-round": "One boosting round on loans, this code and earlier code",
    "many-classes": "One boosting round, few classes and many",
    "vector-classes": "One boosting round of a tree of vector leaves, few classes and many",
    "vector-memory": "Peak memory of the process beyond X (float32), a tree of vector leaves",
    "memory": "Peak memory of the process beyond X (float32)",
    "all-memory": "Peak memory of the process beyond X (float32), all contestants",
    "thousand-classes": "Peak memory of the process beyond X (float32)",
    "first-fit": "First fit in a new process",
    "every-first-fit": "All that one user meets, each fit in a new process, empty cache at first, cpu",
    "import": "import csboost, in a new process",
}
_VARIED = {
    "two-threads": "threads",
    "many-classes": "K",
    "vector-classes": "K",
}  # what tells the lines of a family apart
_ORDER = {name: place for place, name in enumerate([*CONTESTANTS, "csboost"])}


def summarise(rows: Rows, more: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the tidy table: a line per work and contestant, with ``more`` columns of its rows.

    ``median``, ``low`` and ``high`` are of ``value`` in ``unit``; the ratios are to Angle AdaBoost, repeat by repeat.
    """
    lines: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.is_done:
            lines.setdefault((row.scenario, row.variant, row.algorithm), []).append(row)
    tidy = []
    for (scenario, variant, name), mine in lines.items():
        values = [row.value for row in mine]
        ratios = pair_ratios(mine, lines.get((scenario, variant, REFERENCE), []))
        first = mine[0]
        shared = ("work", "measure", "cache", "variant", "n", "d", "K", "rounds", "threads", "unit", *more)
        tidy.append(
            {
                **{field: getattr(first, field) for field in shared},
                "algorithm": name,
                "repeats": len(values),
                "median": statistics.median(values),
                "low": min(values),
                "high": max(values),
                "ratio": statistics.median(ratios) if ratios else math.nan,
                "ratio_low": min(ratios, default=math.nan),
                "ratio_high": max(ratios, default=math.nan),
            }
        )
    return pd.DataFrame(tidy)


def quantity(value: float, unit: str) -> str:
    """Format a time or a memory size with three digits in a unit that suits it."""
    if math.isnan(value):
        return "-"
    if unit == "bytes":
        return f"{value / GIB:.2f} GiB"
    for factor, name in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * factor >= 0.9995:
            return f"{three_digits(value * factor)} {name}"
    return f"{three_digits(value * 1e6)} µs"


def three_digits(value: float) -> str:
    """Format a number with three significant digits, without an exponent."""
    if math.isnan(value):
        return "-"
    rounded = float(f"{abs(value):.3g}")  # its digits count: 0.9999 is shown like 1.00
    digits = 2 - math.floor(math.log10(rounded)) if value else 0
    return f"{value:,.{max(digits, 0)}f}"


def spread(low: float, high: float, text: Any = three_digits) -> str:
    """Format the least and the largest value; empty when there is one only."""
    return "" if math.isnan(low) or low == high else f"{text(low)} to {text(high)}"


def family_views(rows: Rows) -> list[View]:
    """Return a table per family of works that has rows: contestants one below the other."""
    views = []
    for work, title in FAMILIES.items():
        mine = of_work(rows, work)
        if not mine:
            continue
        lines: list[Any] = summarise(mine).to_dict("records")
        varied = _VARIED.get(work, "cache")
        lines.sort(key=lambda line: (_ORDER[line["algorithm"]], line[varied]))
        views.append(View(f"{title}{_where(mine[0])}", pd.DataFrame([_family_line(line, mine) for line in lines])))
    return views


def _where(row: Row) -> str:
    """Say what a work was about."""
    if row.work == "import":
        return ""
    varied = _VARIED.get(row.work)
    parts = [f"{row.n:,} x {row.d}", *([] if varied == "K" else [f"K = {row.K}"])]
    parts += [f"{row.rounds} rounds"] if row.rounds and row.measure != ROUND else []
    parts += [] if varied == "threads" else [f"{row.threads} thread{'s' if row.threads > 1 else ''}"]
    return f": {', '.join(parts)}"


def _family_line(line: dict[str, Any], rows: Rows) -> dict[str, str]:
    unit = line["unit"]
    same = ("algorithm", "cache", "threads", "K")
    mine = [row for row in rows if all(getattr(row, name) == line[name] for name in same)]
    shown = {"": line["algorithm"]}
    if line["work"] in _VARIED:
        shown[_VARIED[line["work"]]] = str(line[_VARIED[line["work"]]])
    if line["measure"] == FIRST_FIT:
        shown["cache"] = line["cache"]
    shown["median"] = quantity(line["median"], unit)
    shown["spread"] = spread(line["low"], line["high"], lambda value: quantity(value, unit))
    if line["measure"] == FIT and line["rounds"]:
        shown["per round"] = quantity(line["median"] / line["rounds"], unit)
    if line["measure"] == FIRST_FIT:
        shown["another K after it"] = _median_of(mine, "second_seconds", "s")
        shown["then warm"] = _median_of(mine, "warm_seconds", "s")
        shown["imports before it"] = _median_of(mine, "import_seconds", "s")
    if line["measure"] == MEMORY:
        shown["added by the fit"] = _median_of(mine, "fit_bytes", "bytes")
    if line["measure"] == ROUND:
        rounds = {row.fit_rounds for row in mine}
        shown["whole fit"] = f"{_median_of(mine, 'fit_seconds', 's')} ({max(rounds)} rounds)"
        shown["before round 1"] = _median_of(mine, "setup_seconds", "s")
    if len({row.algorithm for row in rows}) > 1 and rows[0].protocol == MATCHED:
        shown["times Angle AdaBoost's"] = three_digits(line["ratio"])
        shown["its spread"] = spread(line["ratio_low"], line["ratio_high"])
    return shown


def _median_of(rows: Iterable[Row], field: str, unit: str) -> str:
    values = [value for row in rows if (value := getattr(row, field)) is not None]
    return quantity(statistics.median(values), unit) if values else "-"


def sweep_views(rows: Rows) -> list[View]:
    """Return a table per sweep that has rows: the varied quantity downwards, contestants across, seconds per round."""
    views = []
    for work, varied in SWEEPS.items():
        mine = of_work(rows, work)
        if mine:
            what = "One round, rows doubled" if work == "doubling" else f"One round by {varied}"
            views.append(View(what + _fixed(mine[0], varied), _pivot(mine, varied)))
    return views


def _fixed(row: Row, varied: str) -> str:
    """Say what a sweep holds fixed."""
    texts = {name: f"{name} = {getattr(row, name)}" for name in ("d", "K")}
    texts = {"n": f"{row.n:,} rows", **texts, "threads": f"{row.threads} threads"}
    return f": {', '.join(text for name, text in texts.items() if name != varied)}"


def sweep_table(rows: Rows, varied: str) -> pd.DataFrame:
    """Return a sweep's medians: index the varied quantity, a column per contestant, seconds per round."""
    table = summarise(rows).pivot_table(index=varied, columns="algorithm", values="median", sort=True)
    return table[sorted(table.columns, key=lambda name: _ORDER[str(name)])]


def _pivot(rows: Rows, varied: str) -> pd.DataFrame:
    table = sweep_table(rows, varied)
    shown = table.map(lambda seconds: quantity(seconds, "s"))
    shown.insert(0, varied, [f"{value:,}" for value in table.index])
    return shown.reset_index(drop=True)
