"""Stumps of the published protocol against slow versions written from its description."""

from __future__ import annotations

import numpy as np
import pytest
from reference.published import slow_gini_stump, slow_label_stump

from bench.published.stump import N_THRESHOLDS, encode, gini_stump, label_stump, rows_below, threshold_grid


def test_codes_say_which_thresholds_a_value_lies_above():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal(300), rng.integers(0, 2, 300), np.full(300, 0.1), rng.random(300) * 1e-9])
    grid = threshold_grid(X)
    assert grid[:, 0] == pytest.approx(X.min(axis=0))
    assert grid[:, -1] == pytest.approx(X.max(axis=0))
    assert np.allclose(np.diff(grid[0], 2), 0)
    on_grid = np.concatenate([X, grid.T, np.nextafter(grid.T, np.inf), np.nextafter(grid.T, -np.inf), X * 3, X - 5])
    expected = (grid[:, None, :] < on_grid.T[:, :, None]).sum(axis=2)
    np.testing.assert_array_equal(encode(on_grid, grid), expected)


@pytest.mark.parametrize("K", [2, 3, 7])
def test_label_stump_is_the_best_of_all(K):
    rng = np.random.default_rng(K)
    for _ in range(10):
        X = rng.integers(0, 6, (30, 3)).astype(float)
        wish = rng.integers(-3, 4, (30, K)).astype(float)
        grid = threshold_grid(X)
        feature, code, left, right = label_stump(encode(X, grid), np.ascontiguousarray(wish.T), (0,) * K)
        f, t, sides = slow_label_stump(X, wish)
        assert (feature, grid[feature, code], [left, right]) == (f, t, sides)


@pytest.mark.parametrize("min_leaf", [1, 7])
def test_gini_stump_is_the_purest_of_all(min_leaf):
    rng = np.random.default_rng(min_leaf)
    for _ in range(10):
        X = rng.standard_normal((40, 3)).round(1)
        inside, w = rng.random(40) < 0.4, rng.random(40)
        grid = threshold_grid(X)
        codes = encode(X, grid)
        feature, code, *votes = gini_stump(codes, rows_below(codes), inside, w, min_leaf)
        f, t, expected = slow_gini_stump(X, inside, w, min_leaf)
        assert (feature, grid[feature, code], votes) == (f, t, expected)


def test_gini_stump_without_room_for_two_leaves_votes_alike_for_all_rows():
    codes = np.zeros((2, 10), dtype=np.uint8)
    inside = np.arange(10) < 7
    _, code, left, _ = gini_stump(codes, rows_below(codes), inside, np.full(10, 0.1), 7)
    assert (code, left) == (N_THRESHOLDS, True)  # no code lies above: all rows are on the left
