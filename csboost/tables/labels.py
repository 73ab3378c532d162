"""Class labels as text, so that those of a file and those of a table of costs can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?")
_TRUTHS = {"true": "True", "false": "False"}


def label_text(label: Any) -> str:
    """One label as text: a whole number without its point, numbers without zeros in front, truth values in one way.

    ``1``, ``1.0`` and ``"01"`` are the same label.
    """
    if isinstance(label, bool | np.bool_):
        return str(bool(label))
    text = str(label).strip()
    if _NUMBER.fullmatch(text):
        number = float(text)
        return str(int(number)) if number.is_integer() else repr(number)
    return _TRUTHS.get(text.lower(), text)


def label_texts(labels: Iterable[Any]) -> pd.Series:
    """Labels as text, as this package compares those of a file with those of a table of costs.

    Blanks at the ends go, whole numbers lose their point and zeros in front, so that ``1``, ``1.0`` and ``"01"`` are
    one label, and truth values are written ``True`` and ``False``.

    Parameters
    ----------
    labels : iterable of length n
        Labels of any type; missing ones (None, NaN) stay missing.

    Returns
    -------
    pandas.Series of length n
        Of objects: text, or NaN.

    Raises
    ------
    TypeError
        When ``labels`` is no sequence.

    References
    ----------
    McKinney, W. (2010), "Data structures for statistical computing in Python", Proceedings of the 9th Python in Science
    Conference, 56-61, doi:10.25080/Majora-92bf1922-00a (missing values in columns of labels).

    Examples
    --------
    >>> from csboost import tables
    >>> tables.label_texts([1.0, "01", " good ", True, None]).tolist()
    ['1', '1', 'good', 'True', nan]
    """
    column = pd.Series(labels if hasattr(labels, "dtype") else list(labels), dtype=object)
    found: pd.Series = column.map(label_text, na_action="ignore")  # no factors, among which True is 1
    return found.astype(object).where(column.notna(), np.nan)


def as_number(label: Any) -> Any:
    """The number that a label is the text of; other labels, and numbers spelt otherwise such as "1e2", as they are."""
    if not isinstance(label, str) or not _NUMBER.fullmatch(label) or label_text(label) != label:
        return label
    number = float(label)
    return int(number) if number.is_integer() else number


def in_order(labels: Iterable[str]) -> list[str]:
    """Labels sorted: numbers by value and before words."""

    def place(label: str) -> tuple[bool, float, str]:
        is_number = bool(_NUMBER.fullmatch(label))
        return not is_number, float(label) if is_number else 0.0, label

    return sorted(labels, key=place)
