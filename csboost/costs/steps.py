"""Whether classes have an order in which the steps of a named cost matrix can be counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from csboost._inputs.values import listed, sorted_labels

COUNT_STEPS = ("linear", "partitioned-linear")  # of the names of cost matrices
GRADES = "abcdefg"  # letters that are grades also where some are absent


def check_number_order(labels: Sequence[Any], name: str) -> None:
    """Refuse to count steps between numbers held as text in the order of text, where "10" comes before "2"."""
    if not all(isinstance(label, str) for label in labels):
        return
    by_number = sorted(labels, key=_number_key(labels))
    if list(labels) == sorted(labels) != by_number:
        raise ValueError(
            f"cost_matrix={name!r} counts steps between neighbouring classes, but {listed(labels)} are numbers held as "
            f"text, in the order of text. Give the labels as numbers, as ordered categories ({listed(by_number)}), or "
            f"give cost_matrix=csboost.costs.CostTable({name!r}, labels) with the labels in your order."
        )


def check_stated_order(cost_matrix: Any, classes: Iterable[Any], known: tuple[list[Any], bool] | None) -> None:
    """Refuse a name that would count steps between words in the order of the alphabet, as nobody stated another one.

    Numbers have an order, and so have letters that are grades, and text that differs by such alone. ``known`` are the
    categories that the labels declare, and whether in a declared order.
    """
    labels = list(classes if known is None else known[0])
    if not isinstance(cost_matrix, str) or cost_matrix not in COUNT_STEPS or (known is not None and known[1]):
        return
    same_either_way = cost_matrix == "linear" and len(labels) < 3
    if same_either_way or labels != sorted_labels(labels) or not all(isinstance(label, str) for label in labels):
        return
    if _is_scale(labels):
        return
    order = " < ".join(map(repr, map(str, labels[:8]))) + (" < ..." if len(labels) > 8 else "")
    raise ValueError(
        f"cost_matrix={cost_matrix!r} counts steps between neighbouring classes, but the labels declare no order; "
        f"sorted, they would be {order}. Give y as ordered categories, as in pandas.Categorical(y, categories=[...], "
        f"ordered=True), or cost_matrix=csboost.costs.CostTable({cost_matrix!r}, labels=[...]) with the labels in your "
        "order, or a labelled table of costs."
    )


def _is_scale(labels: Sequence[str]) -> bool:
    """Whether the sorted order of text is one that people mean: that of numbers, or of grades by letter."""
    if _are_numbers(labels):
        return True
    before = re.match(r".*[^A-Za-z0-9]|", labels[0])  # "grade " of "grade A"
    shared = len(before[0]) if before and all(label.startswith(before[0]) for label in labels) else 0
    rest = [label[shared:] for label in labels]
    words = [re.split("[0-9]+", label) for label in rest]
    if len(words[0]) > 1 and all(word == words[0] for word in words):
        return True  # "Q1", "Q2"
    letters = [match[1].lower() for label in rest if (match := re.fullmatch("([A-Za-z])[0-9]*", label))]
    if len(letters) < len(labels):
        return False
    places = sorted({ord(letter) for letter in letters})
    consecutive = places[-1] - places[0] == len(places) - 1
    return consecutive or "a" in letters or set(letters) <= set(GRADES)


def _are_numbers(labels: Sequence[str]) -> bool:
    try:
        return bool(np.isfinite([float(label) for label in labels]).all())
    except ValueError:
        return False


def _number_key(labels: Sequence[str]) -> Any:
    if _are_numbers(labels):
        return float
    return lambda label: [int(part) if i % 2 else part for i, part in enumerate(re.split(r"([0-9]+)", label))]
