"""Tables of a comparison over the suite, as texts: the summary, time and memory, what is missing, every task."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from bench.rows.row import Job, Row
from bench.show.suite.scores import Scores, against_best
from bench.show.views import View, number, p_text
from bench.studies.suite import Comparison
from bench.suite.sets import part_of

MEBI = 2**20


def summary(scores: Scores, rows: Sequence[Row]) -> View:
    """Return a line per algorithm, lowest cost first: ranks, relative cost, distance from the best, time, memory."""
    pairs, spent = against_best(scores).to_dict("index"), spending(rows)
    lines = []
    for name, mean in scores.mean_logs.items():
        pair = pairs.get(name)
        seconds, predict, memory = spent[str(name)]
        lines.append(
            {
                "algorithm": str(name),
                "rank": "-" if scores.ranks is None else number(scores.ranks.average[str(name)], 2),
                "relative cost": number(math.exp(mean)),
                "log ratio": "lowest" if pair is None else f"+{number(-pair['log_ratio'])}",
                "(s.e.)": "" if pair is None else f"({number(pair['standard_error'])})",
                "better on": "" if pair is None else f"{pair['lost']} of {pair['sets']}",
                "Wilcoxon": "" if pair is None else p_text(pair["wilcoxon_holm"]),
                "t test": "" if pair is None else p_text(pair["t_test_holm"]),
                "fit s": number(seconds, 2),
                "predict s": number(predict, 3),
                "MB": number(memory / MEBI, 0),
            }
        )
    n_tasks, n_sets = len(scores.costs), scores.costs.index.get_level_values("set").nunique()
    title = f"Arm {scores.arm}, {scores.part}: {n_tasks} tasks of {n_sets} sets, up to {scores.splits} splits"
    return View(title, pd.DataFrame(lines))


def spending(rows: Iterable[Row]) -> dict[str, tuple[float, float, float]]:
    """Return algorithm -> median seconds of a fit and of its prediction, and the most bytes that a fit added."""
    found: dict[str, dict[tuple[object, ...], tuple[float, float, float]]] = {}
    for row in rows:
        if row.is_done:
            fit = (row.scenario, row.protocol, row.replication, row.fit_seconds)  # rows of one fit share its seconds
            spent = (row.fit_seconds, row.predict_seconds, float(vars(row).get("fit_bytes", math.nan)))
            found.setdefault(row.algorithm, {})[fit] = spent
    return {
        name: (
            statistics.median(spent[0] for spent in fits.values()),
            statistics.median(spent[1] for spent in fits.values()),
            max(spent[2] for spent in fits.values()),
        )
        for name, fits in found.items()
    }


def missing(comparison: Comparison, rows: Iterable[Row], absent: Mapping[str, str]) -> View | None:
    """Return what is not finished of what was asked for, and what was not asked for because it is not available."""
    status = {row.job: row for row in rows}
    lines = []
    for arm in comparison.arms:
        for name in comparison.algorithms:
            asked = [job for job in comparison.jobs if (job.protocol, job.algorithm) == (arm, name)]
            failed = sum(job in status and not status[job].is_done for job in asked)
            open_ = sum(job not in status for job in asked)
            if failed or open_:
                lines.append((name, arm, f"{len(asked)}", f"{open_}", f"{failed}", _where(asked, status)))
    lines += [(name, "all", "-", "-", "-", f"not available: {why}") for name, why in absent.items()]
    columns = ["algorithm", "arm", "cells asked for", "not run", "failed", "where"]
    return View("Missing cells", pd.DataFrame(lines, columns=columns)) if lines else None


def _where(asked: Iterable[Job], status: Mapping[Job, Row]) -> str:
    sets = list(dict.fromkeys(job.scenario for job in asked if job not in status or not status[job].is_done))
    return ", ".join(sets[:4]) + (f" and {len(sets) - 4} more sets" if len(sets) > 4 else "")


def every_task(scores: Scores) -> View:
    """Return the mean cost of every task relative to the best constant answer; the lowest is marked."""
    lines = []
    names = ["/".join(task) for task in scores.logs.index]
    for task, logs in zip(names, scores.logs.to_dict("records"), strict=True):
        texts = {str(name): f"{math.exp(log):.3f}" for name, log in logs.items()}
        lowest = min(texts.values(), key=float)
        marked = {name: f"{'*' if text == lowest else ''}{text}" for name, text in texts.items()}
        lines.append({"task": task, **marked})
    return View(f"Cost relative to the best constant answer, arm {scores.arm}", pd.DataFrame(lines))


def between_arms(by_arm: Mapping[str, Scores]) -> View | None:
    """Return what each arm does to an algorithm's log cost, over the tasks that it has under both arms."""
    if "defaults" not in by_arm or len(by_arm) < 2:
        return None
    usual = by_arm["defaults"].logs
    lines = []
    for name in usual:
        line = {"algorithm": str(name)}
        for arm, scores in by_arm.items():
            if arm != "defaults" and name in scores.logs:
                gaps = (scores.logs[name] - usual[name]).dropna().groupby(level="set").mean()
                error = gaps.std(ddof=1) / math.sqrt(len(gaps)) if len(gaps) > 1 else math.nan
                line[arm] = f"{gaps.mean():+.3f} ({number(error)}), {len(gaps)} sets"
        lines.append(line)
    return View("Log cost against the defaults (below 0: cheaper)", pd.DataFrame(lines).fillna("-"))


def tidy(table: pd.DataFrame) -> pd.DataFrame:
    """Return ``table.csv``: a line per task, algorithm and arm."""
    keys = ["set", "kind", "algorithm", "arm"]
    groups = table.groupby(keys, sort=False)
    found = groups["cost"].agg(["mean", "sem", "count"]).reset_index()
    found["relative"] = found["mean"] / groups["constant"].mean().to_numpy()
    found["part"] = [part_of(name) for name in found["set"]]
    found.insert(0, "study", "suite")
    names = {"set": "scenario", "kind": "costs", "arm": "protocol", "sem": "standard_error", "count": "replications"}
    return found.rename(columns=names)
