"""The published protocol against the printed table, and what is said of how it was found."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from cases import compiled

import bench.protocols.readings
import bench.studies.draws
from bench import credit, simulations
from bench.algorithms import published_factory
from bench.protocols import PROTOCOLS
from bench.published.split import grouped_split
from bench.studies.draws import draw_simulation
from csboost import data

ROOT = Path(__file__).parents[1]
WANG_COSTS = {"simulation1": data.WAVEFORM_COSTS, "simulation2": data.FOUR_GAUSSIANS_COSTS}


def test_grouped_split_fixes_the_share_of_groups_not_of_classes():
    counts = []
    for seed in range(200):
        y = np.random.default_rng(seed).integers(0, 3, 5000)
        train, test = grouped_split(y, 300, seed + 1000)
        assert len(train) == 300
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(5000))
        counts.append(np.bincount(y[train]) - 300 * np.bincount(y) / 5000)
    deviation = np.abs(counts)
    assert deviation[:, 2].max() < 1  # the last class is a group of its own
    assert deviation[:, 0].max() > 10  # the first two share one
    np.testing.assert_allclose(deviation[:, 0], deviation[:, 1], atol=1)


def test_grouped_split_needs_rows_for_both_sides():
    for n_train in (0, 10):
        with pytest.raises(ValueError, match="n_train must be between 1 and 9"):
            grouped_split(np.arange(10) % 2, n_train)


def printed_cells():
    path = ROOT / "bench" / "published.csv"
    with path.open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["table"] == "1"]


def distance(row, draws):
    """Mean test cost minus the printed one, in standard errors of that difference."""
    C = WANG_COSTS[row["scenario"]] if row["costs"] == "wang" else None
    make = published_factory(row["algorithm"])
    last = [make(C, 200, 0).fit(X, y).staged_cost(X_test, y_test)[-1] for X, y, X_test, y_test, _ in draws]
    # The printed standard error is that of 100 replications: from it follows the spread of a mean of fewer.
    error = float(row["standard_error"]) * np.sqrt(100 / len(draws) + 1)
    return (np.mean(last) - float(row["mean"])) / error


@pytest.fixture(scope="module")
def drawn():
    """The published draws of the benchmark, by simulation: the rows of 40 replications each."""
    return {name: [draw_simulation(name, "published", seed) for seed in range(40)] for name in WANG_COSTS}


@compiled("288 fits are too slow without")
def test_a_few_replications_agree_with_every_printed_cell(drawn):
    printed = printed_cells()
    assert len(printed) == 24
    far = {tuple(row.values())[:4]: distance(row, drawn[row["scenario"]][:12]) for row in printed}
    assert not {cell: found for cell, found in far.items() if abs(found) > 3}


@compiled("320 fits are too slow without")
def test_the_grouped_split_agrees_with_print_and_a_plain_one_does_not(drawn):
    # AdaBoost.M2 and p-norm are far from converged, so they tell how even the class counts are. One cell says little,
    # four together do; a plain split makes all of them too high, one stratified by class too low.
    telling = [
        row for row in printed_cells() if row["costs"] == "equal" and row["algorithm"] in ("AdaBoost.M2", "p-norm")
    ]
    plain = {name: [draw_simulation(name, "faithful", seed) for seed in range(40)] for name in WANG_COSTS}
    grouped, at_random = (
        np.mean([distance(row, draws[row["scenario"]]) for row in telling]) for draws in (drawn, plain)
    )
    assert abs(grouped) < 1 < 2 < at_random


def test_protocols_are_described():
    assert set(PROTOCOLS) == {"faithful", "published"}
    assert all(word in PROTOCOLS["published"] for word in ("2 leaves", "0/1 votes", "1/n", "without costs"))


@pytest.mark.parametrize(
    "words",
    [
        PROTOCOLS["published"],
        bench.published.__doc__,
        bench.published.split.__doc__,
        bench.protocols.readings.__doc__,
        bench.studies.draws.draw_simulation.__doc__,
        (ROOT / "README.md").read_text(),
        simulations.parser().format_help(),
        credit.parser().format_help(),
        " ".join(simulations.make_study(simulations.parser().parse_args([])).notes),
    ],
)
def test_wherever_the_protocol_is_described_its_split_is_said_to_be_chosen_after_the_fact(words):
    words = " ".join(words.split())
    assert "split" in words
    assert "after the fact" in words
    assert re.search("because (it fits|they fit)", words)
