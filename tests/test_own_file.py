"""``bench.compare FILE``: what is read and refused before anything runs, and how rows are divided."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from suite_fakes import Cheapest, Nearest, fakes  # noqa: F401 - a fixture
from test_bench_fakes import run_here

from bench import exits
from bench.rows.files import ROWS
from bench.show.own_file import outputs
from bench.studies.own_file import load
from bench.studies.own_splits import by_folds, by_time

RNG = np.random.default_rng(0)
N = 120
GRADES = np.array(["A", "B", "C"])[np.arange(N) % 3]
FRAME = pd.DataFrame(
    {
        "record": np.arange(1, N + 1),
        "amount": (np.arange(N) % 3) * 2.0 + RNG.normal(0, 1, N).round(3),
        "town": np.array(["Köln", "Bonn", None], dtype=object)[RNG.integers(0, 3, N)],
        "opened": pd.date_range("2024-01-31", periods=N, freq="7D").strftime("%Y-%m-%d"),
        "desk": np.where(RNG.random(N) < 0.6, GRADES, "B"),
        "grade": GRADES,
    }
)
COSTS = "truth,A,B,C,human\nA,0,1,2,1.5\nB,4,0,1,1.5\nC,9,3,0,1.5\n"
SQUARE = "truth,A,B,C\nA,0,1,2\nB,4,0,1\nC,9,3,0\n"


@pytest.fixture(autouse=True)
def undrawn(monkeypatch):
    """Figures take most of the time of a run, and are not what is asked here."""
    monkeypatch.setattr(outputs, "_draw", lambda *parts: [])


@pytest.fixture
def folder(tmp_path):
    FRAME.to_csv(tmp_path / "loans.csv", index=False)
    (tmp_path / "costs.csv").write_text(COSTS)
    (tmp_path / "square.csv").write_text(SQUARE)
    return tmp_path


def compare(folder, *words, names=("Nearest", "Cheapest"), target="grade"):
    """Compare competitors that take numbers alone."""
    there = pd.read_csv(folder / "loans.csv", nrows=0).columns.intersection(["town", "desk"]).difference(words)
    drop = ["--drop", *there] if len(there) else []
    words = [*words, "--algorithms", *names, *drop, "--out", folder / "out"]
    return run_here("compare", folder / "loans.csv", "--target", target, *words)


def options_of(folder, *words):
    from bench.compare import parser

    return parser().parse_args([str(folder / "loans.csv"), "--target", "grade", *map(str, words)])


def rows_of(folder):
    return [json.loads(line) for line in (folder / "out" / ROWS).read_text().splitlines()]


def test_the_file_and_the_costs_are_told_before_anything_runs(folder):
    own = load(options_of(folder, "--cost-file", folder / "costs.csv", "--today", "desk", "--drop", "opened"))
    assert own.about.classes == ("A", "B", "C")
    assert own.about.answers == ("A", "B", "C", "human")
    assert list(own.X) == ["amount", "town"]
    assert own.X["town"].isna().sum() == FRAME["town"].isna().sum()
    assert [own.about.classes[k] for k in own.y] == FRAME["grade"].tolist()
    assert [own.about.answers[a] for a in own.today] == FRAME["desk"].tolist()
    notes = " ".join(own.notes)
    assert "record (a running number)" in notes
    assert "opened (as asked)" in notes
    assert "desk holds today's answers and is no feature." in notes
    assert "Rows of each class: A 40, B 40, C 40." in notes
    done = compare(folder, "--cost-file", folder / "costs.csv", "--quick", names=("Nearest", "SAMME", "AdaBoost.MH"))
    assert done.returncode == exits.DONE, done.stderr
    assert "A true C answered A costs 9, the dearest mistake" in done.stderr
    assert "SAMME is left out: it learns classes, and the costs have other answers than the classes." in done.stderr
    assert {row["algorithm"] for row in rows_of(folder)} == {"Nearest", "best constant"}


LIST = "truth,answer,cost\nA,B,1\nA,C,2\nB,A,4\nB,C,1\nC,A,9.5\nC,B,3\n"


@pytest.mark.parametrize("table", ["truth;A;B;C\nC;9,5;3;0\nA;0;1;2\nB;4;0;1\n", LIST])
def test_costs_are_labelled_in_any_order_and_form(folder, table):
    (folder / "costs.csv").write_text(table)
    own = load(options_of(folder, "--cost-file", folder / "costs.csv"))
    assert own.about.table.loc["C", "A"] == 9.5
    assert own.about.table.loc["A", "C"] == 2
    assert own.about.costs_name == "costs"


@pytest.mark.parametrize(
    ("costs", "says"),
    [
        ("A,B,C\n0,1,2\n1,0,1\n2,1,0\n", "the rows have no labels"),
        ("truth,A,B\nA,0,1\nB,4,0\n", "costs.csv gives no costs: 'C' (40 rows)"),
        ("truth,A,B,c\nA,0,1,1\nB,4,0,1\nc,2,2,0\n", "Is 'C' the 'c' of the costs?"),
        ("truth,A,B,C,D\nA,0,1,2,7\nB,4,0,1,7\nC,9,3,0,7\nD,1,1,1,0\n", "to classes that no row of 'grade' has: 'D'"),
        ("truth,A,B,C\nA,0,1,2\nA,0,1,2\nC,9,3,0\n", "'A' stands at the beginning of several rows more than once"),
        ("truth,A,B,C\nA,0,1,x\nB,4,0,1\nC,9,3,0\n", "truth 'A', answer 'C' is 'x', which is no number"),
        ("", "is empty"),
    ],
)  # fmt: skip
def test_costs_that_do_not_fit_end_with_3_and_nothing_is_written(folder, costs, says):
    (folder / "costs.csv").write_text(costs)
    done = compare(folder, "--cost-file", folder / "costs.csv")
    assert done.returncode == exits.UNUSABLE
    assert "Traceback" not in done.stderr
    assert says in done.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("change", "target", "says"),
    [
        (lambda f: f, "Grade", "no column 'Grade' (for the target). Did you mean 'grade'?"),
        (lambda f: f.assign(grade="A"), "grade", "has one class only, 'A'"),
        (lambda f: f, "amount", "looks like a quantity: cut it into classes first"),
        (lambda f: f.assign(grade=[*GRADES[:-1], "Z"]), "grade", "only one row has the class 'Z' of 'grade'"),
        (lambda f: f[["record", "grade"]], "grade", "no column that could be a feature: record (a running number)"),
        (lambda f: f.head(8), "grade", "8 rows are too few"),
        (lambda f: f.head(0), "grade", "no line below it"),
    ],
)
def test_files_that_cannot_be_used_end_with_3_and_nothing_is_written(folder, change, target, says):
    change(FRAME).to_csv(folder / "loans.csv", index=False)
    done = compare(folder, target=target)
    assert done.returncode == exits.UNUSABLE
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "say which column of"),
        (["--target", "grade", "--arms", "tuned"], "--arms: only with --suite"),
        (["--target", "grade", "--suite"], "--suite has tables of its own: leave out FILE, --target"),
        (["--target", "grade", "--costs", "linaer"], "unknown costs 'linaer'. Did you mean 'linear'?"),
        (
            ["--target", "grade", "--order", "A", "B", "--costs", "linear"],
            "--order must name each class of 'grade'",
        ),
        (["--target", "grade", "--time", "opened", "--test", "x.csv"], "not allowed with"),
        (["--target", "grade", "--today", "grade"], "cannot be today's answer"),
    ],
)
def test_wrong_usage_ends_with_2(folder, words, says):
    done = run_here("compare", folder / "loans.csv", *words, "--algorithms", "Nearest", "--out", folder / "out")
    assert done.returncode == exits.USAGE
    assert says in done.stderr
    assert not (folder / "out").exists()


def test_named_costs_need_an_order_that_somebody_states(folder):
    words = FRAME.assign(grade=FRAME["grade"].map({"A": "low", "B": "middle", "C": "high"}))
    words.to_csv(folder / "loans.csv", index=False)
    done = compare(folder, "--costs", "linear")
    assert done.returncode == exits.USAGE
    assert "--order high low middle" in done.stderr
    own = load(options_of(folder, "--costs", "linear", "--order", "low", "middle", "high"))
    assert own.about.table.loc["low", "high"] == 2
    assert load(options_of(folder, "--costs", "equal")).about.classes == ("high", "low", "middle")


def test_right_answers_that_are_not_free_are_told_once(folder):
    (folder / "costs.csv").write_text(SQUARE.replace("A,0", "A,0.5"))
    notes = " ".join(load(options_of(folder, "--cost-file", folder / "costs.csv")).notes)
    assert notes.count("Warning: right answers are not free here (A 0.5)") == 1
    assert "put 0 on the diagonal" in notes


def test_a_column_that_tells_the_class_is_doubted(folder):
    FRAME.assign(leak=FRAME["grade"].map({"A": 1.5, "B": 2.5, "C": 9})).to_csv(folder / "loans.csv", index=False)
    notes = load(options_of(folder)).notes
    assert any("Doubt: leak (100%) tells the class alone" in note for note in notes)


def test_todays_answers_must_be_answers_of_the_costs(folder):
    FRAME.assign(desk=["later", *FRAME["desk"][1:]]).to_csv(folder / "loans.csv", index=False)
    done = compare(folder, "--cost-file", folder / "costs.csv", "--today", "desk")
    assert done.returncode == exits.UNUSABLE
    assert "holds 'later' (1 rows), which the costs do not know; they know A, B, C, human" in done.stderr
    FRAME.assign(desk=["", "human", *FRAME["desk"][2:]]).to_csv(folder / "loans.csv", index=False)
    own = load(options_of(folder, "--cost-file", folder / "costs.csv", "--today", "desk"))
    assert len(own.y) == N - 1
    assert own.about.answers[own.today[0]] == "human"
    assert own.cases[0] == 2


def test_folds_test_every_row_once_and_are_stratified():
    y = np.repeat([0, 1, 2], [70, 25, 5])
    division = by_folds(y, ("a", "b", "c"), 0)
    tested = [division.draw(r)[1] for r in range(10)]
    for repetition in (tested[:5], tested[5:]):
        assert sorted(np.concatenate(repetition)) == list(range(100))
        assert [np.bincount(y[rows], minlength=3).tolist() for rows in repetition] == [[14, 5, 1]] * 5
    assert not np.array_equal(tested[0], tested[5])
    for r in range(5):
        assert sorted([*division.draw(r)[0], *tested[r]]) == list(range(100))
    few = division.limited(y, 30)
    train, test = few.draw(0)
    assert len(train) == 30
    assert np.bincount(y[train]).min() >= 2
    assert set(train) <= set(division.draw(0)[0])
    assert np.array_equal(test, division.draw(0)[1])


def test_time_trains_on_the_past_alone_latest_first():
    when = np.array([5.0, 1, 9, np.nan, 7, 7, 7, 3, 2, 8, 4, 6])
    division = by_time(when, "when")
    assert "Rows without a time are left out: 1." in division.words
    tested = []
    for r in range(division.most):
        train, test = division.draw(r)
        assert when[train].max() < when[test].min()
        assert len(set(when[test]) & set(when[train])) == 0
        tested.append(when[test].max())
    assert tested == sorted(tested, reverse=True)
    assert tested[0] == 9


def test_time_and_another_file_divide_the_rows(folder):
    own = load(options_of(folder, "--time", "opened"))
    assert "opened" not in own.X
    assert "opened tells the time and is no feature." in own.notes
    tested = [own.cases[own.split(r).test] for r in range(5)]
    assert sorted(np.concatenate(tested)) == list(range(61, 121))
    assert tested[0].min() > tested[1].max()
    FRAME.tail(30).to_csv(folder / "later.csv", index=False, sep=";", decimal=",")
    FRAME.head(90).to_csv(folder / "loans.csv", index=False)
    own = load(options_of(folder, "--test", folder / "later.csv"))
    assert own.division.words == "loans.csv trains (90 rows), later.csv tests (30 rows)."
    train, test = own.split(0)
    assert own.X["amount"].iloc[test].tolist() == FRAME["amount"].tail(30).tolist()
    assert [own.about.classes[k] for k in own.y[train]] == FRAME["grade"].head(90).tolist()
    assert own.X["town"].iloc[test].astype(object).fillna("").tolist() == FRAME["town"].tail(30).fillna("").tolist()


def test_other_costs_or_another_file_do_not_mix_in_a_folder(folder):
    assert compare(folder, "--cost-file", folder / "square.csv", "--quick").returncode == exits.DONE
    done = compare(folder, "--costs", "equal", "--quick")
    assert done.returncode == exits.USAGE
    assert "made with other settings" in done.stderr
