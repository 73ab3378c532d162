"""Other shares of the classes than in training: known, or estimated from unlabelled rows."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from cases import TRUCK_COSTS, trucks, with_trucks
from scipy.optimize import minimize

from csboost import data, decisions
from csboost.decisions import estimating
from csboost.decisions.estimating import likeliest_shares, standard_errors

EVEN = np.full(3, 1 / 3)


def drawn(shares, n, seed=0):
    """Rows of the waveform in other shares: exact probabilities under equal shares, classes."""
    rng = np.random.default_rng(seed)
    X, y = data.make_waveform(6 * n, random_state=seed)
    wanted = rng.multinomial(n, shares)
    rows = np.concatenate([np.flatnonzero(y == k)[: wanted[k]] for k in range(3)])
    return data.waveform_probabilities(X[rows]), y[rows]


def test_probabilities_are_multiplied_by_new_over_training_shares():
    P, new, old = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]), np.array([0.7, 0.2, 0.1]), np.array([0.2, 0.5, 0.3])
    C = np.arange(12.0).reshape(3, 4)
    by_hand = np.array([[p * b / a for p, a, b in zip(row, old, new, strict=True)] for row in P])
    by_hand /= by_hand.sum(axis=1, keepdims=True)
    decision = decisions.decide(P, C, priors=new, train_priors=old)
    np.testing.assert_allclose(decision.expected_costs, by_hand @ C, rtol=1e-12)
    np.testing.assert_allclose(decision.priors, new, rtol=1e-12)


def test_shares_are_read_by_label():
    P, C = np.array([[0.5, 0.3, 0.2]]), 1.0 - np.eye(3)
    wanted = decisions.decide(P, C, priors=[0.7, 0.2, 0.1], train_priors=[0.2, 0.5, 0.3], classes=list("abc"))
    for kind in (dict, pd.Series):
        new, old = kind({"c": 0.1, "a": 0.7, "b": 0.2}), kind({"b": 0.5, "a": 0.2, "c": 0.3})
        found = decisions.decide(P, C, priors=new, train_priors=old, classes=list("abc"))
        np.testing.assert_array_equal(found.expected_costs, wanted.expected_costs)


def test_the_exact_probabilities_under_new_shares_are_those_of_the_reweighted_ones():
    """Chow's rule on the simulation: with the true shares as priors nothing is left to gain."""
    new = np.array([0.7, 0.2, 0.1])
    P, y = drawn(new, 20_000)
    C = np.column_stack([1.0 - np.eye(3), np.full(3, 0.3)])
    paid = {}
    for name, priors in (("as trained", None), ("known", new), ("half way", (new + EVEN) / 2)):
        decision = decisions.decide(P, C, priors=priors, train_priors=None if priors is None else EVEN)
        paid[name] = C[y, decision].mean()
        if name == "known":
            assert decision.expected_cost.mean() == pytest.approx(paid[name], rel=0.03)
    assert paid["known"] < paid["half way"] < paid["as trained"]


@pytest.mark.parametrize("shares", [[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.02, 0.49, 0.49]])
def test_the_estimate_is_the_likeliest_and_near_the_truth(shares):
    P, y = drawn(shares, 4000)
    train = np.array([0.5, 0.3, 0.2])  # as if trained with these
    P = P * train
    P /= P.sum(axis=1, keepdims=True)
    found = decisions.estimate_priors(P, train, classes=list("abc"))
    assert found.index.tolist() == list("abc")
    assert found.sum() == pytest.approx(1.0)

    def loss(free):
        return -np.log(P / train @ np.append(free, 1.0 - free.sum())).mean()

    best = minimize(loss, found.to_numpy()[:2] + 0.01, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-14})
    np.testing.assert_allclose(found[:2], best.x, atol=1e-5)
    np.testing.assert_allclose(found, np.bincount(y) / len(y), atol=0.03)


def test_an_estimate_is_what_is_then_decided_by():
    P, _ = drawn([0.7, 0.2, 0.1], 4000)
    C = 1.0 - np.eye(3)
    shares = decisions.estimate_priors(P, EVEN)
    decision = decisions.decide(P, C, priors="estimate", train_priors=EVEN)
    np.testing.assert_allclose(decision.priors, shares, rtol=1e-12)
    known = decisions.decide(P, C, priors=shares, train_priors=EVEN)
    np.testing.assert_array_equal(decision, known)


def test_a_good_estimate_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        decisions.estimate_priors(drawn([0.7, 0.2, 0.1], 4000)[0], EVEN)


def test_an_estimate_that_stays_where_it_began_warns():
    P, _ = drawn([0.7, 0.2, 0.1], 4000)
    with pytest.warns(UserWarning, match="stay where they began: the mean of the probabilities equals train_priors"):
        found = decisions.estimate_priors(P, P.mean(axis=0))
    np.testing.assert_allclose(found, P.mean(axis=0), atol=1e-6)
    with pytest.warns(UserWarning, match="stay where they began"):
        decisions.decide(P, priors="estimate", train_priors=P.mean(axis=0))


def test_an_estimate_without_a_class_warns():
    P = drawn([0.5, 0.5, 0.0], 4000)[0]
    P[:, 2] *= 0.3  # the classifier thinks even less of it than is right
    P /= P.sum(axis=1, keepdims=True)
    with pytest.warns(UserWarning, match="the estimated priors leave 2 no share at all"):
        found = decisions.estimate_priors(P, EVEN)
    assert found[2] < 1e-6


