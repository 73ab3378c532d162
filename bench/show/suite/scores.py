"""What the rows of the suite say under one arm, on some of its data sets.

Sets are what counts as evidence: cost structures of a set share its rows, so they are averaged first, and every test is
over sets. Only what all compared algorithms have finished is compared.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import ttest_rel, wilcoxon

from bench.rows.row import Row
from bench.show.statistics import Ranks, average_ranks, holm

ENOUGH = 0.8
"""An algorithm that has finished a smaller share of what the most complete one has is not compared."""

UNIT = ["set", "kind", "split"]
TASK = UNIT[:2]


@dataclass(frozen=True)
class Scores:
    """The comparison under one arm on some sets.

    Attributes
    ----------
    arm, part : str
        ``part`` says which sets in words.
    costs, logs : DataFrame (tasks, algorithms)
        Mean test cost over the splits, and logarithm of the cost relative to the best constant answer; a cost below
        half of the cheapest mistake in all splits is raised to that.
    ranks : Ranks or None
    pairs : DataFrame
        A line per pair of algorithms (:func:`paired_tests`).
    left_out : tuple of str
        Algorithms of which too little is finished.
    splits : int
        Most splits of a set.
    """

    arm: str
    part: str
    costs: pd.DataFrame
    logs: pd.DataFrame
    ranks: Ranks | None
    pairs: pd.DataFrame
    left_out: tuple[str, ...]
    splits: int

    @property
    def sets(self) -> frozenset[str]:
        """The sets that are compared on."""
        return frozenset(self.costs.index.get_level_values("set"))

    @property
    def by_set(self) -> pd.DataFrame:
        """Mean log relative cost of each set (sets, algorithms)."""
        return self.logs.groupby(level="set").mean()

    @property
    def mean_logs(self) -> pd.Series:
        """Mean over sets of the log relative cost, lowest first."""
        return self.by_set.mean().sort_values(kind="stable")


def frame_of(rows: Iterable[Row]) -> pd.DataFrame:
    """Return finished rows as a table, a line each."""
    columns = [*UNIT, "algorithm", "arm", "cost", "constant", "floor"]
    lines = [
        (
            row.scenario, row.costs, row.replication, row.algorithm, row.protocol,
            row.test_cost, row.constant_cost, row.cost_floor,
        )
        for row in rows
        if row.is_done
    ]  # fmt: skip
    return pd.DataFrame(lines, columns=columns)


def score(table: pd.DataFrame, algorithms: Sequence[str], arm: str, part: str, sets: Iterable[str]) -> Scores | None:
    """Compare algorithms under an arm on some sets.

    Parameters
    ----------
    table : DataFrame
        From :func:`frame_of`.
    algorithms : sequence of str
        In the order of the tables.
    arm, part : str
    sets : iterable of str

    Returns
    -------
    Scores or None
        None where nothing is finished by all that are compared.
    """
    mine = table[(table["arm"] == arm) & table["set"].isin(set(sets)) & table["algorithm"].isin(algorithms)]
    wide = mine.pivot(index=UNIT, columns="algorithm", values="cost")
    wide = wide[[name for name in algorithms if name in wide]]
    finished = wide.notna().sum()
    enough = finished >= ENOUGH * finished.max()
    wide = wide.loc[:, enough].dropna()
    if wide.empty:
        return None
    per_unit = mine.drop_duplicates(UNIT).set_index(UNIT)[["constant", "floor"]].loc[wide.index]
    costs, sizes = wide.groupby(TASK, sort=False).mean(), wide.groupby(TASK, sort=False).size()
    of_task = per_unit.groupby(TASK, sort=False).mean()
    raised = costs.clip(lower=of_task["floor"] / sizes, axis="index")
    logs = np.log(raised.div(of_task["constant"], axis="index"))
    return Scores(
        arm=arm,
        part=part,
        costs=costs,
        logs=logs,
        ranks=average_ranks(costs, costs.index.get_level_values("set").tolist()),
        pairs=paired_tests(logs.groupby(level="set").mean()),
        left_out=tuple(name for name in algorithms if name not in wide),
        splits=int(sizes.max()),
    )


def paired_tests(by_set: pd.DataFrame) -> pd.DataFrame:
    """Test every pair of algorithms over sets.

    Parameters
    ----------
    by_set : DataFrame (sets, algorithms)
        Mean log relative cost.

    Returns
    -------
    DataFrame
        A line per pair, the lower mean first: ``better``, ``worse``, ``log_ratio`` (mean difference, below 0),
        ``standard_error``, ``sets``, ``won``, ``lost``, p-values of Wilcoxon's signed-rank test and of the paired t
        test, and both with Holm's correction over all pairs.
    """
    lines = []
    order = by_set.mean().sort_values(kind="stable").index
    for better, worse in combinations(order, 2):
        gap = (by_set[better] - by_set[worse]).to_numpy()
        n = len(gap)
        lines.append(
            {
                "better": better,
                "worse": worse,
                "log_ratio": gap.mean(),
                "standard_error": gap.std(ddof=1) / math.sqrt(n) if n > 1 else math.nan,
                "sets": n,
                "won": int((gap < 0).sum()),
                "lost": int((gap > 0).sum()),
                **_p_values(by_set[better], by_set[worse]),
            }
        )
    pairs = pd.DataFrame(lines)
    for test in ("wilcoxon", "t_test") if lines else ():
        pairs[f"{test}_holm"] = holm(pairs[test])
    return pairs


def _p_values(one: pd.Series, other: pd.Series) -> dict[str, float]:
    """Return p-values of both tests; NaN for fewer than two sets, 1 where nothing differs."""
    if len(one) < 2:
        return {"wilcoxon": math.nan, "t_test": math.nan}
    if np.array_equal(one, other):
        return {"wilcoxon": 1.0, "t_test": 1.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ties turn the exact test into its normal approximation
        return {"wilcoxon": float(wilcoxon(one, other).pvalue), "t_test": float(ttest_rel(one, other).pvalue)}


def against_best(scores: Scores) -> pd.DataFrame:
    """Return the pairs with the algorithm of the lowest mean log cost, by the other's name."""
    best = scores.mean_logs.index[0]
    if scores.pairs.empty:
        return scores.pairs
    return scores.pairs[scores.pairs["better"] == best].set_index("worse")
