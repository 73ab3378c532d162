"""Placing thresholds and encoding rows."""

from __future__ import annotations

import numpy as np

from bench.kernels.workloads import Growing, clock, sizes
from csboost.weak.binning import MAX_BINS, Binner, encode, place_thresholds
from csboost.weak.columns import arrange
from csboost.weak.layout import BLOCK, SLOT
from csboost.weak.matrix import flat_view


@sizes
def test_place_thresholds(benchmark, size):
    column = Growing(size).X[:, 0].copy()
    thresholds, exact, missing = clock(benchmark, "place_thresholds", size, lambda: place_thresholds(column, None))
    assert (exact, missing) == (size.n <= MAX_BINS, False)
    counts = np.diff([0, *np.searchsorted(np.sort(column), thresholds), size.n])
    assert len(counts) == min(MAX_BINS, size.n)
    assert counts.max() - counts.min() <= 1  # about equal shares


@sizes
def test_encode(benchmark, size):
    growing = Growing(size)
    binner, codes = Binner().fit(growing.X), np.empty(growing.X.size, np.uint8)
    slots, rows = arrange(binner.n_bins, binner.has_missing, join=False).slots, flat_view(growing.X)
    blocks = growing.engine.rows.n_blocks
    clock(
        benchmark, "encode", size,
        lambda: encode(rows, 0, blocks, size.n, slots, 0, binner.table, codes),
    )  # fmt: skip
    heights = np.diff([*range(0, size.n, BLOCK), size.n])
    parts = np.split(codes, np.cumsum(heights * size.d)[:-1])
    by_row = np.concatenate([part.reshape(size.d, -1).T for part in parts])
    np.testing.assert_array_equal(by_row[:, slots[:, SLOT]], growing.codes)
