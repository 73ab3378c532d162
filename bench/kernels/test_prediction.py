"""Running rows of raw floats through all trees of a fitted booster."""

from __future__ import annotations

import numpy as np
import pytest

import csboost
from bench.kernels.sizes import PREDICTED, SMALL
from bench.kernels.workloads import clock
from bench.timing.data import make_floats

ROUNDS = 50
SIZES = pytest.mark.parametrize("size", [SMALL, PREDICTED], ids=str)
BOOSTERS = {"labels": csboost.SAMMEClassifier, "vectors": csboost.AdaBoostMHClassifier}


def fitted(size, outputs):
    X, y = make_floats(size.n, size.d, size.K, seed=0)
    return BOOSTERS[outputs](n_estimators=ROUNDS).fit(X[:2000], y[:2000]), X, y


@pytest.mark.parametrize("outputs", BOOSTERS)
@SIZES
def test_scores(benchmark, size, outputs):
    model, X, _ = fitted(size, outputs)
    scores = clock(benchmark, f"scores, {outputs}", size, lambda: model._ensemble.scores(X))
    *_, last = model.staged_decision_function(X)  # tree by tree, through the leaves
    np.testing.assert_allclose(scores, last, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("outputs", BOOSTERS)
@SIZES
def test_staged_costs(benchmark, size, outputs):
    model, X, y = fitted(size, outputs)
    costs = model.cost_matrix_[y]
    staged = clock(benchmark, f"staged_costs, {outputs}", size, lambda: model._ensemble.staged_costs(X, costs))
    wanted = [np.count_nonzero(answers != y) for answers in model.staged_predict(X)]
    np.testing.assert_array_equal(staged, wanted)


@SIZES
def test_leaves(benchmark, size):
    model, X, _ = fitted(size, "labels")
    forest = model._ensemble.rules
    leaves = clock(benchmark, "leaves of one tree", size, lambda: forest.apply(X, 0))
    node = np.zeros(size.n, int)
    for _ in range(forest.depth[0]):
        inner = forest.left[0, node] != node
        left = X[np.arange(size.n), np.where(inner, forest.feature[0, node], 0)] <= forest.threshold[0, node]
        node = np.where(inner, np.where(left, forest.left[0, node], forest.right[0, node]), node)
    np.testing.assert_array_equal(leaves, forest.feature[0, node])
