"""The Bayes rule as a meta-estimator."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from csboost import costs
from csboost.costs import BayesDecisionClassifier

C3 = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])


# With unequal costs predict is by design not the argmax of predict_proba, which one of the checks asks for.
@parametrize_with_checks([BayesDecisionClassifier(LogisticRegression()), BayesDecisionClassifier(GaussianNB())])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture
def data():
    return make_classification(400, 8, n_informative=5, n_classes=3, random_state=0)


def peers():
    yield "logistic", LogisticRegression(max_iter=500)
    yield "hist", HistGradientBoostingClassifier(max_iter=10)
    try:
        from lightgbm import LGBMClassifier
    except ImportError:
        return
    yield "lightgbm", LGBMClassifier(n_estimators=10, verbose=-1)


@pytest.mark.parametrize(("name", "peer"), list(peers()))
def test_decision_is_the_bayes_rule_on_the_estimators_probabilities(name, peer, data):
    X, y = data
    model = BayesDecisionClassifier(peer, C3).fit(X, y)
    P = sklearn.base.clone(peer).fit(X, y).predict_proba(X)
    assert np.array_equal(model.predict_proba(X), P)
    assert np.allclose(model.predict_expected_cost(X), P @ C3, rtol=0, atol=1e-15)
    assert np.array_equal(model.predict(X), costs.bayes_decision(P, C3))
    assert (model.predict(X) != P.argmax(axis=1)).any()  # costs do change decisions here


def test_equal_costs_give_the_estimators_own_predictions():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = BayesDecisionClassifier(LogisticRegression(max_iter=500)).fit(X, names)
    assert np.array_equal(model.predict(X), model.estimator_.predict(X))
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert model.feature_names_in_.tolist() == list(X.columns)
    assert model.n_features_in_ == 4
    assert np.array_equal(model.cost_matrix_, costs.zero_one(3))


def test_labelled_matrix_survives_a_fold_without_a_class(data):
    X, y = data
    labels = np.array(["low", "mid", "top"])[y]
    frame = pd.DataFrame(C3, index=["low", "mid", "top"], columns=["low", "mid", "top"])
    model = BayesDecisionClassifier(GaussianNB(), frame).fit(X[y != 1], labels[y != 1])
    assert np.array_equal(model.cost_matrix_, C3[np.ix_([0, 2], [0, 2])])
    with pytest.raises(ValueError, match="cut to the classes present"):
        BayesDecisionClassifier(GaussianNB(), C3).fit(X[y != 1], labels[y != 1])


def test_sample_weight_reaches_the_estimator(data):
    X, y = data
    weights = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    expected = GaussianNB().fit(X, y, sample_weight=weights).predict_proba(X)
    assert np.array_equal(BayesDecisionClassifier(GaussianNB()).fit(X, y, weights).predict_proba(X), expected)
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    scaled = BayesDecisionClassifier(pipeline).fit(X, y, weights).predict_proba(X)
    assert np.allclose(scaled, expected)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False), GaussianNB().set_fit_request(sample_weight=True)
        )
        assert np.array_equal(BayesDecisionClassifier(routed).fit(X, y, weights).predict_proba(X), scaled)


def test_unsupported_estimators_are_refused_in_words(data):
    X, y = data
    with pytest.raises(ValueError, match="KNeighborsClassifier.fit takes no sample_weight"):
        BayesDecisionClassifier(KNeighborsClassifier()).fit(X, y, np.ones(len(y)))
    with pytest.raises(ValueError, match="RidgeClassifier has no predict_proba.*CalibratedClassifierCV"):
        BayesDecisionClassifier(RidgeClassifier()).fit(X, y)


def test_inside_model_selection(data):
    X, y = data
    model = BayesDecisionClassifier(LogisticRegression(max_iter=500), C3)
    search = GridSearchCV(model, {"estimator__C": [0.01, 1.0]}, cv=3)
    assert search.fit(X, y).best_estimator_.cost_matrix_.shape == (3, 3)
    assert len(cross_val_score(BayesDecisionClassifier(GaussianNB(), "linear"), X, y, cv=3)) == 3
