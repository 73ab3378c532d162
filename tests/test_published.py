"""Boosters of the published protocol against slow versions written from its description."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from reference.published import ROUNDS, slow_scores, slow_step

from bench.algorithms import published_factory
from bench.published.angle import logitboost_round

NAMES = ("AdaBoost.MH", "SAMME", "AdaBoost.M2", "p-norm", "Angle AdaBoost", "Angle LogitBoost")


def rows(seed=0, n=80, K=4):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    X = rng.standard_normal((n, 3)).round(1)
    X[:, 0] += y
    X[:, 1] += y % 2
    return X, y


def asymmetric(K, seed=5):
    C = np.random.default_rng(seed).uniform(0.5, 3.0, (K, K))
    np.fill_diagonal(C, 0.0)
    return C


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("K", [3, 4])
def test_every_round_equals_the_slow_version(name, K):
    X, y = rows(K=K)
    X_test, y_test = rows(seed=1, n=601, K=K)
    C = asymmetric(K)
    booster = published_factory(name)(C, ROUNDS, 0).fit(X, y)
    scores = slow_scores(name, X, y, C, X_test)
    leaders = scores >= scores.max(axis=2, keepdims=True) - 1e-9  # more than one in a tie: the first counts
    expected = C[y_test, leaders.argmax(axis=2)].mean(axis=1)
    np.testing.assert_allclose(booster.staged_cost(X_test, y_test), expected, rtol=1e-12)
    np.testing.assert_array_equal(booster.predict(X_test), leaders[-1].argmax(axis=1))
    assert booster.n_iter_ == ROUNDS


def test_logitboost_step_minimises_the_loss():
    rng = np.random.default_rng(0)
    for K in (2, 3, 7):
        costs, margins = rng.random((K, 50)), rng.normal(0, 2, (K, 50))
        labels = np.where(rng.random(50) < 0.5, rng.integers(0, K, 50), costs.argmin(axis=0))
        gram = np.where(labels == np.arange(K)[:, None], 1.0, -1 / (K - 1))

        best = slow_step(costs, margins, gram)
        channels, inverse = np.zeros_like(costs), np.exp(-margins)
        beta = logitboost_round(channels, costs, inverse, labels)
        at_beta, at_best = ((costs * np.logaddexp(0, margins + b * gram)).sum() for b in (beta, best))
        assert at_beta <= at_best + 1e-8
        np.testing.assert_allclose(channels, -costs / (1 + np.exp(-(margins + beta * gram))), rtol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_perfect_rule_enters_with_coefficient_one(name):
    X, y = np.repeat([[0.0], [1.0]], 10, axis=0), np.repeat([0, 1], 10)
    booster = published_factory(name)(None, 5, 0).fit(X, y)
    np.testing.assert_array_equal(booster.predict(X), y)
    np.testing.assert_array_equal(booster.staged_cost(X, y), np.zeros(5))
    if name != "p-norm":
        np.testing.assert_array_equal(booster.weights_, np.ones_like(booster.weights_))


@pytest.mark.parametrize("name", ["SAMME", "AdaBoost.MH"])
def test_costs_play_no_part_in_training_these(name):
    X, y = rows()
    X_test, y_test = rows(1)
    equal, unequal = (published_factory(name)(C, 10, 0).fit(X, y) for C in (None, asymmetric(4)))
    np.testing.assert_array_equal(equal.predict(X_test), unequal.predict(X_test))
    assert unequal.staged_cost(X_test, y_test)[-1] == pytest.approx(asymmetric(4)[y_test, equal.predict(X_test)].mean())


def test_weights_of_test_rows_and_labels_of_any_type():
    X, y = rows()
    names = np.array(["d", "c", "b", "a"])[y]
    C = asymmetric(4)
    booster = published_factory("Angle AdaBoost")(C, 10, 0).fit(X, names)
    X_test, y_test = rows(1, n=30)
    truth = 3 - y_test
    repeats = np.arange(30) % 3 + 1
    expected = booster.staged_cost(np.repeat(X_test, repeats, axis=0), np.repeat(np.sort(names)[::20][truth], repeats))
    weighted = booster.staged_cost(X_test, np.array(list("abcd"))[truth], sample_weight=repeats)
    np.testing.assert_allclose(weighted, expected, rtol=1e-12)
    again = pickle.loads(pickle.dumps(booster))
    np.testing.assert_array_equal(again.predict(X_test), booster.predict(X_test))


def test_bad_input_is_named():
    X, y = rows()
    make = published_factory("SAMME")
    with pytest.raises(ValueError, match="Boosting"):
        published_factory("Boosting")
    with pytest.raises(ValueError, match="rounds must be at least 1, got 0"):
        make(None, 0, 0)
    with pytest.raises(ValueError, match=r"Columns \[1\] hold missing"):
        make(None, 3, 0).fit(np.where(np.arange(3) == 1, np.nan, X), y)
    with pytest.raises(ValueError, match="at least two classes"):
        make(None, 3, 0).fit(X, np.zeros(len(y)))
    with pytest.raises(ValueError, match="80 rows but y has 79"):
        make(None, 3, 0).fit(X, y[:-1])
    booster = make(None, 3, 0).fit(X, y)
    with pytest.raises(ValueError, match="2 features, the training rows had 3"):
        booster.predict(X[:, :2])
    with pytest.raises(ValueError, match=r"Labels \[9\] do not occur"):
        booster.staged_cost(X, np.where(y == 3, 9, y))
    with pytest.raises(ValueError, match="sample_weight 5 weights"):
        booster.staged_cost(X, y, sample_weight=np.ones(5))
