"""The command line and models that the library saved: steps of all kinds, what was edited, warnings told once."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from command_files import cases
from model_files import resigned
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from csboost import costs, load_model, save_model
from csboost.bayes.training_shares import training_shares
from csboost.command.main import main

FEATURES = ["amount", "rate"]


@pytest.fixture
def run(tmp_path, capsys):
    """Saves a model, edits its file, runs a command on it; gives the exit code, and what it said."""
    cases(90, 1).dropna().to_csv(tmp_path / "new.csv", index=False)

    def run(model, command, *options, edit=None):
        path = tmp_path / "m.csboost"
        save_model(model, path)
        if edit is not None:
            path.write_bytes(resigned(path.read_bytes(), edit))
        more = [str(tmp_path / "new.csv"), "--out", str(tmp_path / "answers.csv")] if command == "decide" else []
        code = main([command, str(path), *more, *options])
        return code, capsys.readouterr()

    return run


def fitted(*steps, rows=240, **options):
    frame = cases(rows, 0).dropna()
    rule = costs.BayesDecisionClassifier(LogisticRegression(**options), "equal")
    model = make_pipeline(*steps, rule) if steps else rule
    return model.fit(frame[FEATURES], frame["grade"])


@pytest.mark.parametrize(
    "steps",
    [
        (StandardScaler(), "passthrough"),
        (StandardScaler(), "passthrough", StandardScaler(), None),
        (Pipeline([("inner", StandardScaler()), ("none", "passthrough")]),),
    ],
)
def test_steps_that_do_nothing_and_pipelines_in_pipelines_answer_as_in_the_library(run, tmp_path, steps):
    model = fitted(*steps)
    code, said = run(model, "decide", "--block-rows", "20")
    assert code == 0, said.err
    found, frame = pd.read_csv(tmp_path / "answers.csv"), pd.read_csv(tmp_path / "new.csv")
    assert found["answer"].tolist() == model.predict(frame[FEATURES]).tolist()
    wanted = model[-1].predict_expected_cost(model[:-1].transform(frame[FEATURES]))
    np.testing.assert_allclose(found[["cost[fair]", "cost[good]", "cost[poor]"]], wanted, rtol=0, atol=1e-9)
    assert run(model, "show")[0] == 0


def test_a_pipeline_that_ends_in_a_pipeline_is_taken_apart(run, tmp_path):
    frame = cases(240, 0).dropna()
    inner = make_pipeline(StandardScaler(), costs.BayesDecisionClassifier(LogisticRegression(), "equal"))
    model = make_pipeline(StandardScaler(), "passthrough", inner).fit(frame[FEATURES], frame["grade"])
    code, said = run(model, "decide")
    assert code == 0, said.err
    new = pd.read_csv(tmp_path / "new.csv")
    assert pd.read_csv(tmp_path / "answers.csv")["answer"].tolist() == model.predict(new[FEATURES]).tolist()
    assert "BayesDecisionClassifier" in run(model, "show")[1].out


def test_what_learns_is_found_in_pipelines_within_pipelines():
    balanced = make_pipeline(
        "passthrough", make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    )
    codes = np.array([0, 0, 0, 1])
    shares, doubt = training_shares(balanced, None, np.array(["a", "b"]), codes, np.ones(4))
    np.testing.assert_allclose(shares, [0.5, 0.5])
    assert doubt is None


def held_out(**changes):
    held = {"how": "3 folds", "cost": 1.0, "standard_error": 0.1, "saving": 0.5, "saving_error": 0.1, "rows": 9}
    held |= {"constant_cost": 1.5, "constant_answer": "good"}
    return {"held_out": {**held, **changes}}


@pytest.mark.parametrize(
    "info",
    [
        {"file": "a.csv", "fitted": "today", "rows": 0, "target": "grade", "class_counts": {"good": 3}},
        {"file": "a.csv", "fitted": "today", "rows": "many", "target": "grade"},
        {"rows": 10, "class_counts": {"good": "three"}},
        {"rows": 10**400, "class_counts": {"good": 10**800}},
        {"versions": [1]},
        {"notes": 3},
        {"notes": [3]},
        held_out(rows="nine"),
        held_out(cost="one"),
        held_out(standard_error=-1),
        {"held_out": []},
        {"held_out": ["how"]},
    ],
)
def test_an_edited_card_is_shown_or_refused_in_words(run, info):
    code, said = run(fitted(), "show", edit=lambda described: described.update(info=info))
    assert code in (0, 3)
    if code:
        assert "m.csboost says what no model file says" in said.err


@pytest.mark.parametrize("info", [{"target": ["grade"]}, {"target": 3}, {"target": {}}])
def test_a_target_that_is_no_name_hinders_no_decision(run, info):
    assert run(fitted(), "decide", edit=lambda described: described.update(info=info))[0] == 0


@pytest.mark.parametrize("written_by", [[], None, "csboost", 3])
@pytest.mark.parametrize("command", ["show", "decide"])
def test_a_file_that_does_not_say_what_wrote_it_is_refused(run, tmp_path, command, written_by):
    code, said = run(fitted(), command, edit=lambda described: described.update(written_by=written_by))
    assert code == 3
    assert "m.csboost is damaged, or was edited: it does not say which versions wrote it. Copy it again" in said.err
    with pytest.raises(ValueError, match="does not say which versions wrote it"):
        load_model(tmp_path / "m.csboost")


@pytest.mark.filterwarnings("default")
def test_a_doubt_is_told_once_however_many_blocks_there_are(run, monkeypatch):
    model = fitted()
    original = type(model).predict_expected_cost

    def doubting(self, X):
        warnings.warn("these probabilities are open", stacklevel=2)
        return original(self, X)

    monkeypatch.setattr(type(model), "predict_expected_cost", doubting)
    code, said = run(model, "decide", "--block-rows", "7")
    assert (code, said.err.count("these probabilities are open")) == (0, 1)


def test_a_file_without_cases_on_stdout_is_told_so(tmp_path, capsys):
    save_model(fitted(), tmp_path / "m.csboost")
    (tmp_path / "none.csv").write_text("amount,rate\n")
    assert main(["decide", str(tmp_path / "m.csboost"), str(tmp_path / "none.csv"), "--out", "-"]) == 0
    said = capsys.readouterr()
    assert said.out == "answer,expected_cost,cost[fair],cost[good],cost[poor]\n"
    assert said.err == f"{tmp_path / 'none.csv'} has no cases: stdout has a header alone.\n"


def test_ctrl_c_on_stdout_does_not_say_that_nothing_was_written(tmp_path, capsys, monkeypatch):
    def interrupted(*args):
        raise KeyboardInterrupt

    save_model(fitted(), tmp_path / "m.csboost")
    cases(90, 1).dropna().to_csv(tmp_path / "new.csv", index=False)
    monkeypatch.setattr("csboost.command.decide.answer_frame", interrupted)
    argv = ["decide", str(tmp_path / "m.csboost"), str(tmp_path / "new.csv"), "--out"]
    assert main([*argv, "-"]) == 130
    assert capsys.readouterr().err.endswith("\nInterrupted.\n")
    assert main([*argv, str(tmp_path / "a.csv")]) == 130
    assert capsys.readouterr().err.endswith("\nInterrupted: nothing was written.\n")
