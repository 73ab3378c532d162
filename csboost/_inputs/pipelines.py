"""A fitted pipeline taken apart: its last step, and what that step sees of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["split", "steps_of"]


def split(model: Any, X: Any) -> tuple[Any, Any]:
    """The last step of a fitted ``Pipeline`` or search, and ``X`` as that step sees it; other models as they are.

    Parameters
    ----------
    model : estimator
        Fitted. Pipelines and searches inside one another are taken apart too.
    X : array-like of shape (n, d)
        Features, as the model takes them.

    Returns
    -------
    last : estimator
    X : array-like of shape (n, columns of the last step)
    """
    *before, last = steps_of(model)
    for steps in before:
        X = steps.transform(X)
    return last, X


def steps_of(model: Any) -> Iterator[Any]:
    """What transforms the rows, in order, and then the model itself."""
    while True:
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif hasattr(model, "steps") and hasattr(model, "named_steps"):
            if len(model.steps) > 1:
                yield model[:-1]
            model = model.steps[-1][1]
        else:
            yield model
            return
