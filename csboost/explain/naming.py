"""What the columns of a model are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csboost._inputs.pipelines import last_step

__all__ = ["column_names", "names_in_order"]


def column_names(model: Any, given: Any = None) -> list[str]:
    """The names of the columns that the last step of a fitted model sees.

    ``given`` comes first; then what that step was fitted with, what the steps before it say, and ``feature_0``,
    ``feature_1`` and so on.
    """
    last = last_step(model)
    n_columns = int(last.n_features_in_)
    if given is not None:
        return names_in_order(given, n_columns, "feature_names", "columns")
    for names in (getattr(last, "feature_names_in_", None), _said_before(model)):
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


def _said_before(model: Any) -> Any:
    """What the steps before the last one call their columns; None where there are none, or they do not say."""
    model = getattr(model, "best_estimator_", model)
    if not hasattr(model, "named_steps") or len(model.steps) < 2:
        return None
    try:
        return model[:-1].get_feature_names_out()
    except (AttributeError, ValueError):
        return None
