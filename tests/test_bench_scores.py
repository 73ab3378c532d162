"""Scores of a comparison over the suite: sets are averaged, tested and ranked; zeros and gaps have their ways."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from bench.rows.row import Job, Row
from bench.show.suite.scores import frame_of, paired_tests, score
from bench.show.suite.tables import spending


def row(set_name, kind, name, number, cost, constant=1.0, floor=0.01, arm="defaults"):
    return Row(
        study="suite", **Job(set_name, kind, name, arm, number)._asdict(), seed=0, status="done", test_cost=cost,
        constant_cost=constant, cost_floor=floor, chosen="", fit_seconds=cost, predict_seconds=0.1, versions={},
    )  # fmt: skip


def rows_like(costs, splits=1):
    """Rows of ``{(set, kind): {algorithm: cost}}``."""
    return [
        row(*task, name, number, cost)
        for task, by_name in costs.items()
        for name, cost in by_name.items()
        for number in range(splits)
    ]


def test_cost_structures_of_a_set_are_averaged_before_sets_are():
    rows = rows_like({("a", "equal"): {"A": 0.5}, ("a", "random"): {"A": 0.125}, ("b", "equal"): {"A": 1.0}})
    scores = score(frame_of(rows), ["A"], "defaults", "all sets", ["a", "b"])
    assert scores.mean_logs["A"] == pytest.approx((math.log(0.25) + 0) / 2)


def test_a_cost_of_zero_is_raised_to_half_a_mistake_in_all_splits():
    rows = rows_like({("a", "equal"): {"A": 0.0, "B": 0.5}}, splits=2)
    scores = score(frame_of(rows), ["A", "B"], "defaults", "all sets", ["a"])
    assert scores.logs["A"].item() == pytest.approx(math.log(0.005))
    assert scores.costs["A"].item() == 0


def test_only_what_all_have_finished_is_compared_and_who_has_little_is_left_out():
    rows = rows_like({(f"s{i}", "equal"): {"A": 0.1 + i, "B": 0.2 + i} for i in range(10)})
    rows += [row("s0", "equal", "C", 0, 0.1)]
    rows = [one for one in rows if (one.scenario, one.algorithm) != ("s3", "B")]
    scores = score(frame_of(rows), ["A", "B", "C"], "defaults", "all sets", [f"s{i}" for i in range(10)])
    assert scores.left_out == ("C",)
    assert list(scores.costs) == ["A", "B"]
    assert len(scores.costs) == 9


def test_sets_are_what_tests_count_and_all_pairs_are_paid_for():
    rng = np.random.default_rng(0)
    by_set = pd.DataFrame({"A": rng.normal(size=20), "C": rng.normal(size=20) + 3})
    by_set["B"] = by_set["A"] + 0.1
    pairs = paired_tests(by_set).set_index(["better", "worse"])
    assert len(pairs) == 3
    line = pairs.loc["A", "B"]
    assert line["log_ratio"] == pytest.approx(-0.1)
    assert (line["won"], line["lost"], line["sets"]) == (20, 0, 20)
    assert line["wilcoxon"] < 1e-4
    assert line["wilcoxon_holm"] >= line["wilcoxon"]
    assert pairs["wilcoxon_holm"].max() <= 3 * pairs["wilcoxon"].max()


def test_rows_of_one_fit_count_its_seconds_once():
    rows = [row("a", kind, "A", 0, 2.0) for kind in ("equal", "random", "linear")] + [row("b", "equal", "A", 0, 4.0)]
    assert spending(rows)["A"][0] == pytest.approx(3.0)
