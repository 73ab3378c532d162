"""A cost table as stated, before anything in it is refused: its numbers and its labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import listed, numeric
from csboost.costs.alignment import in_answer_order, turned
from csboost.costs.checks import check_unique, take_labels
from csboost.costs.cost_table import CostTable
from csboost.costs.resolution import resolve
from csboost.costs.row_tables import CostTables
from csboost.costs.tables import axis_names, is_labelled, read_cost_table

__all__ = ["Stated", "as_stated"]

_MEAN = "csboost.costs.CostTable(tables.costs.mean(axis=0), tables.labels, tables.answers)"


class Stated(NamedTuple):
    """Costs of K truths and A answers."""

    costs: NDArray[np.float64]  # (K, A)
    truths: list[Any]
    answers: list[Any]
    axes: tuple[Any, Any] = (None, None)  # what the table calls its rows and its columns
    turned: str | None = None  # what its labels say for rows and columns in each other's place

    def own(self, j: int) -> int | None:
        """The column of the right answer to truth ``j``, or None where there is none."""
        return self.answers.index(self.truths[j]) if self.truths[j] in self.answers else None

    @property
    def others(self) -> list[int]:
        """The columns that are no truths."""
        return [a for a, answer in enumerate(self.answers) if answer not in self.truths]

    def mistakes(self, j: int) -> list[int]:
        """The columns of the truths that are wrong answers to truth ``j``."""
        return [a for a, answer in enumerate(self.answers) if answer in self.truths and answer != self.truths[j]]


def as_stated(C: Any, classes: Sequence[Any] | NDArray[Any] | None) -> Stated:
    """Read any form of costs: finite, rows = truth, in the table's own order or, where given, that of ``classes``."""
    table = _read(C, None if classes is None else list(classes))
    bad = np.argwhere(~np.isfinite(table.costs))
    if len(bad):
        j, a = bad[0]
        where = f"truth {listed(table.truths[j : j + 1])}, answer {listed(table.answers[a : a + 1])}"
        raise ValueError(f"the cost of {where} is {table.costs[j, a]:g}: costs must be finite.")
    return table


def _read(C: Any, classes: list[Any] | None) -> Stated:
    if isinstance(C, CostTables):
        raise ValueError(f"these are tables of {len(C)} rows: give their mean, {_MEAN}, or one, with tables.costs[0].")
    if isinstance(C, CostTable):
        return _cut(Stated(np.array(C.costs), list(C.labels), list(C.answers)), classes)
    if C is not None and not isinstance(C, str) and is_labelled(C):
        table = read_cost_table(C, "the cost table")
        _refuse_formulas(table.values)
        costs = numeric(table.values, "the cost table")
        return _cut(Stated(costs, table.rows, table.columns, axis_names(C)), classes)
    if C is None or isinstance(C, str):
        if classes is None:
            raise ValueError(f"costs {C!r} depend on the classes: give classes=.")
        return Stated(resolve(C, classes, known=classes), classes, classes)
    costs = numeric(C, "the cost table")
    labels = list(range(len(costs))) if classes is None else classes
    if costs.shape != (len(labels), len(labels)):
        raise ValueError(
            f"the cost table has shape {costs.shape}, for {len(labels)} classes: an array is square; give answers that "
            "are no classes in a labelled pandas.DataFrame."
        )
    return Stated(costs, labels, labels)


def _refuse_formulas(values: Any) -> None:
    if any(isinstance(cell, str) for cell in np.ravel(np.asarray(values, dtype=object))):
        raise ValueError(
            "the cost table holds text. If these are formulas, work them out over the columns of X: tables = "
            f"csboost.costs.from_formulas(table, X). Then give their mean, {_MEAN}, or the first of them, with "
            "tables.costs[0]."
        )


def _cut(table: Stated, classes: list[Any] | None) -> Stated:
    """The table's rows in the order of the classes, and its columns: those of the classes, then the others."""
    for what, labels in (("row", table.truths), ("column", table.answers)):
        check_unique(labels, "the cost table", what)
    if classes is None:
        return table
    if not set(classes) <= set(table.truths) and set(classes) <= set(table.answers):
        raise ValueError("the classes label the columns of the cost table, not its rows: rows are the truth; give C.T.")
    rows = take_labels(table.truths, classes, "the cost table", "row")
    answers = in_answer_order(table.answers, classes, table.truths)
    columns = take_labels(table.answers, answers, "the cost table", "column")
    doubt = turned(table.truths, table.answers, classes, "the table")
    return Stated(table.costs[np.ix_(rows, columns)], classes, answers, table.axes, doubt)
