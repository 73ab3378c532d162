"""Trees, ensembles and scikit-learn's parts that compiled code would follow out of their arrays are refused."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from cases import easy, make
from model_files import DAMAGED, EDITED, npy, parts_of, refused, resigned, signed, written
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from csboost import load_model, save_model


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return written(tmp_path_factory.mktemp("models") / "whole.csboost")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.csboost"


def find(tree, name):
    """The state of the first object of a class."""
    if isinstance(tree, dict):
        if tree.get("object", [None])[0] == name:
            return tree["object"][1]
        tree = list(tree.values())
    if isinstance(tree, list):
        return next((found for found in (find(part, name) for part in tree) if found is not None), None)
    return None


def with_array(whole, owner, name, change):
    """The file with one array of an object changed."""
    parts = parts_of(whole)
    described = json.loads(parts["model.json"])
    place = find(described["model"], owner)[name]["array"]
    array = np.load(io.BytesIO(parts[f"arrays/{place}.npy"]))
    return signed(parts | {f"arrays/{place}.npy": npy(change(array))}, described)


def put(value, *place):
    def change(array):
        array[place] = value
        return array

    return change


CHANGES = [
    ("Forest", "left", put(10**6, 0, 0)), ("Forest", "left", put(-1, 0, 0)), ("Forest", "right", put(0, 0, 0)),
    ("Forest", "left", put(2, 0, 0)), ("Forest", "feature", put(-3, 0, 0)), ("Forest", "feature", lambda a: a + 100),
    ("Forest", "depth", put(1, 0)), ("Forest", "depth", put(10**9, 0)), ("Forest", "n_leaves", put(10**9, 0)),
    ("Forest", "n_leaves", put(0, 0)), ("Forest", "threshold", lambda a: a[:, :1]),
    ("Forest", "left", lambda a: a + 0.5),
    ("Forest", "missing_left", lambda a: a.astype(int)), ("Forest", "gains", lambda a: a[0]),
    ("Ensemble", "outputs", put(50, 0, 0)), ("Ensemble", "outputs", put(-1, 0, 0)),
    ("Ensemble", "outputs", lambda a: a[:, :1]),
    ("Ensemble", "weights", lambda a: a[:1]), ("Ensemble", "weights", lambda a: a.astype(complex)),
    ("Ensemble", "scales", lambda a: a[:0]), ("Ensemble", "start", lambda a: a[:1]),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]}.{change[1]}")
def test_trees_that_are_none_are_refused(change, whole, path):
    refused(path, with_array(whole, *change), f"{EDITED}|{DAMAGED}")


@pytest.mark.parametrize("state", [{"n_scores": 9}, {"trees_per_round": 0}, {"rules": []}, {"n_scores": True}])
def test_ensembles_that_are_none_are_refused(state, whole, path):
    def edit(described):
        find(described["model"], "Ensemble").update(state)

    refused(path, resigned(whole, edit), EDITED)


def test_columns_and_costs_that_are_not_there_are_refused_before_compiled_code_reads_them(whole, path):
    X, y = easy()
    path.write_bytes(with_array(whole, "MarginLink", "cost_matrix", lambda a: a[:, :2]))
    with pytest.raises(ValueError, match="do not fit to 3 scores"):
        load_model(path).predict_proba(X)
    path.write_bytes(with_array(whole, "AngleLogitBoostClassifier", "cost_matrix_", lambda a: a[:, :2]))
    with pytest.raises(ValueError, match="do not fit"):
        load_model(path).staged_cost(X, y)

    def narrower(described):
        described["model"]["object"][1]["n_features_in_"] = 1

    path.write_bytes(resigned(whole, narrower))
    with pytest.raises(ValueError, match="the trees split on column"):
        load_model(path).predict(X[:, :1])


def one_hot(path):
    """The file of an encoder whose last category fills the last column."""
    X = np.array([[1.0, 0.0], [5.0, 1.0], [9.0, 1.0]])
    model = make_pipeline(OneHotEncoder(min_frequency=2, sparse_output=False), make("samme")).fit(X, [0, 1, 1])
    save_model(model, path)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("_n_features_outs", [1, 1]),
        ("_infrequent_indices", {"tuple": []}),
        ("_infrequent_enabled", False),
        ("categories_", [{"scalar": ["<f8", 1.0]}]),
        ("_default_to_infrequent_mappings", [None, None]),
        ("_drop_idx_after_grouping", [7, 7]),
    ],
)
def test_encoders_that_would_write_beyond_their_columns_are_refused(name, change, path):
    def edit(described):
        find(described["model"], "OneHotEncoder")[name] = change

    refused(path, resigned(one_hot(path), edit), EDITED)


def test_categories_out_of_order_are_refused(path):
    data = one_hot(path)
    parts = parts_of(data)
    described = json.loads(parts["model.json"])
    place = find(described["model"], "OneHotEncoder")["categories_"][0]["array"]
    changed = parts | {f"arrays/{place}.npy": npy(np.array([9.0, 5.0, 1.0]))}
    refused(path, signed(changed, described), EDITED)


def test_a_pipeline_with_a_memory_is_refused(path):
    def edit(described):
        find(described["model"], "Pipeline")["memory"] = "/tmp/pickles"

    refused(path, resigned(one_hot(path), edit), EDITED)
