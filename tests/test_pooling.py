"""How the members of the mixture are pooled: exponents by hand, rows that count, and what no member decides alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from csboost import CostSensitiveClassifier, data, explain
from csboost.mixture import pooling
from csboost.mixture.pooling import pool, pooled


def two_witnesses(n, seed=0, K=3):
    """Two members that see halves of the logarithm of the truth each (n, K), and the classes."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, n, K)) * 2
    y = (first + second + rng.gumbel(size=(n, K))).argmax(axis=1)
    return [softmax(first, axis=1), softmax(second, axis=1)], y


def test_a_pool_makes_the_classes_likeliest():
    """Of two that see halves, one that trusts both in full is the truth."""
    members, y = two_witnesses(4000)
    found = pool(members, y, np.ones(4000))
    assert found.exponents == pytest.approx([1, 1], abs=0.07)
    assert found.weights == pytest.approx([0.5, 0.5], abs=0.03)
    assert found.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("n", [20, 200])
def test_exponents_are_of_least_penalised_loss(n):
    """Three rows' worth of loss for moving one by 1 from its equal share, by another way of searching."""
    members, y = two_witnesses(n, seed=n)

    def loss(exponents):
        doubtful = [np.log(0.999 * P + 0.001 / 3) for P in members]
        P = softmax(exponents[0] * doubtful[0] + exponents[1] * doubtful[1], axis=1)
        return -np.log(P[np.arange(n), y]).sum() + 3 * ((exponents - 0.5) ** 2).sum()

    least = minimize(loss, [0.5, 0.5], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10}).x
    assert pool(members, y, np.ones(n)).exponents == pytest.approx(least, abs=1e-4)


def test_what_knows_nothing_is_made_to_say_so():
    members, y = two_witnesses(3000)
    against = [np.roll(P, 1, axis=0) for P in members]  # of other rows
    found = pool(against, y, np.ones(3000))
    assert found.temperature == 20
    assert log_loss(y, pooled(against, found.exponents)) < np.log(3) + 0.01
    right = pool([members[0], against[0]], y, np.ones(3000))
    assert right.weights[0] > 0.95


def test_a_pool_counts_rows_by_their_weights():
    members, y = two_witnesses(400)
    weights = np.random.default_rng(1).integers(0, 2, 400) * 5.0
    some = weights > 0
    counted = pool(members, y, weights)
    assert counted.exponents == pytest.approx(pool([P[some] for P in members], y[some], np.ones(some.sum())).exponents)
    for scale in (1e-300, 1e300):
        assert pool(members, y, weights * scale).exponents == pytest.approx(counted.exponents)


def test_few_heavy_rows_count_as_few():
    """A hundred rows, of which four have nearly all the weight: exponents stay near equal ones, as with four rows."""
    members, y = two_witnesses(100)
    weights = np.where(np.arange(100) < 4, 1000.0, 1e-3)
    few = pool([P[:4] for P in members], np.r_[y[:4]], np.ones(4))
    assert pool(members, y, weights).exponents == pytest.approx(few.exponents, abs=0.01)


def test_rows_that_nobody_could_know_do_not_count():
    members, y = two_witnesses(60)
    holes = members[0].copy()
    holes[10:20] = np.nan
    rest = np.r_[:10, 20:60]
    kept = pool([P[rest] for P in members], y[rest], np.ones(50))
    assert pool([holes, members[1]], y, np.ones(60)).exponents == pytest.approx(kept.exponents)
    assert pool([np.full((60, 3), np.nan), members[1]], y, np.ones(60)) == (pytest.approx([0.5, 0.5]), 1.0)
    wider = [np.c_[P, np.zeros(60)] for P in members]
    single = [np.vstack([P, [0, 0, 1, 0]]) for P in wider]  # the only row of a class, by fits that never met it
    with_it = pool(single, np.r_[y, 3], np.ones(61))
    assert with_it.exponents == pytest.approx(pool(wider, y, np.ones(60)).exponents)


def test_of_many_rows_a_pool_sees_a_part(monkeypatch):
    members, y = two_witnesses(6000)
    whole = pool(members, y, np.ones(6000)).exponents
    monkeypatch.setattr(pooling, "MOST_ROWS", 2000)
    found = pool(members, y, np.ones(6000)).exponents
    assert found == pytest.approx(whole, abs=0.1)
    assert (found != whole).all()


def test_no_member_rules_a_class_out_alone():
    """A cell out of all bounds in a column that says nothing, which a line would follow anywhere."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=1200) > 0).astype(int)
    model = CostSensitiveClassifier(random_state=0).fit(X[:300], y[:300])
    clean = (model.predict(X[300:]) == y[300:]).mean()
    X[300:, 2] = 100.0
    assert (model.predict(X[300:]) == y[300:]).mean() > clean - 0.08
    assert model.predict_proba(np.full((1, 4), 1e200)).min() > 1e-6


def test_a_class_that_the_regression_never_met_is_shared_too():
    """As where there are more rows than it learns from: its member knows two classes of three."""
    X, y = data.make_waveform(120, random_state=0)
    X = X[:, :4]
    model = CostSensitiveClassifier("linear", effort="fast", random_state=0).fit(X, y)
    fewer = model.members_["logistic regression"]
    fewer.steps[-1] = ("regression", LogisticRegression().fit(fewer[:-1].transform(X[y != 1]), y[y != 1]))
    found = explain.contributions(model, X[:8], X)
    np.testing.assert_allclose(found.expected + found.values.sum(axis=1), found.difference, atol=1e-9)
