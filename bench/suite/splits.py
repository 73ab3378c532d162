"""Repeated stratified splits: paired, every class in training, no group on both sides."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from bench.suite.entry import DataSet

SPLITS = 3
MOST_TEST_ROWS = 4000
FEWEST_TRAINING_ROWS = 8
"""Of each class; five stratified folds of the training rows then have every class."""

_TRIES = 200  # divisions of the groups that are looked at before a set is given up


class Split(NamedTuple):
    """Row numbers of one split, in random order."""

    train: np.ndarray
    test: np.ndarray


def splits(data: DataSet, n_splits: int = SPLITS) -> list[Split]:
    """Return the first splits of a set (see :func:`split`)."""
    return [split(data, replication) for replication in range(n_splits)]


def split(data: DataSet, replication: int) -> Split:
    """Divide a set into training and test rows; all tasks and all methods share the division.

    Two thirds of the rows train, at most ``data.train_rows``, and of the others at most 4,000 test; both have the
    classes in the set's proportions, but for rare classes, of which at least 8 rows train and 1 tests. Groups are
    divided as wholes, two thirds of them for training, before rows are drawn.

    Parameters
    ----------
    data : DataSet
    replication : int
        0, 1, ...; with the set's name it seeds the division, and nothing else does.

    Returns
    -------
    Split
    """
    seed = hashlib.sha256(f"{data.name}/{replication}".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(seed[:8]))
    if data.groups is None:
        rows = rng.permutation(len(data.y))
        train = _draw(data.y, rows, min(data.train_rows, round(len(rows) * 2 / 3)), FEWEST_TRAINING_ROWS)
        others = rows[~np.isin(rows, train)]
    else:
        learnt, others = _divide_groups(data, data.groups, rng)
        train = _draw(data.y, learnt, min(data.train_rows, len(learnt)), FEWEST_TRAINING_ROWS)
    return Split(train, _draw(data.y, others, min(MOST_TEST_ROWS, len(others)), 1))


def _divide_groups(data: DataSet, groups: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of two thirds of the groups and those of the others, the first division with all classes."""
    K, n_groups = len(data.classes), int(groups.max()) + 1
    for _ in range(_TRIES):
        learns = np.zeros(n_groups, dtype=bool)
        learns[rng.permutation(n_groups)[: round(n_groups * 2 / 3)]] = True
        rows = rng.permutation(len(data.y))
        learnt, others = rows[learns[groups[rows]]], rows[~learns[groups[rows]]]
        here, there = np.bincount(data.y[learnt], minlength=K), np.bincount(data.y[others], minlength=K)
        if here.min() >= FEWEST_TRAINING_ROWS and there.min() >= 1:
            return learnt, others
    raise ValueError(f"{data.name}: no division of the groups found that has every class on both sides")


def _draw(y: np.ndarray, rows: np.ndarray, n: int, least: int) -> np.ndarray:
    """Return ``n`` of the rows in their order, the first ones of each class, classes in proportion."""
    counts = np.bincount(y[rows])
    quota = _quota(counts, n, least)
    rank = np.empty(len(rows), dtype=np.intp)  # of a row among those of its class
    for k in range(len(counts)):
        members = y[rows] == k
        rank[members] = np.arange(counts[k])
    return rows[rank < quota[y[rows]]]


def _quota(counts: np.ndarray, n: int, least: int) -> np.ndarray:
    """Share ``n`` rows among classes by their counts, largest remainders first, at least ``least`` of each."""
    share = n * counts / counts.sum()
    floor = np.minimum(counts, least)
    quota = np.maximum(np.floor(share).astype(int), floor)
    while (excess := quota.sum() - n) != 0:
        if excess < 0:
            quota[np.argmax(np.where(quota < counts, share - quota, -np.inf))] += 1
        else:
            quota[np.argmax(np.where(quota > floor, quota - share, -np.inf))] -= 1
    return quota
