"""What every answer is expected to cost each row: a table for all rows, one for each, or entries that depend on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.row_index import check_row_index
from csboost._inputs.values import listed, numeric
from csboost.costs.answers import Answers, read_answers
from csboost.costs.checks import check_finite_everywhere, label_hint
from csboost.costs.cost_table import CostTable
from csboost.costs.gains import expected_costs as by_table
from csboost.costs.gains import expected_costs_by_row
from csboost.costs.row_tables import CostTables
from csboost.costs.tables import is_labelled, read_cost_table

Array = NDArray[np.float64]

AT_A_TIME = 2**21  # entries of tables that are made of a few entries per row


def expected_costs(
    P: Array,
    classes: NDArray[Any],
    cost_matrix: Any,
    sample_cost: Any,
    own: Answers | None = None,
    known: Sequence[Any] | None = None,
) -> tuple[Array, NDArray[Any]]:
    """Expected costs (n, A) and the answers' labels (A,).

    Where ``cost_matrix`` is None, a model's ``own`` costs stand for it; where there are none either, the tables that
    ``sample_cost`` has for every row, or else 0/1 costs. ``known`` are all classes in their natural order.
    """
    given = None if cost_matrix is None else read_answers(cost_matrix, classes, known)
    if isinstance(sample_cost, CostTables):
        return _by_labelled_tables(P, sample_cost, classes, given)
    table = given or own
    if sample_cost is None or isinstance(sample_cost, Mapping):
        table = table or read_answers(None, classes)
        costs = by_table(P, table.costs) if sample_cost is None else _with_entries(P, table, sample_cost, classes)
        return costs, table.labels
    tables = read_tables(sample_cost, P.shape, None if table is None else len(table.labels))
    if given is not None:
        _check_order(cost_matrix, classes, given.labels)
    K, A = tables.shape[1:]
    numbered = classes if K == A else np.arange(A)
    return expected_costs_by_row(P, tables), numbered if table is None else table.labels


def check_rows(sample_cost: Any, **tables: Any) -> None:
    """Refuse costs per row whose index names the rows otherwise than that of ``tables`` (X or proba)."""
    if isinstance(sample_cost, CostTables):
        check_row_index(**tables, sample_cost=sample_cost)
    if isinstance(sample_cost, Mapping):
        for costs in sample_cost.values():
            check_row_index(**tables, sample_cost=costs)
        check_row_index(**{f"sample_cost[{key!r}]": costs for key, costs in sample_cost.items()})


def _by_labelled_tables(P: Array, tables: CostTables, classes: NDArray[Any], table: Answers | None) -> Any:
    if len(tables) != len(P):
        raise ValueError(f"sample_cost has tables for {len(tables)} rows, expected {len(P)}")
    found = tables.answers_for(classes)
    if table is not None and set(found.labels.tolist()) != set(table.labels.tolist()):
        raise ValueError(
            f"sample_cost has tables for the answers {listed(list(found.labels))}, cost_matrix for "
            f"{listed(list(table.labels))}: tables per row replace it, so leave cost_matrix out."
        )
    return expected_costs_by_row(P, found.costs), found.labels


def _with_entries(P: Array, table: Answers, entries: Mapping[Any, Any], classes: NDArray[Any]) -> Array:
    """Expected costs where some entries of the table differ from row to row."""
    truths = {label: j for j, label in enumerate(classes.tolist())}
    answers = {label: a for a, label in enumerate(table.labels.tolist())}
    common, varying = table.costs.copy(), []
    named: set[tuple[int, int]] = set()
    for key, values in entries.items():
        name = f"sample_cost[{key!r}]"
        rows, a = _places(key, truths, answers, name)
        if named & {(j, a) for j in rows}:
            raise ValueError(f"{name} names an entry that another key names too: name each entry once")
        named |= {(j, a) for j in rows}
        costs = numeric(values, name)
        if costs.shape != (len(P),):
            raise ValueError(
                f"{name} has shape {costs.shape}, expected ({len(P)},): a cost for every row. What is the same for all "
                "rows belongs in cost_matrix."
            )
        check_finite_everywhere(costs, name)
        if len(costs) and (costs == costs[0]).all():
            common[rows, a] = costs[0]
        else:
            varying.append((rows, a, costs))
    return _by_entries(P, common, varying) if varying else by_table(P, common)


def _by_entries(P: Array, common: Array, varying: list[tuple[list[int], int, Array]]) -> Array:
    """The same with entries read: truths, answer, costs (n,). Tables are made of them for some rows at a time."""
    found, size = np.empty((len(P), common.shape[1])), max(1, AT_A_TIME // common.size)
    for start in range(0, len(P), size):
        part = slice(start, start + size)
        tables = np.repeat(common[None], len(P[part]), axis=0)
        for rows, a, costs in varying:
            tables[:, rows, a] = costs[part, None]
        found[part] = expected_costs_by_row(P[part], tables)
    return found


def _places(key: Any, truths: dict[Any, int], answers: dict[Any, int], name: str) -> tuple[list[int], int]:
    """Which rows and which column of the table a key of ``sample_cost`` names."""
    if key in answers:
        return list(truths.values()), answers[key]
    if not (isinstance(key, tuple) and len(key) == 2):
        raise ValueError(
            f"{name}: a key is a pair (truth, answer), or an answer for all truths; answers are {listed(list(answers))}"
            f"{_hinted(answers, key)}"
        )
    for kind, label, known in zip(("truth", "answer"), key, (truths, answers), strict=True):
        if label not in known:
            raise ValueError(
                f"{name} names the unknown {kind} {label!r}; known are {listed(list(known))}{_hinted(known, label)}"
            )
    return [truths[key[0]]], answers[key[1]]


def _hinted(known: Mapping[Any, int], label: Any) -> str:
    hint = label_hint(list(known), [label])
    return hint and ". " + hint


def read_tables(sample_cost: Any, shape: tuple[int, ...], n_answers: int | None) -> Array:
    """A table per row, (n, K, A), for probabilities of ``shape`` (n, K)."""
    n, K = shape
    wanted = f"({n}, {K}, {'A' if n_answers is None else n_answers})"
    if is_labelled(sample_cost) or np.ndim(sample_cost) == 2:
        raise ValueError(
            "sample_cost has two axes: a cost per row and answer, as in fit, is what answers cost where the truth is "
            f"known, and here it is not. Give a table per row, {wanted} with axes rows, truths, answers; or only the "
            "entries that depend on the row, as {(truth, answer): costs of shape (n,), ...}, with {answer: costs} for "
            "what an answer costs whatever the truth."
        )
    costs = numeric(sample_cost, "sample_cost")
    if costs.ndim != 3 or costs.shape != (n, K, n_answers or costs.shape[2]):
        raise ValueError(
            f"sample_cost has shape {costs.shape}, expected {wanted}: a table per row, with a row per truth and a "
            "column per answer"
        )
    check_finite_everywhere(costs, "sample_cost")
    return costs


def _check_order(cost_matrix: Any, classes: NDArray[Any], labels: NDArray[Any]) -> None:
    """Tables per row are read in the order of the classes and answers, which the table with labels must have too."""
    if isinstance(cost_matrix, CostTable):
        rows, columns = list(cost_matrix.labels), list(cost_matrix.answers)
    elif is_labelled(cost_matrix):
        _, rows, columns = read_cost_table(cost_matrix)
    else:
        return
    if rows != classes.tolist() or columns != labels.tolist():
        raise ValueError(
            "sample_cost has no labels, and cost_matrix has others than its axes, or in another order: give both for "
            f"the truths {listed(list(classes))} and the answers {listed(list(labels))} in this order"
        )
