"""What the search for the splits of vector leaves needs, as the kernels take it (:class:`csboost.weak.layout.Seek`)."""

from __future__ import annotations

import numpy as np

from csboost.weak.layout import BINS, Plain, Search, Seek

STIFFER = 10.0  # regularisation that splits of categories in order have on top


def seek_arrays(is_category: np.ndarray, n_rounds: int, extent: tuple[int, int, int, int], dtype: type) -> Seek:
    """The arrays of a fit of ``n_rounds`` trees; which slots hold categories, ``is_category`` (slots,).

    ``extent`` is the groups and the slots of each, the lanes and the nodes of a tree; ``dtype`` that of the grid.
    """
    n_groups, width, n_lanes, n_nodes = extent
    n_places = n_groups * width
    has_sets, n_classes = bool(is_category.any()), n_lanes // 2 - 1
    return Seek(
        least_rows=1,
        reg=0.0,
        stiff=0.0,
        n_columns=0,
        seed=0,
        is_random=False,
        is_ordered=False,
        is_category=is_category,
        drawn=np.zeros((2, n_places), np.bool_),
        boundaries=np.zeros(width, np.int64),
        running=np.zeros(n_lanes * width, dtype),
        lefts=np.zeros((width, n_lanes)),
        sides=np.zeros((2, n_lanes)),
        found=np.zeros((2, n_places if has_sets else 0, 8), np.uint32),
        sets=np.zeros((n_nodes, 8), np.uint32),
        kept=np.zeros((n_rounds, n_nodes, 8), np.uint32),
        means=np.zeros((BINS, n_classes)),
        axis=np.zeros((2, n_classes)),
        order=np.zeros(BINS, np.int64),
        keys=np.zeros(BINS),
    )


def sought(arrays: Seek, search: Search, scale: float) -> Plain:
    """The arrays with the numbers of one tree's search; ``scale`` is the grid points per unit of channel.

    Sums of curvatures get one grid point at least, so that those of 0 may be divided by.
    """
    numbers = (
        search.least_rows,
        max(search.reg * scale, 1.0),
        max((search.reg + STIFFER) * scale, 1.0),
        search.n_columns,
        search.seed,
        search.is_random,
        search.is_ordered,
    )
    return numbers + arrays[len(numbers) :]
