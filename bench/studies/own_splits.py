"""How a user's file is divided into rows that train and rows that test; all models meet the same divisions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from bench.exits import UnusableError
from csboost.tables.cells import days, find_dates, numbers

FOLDS = 5
CUTS = 5
LEAST_SHARE = 0.5  # of the rows trains the first model when the past predicts the future

Draw = Callable[[int], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Division:
    """The splits that a file allows.

    Attributes
    ----------
    draw : callable
        Number of a split -> places of its training rows and of its test rows.
    most : int or None
        How many splits there are; None for any number.
    words : str
        In a sentence.
    """

    draw: Draw
    most: int | None
    words: str

    def limited(self, y: np.ndarray, most_rows: int) -> Division:
        """Return the same splits with at most so many rows on each side, drawn at random, but some of each class."""
        longest = max(map(len, self.draw(0)))
        if not most_rows or longest <= most_rows:
            return self

        def draw(replication: int) -> tuple[np.ndarray, np.ndarray]:
            train, test = self.draw(replication)
            return _thinned(train, y, most_rows, f"train/{replication}"), _thinned(
                test, y, most_rows, f"test/{replication}"
            )

        words = f"{self.words} Of more than {most_rows:,} rows a random part of as many is used (--most-rows)."
        return replace(self, draw=draw, words=words)


def _rng(text: str) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))


def _thinned(rows: np.ndarray, y: np.ndarray, most: int, name: str) -> np.ndarray:
    """A random part of the rows, with the first two of each class in it."""
    if len(rows) <= most:
        return rows
    shuffled = _rng(name).permutation(rows)
    rank = pd.Series(y[shuffled]).groupby(y[shuffled]).cumcount().to_numpy()
    order = np.argsort(rank >= 2, kind="stable")  # two of each class first, then as they come
    return np.sort(shuffled[order][:most])


def by_folds(y: np.ndarray, classes: Sequence[str], seed: int) -> Division:
    """Return stratified folds, drawn anew for every five splits: each row is tested once before any is again."""

    def draw(replication: int) -> tuple[np.ndarray, np.ndarray]:
        fold = _dealt(y, f"{seed}/{replication // FOLDS}")
        return np.flatnonzero(fold != replication % FOLDS), np.flatnonzero(fold == replication % FOLDS)

    words = (
        f"Each split trains on four fifths of the rows and tests on the other fifth, classes in proportion; {FOLDS} "
        "splits test every row once."
    )
    if len(y) < 2 * FOLDS:
        raise UnusableError(f"{len(y)} rows are too few to learn from some and test on others: at least {2 * FOLDS}.")
    return Division(draw, None, words)


def _dealt(y: np.ndarray, name: str) -> np.ndarray:
    """The fold of each row: shuffled rows are dealt class by class."""
    shuffled = _rng(name).permutation(len(y))
    order = shuffled[np.argsort(y[shuffled], kind="stable")]
    fold = np.empty(len(y), dtype=np.intp)
    fold[order] = np.arange(len(y)) % FOLDS
    return fold


def moments(texts: pd.Series, column: str) -> np.ndarray:
    """Return times (n,) as numbers from a column of dates or numbers; NaN where one is missing."""
    codes, levels = pd.factorize(texts)
    known = [str(level) for level in levels]
    values = numbers(known, ".")
    if known and np.isnan(values).mean() > 0.1:
        found = find_dates(known)
        values = days(known, found.format) if found is not None else np.full(len(known), np.nan)
    if not np.isfinite(values).any():
        shown = ", ".join(map(repr, known[:3])) or "nothing"
        raise UnusableError(
            f"the column {column!r} holds no times that can be read ({shown}): write dates as 2024-12-31, or numbers."
        )
    return np.append(values, np.nan)[codes]


def by_time(when: np.ndarray, column: str) -> Division:
    """Return cuts: each split trains on all before its block of the later half and tests on the block, latest first.

    Rows of one moment are never on both sides.
    """
    known = np.flatnonzero(np.isfinite(when))
    order = known[np.argsort(when[known], kind="stable")]
    sorted_times = when[order]
    places = np.linspace(LEAST_SHARE * len(order), len(order), CUTS + 1)
    wanted = np.unique(np.searchsorted(sorted_times, sorted_times[np.minimum(places, len(order) - 1).astype(int)]))
    starts = [int(place) for place in wanted[:CUTS] if 0 < place < len(order)]
    if not starts:
        raise UnusableError(
            f"the column {column!r} cannot divide the rows into past and future: half of them have the same time."
        )
    ends = [*starts[1:], len(order)]

    def draw(replication: int) -> tuple[np.ndarray, np.ndarray]:
        start, end = starts[-1 - replication], ends[-1 - replication]
        return np.sort(order[:start]), np.sort(order[start:end])

    lost = len(when) - len(order)
    words = (
        f"Each split trains on the past and tests on the future by {column}: {len(starts)} cuts, the later half of the "
        f"rows in as many blocks, each tested by a model of all rows before it."
    )
    if lost:
        words += f" Rows without a time are left out: {lost:,}."
    return Division(draw, len(starts), words)
