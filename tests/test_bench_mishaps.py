"""Runs that are interrupted, fail or find no cluster end in words that say how to go on."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import time

import pytest
from processes import wait_for
from test_bench_fakes import command, rows_of, run, run_here

from bench import exits, simulations


def press_ctrl_c(process):
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the parent and to its workers


def terminate(process):
    process.terminate()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("interrupt", [press_ctrl_c, terminate])
def test_an_interrupted_run_ends_within_two_seconds_and_says_how_to_resume(tmp_path, jobs, interrupt):
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
    interrupt(process)
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
    study = simulations.make_study(argparse.Namespace(default_replications=100))
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


def test_a_cluster_that_does_not_answer(tmp_path):
    pytest.importorskip("distributed")
    done = run_here(
        "credit", "--algorithms", "Constant", "--quick", "--out", tmp_path, "--cluster", "tcp://127.0.0.1:9"
    )
    assert done.returncode == exits.UNUSABLE
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_address_that_is_none_is_refused_at_once(tmp_path):
    done = run("credit", "--algorithms", "Constant", "--quick", "--out", tmp_path, "--cluster", "foo")
    assert done.returncode == exits.USAGE
    assert "--cluster foo: an address is like tcp://host:8786" in done.stderr
    assert "Traceback" not in done.stderr
