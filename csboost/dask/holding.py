"""Rows that early stopping watches, drawn as on one machine: by number within each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from distributed import Client

from csboost.dask.parts import Coded
from csboost.dask.reading import Table
from csboost.dask.waiting import gathered
from csboost.weak.layout import BLOCK

__all__ = ["Watched", "hold_out"]


@dataclass
class Watched:
    """Which rows are held out.

    Attributes
    ----------
    masks : list of Future
        Of each partition.
    counts : ndarray (partitions, K)
        How many there are.
    shares : ndarray (K,)
        Of the classes in the weight of all rows, these included.
    """

    masks: list[Any]
    counts: np.ndarray
    shares: np.ndarray


def hold_out(client: Client, table: Table, fraction: float, rng: np.random.RandomState) -> Watched:
    """Split off ``fraction`` of every class, as :func:`csboost.problem.held_out` does.

    Raises
    ------
    ValueError
        Where that leaves no row to watch.
    """
    counts = table.counts
    chosen: list[list[np.ndarray]] = [[] for _ in counts]
    for k, total in enumerate(counts.sum(axis=0).tolist()):
        of_class = np.zeros(total, bool)
        of_class[rng.permutation(total)[: min(round(fraction * total), total - 1)]] = True
        for place, part in enumerate(np.split(of_class, np.cumsum(counts[:-1, k]))):
            chosen[place].append(part)
    held = np.array([[part.sum() for part in parts_] for parts_ in chosen])
    if not held.any():
        raise ValueError(
            f"validation_fraction={fraction} of {counts.sum()} rows leaves no row to validate on; "
            "raise it, or set n_iter_no_change=None."
        )
    masks = [
        client.submit(_held_out_mask, coded, each, pure=False) for coded, each in zip(table.coded, chosen, strict=True)
    ]
    return Watched(masks, held, _shares(client, table))


def _held_out_mask(coded: Coded, chosen: list[np.ndarray]) -> np.ndarray:
    """Which rows are held out, from which of each class are, in their order."""
    mask = np.zeros(len(coded.y), bool)
    for k, of_class in enumerate(chosen):
        mask[coded.y == k] = of_class
    return mask


def _shares(client: Client, table: Table) -> np.ndarray:
    """Shares (K,) of the classes in the weight of all rows: see :func:`csboost.problem.class_shares`."""
    n_classes = table.counts.shape[1]
    if not table.most_weight:
        totals = table.counts.sum(axis=0).astype(float)
        return totals / totals.sum()
    starts = np.cumsum([0, *table.n_rows[:-1]]).tolist()
    blocked = gathered(
        client,
        [
            client.submit(_class_blocks, coded, start, table.most_weight, n_classes, pure=False)
            for coded, start in zip(table.coded, starts, strict=True)
        ],
    )
    sums = {int(number): total for each in blocked for number, total in zip(each.numbers, each.sums, strict=True)}
    loose: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
    for each in blocked:
        for number, labels, weights in each.loose:
            loose.setdefault(number, []).append((labels, weights))
    for number, found in loose.items():
        labels, weights = (np.concatenate(column) for column in zip(*found, strict=True))
        sums[number] = np.bincount(labels, weights, n_classes)
    totals = np.zeros(n_classes)
    for number in sorted(sums):
        totals += sums[number]
    shares: np.ndarray = totals / totals.sum()
    return shares


class _Blocked(NamedTuple):
    """Weights by class in the blocks of a partition: the whole ones as sums, the rows of others as they are."""

    numbers: np.ndarray  # of the whole blocks
    sums: np.ndarray  # (blocks, K)
    loose: list[tuple[int, np.ndarray, np.ndarray]]  # block, class numbers, weights


def _class_blocks(coded: Coded, first_row: int, most_weight: float, n_classes: int) -> _Blocked:
    """Weights by class, of rows that are numbered from ``first_row`` on, relative to the largest weight."""
    assert coded.weights is not None
    relative, n = coded.weights / most_weight, len(coded.y)
    numbers, sums, loose = [], [], []
    for block in range(first_row // BLOCK, -(-(first_row + n) // BLOCK)):
        start, stop = max(block * BLOCK - first_row, 0), min((block + 1) * BLOCK - first_row, n)
        if stop - start == BLOCK:
            numbers.append(block)
            sums.append(np.bincount(coded.y[start:stop], relative[start:stop], n_classes))
        else:
            loose.append((block, coded.y[start:stop], relative[start:stop]))
    return _Blocked(np.array(numbers, np.int64), np.array(sums).reshape(-1, n_classes), loose)
