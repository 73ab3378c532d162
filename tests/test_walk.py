"""Leading rows to their leaves."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

import csboost
from csboost.weak import CostTree, compiled_walk, walk

find_nodes = njit(lambda *arguments: walk.find_nodes(*arguments))


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
