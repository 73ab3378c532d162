"""When a fit with held-out rows ends: by what its answers cost, and by what answers drawn by the scores would cost."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from cases import best_round, drawn_cost, easy, make
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils import check_random_state

from csboost import early_stopping
from csboost.boosting import Round
from csboost.early_stopping import EarlyStopping
from csboost.problem import check_problem, held_out


class Learner:
    """One leaf per row: whatever a round adds, it adds to each row by itself."""

    def leaves(self, X, m):
        return np.arange(len(X))


def watch(costs, rounds, patience):
    """The rounds that are taken in, and the watch after them."""
    watched = EarlyStopping(SimpleNamespace(X=costs, costs=costs), Learner(), patience, 0.0)
    for m, outputs in enumerate(rounds):
        if watched.stops(m, Round(outputs, 0.5, 0.0)):
            return m + 1, watched
    return len(rounds), watched


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 9), st.integers(2, 5), st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_the_best_round_is_that_of_the_two_costs_whatever_the_answers(n, A, patience, labels, seed):
    """Costs are of any number of answers, as of tables whose answers are no classes."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 4, (n, A)) * 1.5
    rounds = rng.integers(0, A, (30, n)) if labels else rng.normal(size=(30, n, A))
    taken, watched = watch(costs, list(rounds), patience)
    votes = np.eye(A)[rounds] if labels else rounds
    scores = 0.5 * np.cumsum(votes, axis=0)
    paid = [costs[np.arange(n), found.argmax(axis=1)].mean() for found in scores]
    drawn = [
        drawn_cost(found, costs) if np.ptp(found - found.mean(1, keepdims=True)) else costs.mean() for found in scores
    ]
    assert watched.best_round == best_round(paid, drawn, patience)
    longer = [best_round(paid[:m], drawn[:m], 10**9) for m in range(1, 31)]
    assert watched.best_round == longer[taken - 1]


def test_the_fit_goes_on_while_scores_gather_behind_cheaper_answers():
    """One of two rows is wrong for eleven rounds, but its score for the right answer grows all the while."""
    costs = np.array([[0.0, 1.0], [1.0, 0.0]])
    first, later = np.array([[1.0, -1], [1, -1]]), np.array([[0.0, 0], [-0.09, 0.09]])
    taken, watched = watch(costs, [first, *[later] * 20], patience=3)
    assert taken == 21
    assert watched.best_round == 20
    assert watched.sums.argmax(axis=1).tolist() == [0, 1]


def test_ties_of_what_is_paid_are_broken_by_the_drawn_answers():
    costs = np.array([[0.0, 1.0, 5.0]])
    nothing, near, far = np.zeros((1, 3)), np.array([[2.0, 1.9, -3.9]]), np.array([[2.0, -1.0, -1.0]])
    assert drawn_cost(far, costs) < drawn_cost(near, costs) < costs.mean()
    for order, best in (((near, far), 1), ((far, near), 0), ((nothing, far, near), 1), ((nothing, near, far), 2)):
        added = [2 * order[0], *(2 * (after - before) for before, after in pairwise(order))]
        taken, watched = watch(costs, added, patience=5)
        assert (taken, watched.best_round) == (len(order), best)


def test_scores_of_any_length_and_none_at_all():
    rng = np.random.default_rng(0)
    scores, costs = rng.normal(size=(50, 4)), rng.uniform(size=(50, 4))
    expected = 50 * drawn_cost(scores, costs)
    for factor in (1e-200, 1e-3, 1.0, 7.0, 1e200):
        assert early_stopping.drawn_cost(factor * scores, costs) == pytest.approx(expected, rel=1e-9)
    shifted = scores + rng.normal(size=(50, 1))  # the same for all answers of a row
    assert early_stopping.drawn_cost(shifted, costs) == pytest.approx(expected, rel=1e-9)
    for nothing in (0.0 * scores, np.full((50, 4), 3.0), np.where(scores > 2, np.inf, scores)):
        assert early_stopping.drawn_cost(nothing, costs) == pytest.approx(costs.mean(axis=1).sum())


@pytest.mark.parametrize("name", ["angle-ada", "samme", "mh", "pnorm"])
def test_a_fit_that_stops_early_is_the_beginning_of_one_that_does_not(name):
    X, y = easy(300)
    stopped = make(name, n_estimators=60, n_iter_no_change=5, validation_fraction=0.3, random_state=0).fit(X, y)
    assert 1 <= stopped.n_iter_ < 60
    patient = make(name, n_estimators=60, n_iter_no_change=60, validation_fraction=0.3, random_state=0).fit(X, y)
    common = min(stopped.n_iter_, patient.n_iter_)
    np.testing.assert_array_equal(stopped.estimator_weights_[:common], patient.estimator_weights_[:common])


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "pnorm"])
def test_answers_that_are_no_classes_and_gains_are_watched_too(name):
    X, y = easy(240, seed=1)
    table = pd.DataFrame([[-3, 2, 3, 0], [4, 0, 5, 1], [9, 5, -1, 1]], columns=[0, 1, 2, "human"])
    stopping = {"n_iter_no_change": 4, "validation_fraction": 0.3, "random_state": 7}
    model = make(name, n_estimators=40, cost_matrix=table, **stopping).fit(X, y)
    assert model.answers_.tolist() == [0, 1, 2, "human"]
    train, validation = held_out(check_problem(clone(model), X, y, None, None), 0.3, check_random_state(7))
    whole = clone(model).set_params(n_iter_no_change=None).fit(train.X, train.y)
    without_gains = (table.to_numpy() - [[-3], [0], [-1]])[validation.y]
    stages = list(whole.staged_decision_function(validation.X))
    paid = [without_gains[np.arange(len(found)), found.argmax(axis=1)].mean() for found in stages]
    assert model.n_iter_ == 1 + best_round(paid, [drawn_cost(found, without_gains) for found in stages], patience=4)
    plain = table.sub(table.min(axis=1), axis=0)  # a constant per truth changes no decision
    again = make(name, n_estimators=40, cost_matrix=plain, **stopping).fit(X, y)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
