"""Trees of vector leaves: against a slow reference, and what they promise."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from cases import compiled
from reference.vector_tree import How, grow_vector_tree
from vector_leaves import POINTS, Problem

from csboost.weak import compiled_walk, numpy_walk
from csboost.weak.channels import LIKELIHOOD, Channels
from csboost.weak.layout import Search

SEARCHES = [
    Search(1, 0.3),
    Search(5, 1.0, 3, 11),
    Search(5, 0.3, 4, 12, True),
    Search(20, 2.0, 10, 13, False, True),
    Search(3, 0.1, 3, 2**62 + 14, True, True),
]
PROBLEMS = {
    "numbers": Problem(300, 6, 3, 0),
    "missing": Problem(300, 5, 4, 1, missing=0.15),
    "left out": Problem(400, 5, 5, 2, missing=0.1, left_out=0.3),
    "categories": Problem(500, 6, 4, 3, n_categorical=4, missing=0.1, left_out=0.1),
    "two classes": Problem(250, 5, 2, 4, n_categorical=2, missing=0.1),
    "few values": Problem(300, 6, 3, 5, n_categorical=2, missing=0.1, values=6),
    "few rows": Problem(12, 4, 3, 6, n_categorical=1, missing=0.1),
    "blocks": Problem(4400, 3, 11, 7, n_categorical=1, missing=0.1, left_out=0.2, values=16),
}


@pytest.mark.parametrize("search", SEARCHES, ids=range(len(SEARCHES)))
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_slow_reference_grows_the_same_tree(name, search):
    problem = PROBLEMS[name]
    rule, grower = problem.grow(search)
    wanted = grow_vector_tree(problem.X, problem.G, problem.H, problem.weights, How(*search), 8, problem.categorical)
    np.testing.assert_array_equal(rule.leaf_of_row, wanted.leaf_of_row(problem.X))
    forest = grower.rules(1)
    is_inner = [split is not None for split in wanted.splits]
    np.testing.assert_allclose(forest.gains[0, : len(is_inner)][is_inner], np.array(wanted.gains)[is_inner], rtol=1e-9)
    assert forest.missing_left[0, : len(is_inner)][is_inner].tolist() == [
        split.missing_left for split in wanted.splits if split is not None
    ]


@pytest.mark.parametrize("name", PROBLEMS)
def test_sums_of_the_leaves_are_those_of_their_rows(name):
    problem = PROBLEMS[name]
    rule, _ = problem.grow(Search(2, 0.3, is_ordered=True))
    counted = problem.weights > 0
    parts = np.zeros(len(problem.X)), problem.G, counted, problem.H
    rows = np.column_stack(parts)
    for leaf, sums in enumerate(rule.sums):
        np.testing.assert_allclose(sums, rows[rule.leaf_of_row == leaf].sum(axis=0), atol=1e-9 * POINTS)
    assert (rule.sums[:, problem.n_classes + 1] >= 2).all()


@compiled("it grows on many rows")
@pytest.mark.parametrize("search", SEARCHES, ids=range(len(SEARCHES)))
def test_threads_and_order_of_memory_change_nothing(search):
    problem = Problem(40000, 5, 3, 8, n_categorical=2, missing=0.1, left_out=0.2)
    first, grower = problem.grow(search)
    leaves, sums, nodes = first.leaf_of_row.copy(), first.sums.copy(), grower.trees.nodes.copy()
    X = problem.X
    for other in (X, np.asfortranarray(X), X.astype(np.float32)):
        for n_threads in (1, 2):
            rule, grower = problem.grow(search, X=other, n_threads=n_threads)
            np.testing.assert_array_equal(grower.trees.nodes, nodes)
            np.testing.assert_array_equal(rule.leaf_of_row, leaves)
            assert rule.sums.tobytes() == sums.tobytes()


@pytest.mark.parametrize("search", SEARCHES, ids=range(len(SEARCHES)))
def test_classes_in_another_order_have_the_same_trees(search):
    problem = Problem(600, 6, 5, 9, n_categorical=3, missing=0.1)
    rule, grower = problem.grow(search)
    order = np.array([3, 0, 4, 1, 2])
    leaves, sums, nodes = rule.leaf_of_row.copy(), rule.sums, grower.trees.nodes
    problem.G, problem.H = problem.G[:, order], problem.H[:, order]
    permuted, grower = problem.grow(search)
    np.testing.assert_array_equal(permuted.leaf_of_row, leaves)
    np.testing.assert_array_equal(permuted.sums[:, 1:6], sums[:, 1:6][:, order])
    np.testing.assert_array_equal(grower.trees.nodes, nodes)


def test_a_likelihood_is_its_gradients_and_curvatures():
    problem = Problem(500, 5, 4, 10, missing=0.1)
    rng = np.random.default_rng(0)
    P, weights = rng.dirichlet(np.ones(4), 500), np.where(rng.random(500) < 0.2, 0.0, rng.gamma(2.0, size=500))
    channels = Channels(np.ascontiguousarray(np.column_stack([P, weights])), LIKELIHOOD, weights.sum())
    rule = problem.grower().grow(0, channels, Search(5, 0.3))
    G, H = weights[:, None] * (np.eye(4)[problem.labels] - P), weights[:, None] * P * (1.0 - P)
    wanted = grow_vector_tree(problem.X, G, H, weights, How(5, 0.3), 8)
    np.testing.assert_array_equal(rule.leaf_of_row, wanted.leaf_of_row(problem.X))
    for leaf, sums in enumerate(rule.sums):
        rows = rule.leaf_of_row == leaf
        np.testing.assert_allclose(sums[1:5], G[rows].sum(axis=0), atol=1e-4)
        np.testing.assert_allclose(sums[6:], H[rows].sum(axis=0), atol=1e-4)
        assert sums[5] == (rows & (weights > 0)).sum()


@compiled("it grows on many rows")
def test_many_rows_are_rounded_without_bias():
    n = 200_000
    problem = Problem(n, 2, 3, 11, values=4)
    P = np.full((n, 3), 1.0 / 3.0)
    P[:, 0], P[:, 1] = 1e-5, 2.0 / 3.0 - 1e-5  # far below a grid point
    channels = Channels(np.ascontiguousarray(np.column_stack([P, np.ones(n)])), LIKELIHOOD, float(n))
    rule = problem.grower().grow(0, channels, Search(5, 0.3))
    wanted = (np.eye(3)[problem.labels] - P).sum(axis=0), (P * (1.0 - P)).sum(axis=0)
    np.testing.assert_allclose(rule.sums.sum(axis=0)[1:4], wanted[0], atol=0.05)
    np.testing.assert_allclose(rule.sums.sum(axis=0)[5:], wanted[1], atol=0.05)


def test_a_split_isolates_missing_values():
    rng = np.random.default_rng(0)
    problem = Problem(200, 3, 2, 12)
    problem.X[rng.random(200) < 0.3, 1] = np.nan
    lost = np.isnan(problem.X[:, 1])
    problem.G = np.where(lost[:, None], [1.0, -1.0], [-1.0, 1.0])
    for search in (Search(5, 0.3), Search(5, 0.3, is_random=True)):
        rule, grower = problem.grow(search, max_leaves=2)
        np.testing.assert_array_equal(rule.leaf_of_row, lost)
        forest = grower.rules(1)
        assert (forest.feature[0, 0], forest.threshold[0, 0], forest.missing_left[0, 0]) == (1, np.inf, False)
        assert forest.apply(np.array([[0.0, np.nan, 0.0], [0.0, 1e300, 0.0]]), 0).tolist() == [1, 0]


def test_one_category_is_told_from_the_rest_and_unseen_ones_go_right():
    problem = Problem(200, 2, 3, 13, n_categorical=1)
    problem.X[:, 1] = np.arange(200) % 7
    is_three = problem.X[:, 1] == 3
    problem.G = np.where(is_three[:, None], [2.0, -1.0, -1.0], [-0.5, 0.25, 0.25])
    rule, grower = problem.grow(Search(5, 0.3), max_leaves=2)
    np.testing.assert_array_equal(rule.leaf_of_row, ~is_three)
    forest = grower.rules(1)
    raw = [3.0, 2.0, 7.0, 249.0, 254.0, 255.0, 256.0 + 3.0, -1.0, 1e20, np.inf, np.nan]
    rows = np.column_stack([np.zeros(len(raw)), raw])
    for walk in (compiled_walk, numpy_walk):
        assert walk.leaves(forest, rows).tolist() == [0] + [1] * 10  # no row was missing: the larger side, the right


def test_categories_in_order_are_parted_in_one_split():
    problem = Problem(600, 1, 3, 14, n_categorical=1)
    problem.X[:, 0] = np.arange(600) % 12
    high = np.isin(problem.X[:, 0], [1, 4, 5, 9, 10])
    problem.G = np.where(high[:, None], [1.0, -0.5, -0.5], [-0.75, 0.5, 0.25])
    rule, _ = problem.grow(Search(5, 0.3, is_ordered=True), max_leaves=2)
    np.testing.assert_array_equal(rule.leaf_of_row, high)  # category 0 lies left


@pytest.mark.parametrize("leaves", [8, 30])
def test_both_walks_lead_training_rows_to_their_leaves(leaves):
    problem = Problem(3000, 6, 3, 15, n_categorical=4, missing=0.1, left_out=0.2)
    grower = problem.grower(max_leaves=leaves, n_rounds=4)
    strange = problem.X.copy()
    strange[:200, 2:] = np.random.default_rng(0).choice([-1.0, 11.0, 254.0, 255.0, 256.0, 1e9], (200, 4))
    for m, (is_random, is_ordered) in enumerate(itertools.product((False, True), repeat=2)):
        rule = grower.grow(m, problem.channels(), Search(5, 0.3, 4, m, is_random, is_ordered))
        forest = grower.rules(m + 1)[m : m + 1]
        assert forest.is_set.any()
        for X in (problem.X, np.asfortranarray(problem.X), problem.X.astype(np.float32)):
            np.testing.assert_array_equal(compiled_walk.leaves(forest, X), rule.leaf_of_row)
            np.testing.assert_array_equal(numpy_walk.leaves(forest, X), rule.leaf_of_row)
        np.testing.assert_array_equal(compiled_walk.leaves(forest, strange), numpy_walk.leaves(forest, strange))


def test_rows_of_weight_zero_have_no_say():
    problem = Problem(500, 5, 3, 16, n_categorical=2, missing=0.1, left_out=0.3)
    search = Search(5, 0.3, 4, 1, is_ordered=True)
    rule, grower = problem.grow(search)
    nodes = grower.trees.nodes[:, :, :5].copy()
    out = problem.weights == 0
    problem.G[out], problem.H[out] = 100.0, 7.0
    other, grower = problem.grow(search)
    np.testing.assert_array_equal(grower.trees.nodes[:, :, :5], nodes)
    assert other.sums.tobytes() == rule.sums.tobytes()


def test_bad_categories_are_named():
    problem = Problem(50, 3, 2, 17, n_categorical=1)
    for wrong in (-1.0, 250.0, 0.5):
        problem.X[3, 2] = wrong
        with pytest.raises(ValueError, match="column 2 is categorical and must hold whole numbers from 0 to 249"):
            problem.grower()


def test_many_classes_and_many_categories():
    problem = Problem(1500, 3, 30, 18, n_categorical=1, values=16)
    problem.X[:, 2] = np.arange(1500) % 250
    rule, _ = problem.grow(Search(5, 0.3, is_ordered=True), max_leaves=12)
    wanted = grow_vector_tree(
        problem.X, problem.G, problem.H, problem.weights, How(5, 0.3, is_ordered=True), 12, problem.categorical
    )
    np.testing.assert_array_equal(rule.leaf_of_row, wanted.leaf_of_row(problem.X))
