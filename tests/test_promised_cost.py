"""Promised against realised cost, in figures, in a sentence and with a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from cases import TRUCK_COSTS, trucks, with_trucks

from csboost import costs, metrics

TRUTH, ANSWERS = ["A", "A", "A", "B"] * 50, ["A"] * 200  # one in four costs 1


def test_figures_by_hand():
    expected = np.linspace(0.1, 0.3, 200)
    found = metrics.promised_cost(TRUTH, ANSWERS, expected, None, confidence=0.9)
    assert found.promised == pytest.approx(0.2)
    assert found.realised == 0.25
    assert found.difference == pytest.approx(0.05)
    differences = np.array([0, 0, 0, 1] * 50) - expected
    ends = scipy.stats.norm.interval(0.9, 0.05, scipy.stats.sem(differences))
    assert (found.lower, found.upper) == pytest.approx(ends)
    assert found.confidence == 0.9


@pytest.mark.parametrize(
    ("expected", "options", "advice"),
    [
        (0.24, {}, "nothing speaks against these costs, but it takes more rows to quote them to within 10 %"),
        (0.24, {"tolerance": 0.5}, "these costs can be quoted, to within 50 %"),
        (0.18, {}, "these costs are too low, by how much takes more rows to tell"),
        (0.32, {}, "these costs are too high, by how much takes more rows to tell"),
    ],
)
def test_the_verdict_goes_by_the_interval(expected, options, advice):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = metrics.promised_cost(TRUTH, ANSWERS, [expected] * 200, None, **options)
    assert found.verdict.startswith(f"promised {expected:.2f}, realised 0.25 per case (95 % interval of the diff")
    assert found.verdict.endswith(f"): {advice}")
    assert not found.differs


@pytest.mark.parametrize("expected", [0.02, 0.9])
def test_a_promise_that_is_far_off_is_warned_of(expected):
    with pytest.warns(UserWarning, match=f"promised {expected:.2f}, realised 0.25 .*: do not quote these costs; recal"):
        found = metrics.promised_cost(TRUTH, ANSWERS, [expected] * 200, None)
    assert found.differs


def test_a_single_row_tells_nothing():
    found = metrics.promised_cost(["A"], ["B"], [0.4], None, labels=["A", "B"])
    assert found.verdict == "promised 0.40, realised 1.00 per case: a single row tells nothing of their difference"
    assert np.isnan(found.lower)


def test_answers_gains_weights_and_costs_of_rows():
    C = pd.DataFrame([[-2.0, 5.0, 1.0], [2.0, 0.0, 1.0]], index=["ill", "well"], columns=["treat", "wait", "human"])
    truth, answers = ["ill", "well", "ill", "well"] * 30, ["treat", "wait", "human", "human"] * 30
    expected = pd.DataFrame([[0.9, 0.1, -1.8], [0.9, 0.1, 0.5], [1.0, 0, 0], [0.8, 0, 0]] * 30)
    expected.columns = ["human", "wait", "treat"]
    found = metrics.promised_cost(truth, answers, expected, C)
    assert (found.promised, found.realised) == pytest.approx(((-1.8 + 0.1 + 1.0 + 0.8) / 4, 0.0))
    weights = {"sample_weight": [3, 1, 0, 0] * 30, "tolerance": 1}
    assert metrics.promised_cost(truth, answers, expected, C, **weights).realised == pytest.approx(-1.5)
    rows = pd.DataFrame(np.full((120, 3), 0.05), columns=C.columns)
    assert metrics.promised_cost(truth, answers, expected, sample_cost=rows).realised == pytest.approx(0.05)


def test_the_calibration_table_carries_the_verdict():
    expected = np.linspace(0.1, 0.3, 200)
    table = metrics.cost_calibration(TRUTH, ANSWERS, expected, None)
    assert table.attrs["verdict"] == metrics.promised_cost(TRUTH, ANSWERS, expected, None).verdict
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the table shows it; the sentence is there to be read
        assert "do not quote" in metrics.cost_calibration(TRUTH, ANSWERS, expected / 9, None).attrs["verdict"]


def test_intervals_hold_the_true_difference_as_often_as_they_say():
    rng, covered = np.random.default_rng(0), 0
    for _ in range(1000):
        p = rng.beta(2, 5, 150)
        truth = (rng.random(150) < p).astype(int)
        found = metrics.promised_cost(truth, np.zeros(150, int), 0.9 * 3 * p, [[0, 1], [3, 0]], tolerance=9)
        covered += found.lower <= 0.1 * 3 * 2 / 7 <= found.upper
    assert 0.93 <= covered / 1000 <= 0.97


@with_trucks
def test_published_probabilities_of_trucks_promise_a_third_of_what_they_cost():
    (proba, truth), C = trucks(), TRUCK_COSTS
    answers = costs.bayes_decision(proba, C)
    with pytest.warns(UserWarning, match=r"promised 7.50, realised 25.06 per case .*: do not quote these costs"):
        found = metrics.promised_cost(truth, answers, proba @ C, C)
    assert found.lower > 5
    always = metrics.savings(truth, {"model": answers}, C)
    assert always.attrs["best_constant"] == 4
    assert always.loc["best constant", "mean_cost"] == pytest.approx(8.70, abs=0.005)
    assert always.loc["model", "upper"] < 0  # dearer than no model at all


@pytest.mark.parametrize(
    ("expected", "options", "message"),
    [
        ([0.1] * 199, {}, r"expected_cost must be finite and of shape \(200,\) or \(200, 2\), got \(199,\)"),
        ([np.nan] * 200, {}, "expected_cost must be finite"),
        ([0.1] * 200, {"confidence": 1.5}, "confidence must be between 0 and 1"),
        ([0.1] * 200, {"tolerance": -1}, "tolerance must be a share of at least 0, such as 0.1, got -1"),
    ],
)
def test_bad_promises(expected, options, message):
    with pytest.raises(ValueError, match=message):
        metrics.promised_cost(TRUTH, ANSWERS, expected, None, **options)
