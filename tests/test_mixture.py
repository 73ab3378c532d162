"""The model to fit first: what its members learn, how they are mixed, what it answers."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from cases import compiled, unequal_costs
from scipy.special import softmax
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

import csboost
from csboost import CostSensitiveClassifier, data
from csboost._inputs.categories import Categories
from csboost.mixture import classifier, linear
from csboost.mixture.linear import STRENGTHS, fit_regressions
from csboost.problem import read_problem

EFFORTS = ("fast", "default", "high")
ROUNDS = 30  # at most; enough for what is asked here


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    """Keep the boosters short: of interest is what is made of them."""
    for effort in classifier.EFFORTS.values():
        for parameters in effort.boosters.values():
            monkeypatch.setitem(parameters, "n_estimators", min(ROUNDS, parameters.get("n_estimators", ROUNDS)))


def straight(n, seed=0, K=3):
    """Rows whose classes follow from a linear function and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X @ rng.normal(size=(4, K)) * 2 + rng.gumbel(size=(n, K))).argmax(axis=1)


def fitted(X, y, **options):
    return CostSensitiveClassifier(**{"effort": "fast", "random_state": 0, **options}).fit(X, y)


def test_a_strength_is_that_of_least_held_out_loss_among_all():
    """Each fold goes through all strengths by itself, from where the one before ended."""
    X, y = data.make_waveform(200, random_state=3)
    rng, folds = np.random.RandomState(0), np.arange(200) % 5
    problem = read_problem(CostSensitiveClassifier(), X, y, None, None, Categories())
    for name, found in fit_regressions(problem, folds, np.zeros(X.shape[1], bool), rng).items():
        Z, tried = found.model[:-1].transform(problem.X.astype(float)), np.empty((len(STRENGTHS), 200, 3))
        for fold in range(5):
            held, model = folds == fold, LogisticRegression(max_iter=1000, warm_start=True)
            for P, strength in zip(tried, STRENGTHS, strict=True):
                P[held] = model.set_params(C=strength).fit(Z[~held], y[~held]).predict_proba(Z[held])
        best, strength = int(np.argmin([log_loss(y, P) for P in tried])), found.model[-1].C
        assert strength == STRENGTHS[best], name
        np.testing.assert_allclose(found.probabilities, tried[best], rtol=1e-9)


@compiled("enough rounds for steps")
def test_a_linear_problem_goes_to_the_regression_and_steps_to_the_trees():
    X, y = straight(600)
    model = fitted(X, y, effort="default")
    assert list(model.members_) == ["gradient boosting", "logistic regression", "logistic regression, products"]
    assert model.weights_[1:].sum() > 0.7
    steps = (np.floor(2 * X[:, 0]) % 3).astype(int)
    assert fitted(X, steps, effort="default").weights_[0] > 0.6


@pytest.mark.parametrize("effort", EFFORTS)
def test_probabilities_are_the_members_multiplied_by_their_weights(effort):
    X, y = data.make_waveform(600, random_state=1)
    C = unequal_costs(3)
    model = fitted(X, y, cost_matrix=C, effort=effort)
    assert len(model.members_) == len(model.weights_) == {"fast": 2, "default": 3, "high": 4}[effort]
    parts = [np.log(0.999 * member.predict_proba(X) + 0.001 / 3) for member in model.members_.values()]
    P, mean = model.predict_proba(X), sum(w * part for w, part in zip(model.weights_, parts, strict=True))
    np.testing.assert_allclose(P, softmax(mean / model.temperature_, axis=1), rtol=1e-9)
    assert model.weights_.sum() == pytest.approx(1)
    assert (model.weights_ >= 0).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(model.predict_expected_cost(X), P @ C, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.classes_[(P @ C).argmin(axis=1)])


def test_costs_change_the_answers_and_not_the_probabilities():
    X, y = data.make_waveform(250, random_state=1)
    equal, linear_ = fitted(X, y), fitted(X, y, cost_matrix="linear")
    np.testing.assert_array_equal(equal.predict_proba(X), linear_.predict_proba(X))
    np.testing.assert_array_equal(equal.predict(X), equal.classes_[equal.predict_proba(X).argmax(axis=1)])


