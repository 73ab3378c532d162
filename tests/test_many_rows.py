"""Fits large enough for the other code paths: staged histograms in fits of 1,024 rows or more, the 32-bit grid from
32,768 on.
"""

from __future__ import annotations

import numpy as np
import pytest
import reference as ref
from cases import MANY_ROWS, VARIANTS, examples, make, rows, unequal_costs
from test_against_reference import REFERENCES, as_decision, assert_close, assert_same_tree, slow

from bench.kernels.workloads import alone
from csboost import AngleGradientBoostingClassifier
from csboost.problem import Problem, class_numbers
from csboost.weak import CostTree, growth
from csboost.weak.channels import NEGATED, SIGNED, Channels, grid_scale, write_channels
from csboost.weak.rules import LABEL, VOTES

MANY = rows(40_000)


def coarse_data(n_rows, seed=0, missing=0.0):
    """Few distinct values, so that the slow version has few thresholds to try; features of about equal use."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n_rows, 3)).astype(float)
    y = ((X.sum(axis=1) + rng.normal(size=n_rows) * 2) // 5).clip(0, 2).astype(int)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


class Data:
    """What ``slow`` takes."""

    def __init__(self, X, y, C, s):
        self.X, self.y, self.C, self.s, self.K = X, y, C, s, len(C)
        self.c = s[:, None] * C[y]

    def __iter__(self):
        return iter((self.X, self.y, self.C, self.s, self.K))


@pytest.mark.parametrize("n_rows", [1500, MANY_ROWS + rows(1000)])
@pytest.mark.parametrize("name", REFERENCES)
def test_boosters_against_the_reference(name, n_rows):
    X, y = coarse_data(n_rows, seed=n_rows, missing=0.1)
    s = np.random.default_rng(1).integers(1, 4, n_rows).astype(float)
    problem = Data(X, y, unequal_costs(3), s)
    options = {"loss": "logistic"} if name == "angle" else {}
    expected = slow("angle-logit" if name == "angle" else name, problem, 0.5)
    model = make(name, learning_rate=0.5, cost_matrix=problem.C, **options).fit(X, y, sample_weight=s)
    assert model.n_iter_ == len(expected.rounds)
    for forest, entry in zip(model.estimators_, expected.rounds, strict=True):
        assert_same_tree(forest, 0, entry["tree"])
    assert_close(model.decision_function(X), as_decision(expected.margins[-1], VARIANTS[name][0]))


def swapped(seed, n_rows=MANY):
    """Every row comes a second time with its two first features exchanged: any split of one ties with the other's."""
    X, y = coarse_data(n_rows // 2, seed)
    return np.vstack([X, X[:, [1, 0, 2]]]), np.append(y, y)


@pytest.mark.parametrize("name", ["angle-ada", "mh", "m2", "pnorm", "samme", "mh-real", "mh-apart"])
def test_an_exact_tie_of_many_rows_goes_to_the_lowest_feature(name):
    for seed in range(examples(8)):
        X, y = swapped(seed)
        X[:, 2] = 0.0
        order = np.random.default_rng(seed).permutation(len(y))
        model = make(name, n_estimators=1).fit(X[order], y[order])
        assert model.estimators_[0].feature[0, 0] == 0, seed


@pytest.mark.parametrize("name", VARIANTS)
def test_the_order_of_many_rows_changes_nothing(name):
    X, y = swapped(seed=1)
    order = np.random.default_rng(2).permutation(len(y))
    C = unequal_costs(3)
    model, shuffled = make(name, cost_matrix=C).fit(X, y), make(name, cost_matrix=C).fit(X[order], y[order])
    assert_close(shuffled.decision_function(X), model.decision_function(X))
    assert_close(shuffled.feature_importances_, model.feature_importances_)
    for one, other in zip(model.estimators_, shuffled.estimators_, strict=True):
        np.testing.assert_array_equal(one.feature, other.feature)
        np.testing.assert_array_equal(one.threshold, other.threshold)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("n_rows", [rows(25_000), MANY])  # the first becomes many by being repeated
def test_weight_2_is_the_row_twice_for_many_rows(name, n_rows):
    X, y = swapped(seed=3, n_rows=n_rows)
    weights = np.random.default_rng(4).integers(1, 4, len(y))
    weighted = make(name, n_estimators=4).fit(X, y, sample_weight=weights)
    repeated = make(name, n_estimators=4).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_close(weighted.decision_function(X), repeated.decision_function(X))


def test_dithering_leaves_no_bias():
    """Without it every channel would be rounded down by half a grid point, and sums of many rows be off by as much."""
    n_rows, scale = 60_000, 1000.0 / 7.0
    weights, labels, grid = np.full((n_rows, 3), 1.0 / 7.0), np.zeros(n_rows, np.uint8), np.zeros(n_rows * 4, np.int32)
    alone(write_channels)(weights, labels, NEGATED, scale, grid, 4, 0, n_rows)
    sums = grid.reshape(-1, 4)[:, :3].sum(axis=0) / scale
    np.testing.assert_allclose(sums, -n_rows / 7.0, rtol=1e-6)


def missing_and_noise(n_rows, seed):
    """Labels that hang on what is missing, with enough noise for trees of many leaves."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n_rows, 4)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    y = (np.nan_to_num(X[:, 0], nan=9.0) + np.nan_to_num(X[:, 1], nan=-3.0) > 5).astype(int) + np.isnan(X[:, 2])
    return X, np.where(rng.random(n_rows) < 0.4, rng.integers(0, 3, n_rows), y)


@pytest.mark.parametrize("leaves", [4, 17, 40])
def test_trees_of_many_leaves_send_missing_values_the_right_way(leaves):
    """Their rows are led down one by one, those of small trees all at once."""
    X, y = missing_and_noise(1000, leaves)
    truth, weights = np.eye(3, dtype=bool)[y], np.ones((1000, 3))
    expected = ref.grow_tree(X, np.where(truth, 1.0, -1.0), "votes", max_leaves=leaves)
    problem = Problem(X, y.astype(np.uint8), np.ones(1000), weights, np.arange(3), 1.0 - np.eye(3))
    learner = CostTree(leaves).bind(problem, VOTES, 1, 1, np.random.RandomState(0))
    learner.grow(0, Channels(weights, SIGNED, 3000.0))
    forest = learner.rules(1)
    assert_same_tree(forest, 0, expected)
    assert forest.n_leaves[0] > min(leaves - 1, 16)  # more than 16 are led down another way
    assert forest.missing_left[0, forest.left[0] != np.arange(2 * leaves - 1)].any()
    np.testing.assert_array_equal(forest.apply(X, 0), np.searchsorted(expected.leaves, expected.apply(X)))


@pytest.mark.parametrize("name", ["samme", "mh", "mh-apart", "pnorm-set"])
@pytest.mark.parametrize("leaves", [16, 17, 40])
@pytest.mark.parametrize("n_rows", [255, 256, 1000])
def test_staged_cost_of_trees_of_many_leaves(name, leaves, n_rows):
    X, y = missing_and_noise(n_rows, leaves)
    model = make(name, n_estimators=3, weak_learner=CostTree(max_leaf_nodes=leaves)).fit(X, y)
    expected = [np.mean(answers != y) for answers in model.staged_predict(X)]
    np.testing.assert_allclose(model.staged_cost(X, y), expected, atol=1e-12)


@pytest.mark.parametrize("name", VARIANTS)
def test_an_unseen_missing_value_goes_to_the_heavier_child(name):
    """Ten rows left of the first split, twenty right; the left ones weigh more."""
    X, y = np.append(np.zeros(10), np.ones(20))[:, None], np.append(np.zeros(10, int), np.ones(20, int))
    y[[3, 15]] = 1 - y[[3, 15]]
    unseen = np.array([[np.nan], [0.0], [1.0]])
    for weight, side in ((1.0, 1), (5.0, 0)):
        weights = np.where(X[:, 0] == 0, weight, 1.0)
        model = make(name, n_estimators=1).fit(X, y, sample_weight=weights)
        answers = model.decision_function(unseen)
        assert answers[0] == answers[1 + side]
        again = make(name, n_estimators=1).fit(*(np.repeat(part, weights.astype(int), axis=0) for part in (X, y)))
        assert_close(again.decision_function(unseen), answers)


@pytest.mark.parametrize("name", ["angle-ada", "samme", "mh-real"])
@pytest.mark.parametrize("n_rows", [200, 3000])
def test_where_nodes_are_summed_changes_no_bit(name, n_rows, monkeypatch):
    """Small nodes where they are scanned, or none: then a scan reads no rows."""
    X, y = missing_and_noise(n_rows, seed=n_rows)
    there = make(name, n_estimators=3).fit(X, y)
    monkeypatch.setattr(growth, "SMALL", 0)
    apart = make(name, n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(apart.decision_function(X), there.decision_function(X))
    np.testing.assert_array_equal(apart._ensemble.rules.gains, there._ensemble.rules.gains)


@pytest.mark.parametrize("thresholds", ["exact", "random"])
@pytest.mark.parametrize("K", [3, 5, 8])
@pytest.mark.parametrize("few_valued", [0, 3, 9])
def test_where_nodes_of_vector_leaves_are_summed_changes_no_bit(thresholds, K, few_valued, monkeypatch):
    """Columns alone, shared, and both in one group; tiles of 8 and 16; in the kernel of the tree, or asked for."""
    rng = np.random.default_rng(K)
    X, y = rng.normal(size=(3000, 11)), rng.integers(0, K, 3000)
    X[:, 9] += y
    X[:, :few_valued] = X[:, :few_valued] > 0
    X[rng.random(X.shape) < 0.02] = np.nan
    model = AngleGradientBoostingClassifier(n_bags=1, n_estimators=3, thresholds=thresholds, random_state=0)
    there = model.fit(X, y).decision_function(X)
    np.testing.assert_array_equal(model.set_params(n_jobs=2).fit(X, y).decision_function(X), there)
    for small, few in ((0, 0), (1024, 1024), (1024, 64)):
        monkeypatch.setattr(growth, "SMALL", small)
        monkeypatch.setattr(growth, "FEW", few)
        np.testing.assert_array_equal(model.fit(X, y).decision_function(X), there)


def test_a_tree_that_was_interrupted_leaves_nothing_behind():
    """Ctrl-C in one thread's part of a pass; the same learner then grows the tree that a fresh one grows."""
    X, y = coarse_data(rows(70_000, least=17_000), seed=9)
    problem = Problem(X, class_numbers(y, 3), np.ones(len(y)), unequal_costs(3)[y], np.arange(3), unequal_costs(3))
    channels = Channels(problem.costs, NEGATED, float(problem.costs.sum()))
    fresh, stopped = (CostTree().bind(problem, LABEL, 2, 2, np.random.RandomState(0)) for _ in range(2))
    whole, calls = stopped._sum_rows, []

    def interrupted(kind):
        whole(kind)
        calls.append(kind)
        if len(calls) == 2:
            raise KeyboardInterrupt

    stopped._sum_rows = interrupted
    with pytest.raises(KeyboardInterrupt):
        stopped.grow(0, channels)
    stopped._sum_rows = whole
    expected, found = fresh.grow(0, channels), stopped.grow(0, channels)
    np.testing.assert_array_equal(found.sums, expected.sums)
    np.testing.assert_array_equal(found.leaf_of_row, expected.leaf_of_row)


def test_more_rows_and_classes_than_the_grid_holds_are_refused():
    with pytest.raises(ValueError, match="more than the 32-bit grid can sum"):
        grid_scale(1.0, 2**31, np.int32)
