"""Choosing splits, parting the rows, whole trees."""

from __future__ import annotations

import numpy as np
import pytest

from bench.kernels.workloads import LARGE, Growing, by_size, clock, for_python, sizes
from csboost.weak import passes
from csboost.weak.layout import FEATURE_OF, SPLIT_CUT, SPLIT_SLOT, Data
from csboost.weak.rules import CONFIDENCE, LABEL, VOTES


@for_python
def assign_leaves(nodes, data_, state, first, last):
    """The leaf of each row."""
    passes.assign_leaves(nodes, Data(*data_), state, first, last)


RULES = {"label": LABEL, "votes": VOTES, "confidence": CONFIDENCE}


def leaf_scores(sums: np.ndarray, rule: int) -> np.ndarray:
    """Scores (...,) of leaves with channel sums (..., lanes), by NumPy."""
    if rule == LABEL:
        return sums.max(axis=-1)
    if rule == VOTES:
        return np.abs(sums).sum(axis=-1)
    half = sums.shape[-1] // 2
    return -2.0 * np.sqrt(np.abs(sums[..., :half] * sums[..., half:])).sum(axis=-1)


def best_gain(histogram: np.ndarray, rule: int) -> float:
    """The largest gain of any boundary, by NumPy in float64."""
    left = histogram.cumsum(axis=1)[:, :-1]
    total = histogram[0].sum(axis=0)
    return float((leaf_scores(left, rule) + leaf_scores(total - left, rule)).max() - leaf_scores(total, rule))


@by_size(RULES, small_only="confidence")
def test_find_splits(benchmark, size, name):
    growing = Growing(size, RULES[name])

    def before() -> None:  # finding splits takes the staged histogram away
        growing.begin()
        growing.clear()
        if size == LARGE:
            growing.run_pass()

    clock(benchmark, f"find_splits of the root, {name}", size, growing.find_splits, before)
    wanted = best_gain(growing.histogram_of(np.arange(size.n)), growing.rule)
    assert growing.gain_of_root == pytest.approx(wanted, rel=1e-6)


@sizes
def test_partition(benchmark, size):
    growing = Growing(size)
    clock(benchmark, "partition of the root", size, growing.run_pass, growing.until_partition)
    slot, cut = growing.work.splits[0, [SPLIT_SLOT, SPLIT_CUT]]
    goes_left = growing.codes[:, growing.layout.slots[slot, FEATURE_OF]] <= cut
    np.testing.assert_array_equal(growing.rows_of(1), np.flatnonzero(goes_left))
    np.testing.assert_array_equal(growing.rows_of(2), np.flatnonzero(~goes_left))


@by_size(RULES, small_only="confidence")
def test_grow(benchmark, size, name):
    growing = Growing(size, RULES[name])
    engine = growing.engine
    rule = clock(benchmark, f"grow a tree, {name}", size, lambda: engine.grow(0, growing.channels))
    assert len(rule.sums) == 4
    gained = growing.tree.gained.sum()
    total = rule.sums.sum(axis=0)
    wanted = leaf_scores(rule.sums, growing.rule).sum() - leaf_scores(total, growing.rule)
    assert gained == pytest.approx(wanted, rel=1e-6)
    assert gained > 0


@sizes
def test_assign_leaves(benchmark, size):
    growing = Growing(size)
    nodes, data = growing.tree.nodes, growing.engine.data
    clock(
        benchmark, "assign_leaves", size,
        lambda: assign_leaves(nodes, data, growing.state, 0, growing.engine.rows.n_blocks),
    )  # fmt: skip
    np.testing.assert_array_equal(growing.data.leaf_of_row, growing.engine.rules(1).apply(growing.X, 0))
