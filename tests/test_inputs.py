"""Every form of data that is accepted, and what each of the odd ones means."""

from __future__ import annotations

import copy

import joblib
import numpy as np
import pandas as pd
import pytest
from cases import ANGLE, VARIANTS, easy, make, unequal_costs
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB

import csboost
from csboost.metrics import make_cost_scorer
from csboost.weak import CostTree

BOOSTERS = ["angle-ada", "angle-logit", "angle-lum", "samme", "mh", "m2", "pnorm"]


def bits(model, X):
    return model.decision_function(X).tobytes()


def read_only(X, tmp_path):
    X = X.copy()
    X.flags.writeable = False
    return X


def memory_mapped(X, tmp_path):
    joblib.dump(X, tmp_path / "X.joblib")
    return joblib.load(tmp_path / "X.joblib", mmap_mode="r")


def every_other(X, tmp_path):
    wide = np.full((2 * len(X), 2 * X.shape[1]), np.nan)
    wide[::2, ::2] = X
    return wide[::2, ::2]


FORMS = {
    "read-only": read_only,
    "memory-mapped": memory_mapped,
    "Fortran order": lambda X, tmp_path: np.asfortranarray(X),
    "view": every_other,
    "backwards": lambda X, tmp_path: X[::-1].copy()[::-1],
    "list": lambda X, tmp_path: X.tolist(),
    "DataFrame": lambda X, tmp_path: pd.DataFrame(X),
    "object": lambda X, tmp_path: X.astype(object),
    "float32": lambda X, tmp_path: X.astype(np.float32),
    "nullable": lambda X, tmp_path: pd.DataFrame(X).astype("Float64"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", BOOSTERS)
def test_all_forms_of_the_same_numbers_give_the_same_bits(name, form, tmp_path):
    X, y = easy(90)
    X = X.astype(np.float32).astype(np.float64)  # exact in both
    X[::5, 2] = np.nan
    costs, weights = unequal_costs(3)[y], np.linspace(1, 2, 90)
    expected = make(name).fit(X, y, sample_weight=weights, sample_cost=costs)
    given = FORMS[form](X, tmp_path)
    before = copy.deepcopy(given)
    if form in ("read-only", "memory-mapped"):
        costs.flags.writeable = weights.flags.writeable = y.flags.writeable = False
    model = make(name).fit(given, y, sample_weight=weights, sample_cost=costs)
    assert bits(model, X) == bits(expected, X)
    assert bits(model, given) == bits(expected, X)
    assert pd.DataFrame(given).equals(pd.DataFrame(before))  # untouched
    np.testing.assert_array_equal(costs, unequal_costs(3)[y])


def test_integers_and_booleans_are_numbers():
    X, y = easy(90)
    counts = np.round(3 * X).astype(int)
    expected = make("angle-ada").fit(counts.astype(float), y)
    assert bits(make("angle-ada").fit(counts, y), counts) == bits(expected, counts.astype(float))
    flags = X > 0.5
    assert bits(make("angle-ada").fit(flags, y), flags) == bits(make("angle-ada").fit(flags * 1.0, y), flags * 1.0)


LABELS = {
    "text": np.array(["low", "mid", "top"]),
    "objects": np.array(["low", "mid", "top"], dtype=object),
    "numbers out of order": np.array([-7, 3, 40]),
    "floats": np.array([0.0, 1.0, 5.0]),
    "categorical": pd.Categorical(["low", "mid", "top"]),
    "pandas text": pd.array(["low", "mid", "top"], dtype="string"),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("name", BOOSTERS)
def test_labels_of_any_kind(name, kind):
    X, codes = easy(90)
    y = LABELS[kind].take(codes)
    C = unequal_costs(3)
    model, expected = make(name, cost_matrix=C).fit(X, y), make(name, cost_matrix=C).fit(X, codes)
    assert model.classes_.tolist() == list(LABELS[kind])
    np.testing.assert_array_equal(model.predict(X), np.asarray(LABELS[kind])[expected.predict(X)])
    assert bits(model, X) == bits(expected, X)


def test_labels_are_sorted_and_a_labelled_matrix_follows_them():
    X, codes = easy(90)
    y = np.array(["zinc", "iron", "lead"])[codes]
    C = unequal_costs(3)
    frame = pd.DataFrame(C, index=["zinc", "iron", "lead"], columns=["zinc", "iron", "lead"])
    model = make("angle-ada", cost_matrix=frame.iloc[[1, 0, 2], [2, 1, 0]]).fit(X, y)
    assert model.classes_.tolist() == ["iron", "lead", "zinc"]
    np.testing.assert_array_equal(model.cost_matrix_, C[np.ix_([1, 2, 0], [1, 2, 0])])


BOOLEANS = {
    "bool": lambda y: y,
    "objects": lambda y: y.astype(object),
    "list": lambda y: y.tolist(),
    "nullable": lambda y: pd.Series(y, dtype="boolean"),
    "pyarrow in pandas": lambda y: pd.Series(y, dtype="bool[pyarrow]"),
    "categories": lambda y: pd.Series(pd.Categorical(y)),
    "polars": lambda y: pytest.importorskip("polars").Series(y),
    "pyarrow": lambda y: pytest.importorskip("pyarrow").chunked_array([y]),
}


@pytest.mark.parametrize("kind", BOOLEANS)
def test_booleans_of_every_kind_are_the_same_labels(kind):
    X, codes = easy(90)
    truth = codes > 0
    y = BOOLEANS[kind](truth)
    for axis in (pd.Index([True, False]), pd.Index([True, False], dtype="boolean")):
        frame = pd.DataFrame([[0.0, 1.0], [5.0, 0.0]], index=axis, columns=axis)
        model = make("samme", cost_matrix=frame).fit(X, y)
        assert model.classes_.tolist() == [False, True]
        assert model.classes_.dtype == bool
        assert model.cost_matrix_.tolist() == [[0, 5], [1, 0]]
        answers = model.predict(X)
        expected = np.where(truth, 1.0, 5.0)[answers != truth].sum() / 90
        assert csboost.metrics.mean_cost(y, answers, frame) == pytest.approx(expected)
        assert model.staged_cost(X, y)[-1] == pytest.approx(expected)
        assert make_cost_scorer(frame)(model, X, y) == pytest.approx(-expected)


@pytest.mark.parametrize("dtype", ["Int64", "int64[pyarrow]", object])
def test_nullable_numbers_stay_whole(dtype):
    X, codes = easy(90)
    frame = pd.DataFrame(unequal_costs(3), index=[0, 1, 2], columns=[0, 1, 2])
    model = make("samme", cost_matrix=frame).fit(X, pd.Series(codes, dtype=dtype))
    assert model.classes_.dtype == np.int64
    assert csboost.metrics.mean_cost(pd.Series(codes, dtype=dtype), codes, frame) == 0.0


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame], ids=["array", "DataFrame"])
def test_labels_in_one_column_are_taken_at_every_door(kind):
    X, codes = easy(90)
    labels = np.array(["low", "mid", "top"])[codes]
    column = kind(labels[:, None])
    C = unequal_costs(3)
    model, expected = make("samme", cost_matrix=C).fit(X, column), make("samme", cost_matrix=C).fit(X, labels)
    assert bits(model, X) == bits(expected, X)
    np.testing.assert_array_equal(model.staged_cost(X, column), expected.staged_cost(X, labels))
    answers = model.predict(X)
    assert csboost.metrics.mean_cost(column, kind(answers[:, None]), C) == model.staged_cost(X, column)[-1]
    assert make_cost_scorer(C)(model, X, column) == -model.staged_cost(X, column)[-1]
    bayes = csboost.costs.BayesDecisionClassifier(GaussianNB(), C).fit(X, column)
    assert bayes.classes_.tolist() == ["low", "mid", "top"]
    with pytest.raises(ValueError, match=r"y must have shape \(n,\), got \(90, 2\)"):
        model.staged_cost(X, np.column_stack([labels, labels]))


@pytest.mark.parametrize("name", VARIANTS)
def test_constant_and_empty_columns_are_never_split(name):
    X, y = easy(90)
    padded = np.column_stack([np.full(90, 3.0), X, np.full(90, np.nan)])
    model, expected = make(name).fit(padded, y), make(name).fit(X, y)
    assert bits(model, padded) == bits(expected, X)
    assert model.feature_importances_[[0, 5]].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", VARIANTS)
def test_one_feature(name):
    x = np.repeat([1.0, 2.0, 3.0, np.nan], 10)
    y = np.repeat([0, 1, 2, 0], 10)
    model = make(name).fit(x[:, None], y)
    np.testing.assert_array_equal(model.predict([[-5.0], [1.9], [9.0], [np.nan]]), [0, 1, 2, 0])


@pytest.mark.parametrize("name", VARIANTS)
def test_rows_of_weight_zero_take_no_part(name):
    X, y = easy(90)
    weights = (np.arange(90) % 4 > 0).astype(float)
    kept = weights > 0
    spoilt = np.where(kept[:, None], X, 1e6)
    costs = np.where(kept[:, None], unequal_costs(3)[y], 77.0)
    model = make(name).fit(spoilt, np.where(kept, y, 0), sample_weight=weights, sample_cost=costs)
    expected = make(name).fit(X[kept], y[kept], sample_weight=weights[kept], sample_cost=costs[kept])
    assert bits(model, X) == bits(expected, X)


@pytest.mark.parametrize("name", BOOSTERS)
def test_a_class_of_weight_zero_only_is_no_class(name):
    X, y = easy(90)
    frame = pd.DataFrame(unequal_costs(3))
    model = make(name, cost_matrix=frame).fit(X, y, sample_weight=(y != 1).astype(float))
    assert model.classes_.tolist() == [0, 2]
    expected = make(name, cost_matrix=frame).fit(X[y != 1], y[y != 1])
    assert bits(model, X) == bits(expected, X)
    assert CostTree().fit(X, y, sample_weight=(y != 1)).classes_.tolist() == [0, 2]


@pytest.mark.parametrize("name", BOOSTERS)
def test_a_class_missing_from_a_training_fold(name):
    X, codes = easy(91)
    labels = np.array(["a", "b", "c", "d"])
    codes[90] = 3  # one row of class d
    y = labels[codes]
    frame = pd.DataFrame(unequal_costs(4), index=labels, columns=labels)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    with pytest.warns(UserWarning, match="least populated class"):
        found = cross_validate(
            make(name, cost_matrix=frame), X, y, cv=folds, scoring=make_cost_scorer(frame), return_estimator=True
        )
    counts = sorted(len(model.classes_) for model in found["estimator"])
    assert counts == [3, 4, 4]
    assert np.isfinite(found["test_score"]).all()
    smaller = next(model for model in found["estimator"] if len(model.classes_) == 3)
    np.testing.assert_array_equal(smaller.cost_matrix_, frame.to_numpy()[:3, :3])


@pytest.mark.slow  # twenty lanes are compiled for this alone
def test_many_classes():
    K = 20
    y = np.repeat(np.arange(K), 3)
    X = y[:, None] + np.array([0.0, 0.1, 0.2] * K)[:, None]
    model = csboost.AdaBoostM2Classifier(n_estimators=3, weak_learner=CostTree(max_leaf_nodes=2 * K)).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)


def test_predict_proba_where_the_literature_has_a_link():
    X, y = easy(200)
    for name in (*ANGLE, "samme", "mh", "pnorm"):
        model = make(name, cost_matrix=unequal_costs(3)).fit(X, y)
        P, E = model.predict_proba(X), model.predict_expected_cost(X)
        np.testing.assert_allclose(P.sum(axis=1), 1.0, rtol=1e-12)
        assert (P >= 0).all()
        np.testing.assert_allclose(E, P @ model.cost_matrix_, rtol=1e-6, atol=1e-9)
    for name in ("m2", "pnorm-set"):
        assert not hasattr(make(name), "predict_proba")
        assert not hasattr(make(name), "predict_expected_cost")


@pytest.mark.parametrize("name", BOOSTERS)
@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**900])
def test_the_unit_of_the_costs_makes_no_difference_however_small_or_large(name, unit):
    X, y = easy(60)
    plain = make(name, cost_matrix=unequal_costs(3)).fit(X, y)
    scaled = make(name, cost_matrix=unit * unequal_costs(3)).fit(X, y)
    assert bits(scaled, X) == bits(plain, X)
