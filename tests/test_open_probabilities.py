"""Scores of fewer answers than classes leave the probabilities open: to decide by these warns, predict is silent."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from csboost import (
    AngleAdaBoostClassifier,
    AngleGradientBoostingClassifier,
    AngleLogitBoostClassifier,
    CostSensitiveClassifier,
    PNormBoostClassifier,
    costs,
    data,
)

TRIAGE = pd.DataFrame([[0.0, 2.0], [3.0, 0.0], [1.0, 1.5]], index=[0, 1, 2], columns=["drop", "check"])
OTHER = TRIAGE.assign(human=0.4)
X, Y = data.make_waveform(300, random_state=0)
OPEN = "the scores of .* for 2 answers do not determine the probabilities of its 3 classes"
MARGINS = [
    AngleAdaBoostClassifier(TRIAGE, n_estimators=5),
    AngleLogitBoostClassifier(TRIAGE, n_estimators=5),
    PNormBoostClassifier(TRIAGE, n_estimators=5, hypothesis="label"),
]


def all_silent(calls):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for call in calls:
            call()


def others(model):
    """Everything that decides by the probabilities otherwise than the model does."""
    return [
        lambda: model.decide(X, OTHER), lambda: model.decide(X, TRIAGE * [1, 2]), lambda: model.decide(X, "linear"),
        lambda: model.decide(X, sample_cost={"check": np.arange(300.0)}),
        lambda: model.decide(X, priors=[0.5, 0.3, 0.2]), lambda: model.decide(X, limits={"check": 10}),
    ]  # fmt: skip


def its_own(model):
    """What a model answers by its own table."""
    return [
        lambda: model.predict(X), lambda: model.predict_proba(X), lambda: model.predict_expected_cost(X),
        lambda: model.decide(X), lambda: model.decide(X, TRIAGE), lambda: model.decide(X, limits={}),
    ]  # fmt: skip


@pytest.mark.parametrize("model", MARGINS, ids=lambda model: type(model).__name__)
def test_what_decides_by_probabilities_that_are_open_warns(model):
    model.fit(X, Y)
    for fitted in (model, pickle.loads(pickle.dumps(model))):
        for call in others(fitted):
            with pytest.warns(UserWarning, match=OPEN):
                call()
        all_silent(its_own(fitted))
    assert (model.decide(X, TRIAGE) == model.predict(X)).all()


def test_the_bayes_rule_on_probabilities_that_are_open_warns_when_it_is_fitted():
    for learner in (MARGINS[0], make_pipeline(StandardScaler(), MARGINS[0])):
        with pytest.warns(UserWarning, match=OPEN):
            bayes = costs.BayesDecisionClassifier(learner, OTHER).fit(X, Y)
        all_silent([lambda bayes=bayes: bayes.predict(X)])


@pytest.mark.parametrize(
    "model",
    [
        CostSensitiveClassifier(TRIAGE, effort="fast", random_state=0),
        AngleGradientBoostingClassifier(TRIAGE, n_estimators=5),
        AngleAdaBoostClassifier(OTHER, n_estimators=5),
        AngleAdaBoostClassifier(n_estimators=5),
    ],
    ids=["mixture", "likelihood", "as many answers", "classes"],
)
def test_probabilities_that_are_determined_raise_no_doubt(model):
    model.fit(X, Y)
    limited = {model.answers_.tolist()[1]: 10}
    all_silent(
        [lambda: model.decide(X, OTHER), lambda: model.decide(X, limits=limited),
         lambda: model.decide(X, priors=[0.5, 0.3, 0.2]), lambda: model.predict(X)]
    )  # fmt: skip
