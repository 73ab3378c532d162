"""Columns of categories in the boosters and the tree: splits of one category against the rest, as of coded columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import reference as ref
from cases import CLASSES, MANY_ROWS, VARIANTS, make, rows, unequal_costs
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from csboost.weak import CostTree

EVERY = [*(name for name in VARIANTS if name != "angle-custom"), "tree"]


def table_of(seed, n=60, n_categories=5, missing=0.1):
    """A frame of a number and a column of categories, some of them missing, and labels that depend on both: X, y."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3)
    codes = (y + rng.integers(0, n_categories, n)) % n_categories
    names = np.array([f"c{k}" for k in range(n_categories)], dtype=object)[codes]
    names[rng.random(n) < missing] = None
    return pd.DataFrame({"size": np.round(rng.normal(size=n) + 0.3 * y, 1), "kind": names}), y


def coded(X, like):
    """A column of zeros and ones for each category of ``like``, by frequency as they are numbered, and for missing."""
    counts = like["kind"].value_counts(dropna=True)
    order = sorted(counts.index, key=lambda name: (-counts[name], name))
    columns = [X["size"], *(X["kind"] == name for name in order), X["kind"].isna()]
    return np.column_stack(columns).astype(float)


def build(name, **parameters):
    if name == "tree":
        return CostTree(max_leaf_nodes=6, **{k: v for k, v in parameters.items() if k == "cost_matrix"})
    return make(name, **{"n_estimators": 6, **parameters})


def shown(model, X):
    """What a model makes of rows, as numbers."""
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict_expected_cost(X)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_column_of_categories_is_as_good_as_one_of_zeros_and_ones_for_each(name, seed):
    X, y = table_of(seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
    C = unequal_costs(3, seed)
    native = build(name, cost_matrix=C).fit(X, y, sample_weight=weights)
    by_hand = build(name, cost_matrix=C).fit(coded(X, X), y, sample_weight=weights)
    np.testing.assert_allclose(shown(native, X), shown(by_hand, coded(X, X)), rtol=1e-9, atol=1e-12)
    later = pd.DataFrame({"size": [0.0, 0.5, 1.0], "kind": ["never seen", "c0", "c3"]})
    np.testing.assert_allclose(shown(native, later), shown(by_hand, coded(later, X)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["angle-ada", "samme", "mh", "mh-real", "m2", "tree"])
def test_the_same_on_the_grid_of_many_rows_with_threads(name):
    X, y = table_of(5, n=MANY_ROWS + 900, n_categories=rows(40, 6), missing=0.01)
    native, by_hand = (build(name, n_estimators=3, n_jobs=2) for _ in range(2))
    native.fit(X, y)
    by_hand.fit(coded(X, X), y)
    np.testing.assert_allclose(shown(native, X), shown(by_hand, coded(X, X)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_the_first_split_is_the_best_of_all_by_brute_force(seed):
    X, y = table_of(seed, n=40)
    C, values = unequal_costs(3, seed), X["kind"].where(X["kind"].notna(), "missing").to_numpy()
    sides = [values == value for value in np.unique(values)]
    sides += [X["size"].to_numpy() <= cut for cut in ref.tree.boundaries(X["size"].to_numpy())]
    costs = C[y]
    least = min(costs[side].sum(axis=0).min() + costs[~side].sum(axis=0).min() for side in sides)
    tree = CostTree(max_leaf_nodes=2, cost_matrix=C).fit(X, y)
    paid = costs[np.arange(len(y)), tree.predict(X)].sum()
    assert paid == pytest.approx(least)


def test_where_categories_go():
    X = pd.DataFrame({"kind": pd.Categorical(list("aaabbbccc") + [None] * 3)})
    y = np.repeat([0, 1, 0, 1], 3)
    tree = CostTree(max_leaf_nodes=2).fit(X, y)  # all four are worth the same against the rest; a is the first
    assert tree.predict(pd.DataFrame({"kind": ["a", "b", "c", "d", None]})).tolist() == [0, 1, 1, 1, 1]
    whole = CostTree().fit(X, y)
    assert whole.predict(pd.DataFrame({"kind": ["a", "b", "c", "d", None]})).tolist() == [0, 1, 0, 1, 1]
    without = CostTree().fit(X[:9], y[:9])  # no missing value was seen: later ones go with the heavier side
    assert without.predict(pd.DataFrame({"kind": [None]})).tolist() == [0]


def test_numbers_of_categories_have_no_order():
    """Two of five categories that no threshold on any numbering by frequency can part from the others alone."""
    kinds = np.repeat(list("abcde"), [10, 9, 8, 7, 6])
    y = np.isin(kinds, ["b", "d"]).astype(int)
    assert CostTree(max_leaf_nodes=3).fit(pd.DataFrame({"kind": kinds}), y).score(pd.DataFrame({"kind": kinds}), y) == 1


@pytest.mark.parametrize("name", CLASSES)
def test_other_libraries_and_types_give_the_same_model(name):
    X, y = table_of(3)
    expected = make(name).fit(X, y)
    for other in (X.astype({"kind": "category"}), pl.from_pandas(X), pl.from_pandas(X).to_arrow()):
        found = make(name).fit(other, y)
        assert found.decision_function(other).tobytes() == expected.decision_function(X).tobytes()
    assert expected.feature_names_in_.tolist() == ["size", "kind"]
    assert expected.feature_importances_[1] > 0
    assert expected.feature_importances_.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", CLASSES)
def test_rows_of_weight_zero_teach_no_categories(name):
    X, y = table_of(4)
    weights = (X["kind"] != "c2").to_numpy().astype(float)
    model = make(name).fit(X, y, sample_weight=weights)
    without = make(name).fit(X[weights > 0], y[weights > 0])
    assert model.decision_function(X).tobytes() == without.decision_function(X).tobytes()


def test_early_stopping_watches_tables_too():
    X, y = table_of(6, n=300)
    model = make("angle-ada", n_estimators=40, n_iter_no_change=5, random_state=0).fit(X, y)
    assert model.n_iter_ < 40
    staged = list(model.staged_decision_function(X))
    assert staged[-1].tobytes() == model.decision_function(X).tobytes()


def test_a_classifier_of_scikit_learn_is_shown_numbers_alone():
    X, y = table_of(0)
    model = make("samme", weak_learner=DecisionTreeClassifier(max_depth=1))
    with pytest.raises(ValueError, match=r"columns that are not numbers: 'kind' \((text|str)\).*OneHotEncoder"):
        model.fit(X, y)
    around = clone(model).fit(X[["size"]], y)
    with pytest.raises(ValueError, match=r"'size' \((text|str)\)"):
        around.predict(X[["kind"]].set_axis(["size"], axis=1))
