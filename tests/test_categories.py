"""Columns of categories in data frames: the same numbers in training and later, whatever library holds them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import csboost
from csboost._inputs.categories import Categories


def mixed(n=300, seed=0):
    """A frame of one number, one truth value and two columns of categories that tell the classes: X, y."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    colour = np.array(["red", "green", "blue", "grey"], dtype=object)[np.where(rng.random(n) < 0.2, 3, y)]
    colour[rng.random(n) < 0.1] = None
    shape = pd.Categorical.from_codes((y + rng.integers(0, 2, n)) % 3, ["round", "square", "flat"])
    return pd.DataFrame({"size": rng.normal(size=n), "colour": colour, "new": y > 1, "shape": shape}), y


def booster(**parameters):
    return csboost.AngleGradientBoostingClassifier(
        **{"n_estimators": 15, "n_bags": 1, "n_iter_no_change": None, "random_state": 0, **parameters}
    )


def learnt(X, y, weights=None):
    """What a table becomes: the array, and the encoder."""
    categories, model = Categories(), booster()
    encoded, _ = categories.learn(model, X, y)
    categories.settle(encoded, np.ones(len(encoded)) if weights is None else weights)
    return encoded, categories, model


def test_categories_are_numbered_by_their_frequency():
    X = pd.DataFrame({"a": [1.5, 2.5, np.nan, 4.5, 5.5, 6.5], "b": ["x", "y", "y", None, "z", "y"]})
    encoded, categories, model = learnt(X, [0, 1, 0, 1, 0, 1])
    np.testing.assert_array_equal(encoded[:, 0], X["a"])
    np.testing.assert_array_equal(encoded[:, 1], [1, 0, 0, np.nan, 2, 0])
    assert categories.mask(2).tolist() == [False, True]
    later = pd.DataFrame({"a": [0.0] * 4, "b": ["z", "unseen", None, "y"]})
    np.testing.assert_array_equal(categories.transform(model, later)[:, 1], [2, 3, np.nan, 0])
    assert model.feature_names_in_.tolist() == ["a", "b"]


def test_the_rare_ones_of_300_categories_share_a_number():
    names = np.array([f"c{i:03d}" for i in range(300)])
    values = np.repeat(names, np.where(np.arange(300) < 200, 3, 1))
    encoded, categories, model = learnt(pd.DataFrame({"a": values}), np.arange(len(values)) % 2)
    assert np.unique(encoded).tolist() == list(range(250))
    assert (encoded[values == "c199"] < 249).all()
    assert np.count_nonzero(encoded == 249) == 51  # 300 less 249
    assert categories.transform(model, pd.DataFrame({"a": ["unseen"]})).tolist() == [[249.0]]


def test_categories_without_weight_were_not_seen():
    X = pd.DataFrame({"a": ["x", "y", "x", "z"]})
    encoded, *_ = learnt(X.iloc[[0, 2, 3]], [0, 1, 1])
    np.testing.assert_array_equal(encoded[:, 0], [0, 0, 1])
    table, y = mixed()
    weights = (table["colour"] != "grey").to_numpy().astype(float)
    with_zeros = booster().fit(table, y, sample_weight=weights)
    without = booster().fit(table[weights > 0], y[weights > 0])
    assert with_zeros.predict_proba(table).tobytes() == without.predict_proba(table).tobytes()


@pytest.mark.parametrize(
    "library",
    [
        pl.from_pandas,
        lambda X: pl.from_pandas(X).with_columns(pl.col("colour").cast(pl.Categorical)),
        pa.Table.from_pandas,
        lambda X: X.astype({"colour": "category", "shape": str}),
    ],
    ids=["polars", "polars-categorical", "pyarrow", "other-types"],
)
def test_libraries_do_not_matter(library):
    X, y = mixed()
    expected = booster().fit(X, y).predict_proba(X)
    found = booster().fit(library(X), y).predict_proba(library(X))
    assert found.tobytes() == expected.tobytes()


def test_categories_are_learnt_from():
    X, y = mixed()
    model = booster(n_bags=5, n_iter_no_change=5).fit(X, y)
    assert model.score(X, y) > 0.9
    assert model.feature_names_in_.tolist() == list(X.columns)
    importances = dict(zip(model.feature_names_in_, model.feature_importances_, strict=True))
    assert importances["colour"] > importances["size"]
    later = X.assign(colour="violet")
    assert np.isfinite(model.predict_proba(later)).all()
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        bare = model.predict_proba(X.to_numpy(dtype=object))
    np.testing.assert_array_equal(bare, model.predict_proba(X))


def test_a_table_in_another_order_is_refused():
    X, y = mixed()
    model = booster().fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X[["colour", "size", "new", "shape"]])
    with pytest.raises(ValueError, match="3 features"), pytest.warns(UserWarning, match="valid feature names"):
        model.predict(X[["size", "colour", "new"]].to_numpy(dtype=object))


def test_dates_and_text_where_numbers_were_are_refused_by_name():
    X, y = mixed()
    with pytest.raises(ValueError, match="'day'"):
        booster().fit(X.assign(day=pd.Timestamp("2020-01-01")), y)
    model = booster().fit(X, y)
    with pytest.raises(ValueError, match="'size'"):
        model.predict(X.assign(size="large"))
    with pytest.raises(ValueError, match="column 'colour' of X holds values that cannot be categories"):
        booster().fit(X.assign(colour=[[1]] * len(X)), y)


def test_a_warm_start_keeps_the_numbers():
    X, y = mixed()
    whole = booster().fit(X, y).predict_proba(X)
    model = booster(n_estimators=6, warm_start=True).fit(X, y)
    np.testing.assert_allclose(model.set_params(n_estimators=15).fit(X, y).predict_proba(X), whole, rtol=1e-9)
