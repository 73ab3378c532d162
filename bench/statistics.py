"""Whether differences are more than chance: paired tests within a scenario, ranks over scenarios.

Replications are paired (every algorithm meets the same rows), so within a scenario the differences from the best
algorithm are tested by Wilcoxon's signed-rank test with Holm's correction. Over scenarios the blocks are the scenarios,
not the replications: replications of one scenario are not independent evidence about other scenarios (Demšar 2006,
Journal of Machine Learning Research 7, section 3.2).
"""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import rankdata, studentized_range, wilcoxon

ALPHA = 0.05


class Ranks(NamedTuple):
    """Average ranks over scenarios.

    Attributes
    ----------
    average : Series
        Algorithm -> average rank, 1 is best, in ascending order.
    p_values : DataFrame
        Nemenyi's test for every pair of algorithms.
    critical_difference : float
        Two algorithms whose average ranks differ by less are not told apart at ``ALPHA``.
    scenarios : int
        The number of scenarios behind the averages.
    """

    average: pd.Series
    p_values: pd.DataFrame
    critical_difference: float
    scenarios: int


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
        with Holm's correction over the scenario's comparisons. The best algorithm's own row holds zeros and no p-value.
        Empty for fewer than two algorithms.
    """
    means = costs.mean().dropna().sort_values(kind="stable")
    if len(means) < 2:
        return pd.DataFrame(columns=["mean_difference", "standard_error", "replications", "p_value", "p_holm"])
    best = means.index[0]
    records = {best: {"mean_difference": 0.0, "standard_error": 0.0, "replications": int(costs[best].count())}}
    for name in means.index[1:]:
        gap = (costs[name] - costs[best]).dropna().to_numpy()
        records[name] = {
            "mean_difference": gap.mean() if len(gap) else math.nan,
            "standard_error": gap.std(ddof=1) / math.sqrt(len(gap)) if len(gap) > 1 else math.nan,
            "replications": len(gap),
            "p_value": _signed_rank(gap),
        }
    result = pd.DataFrame.from_dict(records, orient="index")
    result["p_holm"] = holm(result["p_value"])
    return result


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


def average_ranks(means: pd.DataFrame) -> Ranks | None:
    """Rank the algorithms within each scenario and average over scenarios.

    Parameters
    ----------
    means : DataFrame
        One row per scenario, one column per algorithm; algorithms without a value in every scenario are left out.

    Returns
    -------
    Ranks or None
        None for fewer than two scenarios or three algorithms, where the test has nothing to say.
    """
    complete = means.dropna(axis="columns")
    blocks, groups = complete.shape
    if blocks < 2 or groups < 3:
        return None
    from scikit_posthocs import posthoc_nemenyi_friedman

    ranks = pd.DataFrame(rankdata(complete, axis=1), columns=complete.columns)
    p_values = posthoc_nemenyi_friedman(complete.to_numpy())
    p_values.index = p_values.columns = complete.columns
    quantile = studentized_range.ppf(1 - ALPHA, groups, np.inf) / math.sqrt(2)
    critical = quantile * math.sqrt(groups * (groups + 1) / (6 * blocks))
    return Ranks(ranks.mean().sort_values(kind="stable"), p_values, float(critical), blocks)
