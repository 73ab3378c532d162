"""Tables whose columns hold categories: each category becomes a number, the same in training and later."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import validate_data

from csboost._inputs.features import DATES, check_features, is_number_or_missing, refuse_other_than_numbers
from csboost._inputs.labels import is_missing

__all__ = ["Categories"]

MOST = 250  # numbers of a column: its most frequent categories, and one for all others
_TEXT = ("cat", "enum", "str", "utf8", "large_str", "large_utf8", "dictionary")  # how libraries call text


class Categories:
    """The categories of the columns of one training table.

    A column of text, of a categorical type or of objects that are not all numbers holds categories. The most frequent
    ones have the numbers 0, 1, ...; the rest, and those that were not there in training, share the number after. NaN
    and None stay NaN. All other columns are numbers and stay as they are.

    Attributes
    ----------
    tables : dict of int to dict
        By the column's place, the number of each category.
    """

    def __init__(self) -> None:
        self.tables: dict[int, dict[Hashable, int]] = {}

    def mask(self, n_columns: int) -> np.ndarray:
        """Which columns hold categories (d,)."""
        mask = np.zeros(n_columns, bool)
        mask[list(self.tables)] = True
        return mask

    def learn(self, estimator: Any, X: Any, y: Any) -> tuple[np.ndarray, Any]:
        """``X`` and ``y`` as arrays, every category numbered as it comes up; see :func:`check_features`."""
        kinds = dict(_categorical(X))
        if not kinds:
            return check_features(estimator, X, y, reset=True)
        columns = {place: _values(X, place) for place in kinds}
        self.tables = {place: _numbered(values, kinds[place]) for place, values in columns.items()}
        numbers, y = validate_data(estimator, self._encode(X, columns), y, ensure_all_finite="allow-nan", reset=True)
        validate_data(estimator, X, skip_check_array=True, reset=True)  # the names
        return numbers, y

    def read_again(self, estimator: Any, X: Any, y: Any) -> tuple[np.ndarray, Any]:
        """``X`` and ``y`` of a further fit as arrays, with the categories of the first one."""
        if not self.tables:
            return check_features(estimator, X, y)
        return check_X_y(
            self.transform(estimator, X), y, dtype=np.float64, ensure_all_finite="allow-nan", estimator=estimator
        )

    def settle(self, X: np.ndarray, weights: np.ndarray) -> None:
        """Renumber the categories by their frequency in the rows of training, in place; the rare ones are merged."""
        for place, table in self.tables.items():
            known = ~np.isnan(X[:, place])
            codes = X[known, place].astype(np.int64)
            counts = np.bincount(codes, weights[known], minlength=len(table))
            ranked = sorted(table, key=lambda value: (-counts[table[value]], type(value).__name__, str(value)))
            kept = [value for value in ranked[: MOST - 1] if counts[table[value]] > 0]
            numbers = np.full(len(table), float(len(kept)))
            numbers[[table[value] for value in kept]] = np.arange(len(kept))
            X[known, place] = numbers[codes]
            self.tables[place] = {value: number for number, value in enumerate(kept)}

    def transform(self, estimator: Any, X: Any) -> np.ndarray:
        """Other rows as an array of numbers."""
        if not self.tables:
            return check_features(estimator, X)
        if not hasattr(X, "columns") and not hasattr(X, "column_names"):
            X = check_array(X, dtype=object, ensure_all_finite=False, estimator=estimator, input_name="X")
        validate_data(estimator, X, skip_check_array=True, reset=False)
        return self._encode(X, {place: _values(X, place) for place in self.tables})

    def _encode(self, X: Any, columns: dict[int, Sequence[Any]]) -> np.ndarray:
        """The table as an array, with numbers in the place of the values of some columns."""
        width = X.shape[1]
        others = [place for place in range(width) if place not in columns]
        encoded = np.empty((len(X), width))
        if others:
            part = _columns(X, others)
            refuse_other_than_numbers(part)
            encoded[:, others] = check_array(part, dtype=np.float64, ensure_all_finite="allow-nan", input_name="X")
        for place, values in columns.items():
            encoded[:, place] = _codes(self.tables[place], values)
        return encoded


def _codes(table: dict[Hashable, int], values: Sequence[Any]) -> np.ndarray:
    """The number of every value (n,), NaN where it is missing."""
    of_value = {value: np.nan if is_missing(value) else table.get(value, len(table)) for value in dict.fromkeys(values)}
    return np.fromiter((of_value[value] for value in values), np.float64, len(values))


def _numbered(values: Sequence[Any], name: Any) -> dict[Hashable, int]:
    """A number for every category, in the order in which they come up."""
    try:
        return {value: number for number, value in enumerate(v for v in dict.fromkeys(values) if not is_missing(v))}
    except TypeError as error:
        raise ValueError(f"column {name!r} of X holds values that cannot be categories: {error}") from None


def _categorical(X: Any) -> Iterator[tuple[int, Any]]:
    """Place and name of the columns that hold categories; none in what is no table of columns."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        for place, (name, dtype) in enumerate(zip(X.columns, X.dtypes, strict=True)):
            if hasattr(dtype, "categories") or str(dtype).lower().startswith(_TEXT):
                yield place, name
            elif dtype == np.dtype(object):
                found = set(map(type, X.iloc[:, place]))
                others = [kind for kind in found if not is_number_or_missing(kind)]
                if others and not any(issubclass(kind, DATES) for kind in others):
                    yield place, name
    elif hasattr(X, "columns") and hasattr(X, "dtypes"):  # polars, narwhals
        yield from _by_kind(X.columns, X.dtypes)
    elif hasattr(X, "column_names") and hasattr(X, "schema"):  # pyarrow
        yield from _by_kind(X.column_names, X.schema.types)


def _by_kind(names: Sequence[Any], kinds: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    for place, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        if str(kind).lower().startswith(_TEXT):
            yield place, name


def _values(X: Any, place: int) -> Sequence[Any]:
    """The values of one column as Python objects."""
    if hasattr(X, "iloc"):
        return X.iloc[:, place].tolist()
    if hasattr(X, "column_names"):
        return X.column(place).to_pylist()
    return X[X.columns[place]].to_list() if hasattr(X, "columns") else X[:, place].tolist()


def _columns(X: Any, places: list[int]) -> Any:
    """Some of the columns, in a table of the same kind."""
    if hasattr(X, "iloc"):
        return X.iloc[:, places]
    if hasattr(X, "column_names"):
        return X.select(places)
    return X.select([X.columns[place] for place in places]) if hasattr(X, "columns") else X[:, places]
