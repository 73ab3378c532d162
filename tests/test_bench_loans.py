"""The credit study on files of invented loans: the paper's protocol, all loans, and data that do not do."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from test_bench_fakes import rows_of, run_here

from bench import credit, exits
from bench.algorithms import PAPER
from bench.command.pipeline import select
from bench.rows.files import ROWS
from bench.rows.settings import SETTINGS
from bench.studies.loans import _file_settings
from csboost.data import full_draw, load_lending_club, make_loan_preprocessor, paper_draw
from csboost.data.synthetic_lending_club import write_synthetic_file

pytest.importorskip("pyarrow")
LIGHT = ["--algorithms", "Constant", "Fake A", "--rounds", 5]


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    write_synthetic_file(path, 6000, first="2016-11", last="2018-05")
    return path


def test_the_papers_protocol(loans, tmp_path):
    words = ["--data", loans, "--per-grade", 40, "--train-fraction", 0.25, "--replications", 2, "--out", tmp_path]
    done = run_here("credit", *LIGHT, *words, jobs=2)
    assert done.returncode == exits.DONE, done.stderr
    for words in (
        "40 loans of each grade, 25% of them train",
        "Dropped (gives the grade away",
        "Linear costs 1.714 (always D)",
    ):
        assert words in done.stdout
    rows = rows_of(tmp_path)
    assert len(rows) == 2 * 3 * 2
    constant = {row["costs"]: row["test_cost"] for row in rows if row["algorithm"] == "Constant"}
    assert constant == pytest.approx({"equal": 6 / 7, "linear": 3.0, "partitioned-linear": 30.0})  # always A, balanced
    bunch = load_lending_club([loans], start="2017-01", stop="2018-03")
    kept = []
    for seed in sorted({row["seed"] for row in rows}):
        preprocessor = make_loan_preprocessor()
        draw = paper_draw(bunch, seed, per_grade=40, train_fraction=0.25, preprocessor=preprocessor)
        assert (len(draw.X_train), len(draw.X_test)) == (70, 210)
        kept.append(preprocessor.named_steps["screen"].kept_)
    always = [name for name in kept[0] if name in kept[1]]
    assert len(always) < len(kept[0]) + len(kept[1]) - len(always)  # the replications do not keep the same
    assert f"Kept {len(always)} columns in each of 2 replications, " in done.stdout
    assert f"with the dummies of categories: {', '.join(always)}." in done.stdout
    assert "Dropped (more than 30% missing in the training rows): mths_since_last_delinq" in done.stdout
    digest = hashlib.sha256(loans.read_bytes()).hexdigest()
    identity = f"loans.csv, {loans.stat().st_size} bytes, sha256 {digest}"
    assert json.loads((tmp_path / SETTINGS).read_text())["fingerprint"]["data"] == [identity]


@pytest.mark.parametrize("full", [[], ["--full"]])
def test_rows_of_another_file_of_the_same_name_do_not_mix(loans, tmp_path, full):
    words = ["--costs", "linear", "--replications", 1, "--out", tmp_path / "out", *(full or ["--per-grade", 20])]
    for name in ("one", "same", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "loans.csv").write_bytes(loans.read_bytes())
    with (tmp_path / "other" / "loans.csv").open("r+b") as file:  # as long as the first, a digit apart
        text = file.read()
        place = text.rindex(b"000")
        file.seek(place)
        file.write(b"500")
    first = run_here("credit", *LIGHT, "--data", tmp_path / "one" / "loans.csv", *words)
    assert first.returncode == exits.DONE, first.stderr
    rows = (tmp_path / "out" / ROWS).read_bytes()
    again = run_here("credit", *LIGHT, "--data", tmp_path / "same" / "loans.csv", *words)
    assert again.returncode == exits.DONE, again.stderr
    other = run_here("credit", *LIGHT, "--data", tmp_path / "other" / "loans.csv", *words)
    assert other.returncode == exits.USAGE
    assert "data was loans.csv, " in other.stderr
    assert "Give --fresh to delete them, or another --out to keep them" in other.stderr
    assert (tmp_path / "out" / ROWS).read_bytes() == rows


def test_files_in_another_order_are_other_data(tmp_path):
    """The order of the loans decides which are drawn."""
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_text(path.name)
    one, other = (_file_settings(order, ("2017-01", "2018-03"))["data"] for order in (paths, paths[::-1]))
    assert one != other
    assert sorted(one) == sorted(other)
    paths[0].write_text("b.csv, longer")
    assert _file_settings(paths, ("2017-01", "2018-03"))["data"] != one


def test_redrawing_reads_no_file(loans, tmp_path):
    moved = tmp_path / "loans.csv"
    moved.write_bytes(loans.read_bytes())
    words = ["--per-grade", 20, "--replications", 1, "--out", tmp_path / "out"]
    first = run_here("credit", *LIGHT, "--data", moved, *words)
    assert first.returncode == exits.DONE, first.stderr
    moved.unlink()
    for data in (["--data", moved], []):
        again = run_here("credit", "--render-only", *data, "--out", tmp_path / "out")
        assert again.returncode == exits.DONE, again.stderr
        assert again.stdout == first.stdout


def test_all_loans(loans, tmp_path):
    done = run_here("credit", *LIGHT, "--data", loans, "--full", "--costs", "linear", "--out", tmp_path)
    assert done.returncode == exits.DONE, done.stderr
    assert "Credit grades, all loans" in done.stdout
    assert "A fifth of the loans tests" in done.stdout
    assert "peak memory" in done.stdout
    rows = rows_of(tmp_path)
    assert [row["algorithm"] for row in rows] == ["Fake A", "Constant"]
    preprocessor = make_loan_preprocessor()
    bunch = load_lending_club([loans], start="2017-01", stop="2018-03")
    draw = full_draw(bunch, rows[0]["seed"], preprocessor=preprocessor)
    kept = preprocessor.named_steps["screen"].kept_
    said = (
        f"Kept {len(kept)} columns, {draw.X_train.shape[1]} features with the dummies of categories: {', '.join(kept)}."
    )
    assert said in done.stdout
    assert "  paper " not in done.stdout  # its figures are of balanced grades
    assert all(row["peak_memory_bytes"] > 2**20 for row in rows)


def test_a_balanced_figure_of_the_paper_does_not_stand_beside_all_loans(tmp_path):
    words = ["--full", "--costs", "equal", "--algorithms", "SAMME", "--rounds", 2, "--out", tmp_path]
    for more in ([], ["--render-only"]):
        assert run_here("credit", *words, *more).returncode == exits.DONE
    # redrawn as the folder's study even where --full is not said again
    again = run_here("credit", "--render-only", "--out", tmp_path)
    assert "as frequent as they come, so they are not shown beside each other" in again.stdout
    assert "0.720" not in again.stdout
    table = pd.read_csv(tmp_path / "table.csv")
    assert table["published_mean"].isna().all()


def test_the_default_competitors_are_the_paper_and_its_alternatives():
    assert (*PAPER, "CostSensitive", "RandomForest", "LogisticRegression") == credit.COMPETITORS
    options = credit.parser().parse_args([])
    study = credit.make_study(options)
    assert select(study, options, {}).algorithms == credit.COMPETITORS
    assert "draw of the training loans" in " ".join(study.notes)
    full = credit.parser().parse_args(["--full", "--render-only"])
    assert select(credit.make_study(full), full, {}).algorithms == PAPER


def test_all_loans_of_the_embedded_table(tmp_path):
    done = run_here("credit", *LIGHT, "--full", "--costs", "equal", "--out", tmp_path)
    assert done.returncode == exits.DONE, done.stderr
    share = np.array([1945, 2954, 2657, 1240, 720, 266, 75]) / 9857
    assert f"Best constant answer: Equal costs {1 - share[1]:.3f} (always B)" in done.stdout
    constant = next(row for row in rows_of(tmp_path) if row["algorithm"] == "Constant")
    assert constant["test_cost"] == pytest.approx(1 - share[0], abs=1e-3)


def test_all_loans_without_one_of_a_grade_is_said_before_the_run(loans, tmp_path):
    lines = loans.read_text().splitlines(keepends=True)
    place = lines[0].split(",").index("grade")
    few = tmp_path / "few.csv"
    few.write_text("".join([lines[0], *(line for line in lines[1:] if line.split(",")[place].strip('"') != "G")]))
    done = run_here("credit", *LIGHT, "--data", few, "--full", "--out", tmp_path / "out")
    assert done.returncode == exits.UNUSABLE
    assert "grade G has none, and each needs 2; choose a wider window with --from and --to" in done.stderr
    assert "they hold loans issued 2016-11 to 2018-05" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


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
    assert done.returncode == exits.UNUSABLE
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert "loans outside the window" in done.stderr  # the reading, which explains the error
    assert not (tmp_path / "out").exists()
