"""The command line: help, names, exit codes, and messages instead of tracebacks."""

from __future__ import annotations

import subprocess
import sys

import pytest
from test_bench_fakes import ROOT, command, main, run

from bench import cli, credit, simulations

MODULES = {"simulations": simulations, "credit": credit}


@pytest.mark.parametrize("study", [*MODULES, "timing"])
def test_help_loads_nothing_heavy(study):
    code = (
        "import sys\n"
        f"from bench import {study}\n"
        f"code = {study}.main(['--help'])\n"
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
    ],
)
def test_wrong_usage_is_exit_code_2(study, arguments, says, capsys, tmp_path):
    assert MODULES[study].main([*arguments, "--out", str(tmp_path / "out")]) == cli.USAGE
    captured = capsys.readouterr()
    assert says in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""
    assert not (tmp_path / "out").exists()


def test_a_missing_data_file_is_exit_code_3(tmp_path):
    done = run("credit", "--data", tmp_path / "loans.csv", "--out", tmp_path / "out")
    assert done.returncode == cli.UNUSABLE
    assert "loans.csv" in done.stderr
    assert "Traceback" not in done.stderr


def test_names_are_accepted_in_any_case():
    options = simulations.parser().parse_args(["--algorithms", "samme", "ANGLE ADABOOST", "--scenarios", "1C"])
    assert options.algorithms == ["SAMME", "Angle AdaBoost"]
    assert options.scenarios == ["1c"]


def test_the_resuming_command_does_not_start_over():
    line = cli.command_line("python -m bench.credit", ["--algorithms", "Angle AdaBoost", "--fresh", "--jobs", "2"])
    assert line == "python -m bench.credit --algorithms 'Angle AdaBoost' --jobs 2"


def test_a_missing_peer_is_named(capsys, tmp_path):
    code = main(["simulations", "--algorithms", "Fake A", "Elsewhere", "--out", str(tmp_path / "out")])
    assert code == cli.USAGE
    assert "Elsewhere needs the package no_such_package; install the peers" in capsys.readouterr().err


def test_published_alone_refuses_what_has_no_published_form(capsys, tmp_path):
    arguments = ["--algorithms", "LightGBM", "--protocol", "published", "--out", str(tmp_path / "out")]
    assert simulations.main(arguments) == cli.USAGE
    assert "the published protocol has only AdaBoost.MH, SAMME" in capsys.readouterr().err


def test_render_only_needs_rows(capsys, tmp_path):
    assert simulations.main(["--render-only", "--out", str(tmp_path)]) == cli.UNUSABLE
    assert "has no runs.jsonl: nothing to draw" in capsys.readouterr().err


def test_a_reader_that_leaves_costs_no_file(tmp_path):
    words = command("credit", "--algorithms", "Constant", "--replications", 1, "--rounds", 2, "--out", tmp_path)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=300) == cli.DONE
    assert (tmp_path / "report.html").exists()
