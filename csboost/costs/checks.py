"""Checks on cost matrices and on the labels of their axes; each message names the offender and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import is_integer, listed

LABELLED_REMEDY = (
    "If a class can be missing from y, as in a fold of cross-validation, or have weight 0 throughout, pass a "
    "pandas.DataFrame labelled with the classes, or a csboost.costs.CostTable: it is cut to the classes present."
)


def check_matrix(
    costs: NDArray[np.float64], labels: Sequence[Any], *, name: str = "cost_matrix", allow_zero: bool = False
) -> NDArray[np.float64]:
    """Check the shape and the entries of a (K, K) matrix whose axes are ``labels``."""
    K = len(labels)
    if costs.shape != (K, K):
        raise ValueError(
            f"{name} has shape {costs.shape}, but there are {K} classes ({listed(labels)}): an array needs one row "
            f"(truth) and one column (predicted) per class, in sorted order. {LABELLED_REMEDY}"
        )
    bad = ~(np.isfinite(costs) & (costs >= 0))
    if bad.any():
        j, k = np.argwhere(bad)[0]
        where = f"truth {listed(labels[j : j + 1])}, predicted {listed(labels[k : k + 1])}"
        raise ValueError(f"{name}[{j}, {k}] ({where}) is {costs[j, k]:g}: costs must be finite and not negative")
    if K > 1 and not allow_zero and not costs.any():
        raise ValueError(f"{name} is zero everywhere for the classes {listed(labels)}: no mistake would cost anything")
    return np.ascontiguousarray(costs)


def take_labels(
    present: list[Any], labels: Sequence[Any], name: str, what: str, other: Sequence[Any] | None = None
) -> list[int]:
    """Positions of ``labels`` on a table's axis ``present`` (its ``what``); ``other`` must have the same labels."""
    position = {label: i for i, label in enumerate(present)}
    if len(position) < len(present):
        repeated = list(dict.fromkeys(label for label in present if present.count(label) > 1))
        raise ValueError(f"{name} repeats the {what} labels {listed(repeated)}: each class needs exactly one {what}")
    if other is not None and set(position) != set(other):
        rows = list(other)
        only_here, only_there = [x for x in present if x not in rows], [x for x in rows if x not in position]
        raise ValueError(
            f"{name} must carry the same labels on its rows (truth) and columns (predicted); only on the columns: "
            f"{listed(only_here) or 'none'}; only on the rows: {listed(only_there) or 'none'}. "
            f"{_type_hint(present, rows)}".rstrip()
        )
    missing = [label for label in labels if label not in position]
    if missing:
        hint = _type_hint(present, missing) or _label_remedy(present, labels, name)
        raise ValueError(
            f"{name} has no {what} for the classes {listed(missing)}; its {what} labels are {listed(present)}. {hint}"
        )
    return [position[label] for label in labels]


def _label_remedy(present: Sequence[Any], labels: Sequence[Any], name: str) -> str:
    """What to do with a table that has other labels than the classes."""
    if all(is_integer(label) and 0 <= label < len(present) for label in labels):
        if max(labels) < len(present) - 1:
            return (
                "Where scikit-learn numbers the classes of a part, as one-vs-rest and one-vs-one do, costs of all "
                "classes fit none: fit this classifier itself, which takes all classes at once. Where a fold or sample "
                f"lacks a class that others have, let no label be encoded, or give {name} for the classes there are."
            )
        # Not .to_numpy() alone: the numbers follow the sorted labels, which the table need not.
        call = f"csboost.costs.CostTable({name})"
        if name != "cost_matrix":  # costs per row, as columns
            call = f"{name}[sorted({name}.columns)].to_numpy()"
        return (
            "Where scikit-learn has turned labels into numbers, as Bagging, Voting, Stacking, CalibratedClassifierCV "
            f"and cross_val_predict of probabilities do, give {call}."
        )
    return "It is aligned by label; if it follows the sorted order of the classes already, pass .to_numpy()."


def _type_hint(present: Sequence[Any], wanted: Sequence[Any]) -> str:
    """Explain the commonest mismatch: numbers on one side, the same as text (from a CSV header) on the other."""
    by_text = {str(label): label for label in present}
    for label in wanted:
        twin = by_text.get(str(label))
        if twin is not None and twin != label:
            return f"The labels differ in type: {listed([twin])} is a {type(twin).__name__}, {listed([label])} is not."
    return ""
