"""The command line's mishaps: an exit code and a message that names the offender, and nothing half-written."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pandas as pd
import pytest
from command_files import cases, written
from model_files import resigned
from sklearn.linear_model import LogisticRegression

from csboost import costs, load_model, save_model
from csboost.command import decide
from csboost.command.main import main

FEATURES = ["amount", "rate"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a model that is fitted in no time, and without the command line."""
    path = tmp_path_factory.mktemp("mishaps")
    written(path)
    frame = cases(240, 0).dropna()
    model = costs.BayesDecisionClassifier(LogisticRegression(), costs.read_costs(path / "costs.csv"))
    save_model(model.fit(frame[FEATURES], frame["grade"]), path / "plain.csboost")
    return path


@pytest.fixture
def answer(folder, tmp_path, capsys):
    """Runs a command in which {folder} and {tmp} stand for folders; gives its exit code and what it said."""

    def run(*argv):
        code = main([word.format(folder=folder, tmp=tmp_path) for word in argv])
        assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
        return code, capsys.readouterr().err

    return run


def refused(found, code, *parts):
    assert found[0] == code, found[1]
    assert "Traceback" not in found[1]
    for part in parts:
        assert part in found[1], f"{part!r} in {found[1]!r}"


DECIDE = ("decide", "{folder}/plain.csboost", "{folder}/whole.csv", "--out", "{tmp}/answers.csv")
FIT = ("fit", "{folder}/loans.csv", "--target", "grade", "--costs", "{folder}/costs.csv", "--out", "{tmp}/m.csboost")


@pytest.fixture(scope="module", autouse=True)
def whole(folder):
    """Cases without gaps: the regression takes none."""
    cases(90, 1).dropna().to_csv(folder / "whole.csv", index=False)


def changed(argv, **words):
    """A command with other words in the places of options, or at the place of a positional argument."""
    argv = list(argv)
    for name, word in words.items():
        if name in ("model", "file"):
            argv[1 if name == "model" or argv[0] == "fit" else 2] = word
        else:
            argv[argv.index(f"--{name}") + 1] = word
    return argv


def test_a_model_of_the_library_decides_by_the_names_of_its_features(folder, answer, tmp_path):
    assert answer(*DECIDE)[0] == 0
    frame = pd.read_csv(folder / "whole.csv")
    model = load_model(folder / "plain.csboost")
    assert pd.read_csv(tmp_path / "answers.csv")["answer"].tolist() == model.predict(frame[FEATURES]).tolist()
    assert not hasattr(model, "info_")


