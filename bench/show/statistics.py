"""Whether differences are more than chance: paired tests within a scenario, ranks over independent sources of rows.

Replications are paired (every algorithm meets the same rows), so within a scenario the differences from the best
algorithm are tested by Wilcoxon's signed-rank test. Which one is best is read off the same replications, so Holm's
correction counts every pair of algorithms and not only the pairs with the winner: among k equal algorithms the chance
that any p-value falls below 5 % is then at most 5 %, whoever wins.

Over scenarios, what counts as evidence is a source of rows: replications of one scenario say nothing about other
scenarios (Demšar 2006, Journal of Machine Learning Research 7, section 3.2), and scenarios that differ only in their
costs share their rows, so they make up one block of Nemenyi's test, not several.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import rankdata, studentized_range, wilcoxon

ALPHA = 0.05
COLUMNS = ["mean_difference", "standard_error", "replications", "p_value", "p_holm"]


class Ranks(NamedTuple):
    """Average ranks over sources of rows.

    Attributes
    ----------
    average : Series
        Algorithm -> average rank, 1 is best, in ascending order.
    p_values : DataFrame
        Nemenyi's test for every pair of algorithms.
    critical_difference : float
        Two algorithms whose average ranks differ by less are not told apart at ``ALPHA``.
    scenarios, sources : int
        The scenarios behind the averages, and the sources of rows that they are drawn from: the blocks of the test.
    """

    average: pd.Series
    p_values: pd.DataFrame
    critical_difference: float
    scenarios: int
    sources: int

    @property
    def can_tell(self) -> bool:
        """Whether the test could tell any two algorithms apart: average ranks differ by at most k - 1."""
        return self.critical_difference < len(self.average) - 1


def paired_differences(costs: pd.DataFrame) -> pd.DataFrame:
    """Compare every algorithm of a scenario with the best one.

    Parameters
    ----------
    costs : DataFrame
        One row per replication, one column per algorithm; NaN where a job is missing.

    Returns
    -------
    DataFrame
        Per algorithm (index, best first): ``mean_difference`` from the algorithm of the lowest mean, its
        ``standard_error``, ``replications`` (pairs with both), ``p_value`` of Wilcoxon's signed-rank test, ``p_holm``
        with Holm's correction over all pairs of the scenario's algorithms, which pays for having picked the best from
        the same replications. The best algorithm's own row holds zeros and no p-value. Empty for fewer than two
        algorithms.
    """
    means = costs.mean().dropna().sort_values(kind="stable")
    if len(means) < 2:
        return pd.DataFrame(columns=COLUMNS)
    gaps = {pair: (costs[pair[1]] - costs[pair[0]]).dropna().to_numpy() for pair in combinations(means.index, 2)}
    p_values = {pair: _signed_rank(gap) for pair, gap in gaps.items()}
    corrected = dict(zip(p_values, holm(pd.Series(list(p_values.values()))), strict=True))
    best = means.index[0]
    records = {best: [0.0, 0.0, int(costs[best].count()), math.nan, math.nan]}
    for name in means.index[1:]:
        gap = gaps[best, name]
        records[name] = [
            gap.mean() if len(gap) else math.nan,
            gap.std(ddof=1) / math.sqrt(len(gap)) if len(gap) > 1 else math.nan,
            len(gap),
            p_values[best, name],
            corrected[best, name],
        ]
    return pd.DataFrame.from_dict(records, orient="index", columns=COLUMNS)


def holm(p_values: pd.Series) -> pd.Series:
    """Correct p-values for their number by Holm's step-down method (1979); NaN is no comparison and stays NaN."""
    ascending = p_values.dropna().sort_values(kind="stable")
    stepped = (ascending * np.arange(len(ascending), 0, -1)).cummax().clip(upper=1.0)
    return stepped.reindex(p_values.index)


def _signed_rank(gap: np.ndarray) -> float:
    if len(gap) < 2:
        return math.nan
    if not gap.any():
        return 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ties turn the exact test into its normal approximation
        return float(wilcoxon(gap).pvalue)


def average_ranks(means: pd.DataFrame, sources: Sequence[str] | None = None) -> Ranks | None:
    """Rank the algorithms within each scenario and average over scenarios.

    Parameters
    ----------
    means : DataFrame
        One row per scenario, one column per algorithm; algorithms without a value in every scenario are left out.
    sources : sequence of str, optional
        Where each scenario's rows come from; by default no two scenarios share rows. Ranks are first averaged within a
        source. Such an average varies at most as much as a single rank, so the test errs on the side of caution.

    Returns
    -------
    Ranks or None
        None for fewer than two scenarios or three algorithms, where ranks have nothing to say.
    """
    complete = means.dropna(axis="columns")
    scenarios, groups = complete.shape
    if scenarios < 2 or groups < 3:
        return None
    ranks = pd.DataFrame(rankdata(complete, axis=1), columns=complete.columns)
    by_source = ranks.groupby(list(range(scenarios) if sources is None else sources)).mean()
    unit = math.sqrt(groups * (groups + 1) / (6 * len(by_source)))
    average = by_source.mean()
    apart = np.abs(np.subtract.outer(average.to_numpy(), average.to_numpy()))
    p_values = studentized_range.sf(apart / unit * math.sqrt(2), groups, np.inf)
    return Ranks(
        average.sort_values(kind="stable"),
        pd.DataFrame(p_values, average.index, average.index),
        float(studentized_range.ppf(1 - ALPHA, groups, np.inf) / math.sqrt(2) * unit),
        scenarios,
        len(by_source),
    )
