"""A training set as the trees see it: codes in place of numbers, made once for all fits on the same rows."""

from __future__ import annotations

import numpy as np

from csboost.weak import growth
from csboost.weak.binning import FINEST, Binner, Limits, encode
from csboost.weak.columns import Columns, arrange
from csboost.weak.fine_sums import count_codes
from csboost.weak.layout import BINS, FEATURE_OF, HEIGHT, IS_CATEGORY, NUMBER, SLOT, Layout
from csboost.weak.matrix import flat_view
from csboost.weak.rows import Rows


class Binned:
    """Coded rows, and what else depends on features and weights alone.

    Parameters
    ----------
    X : ndarray (n, d), float32 or float64
        Rows of positive weight only.
    weights : ndarray (n,), optional
        Sample weights: they place the quantiles of the bins.
    rows : Rows
        Whose threads do the work.
    categorical : ndarray (d,) of bool, optional
        Columns that hold category numbers 0, 1, ... in place of quantities.
    limits : Limits
        Of the bins of a column of quantities.

    Attributes
    ----------
    binner : Binner
    columns : Columns
    codes : ndarray (n * columns,) uint8
    masses : ndarray (n,) or (0,)
        Weights as whole numbers (:func:`whole_masses`).
    categorical : ndarray (d,) of bool
    """

    def __init__(
        self,
        X: np.ndarray,
        weights: np.ndarray | None,
        rows: Rows,
        categorical: np.ndarray | None = None,
        limits: Limits = FINEST,
    ):
        self.categorical = np.zeros(X.shape[1], bool) if categorical is None else np.asarray(categorical, bool)
        self.binner = Binner().fit(X, weights, rows, self.categorical, limits)
        self.columns = arrange(self.binner.n_bins, self.binner.has_missing, join=rows.n_all >= growth.SMALL)
        self.columns.slots[:, IS_CATEGORY] = self.categorical[self.columns.slots[:, FEATURE_OF]]
        self.codes = self._encode(X, rows)
        self.masses = self.binner.masses
        self._counts: np.ndarray | None = None

    def layout(self, width: int) -> Layout:
        """The slots, in groups of ``width`` that are scanned at once."""
        return layout_of(self.binner, self.columns, width)

    def counts(self, rows: Rows) -> np.ndarray:
        """Rows of each code (slots, BINS + 1), one place on, for second looks; made when they are first asked for."""
        if self._counts is None:
            self._counts = self._count(rows)
        return self._counts

    def _encode(self, X: np.ndarray, rows: Rows) -> np.ndarray:
        codes = np.empty(len(X) * (self.columns.n_joint + X.shape[1]), np.uint8)
        matrix, slots = flat_view(X), (self.columns.slots, self.columns.n_joint, self.binner.table)
        rows.run(lambda first, last, _: encode(matrix, first, last, rows.n_rows, *slots, codes))
        return codes

    def _count(self, rows: Rows) -> np.ndarray:
        n_joint, n_slots = self.columns.n_joint, len(self.columns.slots)
        counts, blocks = np.zeros((rows.n_threads, n_slots, BINS + 1), np.int64), block_table(rows)
        rows.run(
            lambda first, last, thread: count_codes(self.codes, blocks, n_joint, n_slots, counts[thread], first, last)
        )
        found: np.ndarray = counts.sum(axis=0)
        rows.add(found)
        return found


def block_table(rows: Rows) -> np.ndarray:
    """A new table of blocks (blocks, 5), with their places and heights (:class:`csboost.weak.layout.Data`)."""
    blocks = np.zeros((rows.n_blocks, 5), np.int64)
    blocks[:, NUMBER] = rows.numbers
    blocks[:, HEIGHT] = [block.stop - block.start for block in rows.blocks]
    return blocks


def layout_of(binner: Binner, columns: Columns, width: int) -> Layout:
    """The slots, in groups of ``width`` that are scanned at once."""
    bins, feature_of_slot = binner.n_bins, columns.slots[:, FEATURE_OF]
    is_category = columns.slots[columns.slots[:, SLOT], IS_CATEGORY]  # by feature
    members = [feature_of_slot[start : start + width] for start in range(0, len(bins), width)]
    groups = [[bins[group].max(), binner.has_missing[group].any(), is_category[group].any()] for group in members]
    return Layout(groups=np.array(groups, np.int64), slots=columns.slots)
