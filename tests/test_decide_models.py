"""``decide`` of fitted models: their own answers, and others without a refit."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from cases import VARIANTS, easy, make, unequal_costs
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import csboost
from csboost import decisions
from csboost.costs import BayesDecisionClassifier
from csboost.ensemble import Ensemble
from csboost.mixture import classifier

LINKED = [name for name in VARIANTS if hasattr(make(name), "predict_proba")]


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    for effort in classifier.EFFORTS.values():
        for parameters in effort.boosters.values():
            monkeypatch.setitem(parameters, "n_estimators", 20)


def gradient(**options):
    short = {"n_estimators": 15, "n_bags": 2, "n_iter_no_change": None, "random_state": 0}
    return csboost.AngleGradientBoostingClassifier(**{**short, **options})


OTHERS = {
    "gradient": gradient,
    "gradient-guess-averse": lambda **options: gradient(loss="guess-averse", **options),
    "gradient-logistic": lambda **options: gradient(loss="logistic", **options),
    "mixture": lambda **options: csboost.CostSensitiveClassifier(effort="fast", random_state=0, **options),
    "bayes": lambda cost_matrix=None: BayesDecisionClassifier(LogisticRegression(), cost_matrix),
}
BY_LIKELIHOOD = ["gradient", "mixture", "bayes"]


def made(name, cost_matrix=None):
    return OTHERS[name](cost_matrix=cost_matrix) if name in OTHERS else make(name, cost_matrix=cost_matrix)


@pytest.mark.parametrize("name", [*LINKED, *OTHERS])
def test_with_nothing_given_it_is_what_the_model_predicts(name):
    X, y = easy(150, seed=1)
    labels = np.array(["p", "q", "r"])[y]
    model = made(name, unequal_costs(3)).fit(X, labels)
    decision = model.decide(X)
    assert (decision == model.predict(X)).all()
    assert decision.answers.dtype == model.predict(X).dtype
    np.testing.assert_array_equal(decision.expected_costs, model.predict_expected_cost(X))
    assert decision.labels.tolist() == decision.classes.tolist() == ["p", "q", "r"]


@pytest.mark.parametrize("name", ["angle-ada", "samme", "gradient", "gradient-logistic", "mixture", "bayes"])
def test_rows_are_scored_once(name, monkeypatch):
    X, y = easy(150, seed=1)
    model = made(name, unequal_costs(3)).fit(X, y)
    scored = []
    for home, method in ((Ensemble, "scores"), (Ensemble, "answers"), (LogisticRegression, "predict_proba")):
        plain = getattr(home, method)

        def counted(self, *args, plain=plain):
            scored.append(id(self))
            return plain(self, *args)

        monkeypatch.setattr(home, method, counted)
    for limits in (None, {1: 5}):
        scored.clear()
        model.decide(X, limits=limits)
        assert scored
        assert len(scored) == len(set(scored))


@pytest.mark.parametrize("name", [*LINKED, *OTHERS])
def test_another_table_is_decided_on_the_models_probabilities(name):
    X, y = easy(150, seed=2)
    labels = np.array(["p", "q", "r"])[y]
    table = pd.DataFrame(
        [[3.0, 0.0, 1.0], [0.0, 2.0, 0.6], [1.0, 1.0, 0.6]], index=["q", "p", "r"], columns=["p", "q", "human"]
    )
    model = made(name, unequal_costs(3)).fit(X, labels)
    decision = model.decide(X, table)
    wanted = decisions.decide(model.predict_proba(X), table, classes=model.classes_)
    assert decision.tolist() == wanted.tolist()
    np.testing.assert_array_equal(decision.expected_costs, wanted.expected_costs)
    assert set(decision.labels) == {"p", "q", "human"}


@pytest.mark.parametrize("name", BY_LIKELIHOOD)
def test_where_costs_enter_the_decision_alone_it_is_what_a_refit_predicts(name):
    X, y = easy(150, seed=3)
    C = unequal_costs(3)
    one, two = made(name).fit(X, y), made(name, C).fit(X, y)
    np.testing.assert_array_equal(one.decide(X, C), two.predict(X))
    np.testing.assert_array_equal(one.decide(X, C).expected_costs, two.predict_expected_cost(X))


@pytest.mark.parametrize(
    "name", ["angle-ada", "angle-lum", "pnorm", "gradient", "gradient-logistic", "mixture", "bayes"]
)
def test_a_model_of_other_answers_and_gains_decides_by_its_own_table(name):
    X, y = easy(150, seed=12)
    labels = np.array(["p", "q", "r"])[y]
    table = pd.DataFrame([[-1, 3, 0.5], [2, -2, 0.5], [1, 4, 0.0]], index=list("pqr"), columns=["p", "q", "human"])
    model = made(name, table).fit(X, labels)
    decision = model.decide(X)
    assert (decision == model.predict(X)).all()
    assert decision.labels.tolist() == ["p", "q", "human"]
    np.testing.assert_array_equal(decision.expected_costs, model.predict_expected_cost(X))
    few = model.decide(X, limits={"human": 5})
    assert few.counts["human"] <= 5
    square = model.decide(X, "equal")
    assert square.labels.tolist() == ["p", "q", "r"]
    tables = np.repeat(table.to_numpy()[None], 150, axis=0)
    by_row = model.decide(X, sample_cost=tables)
    np.testing.assert_allclose(by_row.expected_costs, model.predict_proba(X) @ table.to_numpy(), atol=1e-12)


def test_a_margin_model_without_probabilities_has_no_decide():
    X, y = easy()
    for name in ("m2", "pnorm-set"):
        model = make(name).fit(X, y)
        assert not hasattr(model, "decide")
        with pytest.raises(AttributeError):
            model.decide(X)


@pytest.mark.parametrize("name", ["angle-ada", "samme", "mh", "pnorm", *OTHERS])
def test_the_shares_of_training_are_those_of_the_fit_weights_included(name):
    X, y = easy(150, seed=4)
    weights = np.random.default_rng(0).integers(0, 4, 150).astype(float)
    shares = np.array([weights[y == k].sum() for k in range(3)]) / weights.sum()
    model = made(name).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.class_prior_, shares, rtol=1e-12)
    new = np.array([0.6, 0.3, 0.1])
    decision = model.decide(X, priors=dict(enumerate(new)))
    wanted = decisions.decide(model.predict_proba(X), priors=new, train_priors=model.class_prior_)
    np.testing.assert_array_equal(decision, wanted)
    np.testing.assert_allclose(decision.expected_costs, wanted.expected_costs, rtol=1e-12)
    np.testing.assert_array_equal(decision.priors, wanted.priors)


@pytest.mark.parametrize("name", ["angle-ada", "samme"])
def test_the_shares_are_those_of_all_rows_where_some_are_held_out(name):
    X, y = easy(200, seed=4)
    y[:30] = 0
    model = make(name, n_estimators=10, n_iter_no_change=3, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.class_prior_, np.bincount(y) / 200, rtol=1e-12)


def test_the_shares_of_training_as_priors_change_nothing():
    X, y = easy(150, seed=5)
    model = made("gradient", unequal_costs(3)).fit(X, y)
    decision = model.decide(X, priors=model.class_prior_)
    np.testing.assert_array_equal(decision, model.predict(X))
    np.testing.assert_allclose(decision.expected_costs, model.predict_expected_cost(X), rtol=1e-9)


@pytest.mark.parametrize("name", ["angle-ada", "mh", "pnorm", *OTHERS])
def test_an_estimate_from_probabilities_that_are_no_likelihood_warns(name):
    X, y = easy(400, seed=6)
    rows = np.flatnonzero((y == 0) | (np.arange(400) % 3 == 0))
    model = made(name).fit(X, y)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        decision = model.decide(X[rows], priors="estimate")
    warned = [
        one for one in said if "come from its scores through a link and not from a likelihood" in str(one.message)
    ]
    assert len(warned) == (name not in BY_LIKELIHOOD)
    assert all(one.filename == __file__ for one in said)
    assert decision.priors.sum() == pytest.approx(1.0)


def test_limits_hold_for_the_models_own_table():
    X, y = easy(200, seed=7)
    model = made("gradient", unequal_costs(3)).fit(X, y)
    few = model.decide(X, limits={1: 12, 2: (0.5, None)})
    assert few.counts[1] <= 12
    assert few.counts[2] >= 100
    np.testing.assert_array_equal(few.expected_costs, model.predict_expected_cost(X))
    loose = model.decide(X, limits={1: 1.0})
    np.testing.assert_array_equal(loose, model.predict(X))
    assert loose.shadow_prices == {1: 0.0}


def test_limits_decide_by_expected_costs_also_where_the_scores_of_a_model_are_none():
    X, y = easy(200, seed=7)
    model = made("samme", np.array([[0, 1, 5], [1, 0, 1], [20, 1, 0]])).fit(X, y)
    cheapest = model.predict_expected_cost(X).argmin(axis=1)
    own, loose = model.decide(X), model.decide(X, limits={1: 1.0})
    np.testing.assert_array_equal(own, model.predict(X))
    np.testing.assert_array_equal(loose, cheapest)
    assert (own != loose).any()
    assert loose.expected_cost.sum() < own.expected_cost.sum()


def test_costs_that_depend_on_the_row_replace_entries_of_the_models_own_table():
    X, y = easy(100, seed=8)
    C = unequal_costs(3)
    model = made("gradient", C).fit(X, y)
    amount = np.random.default_rng(1).lognormal(size=100)
    by_name = model.decide(X, sample_cost={(2, 0): 5 * amount})
    tables = np.repeat(C[None], 100, axis=0)
    tables[:, 2, 0] = 5 * amount
    whole = model.decide(X, sample_cost=tables)
    np.testing.assert_array_equal(by_name, whole)
    np.testing.assert_allclose(by_name.expected_costs, whole.expected_costs, rtol=1e-12)
    np.testing.assert_allclose(
        whole.expected_costs, np.einsum("nk,nka->na", model.predict_proba(X), tables), rtol=1e-12
    )
    with pytest.raises(ValueError, match="sample_cost has two axes: a cost per row and answer, as in fit"):
        model.decide(X, sample_cost=C[y])
    frame = pd.DataFrame(X, index=np.arange(100)[::-1])
    with pytest.raises(ValueError, match="sample_cost has another index than X"):
        model.decide(frame, sample_cost={(2, 0): pd.Series(amount)})


def test_a_named_table_counts_steps_in_the_order_that_the_labels_of_the_fit_declared():
    X, y = easy(120, seed=9)
    grades = ["good", "fair", "poor"]
    labels = pd.Series(pd.Categorical.from_codes(y, grades, ordered=True))
    for name in ("angle-ada", "gradient", "mixture", "bayes"):
        own, other = made(name, "linear").fit(X, labels), made(name).fit(X, labels)
        np.testing.assert_array_equal(own.decide(X, "linear").expected_costs, own.predict_proba(X) @ own.cost_matrix_)
        assert own.cost_matrix_[0, 2] == 1  # from fair to poor
        wanted = other.predict_proba(X) @ own.cost_matrix_
        np.testing.assert_array_equal(other.decide(X, "linear").expected_costs, wanted)


def test_a_pipeline_decides_through_its_probabilities():
    X, y = easy(120, seed=10)
    pipeline = make_pipeline(StandardScaler(), made("gradient")).fit(X, np.array(["p", "q", "r"])[y])
    table = pd.DataFrame([[0, 1], [4, 1], [9, 1]], index=list("pqr"), columns=["p", "human"])
    decision = decisions.decide(pipeline.predict_proba(X), table, classes=pipeline.classes_)
    assert set(decision.tolist()) <= {"p", "human"}


def test_before_a_fit_it_says_so_and_after_a_pickle_it_decides():
    X, y = easy()
    for name in ("angle-ada", "gradient", "mixture", "bayes"):
        with pytest.raises(NotFittedError):
            made(name).decide(X)
        model = made(name).fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(
            again.decide(X, "linear", priors=[0.5, 0.3, 0.2]), model.decide(X, "linear", priors=[0.5, 0.3, 0.2])
        )
