"""What the columns of a model are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csboost._inputs.pipelines import steps_of

__all__ = ["column_names", "names_in_order"]


def column_names(model: Any, given: Any = None) -> list[str]:
    """The names of the columns that the last step of a fitted model sees.

    ``given`` comes first; then what that step was fitted with, what the steps before it say, and ``feature_0``,
    ``feature_1`` and so on.
    """
    *before, last = steps_of(model)
    n_columns = int(last.n_features_in_)
    if given is not None:
        return names_in_order(given, n_columns, "feature_names", "columns")
    for names in (getattr(last, "feature_names_in_", None), _said_by(before)):
        if names is not None and len(names) == n_columns:
            return [str(name) for name in names]
    return [f"feature_{place}" for place in range(n_columns)]


def names_in_order(given: Any, n: int, parameter: str, things: str) -> list[str]:
    """``given`` as a list of ``n`` names."""
    if isinstance(given, str) or not (isinstance(given, Sequence) or hasattr(given, "__array__")):
        raise ValueError(f"{parameter} must be a list of names, got {given!r}")
    names = [str(name) for name in given]
    if len(names) != n:
        raise ValueError(f"{parameter} has {len(names)} names, but the model was fitted with {n} {things}")
    return names


def _said_by(steps: list[Any]) -> Any:
    """What the last of the ``steps`` calls its columns; None where it does not say."""
    if not steps:
        return None
    try:
        return steps[-1].get_feature_names_out()
    except (AttributeError, ValueError):
        return None
