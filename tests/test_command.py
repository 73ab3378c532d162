"""``csboost fit``, ``decide`` and ``show``: what comes out is what the library computes."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from command_files import CLASSES, cases, written
from sklearn.dummy import DummyClassifier

from csboost import decisions, load_model, tables
from csboost.command.decide import ahead
from csboost.command.main import main
from csboost.command.trial import Plan, try_out
from csboost.data.errors import DataError
from csboost.tables.class_costs import Costs

ANSWERS = [*sorted(CLASSES), "human"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a model, and cases to decide."""
    path = tmp_path_factory.mktemp("command")
    written(path)
    fit = ["fit", f"{path}/loans.csv", "--target", "grade", "--costs", f"{path}/costs.csv", "--effort", "fast"]
    assert main([*fit, "--held-out", "30%", "--out", f"{path}/loans.csboost"]) == 0
    return path


@pytest.fixture(scope="module")
def model(folder):
    return load_model(folder / "loans.csboost")


@pytest.fixture(scope="module")
def X(folder):
    """The features of the new cases, read at once."""
    columns = tables.read_table(folder / "loans.csv", target="grade").columns
    return tables.read_table(folder / "new.csv", columns=columns).X


def decide(folder, out, *options):
    """The table of answers."""
    assert main(["decide", f"{folder}/loans.csboost", f"{folder}/new.csv", "--out", str(out), *options]) == 0
    return pd.read_csv(out)


def test_the_answers_are_the_cheapest_by_the_models_expected_costs(folder, model, X, tmp_path):
    expected = model.predict_expected_cost(X)
    found = decide(folder, tmp_path / "answers.csv")
    assert list(found) == ["answer", "expected_cost", *(f"cost[{answer}]" for answer in ANSWERS)]
    np.testing.assert_allclose(found[[f"cost[{answer}]" for answer in ANSWERS]], expected, rtol=0, atol=1e-10)
    assert found["answer"].tolist() == np.array(ANSWERS)[expected.argmin(axis=1)].tolist()
    np.testing.assert_allclose(found["expected_cost"], expected.min(axis=1), rtol=0, atol=1e-10)
    assert len(set(found["answer"])) > 2


@pytest.mark.parametrize("limits", [[], ["--limit", "human=3"]])
def test_blocks_of_any_size_give_the_same_answers(folder, limits, tmp_path, capsys):
    options = ["--keep", "id", *limits]
    whole = decide(folder, tmp_path / "whole.csv", *options)
    assert whole["id"].tolist() == cases(90, 1)["id"].tolist()
    for size in ("1", "7"):
        pd.testing.assert_frame_equal(decide(folder, tmp_path / "a.csv", "--block-rows", size, *options), whole)
    capsys.readouterr()
    assert main(["decide", f"{folder}/loans.csboost", f"{folder}/new.csv", "--out", "-", *options]) == 0
    assert capsys.readouterr().out.encode() == (tmp_path / "whole.csv").read_bytes()


def test_one_block_is_read_ahead_and_no_more_however_long_the_file_is():
    made = []

    def source():
        for number in range(30):
            made.append(number)
            yield number

    for place, block in enumerate(ahead(source())):
        assert block == place
        time.sleep(0.002)  # for the other thread to run on, if it would
        assert len(made) <= place + 2
    assert len(made) == 30


def test_limits_are_kept_over_all_blocks_as_the_library_keeps_them(folder, model, X, tmp_path, capsys):
    options = ["--limit", "human=5%", "--limit", "poor=10..", "--block-rows", "11"]
    found = decide(folder, tmp_path / "answers.csv", *options)
    assert found["answer"].tolist() == model.decide(X, limits={"human": 0.05, "poor": (10, None)}).tolist()
    assert (found["answer"] == "human").sum() <= 0.05 * len(found)
    assert (found["answer"] == "poor").sum() >= 10
    assert "Limit of human: " in capsys.readouterr().out


def test_other_costs_decide_on_the_same_probabilities(folder, model, X, tmp_path):
    other = pd.DataFrame([[0, 5, 9], [1, 0, 5], [1, 1, 0.0]], index=CLASSES[::-1], columns=[*CLASSES[::-1]])
    other.to_csv(tmp_path / "other.csv", index_label="truth")
    found = decide(folder, tmp_path / "answers.csv", "--costs", str(tmp_path / "other.csv"))
    P = model.predict_proba(X)
    known = decisions.decide(P, other, classes=model.classes_)
    assert found["answer"].tolist() == known.tolist()
    np.testing.assert_allclose(found["expected_cost"], known.expected_cost, rtol=1e-9)
    assert sorted(found)[1:4] == [f"cost[{name}]" for name in sorted(CLASSES)]


def test_columns_in_another_order_and_categories_unseen_before_are_fine(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "new.csv", sep=";", dtype=str, keep_default_na=False)
    frame.assign(extra="1")[["extra", *reversed(frame.columns)]].to_csv(tmp_path / "turned.csv", sep=";", index=False)
    assert main(["decide", f"{folder}/loans.csboost", f"{tmp_path}/turned.csv", "--out", f"{tmp_path}/a.csv"]) == 0
    assert "passed over: extra" in capsys.readouterr().err
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "a.csv"), decide(folder, tmp_path / "b.csv"))
    frame.assign(town="never seen")[:3].to_csv(tmp_path / "unseen.csv", sep=";", index=False)
    assert main(["decide", f"{folder}/loans.csboost", f"{tmp_path}/unseen.csv", "--out", f"{tmp_path}/c.csv"]) == 0
    assert len(pd.read_csv(tmp_path / "c.csv")) == 3


