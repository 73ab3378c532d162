"""Numbers at the edge of what a float64 holds, losses that inherit, and learners with a scale of their own."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from cases import compiled, easy, make, unequal_costs
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from csboost import AngleAdaBoostClassifier, AngleBoostClassifier, AngleLogitBoostClassifier, SAMMEClassifier
from csboost.angle import steps
from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss
from csboost.weak import CostTree, SklearnWeakLearner

# Losses that inherit from a built-in one.


class Steeper(ExponentialLoss):
    """``exp(-2 z)``."""

    def value(self, z):
        return np.exp(-2.0 * z)

    def derivative(self, z):
        return -2.0 * np.exp(-2.0 * z)

    def second_derivative(self, z):
        return 4.0 * np.exp(-2.0 * z)


class SteeperAlone:
    """The same, not inherited."""

    value, derivative, second_derivative = Steeper.value, Steeper.derivative, Steeper.second_derivative


class SteeperLogistic(LogisticLoss):
    value, derivative, second_derivative = Steeper.value, Steeper.derivative, Steeper.second_derivative


class SteeperLum(LargeMarginUnifiedLoss):
    value, derivative, second_derivative = Steeper.value, Steeper.derivative, Steeper.second_derivative


@pytest.mark.parametrize("loss", [Steeper, SteeperLogistic, SteeperLum])
def test_a_subclass_of_a_built_in_loss_is_trained_by_its_own_formulas(loss):
    X, y = easy(150)
    C = unequal_costs(3)
    model = AngleBoostClassifier(C, loss=loss(), n_estimators=15).fit(X, y)
    expected = AngleBoostClassifier(C, loss=SteeperAlone(), n_estimators=15).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    np.testing.assert_allclose(model.predict_expected_cost(X), expected.predict_expected_cost(X), rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), rtol=1e-9, atol=1e-12)


def test_a_subclass_that_breaks_the_contract_is_refused():
    class Rising(ExponentialLoss):
        def derivative(self, z):
            return np.exp(-z)

    with pytest.raises(ValueError, match="loss Rising is not decreasing"):
        AngleBoostClassifier(loss=Rising()).fit(*easy(30))


# Small numbers.


def test_odds_have_a_floor_as_they_have_a_cap():
    """Margins beyond both ends come back when the rows' answers change."""
    odds, weights = np.full((1, 2), 1.0), np.empty((1, 2))
    costs, leaf, partial = np.ones((1, 2)), np.zeros(1, np.uint16), np.zeros(1)
    for answer in (1, 1, 0, 0):  # away by twice the range, and back
        up, down = 1e200, 1e-200
        steps.logistic_update(odds, costs, leaf, np.array([answer]), up, down, weights, 0, 1, partial)
        assert (odds > 0).all()
        assert np.isfinite(odds).all()
    np.testing.assert_allclose(odds, [[1e110, 1e-110]], rtol=1e-6)
    assert weights[0, 1] > 0


def test_long_fits_of_separable_rows_stay_finite():
    X, y = np.arange(30.0)[:, None], np.arange(30) // 10
    model = AngleLogitBoostClassifier(n_estimators=3000).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("unit", [1e-120, 1e-12, 1.0, 1e120])
def test_a_large_p_and_costs_of_any_unit(unit):
    X, y = easy(200)
    C = unequal_costs(3)
    model = make("pnorm", p=400.0, cost_matrix=unit * C, n_estimators=10).fit(X, y)
    expected = make("pnorm", p=400.0, cost_matrix=C, n_estimators=10).fit(X, y)
    assert model.n_iter_ == 10
    np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X), rtol=1e-9)
    np.testing.assert_allclose(model.staged_cost(X, y), unit * expected.staged_cost(X, y), rtol=1e-9)


# Learners of scikit-learn.


class Recorder(DecisionTreeClassifier):
    """A stump that keeps the weights it was given."""

    seen: list = []

    def fit(self, X, y, sample_weight=None):
        self.seen.append(np.array(sample_weight))
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("booster", [AngleAdaBoostClassifier, SAMMEClassifier])
def test_a_classifier_as_weak_learner_gets_weights_of_mean_1(booster):
    Recorder.seen = []
    booster(n_estimators=4, weak_learner=Recorder(max_depth=2)).fit(*easy(200))
    assert len(Recorder.seen) == 4
    np.testing.assert_allclose([weights.mean() for weights in Recorder.seen], 1.0)


@pytest.mark.parametrize("learner", [SVC(C=1.0), LogisticRegression(C=1.0)], ids=["SVC", "LogisticRegression"])
def test_learners_with_an_absolute_penalty_learn(learner):
    X, y = easy(300)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        model = AngleAdaBoostClassifier(n_estimators=3, weak_learner=learner).fit(X, y)
    assert model.score(X, y) > 0.6
    assert len(np.unique(model.predict(X))) == 3


def test_a_least_leaf_weight_keeps_its_meaning():
    lightgbm = pytest.importorskip("lightgbm")
    X, y = easy(300)
    learner = lightgbm.LGBMClassifier(n_estimators=5, min_child_weight=1.0, verbose=-1)
    model = SAMMEClassifier(n_estimators=3, weak_learner=learner).fit(X, y)
    assert model.score(X, y) > 0.6


def test_a_rule_that_answers_one_class_is_announced_once():
    X, y = easy(300)
    y = np.where(y == 2, 0, y)  # twice as many of class 0
    learner = SklearnWeakLearner(DecisionTreeClassifier(min_samples_leaf=290))
    with pytest.warns(UserWarning, match="DecisionTreeClassifier, the weak learner, answers one class") as caught:
        AngleAdaBoostClassifier(n_estimators=3, weak_learner=learner).fit(X, y)
    assert len(caught) == 1


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize("weight", [1e-100, 1.0, 1e100])
def test_a_tree_knows_costs_of_any_unit(unit, weight):
    X, y = easy(200)
    C = unequal_costs(3)
    expected = CostTree(cost_matrix=C).fit(X, y).predict_expected_cost(X)
    tree = CostTree(cost_matrix=unit * C).fit(X, y, sample_weight=np.full(200, weight))
    np.testing.assert_allclose(tree.predict_expected_cost(X), unit * expected, rtol=1e-9)


@compiled("how long it takes is the point")
def test_early_stopping_with_many_classes_does_not_wait_for_the_link():
    """The scale of the margins is fitted on as many held-out rows as K^3 allows."""
    rng = np.random.default_rng(0)
    y = np.arange(1200) % 60
    X = rng.normal(size=(1200, 3)) + y[:, None] / 10
    options = {"n_iter_no_change": 3, "validation_fraction": 0.5, "random_state": 0}
    model = AngleAdaBoostClassifier("linear", n_estimators=3, **options)
    model.fit(X, y)
    assert 0.25 <= model.margin_scale_ <= 4.0
