"""Costs per example: through pipelines and model selection by metadata routing, and costs of correct decisions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from cases import ANGLE, CLASSES, VARIANTS, easy, make, unequal_costs
from sklearn.base import clone
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import csboost
from csboost.weak import CostTree

X, Y = easy(90)
ROW_COSTS = np.random.default_rng(1).uniform(0.1, 5.0, (90, 3))
ROW_COSTS[np.arange(90), Y] = 0.0


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


class Recorder(csboost.AngleAdaBoostClassifier):
    """Remembers what ``fit`` was given; the first column of X is the row's number."""

    def fit(self, X, y, sample_weight=None, sample_cost=None):
        self.given_ = np.asarray(X)[:, 0].astype(int), sample_weight, sample_cost
        return super().fit(X, y, sample_weight=sample_weight, sample_cost=sample_cost)


def numbered():
    return np.column_stack([np.arange(90.0), X])


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("kind", ["array", "frame"])
def test_every_fold_gets_its_own_rows(kind):
    rows = ROW_COSTS if kind == "array" else pd.DataFrame(ROW_COSTS[:, ::-1], columns=[2, 1, 0])
    weights = np.arange(1.0, 91.0)
    model = Recorder(n_estimators=3).set_fit_request(sample_cost=True, sample_weight=True)
    pipeline = Pipeline([("keep", "passthrough"), ("boost", model)])
    params = {"sample_cost": rows, "sample_weight": weights}
    scoring = make_scorer(accuracy_score).set_score_request(sample_weight=True)
    found = cross_validate(
        pipeline, numbered(), Y, cv=3, params=params, scoring=scoring, return_estimator=True, return_indices=True
    )
    assert len(found["estimator"]) == 3
    for fitted, train in zip(found["estimator"], found["indices"]["train"], strict=True):
        numbers, seen_weights, seen = fitted[-1].given_
        np.testing.assert_array_equal(numbers, train)
        np.testing.assert_array_equal(seen_weights, weights[train])
        aligned = seen if kind == "array" else seen[[0, 1, 2]].to_numpy()
        np.testing.assert_array_equal(aligned, ROW_COSTS[train])


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("name", CLASSES)
def test_cross_validation_equals_fits_by_hand(name):
    model = make(name).set_fit_request(sample_cost=True)
    pipeline = Pipeline([("scale", StandardScaler()), ("boost", model)])
    found = cross_validate(
        pipeline, X, Y, cv=3, params={"sample_cost": ROW_COSTS}, return_estimator=True, return_indices=True
    )
    for fitted, train in zip(found["estimator"], found["indices"]["train"], strict=True):
        scaled = StandardScaler().fit(X[train])
        expected = make(name).fit(scaled.transform(X[train]), Y[train], sample_cost=ROW_COSTS[train])
        assert fitted.decision_function(X).tobytes() == expected.decision_function(scaled.transform(X)).tobytes()


@pytest.mark.usefixtures("routing")
def test_grid_search_routes_costs_and_refits_on_all_rows():
    pipeline = Pipeline([("keep", "passthrough"), ("boost", Recorder().set_fit_request(sample_cost=True))])
    search = GridSearchCV(pipeline, {"boost__n_estimators": [1, 4]}, cv=StratifiedKFold(3))
    search.fit(numbered(), Y, sample_cost=ROW_COSTS)
    numbers, _, seen = search.best_estimator_[-1].given_
    np.testing.assert_array_equal(numbers, np.arange(90))
    np.testing.assert_array_equal(seen, ROW_COSTS)
    expected = clone(search.best_estimator_).fit(numbered(), Y, sample_cost=ROW_COSTS)
    assert search.decision_function(numbered()).tobytes() == expected.decision_function(numbered()).tobytes()


@pytest.mark.usefixtures("routing")
def test_costs_that_nobody_asked_for_are_an_error():
    pipeline = Pipeline([("scale", StandardScaler()), ("boost", make("samme"))])
    with pytest.raises(ValueError, match=r"sample_cost.*set_fit_request"):
        pipeline.fit(X, Y, sample_cost=ROW_COSTS)


def test_without_routing_a_pipeline_takes_the_steps_name():
    pipeline = Pipeline([("scale", StandardScaler()), ("boost", make("pnorm"))])
    pipeline.fit(X, Y, boost__sample_cost=ROW_COSTS)
    expected = make("pnorm").fit(StandardScaler().fit_transform(X), Y, sample_cost=ROW_COSTS)
    scores = expected.decision_function(StandardScaler().fit_transform(X))
    assert pipeline.decision_function(X).tobytes() == scores.tobytes()


