"""Tables with a row per sample and a column per answer: costs of every row, expected costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import has_index, listed, numeric, sorted_labels
from csboost.costs.alignment import in_answer_order, label_vector
from csboost.costs.checks import check_finite_everywhere
from csboost.costs.rows import read_sample_cost, refuse_forms_of_decide
from csboost.costs.tables import is_labelled, read_columns

_MODEL = {"expected_cost": "it comes from model.predict_expected_cost", "sample_cost": "that is their order"}


def by_answer(
    values: Any,
    name: str,
    classes: NDArray[Any],
    answers: NDArray[Any],
    n: int,
    *,
    ordered: bool,
    unplaced: Sequence[Any] = (),
) -> NDArray[np.float64]:
    """The table as an array whose columns are brought in the order of ``answers`` or, without names, must be in it;
    where some are ``unplaced``, that order is not known.
    """
    framed = has_index(values) and {"answer", "expected_cost"} <= set(values.columns)
    if framed or hasattr(values, "expected_costs"):
        raise ValueError(
            f"{name} is a decision, not numbers: give decision.expected_cost, of its answers, or "
            "pandas.DataFrame(decision.expected_costs, columns=decision.labels), of all answers"
        )
    refuse_forms_of_decide(values, name)
    if is_labelled(values):
        return read_sample_cost(values, answers, n, name=name)
    array = numeric(values, name)
    if array.ndim == 2 and unplaced:
        raise ValueError(
            f"{name} has columns without names, and nothing says whether {listed(unplaced)} are classes, which stand "
            "in sorted order, or other answers, which stand after them: give a DataFrame with the answers as names of "
            "its columns, or labels=, the classes and then the other answers in the order of the columns "
            "(model.answers_)"
        )
    if array.ndim == 2 and not ordered and list(classes) != sorted_labels(list(classes)):
        raise ValueError(
            f"{name} has columns without names, and the classes are in the order {listed(list(classes))}: give "
            f"labels=model.classes_ if {_MODEL[name]}, or a DataFrame with named columns"
        )
    return array


def answers_of(sample_cost: Any, classes: NDArray[Any], fitted: Any) -> NDArray[Any]:
    """The answers where no cost table names them: the names of the columns (first those that are classes, in their
    order), else those of a fitted model, else the classes.
    """
    if not is_labelled(sample_cost):
        return np.asarray(getattr(fitted, "answers_", classes))
    names = list(read_columns(sample_cost, "sample_cost", list(classes)).columns)
    return label_vector(in_answer_order(names, list(classes)))


def costs_of_answers(
    sample_cost: Any,
    classes: NDArray[Any],
    answers: NDArray[Any],
    n: int,
    *,
    ordered: bool,
    unplaced: Sequence[Any] = (),
) -> NDArray[np.float64]:
    """Costs of every row (n, A), finite, in the order of ``answers``."""
    costs = by_answer(sample_cost, "sample_cost", classes, answers, n, ordered=ordered, unplaced=unplaced)
    if costs.shape != (n, len(answers)):
        raise ValueError(
            f"sample_cost has shape {costs.shape}, expected ({n}, {len(answers)}): a row per sample and a column for "
            f"each of the answers {listed(list(answers))}"
        )
    check_finite_everywhere(costs, "sample_cost")
    return costs


def means_by_truth(
    rows: NDArray[np.float64], truth: NDArray[np.intp], weights: NDArray[np.float64], K: int
) -> NDArray[np.float64]:
    """Mean costs (K, A) of the rows of every class; 0 where a class has none."""
    sums = np.column_stack([np.bincount(truth, weights=weights * column, minlength=K) for column in rows.T])
    totals = np.bincount(truth, weights=weights, minlength=K)[:, None]
    return np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
