"""Rounding channels to the grid of whole numbers."""

from __future__ import annotations

import numpy as np

from bench.kernels.workloads import Growing, alone, by_size, clock
from csboost.weak.channels import HALVES, NEGATED, ONE_HOT, RELATIONAL, SIGNED, grid_scale, write_channels
from csboost.weak.rules import CONFIDENCE, LABEL, VOTES

write = alone(write_channels)
KINDS = {
    "negated": (NEGATED, LABEL),
    "signed": (SIGNED, VOTES),
    "relational": (RELATIONAL, VOTES),
    "one-hot": (ONE_HOT, LABEL),
    "halves": (HALVES, CONFIDENCE),
}


@by_size(KINDS, small_only="halves")
def test_write_channels(benchmark, size, name):
    kind, rule = KINDS[name]
    growing = Growing(size, rule, kind)
    engine, weights, grid = growing.engine, growing.weights, growing.data.channels
    scale = grid_scale(growing.channels.mass, weights.size, engine.dtype)
    clock(
        benchmark, f"write_channels, {name}", size,
        lambda: write(weights, growing.y, kind, scale, grid, growing.n_padded, 0, size.n),
    )  # fmt: skip
    wanted = _halves(growing) if kind == HALVES else growing.channels.dense(growing.y, size.K)
    np.testing.assert_allclose(growing.grid() / scale, wanted, rtol=0, atol=size.K / scale)


def _halves(growing: Growing) -> np.ndarray:
    own = growing.y[:, None] == np.arange(growing.size.K)
    return np.hstack([np.where(own, growing.weights, 0.0), np.where(own, 0.0, growing.weights)])
