"""Runs: paired seeds, failures as rows, and the same table whatever happened on the way."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import time
from functools import partial

import numpy as np
import pytest
from test_bench_fakes import Centroids, Failing, command, register, run, run_here

from bench import credit, exits, simulations
from bench.rows.files import ROWS
from bench.rows.row import Job
from bench.run.jobs import run_task
from bench.run.tasks import Task, given, group, make_tasks
from bench.studies.draws import draw_simulation
from bench.studies.study import Selection, Split, Study

OPTIONS = argparse.Namespace(default_replications=100)
WORDS = ["--algorithms", "Fake A", "Slow", "Fake C", "--scenarios", "1", "2c", "--rounds", "6", "--replications", "6"]
JOBS = 2 * 6 * 3


def rows_of(folder):
    return [json.loads(line) for line in (folder / ROWS).read_text().splitlines()]


def wait_for(condition, process, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    done = run("simulations", *WORDS, "--out", folder)
    assert done.returncode == exits.DONE, done.stderr
    return folder, done.stdout


def test_seeds_depend_on_study_scenario_and_replication_only():
    study = simulations.make_study(OPTIONS)
    seeds = {study.seed(base, name, r) for base in (0, 1) for name in ("simulation1", "simulation2") for r in range(50)}
    assert len(seeds) == 200
    other = Study("credit", "", "row", (), draw_simulation, 1)
    assert other.seed(0, "simulation1", 0) != study.seed(0, "simulation1", 0)
    assert study.seed(0, "simulation1", 3) == simulations.make_study(OPTIONS).seed(0, "simulation1", 3)


def test_all_algorithms_and_costs_of_a_replication_meet_the_same_rows(undisturbed):
    seeds = {}
    for row in rows_of(undisturbed[0]):
        seeds.setdefault((row["scenario"], row["replication"]), set()).add(row["seed"])
    assert len(seeds) == 12
    assert all(len(found) == 1 for found in seeds.values())


def test_rows_hold_what_the_design_names(undisturbed):
    rows = rows_of(undisturbed[0])
    assert len(rows) == JOBS
    first = min(rows, key=lambda row: (row["scenario"], row["costs"], row["replication"], row["algorithm"]))
    assert first["study"] == "simulations"
    assert (first["scenario"], first["costs"], first["algorithm"]) == ("simulation1", "equal", "Fake A")
    assert (first["protocol"], first["replication"], first["status"]) == ("faithful", 0, "done")
    assert len(first["cost_curve"]) == 6
    assert first["test_cost"] == first["cost_curve"][-1]
    assert {"python", "numpy", "csboost"} <= set(first["versions"])
    assert first["fit_seconds"] >= 0
    assert first["predict_seconds"] >= 0


def test_a_row_repeats_by_hand(undisturbed):
    row = next(r for r in rows_of(undisturbed[0]) if r["costs"] == "wang" and r["scenario"] == "simulation2")
    split = draw_simulation("simulation2", "faithful", row["seed"])
    assert (split.X_train.shape, split.X_test.shape) == ((300, 10), (4700, 10))
    matrix = simulations.make_study(OPTIONS).scenarios[3].cost_matrix
    skip = {"Fake A": 0, "Slow": 50, "Fake C": 200}[row["algorithm"]]
    model = Centroids(matrix, 6, 0, skip=skip).fit(split.X_train, split.y_train)
    assert row["cost_curve"] == model.staged_cost(split.X_test, split.y_test).tolist()


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


def test_a_fit_that_ends_early_keeps_its_last_cost(tmp_path):
    done = run_here(
        "simulations",
        "--algorithms",
        "Stopped",
        "Constant",
        "--quick",
        "--rounds",
        7,
        "--scenarios",
        1,
        "--out",
        tmp_path,
    )
    assert done.returncode == exits.DONE
    for row in rows_of(tmp_path):
        if row["algorithm"] == "Stopped":
            assert row["n_iter"] == 2
            assert len(row["cost_curve"]) == 7
            assert set(row["cost_curve"][1:]) == {row["test_cost"]}
        else:
            assert row["cost_curve"] == []
            assert 0.6 < row["test_cost"] < 0.73


def test_more_replications_continue_a_smaller_run(undisturbed, tmp_path):
    small = run_here("simulations", *WORDS[:-1], "2", "--out", tmp_path)
    assert small.returncode == exits.DONE
    before = (tmp_path / ROWS).read_bytes()
    done = run_here("simulations", *WORDS, "--out", tmp_path)
    assert "12 of 36 jobs are done already" in done.stderr
    assert (tmp_path / ROWS).read_bytes().startswith(before)
    assert (tmp_path / "table.csv").read_bytes() == (undisturbed[0] / "table.csv").read_bytes()


def test_a_killed_run_resumes_to_the_same_table(undisturbed, tmp_path):
    folder, printed = undisturbed
    for kills in range(3):
        count = len(rows_of(tmp_path)) if (tmp_path / ROWS).exists() else 0
        process = subprocess.Popen(
            command("simulations", *WORDS, "--out", tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_for(
            lambda seen=count: (tmp_path / ROWS).exists() and len((tmp_path / ROWS).read_bytes().splitlines()) > seen,
            process,
        )
        if kills == 1:
            process.send_signal(signal.SIGKILL)  # the parent alone: its workers must not write on
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    kept = (tmp_path / ROWS).read_bytes()
    assert kept.count(b"\n") < JOBS
    done = run("simulations", *WORDS, "--out", tmp_path)
    assert done.returncode == exits.DONE, done.stderr
    assert (tmp_path / ROWS).read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    keys = [tuple(row[name] for name in Job._fields) for row in rows_of(tmp_path)]
    assert len(keys) == len(set(keys)) == JOBS
    assert done.stdout == printed
    for name in ("table.csv", "table.md", "table.tex"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_within_two_seconds_and_says_how_to_resume(tmp_path, jobs):
    begun = tmp_path / "begun"
    words = ["--algorithms", "Fake A", "Endless", "--replications", 4, "--rounds", 5, "--jobs", jobs, "--fresh"]
    process = subprocess.Popen(
        command("simulations", *words, "--out", tmp_path / "out"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "FAKES_BEGUN": str(begun)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored where tests run in the background
    )
    wait_for(begun.exists, process)
    time.sleep(0.2)
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the parent and to its workers
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - pressed < 2
    assert process.returncode == exits.INTERRUPTED
    assert "Interrupted. 0 of the 32 jobs of this run are finished and kept. Resume with:" in err
    assert (
        f"python -m bench.simulations --algorithms 'Fake A' Endless --replications 4 --rounds 5 --jobs {jobs} --out"
        in err
    )
    assert "--fresh" not in err
    assert "Traceback" not in err
    assert out == ""
    assert group_ends(process.pid)


def group_ends(group_id, seconds=5):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.killpg(group_id, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_failures_are_tried_again(tmp_path, monkeypatch):
    words = ["--algorithms", "Fake A", "Failing", "--replications", 6, "--rounds", 3, "--scenarios", 1]
    study = simulations.make_study(OPTIONS)
    odd = sum(study.seed(0, "simulation1", replication) % 2 for replication in range(6))
    assert 0 < odd < 6
    for _ in range(2):
        first = run_here("simulations", *words, "--out", tmp_path / "out")
        assert first.returncode == exits.SOME_FAILED
        assert f"{odd} of 12 jobs failed; the same command tries them again:" in first.stderr
        assert f"{odd} x Failing: RuntimeError: odd seeds are beyond me" in first.stderr
        assert f"reps {6 - odd}/6" in first.stdout
    (tmp_path / "mended").touch()
    monkeypatch.setenv("FAKES_MENDED", str(tmp_path / "mended"))
    mended = run_here("simulations", *words, "--out", tmp_path / "out")
    assert mended.returncode == exits.DONE
    assert "reps" not in mended.stdout
    assert sum(row["status"] == "done" for row in rows_of(tmp_path / "out")) == 12


def test_a_worker_that_dies_ends_in_words(tmp_path):
    done = run(
        "simulations", "--algorithms", "Fake A", "Dying", "--quick", "--rounds", 5, "--jobs", 2, "--out", tmp_path
    )
    assert done.returncode == exits.UNUSABLE
    assert "a worker process died" in done.stderr
    assert "Traceback" not in done.stderr


def test_progress_is_quiet_when_stderr_is_no_terminal(tmp_path):
    done = run_here("simulations", "--algorithms", "Constant", "--quick", "--scenarios", 1, "--out", tmp_path)
    assert done.stderr == ""
    assert done.returncode == exits.DONE


def test_render_only_repeats_the_last_selection_and_computes_nothing(undisturbed, tmp_path):
    folder, printed = undisturbed
    before = (folder / ROWS).read_bytes()
    again = run_here("simulations", "--render-only", "--out", folder)
    assert again.returncode == exits.DONE
    assert again.stdout == printed
    part = run_here("simulations", "--render-only", "--scenarios", "2c", "--algorithms", "Slow", "--out", folder)
    assert "Simulation 2" in part.stdout
    assert "Simulation 1 " not in part.stdout.split("lowest mean")[0]
    assert (folder / ROWS).read_bytes() == before
    run_here("simulations", "--render-only", "--out", folder)


def test_the_embedded_credit_study(tmp_path):
    done = run_here(
        "credit", "--algorithms", "Fake A", "LogisticRegression", "--replications", 2, "--rounds", 4, "--out", tmp_path
    )
    assert done.returncode == exits.DONE, done.stderr
    assert (
        "Equal costs 0.857 (any grade); Linear costs 1.714 (always D); Partitioned-linear costs 3.000 (always G)"
        in done.stdout
    )
    assert "the paper has 551,448 loans of January 2017 to March 2018 and 57 features" in done.stdout
    costs = {}
    for row in rows_of(tmp_path):
        costs.setdefault((row["costs"], row["algorithm"]), []).append(row["test_cost"])
    means = {name: np.mean(costs[name, "LogisticRegression"]) for name in ("equal", "linear", "partitioned-linear")}
    assert means == pytest.approx({"equal": 0.708, "linear": 1.139, "partitioned-linear": 2.52}, rel=0.06)


def test_the_cluster_gives_the_same_table_bit_by_bit(undisturbed, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        done = run("simulations", *WORDS, "--out", tmp_path, "--cluster", cluster.scheduler_address)
    assert done.returncode == exits.DONE, done.stderr
    assert done.stdout == undisturbed[1]
    assert (tmp_path / "table.csv").read_bytes() == (undisturbed[0] / "table.csv").read_bytes()


def test_a_cluster_that_does_not_answer(tmp_path):
    pytest.importorskip("distributed")
    done = run_here(
        "credit", "--algorithms", "Constant", "--quick", "--out", tmp_path, "--cluster", "tcp://127.0.0.1:9"
    )
    assert done.returncode == exits.UNUSABLE
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr


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


def test_an_address_that_is_none_is_refused_at_once(tmp_path):
    done = run("credit", "--algorithms", "Constant", "--quick", "--out", tmp_path, "--cluster", "foo")
    assert done.returncode == exits.USAGE
    assert "--cluster foo: an address is like tcp://host:8786" in done.stderr
    assert "Traceback" not in done.stderr
