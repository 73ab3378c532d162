"""Contributions of features: Shapley values by brute force, sums, and what is said of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.special import softmax
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from test_categories import mixed

import csboost
from csboost import costs, data, explain
from csboost.explain.regressions import regression_part
from csboost.weak import CostTree

NAMES = np.array(["good", "fair", "poor"])
C = pd.DataFrame([[0, 4, 1], [1, 0, 2], [5, 9, 0]], index=["fair", "good", "poor"], columns=["fair", "good", "poor"])
WITH_HUMAN = C.assign(human=0.7)


def by_brute_force(score, X, background):
    """Shapley values (n, d, ...) of a function of rows: the definition, with unknown columns from the background."""
    n, d = X.shape
    values = {}
    for size in range(d + 1):
        for known in itertools.combinations(range(d), size):
            rows = [background.copy() for _ in range(n)]
            for i, own in enumerate(rows):
                for j in known:
                    own.iloc[:, j] = [X.iloc[i, j]] * len(own)
            found = score(pd.concat(rows, ignore_index=True))
            values[frozenset(known)] = found.reshape(n, len(background), -1).mean(axis=1)
    shares = np.zeros((n, d, next(iter(values.values())).shape[1]))
    for j in range(d):
        for known, before in values.items():
            if j not in known:
                weight = math.factorial(len(known)) * math.factorial(d - len(known) - 1) / math.factorial(d)
                shares[:, j] += weight * (values[known | {j}] - before)
    return shares


@pytest.fixture(scope="module")
def table():
    """Numbers with gaps and columns of categories, one that tells nothing, and names of classes."""
    X, y = mixed(200)
    X.loc[::4, "size"] = np.nan
    X["colour"] = X["colour"].astype(object)
    X["shape"] = X["shape"].astype(object)
    X["constant"] = 1.0
    return X[["size", "colour", "shape", "new", "constant"]], NAMES[y]


def gradient(**parameters):
    usual = {"n_estimators": 6, "n_bags": 2, "n_iter_no_change": None, "random_state": 0, "learning_rate": 0.5}
    return csboost.AngleGradientBoostingClassifier(**{"cost_matrix": C, **usual, **parameters})


def later(X):
    """Rows with a gap and a category that was not there in training."""
    rows = X.iloc[[0, 1, 2, 3]].copy()
    rows.iloc[1, 0], rows.iloc[2, 1], rows.iloc[3, 2] = np.nan, "purple", None
    return rows


@pytest.mark.parametrize("loss", ["multinomial", "logistic"])
def test_scores_of_vector_leaves_are_shared_as_by_brute_force(table, loss):
    X, y = table
    model, rows, background = gradient(loss=loss).fit(X, y), later(X), X.iloc[10:25]
    found = explain.contributions(model, rows, background, of="score")
    shares = by_brute_force(lambda part: model.decision_function(part), rows, background)
    answer, other = (np.searchsorted(model.classes_, labels) for labels in (found.answers, found.against))
    i = np.arange(len(rows))
    np.testing.assert_allclose(found.values, shares[i, :, answer] - shares[i, :, other], atol=1e-12)
    assert found.is_exact
    assert np.abs(found.values).max() > 0.1
    assert (found.values[:, 4] == 0).all()  # no tree splits on it
    margins = model.decision_function(background).mean(axis=0)
    np.testing.assert_allclose(found.expected, margins[answer] - margins[other], atol=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        csboost.AngleAdaBoostClassifier(C, n_estimators=8),
        csboost.AngleAdaBoostClassifier(WITH_HUMAN, n_estimators=8),
        csboost.SAMMEClassifier(C, n_estimators=8),
        csboost.AdaBoostMHClassifier(C, n_estimators=4, votes="real"),
        csboost.AdaBoostMHClassifier(C, n_estimators=3, joint=False),
        csboost.AdaBoostM2Classifier(C, n_estimators=4),
        csboost.PNormBoostClassifier(C, n_estimators=8),
        csboost.AngleGradientBoostingClassifier(C, loss="guess-averse", n_estimators=4, n_iter_no_change=None),
    ],
    ids=lambda model: f"{type(model).__name__}-{len(model.cost_matrix.columns)}",
)
def test_boosters_that_answer_by_scores_are_shared_as_by_brute_force(model):
    W, codes = data.make_waveform(200, random_state=1)
    X, y = pd.DataFrame(W[:, [5, 9, 12, 15]], columns=list("abcd")), NAMES[codes]
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    model.fit(X, y)
    rows, background = X.head(4), X.iloc[20:35]
    found = explain.contributions(model, rows, background)
    shares = by_brute_force(lambda part: model._ensemble.scores(part.to_numpy()), rows, background)
    answers = model.answers_.tolist()
    i, answer = np.arange(4), [answers.index(label) for label in found.answers]
    other = [answers.index(label) for label in found.against]
    np.testing.assert_allclose(found.values, shares[i, :, answer] - shares[i, :, other], atol=1e-12)
    np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-12)
    assert found.answers.tolist() == model.predict(rows).tolist()
    scores = model._ensemble.scores(rows.to_numpy())
    assert (found.difference == scores[i, answer] - np.sort(scores, axis=1)[:, -2]).all()
    assert (found.quantity, found.is_exact) == ("score", True)


def test_expected_costs_of_a_tree_are_shared_as_by_brute_force():
    W, codes = data.make_waveform(300, random_state=2)
    X = pd.DataFrame(W[:, 8:13]).mask(np.random.default_rng(1).random((300, 5)) < 0.2)
    tree = CostTree(max_leaf_nodes=14, cost_matrix=WITH_HUMAN).fit(X, NAMES[codes])
    rows, background = X.head(5), X.iloc[20:33]
    found = explain.contributions(tree, rows, background)
    shares = by_brute_force(tree.predict_expected_cost, rows, background)
    answers = tree.answers_.tolist()
    i, answer = np.arange(5), [answers.index(label) for label in found.answers]
    other = [answers.index(label) for label in found.against]
    np.testing.assert_allclose(found.values, shares[i, :, other] - shares[i, :, answer], atol=1e-12)
    assert (found.difference >= 0).all()
    assert (found.quantity, found.is_exact) == ("expected cost", True)


def test_a_path_over_more_columns_than_a_number_has_bits_is_shared_exactly():
    d = 80
    X = np.tril(
        np.ones((d + 1, d)), -1
    )  # row i has ones in its first i columns: each split parts one row from the rest
    y = np.arange(d + 1) % 2
    tree = CostTree(max_leaf_nodes=d + 1).fit(X, y, sample_weight=np.linspace(2, 1, d + 1))
    found = explain.contributions(tree, X[[3, 40, 80]], X)
    np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-12)
    assert max(len(set(tree._forest.feature[0][tree._forest.is_inner[0]])), 0) > 62


def along_the_way(model, rows, background):
    """Aumann-Shapley prices of the cost difference: scores shared by brute force, and an integral in small steps."""
    shares = by_brute_force(model.decision_function, rows, background)
    start = model.decision_function(background).mean(axis=0)
    found = explain.contributions(model, rows, background)
    answer, other = (np.searchsorted(model.answers_, labels) for labels in (found.answers, found.against))
    dearer = (model.cost_matrix_[:, other] - model.cost_matrix_[:, answer]).T
    values, n_steps = np.zeros((len(rows), rows.shape[1])), 2000
    for t in (np.arange(n_steps) + 0.5) / n_steps:
        P = softmax(start + t * shares.sum(axis=1), axis=1)
        slope = P * (dearer - (P * dearer).sum(axis=1, keepdims=True))
        values += np.einsum("ndk,nk->nd", shares, slope) / n_steps
    return values, softmax(start) @ dearer.T, found


def test_costs_by_likelihood_are_shared_along_the_way_of_the_scores_and_add_up(table):
    X, y = table
    model = gradient().fit(X, y)
    values, expected, found = along_the_way(model, later(X), X.iloc[10:25])
    np.testing.assert_allclose(found.values, values, atol=1e-6)
    np.testing.assert_allclose(found.expected, expected, atol=1e-12)
    np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-10)
    costs_ = model.predict_expected_cost(later(X))
    np.testing.assert_allclose(found.difference, np.sort(costs_, axis=1)[:, 1] - costs_.min(axis=1), atol=1e-12)
    assert (found.quantity, found.is_exact) == ("expected cost", False)


def test_scores_that_are_far_apart_still_add_up(table):
    X, y = table
    model = gradient(learning_rate=1.0, n_estimators=60, reg_lambda=0.0).fit(X, y)
    assert np.abs(model.decision_function(X)).max() > 10
    found = explain.contributions(model, X.head(40), X)
    np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-9)


@pytest.mark.parametrize("table_of_costs", [C, WITH_HUMAN], ids=["classes", "other answers"])
def test_contributions_in_the_mixture_add_up_over_its_members(table, table_of_costs):
    X, y = table
    model = csboost.CostSensitiveClassifier(table_of_costs, effort="fast", random_state=0).fit(X, y)
    found = explain.contributions(model, later(X), X)
    np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-9)
    assert found.answers.tolist() == model.predict(later(X)).tolist()
    assert not found.is_exact
    assert np.allclose(found.values[:, 4], 0, atol=1e-12)
    model.weights_ = np.array([0.0, 1.0])
    linear = explain.contributions(model, later(X), X)
    np.testing.assert_allclose(linear.expected + linear.values.sum(axis=1), linear.difference, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_products_of_two_columns_are_shared_as_shapley_has_it(n_classes):
    """The margins of the regression that sees products, against the definition over all orders."""
    X, y = mixed(200)
    X = X[["size", "colour", "shape", "new"]].assign(other=np.random.default_rng(5).normal(size=200))
    X["shape"] = X["shape"].astype(object)
    X.loc[::5, "size"] = np.nan
    model = csboost.CostSensitiveClassifier(effort="high", random_state=0).fit(X, np.minimum(y, n_classes - 1))
    regression = model.members_["logistic regression, products"]
    rows, background = (pd.DataFrame(model._categories.transform(model, each)) for each in (later(X), X.tail(12)))
    part = regression_part(regression, 1.0, rows.to_numpy(), background.to_numpy())

    def margins(frame):
        found = regression.decision_function(frame.to_numpy())
        return np.stack([np.zeros(len(found)), found], axis=1) if found.ndim == 1 else found

    np.testing.assert_allclose(part.values, by_brute_force(margins, rows, background), atol=1e-9)
    np.testing.assert_allclose(part.base + part.values.sum(axis=1), margins(rows), atol=1e-9)


def test_two_classes_are_shared_too(table):
    X, y = table
    y = np.where(y == "good", "good", "bad")
    for model in (gradient(cost_matrix=None), csboost.CostSensitiveClassifier(effort="fast", random_state=0)):
        found = explain.contributions(model.fit(X, y), X.head(6), X)
        np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-9)


def test_answers_can_be_chosen(table):
    X, y = table
    model = gradient(cost_matrix=WITH_HUMAN).fit(X, y)
    found = explain.contributions(model, X.head(5), X, answer="good", against=["poor", "fair", "human", "fair", "poor"])
    cost = pd.DataFrame(model.predict_expected_cost(X.head(5)), columns=model.answers_)
    against = [cost.loc[i, name] for i, name in enumerate(["poor", "fair", "human", "fair", "poor"])]
    np.testing.assert_allclose(found.difference, against - cost["good"], atol=1e-12)
    np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-10)
    turned = explain.contributions(model, X.head(1), X, answer="poor", against="good")
    np.testing.assert_allclose(turned.values[0], -found.values[0], atol=1e-12)


def test_tables_of_other_libraries_and_pipelines_give_the_same(table):
    X, y = table
    model = gradient().fit(X, y)
    expected = explain.contributions(model, X.head(5), X)
    other = explain.contributions(model, pl.from_pandas(X.head(5)), pl.from_pandas(X))
    np.testing.assert_array_equal(other.values, expected.values)
    numbers = X[["size", "constant"]].fillna(0.0)
    pipeline = make_pipeline(StandardScaler(), csboost.SAMMEClassifier(n_estimators=4)).fit(numbers, y)
    inside = pipeline[:-1].transform(numbers)
    found = explain.contributions(pipeline, numbers.head(5), numbers)
    np.testing.assert_array_equal(found.values, explain.contributions(pipeline[-1], inside[:5], inside).values)
    assert found.feature_names == ["size", "constant"]
    single = explain.contributions(pipeline[-1], inside[:5].astype(np.float32), inside)
    np.testing.assert_allclose(single.expected + single.values.sum(axis=1), single.difference, atol=1e-12)


def test_the_table_and_the_words_say_what_the_numbers_are(table):
    X, y = table
    found = explain.contributions(gradient().fit(X, y), later(X), X)
    frame = found.frame()
    assert frame.columns.tolist() == ["answer", "against", "difference", "expected", *X.columns]
    np.testing.assert_array_equal(frame[X.columns].to_numpy(), found.values)
    row = found.frame(2)
    assert row.loc["colour", "value"] == "purple"
    assert np.abs(row["contribution"]).is_monotonic_decreasing
    assert np.isclose(row["contribution"].sum() + found.expected[2], found.difference[2])
    said = found.describe(1, n_features=2).splitlines()
    assert said[0].startswith(f"{found.answers[1]} rather than {found.against[1]}: expected cost ")
    assert len(said) == 4
    assert said[-1].startswith("3 other features: ")
    assert "size = missing: " in found.describe(1)
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 3, got 4"):
        found.frame(4)


def test_what_cannot_be_explained_is_refused_with_the_remedy(table):
    X, y = table
    numbers = X[["size", "constant"]]
    score, likelihood = (
        csboost.SAMMEClassifier(n_estimators=2).fit(numbers, y),
        gradient(cost_matrix=WITH_HUMAN).fit(X, y),
    )
    for model, part, parameters, message in [
        (score, numbers, {"of": "cost"}, "of='score'"),
        (likelihood, X, {"of": "score"}, "its answers are others: of='cost'"),
        (CostTree().fit(numbers, y), numbers, {"of": "score"}, "of='cost'"),
        (score, numbers, {"of": "shares"}, "of must be None, 'cost' or 'score', got 'shares'"),
        (score, numbers, {"answer": "human"}, "answer holds 'human', which the model does not answer"),
        (score, numbers, {"against": ["good"]}, "against has 1 labels for 200 rows"),
        (likelihood, X, {"answer": "good", "against": "good"}, "row 0 would be compared with its own answer 'good'"),
        (score, numbers, {"feature_names": ["a"]}, "feature_names has 1 names"),
    ]:
        with pytest.raises(ValueError, match=message):
            explain.contributions(model, part, part, **parameters)
    with pytest.raises(ValueError, match="background has no rows"):
        explain.contributions(score, numbers, numbers.head(0))
    wrapped = costs.BayesDecisionClassifier(DecisionTreeClassifier(), C).fit(numbers, y)
    with pytest.raises(TypeError, match="BayesDecisionClassifier has no trees of this package"):
        explain.contributions(wrapped, numbers, numbers)
