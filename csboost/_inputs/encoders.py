"""Which columns scikit-learn's fitted transformers take as text, and the categories that they know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from numbers import Real
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from csboost._inputs.labels import is_missing

__all__ = ["branches", "encoded", "holds_text", "text_columns"]


def text_columns(step: Any, names: list[str], reader: str = "ONNX") -> list[bool | None]:
    """Which columns must be text for a fitted transformer to take them; None for those that it does not use."""
    found: list[bool | None] = [None] * len(names)
    for place, part, own in _first(step, len(names)):
        values: list[Any] = []
        if isinstance(part, (OneHotEncoder, OrdinalEncoder)):
            values = part.categories_[own].tolist()
        elif isinstance(part, SimpleImputer) and part.statistics_.dtype.kind == "O":
            values = [part.statistics_[own]]
        found[place] = found[place] or holds_text(values, names[place], reader)
    return found


def encoded(step: Any, width: int) -> dict[int, list[Any]]:
    """The categories of the columns that an encoder takes first, by place."""
    encoders = (OneHotEncoder, OrdinalEncoder)
    return {
        place: part.categories_[own].tolist() for place, part, own in _first(step, width) if isinstance(part, encoders)
    }


def holds_text(values: Iterable[Any], name: str, reader: str = "ONNX") -> bool:
    """Whether the categories of a column are text, those that stand for missing values aside; else they are numbers.

    Raises
    ------
    ValueError
        For other categories, which ``reader`` cannot hand in.
    """
    known = [value for value in values if not is_missing(value)]
    if all(isinstance(value, str) for value in known):
        return bool(known)
    other = [value for value in known if not isinstance(value, (Real, np.bool_))]
    if other:
        raise ValueError(
            f"column {name!r} holds categories of the type {type(other[0]).__name__}, which {reader} has not: make "
            "text of them before the fit"
        )
    return False


def branches(step: Any) -> list[tuple[str, Any, list[int]]]:
    """Name, transformer and places of the columns of each branch of a ColumnTransformer that gives columns."""
    found = []
    for name, part, _ in step.transformers_:
        places = np.arange(step.n_features_in_)[step._transformer_to_input_indices[name]].tolist()
        if places and not (isinstance(part, str) and part == "drop"):
            found.append((name, part, places))
    return found


def _first(step: Any, width: int) -> Iterator[tuple[int, Any, int]]:
    """Each column's place, a transformer that takes it as it is, and its place there."""
    if isinstance(step, Pipeline):
        yield from _first(step.steps[0][1], width)
    elif isinstance(step, ColumnTransformer):
        for _, part, places in branches(step):
            for place, inner, own in _first(part, len(places)):
                yield places[place], inner, own
    else:
        for place in range(width):
            yield place, step, place
