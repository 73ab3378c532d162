"""Checks on cost matrices and on the labels of their axes; each message names the offender and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.labels import is_missing
from csboost._inputs.values import is_integer, listed

LABELLED_REMEDY = (
    "If a class can be missing from y, as in a fold of cross-validation, or have weight 0 throughout, pass a "
    "pandas.DataFrame labelled with the classes, or a csboost.costs.CostTable: it is cut to the classes present."
)
ANSWERS_REMEDY = (
    "For answers that are not just the classes, give a pandas.DataFrame labelled with the classes on its rows and the "
    "answers on its columns, or csboost.costs.CostTable(costs, labels, answers=[...])."
)


def check_matrix(costs: NDArray[np.float64], labels: Sequence[Any]) -> NDArray[np.float64]:
    """Check the shape and the entries of a (K, K) matrix whose axes are ``labels``; negative entries are gains."""
    K = len(labels)
    if costs.shape != (K, K):
        others = f" {ANSWERS_REMEDY}" if costs.ndim == 2 and len(costs) == K else ""
        raise ValueError(
            f"cost_matrix has shape {costs.shape}, but there are {K} classes ({listed(labels)}): an array needs one "
            f"row (truth) and one column (predicted) per class, in sorted order. {LABELLED_REMEDY}{others}"
        )
    check_finite(costs, labels, labels, "cost_matrix")
    if K > 1 and not costs.any():
        raise ValueError(
            f"cost_matrix is zero everywhere for the classes {listed(labels)}: no mistake would cost anything"
        )
    return np.ascontiguousarray(costs)


def check_finite(costs: NDArray[np.float64], rows: Sequence[Any], columns: Sequence[Any], name: str) -> None:
    """Refuse NaN and infinite entries of a table (K, A) whose axes are ``rows`` and ``columns``."""
    bad = ~np.isfinite(costs)
    if bad.any():
        j, k = np.argwhere(bad)[0]
        where = f"truth {listed(rows[j : j + 1])}, predicted {listed(columns[k : k + 1])}"
        raise ValueError(f"{name}[{j}, {k}] ({where}) is {costs[j, k]:g}: costs must be finite")


def check_finite_everywhere(costs: NDArray[np.float64], name: str) -> None:
    """The same of costs without labels, of any shape."""
    bad = ~np.isfinite(costs)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{name}[{', '.join(map(str, place))}] is {costs[place]:g}: costs must be finite")


def check_unique(labels: Sequence[Any], name: str, what: str) -> None:
    """Refuse labels that are missing or repeat on a table's axis (its ``what``)."""
    refuse_missing_labels(labels, name, f"its {what} labels")
    if len(set(labels)) < len(labels):
        repeated = list(dict.fromkeys(label for label in labels if list(labels).count(label) > 1))
        raise ValueError(f"{name} repeats the {what} labels {listed(repeated)}: each class needs exactly one {what}")


def take_labels(
    present: list[Any], labels: Sequence[Any], name: str, what: str, other: Sequence[Any] | None = None
) -> list[int]:
    """Positions of ``labels`` on a table's axis ``present`` (its ``what``); ``other`` must have the same labels."""
    check_unique(present, name, what)
    refuse_missing_labels(labels, name, "the classes")
    position = {label: i for i, label in enumerate(present)}
    if other is not None and set(position) != set(other):
        raise ValueError(differing_labels(present, other, name))
    missing = [label for label in labels if label not in position]
    if missing:
        hint = label_hint(present, missing) or _label_remedy(present, labels, name, what)
        raise ValueError(
            f"{name} has no {what} for the classes {listed(missing)}; its {what} labels are {listed(present)}. {hint}"
        )
    return [position[label] for label in labels]


def refuse_missing_labels(labels: Sequence[Any], name: str, what: str) -> None:
    """Refuse NaN, None and the like among labels, which nothing equals."""
    if any(map(is_missing, labels)):
        raise ValueError(
            f"{name} cannot be read by label where one is missing; {what} are {listed(labels)}. Give every class and "
            "answer a label."
        )


def differing_labels(columns: Sequence[Any], rows: Sequence[Any], name: str) -> str:
    """What to say of columns (answers) that are not the classes on the rows."""
    only_here, only_there = [x for x in columns if x not in rows], [x for x in rows if x not in columns]
    return (
        f"{name} must carry the same labels on its rows (truth) and columns (predicted); only on the columns: "
        f"{listed(only_here) or 'none'}; only on the rows: {listed(only_there) or 'none'}. "
        f"{_type_hint(columns, list(rows))}".rstrip()
    )


def _label_remedy(present: Sequence[Any], labels: Sequence[Any], name: str, what: str) -> str:
    """What to do with a table that has other labels than the classes."""
    if (name, what) == ("sample_cost", "row"):  # of CostTables, as other costs per row have none
        return (
            "Tables per row are aligned by label: give them a row for every class, or sample_cost.costs if they follow "
            "the sorted order of the classes."
        )
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


def bare_label(label: Any) -> Any:
    """A label less what is easily mistyped: case, spaces, and whether a number is text."""
    text = "".join(str(label).split()).casefold()
    try:
        return float(text)
    except ValueError:
        return text


def label_hint(present: Sequence[Any], wanted: Sequence[Any]) -> str:
    """Explain a mismatch of labels that mean the same."""
    return _type_hint(present, wanted) or _slip_hint(present, wanted)


def _slip_hint(present: Sequence[Any], wanted: Sequence[Any]) -> str:
    """Explain labels that differ by what is easily mistyped."""
    bare = {bare_label(label): label for label in present}
    for label in wanted:
        if bare_label(label) in bare:
            return (
                f"{listed([bare[bare_label(label)], label])} differ in upper case, spaces or type alone: give both the "
                "same label."
            )
    return ""


def _type_hint(present: Sequence[Any], wanted: Sequence[Any]) -> str:
    """Explain the commonest mismatch: numbers on one side, the same as text (from a CSV header) on the other."""
    by_text = {str(label): label for label in present}
    for label in wanted:
        twin = by_text.get(str(label))
        if twin is not None and twin != label:
            return f"The labels differ in type: {listed([twin])} is a {type(twin).__name__}, {listed([label])} is not."
    return ""
