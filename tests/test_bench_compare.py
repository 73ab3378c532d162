"""``bench.compare --suite`` as a command."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from suite_fakes import FITS, WORDS, Cheapest, Mute, Nearest, Refusing, fakes, rows_of, run  # noqa: F401 - a fixture
from test_bench_fakes import run_here

from bench import compare, exits
from bench.algorithms import REGISTRY, Algorithm
from bench.rows.files import ROWS

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
