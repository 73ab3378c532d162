"""Whole runs: the rows they keep, and the same table whatever happened on the way."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess

import numpy as np
import pytest
from processes import wait_for
from test_bench_fakes import Centroids, command, rows_of, run, run_here

from bench import exits, simulations
from bench.rows.files import ROWS
from bench.rows.row import Job
from bench.studies.draws import draw_simulation

OPTIONS = argparse.Namespace(default_replications=100)
WORDS = ["--algorithms", "Fake A", "Slow", "Fake C", "--scenarios", "1", "2c", "--rounds", "6", "--replications", "6"]
JOBS = 2 * 6 * 3


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    done = run("simulations", *WORDS, "--out", folder)
    assert done.returncode == exits.DONE, done.stderr
    return folder, done.stdout


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
