"""Summing channels per feature, bin and lane. The sums are of whole numbers, so they are compared exactly."""

from __future__ import annotations

import numpy as np
import pytest

from bench.kernels.workloads import LARGE, SMALL, Growing, alone, clock, for_python
from csboost.weak import growth, histogram, staged
from csboost.weak.channels import NEGATED, ONE_HOT
from csboost.weak.layout import BINS, MOST_BINS, NODE, Data, Settings, Spot, Work

subtract_group = alone(histogram.subtract_group)


@for_python
def sum_group(data_, groups, n_slots, work_, settings_, one_hot, g, group):
    """The root's histogram of a group of features, straight into the grouped layout."""
    data, work = Data(*data_), Work(*work_)
    sizes = histogram.sizes_of(n_slots, work, Settings(*settings_))
    spot = Spot(g, g * BINS * sizes.n_lanes * len(group), groups[g, MOST_BINS])
    histogram.sum_group(data, 0, work.grouped, spot, sizes, one_hot, group)


@for_python
def fold_group(groups, slots, work_, settings_, g, tile, group):
    """The root's histogram of a group of features, from the staged layout."""
    work = Work(*work_)
    sizes = histogram.sizes_of(slots.shape[0], work, Settings(*settings_))
    spot = Spot(g, g * BINS * sizes.n_lanes * len(group), groups[g, MOST_BINS])
    staged.fold_group(work.staged, work.grouped, spot, sizes, tile, group)


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
    child = growing.state[NODE]
    rows = growing.rows_of(child)
    assert growth.SMALL <= len(rows) <= LARGE.n / 2
    benchmark.extra_info["rows_of_node"] = len(rows)
    clock(benchmark, "accumulate_staged, a child", LARGE, growing.run_pass, growing.clear)
    np.testing.assert_array_equal(growing.staged(), growing.histogram_of(rows))


@KINDS
def test_histogram_of_few_rows(benchmark, kind):
    growing = Growing(SMALL, kind=kind)
    growing.begin()
    engine, (groups, slots) = growing.engine, growing.layout

    def run() -> None:
        for g in range(len(groups)):
            sum_group(engine.data, groups, len(slots), engine.work, engine.settings, growing.one_hot, g, engine.group)

    clock(benchmark, "sum_group", SMALL, run)
    np.testing.assert_array_equal(growing.grouped(0), growing.histogram_of(np.arange(SMALL.n)))


def test_fold(benchmark):
    growing = Growing(LARGE)
    growing.begin()
    growing.run_pass()
    engine, (groups, slots), folded = growing.engine, growing.layout, growing.work.staged
    wanted, summed = growing.staged().copy(), folded.copy()
    tile = histogram.tile_of(growing.engine.n_lanes, engine.tiles)

    def before() -> None:
        folded[:] = summed

    def run() -> None:
        for g in range(len(groups)):
            fold_group(groups, slots, engine.work, engine.settings, g, tile, engine.group)

    clock(benchmark, "fold_group", LARGE, run, before)
    np.testing.assert_array_equal(growing.grouped(0), wanted)
    assert not growing.staged().any()  # ready for the next node


def test_subtract(benchmark):
    size, lanes, width = LARGE, LARGE.K, 8
    n_groups, stride = -(-size.d // width), lanes * width
    rng = np.random.default_rng(0)
    parent = rng.integers(-(2**30), 2**30, (n_groups, BINS, stride)).astype(np.int32)
    child = rng.integers(-(2**30), 2**30, (n_groups, BINS, stride)).astype(np.int32)
    both = np.empty(2 * parent.size, np.int32)

    def before() -> None:
        both[: parent.size], both[parent.size :] = parent.ravel(), child.ravel()

    def run() -> None:
        for g in range(n_groups):
            subtract_group(both, g * BINS * stride, parent.size + g * BINS * stride, 255, stride)

    clock(benchmark, "subtract_group", size, run, before)
    np.testing.assert_array_equal(both[: parent.size].reshape(parent.shape), parent - child)
