"""Rows that early stopping watches, drawn as on one machine: by number within each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from distributed import Client

from csboost.dask import parts
from csboost.dask.reading import Table
from csboost.dask.waiting import gathered

__all__ = ["HeldOut", "hold_out"]


@dataclass
class HeldOut:
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


def hold_out(client: Client, table: Table, fraction: float, rng: np.random.RandomState) -> HeldOut:
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
        client.submit(parts.held_out_mask, coded, each, pure=False)
        for coded, each in zip(table.coded, chosen, strict=True)
    ]
    return HeldOut(masks, held, _shares(client, table))


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
            client.submit(parts.class_blocks, coded, start, table.most_weight, n_classes, pure=False)
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
