"""Targets as class numbers, with the costs in the same order of the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.labels import known_classes, label_column
from csboost._inputs.row_index import check_row_index
from csboost._inputs.values import listed, numeric
from csboost._inputs.weights import check_sample_weight
from csboost.costs.cost_table import CostTable, labels_of
from csboost.costs.resolution import resolve
from csboost.costs.rows import read_sample_cost
from csboost.costs.tables import is_labelled


def encode(
    cost_matrix: Any, labels: Any, sample_weight: Any, *, fitted: Any = None, **targets: Any
) -> tuple[NDArray[Any], NDArray[np.float64], list[NDArray[np.intp]]]:
    """Classes (K,), resolved costs (K, K) and the targets as class indices; ``fitted`` are a model's ``classes_``."""
    values = {name: label_column(target, name) for name, target in targets.items()}
    lengths = {name: len(value) for name, value in values.items()}
    if len(set(lengths.values())) > 1 or 0 in lengths.values():
        raise ValueError(f"the targets must be of one length and not empty, got {lengths}")
    check_row_index(**targets, sample_weight=sample_weight)
    if labels is not None:
        classes = label_column(labels, "labels")
    else:
        seen = [*values.values()] if fitted is None else [np.asarray(fitted), *values.values()]
        classes = _all_classes(cost_matrix, [np.unique(part) for part in seen], targets)
    index = pd.Index(classes)
    if not index.is_unique:
        raise ValueError(f"labels are repeated: {listed(list(index[index.duplicated()].unique()))}")
    codes = []
    for name, value in values.items():
        codes.append(index.get_indexer(pd.Index(value)))
        if (codes[-1] < 0).any():
            unknown = list(pd.unique(pd.Series(value[codes[-1] < 0])))
            raise ValueError(f"{name} holds {listed(unknown)}, which the labels do not: {listed(list(classes))}")
    known = list(classes) if labels is not None or _is_declared(cost_matrix, targets) else None
    return classes, resolve(cost_matrix, classes, known=known), codes


def _is_declared(cost_matrix: Any, targets: dict[str, Any]) -> bool:
    """Whether the targets declare the order in which a name counts steps."""
    known = known_classes(**targets) if isinstance(cost_matrix, str) else None
    return known is not None and known[1]


def _all_classes(cost_matrix: Any, found: list[NDArray[Any]], targets: dict[str, Any]) -> NDArray[Any]:
    """The classes where no labels are given: of the cost matrix, declared by the targets, or those found, sorted."""
    if isinstance(cost_matrix, CostTable):
        return _as_array(cost_matrix.classes_for(label for part in found for label in part.tolist()))
    own = labels_of(cost_matrix)
    if own is not None:
        return _as_array(own)
    seen, known = np.unique(np.concatenate(found)), known_classes(**targets)
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


def expected_costs(expected_cost: Any, classes: NDArray[Any], n: int, ordered: bool) -> NDArray[np.float64]:
    """Expected costs as an array; columns are brought in the order of ``classes`` or, without names, must be in it."""
    if is_labelled(expected_cost):
        return read_sample_cost(expected_cost, classes, n, name="expected_cost")
    expected = numeric(expected_cost, "expected_cost")
    if expected.ndim == 2 and not ordered and list(classes) != sorted(classes):
        raise ValueError(
            f"expected_cost has columns without names, and the classes are in the order {listed(list(classes))}: give "
            "labels=model.classes_ if it comes from model.predict_expected_cost, or a DataFrame with named columns"
        )
    return expected


def row_weights(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64]:
    """The weights (n,), 1 by default."""
    return np.ones(n) if sample_weight is None else check_sample_weight(sample_weight, n)
