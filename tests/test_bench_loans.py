"""The credit study on files of invented loans: the paper's protocol, all loans, and data that do not do."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from test_bench_fakes import run_here

from bench import cli, credit
from bench.algorithms import PAPER
from bench.pipeline import select
from bench.store import ROWS, SETTINGS
from csboost.data import load_lending_club, paper_draw
from csboost.data.synthetic_lending_club import write_synthetic_file

pytest.importorskip("pyarrow")
LIGHT = ["--algorithms", "Constant", "Fake A", "--rounds", 5]


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    write_synthetic_file(path, 6000, first="2016-11", last="2018-05")
    return path


def rows_of(folder):
    return [json.loads(line) for line in (folder / ROWS).read_text().splitlines()]


def test_the_papers_protocol(loans, tmp_path):
    words = ["--data", loans, "--per-grade", 40, "--train-fraction", 0.25, "--replications", 2, "--out", tmp_path]
    done = run_here("credit", *LIGHT, *words, jobs=2)
    assert done.returncode == cli.DONE, done.stderr
    for words in (
        "40 loans of each grade, 25% of them train",
        "Kept 95 columns: loan_amnt",
        "Dropped (gives the grade away",
        "Linear costs 1.714 (always D)",
    ):
        assert words in done.stdout
    rows = rows_of(tmp_path)
    assert len(rows) == 2 * 3 * 2
    constant = {row["costs"]: row["test_cost"] for row in rows if row["algorithm"] == "Constant"}
    assert constant == pytest.approx({"equal": 6 / 7, "linear": 3.0, "partitioned-linear": 30.0})  # always A, balanced
    row = next(row for row in rows if row["algorithm"] == "Fake A" and row["costs"] == "linear")
    bunch = load_lending_club([loans], start="2017-01", stop="2018-03")
    draw = paper_draw(bunch, row["seed"], per_grade=40, train_fraction=0.25)
    assert (len(draw.X_train), len(draw.X_test)) == (70, 210)
    assert json.loads((tmp_path / SETTINGS).read_text())["fingerprint"]["data"] == ["loans.csv"]


def test_redrawing_reads_no_file(loans, tmp_path):
    moved = tmp_path / "loans.csv"
    moved.write_bytes(loans.read_bytes())
    words = ["--per-grade", 20, "--replications", 1, "--out", tmp_path / "out"]
    first = run_here("credit", *LIGHT, "--data", moved, *words)
    assert first.returncode == cli.DONE, first.stderr
    moved.unlink()
    for data in (["--data", moved], []):
        again = run_here("credit", "--render-only", *data, "--out", tmp_path / "out")
        assert again.returncode == cli.DONE, again.stderr
        assert again.stdout == first.stdout


def test_all_loans(loans, tmp_path):
    done = run_here("credit", *LIGHT, "--data", loans, "--full", "--costs", "linear", "--out", tmp_path)
    assert done.returncode == cli.DONE, done.stderr
    assert "Credit grades, all loans" in done.stdout
    assert "A fifth of the loans tests" in done.stdout
    assert "peak memory" in done.stdout
    rows = rows_of(tmp_path)
    assert [row["algorithm"] for row in rows] == ["Fake A", "Constant"]
    assert "  paper " not in done.stdout  # its figures are of balanced grades
    assert all(row["peak_memory_bytes"] > 2**20 for row in rows)


def test_a_balanced_figure_of_the_paper_does_not_stand_beside_all_loans(tmp_path):
    words = ["--full", "--costs", "equal", "--algorithms", "SAMME", "--rounds", 2, "--out", tmp_path]
    for more in ([], ["--render-only"]):
        assert run_here("credit", *words, *more).returncode == cli.DONE
    # redrawn as the folder's study even where --full is not said again
    again = run_here("credit", "--render-only", "--out", tmp_path)
    assert "as frequent as they come, so they are not shown beside each other" in again.stdout
    assert "0.720" not in again.stdout
    table = pd.read_csv(tmp_path / "table.csv")
    assert table["published_mean"].isna().all()


def test_the_default_competitors_are_the_paper_and_its_alternatives():
    assert (*PAPER, "RandomForest", "LogisticRegression") == credit.COMPETITORS
    options = credit.parser().parse_args([])
    study = credit.make_study(options)
    assert select(study, options, {}).algorithms == credit.COMPETITORS
    assert "draw of the training loans" in " ".join(study.notes)
    full = credit.parser().parse_args(["--full", "--render-only"])
    assert select(credit.make_study(full), full, {}).algorithms == PAPER


def test_all_loans_of_the_embedded_table(tmp_path):
    done = run_here("credit", *LIGHT, "--full", "--costs", "equal", "--out", tmp_path)
    assert done.returncode == cli.DONE, done.stderr
    share = np.array([1945, 2954, 2657, 1240, 720, 266, 75]) / 9857
    assert f"Best constant answer: Equal costs {1 - share[1]:.3f} (always B)" in done.stdout
    constant = next(row for row in rows_of(tmp_path) if row["algorithm"] == "Constant")
    assert constant["test_cost"] == pytest.approx(1 - share[0], abs=1e-3)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--per-grade", "5000"], "--per-grade"),
        (["--from", "2020-01", "--to", "2020-12"], "2020-01"),
        (["--per-grade", "20", "--train-fraction", "0.001"], "--train-fraction"),
    ],
)
def test_data_that_do_not_do_are_exit_code_3(loans, tmp_path, words, says):
    done = run_here("credit", *LIGHT, "--data", loans, *words, "--out", tmp_path / "out")
    assert done.returncode == cli.UNUSABLE
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
