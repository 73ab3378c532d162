"""The suite's fits, shared by cost structures, and its arms."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from suite_fakes import FITS, WORDS, Cheapest, Mute, Nearest, Refusing, fakes, rows_of, run  # noqa: F401 - a fixture

from bench import exits
from bench.competitors.form import Form
from bench.run import arms, suite
from bench.run.arms import best_temperature, defaults, divisions, scaled, temperature, tuned
from bench.run.case import Case, Outcome, Rows, Watch
from bench.studies.suite import Comparison, FitKey, fits_of, seed_of
from bench.suite import names
from bench.suite.sets import load
from bench.suite.splits import split
from bench.suite.tasks import Task

# Jobs and fits


def test_costs_that_enter_at_the_decision_share_a_fit_and_others_have_one_each():
    comparison = Comparison(tuple(Task("wine", kind) for kind in ("equal", "random")), ("A", "B"), ("defaults",), 2)
    assert len(comparison.jobs) == 8
    assert fits_of(comparison.jobs, ["B"])[:3] == [
        (FitKey("wine", "A", "defaults", 0), ("equal", "random")),
        (FitKey("wine", "B", "defaults", 0), ("equal",)),
        (FitKey("wine", "B", "defaults", 0), ("random",)),
    ]


def test_an_interrupted_run_has_looked_at_every_set_before_it_looks_twice():
    tasks = (Task("iris", "equal"), Task("wine", "equal"))
    jobs = Comparison(tasks, ("A",), ("defaults", "tuned"), 2).jobs
    assert [(job.protocol, job.replication, job.scenario) for job in jobs] == [
        (arm, number, name) for arm in ("defaults", "tuned") for number in (0, 1) for name in ("iris", "wine")
    ]


def test_seeds_are_shared_by_algorithms_and_arms_and_differ_between_splits():
    seeds = {seed_of(base, name, number) for base in (0, 1) for name in ("iris", "wine") for number in range(20)}
    assert len(seeds) == 80
    assert max(seeds) < 2**31


def test_a_fit_is_judged_under_every_cost_structure_by_the_bayes_rule(tmp_path):
    assert run(*WORDS, out=tmp_path).returncode == exits.DONE
    rows = rows_of(tmp_path)
    assert len(rows) == 2 * 2 * 2 * 2
    assert len(FITS) == 2 * 2 * (1 + 2)  # Cheapest is fitted for each cost matrix
    data = load("wine")
    train, test = split(data, 1)
    costs = Task("wine", "random").cost_matrix(data)
    model = Nearest(0).fit(data.X.iloc[train], data.y[train])
    answers = (model.predict_proba(data.X.iloc[test]) @ costs).argmin(axis=1)
    (row,) = (
        row
        for row in rows
        if (row["scenario"], row["costs"], row["algorithm"], row["replication"]) == ("wine", "random", "Nearest", 1)
    )
    assert row["test_cost"] == pytest.approx(costs[data.y[test], answers].mean())
    constant = (np.bincount(data.y[train]) @ costs).argmin()
    assert row["constant_cost"] == pytest.approx(costs[data.y[test], constant].mean())
    assert row["cost_floor"] == pytest.approx(costs[costs > 0].min() / 2 / len(test))
    assert row["protocol"] == "defaults"
    assert row["fit_seconds"] >= 0
    cheapest = [row for row in rows if row["algorithm"] == "Cheapest"]
    assert all(row["test_cost"] == pytest.approx(row["constant_cost"]) for row in cheapest)


# Arms


def case_of(costs, form=None, n=300, groups=None):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    X = pd.DataFrame(rng.normal(size=(n, 2)) + 1.5 * np.eye(3)[y][:, :2])
    return Case(form or Form(Nearest), Rows(X, y, groups), Rows(X, y), costs, 0, Watch())


EQUAL = 1.0 - np.eye(3)


def test_the_temperature_that_was_put_in_is_found_and_taken_out():
    rng = np.random.default_rng(1)
    truth = 0.01 + 0.97 * rng.dirichlet([1, 1, 1], 20_000)
    y = (truth.cumsum(axis=1) > rng.random((len(truth), 1))).argmax(axis=1)
    assert best_temperature(scaled(truth, 1 / 3), y) == pytest.approx(3, rel=0.05)
    np.testing.assert_allclose(scaled(scaled(truth, 1 / 3), 3.0), truth, atol=1e-12)


def test_a_temperature_is_chosen_on_rows_that_the_fit_has_not_seen():
    case = case_of({"equal": EQUAL})
    outcome = temperature(case)["equal"]
    assert FITS == [240]
    assert re.fullmatch(r"temperature [\d.]+", outcome.chosen)
    assert outcome.probabilities.shape == (300, 3)
    sharp = temperature(case_of({"equal": EQUAL}, Form(lambda seed: Nearest(seed, power=4.0))))["equal"]
    ratio = float(sharp.chosen.split()[1]) / float(outcome.chosen.split()[1])
    assert ratio == pytest.approx(4.0, rel=0.02)


def test_a_competitor_that_sees_costs_decides_by_itself_but_by_its_probabilities_after_a_temperature():
    form = Form(lambda costs, seed: Cheapest(costs, 1, seed), sees_costs=True)
    costs = np.array([[0, 1, 9], [1, 0, 9], [1, 1, 0.0]])
    case = case_of({"own": costs}, form)
    assert defaults(case)["own"].probabilities is None
    assert set(defaults(case)["own"].answers) == {0}
    P = temperature(case)["own"].probabilities
    np.testing.assert_allclose(P, 1 / 3, atol=0.01)


def test_each_cost_structure_chooses_its_own_options_and_shares_the_cross_validation():
    form = Form(Nearest, ({}, {"power": 0.001}))
    blind = np.array([[0, 1, 1], [1, 0, 1], [50, 50, 0.0]])  # with flat probabilities the answer is always 2
    case = case_of({"equal": EQUAL, "blind": blind}, form)
    found = tuned(case)
    assert found["equal"].chosen == ""
    refits = len({outcome.chosen for outcome in found.values()})
    assert [200] * 6 + [300] * refits == FITS
    only = tuned(case_of({"equal": EQUAL}, Form(Nearest, ({"power": 0.0}, {"power": 2.0}))))
    assert only["equal"].chosen == "power=2.0"


def test_what_has_no_probabilities_keeps_its_own_answers():
    form = Form(lambda costs, seed: Mute(costs, 1, seed), sees_costs=True)
    outcome = temperature(case_of({"equal": EQUAL}, form))["equal"]
    assert FITS == [300]
    assert (outcome.chosen, outcome.probabilities) == ("no probabilities to scale", None)


def test_every_arm_that_the_command_knows_can_be_run():
    assert list(arms.ARMS) == list(names.ARMS)


def test_what_has_nothing_to_tune_is_fitted_once():
    tuned(case_of({"equal": EQUAL}))
    assert FITS == [300]


def test_divisions_keep_groups_whole_where_every_class_can_be_learnt():
    y, groups = np.arange(120) % 3, np.arange(120) // 6
    X = pd.DataFrame({"x": np.zeros(120)})
    for learn, hold in divisions(Rows(X, y, groups), 3, 5, 0):
        assert not set(groups[learn]) & set(groups[hold])
        assert set(y[learn]) == {0, 1, 2}
    alone = np.where(y == 2, 0, groups + 1)  # all rows of a class in one group: it would be in no training part
    assert all(set(y[learn]) == {0, 1, 2} for learn, _ in divisions(Rows(X, y, alone), 3, 5, 0))


def test_costs_of_answers_are_compared_with_the_constant_that_the_training_rows_choose():
    costs = np.array([[0.0, 2.0], [4.0, 0.0]])
    found = suite.judge(Outcome(np.array([0, 1, 1]), None), costs, np.array([0, 0, 0, 1]), np.array([0, 0, 1]))
    assert found["test_cost"] == pytest.approx(2 / 3)
    assert found["constant_cost"] == pytest.approx(4 / 3)  # always 0: four on the training rows against six
    assert found["cost_floor"] == pytest.approx(2 / 6)
    assert found["log_loss"] is None
