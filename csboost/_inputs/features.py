"""The features as an array of numbers; what is none is refused by the name of its column."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from numbers import Number
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
# How polars, narwhals and pyarrow call what is as good as a number.
_NUMBERS = ("int", "uint", "float", "double", "halffloat", "bool", "decimal", "null", "unknown", "object")


def check_features(estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool = False) -> Any:
    """``X``, or ``X, y``, as arrays: float32 stays, everything else becomes float64, NaN is allowed."""
    refuse_other_than_numbers(X)
    return validate_data(estimator, X, y, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan", reset=reset)


def refuse_other_than_numbers(X: Any) -> None:
    """Raise a ValueError for columns that hold categories, text or dates."""
    refused = list(_other_than_numbers(X))
    if refused:
        raise ValueError(
            f"X has columns that are not numbers: {', '.join(refused)}. Encode them first, for example with "
            "sklearn.preprocessing.OneHotEncoder or OrdinalEncoder (dates as days since one), or leave them out."
        )


def _other_than_numbers(X: Any) -> Iterator[str]:
    """Categories, text and dates, each by the name of its column."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        yield from _of_frame(X)
    elif hasattr(X, "dtypes") and hasattr(X, "columns"):  # polars, narwhals
        yield from _of_kinds(X.columns, X.dtypes)
    elif hasattr(X, "schema") and hasattr(X, "column_names"):  # pyarrow
        yield from _of_kinds(X.column_names, X.schema.types)
    elif isinstance(X, (np.ndarray, list, tuple)):
        yield from _dates_of_array(X)


def _of_frame(X: Any) -> Iterator[str]:
    for place, (name, dtype) in enumerate(zip(X.columns, X.dtypes, strict=True)):
        kind = getattr(dtype, "kind", "O")
        if dtype == np.dtype(object):  # of numbers and None it is as good as floats
            others = [found for found in dict.fromkeys(map(type, X.iloc[:, place])) if not is_number_or_missing(found)]
            if others:
                yield f"{name!r} ({'text' if issubclass(others[0], str) else others[0].__name__})"
        elif kind not in "biufc":
            yield f"{name!r} ({dtype})"


def _of_kinds(names: Any, kinds: Any) -> Iterator[str]:
    for name, kind in zip(names, kinds, strict=True):
        if not str(kind).lower().startswith(_NUMBERS):
            yield f"{name!r} ({kind})"


def _dates_of_array(X: Any) -> Iterator[str]:
    """NumPy would take dates for numbers of days, seconds or nanoseconds."""
    try:
        array = np.asarray(X)
    except ValueError:  # ragged; scikit-learn says so
        return
    if array.dtype.kind in "mM":
        yield f"all ({array.dtype})"
    elif array.dtype.kind == "O" and array.ndim == 2:
        if not any(issubclass(found, DATES) for found in set(map(type, array.flat))):
            return
        for place, column in enumerate(array.T):
            date = next((found for found in map(type, column) if issubclass(found, DATES)), None)
            if date is not None:
                yield f"column {place} ({date.__name__})"


def is_number_or_missing(found: type) -> bool:
    """Whether values of a type are numbers, or stand for missing ones."""
    if issubclass(found, DATES):  # NumPy counts its spans of time among the numbers
        return False
    return issubclass(found, (Number, np.bool_, type(None))) or found.__name__ == "NAType"