def test_an_uncertain_estimate_warns():
    with pytest.warns(UserWarning, match="estimated priors are uncertain: the share of . has a standard error of 0"):
        decisions.estimate_priors(drawn([0.7, 0.2, 0.1], 15)[0], EVEN)
    blind = np.full((500, 3), 1 / 3)  # classes 0 and 1 look alike, and 2 like both
    with pytest.warns(UserWarning) as said:  # noqa: PT030
        decisions.estimate_priors(blind, EVEN)
    assert "stay where they began" in str(said[0].message)
    assert "has a standard error without bound" in str(said[1].message)


@pytest.mark.parametrize("rounds", [2, 2000])
def test_an_estimate_that_has_not_come_to_rest_warns(rounds, monkeypatch):
    monkeypatch.setattr(estimating, "ROUNDS", rounds)
    P = drawn([0.7, 0.2, 0.1], 4000)[0]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        decisions.estimate_priors(P, EVEN)
        decisions.decide(P, priors="estimate", train_priors=EVEN)
    found = [str(one.message) for one in said if "have not come to rest: after 2 rounds of EM" in str(one.message)]
    assert len(found) == (2 if rounds == 2 else 0)


def test_standard_errors_are_those_of_many_samples():
    samples = [drawn([0.6, 0.3, 0.1], 400, seed)[0] for seed in range(60)]
    found = np.array([likeliest_shares(P, EVEN) for P in samples])
    told = np.array([standard_errors(P / EVEN, shares) for P, shares in zip(samples, found, strict=True)])
    np.testing.assert_allclose(told.mean(axis=0), found.std(axis=0), rtol=0.3)


BAD = [
    ({"priors": [0.5, 0.3, 0.3]}, "priors sums to 1.1, not to 1: divide it by its sum"),
    ({"priors": [0.5, 0.7, -0.2]}, "priors gives class 'c' the share -0.2"),
    ({"priors": [0.5, np.nan, 0.5]}, "priors gives class 'b' the share nan"),
    ({"priors": [0.5, 0.5]}, r"priors has shape \(2,\), expected \(3,\): a share for each of the classes 'a', 'b'"),
    ({"priors": {"a": 0.5, "d": 0.5}}, "priors names 'd', which are no classes; the classes are 'a', 'b', 'c'"),
    ({"priors": {"a": 0.5, "b": 0.5}}, "priors lacks 'c'"),
    ({"priors": pd.Series([0.2, 0.3, 0.5])}, r"priors names 0, 1, 2, which are no classes; .*\.to_numpy\(\)"),
    ({"priors": "guess"}, "priors='guess' is unknown: give the shares of the classes, or 'estimate'"),
    ({"priors": [0.2, 0.3, 0.5], "train_priors": [0.5, 0.5, 0.0]}, "train_priors gives 'c' no share"),
    ({"priors": "estimate", "train_priors": [1.0, 0.0, 0.0]}, "train_priors gives 'b', 'c' no share"),
    ({"priors": [0.2, 0.3, 0.5], "train_priors": [0.5, 0.5, 0.5]}, "train_priors sums to 1.5"),
    ({"priors": [0.2, 0.3, 0.5], "train_priors": None}, r"give train_priors, e.g. .* or proba.mean\(axis=0\)"),
    ({"priors": "estimate", "train_priors": None}, "priors needs train_priors"),
    ({"priors": None}, "train_priors has no use without priors"),
]  # fmt: skip


@pytest.mark.parametrize(("shares", "message"), BAD)
def test_shares_that_cannot_be_used_are_named(shares, message):
    with pytest.raises(ValueError, match=message):
        decisions.decide(drawn(EVEN, 20)[0], classes=list("abc"), **{"train_priors": EVEN, **shares})


def test_a_row_that_no_share_is_left_for_is_named():
    P = [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]]
    with pytest.raises(
        ValueError, match="row 1 can only be of 'b' by its probabilities, and priors gives that no share"
    ):
        decisions.decide(P, priors=[0.5, 0.0, 0.5], train_priors=EVEN, classes=list("abc"))


def test_shares_of_no_rows_cannot_be_estimated():
    with pytest.raises(ValueError, match="proba has no rows"):
        decisions.estimate_priors(np.empty((0, 3)), EVEN)


@with_trucks
def test_published_probabilities_of_trucks_cost_less_with_the_shares_of_the_sample():
    (P, truth), C = trucks(), TRUCK_COSTS
    plain = decisions.decide(P, C)
    assert C[truth, plain].mean() == pytest.approx(25.06, abs=0.005)
    assert plain.expected_cost.mean() == pytest.approx(7.50, abs=0.005)
    shares, mean = np.bincount(truth, minlength=5) / len(truth), P.mean(axis=0)
    known = decisions.decide(P, C, priors=shares, train_priors=mean)
    assert C[truth, known].mean() == pytest.approx(8.21, abs=0.005)
    assert C[truth, 4].mean() == pytest.approx(8.70, abs=0.005)
    with pytest.warns(UserWarning, match="stay where they began"):
        estimated = decisions.decide(P, C, priors="estimate", train_priors=mean)
    np.testing.assert_array_equal(estimated, plain)
