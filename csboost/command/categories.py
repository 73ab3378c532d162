"""The categories of a model's columns, and which of them a cell of a file means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from csboost._inputs.categories import MOST
from csboost._inputs.encoders import encoded, text_columns
from csboost._inputs.labels import is_missing
from csboost.bayes.classifier import BayesDecisionClassifier
from csboost.tables.labels import label_text

_UNKNOWN = object()


class Names:
    """The categories of a column by their text in a file; those that are numbers also by other spellings of these.

    Attributes
    ----------
    as_read : bool
        Whether they are just the texts, and missing values NaN.
    """

    def __init__(self, name: str, categories: Sequence[Any]) -> None:
        known = [category for category in categories if not is_missing(category)]
        texts = [category.strip() if isinstance(category, str) else label_text(category) for category in known]
        self._by_text = dict(zip(texts, known, strict=True))
        self._missing = None if any(category is None for category in categories) else np.nan
        self._all_text = all(isinstance(category, str) for category in known)
        self.as_read = self._missing is not None and texts == known
        if len(self._by_text) < len(known):
            raise ValueError(
                f"column {name!r} holds categories that are the same as text, such as 1 and '1', so a file cannot say "
                "which is meant: make text of them before the fit"
            )

    def __contains__(self, text: object) -> bool:
        return self._found(str(text)) is not _UNKNOWN

    def placed(self, cells: pd.Series) -> pd.Series:
        """Texts that were read as the categories that they mean; unknown ones stay text."""
        texts = cells.cat.categories
        values = np.empty(len(texts) + 1, dtype=object)
        for place, text in enumerate(texts):
            found = self._found(text)
            values[place] = text if found is _UNKNOWN else found
        values[-1] = self._missing  # the code of a missing cell is -1
        return pd.Series(values[cells.cat.codes.to_numpy()], index=cells.index, dtype=object, name=cells.name)

    def _found(self, text: str) -> Any:
        if text in self._by_text or self._all_text:
            return self._by_text.get(text, _UNKNOWN)
        return self._by_text.get(label_text(text), _UNKNOWN)  # 1.0 is the number 1


def text_of(model: Any, names: list[str]) -> list[bool | None]:
    """Which columns of a model hold categories, to be read as text; None for those that it does not use.

    Raises
    ------
    ValueError
        Where that is not to be seen.
    """
    first, last = _ends(model)
    if first is None:
        tables = _tables(last)
        return [place in tables for place in range(len(names))]
    if _tables(last):
        raise ValueError(
            "its pipeline hands categories on to a model that numbers them itself, so the file does not tell which "
            "columns hold them. Encode them in the pipeline, or leave its other steps away"
        )
    return text_columns(first, names, "a file of text")


def names_of(model: Any, columns: list[str]) -> dict[str, Names]:
    """The categories of a model's columns, or of those that the first step of its pipeline encodes."""
    first, last = _ends(model)
    found: Mapping[int, Any] = _tables(last) if first is None else encoded(first, len(columns))
    return {columns[place]: Names(columns[place], list(table)) for place, table in found.items()}


def merged(model: Any, columns: list[str]) -> set[str]:
    """Columns whose rare categories share a number, so that what is new is not told from what is rare."""
    tables = _tables(_ends(model)[1])
    return {columns[place] for place, table in tables.items() if not 0 < len(table) < MOST - 1}


def _ends(model: Any) -> tuple[Any, Any]:
    """The transformer that takes the columns first (None: there is none) and the classifier at the end."""
    first = None
    while isinstance(model, (Pipeline, BayesDecisionClassifier)):
        if isinstance(model, BayesDecisionClassifier):
            model = model.estimator_
            continue
        steps = [step for _, step in model.steps[:-1] if not _hands_on(step)]
        first = steps[0] if first is None and steps else first
        model = model.steps[-1][1]
    return first, model


def _hands_on(step: Any) -> bool:
    """Whether a step leaves the columns as they are."""
    return step is None or step == "passthrough" or (isinstance(step, FunctionTransformer) and step.func is None)


def _tables(model: Any) -> Mapping[int, Mapping[Any, int]]:
    return getattr(getattr(model, "_categories", None), "tables", {})
