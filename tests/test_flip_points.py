"""At which costs a verdict on two sets of answers flips."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from csboost import metrics

NAMES = list("abc")
GRID = np.linspace(0, 60, 241)


def case(seed, gains=0.0):
    """Truths, two sets of answers, and a table of three truths and four answers."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(NAMES, 90)
    sets = [np.where(rng.random(90) < 0.5, truth, rng.choice([*NAMES, "human"], 90)) for _ in range(2)]
    values = rng.uniform(0, 5, (3, 4)) * (1 - np.eye(3, 4)) - gains * np.eye(3, 4)
    return truth, *sets, pd.DataFrame(values, index=NAMES, columns=[*NAMES, "human"])


def saving(truth, model, other, C):
    """By the entry of every row."""
    row, columns = C.index.get_indexer(truth), [C.columns.get_indexer(answers) for answers in (other, model)]
    return np.subtract(*(C.to_numpy()[row, column].mean() for column in columns))


def changed(C, entry, value):
    table = C.copy()
    table.loc[entry] = value
    return table


@pytest.mark.parametrize("seed", range(4))
def test_flip_points_are_where_a_grid_search_finds_them(seed):
    truth, model, other, C = case(seed)
    flips = metrics.flip_points(truth, model, other, C)
    assert sorted(flips.index) == sorted((j, a) for j in C.index for a in C.columns if j != a)
    now = np.sign(saving(truth, model, other, C))
    for entry, row in flips.iterrows():
        signs = np.array([np.sign(saving(truth, model, other, changed(C, entry, value))) for value in GRID])
        flipped = GRID[signs == -now]
        if np.isnan(row["flips_at"]):
            assert not len(flipped)
            continue
        assert saving(truth, model, other, changed(C, entry, row["flips_at"])) == pytest.approx(0, abs=1e-12)
        if row["flips_at"] < GRID[-1]:
            step = GRID[1]
            first = flipped.max() if row["side"] == "below" else flipped.min()
            assert abs(first - row["flips_at"]) <= step
            assert row["side"] == ("below" if row["flips_at"] < C.loc[entry] else "above")
        assert row["factor"] == pytest.approx(row["flips_at"] / C.loc[entry])
        assert row["relative_change"] == pytest.approx(abs(row["factor"] - 1))
    relative = flips["relative_change"].dropna()
    assert relative.is_monotonic_increasing
    assert flips["relative_change"].iloc[: len(relative)].notna().all()
    assert flips["saving"].sum() == pytest.approx(saving(truth, model, other, C))


def test_with_gains_a_point_may_lie_below_0_and_without_it_may_not():
    truth, model, other = ["a", "a", "b", "b"], ["a", "a", "b", "b"], ["a", "b", "b", "b"]
    C = pd.DataFrame([[0.0, 4.0], [1.0, 0.0]], index=["a", "b"], columns=["a", "b"])
    flips = metrics.flip_points(truth, model, other, C)
    assert flips.loc[("a", "b"), "flips_at"] == 0  # only when the other's one mistake costs nothing
    assert flips.loc[("b", "a")].drop(["cost", "saving"]).isna().all()  # nobody answers so
    gains = C - np.array([[3, 0], [0, 0]])  # a catch is worth 3
    flips = metrics.flip_points(truth, model, other, gains)
    assert flips.loc[("a", "b"), "flips_at"] == -3
    assert flips.loc[("a", "a"), "flips_at"] == 4
    assert ("b", "b") not in flips.index  # right, and costs nothing


@pytest.mark.parametrize("seed", range(3))
def test_groups_flip_at_the_factor_that_a_grid_search_finds(seed):
    truth, model, other, C = case(seed, gains=1.0)
    groups = {
        "answers": [(j, a) for j in NAMES for a in NAMES if j != a],
        "human": [(j, "human") for j in NAMES],
        "right": [(j, j) for j in NAMES],
    }
    flips = metrics.flip_points(truth, model, other, C, groups=groups)
    assert sorted(flips.index) == sorted(groups)
    now = np.sign(saving(truth, model, other, C))
    for name, row in flips.iterrows():
        mask = np.array([[(j, a) in groups[name] for a in C.columns] for j in C.index])
        signs = np.array([np.sign(saving(truth, model, other, C.where(~mask, C * f))) for f in GRID])
        flipped = GRID[signs == -now]
        if np.isnan(row["factor"]):
            assert not len(flipped)
        else:
            assert saving(truth, model, other, C.where(~mask, C * row["factor"])) == pytest.approx(0, abs=1e-12)
            if row["factor"] < GRID[-1]:
                first = flipped.max() if row["side"] == "below" else flipped.min()
                assert abs(first - row["factor"]) <= GRID[1]
    assert flips["saving"].sum() == pytest.approx(saving(truth, model, other, C))


