"""Pipelines, wrapped classifiers and weak learners of scikit-learn in model files."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import predictions
import pytest
from cases import easy, make, unequal_costs
from model_files import again, parts_of, signed
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from csboost import SAMMEClassifier, load_model, save_model
from csboost.costs import BayesDecisionClassifier, CostTable
from csboost.weak import SklearnWeakLearner

NUMBERS = ["x", "z"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.csboost"


def table(n=150, seed=0):
    rng = np.random.default_rng(seed)
    X, y = easy(n, 3, seed=seed)
    frame = pd.DataFrame(X[:, :2], columns=NUMBERS)
    frame.loc[::6, "x"] = np.nan
    frame["text"] = rng.choice(["red", "green", "blue"], n, p=[0.7, 0.25, 0.05])
    frame["band"] = rng.choice(["low", "high", None], n)
    frame["size"] = rng.choice([10, 20, 30], n)
    return frame, np.array(["a", "b", "c"])[y]


def columns(*encoders, remainder="drop"):
    """Numbers and text in ways of their own."""
    numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    parts = [("numbers", numbers, NUMBERS), *encoders]
    return ColumnTransformer(parts, remainder=remainder)


CODES = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
WAYS = {
    "one-hot": columns(("text", OneHotEncoder(handle_unknown="ignore"), ["text", "size"])),
    "dense": columns(("text", OneHotEncoder(sparse_output=False, drop="first"), ["text", "band"])),
    "dropped where there are two": columns(("text", OneHotEncoder(drop="if_binary"), ["text", "band", "size"])),
    "rare ones together": columns(("text", OneHotEncoder(min_frequency=0.1, handle_unknown="warn"), ["text", "size"])),
    "by type": columns(
        ("text", CODES, make_column_selector(dtype_exclude="number")), ("size", "passthrough", ["size"])
    ),
    "by index": ColumnTransformer([("all", StandardScaler(with_mean=False), pd.Index(NUMBERS)), ("no", "drop", [2])]),
    "the rest as it is": ColumnTransformer(
        [("text", OrdinalEncoder(dtype=np.float32), ["text", "band"])], remainder="passthrough"
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_pipeline_comes_back_whole(way, path):
    X, y = table()
    model = Pipeline([("columns", WAYS[way]), ("booster", make("angle-logit", cost_matrix=unequal_costs(3)))])
    wanted = predictions.of(model.fit(X, y), X)
    loaded = again(model, path)
    predictions.assert_same(predictions.of(loaded, X), wanted)
    assert loaded[-1].classes_.tolist() == ["a", "b", "c"]
    (transformed, other) = (each[:-1].get_feature_names_out().tolist() for each in (model, loaded))
    assert other == transformed
    assert (loaded.fit(X, y).predict(X) == model.predict(X)).all()


def test_a_pipeline_of_arrays_that_gives_tables_comes_back(path):
    X, y = easy()
    model = make_pipeline(SimpleImputer(), StandardScaler(), make("samme")).set_output(transform="pandas")
    model.fit(X, y)
    predictions.assert_same(predictions.of(again(model, path), X), predictions.of(model, X))


def test_the_memory_of_a_pipeline_is_not_written(path, tmp_path):
    X, y = easy()
    model = Pipeline([("scale", StandardScaler()), ("booster", make("samme"))], memory=str(tmp_path / "memory"))
    loaded = again(model.fit(X, y), path)
    assert loaded.memory is None
    predictions.assert_same(predictions.of(loaded, X), predictions.of(model, X))


@pytest.mark.parametrize("member", [LogisticRegression(), GaussianNB(), make("angle-logit"), "pipeline"], ids=str)
def test_the_bayes_rule_around_a_member_comes_back(member, path):
    X, y = easy()
    member = make_pipeline(StandardScaler(), LogisticRegression()) if member == "pipeline" else member
    costs = CostTable([[0, 2, 5, 1], [1, 0, 1, 1], [9, 9, 0, 1]], ["a", "b", "c"], ["a", "b", "c", "human"])
    model = BayesDecisionClassifier(member, costs).fit(X, np.array(["a", "b", "c"])[y])
    loaded = again(model, path)
    predictions.assert_same(predictions.of(loaded, X), predictions.of(model, X))
    assert loaded.cost_matrix == costs


def test_weak_learners_that_are_a_few_arrays_come_back(path):
    X, y = easy()
    model = SAMMEClassifier(n_estimators=3, weak_learner=SklearnWeakLearner(GaussianNB())).fit(X, y)
    loaded = again(model, path)
    predictions.assert_same(predictions.of(loaded, X, y), predictions.of(model, X, y))


REFUSED = {
    "trees as weak learners": (
        SAMMEClassifier(n_estimators=2, weak_learner=DecisionTreeClassifier(max_depth=1)),
        "weak_learner is of the class DecisionTreeClassifier",
    ),
    "a forest": (
        BayesDecisionClassifier(RandomForestClassifier(2)), "estimator is of the class RandomForestClassifier",
    ),
    "a function": (
        make_pipeline(FunctionTransformer(np.cbrt), make("samme")), r"steps.*func is the function or class cbrt",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_more_than_arrays_is_refused_with_another_way(kind, path):
    model, message = REFUSED[kind]
    with pytest.raises(ValueError, match=f"{message}.*pickle or joblib"):
        save_model(model.fit(*easy()), path)
    assert not path.exists()


def test_costs_of_another_library_come_back_as_a_table(path):
    X, y = easy()
    costs = pl.DataFrame({"truth": ["a", "b", "c"], "a": [0, 1, 5], "b": [2, 0, 1], "c": [9, 3, 0]})
    labels = np.array(["a", "b", "c"])[y]
    model = make("angle-logit", cost_matrix=costs).fit(X, labels)
    loaded = again(model, path)
    predictions.assert_same(predictions.of(loaded, X, labels), predictions.of(model, X, labels))
    assert loaded.cost_matrix.loc["a", "c"] == 9
    assert (loaded.fit(X, labels).predict(X) == model.predict(X)).all()


def test_another_version_of_scikit_learn_is_warned_of_where_its_parts_are_used(path):
    X, y = easy()
    for model, is_warned in ((make("samme"), False), (make_pipeline(StandardScaler(), make("samme")), True)):
        save_model(model.fit(X, y), path)
        parts = parts_of(path.read_bytes())
        described = json.loads(parts["model.json"])
        described["written_by"]["scikit-learn"] = "1.2.0"
        path.write_bytes(signed(parts, described))
        if is_warned:
            with pytest.warns(InconsistentVersionWarning, match=r"from version 1\.2\.0"):
                load_model(path)
        else:
            load_model(path)
