"""``bench.compare --suite``: fits shared by cost structures, arms, scores over sets, and the command itself."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from test_bench_fakes import run_here

from bench import compare, exits
from bench.algorithms import REGISTRY, Algorithm
from bench.competitors import others
from bench.competitors.form import Form
from bench.rows.files import ROWS
from bench.run import arms, suite
from bench.run.arms import best_temperature, defaults, divisions, scaled, temperature, tuned
from bench.run.case import Case, Outcome, Rows, Watch
from bench.studies.suite import Comparison, FitKey, fits_of, seed_of
from bench.suite import names
from bench.suite.sets import load
from bench.suite.splits import split
from bench.suite.tasks import Task

FITS = []


class Nearest(ClassifierMixin, BaseEstimator):
    """Probabilities by distance from class means, the sharper the larger ``power``; remembers that it was fitted."""

    def __init__(self, seed, power=1.0):
        self.seed, self.power = seed, power

    def fit(self, X, y):
        FITS.append(len(X))
        X, self.classes_ = np.asarray(X, dtype=float), np.unique(y)
        self.spread = X.std(axis=0) + 1e-9
        self.centres = np.array([X[y == k].mean(axis=0) for k in self.classes_])
        return self

    def predict_proba(self, X):
        away = (((np.asarray(X, dtype=float)[:, None] - self.centres) / self.spread) ** 2).sum(axis=2)
        P = np.exp(-self.power * (away - away.min(axis=1, keepdims=True)))
        return P / P.sum(axis=1, keepdims=True)


class Cheapest(ClassifierMixin, BaseEstimator):
    """Answers the class that is cheapest for the training rows: trained with costs."""

    def __init__(self, cost_matrix, rounds, seed):
        self.cost_matrix, self.rounds, self.seed = cost_matrix, rounds, seed

    def fit(self, X, y):
        FITS.append(len(X))
        self.classes_, counts = np.unique(y, return_counts=True)
        self.answer = int((counts @ self.cost_matrix).argmin())
        self.prior = counts / counts.sum()
        return self

    def predict(self, X):
        return np.full(len(X), self.answer)

    def predict_proba(self, X):
        return np.tile(self.prior, (len(X), 1))


class Mute(ClassifierMixin, BaseEstimator):
    """Always answers class 0, without probabilities."""

    def __init__(self, cost_matrix, rounds, seed):
        self.cost_matrix, self.rounds, self.seed = cost_matrix, rounds, seed

    def fit(self, X, y):
        FITS.append(len(X))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X))


class Refusing(Nearest):
    def fit(self, X, y):
        if len(X) > 110:
            raise RuntimeError("too many rows for me")
        return super().fit(X, y)


@pytest.fixture(autouse=True)
def fakes(monkeypatch):
    FITS.clear()
    monkeypatch.setattr(others, "NEAREST", Form(Nearest, ({}, {"power": 0.01}, {"power": 3.0})), raising=False)
    monkeypatch.setattr(others, "REFUSING", Form(Refusing), raising=False)
    monkeypatch.setitem(REGISTRY, "Nearest", Algorithm(Nearest, "#0072B2", form="others.NEAREST"))
    monkeypatch.setitem(REGISTRY, "Refusing", Algorithm(Nearest, "#D55E00", form="others.REFUSING"))
    monkeypatch.setitem(REGISTRY, "Cheapest", Algorithm(Cheapest, "#009E73"))


def run(*words, out):
    return run_here("compare", "--suite", *words, "--out", out)


def rows_of(folder):
    return [json.loads(line) for line in (folder / ROWS).read_text().splitlines()]


WORDS = ["--sets", "iris", "wine", "--algorithms", "Nearest", "Cheapest", "--replications", "2"]


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


# The command


def test_the_command_writes_tables_figures_and_a_report_and_resumes(tmp_path):
    first = run(*WORDS, "--arms", "defaults", "temperature", out=tmp_path)
    assert first.returncode == exits.DONE, first.stderr
    assert "Arm defaults, tuning sets: 4 tasks of 2 sets, up to 2 splits" in first.stdout
    assert "Log cost against the defaults" in first.stdout
    tables = {name: (tmp_path / name).read_text() for name in ("table.csv", "pairs.csv", "table.md", "table.tex")}
    tidy = pd.read_csv(tmp_path / "table.csv")
    assert len(tidy) == 2 * 2 * 2 * 2
    assert set(tidy["part"]) == {"tuning"}
    assert (tmp_path / "figure-ratios-defaults-tuning-sets.png").exists()
    assert "Nearest" in (tmp_path / "report.html").read_text()
    lines = (tmp_path / ROWS).read_text().splitlines()
    (tmp_path / ROWS).write_text("\n".join(lines[::3]) + "\n")
    again = run(*WORDS, "--arms", "defaults", "temperature", out=tmp_path)
    assert "Resuming" in again.stderr
    assert (tmp_path / "table.csv").read_text() == tables["table.csv"]
    drawn = run("--render-only", out=tmp_path)
    assert drawn.returncode == exits.DONE, drawn.stderr
    assert (tmp_path / "table.csv").read_text() == tables["table.csv"]
    assert (tmp_path / "pairs.csv").read_text() == tables["pairs.csv"]


def test_what_is_run_apart_is_shown_together_and_what_is_missing_is_said(tmp_path):
    assert run(*WORDS[:-2], "--quick", out=tmp_path).returncode == exits.DONE
    more = run("--sets", "iris", "--algorithms", "Nearest", "--arms", "tuned", "--replications", "2", out=tmp_path)
    assert more.returncode == exits.DONE, more.stderr
    assert "Arm defaults, tuning sets: 4 tasks of 2 sets, up to 1 splits" in more.stdout
    assert "Arm tuned, tuning sets: 2 tasks of 1 sets, up to 2 splits" in more.stdout
    assert re.search(r"Cheapest +tuned +8 +8 +0 +iris, wine", more.stdout)
    assert re.search(r"Nearest +tuned +8 +4 +0 +wine", more.stdout)
    only = run("--render-only", "--algorithms", "Nearest", "--sets", "iris", "--arms", "tuned", out=tmp_path)
    assert "Cheapest" not in only.stdout
    fresh = run("--sets", "iris", "--algorithms", "Nearest", "--quick", "--fresh", out=tmp_path)
    assert "Cheapest" not in fresh.stdout


def test_failures_are_rows_and_missing_cells_are_said(tmp_path):
    done = run("--sets", "iris", "wine", "--algorithms", "Nearest", "Refusing", "--replications", "1", out=tmp_path)
    assert done.returncode == exits.SOME_FAILED
    assert "RuntimeError: too many rows for me" in done.stderr
    assert "Missing cells" in done.stdout
    assert re.search(r"Refusing +defaults +4 +0 +2 +wine", done.stdout)
    assert "Refusing finished less than 80%" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "say what to compare on: --suite"),
        (["--suite", "--sets", "irris"], "unknown set 'irris'. Did you mean 'iris'?"),
        (["--suite", "--tasks", "iris/linear"], "unknown task 'iris/linear'"),
        (["--suite", "--sets", "iris", "--kinds", "linear"], "none of these sets has such a cost structure"),
        (["--suite", "--arms", "tuner"], "unknown arm 'tuner'. Did you mean 'tuned'?"),
    ],
)
def test_wrong_words_are_answered_with_what_is_known(words, says, tmp_path):
    done = run_here("compare", *words, "--algorithms", "Nearest", "--out", tmp_path)
    assert done.returncode == exits.USAGE
    assert says in done.stderr


def test_an_algorithm_that_is_not_there_is_refused_by_name_and_left_out_by_default(monkeypatch, tmp_path):
    monkeypatch.setitem(REGISTRY, "Later", Algorithm(Nearest, "#000000", booster="LaterClassifier"))
    done = run("--algorithms", "Later", out=tmp_path)
    assert done.returncode == exits.USAGE
    assert "Later is not available: csboost" in done.stderr
    monkeypatch.setattr(compare, "COMPETITORS", ("Nearest", "Later"))
    done = run("--sets", "iris", "--quick", out=tmp_path)
    assert done.returncode == exits.DONE, done.stderr
    assert re.search(r"Later +all .*not available", done.stdout)


def test_sets_of_a_package_that_is_not_installed_are_named_with_the_remedy(monkeypatch, tmp_path):
    from bench import extras

    there = extras.is_installed
    monkeypatch.setattr(extras, "is_installed", lambda name: name != "river" and there(name))
    done = run("--sets", "segment", "--algorithms", "Nearest", out=tmp_path)
    assert done.returncode == exits.UNUSABLE
    assert "river (segment); in the clone of the project: pip install '.[suite]'" in done.stderr


def test_parts_and_tasks_select_sets(tmp_path):
    done = run("--tasks", "wine/random", "iris/equal", "--algorithms", "Nearest", "--quick", out=tmp_path)
    assert done.returncode == exits.DONE, done.stderr
    assert {(row["scenario"], row["costs"]) for row in rows_of(tmp_path)} == {("wine", "random"), ("iris", "equal")}
