"""Rows beside the training set: their costs after every round are recorded, and they may say when to stop."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import CLASSES, VARIANTS, best_round, drawn_cost, easy, make, unequal_costs
from scipy.sparse import csr_array
from sklearn.base import clone

import csboost

X, Y = easy(150, seed=2)
OTHER, LABELS = easy(90, seed=5)
C = unequal_costs(3)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_recorded_is_what_staged_costs_say_and_nothing_is_learnt_from_it(name):
    words = np.array(["low", "mid", "top"])
    model = make(name, cost_matrix=1e30 * C).fit(X, words[Y], eval_set=[(OTHER, words[LABELS]), (X, words[Y])])
    without = make(name, cost_matrix=1e30 * C).fit(X, words[Y])
    assert model.decision_function(X).tobytes() == without.decision_function(X).tobytes()
    assert list(model.evals_result_) == ["valid_0", "valid_1"]
    for rows, labels, found in zip((OTHER, X), (LABELS, Y), model.evals_result_.values(), strict=True):
        np.testing.assert_allclose(found["cost"], model.staged_cost(rows, words[labels]), rtol=1e-12)
        scores = model._ensemble.staged_scores(rows)
        drawn = [drawn_cost(stage, 1e30 * C[labels]) for stage in scores]
        np.testing.assert_allclose(found["drawn_cost"], drawn, rtol=1e-9)
    assert without.evals_result_ == {}
    assert {key: len(curve) for key, curve in without.validation_curve_.items()} == {"cost": 0, "drawn_cost": 0}


@pytest.mark.parametrize("name", [name for name in VARIANTS if "apart" not in name])
def test_early_stopping_by_other_rows_learns_from_all_rows_of_its_own(name):
    model = make(name, n_estimators=40, cost_matrix=C, n_iter_no_change=4).fit(X, Y, eval_set=(OTHER, LABELS))
    whole = clone(model).set_params(n_iter_no_change=None).fit(X, Y)
    paid = whole.staged_cost(OTHER, LABELS)
    drawn = [drawn_cost(scores, C[LABELS]) for scores in whole._ensemble.staged_scores(OTHER)]
    assert model.n_iter_ == model.best_iteration_ == 1 + best_round(paid, drawn, patience=4)
    kept = list(whole.staged_decision_function(X))[model.n_iter_ - 1]
    np.testing.assert_allclose(model.decision_function(X), kept, rtol=1e-12, atol=1e-12)
    curve = model.validation_curve_
    tried = len(curve["cost"])
    assert model.n_iter_ <= tried <= 40
    np.testing.assert_allclose(curve["cost"], paid[:tried], rtol=1e-12)
    np.testing.assert_allclose(curve["drawn_cost"], drawn[:tried], rtol=1e-9)
    np.testing.assert_allclose(model.evals_result_["valid_0"]["cost"], curve["cost"][: model.n_iter_], rtol=1e-12)


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "pnorm"])
def test_the_curve_of_held_out_rows_is_in_the_users_unit_gains_and_weights_included(name):
    table = pd.DataFrame([[-3, 2, 3, 0], [4, 0, 5, 1], [9, 5, -1, 1]], columns=[0, 1, 2, "human"]) * 1e200
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(Y))
    stopping = {"n_iter_no_change": 4, "validation_fraction": 0.3, "random_state": 7}
    model = make(name, n_estimators=20, cost_matrix=table, **stopping).fit(X, Y, sample_weight=weights)
    from sklearn.utils import check_random_state

    from csboost.problem import check_problem, held_out

    numbered = np.column_stack([np.arange(len(Y)), X])
    _, held = held_out(check_problem(clone(model), numbered, Y, None, None), 0.3, check_random_state(7))
    rows = held.X[:, 0].astype(int)
    expected = model.staged_cost(X[rows], Y[rows], sample_weight=weights[rows])
    np.testing.assert_allclose(model.validation_curve_["cost"][: model.n_iter_], expected, rtol=1e-9)


def test_margins_are_scaled_by_the_rows_that_are_watched():
    model = make("angle-ada", n_estimators=60, learning_rate=0.1, n_iter_no_change=10, cost_matrix=C)
    model.fit(X, Y, eval_set=(OTHER, LABELS))
    without = clone(model).set_params(n_iter_no_change=None, n_estimators=model.n_iter_).fit(X, Y)
    assert model.decision_function(X).tobytes() == without.decision_function(X).tobytes()
    assert (model.margin_scale_ > 1.0, without.margin_scale_) == (True, 1.0)
    paid = model.staged_cost(OTHER, LABELS)[-1]
    promised, unscaled = (each.predict_expected_cost(OTHER).min(axis=1).mean() for each in (model, without))
    assert paid < promised < unscaled


@pytest.mark.parametrize("name", [*CLASSES, "gradient"])
def test_what_cannot_be_watched_is_refused(name):
    model = make(name) if name in CLASSES else csboost.AngleGradientBoostingClassifier(n_estimators=3, n_bags=1)
    for given, kind, message in (
        ([OTHER, LABELS], ValueError, r"eval_set must be a tuple \(X, y\), or a list of such tuples"),
        ((OTHER, LABELS + 1), ValueError, r"y contains classes that were not in the training data: \[3\]"),
        ((OTHER[:, :2], LABELS), ValueError, "X has 2 features"),
        ((OTHER, LABELS[:5]), ValueError, r"y has shape \(5,\), but X has 90 rows"),
        ((csr_array(OTHER), LABELS), TypeError, r"dense data is required. Use '.toarray\(\)'"),
    ):
        with pytest.raises(kind, match=message):
            clone(model).fit(X, Y, eval_set=given)
    if name == "mh":
        with pytest.raises(ValueError, match="joint=False boosts every class on its own"):
            make("mh-apart", n_iter_no_change=2).fit(X, Y, eval_set=(OTHER, LABELS))


def test_tables_are_watched_by_their_categories():
    table = pd.DataFrame(X).add_prefix("c").assign(kind=np.array(list("abc"))[Y])
    later = pd.DataFrame(OTHER).add_prefix("c").assign(kind=np.array(list("abz"))[LABELS])
    model = make("m2", cost_matrix=C).fit(table, Y, eval_set=(later, LABELS))
    np.testing.assert_allclose(model.evals_result_["valid_0"]["cost"], model.staged_cost(later, LABELS))