def test_the_factors_of_two_groups_of_all_entries_are_the_change_of_their_ratio():
    truth = ["sick", "sick", "well", "well", "well"]
    careful, today = ["sick", "sick", "sick", "sick", "well"], ["sick", "well", "well", "well", "well"]
    C = [[0, 5], [1, 0]]
    groups = {"missed": [("sick", "well")], "false alarm": [("well", "sick")]}
    flips = metrics.flip_points(truth, careful, today, C, groups=groups)
    assert flips["factor"].to_dict() == pytest.approx({"missed": 0.4, "false alarm": 2.5})  # 5 : 1 becomes 2 : 1
    assert flips.attrs["verdict"] == (
        "the model costs 0.60 per case less than the other answers; "
        "that flips where all of 'missed' cost less than 0.4 times as much as now"
    )


def test_weights_and_costs_of_rows_move_the_point():
    truth, model, other = ["a", "a", "b", "b"], ["a", "a", "a", "b"], ["b", "a", "b", "b"]
    C = [[0, 4], [1, 0]]
    weighted = metrics.flip_points(truth, model, other, C, sample_weight=[1, 1, 2, 1])
    assert weighted.loc[("a", "b"), "flips_at"] == pytest.approx(2)
    rows = np.array([[0, 6.0], [0, 2.0], [1.5, 0], [2.5, 0]])
    flips = metrics.flip_points(truth, model, other, sample_cost=rows)
    assert flips.loc[("a", "b"), "cost"] == 4  # the mean over the rows whose truth is a
    assert flips.loc[("a", "b"), "factor"] == pytest.approx(1.5 / 6)
    assert flips.loc[("a", "b"), "flips_at"] == pytest.approx(4 * 1.5 / 6)
    scaled = rows * [1, 1.5 / 6]  # column b, wrong where a is true, is 0 elsewhere
    assert metrics.mean_cost(truth, model, sample_cost=scaled) == metrics.mean_cost(truth, other, sample_cost=scaled)


def test_an_entry_that_costs_nothing_flips_by_an_infinite_change():
    C = pd.DataFrame([[0.0, 0.0], [2.0, 0.0]], index=["a", "b"], columns=["a", "b"])
    flips = metrics.flip_points(["a", "b"], ["b", "b"], ["a", "a"], C)
    assert flips.loc[("a", "b"), "flips_at"] == 2
    assert flips.loc[("a", "b"), "relative_change"] == np.inf


def test_the_verdict_where_nothing_differs_or_nothing_flips():
    truth, model = ["a", "b"], ["a", "b"]
    C = [[0, 4], [1, 0]]
    same = metrics.flip_points(truth, model, model, C).attrs["verdict"]
    assert same == "the model costs the same as the other answers"
    mistakes = metrics.flip_points(truth, model, ["b", "a"], C).attrs["verdict"]
    assert mistakes == (
        "the model costs 2.50 per case less than the other answers; no change of one of these alone flips that"
    )


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({}, "groups must name lists of"),
        ([("a", "b")], "groups must name lists of"),
        ({"missed": []}, r"groups\['missed'\] is empty"),
        ({"missed": [("a", "x")]}, r"groups\['missed'\] holds \('a', 'x'\), which is no \(truth, answer\) of the c"),
        ({"missed": ["ab", "c"]}, r"groups\['missed'\] holds 'ab'"),
    ],
)
def test_bad_groups(groups, message):
    with pytest.raises(ValueError, match=message):
        metrics.flip_points(["a", "b"], ["a", "a"], ["b", "b"], [[0, 1], [1, 0]], groups=groups)
