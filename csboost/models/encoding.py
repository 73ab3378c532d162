"""Fitted objects as a tree that JSON can hold, with their arrays aside.

Text, whole numbers, finite floats, True, False, None and lists stand for themselves. Everything else is an object of
one entry, a tag and its contents: ``{"array": 3}``, ``{"tuple": [...]}``, ``{"object": ["Forest", {...}]}``.
"""

from __future__ import annotations

import math
from collections import UserList
from typing import Any

import numpy as np

from csboost.costs.cost_table import CostTable
from csboost.costs.tables import is_labelled, read_cost_table
from csboost.models.absent import AbsentLoss
from csboost.models.kinds import name_of
from csboost.models.values import tagged

__all__ = ["Encoder"]

#: Attributes that say nothing of what was fitted: which metadata a meta-estimator shall pass on to ``fit``, and what a
#: file says of its model, which has a part of its own there.
_LEFT_OUT = {"_metadata_request", "info_"}
_LOSS = ("value", "derivative", "second_derivative")
REMEDY = "Keep the model with pickle or joblib, and load such a file only from those whom you trust."


class Encoder:
    """Encodes one model.

    Attributes
    ----------
    arrays : list of ndarray
        What ``{"array": place}`` stands for.
    """

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []
        self._places: dict[int, int] = {}  # id of an array -> its place, so that shared ones are written once
        self._way: list[str] = []  # to what is being encoded, for messages

    def encode(self, value: Any) -> Any:
        """The tree of a value.

        Raises
        ------
        ValueError
            For values that cannot be written, with the way to them and a remedy.
        """
        if value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value)):
            return value
        if type(value) is list or isinstance(value, UserList):
            return [self.encode(part) for part in value]
        if type(value) is tuple:
            return {"tuple": [self.encode(part) for part in value]}
        if isinstance(value, dict):
            return {"dict": [[self.encode(key), self._inside(f"[{key!r}]", part)] for key, part in value.items()]}
        if isinstance(value, np.ndarray):
            return self._array(value)
        found = tagged(value)
        if found is not None:
            return {found[0]: self.encode(found[1])}
        return self._object(value)

    def _inside(self, step: str, value: Any) -> Any:
        self._way.append(step)
        found = self.encode(value)
        self._way.pop()
        return found

    def _array(self, array: np.ndarray) -> Any:
        if array.dtype.kind == "T" or array.dtype.hasobject:
            if array.dtype.kind not in "OT":
                raise ValueError(self._refusal(f"an array of the type {array.dtype}"))
            tag = "objects" if array.dtype.kind == "O" else "strings"
            return {tag: [list(array.shape), [self.encode(part) for part in array.ravel().tolist()]]}
        if array.dtype.kind not in "biufmMUS" or array.dtype.char == "g":
            raise ValueError(self._refusal(f"an array of the type {array.dtype}"))
        if id(array) not in self._places:
            self._places[id(array)] = len(self.arrays)
            self.arrays.append(array)
        return {"array": self._places[id(array)]}

    def _object(self, value: Any) -> Any:
        if hasattr(value, "to_local"):  # a model on Dask
            return self.encode(value.to_local())
        name = name_of(type(value))
        if type(value) is CostTable:
            return {"costs": [self.encode(part) for part in (value.costs, value.labels, value.answers)]}
        if name is not None:
            state = {key: part for key, part in vars(value).items() if key not in _LEFT_OUT}
            if name == "Pipeline":
                state["memory"] = None  # a folder of pickles, for fits
            return {"object": [name, {key: self._inside(f".{key}", part) for key, part in state.items()}]}
        if all(callable(getattr(value, method, None)) for method in _LOSS):
            return self.encode(AbsentLoss(type(value).__name__))
        if is_labelled(value):
            table = read_cost_table(value, "".join(self._way).lstrip("."))
            values = table.values if isinstance(table.values, np.ndarray) else table.values.to_numpy()
            return {"frame": [self.encode(table.rows), self.encode(table.columns), self.encode(values)]}
        raise ValueError(self._refusal(_described(value)))

    def _refusal(self, what: str) -> str:
        where = "".join(self._way).lstrip(".")
        return f"{where or 'the model'} is {what}, which a model file without pickle cannot hold. {REMEDY}"


def _described(value: Any) -> str:
    if callable(value) and hasattr(value, "__name__"):
        return f"the function or class {value.__name__}"
    kind = type(value)
    mine = [base.__name__ for base in kind.__mro__[1:] if name_of(base) is not None]
    return f"of the class {kind.__name__}" + (f", a subclass of {mine[0]} with code of its own" if mine else "")
