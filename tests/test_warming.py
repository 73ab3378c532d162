"""Compiling: what is compiled once serves every number of classes, and can be compiled ahead."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from cases import compiled, easy

import csboost
from csboost import warming
from csboost.weak import CostTree, growth, walk


def versions():
    """How many versions of the large kernels there are."""
    kernels = growth.grow, walk.score_labels, walk.score_outputs, walk.stage_costs, walk.stage_label_costs
    return [len(kernel.signatures) for kernel in kernels]


def fit_and_use(booster, K):
    X, y = easy(K=K)
    model = booster(n_estimators=2).fit(X, y)
    model.predict(X)
    model.staged_cost(X, y)


@compiled("it counts what is compiled")
def test_another_number_of_classes_compiles_nothing():
    for booster in (csboost.AngleAdaBoostClassifier, csboost.AdaBoostMHClassifier):
        fit_and_use(booster, K=3)
        before = versions()
        for K in (2, 9, 20):
            fit_and_use(booster, K)
        assert versions() == before


@compiled("it counts what is compiled")
def test_warming_up_compiles_what_small_fits_meet():
    warming.compile_share("few")
    before = versions()
    for booster in (csboost.AngleLogitBoostClassifier, csboost.PNormBoostClassifier, csboost.SAMMEClassifier):
        fit_and_use(booster, K=4)
    assert versions() == before


def test_a_failed_warm_up_shows_why(monkeypatch, capfd):
    monkeypatch.setattr(warming, "SHARES", {"none": (1, "float64")})
    with pytest.raises(RuntimeError, match=r"compiling the kernels failed:[\s\S]*KeyError: 'none'"):
        csboost.warm_up()
    assert "Compiling the kernels" in capfd.readouterr().err


def test_warming_up_compiles_the_package_that_this_process_uses(monkeypatch, tmp_path):
    other = tmp_path / "csboost"
    other.mkdir()
    (other / "__init__.py").write_text("")
    (other / "warming.py").write_text("def compile_share(share):\n    raise OSError('this is the other one')\n")
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    with pytest.raises(RuntimeError, match="this is the other one"):
        csboost.warm_up(verbose=0)


@pytest.mark.parametrize("K", [600, 1000])
def test_a_tree_of_very_many_classes_answers_the_cheapest_one_in_each_leaf(K):
    rng = np.random.default_rng(K)
    n = 2 * K
    y = np.arange(n) % K
    X = np.column_stack([y // (K // 5), rng.normal(size=n)]).astype(float)
    costs = rng.uniform(1.0, 2.0, (n, K))
    costs[np.arange(n), y] = 0.0
    costs[y < K // 5, 7] = 0.5  # one answer is cheap for the first fifth
    tree = CostTree(max_leaf_nodes=3).fit(X, y, sample_cost=costs)
    leaves = tree.apply(X)
    assert tree.n_leaves_ == 3
    np.testing.assert_array_equal(leaves == leaves[0], X[:, 0] == 0)
    for leaf in range(3):
        wanted = costs[leaves == leaf].sum(axis=0).argmin()
        np.testing.assert_array_equal(tree.predict(X[leaves == leaf]), wanted)