def test_where_squares_and_products_decide_they_get_the_weight():
    """Classes by the product of two columns, which no line tells apart and trees only in steps."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 3))
    y = (3 * X[:, 0] * X[:, 1] + X[:, 2] ** 2 + rng.logistic(size=600) > 1).astype(int)
    model = fitted(X[:400], y[:400], effort="high")
    assert list(model.members_)[2:] == ["logistic regression", "logistic regression, products"]
    assert model.weights_[-1] > 0.5
    plain = fitted(X[:400], y[:400])
    assert log_loss(y[400:], model.predict_proba(X[400:])) < log_loss(y[400:], plain.predict_proba(X[400:])) - 0.03


@pytest.mark.parametrize(
    ("rows", "numbers", "names", "coded", "known"),
    [
        (100, 8, 0, 0, True), (84, 8, 1, 0, False), (88, 8, 1, 30, True), (9000, 26, 3, 5, True),
        (9000, 27, 0, 0, False), (90, 0, 2, 3, False),
    ],
)  # fmt: skip
def test_products_are_left_out_where_rows_are_few_or_columns_many(rows, numbers, names, coded, known, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.hstack(
        [rng.normal(size=(rows, numbers)), rng.integers(0, 4, (rows, names)), rng.random((rows, coded)) > 0.5]
    )
    categorical = (np.arange(X.shape[1]) >= numbers) & (np.arange(X.shape[1]) < numbers + names)
    monkeypatch.setattr(linear, "_fit", lambda *given: None)  # of interest is which are fitted
    found = linear.fit_regressions(SimpleNamespace(X=X, y=X[:, 0]), None, categorical, rng)
    assert list(found) == ["logistic regression", "logistic regression, products"][: 1 + known]
    assert len(linear.fit_regressions(SimpleNamespace(X=X, y=X[:, 0]), None, categorical, rng, products=False)) == 1


def test_columns_that_were_coded_before_stay_0_and_1():
    """Given the variance of numbers, a column that is 1 in a few rows would have a say as large as it is rare."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"town": rng.random(300) < 0.01, "a": rng.normal(size=300), "gap": rng.integers(0, 2, 300)})
    table = table.astype(float).mask(np.arange(300)[:, None] % 7 == [1, 2, 3])
    y = (table["a"].fillna(0) + rng.logistic(size=300) > 0).astype(int)
    for name in ("logistic regression", "logistic regression, products"):
        encoder = fitted(table, y, effort="default").members_[name].named_steps["columns"]
        Z, whole = encoder.transform(table.to_numpy()), table[["town", "gap"]].notna().all(axis=1).to_numpy()
        coded = [np.isin(column[whole], [0, 1]).all() and column[whole].any() for column in Z.T]
        assert sum(coded) == 2
        assert np.allclose(Z[:, ~np.array(coded)].mean(axis=0), 0, atol=0.2)


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_number_of_threads_changes_nothing(effort):
    X, y = data.make_waveform(250, random_state=1)
    one, two = (fitted(X, y, effort=effort, n_jobs=n_jobs).predict_proba(X) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one, two)


@compiled("enough rounds for steps")
def test_a_table_is_taken_as_it_is():
    """Numbers with gaps, text, categories; in later rows a category that training had not."""
    rng = np.random.default_rng(0)
    town = rng.choice(["Bonn", "Kiel", "Ulm"], 400)
    size = rng.normal(size=400)
    y = np.where(town == "Kiel", "high", np.where(size > 0, "low", "middle"))
    X = pd.DataFrame({"town": town, "size": size, "colour": pd.Categorical(rng.choice(["red", "blue"], 400))})
    X.loc[::7, "size"], X.loc[::9, "town"] = np.nan, None
    model = fitted(X, y)
    right = (model.predict(X) == y)[X.notna().all(axis=1)]
    assert right.mean() > 0.95
    assert model.feature_names_in_.tolist() == ["town", "size", "colour"]
    other = X.head(3).assign(town="Mainz", colour=pd.Categorical(["green"] * 3))
    assert np.isfinite(model.predict_proba(other)).all()
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X.rename(columns={"size": "height"}))


def test_names_and_order_of_classes_do_not_matter():
    X, y = data.make_waveform(200, random_state=2)
    names = np.array(["c", "a", "b"])  # class 0 sorts last
    P, Q = fitted(X, y).predict_proba(X), fitted(X, names[y]).predict_proba(X)
    np.testing.assert_allclose(Q[:, [2, 0, 1]], P, atol=1e-6)


def test_rows_of_weight_zero_take_no_part():
    X, y = data.make_waveform(200, random_state=2)
    extra, wrong = np.vstack([X, X[:50] + 9]), np.append(y, (y[:50] + 1) % 3)
    weights = np.append(np.ones(200), np.zeros(50))
    model = CostSensitiveClassifier(effort="fast", random_state=0).fit(extra, wrong, sample_weight=weights)
    np.testing.assert_array_equal(model.predict_proba(X), fitted(X, y).predict_proba(X))


@pytest.mark.parametrize("rows", [[0, 1], [0, 1, 2], [0, 1, 2, 3, 4, 5]])
def test_few_rows_are_enough(rows):
    X, y = np.arange(6.0)[rows, None], np.array(["a", "b", "a", "a", "b", "c"])[rows]
    P = fitted(X, y).predict_proba(X)
    assert P.shape == (len(rows), len(set(y)))
    np.testing.assert_allclose(P.sum(axis=1), 1)


def test_a_class_of_one_row_is_known():
    X, y = data.make_waveform(100, random_state=3)
    y = np.where(np.arange(100) == 7, 9, y)
    model = fitted(X, y)
    assert model.classes_.tolist() == [0, 1, 2, 9]
    assert (model.predict_proba(X)[:, 3] > 0).all()


def test_of_many_rows_the_regression_sees_a_part(monkeypatch):
    X, y = straight(900)
    monkeypatch.setattr(linear, "MOST_ROWS", 300)
    model = fitted(X, y)
    assert model.weights_[1] > 0.5
    assert (model.predict(X) == y).mean() > 0.6


def test_it_travels():
    X, y = data.make_waveform(150, random_state=3)
    model = fitted(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), model.predict_proba(X))


def test_what_it_learnt_is_said_on_request(capsys):
    X, y = data.make_waveform(150, random_state=3)
    model = fitted(X, y, verbose=1)
    told = f"gradient boosting {model.weights_[0]:.2f}, logistic regression {model.weights_[1]:.2f}; temperature "
    assert told in capsys.readouterr().err


def test_bad_input_is_named():
    X, y = data.make_waveform(100, random_state=3)
    with pytest.raises(ValueError, match="effort"):
        fitted(X, y, effort="most")
    with pytest.raises(ValueError, match="at least two classes"):
        fitted(X, np.zeros(100))
    with pytest.raises(NotFittedError):
        CostSensitiveClassifier().predict(X)
    with pytest.raises(ValueError, match="CostSensitiveClassifier is expecting 21 features"):
        fitted(X, y).predict(X[:, :3])
    assert "CostSensitiveClassifier" in csboost.__all__