@pytest.mark.parametrize(
    ("argv", "code", "parts"),
    [
        ((), 2, ["COMMAND"]),
        (("guess",), 2, ["guess"]),
        (("decide", "{folder}/plain.csboost", "{folder}/whole.csv"), 2, ["--out"]),
        (("show", "{folder}/no.csboost"), 3, ["there is no model file", "no.csboost"]),
        (("show", "{folder}/plain.csbost"), 3, ["Did you mean 'plain.csboost'?"]),
        (("show", "{folder}/loans.csv"), 3, ["loans.csv is no model file of csboost"]),
        (changed(DECIDE, file="{folder}/old.csv"), 3, ["there is no file", "old.csv"]),
        (changed(DECIDE, file="{folder}/costs.csv"), 3, ["lacks 2 of the 2 columns", "amount, rate", "It has: truth"]),
        (changed(DECIDE, out="{tmp}/no/a.csv"), 3, ["there is no folder"]),
        (changed(DECIDE, out="{tmp}"), 2, ["is a folder"]),
        (changed(DECIDE, out="{tmp}/answers.xlsx"), 2, [".parquet"]),
        (changed(DECIDE, out="{folder}/whole.csv"), 2, ["would replace a file that is read"]),
        ((*DECIDE, "--limit", "robot=5%"), 2, ["'robot'", "good", "human"]),
        ((*DECIDE, "--limit", "human"), 2, ["human=5%"]),
        ((*DECIDE, "--limit", "human=0.05"), 2, ["human=5%"]),
        ((*DECIDE, "--limit", "human=120%"), 2, ["more than 100 %"]),
        ((*DECIDE, "--limit", "human=1", "--limit", "human=2"), 2, ["twice"]),
        ((*DECIDE, "--limit", "human=2000.."), 3, ["limits['human'] asks for at least 2000"]),
        ((*DECIDE, "--keep", "Id"), 3, ["no column 'Id'", "Did you mean 'id'?"]),
        ((*DECIDE, "--costs", "{folder}/two.csv"), 3, ["two.csv gives no costs to fair", "fair, good, poor"]),
        ((*DECIDE, "--keep", "answer"), 3, ["no column 'answer'"]),
        ((*DECIDE, "--costs", "{folder}/none.csv"), 3, ["--costs", "none.csv: there is no such file."]),
        (changed(FIT, target="Grade"), 3, ["no column 'Grade'", "Did you mean 'grade'?"]),
        (changed(FIT, costs="{folder}/none.csv"), 3, ["there is no such file", "linear"]),
        (changed(FIT, costs="{folder}/turned.csv"), 3, ["the other way round", "'human'", "Swap rows and columns."]),
        (changed(FIT, target="id"), 3, ["'K0-0000' (1 row)", "and 232 more"]),
        ((*FIT, "--drop", "Rate"), 3, ["has no column 'Rate' (for the column to drop). Did you mean 'rate'?"]),
        (changed(FIT, costs="linear"), 2, ["--order fair good poor"]),
        (changed(FIT, costs="{folder}/two.csv"), 3, ["'grade' has classes that", "'fair'"]),
        (changed(FIT, out="{tmp}/no/m.csboost"), 3, ["there is no folder"]),
        (changed(FIT, out="{folder}/loans.csv"), 2, ["would replace a file that is read"]),
        ((*FIT, "--model", "samy"), 2, ["unknown model 'samy'", "Did you mean 'samme'?"]),
        ((*FIT, "--model", "samme", "--effort", "high"), 2, ["--effort"]),
        ((*FIT, "--held-out", "2"), 2, ["25%"]),
        ((*FIT, "--folds", "1"), 2, ["at least 2"]),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_in_words(folder, answer, tmp_path, argv, code, parts):
    costs.read_costs(folder / "costs.csv").T.to_csv(folder / "turned.csv")
    (folder / "two.csv").write_text("truth,good,poor\ngood,0,1\npoor,9,0\n")
    refused(answer(*argv), code, *parts)
    assert list(tmp_path.iterdir()) == []


def test_answers_that_are_there_stay_when_a_later_block_cannot_be_read(folder, answer, tmp_path):
    lines = (folder / "whole.csv").read_text().splitlines()
    (folder / "broken.csv").write_text("\n".join([*lines[:40], lines[40] + ",more", *lines[41:]]))
    (tmp_path / "answers.csv").write_text("as they were")
    found = answer(*changed(DECIDE, file="{folder}/broken.csv"), "--block-rows", "10")
    refused(found, 3, "broken.csv cannot be read as a table of 6 columns", "line 41")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("answers.csv", "as they were")]


def test_ctrl_c_ends_with_130_and_leaves_nothing(answer, tmp_path, monkeypatch):
    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(decide, "answer_frame", interrupted)
    refused(answer(*DECIDE), 130, "nothing was written")
    assert list(tmp_path.iterdir()) == []


def test_sigterm_ends_like_ctrl_c_and_is_again_what_it_was(answer, tmp_path, monkeypatch):
    def terminated(*args):
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)  # a second one does not end the clearing away

    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    monkeypatch.setattr(decide, "answer_frame", terminated)
    refused(answer(*DECIDE), 130, "nothing was written")
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_handler_that_a_program_has_set_stays(answer, monkeypatch):
    told, answer_frame = [], decide.answer_frame

    def terminated(*args):
        os.kill(os.getpid(), signal.SIGTERM)
        return answer_frame(*args)

    monkeypatch.setattr(decide, "answer_frame", terminated)
    before = signal.signal(signal.SIGTERM, lambda *_: told.append("told"))
    try:
        assert answer(*DECIDE)[0] == 0
    finally:
        signal.signal(signal.SIGTERM, before)
    assert told == ["told"]


def test_a_full_disk_is_named(answer, monkeypatch, tmp_path):
    def full(*args):
        raise OSError(28, "No space left on device", str(tmp_path / "answers.csv"))

    monkeypatch.setattr(decide, "answer_frame", full)
    refused(answer(*DECIDE), 3, "answers.csv: No space left on device")


def test_a_model_of_an_array_is_told_what_it_lacks(folder, answer):
    frame = cases(240, 0).dropna()
    model = costs.BayesDecisionClassifier(LogisticRegression()).fit(frame[FEATURES].to_numpy(), frame["grade"])
    save_model(model, folder / "array.csboost")
    refused(answer(*changed(DECIDE, model="{folder}/array.csboost")), 3, "does not know the names of its columns")
    assert answer("show", "{folder}/array.csboost")[0] == 0


