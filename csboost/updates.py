"""Kernels shared by the boosters whose state is a matrix of weights, updated by multiplication."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from csboost._jit import kernel
from csboost.weak.interface import Rule
from csboost.weak.layout import BLOCK


@kernel
def rescale(weights, labels, leaf_of_row, per_class, per_truth, own, first, last, partial):
    """``weights[i, k] *= per_class[leaf, k] * per_truth[leaf, y]``, times ``own[leaf, y]`` where k = y, over row
    blocks ``first .. last - 1``.

    Every multiplicative update has this form, with a few factors per leaf, so that no ``exp`` is needed per row.
    ``partial`` (blocks,) takes each block's new total: summed block by block, it does not depend on the number of
    threads.
    """
    n_rows, n_columns = weights.shape
    for block in range(first, last):
        total = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)  # unsigned: no test for negative indices
            leaf, truth = np.uintp(leaf_of_row[row]), np.uintp(labels[row])
            factor = per_truth[leaf, truth]
            for k in range(n_columns):
                weights[row, k] *= per_class[leaf, k] * factor
            if truth < np.uintp(n_columns):
                weights[row, truth] *= own[leaf, truth]
            for k in range(n_columns):
                total += weights[row, k]
        partial[block] = total


@kernel
def rescale_labels(weights, leaf_of_row, outputs, up, down, first, last, partial):
    """The update of a label-valued rule: ``weights[i, k] *= up`` for the answered class, ``down`` for the others.
    Cheaper than :func:`rescale`.
    """
    n_rows, n_columns = weights.shape
    for block in range(first, last):
        total = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)
            answer = outputs[np.uintp(leaf_of_row[row])]
            for k in range(n_columns):
                weights[row, k] *= up if k == answer else down
                total += weights[row, k]
        partial[block] = total


def summed(partial: np.ndarray) -> float:
    """The total of per-block sums; NumPy's sum would cost as much as a small update."""
    return float(partial[0]) if len(partial) == 1 else float(partial.sum())


class WeightState:
    """Weights (n, columns) and their total, updated in place by a rule; the old total is divided out on the way."""

    def __init__(
        self,
        weights: np.ndarray,
        labels: np.ndarray,
        n_truths: int,
        over_blocks: Callable[[Callable[[int, int, int], object]], None],
        n_blocks: int,
    ):
        self.weights = np.ascontiguousarray(weights, dtype=np.float64)
        self.labels, self.n_truths, self.over_blocks = labels, n_truths, over_blocks
        self.partial = np.zeros(n_blocks)
        self.total = float(self.weights.sum())
        self.ones = np.ones((1, n_truths))

    def rescale_labels(self, rule: Rule, up: float, down: float) -> None:
        """A label-valued rule's two factors."""
        up, down = up / self.total, down / self.total
        self.over_blocks(
            lambda first, last, _: rescale_labels(
                self.weights, rule.leaf_of_row, rule.labels, up, down, first, last, self.partial
            )
        )
        self.total = summed(self.partial)

    def rescale(
        self, rule: Rule, per_class: np.ndarray, per_truth: np.ndarray | None = None, own: np.ndarray | None = None
    ) -> None:
        """Factors per leaf and class (leaves, columns), per leaf and truth, and for the truth itself."""
        if len(self.ones) < len(per_class):
            self.ones = np.ones((len(per_class), self.n_truths))
        per_truth, own = self.ones if per_truth is None else per_truth, self.ones if own is None else own
        per_class = per_class / self.total
        self.over_blocks(
            lambda first, last, _: rescale(
                self.weights, self.labels, rule.leaf_of_row, per_class, per_truth, own, first, last, self.partial
            )
        )
        self.total = summed(self.partial)
