"""``csboost decide`` with models fitted elsewhere: categories that are no text, pipelines with columns of text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder

from csboost import SAMMEClassifier, costs, save_model
from csboost.command.main import main

N = 120


def frame(kind):
    """Cases whose class hangs on the category alone, and a number that tells nothing."""
    rng = np.random.default_rng(0)
    place = rng.integers(0, 3, N)
    y = np.array(["good", "poor", "good"])[place]
    return pd.DataFrame({"noise": rng.normal(size=N).round(3), "kind": pd.Categorical(np.array(kind)[place])}), y


def decided(model, X, folder, capsys, name="cases.csv"):
    """The answers of the command, its exit code and what it said."""
    save_model(model, folder / "m.csboost")
    X.to_csv(folder / name, index=False)
    (folder / "answers.csv").unlink(missing_ok=True)
    code = main(["decide", f"{folder}/m.csboost", f"{folder}/{name}", "--out", f"{folder}/answers.csv"])
    said = capsys.readouterr().err
    return code, said, pd.read_csv(folder / "answers.csv")["answer"].tolist() if code == 0 else None


@pytest.mark.parametrize(
    "kind",
    [[1, 2, 3], [-1.5, 2.0, 10.0], [" a", "b ", "c"], ["01", "1", "2"]],
    ids=["whole", "parts", "blanks", "text"],
)
def test_categories_of_any_type_are_those_of_the_fit(kind, tmp_path, capsys):
    X, y = frame(kind)
    model = SAMMEClassifier(n_estimators=3).fit(X, y)
    assert (model.predict(X) == y).all()
    assert decided(model, X, tmp_path, capsys) == (0, "", y.tolist())
    gaps = X.assign(kind=X["kind"].where(X.index > 0))  # pandas writes 2 as 2.0 beside a missing one
    assert decided(model, gaps, tmp_path, capsys)[2] == model.predict(gaps).tolist()
    strange = X.assign(kind=X["kind"].astype(object).where(X.index > 1, "new"))
    code, said, answers = decided(model, strange, tmp_path, capsys)
    assert (code, answers) == (0, model.predict(strange).tolist())
    assert "kind: 2 of 120 cells hold a category that the model has not met ('new')." in said


def test_categories_that_a_file_cannot_tell_apart_are_refused(tmp_path, capsys):
    X, y = frame([1, 2, 3])
    X = X.assign(kind=X["kind"].astype(object).where(X.index > 9, "1"))
    code, said, _ = decided(SAMMEClassifier(n_estimators=3).fit(X, y), X, tmp_path, capsys)
    assert code == 3
    assert "m.csboost cannot decide on files: column 'kind' holds categories that are the same as text" in said


def encoding(encoder):
    return ColumnTransformer([("kind", encoder, ["kind"])], remainder="passthrough")


def plain(steps):
    return make_pipeline(steps, SAMMEClassifier(n_estimators=3))


def around(steps):
    return costs.BayesDecisionClassifier(make_pipeline(steps, LogisticRegression(C=1e3)))


def before(steps):
    return make_pipeline(steps, costs.BayesDecisionClassifier(LogisticRegression(C=1e3)))


@pytest.mark.parametrize("made", [plain, around, before])
@pytest.mark.parametrize(
    "encoder",
    [OneHotEncoder(handle_unknown="ignore"),
     make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))],
    ids=["encoder", "imputer"],
)  # fmt: skip
def test_text_that_a_pipeline_encodes_reaches_it(made, encoder, tmp_path, capsys):
    X, y = frame(["a", "b", "c"])
    X["kind"] = X["kind"].astype(object)
    model = made(encoding(encoder)).fit(X, y)
    for rows in (X, X[:3]):  # few cells, too, are read as what they are
        assert decided(model, rows, tmp_path, capsys) == (0, "", y[: len(rows)].tolist())
    strange = X.assign(kind=X["kind"].where(X.index > 1, "new"))
    code, said, answers = decided(model, strange, tmp_path, capsys)
    assert (code, answers) == (0, model.predict(strange).tolist())
    assert ("has not met ('new')" in said) == isinstance(encoder, OneHotEncoder)


def test_numbers_that_a_pipeline_encodes_and_columns_that_it_leaves_out_are_read(tmp_path, capsys):
    X, y = frame([1, 2, 3])
    X = X.assign(kind=X["kind"].astype(int), note="as it was")
    steps = ColumnTransformer([("kind", OrdinalEncoder(), ["kind"]), ("noise", "passthrough", ["noise"])])
    assert decided(plain(steps).fit(X, y), X, tmp_path, capsys) == (0, "", y.tolist())


def test_a_step_that_hands_on_categories_is_refused_and_one_that_does_nothing_is_not(tmp_path, capsys):
    X, y = frame(["a", "b", "c"])
    assert decided(plain(FunctionTransformer()).fit(X, y), X, tmp_path, capsys) == (0, "", y.tolist())
    steps = ColumnTransformer([("all", "passthrough", ["kind", "noise"])]).set_output(transform="pandas")
    code, said, _ = decided(plain(steps).fit(X, y), X, tmp_path, capsys)
    assert code == 3
    assert "hands categories on to a model that numbers them itself" in said


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_copied_columns_have_one_type_though_the_first_block_is_empty(kind, tmp_path, capsys):
    pytest.importorskip("pyarrow")
    if kind == "xlsx":
        pytest.importorskip("openpyxl")
    rng = np.random.default_rng(0)
    cases = pd.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40)})
    model = costs.BayesDecisionClassifier(LogisticRegression()).fit(cases, np.where(cases["a"] > 0, "x", "y"))
    save_model(model, tmp_path / "m.csboost")
    note = pd.Series([None] * 30 + ["late"] * 10, dtype=object)
    file = cases.assign(note=note, count=pd.Series([None] * 30 + [7] * 10, dtype="Int64"), none=[None] * 40)
    writers = {"csv": file.to_csv, "parquet": file.to_parquet, "xlsx": file.to_excel}
    writers[kind](tmp_path / f"f.{kind}", index=False)
    argv = ["decide", f"{tmp_path}/m.csboost", f"{tmp_path}/f.{kind}", "--out", f"{tmp_path}/a.parquet"]
    assert main([*argv, "--keep", "note", "count", "none", "--block-rows", "10"]) == 0, capsys.readouterr().err
    found = pd.read_parquet(tmp_path / "a.parquet")
    assert found["answer"].tolist() == model.predict(cases).tolist()
    assert found["note"].isna().tolist() == [True] * 30 + [False] * 10
    assert found["note"][30:].tolist() == ["late"] * 10
    assert found["count"][30:].astype(float).tolist() == [7.0] * 10
    assert found["none"].isna().all()