def test_labels_that_are_numbers_are_matched_by_their_text(folder, answer, tmp_path):
    frame = cases(240, 0).dropna()
    grades = frame["grade"].map({"good": 1, "fair": 2, "poor": 3})
    save_model(costs.BayesDecisionClassifier(LogisticRegression()).fit(frame[FEATURES], grades), folder / "n.csboost")
    (folder / "numbers.csv").write_text("truth;1;2;3;ask\n01;0;1;1;0,5\n2;1;0;1;0,5\n3;1;1;0;0,5\n")
    options = ["--costs", "{folder}/numbers.csv", "--limit", "ask=3", "--limit", "2=..50%"]
    assert answer(*changed(DECIDE, model="{folder}/n.csboost"), *options)[0] == 0
    found = pd.read_csv(tmp_path / "answers.csv", dtype={"answer": str})
    assert list(found) == ["answer", "expected_cost", "cost[1]", "cost[2]", "cost[3]", "cost[ask]"]
    assert (found["answer"] == "ask").sum() <= 3
    np.testing.assert_allclose(found["cost[ask]"], 0.5)


@pytest.mark.parametrize(
    ("named", "labels", "sentence"),
    [
        ("linear", ("1", "2", "3"), "A true 2: answer 1 costs 1, answer 3 costs 1."),
        ("equal", ("0.5", "1.5", "2"), "A true 1.5: answer 0.5 costs 1, answer 2 costs 1."),
        ("equal", ("1", "1e0", "2"), "A true 1e0: 1 costs 1, 2 costs 1."),  # two labels, though one number
    ],
)
def test_costs_of_classes_that_are_numbers_are_told_as_such(folder, tmp_path, answer, capsys, named, labels, sentence):
    grades = dict(zip(("good", "fair", "poor"), labels, strict=True))
    cases(240, 0).assign(grade=lambda frame: frame["grade"].map(grades)).to_csv(tmp_path / "numbers.csv", index=False)
    fit = changed((*FIT, "--model", "samme", "--held-out", "0%"), file="{tmp}/numbers.csv", costs=named)
    code, said = answer(*fit)
    assert code == 0
    assert sentence in said
    assert main(["show", f"{tmp_path}/m.csboost"]) == 0
    assert sentence in capsys.readouterr().out


def test_columns_that_are_copied_are_not_passed_over_and_labels_with_commas_are_told_apart(folder, answer, capsys):
    frame = cases(240, 0).dropna()
    grades = frame["grade"].replace({"fair": "fair, so far"})
    save_model(costs.BayesDecisionClassifier(LogisticRegression()).fit(frame[FEATURES], grades), folder / "c.csboost")
    argv = [word.format(folder=folder, tmp=folder) for word in changed(DECIDE, model="{folder}/c.csboost")]
    assert main([*argv, "--keep", "id", "town", "opened", "--limit", "good=..2"]) == 0
    said = capsys.readouterr()
    assert said.err == "Columns that the model does not know are passed over: grade.\n"
    assert "Answers: 'fair, so far' " in said.out
    assert "Limit of good: 2 given; it binds: one case more would save " in said.out
    assert main(["show", f"{folder}/c.csboost"]) == 0
    assert "Classes: 'fair, so far', good, poor." in capsys.readouterr().out


def test_what_a_file_says_of_its_model_is_kept_and_checked(folder, tmp_path):
    model, path = load_model(folder / "plain.csboost"), tmp_path / "model.csboost"
    said = {"file": "loans.csv", "counts": {"good": 3}, "parts": [1, 2.5, None, True, ("a",)]}
    save_model(model, path, info=said)
    again = load_model(path)
    assert again.info_ == {**said, "parts": [1, 2.5, None, True, ["a"]]}
    save_model(again, tmp_path / "again.csboost")
    assert (tmp_path / "again.csboost").read_bytes() == path.read_bytes()
    save_model(again, path, info={})
    assert not hasattr(load_model(path), "info_")
    for bad, where in [({"a": [np.nan]}, r"info\['a'\]\[0\] is nan"), ({1: 2}, "keys must be text"), ([], "a dict")]:
        with pytest.raises(ValueError, match=where):
            save_model(model, path, info=bad)
    with pytest.raises(ValueError, match=r"info\['a'\] is of the class set"):
        save_model(model, path, info={"a": {1}})


@pytest.mark.parametrize(
    "info", [[], {"columns": 3}, {"columns": [["amount", "number", ".", "", ""]]}, {"held_out": 1}]
)
def test_what_was_edited_in_a_file_is_refused(folder, answer, info):
    def edit(described):
        described["info"] = info

    (folder / "edited.csboost").write_bytes(resigned((folder / "plain.csboost").read_bytes(), edit))
    argv = ("show", "{folder}/edited.csboost") if "held_out" in info else DECIDE
    refused(answer(*changed(argv, model="{folder}/edited.csboost")), 3, "edited.csboost")
