"""Leading rows to their leaves."""

from __future__ import annotations

import numpy as np
import pytest
from cases import make
from numba import njit

import csboost
from csboost.weak import CostTree, compiled_walk, numpy_walk, walk
from csboost.weak.layout import Finish, Packed

find_nodes = njit(lambda columns, trees, *others: walk.find_nodes(columns, Packed(*trees), *others))


@pytest.mark.parametrize("leaves", [16, 17, 40])
def test_a_chunk_that_is_not_full_ends_in_leaves_all_over(leaves):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(walk.CHUNK + 60, 4)), rng.integers(0, 3, walk.CHUNK + 60)
    forest = csboost.AngleAdaBoostClassifier(n_estimators=1, weak_learner=CostTree(max_leaf_nodes=leaves)).fit(X, y)
    forest = forest._ensemble.rules
    assert forest.n_leaves[0] == leaves
    *_, trees, (columns, nodes) = compiled_walk.prepare(forest, X)
    columns[:], nodes[:] = 0.0, -1
    find_nodes(columns, trees, 0, 60, nodes)
    is_leaf = forest.left[0] == np.arange(len(forest.left[0]))
    assert is_leaf[nodes].all()  # kernels look up all places, so none may lead beyond the outputs


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["angle-ada", "pnorm-fixed", "mh-real", "m2", "mh-apart"])
def test_kernels_and_numpy_alone_give_the_same_bits(name, dtype):
    n, K = compiled_walk.PARALLEL_ROWS + 700, 4  # threads, and a last chunk that is not full
    rng = np.random.default_rng(0)
    X, y = np.round(rng.normal(size=(n, 5)), 1).astype(dtype), rng.integers(0, K, n)  # rounded: rows on thresholds
    X[:, 0] += y
    X[rng.random(X.shape) < 0.1] = np.nan
    ensemble = make(name, weak_learner=CostTree(max_leaf_nodes=6)).fit(X, y)._ensemble
    forest, votes, costs = ensemble.rules, ensemble.votes, rng.random((n, K))
    for m in range(len(ensemble.weights)):
        rows = forest[m : m + 1], X
        np.testing.assert_array_equal(compiled_walk.leaves(*rows), numpy_walk.leaves(*rows))
    finish = Finish(votes.start, factor=0.7, times=3.0, share=0.1, over=2.0)
    for function, rest in (("scores", (finish, 2)), ("answers", (finish, 2)), ("staged_costs", (costs,))):
        by_kernels = getattr(compiled_walk, function)(forest, votes, X, *rest)
        by_numpy = getattr(numpy_walk, function)(forest, votes, X, *rest)
        assert by_kernels.dtype == by_numpy.dtype
        assert by_kernels.tobytes() == by_numpy.tobytes(), function
