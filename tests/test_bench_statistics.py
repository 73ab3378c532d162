"""Paired tests and ranks, against the libraries and the tables of the literature."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wilcoxon

from bench.show.statistics import average_ranks, holm, paired_differences


def test_holm_agrees_with_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(0)
    for size in (1, 2, 5, 9):
        p = pd.Series(rng.random(size) ** 3)
        assert holm(p).to_numpy() == pytest.approx(multitest.multipletests(p, method="holm")[1])


def test_holm_leaves_what_is_no_comparison():
    corrected = holm(pd.Series([np.nan, 0.01, 0.04], index=["best", "a", "b"]))
    assert np.isnan(corrected["best"])
    assert list(corrected[["a", "b"]]) == pytest.approx([0.02, 0.04])


def test_paired_differences():
    rng = np.random.default_rng(1)
    base = rng.normal(1.0, 0.5, 40)  # the spread over replications is much larger than the differences
    costs = pd.DataFrame(
        {"B": base + 0.05 + rng.normal(0, 0.02, 40), "A": base, "C": base + rng.normal(0.001, 0.02, 40)}
    )
    costs.loc[3, "B"] = np.nan
    result = paired_differences(costs)
    gap = (costs["B"] - costs["A"]).dropna()
    assert result.index[0] == "A"
    assert result.loc["A", "mean_difference"] == 0
    assert np.isnan(result.loc["A", "p_holm"])
    assert result.loc["B", "replications"] == 39
    assert result.loc["B", "mean_difference"] == pytest.approx(gap.mean())
    assert result.loc["B", "standard_error"] == pytest.approx(gap.std(ddof=1) / np.sqrt(39))
    assert result.loc["B", "p_value"] == pytest.approx(wilcoxon(gap).pvalue)
    # the smallest p-value of three pairs: any of them could have been a comparison with the best
    assert result.loc["B", "p_holm"] == pytest.approx(3 * result.loc["B", "p_value"])
    assert result.loc["B", "p_holm"] < 0.001 < 0.05 < result.loc["C", "p_holm"]


def test_the_choice_of_the_best_is_paid_for():
    """Among equal algorithms the lowest is some winner's luck: a p-value below 5 % must still be rare."""
    rng = np.random.default_rng(0)
    studies = 150
    found = sum(
        (paired_differences(pd.DataFrame(rng.normal(size=(12, 7))))["p_holm"] < 0.05).any() for _ in range(studies)
    )
    assert found <= 0.05 * studies


def test_equal_costs_are_no_difference():
    result = paired_differences(pd.DataFrame({"A": [1.0, 2.0, 3.0], "B": [1.0, 2.0, 3.0]}))
    assert result.loc["B", "p_holm"] == 1.0


@pytest.mark.parametrize("columns", [{}, {"A": [1.0, 2.0]}, {"A": [1.0, 2.0], "B": [np.nan, np.nan]}])
def test_nothing_to_compare(columns):
    assert len(paired_differences(pd.DataFrame(columns))) == 0


def test_average_ranks_and_critical_difference():
    means = pd.DataFrame(
        {"A": [1.0, 1.0, 3.0, 1.0], "B": [2.0, 2.0, 2.0, 2.0], "C": [3.0, 2.0, 1.0, 3.0], "D": [4.0] * 4}
    )
    means["gone"] = [1.0, np.nan, 1.0, 1.0]
    ranks = average_ranks(means)
    assert ranks.average.to_dict() == {"A": 1.5, "B": 2.125, "C": 2.375, "D": 4.0}
    assert ranks.scenarios == 4
    # Demsar (2006), table 5: q = 2.569 for four classifiers.
    assert ranks.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 4)), abs=1e-3)
    assert ranks.p_values.loc["A", "D"] < 0.05 < ranks.p_values.loc["A", "C"]


@pytest.mark.parametrize(("groups", "q"), [(3, 2.343), (6, 2.850), (10, 3.164)])
def test_critical_values_are_those_of_the_literature(groups, q):
    means = pd.DataFrame(np.random.default_rng(0).random((6, groups)))
    expected = q * np.sqrt(groups * (groups + 1) / (6 * 6))
    assert average_ranks(means).critical_difference == pytest.approx(expected, abs=2e-3)


def test_nemenyis_p_values_are_those_of_scikit_posthocs():
    posthocs = pytest.importorskip("scikit_posthocs")
    means = pd.DataFrame(np.random.default_rng(2).random((7, 5)), columns=list("ABCDE"))
    expected = posthocs.posthoc_nemenyi_friedman(means.to_numpy())
    np.testing.assert_allclose(average_ranks(means).p_values, expected, atol=1e-9)


def test_scenarios_that_share_rows_are_one_block():
    means = pd.DataFrame({"A": [1.0, 1.0, 1.0, 2.0], "B": [2.0, 3.0, 2.0, 1.0], "C": [3.0, 2.0, 3.0, 3.0]})
    apart = average_ranks(means)
    shared = average_ranks(means, ["simulation1", "simulation1", "simulation2", "simulation2"])
    assert (apart.scenarios, apart.sources, shared.scenarios, shared.sources) == (4, 4, 4, 2)
    assert shared.average.to_dict() == apart.average.to_dict() == {"A": 1.25, "B": 2.0, "C": 2.75}
    assert shared.critical_difference == pytest.approx(apart.critical_difference * np.sqrt(2))
    assert (shared.p_values >= apart.p_values - 1e-12).all(axis=None)
    assert not shared.can_tell  # 2.343 x sqrt(3 x 4 / (6 x 2)) is more than the largest difference, 2
    uneven = average_ranks(means, ["a", "a", "a", "b"])
    assert uneven.average["A"] == pytest.approx((1 + 2) / 2)  # a source counts once, however many scenarios it has


@pytest.mark.parametrize("shape", [(1, 5), (4, 2)])
def test_too_little_to_rank(shape):
    assert average_ranks(pd.DataFrame(np.ones(shape))) is None
