"""Channels of vector leaves: negative gradients and curvatures of a loss, and a count, on the grid.

The lanes of K classes are two halves of K + 1: nothing and the gradients G_1 .. G_K, then the number of rows and the
curvatures H_1 .. H_K, so that each number of the first half meets its own of the second. Gradients have both signs and
are rounded down after the dither, not towards zero, which would favour small ones; the counts are whole as they are.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.channels import GOLDEN, LIKELIHOOD


@kernel(inner=True)
def write_derivatives(wanted, data, n_padded, first, stop, before):
    """Write the channels of rows ``first .. stop - 1`` into the flat grid (n * n_padded,); rows of weight 0 add
    nothing. ``before`` is what leads to their numbers among the rows of all machines.

    The dither of many rows goes by row, not by class: classes in another order have the same numbers. Few rows are
    rounded to the nearest point, so that equal rows are equal on the grid.
    """
    weights, scale, grid = wanted.weights, wanted.scale, data.channels
    dithered, last = wanted.dithered, np.uintp(weights.shape[1] - 1)
    is_likelihood = wanted.kind == LIKELIHOOD
    n_classes = weights.shape[1] - 1 if is_likelihood else (weights.shape[1] - 1) // 2
    for i in range(first, stop):
        row, base = np.uintp(i), np.uintp(i * n_padded)  # unsigned: no test for negative indices
        shift = (before + i) * GOLDEN - np.int64((before + i) * GOLDEN) if dithered else 0.5
        weight, half = weights[row, last], base + np.uintp(n_classes + 1)
        grid[base], grid[half] = 0, 1 if weight > 0.0 else 0
        own = np.intp(data.labels[row])
        for k in range(n_classes):
            lane, gradient, curvature = np.uintp(k), 0.0, 0.0
            if weight > 0.0 and is_likelihood:
                p = weights[row, lane]
                gradient = weight * ((1.0 if k == own else 0.0) - p)
                curvature = weight * p * (1.0 - p)
            elif weight > 0.0:
                gradient, curvature = weights[row, lane], weights[row, np.uintp(n_classes) + lane]
            grid[base + lane + np.uintp(1)] = np.int64(np.floor(gradient * scale + shift))
            grid[half + lane + np.uintp(1)] = np.int64(np.floor(curvature * scale + shift))
