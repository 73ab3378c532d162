"""Boosters that give answers which are not just the classes: what they learn, and their results."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from answer_tables import (
    BOOSTERS,
    CELL_X,
    CELL_Y,
    CELLS,
    HUMAN,
    MODELS,
    NAMES,
    TABLES,
    TRIAGE,
    WIDE,
    X,
    Y,
    by_the_bayes_rule,
    gradient,
    models,
    tables,
)
from cases import compiled, make
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import csboost
from csboost.costs import BayesDecisionClassifier
from csboost.weak import CostTree


@tables
@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "angle-lum", "angle-custom", "pnorm"])
def test_boosters_give_the_answer_of_least_expected_cost(name, table):
    expected, best = by_the_bayes_rule(table)
    options = {"n_estimators": 400, "learning_rate": 0.3} if name != "pnorm" else {"n_estimators": 400}
    model = make(name, cost_matrix=table, weak_learner=CostTree(6), **options).fit(CELLS[:, None], CELL_Y)
    assert model.predict(CELL_X).tolist() == best.tolist()
    assert CostTree(6, cost_matrix=table).fit(CELLS[:, None], CELL_Y).predict(CELL_X).tolist() == best.tolist()
    if name in ("angle-ada", "angle-logit") and table.shape[1] >= 3:  # with fewer answers, proportions alone are known
        found = model.predict_expected_cost(CELL_X)
        np.testing.assert_allclose(found, expected[model.answers_], atol=0.12)


@tables
@pytest.mark.parametrize("loss", ["multinomial", "exponential", "logistic", "lum"])
def test_gradient_boosting_gives_the_answer_of_least_expected_cost(loss, table):
    expected, best = by_the_bayes_rule(table)
    model = gradient(loss=loss, cost_matrix=table, reg_lambda=0.0, min_samples_leaf=1).fit(CELLS[:, None], CELL_Y)
    assert model.predict(CELL_X).tolist() == best.tolist()
    assert model.decision_function(CELL_X).shape == expected.shape
    assert model.answers_[model.decision_function(CELL_X).argmax(axis=1)].tolist() == best.tolist()
    if loss == "multinomial":
        np.testing.assert_allclose(model.predict_expected_cost(CELL_X), expected[model.answers_], atol=0.1)
        np.testing.assert_array_equal(model.decision_function(CELL_X), -model.predict_expected_cost(CELL_X))


@tables
def test_the_bayes_rule_gives_the_answer_of_least_expected_cost(table):
    expected, best = by_the_bayes_rule(table)
    tree = BayesDecisionClassifier(DecisionTreeClassifier(), table).fit(CELLS[:, None], CELL_Y)
    assert tree.predict(CELL_X).tolist() == best.tolist()
    np.testing.assert_allclose(tree.predict_expected_cost(CELL_X), expected[tree.answers_])


@compiled("as many rounds as held-out rows ask for")
@tables
def test_the_mixture_gives_the_answer_of_least_expected_cost(table):
    expected, best = by_the_bayes_rule(table)
    rows = np.repeat(np.arange(180), 30)  # so many that answers are told apart that differ by 0.03
    model = csboost.CostSensitiveClassifier(table, effort="fast", random_state=0).fit(CELLS[rows, None], CELL_Y[rows])
    assert model.predict(CELL_X).tolist() == best.tolist()
    np.testing.assert_allclose(model.predict_expected_cost(CELL_X), expected[model.answers_], atol=0.1)


ORDERED = {"human": ["fair", "good", "poor", "human"], "none": ["dismiss", "biopsy"], "some": ["good", "poor"]}


@models
@pytest.mark.parametrize("key", ORDERED)
def test_what_a_fit_leaves_behind(model, key):
    model = clone(model).set_params(cost_matrix=TABLES[key]).fit(X, Y)
    A = len(ORDERED[key])
    assert model.classes_.tolist() == sorted(NAMES)
    assert model.answers_.tolist() == ORDERED[key]
    np.testing.assert_array_equal(model.cost_matrix_, TABLES[key].loc[sorted(NAMES), ORDERED[key]])
    answers = model.predict(X)
    assert set(answers) <= set(ORDERED[key])
    assert model.n_features_in_ == 4
    if hasattr(model, "predict_proba"):
        P, E = model.predict_proba(X), model.predict_expected_cost(X)
        assert (P.shape, E.shape) == ((90, 3), (90, A))
        np.testing.assert_allclose(P.sum(axis=1), 1.0)
        np.testing.assert_allclose(E, P @ model.cost_matrix_, atol=1e-6)
        if getattr(model, "loss", "") != "logistic" or "Gradient" not in type(model).__name__:
            np.testing.assert_array_equal(model.answers_[E.argmin(axis=1)], answers)
    if hasattr(model, "decision_function"):
        scores = model.decision_function(X)
        assert scores.shape == (90, A)
        np.testing.assert_array_equal(model.answers_[scores.argmax(axis=1)], answers)
    assert model.score(X, Y) == pytest.approx(np.mean(answers == Y))
    weights = np.arange(90.0)
    assert model.score(X, Y, sample_weight=weights) == pytest.approx(np.average(answers == Y, weights=weights))
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X).tolist() == answers.tolist()
    assert clone(model).fit(X, Y).predict(X).tolist() == answers.tolist()


@pytest.mark.parametrize("name", [*BOOSTERS, "gradient", "gradient, logistic"])
def test_stages_end_at_the_model(name):
    model = clone(MODELS[name]).set_params(cost_matrix=HUMAN).fit(X, Y)
    scores, labels, cost = (
        list(model.staged_decision_function(X)),
        list(model.staged_predict(X)),
        model.staged_cost(X, Y),
    )
    assert len(scores) == len(labels) == len(cost) == model.n_iter_
    assert scores[-1].tobytes() == model.decision_function(X).tobytes()
    for stage, answers, spent in zip(scores, labels, cost, strict=True):
        np.testing.assert_array_equal(answers, model.answers_[stage.argmax(axis=1)])
        by_hand = [HUMAN.loc[truth, answer] for truth, answer in zip(Y, answers, strict=True)]
        assert spent == pytest.approx(np.mean(by_hand), rel=1e-12)


@models
def test_the_order_of_rows_and_columns_and_the_library_of_the_table_change_nothing(model):
    expected = clone(model).set_params(cost_matrix=WIDE).fit(X, Y)
    shuffled = WIDE.loc[["fair", "good", "poor"], ["wait", "poor", "human", "good", "call", "fair"]]
    found = clone(model).set_params(cost_matrix=shuffled).fit(X, Y)
    assert found.answers_.tolist() == ["fair", "good", "poor", "wait", "human", "call"]
    assert found.predict(X).tolist() == expected.predict(X).tolist()
    classes_renamed = {"good": "z good", "fair": "a fair", "poor": "m poor"}
    renamed = WIDE.rename(index=classes_renamed, columns=classes_renamed)
    found = clone(model).set_params(cost_matrix=renamed).fit(X, np.array([classes_renamed[label] for label in Y]))
    if type(model) not in (csboost.CostSensitiveClassifier, csboost.PNormBoostClassifier):  # nearly; but for ties
        assert [classes_renamed.get(a, a) for a in expected.predict(X)] == found.predict(X).tolist()
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"truth": list(WIDE.index), **{name: WIDE[name].to_list() for name in WIDE}})
    again = clone(model).set_params(cost_matrix=frame).fit(X, Y)
    np.testing.assert_array_equal(again.predict(X), expected.predict(X))


@models
def test_numbers_as_classes_and_text_as_answers(model):
    numbered = HUMAN.rename(index={"good": 1, "fair": 0, "poor": 2}, columns={"good": 1, "fair": 0, "poor": 2})
    y = pd.Series(Y).map({"good": 1, "fair": 0, "poor": 2}).to_numpy()
    found = clone(model).set_params(cost_matrix=numbered).fit(X, y)
    assert found.answers_.tolist() == [0, 1, 2, "human"]
    answers = found.predict(X)
    assert answers.dtype == object
    assert found.score(X, y) == pytest.approx(np.mean([a == t for a, t in zip(answers, y, strict=True)]))
    text = clone(model).set_params(cost_matrix=HUMAN).fit(X, Y).predict(X)
    assert [{1: "good", 0: "fair", 2: "poor"}.get(a, a) for a in answers] == text.tolist()
    apart = TRIAGE.rename(index={"good": 1, "fair": 0, "poor": 2})
    assert clone(model).set_params(cost_matrix=apart).fit(X, y).score(X, y) == 0.0
