"""A model's answers to every partition of a collection, lazily: in the types of the answers to one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dask import delayed

from csboost.dask.parts import named
from csboost.dask.reading import check_collection

__all__ = ["Called", "Decided", "mapped", "right"]


class Called:
    """A method of a model, to be called where rows lie."""

    def __init__(self, model: Any, method: str):
        self.model, self.method = model, method

    def __call__(self, rows: Any) -> np.ndarray:
        """What it answers."""
        found: np.ndarray = np.asarray(getattr(self.model, self.method)(rows))
        return found


class Decided:
    """A decision of a model, to be made where rows lie."""

    def __init__(self, model: Any, cost_matrix: Any, priors: Any):
        self.model, self.cost_matrix, self.priors = model, cost_matrix, priors

    def __call__(self, rows: Any) -> np.ndarray:
        """What it decides."""
        found: np.ndarray = np.asarray(self.model.decide(rows, self.cost_matrix, priors=self.priors))
        return found


def right(model: Any, place: int, X: Any, y: Any, sample_weight: Any) -> tuple[float, float]:
    """The weight of the rows of a partition that are answered right, and that of all."""
    with named(place):
        total = float(len(y) if sample_weight is None else np.sum(sample_weight))
        return (model.score(X, y, sample_weight) * total if total else 0.0), total


def mapped(answer: Callable[[Any], np.ndarray], local: Any, X: Any, labels: list[Any] | None = None) -> Any:
    """``answer`` of every partition; ``labels`` are those of its columns, where it may have some."""
    check_collection("X", X)
    sample = answer(_one_row(local))
    if sample.ndim == 1:
        labels = None
    model = delayed(answer, pure=False, traverse=False)  # a task of its own, so that it goes to each worker once
    if hasattr(X, "map_partitions"):
        meta = _framed(sample, None, labels).iloc[:0]
        return X.map_partitions(_of_frame, model, meta, meta=meta)
    X = X.rechunk({1: -1})
    shape: dict[str, Any] = {"drop_axis": 1} if labels is None else {"chunks": (X.chunks[0], (len(labels),))}
    return X.map_blocks(_of_array, model, sample[:0], meta=sample[:0], **shape)


def _one_row(model: Any) -> Any:
    """A row to try a model on."""
    row, names = np.zeros((1, model.n_features_in_)), getattr(model, "feature_names_in_", None)
    if names is None:
        return row
    import pandas as pd

    return pd.DataFrame(row, columns=names)


def _framed(found: np.ndarray, index: Any, labels: list[Any] | None) -> Any:
    import pandas as pd

    return pd.Series(found, index=index) if labels is None else pd.DataFrame(found, index=index, columns=labels)


def _of_array(rows: np.ndarray, answer: Callable[[Any], np.ndarray], none: np.ndarray) -> np.ndarray:
    return answer(rows) if len(rows) else none


def _of_frame(rows: Any, answer: Callable[[Any], np.ndarray], none: Any) -> Any:
    if len(rows) == 0:
        return none.set_axis(rows.index)
    return _framed(answer(rows), rows.index, list(none.columns) if none.ndim == 2 else None)
