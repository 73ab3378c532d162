"""Costs where scikit-learn turns the labels into numbers: a CostTable fits both, and what is unclear is refused."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from cases import easy, make, unequal_costs
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB

from csboost import costs, metrics
from csboost.costs import CostTable

NAMES = ["good", "fair", "poor"]  # sorted: fair, good, poor
X, CODES = easy(90)
Y = np.array(NAMES)[CODES]
C = pd.DataFrame(10 * unequal_costs(3) ** 2, index=NAMES, columns=NAMES)
SORTED = C.loc[sorted(NAMES), sorted(NAMES)].to_numpy()
TABLE = CostTable(C)


def bagging(model):
    return BaggingClassifier(model, n_estimators=3, random_state=0)


def voting(model):
    return VotingClassifier([("one", model), ("two", clone(model).set_params(learning_rate=0.5))], voting="soft")


def stacking(model):
    return StackingClassifier([("one", model)], LogisticRegression(), cv=3)


def stacked_upon(model):
    return StackingClassifier([("one", GaussianNB())], model, cv=3)


def calibrated(model):
    return CalibratedClassifierCV(model, ensemble=False, cv=3)


@pytest.mark.parametrize("around", [bagging, voting, stacking, stacked_upon, calibrated])
def test_a_cost_table_survives_encoding(around):
    model = make("angle-ada", cost_matrix=TABLE)
    found = around(model).fit(X, Y)
    expected = around(clone(model).set_params(cost_matrix=SORTED)).fit(X, Y)
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))
    other = around(clone(model).set_params(cost_matrix=C.to_numpy())).fit(X, Y)  # in another order than the classes
    assert not np.array_equal(found.predict_proba(X), other.predict_proba(X))


def test_a_cost_table_survives_the_encoding_of_cross_val_predict():
    for name in ("angle-ada", "samme"):
        found = cross_val_predict(make(name, cost_matrix=TABLE), X, Y, method="predict_proba", cv=3)
        expected = cross_val_predict(make(name, cost_matrix=SORTED), X, Y, method="predict_proba", cv=3)
        np.testing.assert_array_equal(found, expected)


def test_the_inner_models_have_the_right_costs():
    model = bagging(make("samme", cost_matrix=TABLE)).fit(X, Y)
    for inner in model.estimators_:
        assert inner.classes_.tolist() == [0, 1, 2]
        np.testing.assert_array_equal(inner.cost_matrix_, SORTED)
    named = bagging(make("samme", cost_matrix=CostTable("linear", NAMES))).fit(X, Y)
    np.testing.assert_array_equal(named.estimators_[0].cost_matrix_, [[0, 1, 1], [1, 0, 2], [1, 2, 0]])
    decided = costs.BayesDecisionClassifier(bagging(make("samme", cost_matrix=TABLE)), TABLE).fit(X, Y)
    np.testing.assert_array_equal(decided.cost_matrix_, SORTED)
    assert decided.classes_.tolist() == sorted(NAMES)


def test_a_search_inside_a_stack_scores_by_the_same_table():
    search = GridSearchCV(
        make("samme"), {"n_estimators": [2, 4]}, scoring=metrics.make_cost_scorer(TABLE), cv=3, error_score="raise"
    )
    stack = StackingClassifier([("search", search)], LogisticRegression(), cv=3).fit(X, Y)
    sorted_search = (
        clone(search).set_params(scoring=metrics.make_cost_scorer(SORTED)).fit(X, np.unique(Y, False, True)[1])
    )
    found = stack.estimators_[0].cv_results_["mean_test_score"]
    np.testing.assert_array_equal(found, sorted_search.cv_results_["mean_test_score"])
    assert (found < 0).all()


def test_a_dataframe_gets_the_right_advice():
    with pytest.raises(
        ValueError, match=r"classes 0, 1, 2; .*turned labels into numbers.*costs.CostTable\(cost_matrix\)"
    ):
        bagging(make("samme", cost_matrix=C)).fit(X, Y)
    advised = costs.CostTable(C)
    np.testing.assert_array_equal(costs.resolve(advised, [0, 1, 2]), SORTED)
    rows = pd.DataFrame(np.arange(1.0, 4.0) * np.ones((90, 1)), columns=NAMES)
    with pytest.raises(ValueError, match=r"give sample_cost\[sorted\(sample_cost.columns\)\].to_numpy\(\)"):
        make("samme").fit(X, np.unique(Y, return_inverse=True)[1], sample_cost=rows)
    assert rows[sorted(rows.columns)].to_numpy()[0].tolist() == [2, 1, 3]  # fair, good, poor


@pytest.mark.parametrize("parts", [OneVsRestClassifier, OneVsOneClassifier])
@pytest.mark.parametrize("table", [C, TABLE], ids=["DataFrame", "CostTable"])
def test_parts_of_the_classes_are_refused(parts, table):
    with pytest.raises(
        ValueError, match=r"classes (are )?0, 1.*one-vs-rest.*takes? all classes at once|all classes at on"
    ):
        parts(make("samme", cost_matrix=table)).fit(X, Y)


def test_numbers_of_some_classes():
    np.testing.assert_array_equal(TABLE.matrix([0, 2]), SORTED[np.ix_([0, 2], [0, 2])])  # 2 is there: K were numbered
    with pytest.raises(ValueError, match="the classes are 0, 1: neither labels of it nor the numbers 0 to 2"):
        TABLE.matrix([0, 1])
    with pytest.raises(ValueError, match="the classes are 0, 1, 3"):
        TABLE.matrix([0, 1, 3])
    with pytest.raises(ValueError, match="the classes are 'fair', 'great'.*Give a table with a row"):
        TABLE.matrix(["fair", "great"])


def test_labels_that_are_numbers_themselves():
    from_zero = CostTable(C.to_numpy(), [2, 0, 1])
    np.testing.assert_array_equal(from_zero.matrix([0, 1]), C.to_numpy()[1:, 1:])
    from_one = CostTable(C.to_numpy(), [3, 1, 2])
    order = C.to_numpy()[np.ix_([1, 2, 0], [1, 2, 0])]
    np.testing.assert_array_equal(from_one.matrix([1, 2, 3]), order)
    np.testing.assert_array_equal(from_one.matrix([0, 1, 2]), order)
    np.testing.assert_array_equal(from_one.matrix([1, 3]), order[np.ix_([0, 2], [0, 2])])
    with pytest.raises(
        ValueError, match="classes 1, 2 may be labels of this cost table or numbers of its sorted labels"
    ):
        from_one.matrix([1, 2])
    flags = CostTable([[0, 1], [5, 0]], [True, False])
    for classes in ([False, True], [0, 1], np.array([False, True])):
        np.testing.assert_array_equal(flags.matrix(classes), [[0, 5], [1, 0]])
    assert metrics.mean_cost([0, 1], [1, 1], flags) == 2.5
    assert metrics.mean_cost([False, True], [True, True], flags) == 2.5


def test_metrics_take_labels_or_numbers():
    truth, answers = ["good", "poor", "fair"], ["fair", "good", "fair"]
    right = (C.loc["good", "fair"] + C.loc["poor", "good"]) / 3
    assert metrics.mean_cost(truth, answers, TABLE) == pytest.approx(right, rel=1e-12)
    assert metrics.mean_cost([1, 2, 0], [0, 1, 0], TABLE) == pytest.approx(right, rel=1e-12)
    assert metrics.cost_confusion_matrix(truth, answers, TABLE).index.tolist() == NAMES
    assert metrics.constant_costs([1, 2, 0], TABLE).index.tolist() == [1, 0, 2]
    with pytest.raises(ValueError, match="y_true holds 'great', which the labels do not: 'good', 'fair', 'poor'"):
        metrics.mean_cost(["great"], ["good"], TABLE)


def test_a_cost_table_is_a_value():
    for other in (pickle.loads(pickle.dumps(TABLE)), clone(make("samme", cost_matrix=TABLE)).cost_matrix):
        assert other == TABLE
        assert hash(other) == hash(TABLE)
        np.testing.assert_array_equal(other.matrix(), SORTED)
    assert TABLE.labels == ("good", "fair", "poor")
    assert CostTable(C, ["fair", "good", "poor"]) != TABLE
    assert TABLE != "linear"
    pd.testing.assert_frame_equal(TABLE.to_frame(), C)
    assert CostTable(TABLE, ["poor", "good"]) == CostTable(C.loc[["poor", "good"], ["poor", "good"]])
    small = CostTable([[0, 1], [2, 0]], ["no", "yes"])
    assert repr(small) == "CostTable([[0.0, 1.0], [2.0, 0.0]], labels=['no', 'yes'])"
    assert eval(repr(small)) == small
    assert repr(small) in repr(make("samme", cost_matrix=small))
    assert CostTable([[0, 1], [2, 0]], np.array(["no", "yes"])) == small


@pytest.mark.parametrize(
    "again", [lambda table: table, copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))]
)
def test_the_costs_of_a_cost_table_and_of_its_copies_cannot_be_changed(again):
    table = again(TABLE)
    with pytest.raises(ValueError, match="read-only"):
        table.costs[0, 0] = 1.0
    assert hash(table) == hash(TABLE)


def test_a_cost_table_in_parameters_and_searches():
    model = make("samme").set_params(cost_matrix=TABLE)
    assert model.get_params()["cost_matrix"] is TABLE
    grid = {"cost_matrix": [None, TABLE, C, CostTable("linear", NAMES)]}
    search = GridSearchCV(model, grid, scoring=metrics.make_cost_scorer(TABLE), cv=3).fit(X, Y)
    scores = search.cv_results_["mean_test_score"]
    assert scores[1] == scores[2]
    by_hand = cross_val_score(model, X, Y, scoring=metrics.make_cost_scorer(C), cv=3).mean()
    assert scores[1] == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((C.to_numpy(),), "CostTable needs labels"),
        (("linear",), "CostTable needs labels"),
        ((C.to_numpy(), ["a", "b"]), r"cost_matrix has shape \(3, 3\), but there are 2 classes"),
        ((C.to_numpy(), ["a", "b", "a"]), "at least two different labels, got 'a', 'b', 'a'"),
        ((C.to_numpy(), ["a", 1, "b"]), "labels of a CostTable must be sortable"),
        ((-C.to_numpy(), NAMES), r"cost_matrix\[0, 1\] .truth 'good', predicted 'fair'. is -"),
        ((C, ["good", "great"]), "cost_matrix has no row for the classes 'great'"),
        (("lineer", NAMES), "did you mean 'linear'"),
    ],
)
def test_bad_cost_tables(arguments, message):
    with pytest.raises(ValueError, match=message):
        CostTable(*arguments)
