"""Jobs of a study: paired seeds, shared draws, and failures as rows."""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
import pytest
from test_bench_fakes import Centroids, Failing, register

from bench import credit, simulations
from bench.rows.row import Job
from bench.run.jobs import run_task
from bench.run.tasks import Task, given, group, make_tasks
from bench.studies.draws import draw_simulation
from bench.studies.study import Selection, Split, Study

OPTIONS = argparse.Namespace(default_replications=100)


def test_seeds_depend_on_study_scenario_and_replication_only():
    study = simulations.make_study(OPTIONS)
    seeds = {study.seed(base, name, r) for base in (0, 1) for name in ("simulation1", "simulation2") for r in range(50)}
    assert len(seeds) == 200
    other = Study("credit", "", "row", (), draw_simulation, 1)
    assert other.seed(0, "simulation1", 0) != study.seed(0, "simulation1", 0)
    assert study.seed(0, "simulation1", 3) == simulations.make_study(OPTIONS).seed(0, "simulation1", 3)


def test_tasks_share_a_draw_and_a_study_of_large_fits_has_single_ones():
    study = simulations.make_study(OPTIONS)
    jobs = Selection(study.scenarios, ("SAMME", "p-norm"), ("faithful", "published"), 3).jobs
    assert len(jobs) == 4 * 2 * 2 * 3
    groups = group(study, jobs)
    assert [len(members) for members in groups] == [2] * 24
    assert len({task.seed for task in make_tasks(study, groups, 0, 10)}) == 6
    large = Study("x", "", "row", study.scenarios, draw_simulation, 1, single_jobs=True)
    assert [len(members) for members in group(large, jobs)] == [1] * len(jobs)


def test_the_protocols_split_the_same_rows_in_their_own_ways():
    for scenario in ("simulation2", "simulation1"):
        splits = [draw_simulation(scenario, protocol, 5) for protocol in ("faithful", "published")]
        whole = [np.concatenate([split.X_train, split.X_test]) for split in splits]
        assert [len(split.X_train) for split in splits] == [300, 300]
        assert (splits[0].X_train != splits[1].X_train).any()
        assert (np.sort(whole[0], axis=0) == np.sort(whole[1], axis=0)).all()
    # Simulation 1, published: classes 0 and 1 form one group, class 2 the other; each keeps its share of the rows.
    y = np.concatenate([splits[1].y_train, splits[1].y_test])
    assert np.bincount(splits[1].y_train)[2] == pytest.approx(300 * np.mean(y == 2), abs=1)


def test_peers_have_no_published_jobs():
    study = simulations.make_study(OPTIONS)
    jobs = Selection(study.scenarios[:1], ("SAMME", "LightGBM"), ("faithful", "published"), 1).jobs
    assert [(job.algorithm, job.protocol) for job in jobs] == [
        ("SAMME", "faithful"),
        ("LightGBM", "faithful"),
        ("SAMME", "published"),
    ]


def test_the_parent_draws_once_for_all_costs():
    drawn = []

    def draw(scenario, protocol, seed):
        drawn.append(seed)
        return draw_simulation(scenario, protocol, seed)

    scenarios = simulations.make_study(OPTIONS).scenarios[:2]
    study = Study("x", "", "row", scenarios, draw, 2, draw_in_parent=True)
    jobs = Selection(scenarios, ("Fake A",), ("faithful",), 2).jobs
    register()
    tasks = list(make_tasks(study, group(study, jobs), 0, 5))
    assert len(tasks) == 4
    assert len(drawn) == 2
    assert [run_task(task)[0].status for task in tasks] == ["done"] * 4


def make_task(makers, y=None):
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2 if y is None else y
    X = rng.standard_normal((200, 3)) + y[:, None]
    jobs = tuple(Job("s", "equal", str(i), "faithful", 0) for i in range(len(makers)))
    split = Split(X, y, X, y, np.ones(200))
    return Task("study", 1, 1.0 - np.eye(2), 4, jobs, tuple(makers), {}, partial(given, split))


class Unfinite(Centroids):
    def staged_cost(self, X, y, sample_weight=None):
        return np.array([0.5, np.nan])


def test_a_failure_is_a_row_with_its_reason_and_the_others_go_on():
    rows = run_task(make_task([Failing, Centroids, Unfinite]))
    assert [row.status for row in rows] == ["failed", "done", "failed"]
    assert rows[0].error.startswith("RuntimeError: odd seeds are beyond me")
    assert rows[2].error.startswith("ValueError: the test cost is not a finite number")


def test_rows_that_cannot_be_drawn_fail_all_their_jobs():
    def draw(scenario, protocol, seed):
        raise ValueError(f"no rows for {scenario}")

    task = make_task([Centroids, Centroids])
    rows = run_task(
        Task(
            *[getattr(task, name) for name in ("study", "seed", "cost_matrix", "rounds", "jobs", "makers", "versions")],
            draw,
        )
    )
    assert [row.error.split(" [")[0] for row in rows] == ["ValueError: no rows for s"] * 2


def test_credit_options_reach_the_study():
    options = credit.parser().parse_args(["--per-grade", "40", "--costs", "linear"])
    study = credit.make_study(options)
    assert study.settings == {"data": "embedded", "per_grade": 40}
    assert [scenario.key for scenario in study.scenarios] == ["equal", "linear", "partitioned-linear"]
    assert options.scenarios == ["linear"]


def test_a_large_fit_has_all_cores_and_so_has_what_it_wraps():
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    from bench.run.jobs import with_threads
    from csboost import SAMMEClassifier
    from csboost.costs import BayesDecisionClassifier

    wrapped = with_threads(BayesDecisionClassifier(RandomForestClassifier(n_jobs=1), np.eye(2)), 2)
    assert wrapped.estimator.n_jobs == 2
    assert with_threads(SAMMEClassifier(), 2).n_jobs == 2
    assert with_threads(SAMMEClassifier(), 1).n_jobs is None  # as it was made
    with_threads(DecisionTreeClassifier(), 2)  # has no threads