# Costs of correct decisions. Three cells of 20 rows, whose classes and costs are known, so the Bayes rule is too.
CELLS = np.repeat([0.0, 1.0, 2.0], 20)
CELL_Y = np.concatenate([np.repeat([0, 1, 2], counts) for counts in ([12, 6, 2], [5, 10, 5], [4, 4, 12])])
COST_MATRICES = {
    # A correct "0" costs more than a wrong "1": the cheapest answer is not the truth.
    "dear truth": np.array([[4.0, 3.0, 6.0], [3.0, 0.0, 3.0], [9.0, 5.0, 1.0]]),
    # Answering 2 has a price of its own, 1.5, whatever the truth.
    "price of an answer": np.array([[0.0, 2.0, 3.5], [2.0, 0.0, 3.5], [3.0, 1.8, 1.5]]),
    "small": np.array([[0.5, 3.0, 3.0], [3.0, 0.1, 3.0], [3.0, 3.0, 0.3]]),
}
ON_THE_DIAGONAL = [*ANGLE, "pnorm", "pnorm-2.5"]  # with a fixed step p-norm boosting circles around its limit
OFF_THE_DIAGONAL = [name for name in VARIANTS if name not in ON_THE_DIAGONAL]


def bayes(rows):
    """The answer of least total cost in each of the three cells."""
    return np.array([rows[x == CELLS].sum(axis=0).argmin() for x in (0.0, 1.0, 2.0)])


def answers(model):
    return model.predict([[0.0], [1.0], [2.0]])


@pytest.mark.parametrize("matrix", COST_MATRICES)
@pytest.mark.parametrize("name", ON_THE_DIAGONAL)
def test_costs_of_correct_decisions_follow_the_bayes_rule(name, matrix):
    C = COST_MATRICES[matrix]
    model = make(name, cost_matrix=C, n_estimators=60).fit(CELLS[:, None], CELL_Y)
    np.testing.assert_array_equal(answers(model), bayes(C[CELL_Y]))
    np.testing.assert_array_equal(answers(CostTree(cost_matrix=C).fit(CELLS[:, None], CELL_Y)), bayes(C[CELL_Y]))


def test_these_problems_tell_the_bayes_rule_from_the_likeliest_class():
    likeliest = [0, 1, 2]
    off = {key: bayes((C * (1 - np.eye(3)))[CELL_Y]).tolist() for key, C in COST_MATRICES.items()}
    found = {key: bayes(C[CELL_Y]).tolist() for key, C in COST_MATRICES.items()}
    assert found["dear truth"] not in (likeliest, off["dear truth"])
    assert found["price of an answer"] not in (likeliest, off["price of an answer"])
    assert found["small"] == likeliest


@pytest.mark.parametrize("name", ON_THE_DIAGONAL)
def test_diagonals_per_row_follow_the_bayes_rule(name):
    rng = np.random.default_rng(3)
    rows = unequal_costs(3)[CELL_Y] + rng.random((60, 3))
    dear = (CELLS == 1.0) & (CELL_Y > 0)
    rows[np.arange(60), CELL_Y] = 0.0
    without = bayes(rows)
    rows[np.arange(60), CELL_Y] = rng.uniform(6.0, 12.0, 60) * dear
    assert bayes(rows).tolist() == [0, 0, 2] != without.tolist()
    model = make(name, n_estimators=100).fit(CELLS[:, None], CELL_Y, sample_cost=rows)
    np.testing.assert_array_equal(answers(model), bayes(rows))
    weights = rng.integers(1, 4, 60).astype(float)
    model = make(name, n_estimators=100).fit(CELLS[:, None], CELL_Y, sample_weight=weights, sample_cost=rows)
    np.testing.assert_array_equal(answers(model), bayes(weights[:, None] * rows))


@pytest.mark.parametrize("name", OFF_THE_DIAGONAL)
def test_the_others_start_from_the_costs_of_mistakes(name):
    """SAMME, MH, M2 and the set form of p-norm know a truth to be found; they take a diagonal and learn."""
    model = make(name, cost_matrix=COST_MATRICES["small"], n_estimators=60).fit(CELLS[:, None], CELL_Y)
    np.testing.assert_array_equal(answers(model), bayes(COST_MATRICES["small"][CELL_Y]))


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "angle-exponential"])
def test_expected_costs_include_those_of_correct_decisions(name):
    C = COST_MATRICES["dear truth"]
    model = make(name, cost_matrix=C, n_estimators=400, learning_rate=0.3).fit(CELLS[:, None], CELL_Y)
    expected = np.array([C[CELL_Y][x == CELLS].mean(axis=0) for x in (0.0, 1.0, 2.0)])
    np.testing.assert_allclose(model.predict_expected_cost([[0.0], [1.0], [2.0]]), expected, rtol=0.05)


@pytest.mark.parametrize("name", VARIANTS)
def test_rows_without_costs_cost_nothing(name):
    """What a fit refuses, as nothing can be learnt from it, is a result afterwards."""
    model = make(name).fit(X, Y)
    np.testing.assert_array_equal(model.staged_cost(X, Y, sample_cost=np.zeros((90, 3))), np.zeros(model.n_iter_))
    weights = (np.arange(90) < 30).astype(float)
    rows = np.where(weights[:, None] > 0, 0.0, ROW_COSTS)
    found = model.staged_cost(X, Y, sample_weight=weights, sample_cost=rows)
    np.testing.assert_array_equal(found, np.zeros(model.n_iter_))
