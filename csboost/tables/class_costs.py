"""The costs of a user's file: a table with the names of the classes, or a name; checked against the classes there."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from csboost import costs as cost_tables
from csboost.data.errors import DataError
from csboost.tables.labels import as_number, in_order, label_texts

MOST_CLASSES = 200
_LISTED = 8


class OrderError(ValueError):
    """Steps would be counted in an order that nobody stated, or the stated one is not that of the classes."""


class Costs(NamedTuple):
    """Costs (K, A) with their labels as text; rows = truth."""

    name: str
    classes: tuple[str, ...]
    answers: tuple[str, ...]
    matrix: np.ndarray

    @property
    def table(self) -> pd.DataFrame:
        """The costs with their labels."""
        return pd.DataFrame(self.matrix, index=list(self.classes), columns=list(self.answers))


def read_cost_file(path: Path) -> Costs:
    """Read a table of costs with the labels of truths and answers (DataError for what is none)."""
    try:
        table = cost_tables.read_costs(path)
        table = table.set_axis(label_texts(table.index).tolist(), axis="index")
        table = table.set_axis(label_texts(table.columns).tolist(), axis="columns")
        classes = list(table.index)
        found = cost_tables.resolve_answers(table, np.array(classes, dtype=object))
    except (ValueError, OSError) as error:
        raise DataError(str(error)) from None
    if len(classes) < 2:
        raise DataError(f"{path} has one truth only, {classes[0]!r}: give a row for every class.")
    return Costs(Path(path).stem, tuple(classes), tuple(map(str, found.labels)), found.costs)


def costs_of_name(name: str, labels: pd.Series, order: Sequence[str] | None, target: str) -> Costs:
    """Return named costs of the classes there are, in their stated order or else sorted.

    Raises
    ------
    OrderError
        When steps would be counted in an order that nobody stated, or the stated one is not that of the classes.
    DataError
        When the column holds no classes.
    """
    present = in_order(labels.unique())
    _check_are_classes(labels, target)
    classes = [label_texts([label])[0] for label in order] if order else present
    if set(classes) != set(present) or len(set(classes)) < len(classes):
        raise OrderError(
            f"--order must name each class of {target!r} once: {' '.join(present)}; got {' '.join(classes)}."
        )
    try:
        cost_tables.resolve(name, np.array(classes, dtype=object), known=classes if order else None)
    except ValueError:
        raise OrderError(
            f"{name} costs count steps between neighbouring classes, but nothing says in which order "
            f"{', '.join(present)} follow one another: give all of them from low to high, as in --order "
            f"{' '.join(present)}."
        ) from None
    matrix = cost_tables.resolve(name, classes, known=classes)
    return Costs(name, tuple(classes), tuple(classes), matrix)


def _check_are_classes(labels: pd.Series, target: str) -> None:
    """Refuse a column of quantities or of names."""
    counts = labels.value_counts()
    if len(counts) == 1:
        raise DataError(f"the target {target!r} has one class only, {counts.index[0]!r}: there is nothing to learn.")
    if len(counts) > MOST_CLASSES or (len(counts) > 20 and len(counts) > len(labels) / 10):
        values = pd.to_numeric(pd.Series(counts.index), errors="coerce").notna().all()
        what = "a quantity: cut it into classes first" if values else "no classes: is it the right column?"
        raise DataError(
            f"the target {target!r} holds {len(counts):,} different values in {len(labels):,} rows, which looks like "
            f"{what}."
        )


def check_classes(costs: Costs, labels: pd.Series, target: str, given_by: Path | None) -> None:
    """Refuse classes without costs, costs without a class, and a class with one row (DataError)."""
    counts = labels.value_counts()
    if given_by is not None:
        unknown = [str(name) for name in counts.index if name not in costs.classes]
        absent = [name for name in costs.classes if name not in counts.index]
        if unknown:
            each = ", ".join(f"{name!r} ({_rows(counts[name])})" for name in unknown[:_LISTED])
            each += f" and {len(unknown) - _LISTED:,} more" if len(unknown) > _LISTED else ""
            raise DataError(
                f"the column {target!r} has classes that {given_by} gives no costs: {each}.{_near(unknown, absent)} It "
                f"has rows for {', '.join(map(repr, costs.classes[:_LISTED]))}. Add a row for each, or mend the labels."
            )
        if absent:
            if set(counts.index) == set(costs.answers):
                raise DataError(
                    f"{given_by} has its rows and columns the other way round: rows are the truth and columns the "
                    f"answers, but {', '.join(map(repr, absent))}, of which {target!r} has none, stands before a row. "
                    "Swap rows and columns."
                )
            raise DataError(
                f"{given_by} gives costs to classes that no row of {target!r} has: {', '.join(map(repr, absent))}. "
                f"Delete their rows and columns from the costs, or give a file that has them."
            )
    single = [str(name) for name, count in counts.items() if count == 1]
    if single:
        raise DataError(
            f"only one row has the class {', '.join(map(repr, single[:_LISTED]))} of {target!r}: what is learnt from a "
            "row cannot be tested on it. Merge the class with another one, or delete the row."
        )


def _rows(count: int) -> str:
    return f"{count:,} row{'s' if count > 1 else ''}"


def _near(unknown: Sequence[str], absent: Sequence[str]) -> str:
    """Say which label without rows is likely meant by one without costs."""
    for name in unknown:
        close = difflib.get_close_matches(name.casefold(), [other.casefold() for other in absent], n=1, cutoff=0.7)
        twin = next((other for other in absent if close and other.casefold() == close[0]), None)
        if twin is not None:
            return f" Is {name!r} the {twin!r} of the costs?"
    return ""


def with_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose labels are numbers where all truths are: in a sentence they are called "answer 3"."""
    if any(as_number(truth) is truth for truth in table.index):
        return table
    rows, columns = (pd.Index(list(map(as_number, axis)), dtype=object) for axis in table.axes)  # 2 stays so beside 0.5
    return table.set_axis(rows, axis="index").set_axis(columns, axis="columns")


def cost_words(costs: Costs) -> list[str]:
    """Say that right answers cost something, where they do: many do not mean it."""
    place = {answer: a for a, answer in enumerate(costs.answers)}
    own = [(name, costs.matrix[k, place[name]]) for k, name in enumerate(costs.classes) if name in place]
    paid = [f"{name} {cost:g}" for name, cost in own if cost != 0]
    if not paid:
        return []
    return [
        f"Warning: right answers are not free here ({', '.join(paid)}). Costs are taken as they stand, so even a model "
        "without mistakes pays this; put 0 on the diagonal if only mistakes should count."
    ]
