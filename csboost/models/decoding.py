"""Objects again from a tree and its arrays; see :mod:`csboost.models.encoding`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from csboost.costs.cost_table import CostTable
from csboost.models.absent import AbsentLoss
from csboost.models.kinds import class_of, is_foreign
from csboost.models.soundness import CHECKS
from csboost.models.values import READERS

__all__ = ["Decoder"]


class Decoder:
    """Decodes one model.

    Attributes
    ----------
    is_foreign : bool
        Whether objects of scikit-learn came up.
    has_no_loss : bool
        Whether a loss of the user's own came up.
    """

    def __init__(self, arrays: list[np.ndarray], loss: Any = None) -> None:
        self._arrays, self._loss = arrays, loss
        self.is_foreign = self.has_no_loss = False
        self._readers: dict[str, Callable[[Any], Any]] = {
            "array": self._array,
            "objects": self._objects,
            "strings": self._strings,
            "tuple": lambda parts: tuple(map(self.decode, parts)),
            "dict": lambda pairs: {self.decode(key): self.decode(part) for key, part in pairs},
            "frame": self._frame,
            "costs": lambda parts: CostTable(*map(self.decode, parts)),
            "object": self._object,
        }

    def decode(self, tree: Any) -> Any:
        """The value of a tree.

        Raises
        ------
        ValueError, and whatever else is raised by contents that no model has
        """
        if isinstance(tree, list):
            return [self.decode(part) for part in tree]
        if not isinstance(tree, dict):
            return tree
        ((tag, contents),) = tree.items()
        if tag in self._readers:
            return self._readers[tag](contents)
        if tag not in READERS:
            raise ValueError(f"{tag!r} is not known")
        return READERS[tag](self.decode(contents))

    def _array(self, place: Any) -> np.ndarray:
        if type(place) is not int or not 0 <= place < len(self._arrays):
            raise ValueError(f"there is no array {place!r}")
        return self._arrays[place]

    def _objects(self, parts: Any, dtype: Any = object) -> np.ndarray:
        shape, values = parts
        if not (isinstance(values, list) and all(type(size) is int and size >= 0 for size in shape)):
            raise ValueError("an array of objects has no shape")
        flat = np.empty(len(values), dtype)
        for place, value in enumerate(values):
            flat[place] = self.decode(value)
        return flat.reshape(shape)

    def _strings(self, parts: Any) -> np.ndarray:
        return self._objects(parts, np.dtypes.StringDType())

    def _frame(self, parts: Any) -> Any:
        import pandas as pd

        index, columns, values = map(self.decode, parts)
        if values.shape != (len(index), len(columns)):
            raise ValueError("a table is not as large as it says")
        return pd.DataFrame(values, index=index, columns=columns)

    def _object(self, parts: Any) -> Any:
        name, state = parts
        kind = class_of(name) if isinstance(name, str) else None
        if kind is None:
            raise ValueError(f"objects of {name!r} are not made")
        self.is_foreign |= is_foreign(name)
        found = object.__new__(kind)
        vars(found).update(_defaults(kind))
        for key, part in state.items():
            own = inspect.getattr_static(kind, key, None)
            if callable(own) or hasattr(own, "__get__") or key.startswith("__"):
                raise ValueError(f"{key!r} of {name} is no data")
            vars(found)[key] = self.decode(part)
        if name in CHECKS:
            CHECKS[name](found)
        if kind is AbsentLoss:
            self.has_no_loss = True
            return found if self._loss is None else self._loss
        return found


def _defaults(kind: type[Any]) -> dict[str, Any]:
    """Parameters that a file of another version may lack."""
    if not issubclass(kind, BaseEstimator):
        return {}
    parameters = inspect.signature(kind).parameters.values()
    return {given.name: given.default for given in parameters if given.default is not given.empty}
