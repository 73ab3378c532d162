"""Checks on cost matrices, costs per row and weights; each message names the offender and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LABELLED_REMEDY = (
    "If a class can be missing from y, as in a fold of cross-validation, pass a pandas.DataFrame labelled with the "
    "classes: it is cut to the classes present."
)


def is_labelled(table: Any) -> bool:
    """Whether ``table`` is a DataFrame, judged by its axes so that pandas need not be imported."""
    return hasattr(table, "index") and hasattr(table, "columns") and hasattr(table, "to_numpy")


def listed(labels: Sequence[Any], limit: int = 12) -> str:
    """The labels as text, numpy scalars as plain Python values."""
    shown = [repr(label.item() if isinstance(label, np.generic) else label) for label in labels[:limit]]
    return ", ".join(shown) + (f" and {len(labels) - limit} more" if len(labels) > limit else "")


def numeric(values: Any, name: str) -> NDArray[np.float64]:
    """``values`` as a new float64 array; text, complex numbers and ragged lists are refused."""
    text: list[Any] = []
    try:
        raw = values.to_numpy() if is_labelled(values) else np.asarray(values)
        if raw.dtype.kind in "OUS":
            text = [value for value in raw.flat if isinstance(value, (str, bytes))]
        if text or raw.dtype.kind not in "biufO":
            raise TypeError
        return np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        found = listed(text[:1]) if text else type(values).__name__
        raise ValueError(f"{name} must be a rectangular table of numbers, got {found}") from None


def check_matrix(
    costs: NDArray[np.float64], labels: Sequence[Any], *, name: str = "cost_matrix", allow_zero: bool = False
) -> NDArray[np.float64]:
    """Check the shape and the entries of a (K, K) matrix whose axes are ``labels``."""
    K = len(labels)
    if costs.shape != (K, K):
        raise ValueError(
            f"{name} has shape {costs.shape}, but there are {K} classes ({listed(labels)}): an array needs one row "
            f"(truth) and one column (predicted) per class, in sorted order. {_LABELLED_REMEDY}"
        )
    bad = ~(np.isfinite(costs) & (costs >= 0))
    if bad.any():
        j, k = np.argwhere(bad)[0]
        where = f"truth {listed(labels[j : j + 1])}, predicted {listed(labels[k : k + 1])}"
        raise ValueError(f"{name}[{j}, {k}] ({where}) is {costs[j, k]:g}: costs must be finite and not negative")
    if K > 1 and not allow_zero and not costs.any():
        raise ValueError(f"{name} is zero everywhere for the classes {listed(labels)}: no mistake would cost anything")
    return np.ascontiguousarray(costs)


def take_labels(axis: Any, labels: Sequence[Any], name: str, what: str, other: Any = None) -> list[int]:
    """Positions of ``labels`` on a DataFrame's ``axis`` (its ``what``); ``other`` must have the same labels."""
    present = list(axis)
    position = {label: i for i, label in enumerate(present)}
    if len(position) < len(present):
        repeated = list(dict.fromkeys(label for label in present if present.count(label) > 1))
        raise ValueError(f"{name} repeats the {what} labels {listed(repeated)}: each class needs exactly one {what}")
    if other is not None and set(position) != set(other):
        rows = list(other)
        only_here, only_there = [x for x in present if x not in rows], [x for x in rows if x not in position]
        raise ValueError(
            f"{name} must carry the same labels on its rows (truth) and columns (predicted); only on the columns: "
            f"{listed(only_here) or 'none'}; only on the rows: {listed(only_there) or 'none'}."
            f"{_type_hint(present, rows)}"
        )
    missing = [label for label in labels if label not in position]
    if missing:
        raise ValueError(
            f"{name} has no {what} for the classes {listed(missing)}; its {what} labels are {listed(present)}. "
            f"A DataFrame is aligned by label; pass .to_numpy() for costs in sorted order."
            f"{_type_hint(present, missing)}"
        )
    return [position[label] for label in labels]


def _type_hint(present: Sequence[Any], wanted: Sequence[Any]) -> str:
    """Explain the commonest mismatch: numbers on one side, the same as text (from a CSV header) on the other."""
    by_text = {str(label): label for label in present}
    for label in wanted:
        twin = by_text.get(str(label))
        if twin is not None and twin != label:
            return f" The labels differ in type: {listed([twin])} is a {type(twin).__name__}, {listed([label])} is not."
    return ""


def check_sample_cost(
    sample_cost: Any, n: int, K: int, classes: Sequence[Any] | NDArray[Any] | None
) -> NDArray[np.float64]:
    """Check costs per row: (n, K), finite, not negative, not all zero."""
    costs = numeric(sample_cost, "sample_cost")
    if classes is not None and is_labelled(sample_cost):
        costs = costs[:, take_labels(sample_cost.columns, list(classes), "sample_cost", "column")]
    if costs.shape != (n, K):
        hint = _LABELLED_REMEDY if costs.ndim == 2 and len(costs) == n else "Give one row per sample."
        raise ValueError(
            f"sample_cost has shape {costs.shape}, expected ({n}, {K}): a row per sample and, in sorted order, a "
            f"column per class. {hint}"
        )
    bad = ~(np.isfinite(costs) & (costs >= 0))
    if bad.any():
        i, k = np.argwhere(bad)[0]
        raise ValueError(f"sample_cost[{i}, {k}] is {costs[i, k]:g}: costs must be finite and not negative")
    if not costs.any():
        raise ValueError("sample_cost is zero everywhere: no mistake would cost anything")
    return np.ascontiguousarray(costs)


def check_sample_weight(sample_weight: Any, n: int) -> NDArray[np.float64]:
    """Check weights: (n,), finite, not negative, not all zero. A single number counts for every row."""
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n, float(sample_weight))
    weights = numeric(sample_weight, "sample_weight")
    if weights.shape != (n,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n},): one weight per sample")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"sample_weight[{i}] is {weights[i]:g}: weights must be finite and not negative")
    if not weights.any():
        raise ValueError("sample_weight is zero everywhere: at least one sample needs a positive weight")
    return weights
