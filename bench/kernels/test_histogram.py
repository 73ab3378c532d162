"""Summing channels per feature, bin and lane. The sums are of whole numbers, so they are compared exactly."""

from __future__ import annotations

import numpy as np
import pytest

from bench.kernels.workloads import LARGE, SMALL, Growing, alone, clock
from csboost.weak import bookkeeping, growth, histogram, staged
from csboost.weak.channels import NEGATED, ONE_HOT

fold_group, subtract_group = alone(staged.fold_group), alone(histogram.subtract_group)
sum_group = alone(histogram.sum_group)
KINDS = pytest.mark.parametrize("kind", [NEGATED, ONE_HOT], ids=["lanes", "one-hot"])


@KINDS
def test_histogram_of_all_rows(benchmark, kind):
    growing = Growing(LARGE, kind=kind)

    def before() -> None:
        growing.begin()
        growing.clear()

    clock(benchmark, "accumulate_staged, all rows", LARGE, growing.run_pass, before)
    np.testing.assert_array_equal(growing.staged(), growing.histogram_of(np.arange(LARGE.n)))


@KINDS
def test_histogram_of_a_child(benchmark, kind):
    growing = Growing(LARGE, kind=kind)
    growing.until_child()
    child = growing.state[bookkeeping.NODE]
    rows = growing.rows_of(child)
    assert growth.SMALL <= len(rows) <= LARGE.n / 2
    benchmark.extra_info["rows_of_node"] = len(rows)
    clock(benchmark, "accumulate_staged, a child", LARGE, growing.run_pass, growing.clear)
    np.testing.assert_array_equal(growing.staged(), growing.histogram_of(rows))


@KINDS
def test_histogram_of_few_rows(benchmark, kind):
    growing = Growing(SMALL, kind=kind)
    growing.begin()
    engine = growing.engine
    (groups, slots), grouped, width = engine.layout, engine.work[1], len(engine.group)
    stride = 256 * engine.n_lanes * width

    def run() -> None:
        for g in range(len(groups)):
            sum_group(
                *engine.data[:6], 0, grouped, g * stride, groups[g, 0], g, 0, len(slots), engine.n_lanes,
                growing.n_padded, growing.one_hot, engine.group,
            )  # fmt: skip

    clock(benchmark, "sum_group", SMALL, run)
    np.testing.assert_array_equal(growing.grouped(0), growing.histogram_of(np.arange(SMALL.n)))


def test_fold(benchmark):
    growing = Growing(LARGE)
    growing.begin()
    growing.run_pass()
    engine = growing.engine
    (groups, slots), (folded, grouped, *_), width = engine.layout, engine.work, len(engine.group)
    stride, wanted, summed = 256 * engine.n_lanes * width, growing.staged().copy(), folded.copy()

    def before() -> None:
        folded[:] = summed

    def run() -> None:
        for g in range(len(groups)):
            home = g * stride
            fold_group(
                folded, 1, grouped, home, groups[g, 0], g, slots, len(slots), engine.n_lanes, engine.settings[3], width
            )

    clock(benchmark, "fold_group", LARGE, run, before)
    np.testing.assert_array_equal(growing.grouped(0), wanted)
    assert not growing.staged().any()  # ready for the next node


def test_subtract(benchmark):
    size, lanes, width = LARGE, LARGE.K, 8
    n_groups, stride = -(-size.d // width), lanes * width
    rng = np.random.default_rng(0)
    parent = rng.integers(-(2**30), 2**30, (n_groups, 256, stride)).astype(np.int32)
    child = rng.integers(-(2**30), 2**30, (n_groups, 256, stride)).astype(np.int32)
    both = np.empty(2 * parent.size, np.int32)

    def before() -> None:
        both[: parent.size], both[parent.size :] = parent.ravel(), child.ravel()

    def run() -> None:
        for g in range(n_groups):
            subtract_group(both, g * 256 * stride, parent.size + g * 256 * stride, 255, stride)

    clock(benchmark, "subtract_group", size, run, before)
    np.testing.assert_array_equal(both[: parent.size].reshape(parent.shape), parent - child)
