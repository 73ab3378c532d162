"""When a fit with held-out rows ends: by what its answers cost, and by what answers drawn by the scores would cost."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from cases import best_round, drawn_cost, easy, make
from hypothesis import given, settings
from hypothesis import strategies as st

from csboost import early_stopping
from csboost.boosting import Round
from csboost.early_stopping import EarlyStopping


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
