"""Commands that list what they measure (calibration, readings) keep, resume, redraw and end as the studies do."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from test_bench_fakes import ROOT, rows_of

from bench import calibration, exits
from bench.algorithms import published_factory
from bench.command import list_cli
from bench.protocols import readings
from bench.published import readings as readings_jobs
from bench.published.split import grouped_split
from bench.rows.files import ROWS
from bench.rows.row import Row
from bench.rows.settings import SETTINGS
from bench.studies import calibrated, estimates
from bench.studies.listing import Listing, jobs_of
from csboost import data

PARTS = [("s", "equal", name, "faithful") for name in ("one", "two", "three")]


class Measuring:
    """A listing of three jobs that notes what ran and fails or interrupts where it is told to."""

    def __init__(self, fails=(), interrupts=None):
        self.fails, self.interrupts, self.ran = fails, interrupts, []

    def work(self, job):
        self.ran.append(job.algorithm)
        if job.algorithm == self.interrupts:
            raise KeyboardInterrupt
        if job.algorithm in self.fails:
            raise RuntimeError("beyond me")
        return {"test_cost": float(len(job.algorithm))}

    def __call__(self, options, stored):
        def tidy(rows):
            return pd.DataFrame({"name": [row.algorithm for row in rows], "cost": [row.test_cost for row in rows]})

        return Listing("measuring", "Measured", jobs_of(PARTS), self.work, tidy, lambda table: table.astype(str))

    def run(self, folder, *words):
        parser, _ = list_cli.list_parser("measuring", "A list.")
        return list_cli.run_list(parser, self, ["--out", str(folder), *words])


def test_a_list_is_written_printed_and_drawn_again_from_its_rows(tmp_path, capsys):
    assert Measuring().run(tmp_path) == exits.DONE
    printed = capsys.readouterr().out
    assert printed.splitlines() == ["name   cost", "one     3.0", "two     3.0", "three   5.0"]
    files = {ROWS, SETTINGS, ".lock", "table.csv", "table.md", "table.tex", "report.html", "environment.json"}
    assert {path.name for path in tmp_path.iterdir()} == files
    assert (tmp_path / "table.csv").read_text() == "name,cost\none,3.0\ntwo,3.0\nthree,5.0\n"
    assert "<h1>Measured</h1>" in (tmp_path / "report.html").read_text()
    assert f"python -m bench.measuring --out {tmp_path}" in (tmp_path / "report.html").read_text()
    idle = Measuring()
    assert idle.run(tmp_path, "--render-only") == exits.DONE
    assert capsys.readouterr().out == printed
    assert idle.ran == []


def test_an_interrupted_list_resumes_to_the_same_table(tmp_path, capsys):
    assert Measuring(interrupts="two").run(tmp_path / "out") == exits.INTERRUPTED
    captured = capsys.readouterr()
    assert "Interrupted. 1 of the 3 jobs of this run are finished and kept. Resume with:" in captured.err
    assert f"python -m bench.measuring --out {tmp_path / 'out'}" in captured.err
    assert captured.out == ""
    second = Measuring()
    assert second.run(tmp_path / "out") == exits.DONE
    assert "1 of 3 jobs are done already" in capsys.readouterr().err
    assert second.ran == ["two", "three"]
    Measuring().run(tmp_path / "whole")
    assert (tmp_path / "out" / "table.csv").read_bytes() == (tmp_path / "whole" / "table.csv").read_bytes()


def test_failed_jobs_of_a_list_are_told_and_tried_again(tmp_path, capsys):
    assert Measuring(fails=["two"]).run(tmp_path) == exits.SOME_FAILED
    captured = capsys.readouterr()
    assert "1 of 3 jobs failed; the same command tries them again:\n  1 x two: RuntimeError: beyond me" in captured.err
    assert captured.out.splitlines() == ["name   cost", "one     3.0", "three   5.0"]
    again = Measuring()
    assert again.run(tmp_path) == exits.DONE
    assert again.ran == ["two"]


def test_a_list_of_another_seed_is_refused_and_fresh_starts_over(tmp_path, capsys):
    assert Measuring().run(tmp_path) == exits.DONE
    assert Measuring().run(tmp_path, "--seed", "1") == exits.USAGE
    assert "seed was 0, is now 1" in capsys.readouterr().err
    fresh = Measuring()
    assert fresh.run(tmp_path, "--seed", "1", "--fresh") == exits.DONE
    assert fresh.ran == ["one", "two", "three"]
    assert {row["seed"] for row in rows_of(tmp_path)} == {1}


def test_a_list_without_rows_cannot_be_drawn(tmp_path, capsys):
    assert Measuring().run(tmp_path, "--render-only") == exits.UNUSABLE
    assert "has no runs.jsonl: nothing to draw" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["calibration", "protocols.readings"])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_resume(module, tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-m", f"bench.{module}", "--quick", "--out", out],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    end = time.monotonic() + 200
    while not ((out / ROWS).exists() and (out / ROWS).read_bytes()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=60)
    assert process.returncode == exits.INTERRUPTED, said
    assert f"Resume with:\n  python -m bench.{module} --quick --out {out}\n" in said
    assert "Traceback" not in said
    assert printed == ""
    assert all(row["status"] == "done" for row in rows_of(out))
    names = {path.name for path in out.iterdir()}
    assert names == {ROWS, SETTINGS, ".lock"}


def test_a_reading_repeats_by_hand(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(readings_jobs, "PAPER", ("p-norm",))
    monkeypatch.setattr(readings_jobs, "READINGS", {})
    monkeypatch.setattr(readings_jobs, "ROUNDS", 5)
    readings_jobs._factories.cache_clear()
    try:
        assert readings.main(["--replications", "2", "--out", str(tmp_path)]) == exits.DONE
    finally:
        readings_jobs._factories.cache_clear()
    table = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in table[1:]] == [
        ["p-norm", split] for split in ("plain", "stratified", "grouped")
    ]
    by_hand = []
    for replication in range(2):
        rng = np.random.default_rng([0, 1, replication])
        X, y = data.make_waveform(5000, rng)
        train, test = grouped_split(y, 300, rng)
        model = published_factory("p-norm")(data.WAVEFORM_COSTS, 5, 0).fit(X[train], y[train])
        by_hand.append(model.staged_cost(X[test], y[test])[-1])
    with (tmp_path / "table.csv").open(newline="") as file:
        (line,) = [
            line
            for line in csv.DictReader(file)
            if (line["split"], line["scenario"], line["costs"]) == ("grouped", "simulation1", "wang")
        ]
    error = np.std(by_hand, ddof=1) / np.sqrt(2)
    assert (float(line["mean"]), float(line["standard_error"])) == pytest.approx((np.mean(by_hand), error))
    mean, printed_error = 0.293, 0.0020  # Table 1
    assert float(line["difference"]) == pytest.approx((np.mean(by_hand) - mean) / np.hypot(error, printed_error))


def test_quick_and_full_calibrations_share_a_folder_and_do_not_mix():
    options = calibration.parser().parse_args(["--scenarios", "1c"])
    quick = calibrated.make_listing(calibration.parser().parse_args(["--quick", "--scenarios", "1c"]), {})
    full = calibrated.make_listing(options, {})
    assert len(quick.jobs) == len(full.jobs) == len(set(full.jobs)) == len(estimates.SHAPES) + 2 + 2 + 6
    assert not {*quick.jobs} & {*full.jobs}
    assert {job[:2] for job in full.jobs} == {("simulation1", "wang")}
    again = calibrated.make_listing(calibration.parser().parse_args(["--render-only"]), quick.selection)
    assert again.jobs == quick.jobs


def test_rows_of_a_resumed_list_come_in_the_order_of_its_jobs():
    made = Measuring()(None, {})
    rows = [Row(**job._asdict(), status="done") for job in made.jobs[::-1]]
    assert [row.algorithm for row in made.in_order(rows)] == ["one", "two", "three"]