def test_parquet_in_and_out_and_packed_text_hold_the_same_answers(folder, tmp_path):
    pytest.importorskip("pyarrow")
    plain = decide(folder, tmp_path / "plain.csv", "--keep", "id")
    cases(90, 1).to_parquet(tmp_path / "new.parquet")
    args = ["decide", f"{folder}/loans.csboost", f"{tmp_path}/new.parquet", "--keep", "id"]
    for out in ("answers.parquet", "answers.tsv.gz"):
        assert main([*args, "--out", f"{tmp_path}/{out}"]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "answers.parquet"), plain, check_dtype=False)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "answers.tsv.gz", sep="\t"), plain)


def test_a_file_without_cases_gets_a_header_alone(folder, tmp_path):
    header = (folder / "new.csv").read_text(encoding="utf-8").splitlines()[0]
    (tmp_path / "none.csv").write_text(header + "\n", encoding="utf-8")
    args = ["decide", f"{folder}/loans.csboost", f"{tmp_path}/none.csv", "--keep", "id"]
    for limits in ([], ["--limit", "human=5%"]):
        assert main([*args, "--out", f"{tmp_path}/a.csv", *limits]) == 0
        assert (tmp_path / "a.csv").read_text().startswith("id,answer,expected_cost,cost[fair]")
        assert (tmp_path / "a.csv").read_text().count("\n") == 1


def test_show_says_what_was_fitted_on_what_and_what_it_costs(folder, model, capsys):
    assert main(["show", f"{folder}/loans.csboost"]) == 0
    text = capsys.readouterr().out
    for part in (
        "CostSensitiveClassifier, fitted 20", "on loans.csv (240 rows, target grade)",
        "Answers: fair, good, poor, human.",
        "A true poor answered good costs 9, the dearest mistake", "Members: gradient boosting ", "logistic regression",
        "Cost on held-out rows (30 % of the rows): ", "Best single answer for all of them: ",
        "Its expected costs there: promised ", "Features that count most", "amount", "Not used: id (", "csboost 0.",
    ):  # fmt: skip
        assert part in text, part
    assert model.info_["held_out"]["rows"] == 72
    assert sum(model.info_["class_counts"].values()) == model.info_["rows"] == 240


def test_the_held_out_cost_is_that_of_rows_the_model_was_not_fitted_on():
    y = pd.Series(["a"] * 30 + ["b"] * 20, dtype=object)
    X = pd.DataFrame({"x": np.arange(50.0)})
    costs = Costs("toy", ("a", "b"), ("a", "b"), np.array([[0.0, 1.0], [3.0, 0.0]]))
    found = try_out(lambda: DummyClassifier(), X, y, costs, Plan(50, 5, None, 0), print)
    assert (found["rows"], found["cost"]) == (50, 20 * 3 / 50)  # always the most frequent class
    assert (found["constant_answer"], found["constant_cost"]) == ("b", 30 / 50)
    assert found["saving"] == pytest.approx(30 / 50 - 60 / 50)
    for plan in (Plan(50, 5, None, 0), Plan(2000, None, None, 0), Plan(2000, None, 0.5, 0)):
        splits = list(plan.splits(y))
        assert all(set(learnt) | set(held) == set(range(50)) for learnt, held in splits)
        assert all(not set(learnt) & set(held) for learnt, held in splits)
        assert all(set(y.iloc[learnt]) == {"a", "b"} for learnt, _ in splits)
    assert len(list(Plan(50, 5, None, 0).splits(y))) == 5


def test_classes_of_fewer_rows_than_folds_are_tried_out_in_as_many_as_they_have():
    y = pd.Series(["good", "poor"] * 4, dtype=object)
    X = pd.DataFrame({"a": np.arange(8.0) % 2})
    plan = Plan(8, None, None, 0)
    given = Costs("equal", ("good", "poor"), ("good", "poor"), 1.0 - np.eye(2))
    found = try_out(lambda: DummyClassifier(strategy="most_frequent"), X, y, given, plan, str)
    assert found["rows"] == 8
    assert found["how"] == "each row once, in 4 folds"
    assert found["cost"] == 0.5
    with pytest.raises(DataError, match="no class has two rows"):
        list(Plan(2, None, None, 0).splits(y[:2]))


def test_the_help_needs_no_package_and_the_module_runs_as_the_script_does():
    code = (
        "import sys; from csboost.command.main import main; code = main(['fit', '--help']); "
        "print(sorted({'numba', 'numpy', 'pandas', 'sklearn', 'matplotlib'} & set(sys.modules)), code)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.endswith("[] 0\n")
    found = subprocess.run([sys.executable, "-m", "csboost", "--version"], capture_output=True, text=True)
    assert (found.returncode, found.stdout[:8]) == (0, "csboost ")
