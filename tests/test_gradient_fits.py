"""Fits of gradient boosting: folds and bags, parameters, warm starts, other rows."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from cases import compiled, easy, unequal_costs
from gradients import LOSSES, gradient, noisy
from sklearn.base import clone

import csboost
from csboost import metrics
from csboost.angle.folds import deal

# Folds and bags.


def test_folds_spread_classes_and_rows_evenly():
    y = np.repeat([0, 1, 2], [23, 11, 1])
    folds = deal(y, 5, np.random.RandomState(0))
    assert np.ptp(np.bincount(folds, minlength=5)) == 0
    for k in range(3):
        assert np.ptp(np.bincount(folds[y == k], minlength=5)) <= 1
    renamed = deal(np.array([1, 2, 0])[y], 5, np.random.RandomState(0))
    np.testing.assert_array_equal(renamed, folds)


@pytest.mark.parametrize("refit", [True, False])
def test_folds_find_the_number_of_rounds(refit):
    X, y = noisy()
    C = unequal_costs(3)
    model = gradient(cost_matrix=C, n_bags=5, n_estimators=200, n_iter_no_change=10, refit=refit).fit(X, y)
    loss, cost = model.validation_curve_["loss"], model.validation_curve_["cost"]
    assert loss.argmin() == model.best_iteration_ - 1 < len(loss) - 10
    P = model.oof_probabilities_
    assert metrics.mean_cost(y, (P @ C).argmin(axis=1), C) == pytest.approx(cost[model.best_iteration_ - 1])
    assert -np.log(P[np.arange(len(y)), y]).mean() == pytest.approx(loss[model.best_iteration_ - 1])
    if refit:
        assert model.n_iter_ == round(1.1 * model.best_iteration_)
    else:  # each bag ends at its own best round
        ends = (model.estimator_weights_.reshape(-1, 5) > 0).sum(axis=0)
        assert ends.max() == model.n_iter_
        assert len(set(ends)) > 1


def test_bags_are_averaged_by_their_margins():
    X, y = noisy()
    model = gradient(n_bags=3).fit(X, y)
    assert model.estimator_weights_ == pytest.approx(model.learning_rate / 3)
    assert len(model.estimators_) == 15
    M = model._ensemble.start + sum(
        model.learning_rate / 3 * model._ensemble.outputs[t, rule.apply(X, 0)]
        for t, rule in enumerate(model.estimators_)
    )
    np.testing.assert_allclose(model.decision_function(X), M, rtol=1e-9, atol=1e-12)


def test_rows_of_weight_zero_have_no_probabilities_out_of_fold():
    X, y = noisy()
    weights = np.arange(len(y)) % 4 > 0
    model = gradient(n_bags=5, n_iter_no_change=3, n_estimators=10).fit(X, y, sample_weight=weights.astype(float))
    np.testing.assert_array_equal(np.isnan(model.oof_probabilities_).any(axis=1), ~weights)


def test_fewer_bags_than_folds_leave_rows_without_probabilities():
    X, y = noisy()
    model = gradient(n_bags=1, n_iter_no_change=3, n_estimators=10).fit(X, y)
    assert np.isfinite(model.oof_probabilities_[:, 0]).sum() == len(y) // 5


@pytest.mark.parametrize("n", [2, 3, 5, 8, 12])
def test_few_rows_are_learnt_from_as_far_as_they_go(n):
    X, y = np.arange(n, dtype=float)[:, None], np.arange(n) * 2 // n
    model = csboost.AngleGradientBoostingClassifier(min_samples_leaf=1, random_state=0).fit(X, y)
    assert model.predict_proba(X).shape == (n, 2)
    assert model.n_iter_ >= 1


def test_a_class_of_one_row_is_learnt_though_its_fold_lacks_it():
    X, y = noisy(100)
    y[7] = 9
    model = csboost.AngleGradientBoostingClassifier(n_estimators=30, random_state=0).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2, 9]
    assert np.isfinite(model.oof_probabilities_).all()
    assert (model.predict_proba(X)[:, 3] > 0).all()


# Parameters.


@pytest.mark.parametrize("thresholds", ["mixed", "exact", "random"])
def test_thresholds_and_shares_of_rows_and_columns(thresholds):
    X, y = noisy()
    model = gradient(thresholds=thresholds, max_features=1, subsample=0.5, n_estimators=40).fit(X, y)
    assert model.score(X, y) > 0.6


def test_numbers_that_are_names_are_told_apart_up_to_255_of_them():
    rng = np.random.default_rng(0)
    sites, answer = rng.integers(250, size=4000), rng.integers(3, size=250)
    X, y = sites[:, None].astype(float), answer[sites]
    fine, coarse = (gradient(max_bins=bins, n_estimators=200).fit(X, y).score(X, y) for bins in (None, 127))
    assert fine > 0.97
    assert coarse < 0.9


def test_leaves_have_the_rows_they_need():
    X, y = noisy()
    model = gradient(min_samples_leaf=30, max_leaf_nodes=4).fit(X, y)
    for rule in model.estimators_:
        counts = np.bincount(rule.apply(X, 0))
        assert len(counts) <= 4
        assert counts.min() >= 30


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loss": "multinomal"}, "unknown loss 'multinomal'"),
        ({"thresholds": "all"}, "thresholds"),
        ({"subsample": 0.0}, "subsample"),
        ({"max_features": 1.5}, "max_features"),
    ],
)
def test_parameters_that_cannot_be_used_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        gradient(**options).fit(*noisy())


# Further fits, other rows, copies.


@pytest.mark.parametrize("options", [{}, {"loss": "logistic"}, {"subsample": 0.5}], ids=str)
def test_a_warm_start_goes_on_where_the_fit_ended(options):
    X, y = noisy()
    whole = gradient(n_bags=2, n_estimators=9, **options).fit(X, y)
    model = gradient(n_bags=2, n_estimators=4, warm_start=True, **options).fit(X, y)
    model.set_params(n_estimators=9).fit(X, y)
    assert model.n_iter_ == 9
    np.testing.assert_allclose(model.decision_function(X), whole.decision_function(X), rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match="n_estimators=3 is less than the 9 rounds"):
        model.set_params(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="goes on with the classes"):
        model.set_params(n_estimators=12).fit(X, y + 1)


def test_a_shorter_fit_is_the_beginning_of_a_longer_one():
    X, y = noisy()
    stages = list(gradient(n_estimators=9).fit(X, y).staged_decision_function(X))
    assert gradient(n_estimators=4).fit(X, y).decision_function(X).tobytes() == stages[3].tobytes()


@pytest.mark.parametrize("loss", LOSSES)
def test_other_rows_are_recorded_round_by_round(loss):
    X, y = noisy()
    C = unequal_costs(3)
    other = noisy(200, seed=1)
    model = gradient(cost_matrix=C, loss=loss).fit(X, y, eval_set=[(X, y), other])
    recorded = model.evals_result_["valid_1"]
    np.testing.assert_allclose(recorded["cost"], model.staged_cost(*other), rtol=1e-9)
    assert (np.diff(model.evals_result_["valid_0"]["loss"]) < 0).all()
    if loss == "multinomial":
        P = model.predict_proba(other[0])
        assert recorded["loss"][-1] == pytest.approx(-np.log(P[np.arange(200), other[1]]).mean())
    with pytest.raises(ValueError, match="eval_set must be a tuple"):
        model.fit(X, y, eval_set=[X, y])


def test_progress_says_loss_cost_best_round_and_time(capsys):
    X, y = noisy()
    model = gradient(n_estimators=20, n_bags=2, n_iter_no_change=20, verbose=1).fit(X, y)
    said = capsys.readouterr().err
    assert "fold 2 of 2, round 20: held-out log loss" in said
    assert f"2 bags of {model.n_iter_} rounds on all rows; about" in said
    assert "cost" in said
    assert "best round" in said


def test_copies_predict_the_same_bits():
    X, y = noisy()
    model = gradient().fit(X, y)
    assert pickle.loads(pickle.dumps(model)).decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert clone(model).fit(X, y).decision_function(X).tobytes() == model.decision_function(X).tobytes()


def test_importances_find_the_feature_that_matters():
    X, y = easy(300)
    importances = gradient(n_estimators=20).fit(X, y).feature_importances_
    assert importances.sum() == pytest.approx(1.0)
    assert importances.argmax() == 0


@compiled("many rounds")
def test_a_default_fit_learns_unequal_costs():
    X, y = csboost.data.make_waveform(2000, random_state=0)
    model = csboost.AngleGradientBoostingClassifier(csboost.data.WAVEFORM_COSTS, random_state=0).fit(X[:400], y[:400])
    assert metrics.mean_cost(y[400:], model.predict(X[400:]), csboost.data.WAVEFORM_COSTS) < 0.24
