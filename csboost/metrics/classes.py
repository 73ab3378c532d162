"""Which classes there are, where no labels are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from csboost._inputs.labels import known_classes
from csboost._inputs.values import listed
from csboost.costs.checks import refuse_missing_labels
from csboost.costs.cost_table import CostTable, labels_of


def all_classes(cost_matrix: Any, found: list[NDArray[Any]], targets: dict[str, Any]) -> NDArray[Any]:
    """The classes of the cost matrix, declared by the targets, or those ``found``, sorted."""
    if isinstance(cost_matrix, CostTable):
        return _as_array(cost_matrix.classes_for(label for part in found for label in part.tolist()))
    own = labels_of(cost_matrix)
    if own is not None:
        refuse_missing_labels(own, "cost_matrix", "its row labels")
        return _as_array(own)
    seen, known = _sorted(found), known_classes(**targets)
    if cost_matrix is None or isinstance(cost_matrix, str):
        return seen if known is None else _declared(cost_matrix, seen, *known)
    size = len(cost_matrix) if np.ndim(cost_matrix) == 2 else len(seen)
    if size != len(seen) and known is not None and len(known[0]) == size:
        return np.sort(known[0])  # an array is in sorted order at every door
    if size != len(seen) and np.shape(cost_matrix) == (size, size):
        raise ValueError(
            f"cost_matrix is for {size} classes, but the data hold {len(seen)} ({listed(list(seen))}): "
            "give labels= (all class labels, in the order of the matrix) or a labelled pandas.DataFrame"
        )
    return seen


def _sorted(found: list[NDArray[Any]]) -> NDArray[Any]:
    try:
        return np.unique(np.concatenate([np.unique(part) for part in found]))
    except TypeError:
        kinds = sorted({type(label).__name__ for part in found for label in part.tolist()})
        raise ValueError(
            f"the targets hold labels of several types ({', '.join(kinds)}), which have no order: give labels=, or a "
            "cost table labelled with the classes and the answers"
        ) from None


def _declared(name: str | None, seen: NDArray[Any], categories: list[Any], ordered: bool) -> NDArray[Any]:
    """All classes in the order in which a name counts steps."""
    others = [label for label in seen if label not in set(categories)]
    if ordered and not others:
        return _as_array(categories)
    if ordered and name not in (None, "equal"):
        raise ValueError(
            f"the labels declare the ordered categories {listed(categories)}, without {listed(others)}: "
            f"give labels= in the order in which cost_matrix={name!r} is to count steps"
        )
    return np.union1d(_as_array(categories), seen)


def _as_array(labels: list[Any]) -> NDArray[Any]:
    return pd.Index(labels).to_numpy()  # NumPy would turn numbers beside text into text
