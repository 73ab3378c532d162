"""Numbers and labels, whatever library holds them: as arrays, and as text for messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def has_index(table: Any) -> bool:
    """Whether ``table`` is a DataFrame, judged by its axes so that pandas need not be imported."""
    return hasattr(table, "index") and hasattr(table, "columns") and hasattr(table, "to_numpy")


def is_integer(label: Any) -> bool:
    """Whether a label is a whole number by its type; True and False are none."""
    return isinstance(label, (int, np.integer)) and not isinstance(label, bool)


def check_whole(value: Any, parameter: str, least: int, most: int) -> int:
    """A whole number from ``least`` to ``most``."""
    if not is_integer(value) or not least <= value <= most:
        raise ValueError(f"{parameter} must be a whole number from {least} to {most}, got {value!r}")
    return int(value)


def listed(labels: Sequence[Any], limit: int = 12) -> str:
    """The labels as text, numpy scalars as plain Python values."""
    shown = [repr(label.item() if isinstance(label, np.generic) else label) for label in labels[:limit]]
    return ", ".join(shown) + (f" and {len(labels) - limit} more" if len(labels) > limit else "")


def refuse_parted(labels: Iterable[Any], name: str, axis: str = "") -> None:
    """Refuse labels of several parts, tuples or several levels of an index: NumPy and scikit-learn take them for
    columns. ``axis`` of a table: ``index`` or ``columns``.
    """
    parted = next((label for label in labels if isinstance(label, tuple)), None)
    if parted is None:
        return
    join = "[' '.join(map(str, label)) for label in {}]"
    if not axis:
        raise ValueError(
            f"{name} holds labels of several parts, such as {parted!r}: a label must be a single value. Join the parts "
            f"to text, {join.format(name)}."
        )
    where, whole = {"index": "rows"}.get(axis, axis), f"{name}.{axis}" if name.isidentifier() else f"table.{axis}"
    raise ValueError(
        f"{name} has labels of several parts on its {where}, such as {parted!r}: a label must be a single value. Join "
        f"the parts, {whole} = {join.format(whole)}, or keep one level of a MultiIndex, "
        f"{whole}.get_level_values(-1)."
    )


def sorted_labels(labels: Sequence[Any]) -> list[Any]:
    """The labels, sorted; none where they are of mixed types, which have no order to rely on."""
    try:
        return sorted(labels)
    except TypeError:
        return []


def numeric(values: Any, name: str) -> NDArray[np.float64]:
    """``values`` as a new float64 array, NA as NaN; text, complex numbers and ragged lists are refused."""
    text: list[Any] = []
    try:
        raw = values.to_numpy() if has_index(values) else np.asarray(values)
        if raw.dtype.kind in "OUS":
            text = [value for value in raw.flat if isinstance(value, (str, bytes))]
            missing = [type(value).__name__ == "NAType" for value in raw.flat]
            if any(missing):
                raw = raw.copy()
                raw[np.reshape(missing, raw.shape)] = np.nan
        if text or raw.dtype.kind not in "biufO":
            raise TypeError
        return np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        found = listed(text[:1]) if text else type(values).__name__
        raise ValueError(f"{name} must be a rectangular table of numbers, got {found}") from None
