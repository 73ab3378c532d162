"""The shares of the classes that probabilities carry where an estimator weighs classes or was told priors."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.class_weight import compute_sample_weight

from csboost import decisions, metrics
from csboost.costs import BayesDecisionClassifier


def rare(n=600, seed=0):
    """Two classes, the second of a fifth of the rows, and weights that differ by class."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.2, "poor", "good")
    X = rng.normal(size=(n, 2)) + (y == "poor")[:, None]
    return X, y, np.where(y == "poor", 3.0, 1.0) * rng.uniform(0.5, 1.5, n)


WEIGHED = {"good": 1.0, "poor": 6.0}


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("weight", ["balanced", WEIGHED, {"poor": 6}])
@pytest.mark.parametrize("calibration", [None, "temperature"])
@pytest.mark.parametrize(
    "wrapped",
    [lambda estimator: estimator, lambda estimator: make_pipeline(StandardScaler(), estimator)],
    ids=["itself", "last step"],
)
def test_weights_of_classes_are_among_the_weights(wrapped, calibration, weight, weights):
    X, y, sample_weight = rare()
    sample_weight = sample_weight if weights else None
    tree = DecisionTreeClassifier(class_weight=weight, max_depth=3, random_state=0)
    model = BayesDecisionClassifier(wrapped(tree), None, calibration).fit(X, y, sample_weight)
    known = np.ones(len(y)) if sample_weight is None else sample_weight
    used = known * compute_sample_weight(weight if weight == "balanced" else WEIGHED, y)
    shares = np.array([used[y == name].sum() for name in ("good", "poor")]) / used.sum()
    np.testing.assert_allclose(model.class_prior_, shares, rtol=1e-12)
    if calibration is None:  # the tree's own leaves have these shares
        P = model.predict_proba(X)
        np.testing.assert_allclose(used @ P / used.sum(), shares, rtol=1e-9)


def test_weights_of_classes_are_those_that_a_search_found():
    X, y, _ = rare()
    search = GridSearchCV(DecisionTreeClassifier(max_depth=3), {"class_weight": ["balanced"]}, cv=2)
    np.testing.assert_allclose(BayesDecisionClassifier(search).fit(X, y).class_prior_, [0.5, 0.5])
    hidden = GridSearchCV(DecisionTreeClassifier(max_depth=3, class_weight="balanced"), {"max_depth": [3]}, cv=2)
    model = BayesDecisionClassifier(hidden, calibration="temperature").fit(X, y)
    with pytest.warns(UserWarning, match="GridSearchCV has estimator__class_weight='balanced'"):
        model.decide(X, priors=[0.5, 0.5])


def test_balanced_weights_no_longer_hide_a_prior():
    X, y, weights = rare(4000)
    table = pd.DataFrame([[0, 1, 0.3], [5, 0, 0.3]], index=["good", "poor"], columns=["good", "poor", "human"])
    shares = {"good": 0.8, "poor": 0.2}
    for given, sample_weight in (("balanced", None), ("balanced", weights), ({"good": 1, "poor": 4}, None)):
        regression = LogisticRegression(class_weight=given)
        model = BayesDecisionClassifier(regression, table).fit(X, y, sample_weight)
        np.testing.assert_allclose(model.class_prior_, [0.5, 0.5], atol=0.03 if isinstance(given, dict) else 1e-12)
        decision = model.decide(X, priors=shares)
        same = decisions.decide(
            model.predict_proba(X), table, classes=["good", "poor"], priors=shares, train_priors=model.class_prior_
        )
        assert decision.tolist() == same.tolist()
        assert metrics.mean_cost(y, decision, table) == pytest.approx(decision.expected_cost.mean(), rel=0.05)
        assert (decision != model.predict(X)).any()


def test_priors_that_an_estimator_was_told_are_those_of_its_probabilities():
    X, y, _ = rare()
    for estimator in (GaussianNB(priors=[0.7, 0.3]), LinearDiscriminantAnalysis(priors=[0.7, 0.3])):
        np.testing.assert_allclose(BayesDecisionClassifier(estimator).fit(X, y).class_prior_, [0.7, 0.3])
    for estimator, shares in (
        (BernoulliNB(class_prior=[0.6, 0.4]), [0.6, 0.4]), (BernoulliNB(fit_prior=False), [0.5, 0.5]),
        (BernoulliNB(), [(y == "good").mean(), (y == "poor").mean()]),
    ):  # fmt: skip
        np.testing.assert_allclose(BayesDecisionClassifier(estimator).fit(X, y).class_prior_, shares)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration_to_the_rows_undoes_weights_of_classes(method):
    X, y, _ = rare()
    balanced = LogisticRegression(class_weight="balanced")
    own = BayesDecisionClassifier(balanced, calibration=method).fit(X, y)
    outer = BayesDecisionClassifier(CalibratedClassifierCV(balanced, method=method)).fit(X, y)
    for model in (own, outer):
        np.testing.assert_allclose(model.class_prior_, [(y == "good").mean(), (y == "poor").mean()])
        assert model.predict_proba(X).mean(axis=0) == pytest.approx(model.class_prior_, abs=0.02)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.decide(X, priors=[0.5, 0.5])


def test_weights_of_classes_that_cannot_be_traced_make_the_shares_doubtful():
    X, y, _ = rare()
    bagged = BaggingClassifier(LogisticRegression(class_weight="balanced"), n_estimators=3, random_state=0)
    model = BayesDecisionClassifier(bagged).fit(X, y)
    np.testing.assert_allclose(model.class_prior_, [(y == "good").mean(), (y == "poor").mean()])
    model.decide(X)
    with pytest.warns(UserWarning, match="BaggingClassifier has estimator__class_weight='balanced', and which shares"):
        model.decide(X, priors=[0.5, 0.5])
