"""Decisions by probabilities that held-out rows have calibrated."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from cases import compiled, easy
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from csboost import AdaBoostM2Classifier, AngleAdaBoostClassifier, costs, data, metrics
from csboost.costs import BayesDecisionClassifier

METHODS = ("temperature", "sigmoid", "isotonic")
X, Y = easy(150)
NAMES = np.array(["low", "mid", "top"])[Y]
C3 = pd.DataFrame([[0.0, 1, 2], [3, 0, 4], [5, 6, 0]], index=["low", "mid", "top"], columns=["low", "mid", "top"])


@parametrize_with_checks([BayesDecisionClassifier(GaussianNB(), calibration="sigmoid", cv=2)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_without_calibration_nothing_is_held_out():
    plain = BayesDecisionClassifier(GaussianNB(), C3).fit(X, NAMES)
    assert isinstance(plain.estimator_, GaussianNB)
    assert plain.get_params()["calibration"] is None
    np.testing.assert_array_equal(plain.predict_proba(X), GaussianNB().fit(X, NAMES).predict_proba(X))


@pytest.mark.parametrize("method", METHODS)
def test_probabilities_are_those_of_scikit_learns_calibrator(method):
    model = BayesDecisionClassifier(GaussianNB(), C3, calibration=method, cv=3).fit(X, NAMES)
    expected = CalibratedClassifierCV(GaussianNB(), method=method, cv=3).fit(X, NAMES).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-9, atol=1e-12)
    assert model.classes_.tolist() == ["low", "mid", "top"]
    best = (expected @ C3.to_numpy()).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[best])
    assert model.n_features_in_ == 4
    frame = pd.DataFrame(X, columns=list("abcd"))
    assert BayesDecisionClassifier(GaussianNB(), calibration=method).fit(
        frame, NAMES
    ).feature_names_in_.tolist() == list("abcd")


def test_a_temperature_scales_probabilities_of_a_model_that_has_margins_too():
    """Of an angle booster the margins are no logarithms of probabilities, but its link knows these."""
    booster = AngleAdaBoostClassifier(C3, n_estimators=10)  # the labels reach it, so that its table is read by them
    model = BayesDecisionClassifier(booster, C3, calibration="temperature", cv=3).fit(X, NAMES)
    fitted = model.estimator_.calibrated_classifiers_
    total = np.zeros((len(X), 3))
    for part in fitted:
        inner = part.estimator.estimator_
        assert inner.classes_.tolist() == ["low", "mid", "top"]
        np.testing.assert_array_equal(inner.cost_matrix_, C3)
        powers = (inner.predict_proba(X) + 1e-12) ** part.calibrators[0].beta_
        total += powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), total / len(fitted), rtol=1e-9, atol=1e-12)


def test_a_model_without_probabilities_can_be_calibrated_by_its_scores():
    for estimator in (RidgeClassifier(), AdaBoostM2Classifier(n_estimators=5)):
        for method in METHODS:
            P = BayesDecisionClassifier(estimator, C3, calibration=method).fit(X, NAMES).predict_proba(X)
            np.testing.assert_allclose(P.sum(axis=1), 1)


def test_two_classes_and_numeric_labels():
    for labels in (np.array([3, 8])[(Y > 0) * 1], np.array([True, False])[(Y > 0) * 1]):
        for method in METHODS:
            model = BayesDecisionClassifier(GaussianNB(), calibration=method).fit(X, labels)
            assert model.classes_.tolist() == sorted(set(labels.tolist()))
            assert (model.predict(X) == labels).mean() > 0.75
            assert model.predict_proba(X).shape == (150, 2)


def test_weights_reach_the_estimator_and_the_calibrator():
    weights = np.random.default_rng(0).integers(1, 4, len(Y)).astype(float)
    expected = CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=3).fit(X, NAMES, weights).predict_proba(X)
    model = BayesDecisionClassifier(GaussianNB(), C3, calibration="sigmoid", cv=3)
    np.testing.assert_allclose(model.fit(X, NAMES, weights).predict_proba(X), expected, rtol=1e-9)
    pipeline = make_pipeline(StandardScaler(), GaussianNB())  # whose last step takes them
    scaled = BayesDecisionClassifier(pipeline, C3, calibration="sigmoid", cv=3).fit(X, NAMES, weights)
    np.testing.assert_allclose(scaled.predict_proba(X), expected, rtol=1e-6)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False), GaussianNB().set_fit_request(sample_weight=True)
        )
        again = BayesDecisionClassifier(routed, C3, calibration="sigmoid", cv=3).fit(X, NAMES, weights)
        np.testing.assert_allclose(again.predict_proba(X), expected, rtol=1e-6)
    from sklearn.neighbors import KNeighborsClassifier

    with pytest.raises(ValueError, match="KNeighborsClassifier.fit takes no sample_weight"):
        BayesDecisionClassifier(KNeighborsClassifier(), calibration="sigmoid").fit(X, Y, weights)


def test_missing_values_and_searches_go_through():
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    for estimator in (HistGradientBoostingClassifier(max_iter=5), AngleAdaBoostClassifier(n_estimators=5)):
        model = BayesDecisionClassifier(estimator, C3, calibration="temperature", cv=2).fit(gaps, NAMES)
        assert np.isfinite(model.predict_expected_cost(gaps)).all()
    search = GridSearchCV(
        BayesDecisionClassifier(LogisticRegression(), C3),
        {"calibration": [None, *METHODS]},
        scoring=metrics.make_cost_scorer(C3),
        error_score="raise",
    )
    assert search.fit(X, NAMES).best_score_ < 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"calibration": "platt"}, "calibration must be None, 'temperature', 'sigmoid' or 'isotonic', got 'platt'"),
        ({"calibration": "sigmoid", "cv": 60}, r"cv=60 folds .* but of 'low' there are 50. Lower cv, or give"),
    ],
)
def test_bad_calibration_is_refused_in_words(options, message):
    with pytest.raises(ValueError, match=message):
        BayesDecisionClassifier(GaussianNB(), **options).fit(X, NAMES)


@compiled("fits of many rounds are too slow without")
@pytest.mark.parametrize("name", ["angle", "forest"])
def test_what_is_promised_comes_nearer_to_what_is_paid(name):
    """On fresh rows of a simulation, over some samples of 300 rows."""
    test_X, test_y = data.make_waveform(20_000, random_state=99)
    gaps = {None: [], "temperature": []}
    for seed in range(3):
        train_X, train_y = data.make_waveform(300, random_state=seed)
        estimator = {
            "angle": AngleAdaBoostClassifier(data.WAVEFORM_COSTS, n_estimators=100),
            "forest": RandomForestClassifier(100, random_state=seed),
        }[name]
        for method, found in gaps.items():
            model = BayesDecisionClassifier(estimator, data.WAVEFORM_COSTS, calibration=method).fit(train_X, train_y)
            promised = model.predict_expected_cost(test_X).min(axis=1).mean()
            paid = metrics.mean_cost(test_y, model.predict(test_X), data.WAVEFORM_COSTS)
            found.append(abs(promised / paid - 1))
    assert np.mean(gaps["temperature"]) < 0.5 * np.mean(gaps[None])


def test_costs_are_resolved_as_without_calibration():
    ordered = pd.Categorical(NAMES, categories=["top", "low", "mid"], ordered=True)
    model = BayesDecisionClassifier(GaussianNB(), "linear", calibration="sigmoid").fit(X, ordered)
    np.testing.assert_array_equal(model.cost_matrix_, [[0, 1, 1], [1, 0, 2], [1, 2, 0]])
    np.testing.assert_array_equal(
        model.cost_matrix_, costs.resolve("linear", ["low", "mid", "top"], known=["top", "low", "mid"])
    )


def test_folds_that_lack_a_class_are_named_where_a_temperature_needs_all():
    order = np.argsort(NAMES, kind="stable")
    model = BayesDecisionClassifier(LogisticRegression(), calibration="temperature", cv=KFold(3))
    for cv in (KFold(3), list(KFold(3).split(X))):
        with pytest.raises(ValueError, match="a fold of cv= trains without a row of 'low', .*StratifiedKFold"):
            model.set_params(cv=cv).fit(X[order], NAMES[order])
    shuffled = model.set_params(cv=KFold(3, shuffle=True, random_state=0)).fit(X[order], NAMES[order])
    assert shuffled.predict_proba(X).shape == (150, 3)
