"""The command line: help, names, exit codes, and messages instead of tracebacks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from test_bench_fakes import ROOT, command, main, run, run_here

from bench import calibration, compare, credit, decisions, exits, simulations
from bench.command import cli
from bench.protocols import readings
from bench.rows.store import Store
from bench.timing import profile

MODULES = {
    "simulations": simulations,
    "credit": credit,
    "calibration": calibration,
    "compare": compare,
    "decisions": decisions,
    "protocols.readings": readings,
    "timing.profile": profile,
}


@pytest.mark.parametrize("study", [*MODULES, "timing"])
def test_help_loads_nothing_heavy(study):
    code = (
        "import sys\n"
        f"from bench.{study} import main\n"
        "code = main(['--help'])\n"
        "heavy = {'numba', 'numpy', 'sklearn', 'pandas', 'scipy', 'matplotlib', 'rich', 'joblib'} & set(sys.modules)\n"
        "print('heavy:', sorted(heavy), 'code:', code)"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "heavy: [] code: 0" in out
    assert "exit codes: 0 done" in out
    assert f"python -m bench.{study}" in out


@pytest.mark.parametrize(
    ("study", "arguments", "says"),
    [
        ("simulations", ["--algorithms", "SAMEE"], "unknown algorithm 'SAMEE'. Did you mean 'SAMME'?"),
        ("simulations", ["--algorithms", "AdaBoost.M1"], "Did you mean 'AdaBoost.M"),
        ("simulations", ["--scenarios", "3"], "unknown scenario '3'. Accepted: '1', '1c', '2', '2c'"),
        ("simulations", ["--protocol", "publised"], "Did you mean 'published'?"),
        ("simulations", ["--replications", "0"], "--replications: must be a whole number of at least 1, not '0'"),
        ("simulations", ["--rounds", "many"], "--rounds: must be a whole number of at least 1, not 'many'"),
        ("simulations", ["--fresh", "--render-only"], "--fresh deletes the results that --render-only draws"),
        ("credit", ["--costs", "liner"], "unknown cost name 'liner'. Did you mean 'linear'?"),
        ("credit", ["--from", "2017-01"], "--from: only with --data FILE"),
        ("credit", ["--data", "x.csv", "--train-fraction", "1.5"], "must lie between 0 and 1, not '1.5'"),
        ("credit", ["--data", "x.csv", "--full", "--per-grade", "9"], "--full trains on all loans"),
        ("credit", ["--data", "x.csv", "--from", "2017-13"], "--from: '2017-13' is no month: write it as 2017-01"),
        ("credit", ["--data", "x.csv", "--to", "soon"], "--to: 'soon' is no month: write it as 2017-01"),
        ("credit", ["--data", "x.csv", "--from", "2019-01"], "it starts in 2019-01 and stops in 2018-03"),
        ("credit", ["--per-grade", "-60"], "--per-grade: must be a whole number of at least 1, not '-60'"),
        ("decisions", ["--tables", "0"], "--tables: must be a whole number of at least 1, not '0'"),
        ("calibration", ["--rows", "-10"], "--rows: must be a whole number of at least 100, not '-10'"),
        ("calibration", ["--seed", "-1"], "--seed: must be a whole number of at least 0, not '-1'"),
        ("calibration", ["--fresh", "--render-only"], "--fresh deletes the results that --render-only draws"),
        ("protocols.readings", ["--replications", "0"], "must be a whole number of at least 2, not '0'"),
        ("protocols.readings", ["--replications", "1"], "must be a whole number of at least 2, not '1'"),
        ("protocols.readings", ["--seed", "x"], "--seed: must be a whole number of at least 0, not 'x'"),
    ],
)
def test_wrong_usage_is_exit_code_2(study, arguments, says, capsys, tmp_path):
    assert MODULES[study].main([*arguments, "--out", str(tmp_path / "out")]) == exits.USAGE
    captured = capsys.readouterr()
    assert says in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""
    assert not (tmp_path / "out").exists()


def test_a_missing_data_file_is_exit_code_3(tmp_path):
    done = run("credit", "--data", tmp_path / "loans.csv", "--out", tmp_path / "out")
    assert done.returncode == exits.UNUSABLE
    assert "loans.csv" in done.stderr
    assert "Traceback" not in done.stderr


EARLY = """
import sys
from bench import credit
from bench.command import cli
code = credit.main({words!r})
heavy = {{'numba', 'sklearn', 'pandas', 'scipy', 'matplotlib', 'rich', 'joblib'}} & set(sys.modules)
print('heavy:', sorted(heavy), 'code:', code)
"""


@pytest.mark.parametrize(
    ("words", "says", "code"),
    [
        (["--data", "no-such-loans.csv"], "no-such-loans.csv", exits.UNUSABLE),
        (["--data", "bench"], "bench is a directory", exits.UNUSABLE),
        (["--data", "README.md", "--from", "2017-13"], "'2017-13' is no month", exits.USAGE),
        (["--data", "README.md", "--from", "2018-02", "--to", "2018-01"], "the window is empty", exits.USAGE),
        (["--from", "2018-02"], "--from: only with --data FILE", exits.USAGE),
        (["--algorithms", "no such"], "unknown algorithm", exits.USAGE),
    ],
)
def test_what_can_be_refused_at_once_is_refused_before_anything_heavy_is_imported(words, says, code):
    done = subprocess.run(
        [sys.executable, "-c", EARLY.format(words=words)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"heavy: [] code: {code}\n"
    assert says in done.stderr


def test_months_in_any_spelling_make_one_window():
    spelt = credit.parser().parse_args(["--data", "x.csv", "--from", "Jan-2017", "--to", "2017/03/01"])
    assert credit.window_of(spelt) == ("2017-01", "2017-03")
    assert credit.window_of(credit.parser().parse_args([])) == ("2017-01", "2018-03")


@pytest.mark.parametrize("per_grade", ["75", "100000"])
def test_more_loans_than_a_grade_has_is_said_in_one_line_before_the_run(per_grade, tmp_path):
    done = run_here("credit", "--per-grade", per_grade, "--out", tmp_path / "out")
    assert done.returncode == exits.UNUSABLE
    assert "grade G has 75; use --per-grade 74 or less" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()


def test_names_are_accepted_in_any_case():
    options = simulations.parser().parse_args(["--algorithms", "samme", "ANGLE ADABOOST", "--scenarios", "1C"])
    assert options.algorithms == ["SAMME", "Angle AdaBoost"]
    assert options.scenarios == ["1c"]


def test_the_resuming_command_does_not_start_over():
    line = cli.command_line("python -m bench.credit", ["--algorithms", "Angle AdaBoost", "--fresh", "--jobs", "2"])
    assert line == "python -m bench.credit --algorithms 'Angle AdaBoost' --jobs 2"


def test_a_missing_peer_is_named(capsys, tmp_path):
    code = main(["simulations", "--algorithms", "Fake A", "Elsewhere", "--out", str(tmp_path / "out")])
    assert code == exits.USAGE
    assert "Elsewhere needs the package no_such_package; install the peers" in capsys.readouterr().err


def test_published_alone_refuses_what_has_no_published_form(capsys, tmp_path):
    arguments = ["--algorithms", "LightGBM", "--protocol", "published", "--out", str(tmp_path / "out")]
    assert simulations.main(arguments) == exits.USAGE
    assert "the published protocol has only AdaBoost.MH, SAMME" in capsys.readouterr().err


def test_render_only_needs_rows(capsys, tmp_path):
    assert simulations.main(["--render-only", "--out", str(tmp_path)]) == exits.UNUSABLE
    assert "has no runs.jsonl: nothing to draw" in capsys.readouterr().err


def without_a_reader(words):
    """Run a program whose output nobody reads; return its exit code and what it says on stderr."""
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}  # fails at the end
    process = subprocess.Popen(
        list(map(str, words)), cwd=ROOT, env=buffered, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.close()
    return process.stderr.read(), process.wait(timeout=300)


def test_a_reader_that_leaves_costs_no_file(tmp_path):
    words = command("credit", "--algorithms", "Constant", "--replications", 1, "--rounds", 2, "--out", tmp_path)
    assert without_a_reader(words) == ("", exits.DONE)
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("study", [*MODULES, "timing"])
def test_help_without_a_reader_ends_quietly(study):
    assert without_a_reader([sys.executable, "-m", f"bench.{study}", "--help"]) == ("", exits.DONE)


def test_the_profile_without_a_reader_ends_quietly():
    words = ["--rows", 20_000, "--features", 4, "--classes", 3, "--rounds", 3]
    assert without_a_reader([sys.executable, "-m", "bench.timing.profile", *words]) == ("", exits.DONE)


def test_timing_without_a_reader_writes_its_files(tmp_path):
    with Store(tmp_path, "timing") as store:
        store.open({"seed": 0})
    words = [sys.executable, "-m", "bench.timing", "--render-only", "--out", tmp_path]
    assert without_a_reader(words) == ("", exits.DONE)
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("words", [["--rows", 100], ["--help"]], ids=["file", "help"])
def test_the_writer_of_loans_without_a_reader_ends_quietly(tmp_path, words):
    pytest.importorskip("pyarrow")
    module = [sys.executable, "-m", "csboost.data.synthetic_lending_club"]
    assert without_a_reader([*module, *words, "--out", tmp_path / "loans.csv"]) == ("", exits.DONE)
