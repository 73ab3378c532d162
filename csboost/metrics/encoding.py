"""Targets as numbers of classes and of answers, with the costs in the same order."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from csboost._inputs.labels import declared, known_classes, label_column
from csboost._inputs.row_index import check_row_index
from csboost._inputs.values import listed, sorted_labels
from csboost._inputs.weights import check_sample_weight
from csboost.costs.alignment import turned
from csboost.costs.answers import are_numbered, read_answers
from csboost.costs.checks import label_hint
from csboost.costs.tables import is_labelled
from csboost.metrics.by_row import answers_of, costs_of_answers, means_by_truth
from csboost.metrics.classes import all_classes


class Outcomes(NamedTuple):
    """What was true, what was answered, and what that costs."""

    classes: NDArray[Any]  # (K,)
    answers: NDArray[Any]  # (A,): the classes themselves where the costs are square
    table: NDArray[np.float64]  # (K, A); where every row has costs of its own, their means by truth
    rows: NDArray[np.float64] | None  # (n, A): costs of each row, if it has its own
    truth: NDArray[np.intp]  # (n,)
    given: list[NDArray[np.intp]]  # of each set of answers (n,)
    weights: NDArray[np.float64]  # (n,)
    unplaced: tuple[Any, ...] = ()  # answers of which nothing says whether they are classes, where columns hang on it

    def costs_of(self, answer: Any) -> NDArray[np.float64]:
        """What ``answer`` (n,), or one answer throughout, costs every row."""
        if self.rows is None:
            return self.table[self.truth, answer]
        return self.rows[np.arange(len(self.truth)), answer]

    def mean(self, values: NDArray[np.float64]) -> float:
        """Weighted mean of something that every row has."""
        return float(np.average(values, weights=self.weights))

    def constant_costs(self) -> NDArray[np.float64]:
        """Mean cost (A,) of giving each answer throughout."""
        shares = np.bincount(self.truth, weights=self.weights, minlength=len(self.classes)) / self.weights.sum()
        return shares @ self.table


def encode(
    cost_matrix: Any,
    labels: Any,
    sample_weight: Any,
    sample_cost: Any,
    y_true: Any,
    answers: Mapping[str, Any],
    *,
    fitted: Any = None,
) -> Outcomes:
    """Encode the true labels and some sets of answers by their names; ``fitted`` is a model, whose classes count."""
    targets = {"y_true": y_true, **answers}
    values = {name: label_column(target, name) for name, target in targets.items()}
    lengths = {name: len(value) for name, value in values.items()}
    if len(set(lengths.values())) > 1 or 0 in lengths.values():
        raise ValueError(f"the targets must be of one length and not empty, got {lengths}")
    check_row_index(**targets, sample_weight=sample_weight, sample_cost=sample_cost)
    if labels is not None:
        classes = label_column(labels, "labels")
    else:
        own = _has_own_answers(cost_matrix, sample_cost)
        classes = _classes(cost_matrix, {"y_true": y_true} if own else targets, values, fitted)
    truth = _codes("y_true", values["y_true"], classes, "which the labels do not")
    stated = classes.tolist() if labels is not None or _is_declared(cost_matrix, targets) else None
    table, known_answers = read_answers(cost_matrix, classes, known=stated)
    if labels is None and not isinstance(cost_matrix, str | None) and not are_numbered(cost_matrix):
        _doubt_turned(classes, known_answers, _seen(y_true, values["y_true"], fitted))
    if cost_matrix is None and sample_cost is not None:
        known_answers = answers_of(sample_cost, classes, fitted)
    if list(known_answers) == list(classes):
        given = [_codes(name, values[name], classes, "which the labels do not") for name in answers]
    else:
        wrong = "which are no answers of the costs"
        given = [_codes(name, _untouched(y, values[name]), known_answers, wrong) for name, y in answers.items()]
    weights, rows, unplaced = row_weights(sample_weight, len(truth)), None, ()
    if sample_cost is not None:
        if labels is None and (cost_matrix is None or isinstance(cost_matrix, str)):
            unplaced = _unplaced(known_answers, y_true, values["y_true"], None if cost_matrix is not None else fitted)
        known = labels is not None
        rows = costs_of_answers(sample_cost, classes, known_answers, len(truth), ordered=known, unplaced=unplaced)
        table = means_by_truth(rows, truth, weights, len(classes))
    return Outcomes(classes, known_answers, table, rows, truth, given, weights, unplaced)


def _has_own_answers(cost_matrix: Any, sample_cost: Any) -> bool:
    """Whether the costs say which answers there are, so that an answer that is given need not be a class."""
    if cost_matrix is None:
        return is_labelled(sample_cost)
    if are_numbered(cost_matrix):
        return True
    answers = getattr(cost_matrix, "answers", None)
    return answers is not None and set(answers) != set(cost_matrix.labels)


def _classes(cost_matrix: Any, targets: dict[str, Any], values: dict[str, NDArray[Any]], fitted: Any) -> NDArray[Any]:
    seen = [values[name] for name in targets]
    known = getattr(fitted, "classes_", None)
    return all_classes(cost_matrix, seen if known is None else [np.asarray(known), *seen], targets)


def _unplaced(answers: NDArray[Any], y_true: Any, truths: NDArray[Any], fitted: Any) -> tuple[Any, ...]:
    """The answers that may be classes, sorted among the others, or stand after them; none where that is the same."""
    if hasattr(fitted, "answers_"):
        return ()
    known = _seen(y_true, truths, fitted)
    others = tuple(answer for answer in answers.tolist() if answer not in known)
    return () if list(others) == sorted_labels(answers.tolist())[-1:] else others


def _seen(y_true: Any, truths: NDArray[Any], fitted: Any) -> set[Any]:
    """What is known to be a class: the labels that are true somewhere, that ``y_true`` declares or a model has."""
    kinds = declared(y_true)
    return {*pd.unique(truths).tolist(), *np.asarray(getattr(fitted, "classes_", ())).tolist(), *(kinds or [()])[0]}


def _doubt_turned(classes: NDArray[Any], answers: NDArray[Any], seen: set[Any]) -> None:
    """Warn of a table that may be turned over, by the classes that occur."""
    doubt = turned(
        classes.tolist(), answers.tolist(), [label for label in classes.tolist() if label in seen], "cost_matrix"
    )
    if doubt is not None:
        warnings.warn(doubt, stacklevel=4)


def _is_declared(cost_matrix: Any, targets: dict[str, Any]) -> bool:
    """Whether the targets declare the order in which a name counts steps."""
    known = known_classes(**targets) if isinstance(cost_matrix, str) else None
    return known is not None and known[1]


def _untouched(target: Any, values: NDArray[Any]) -> NDArray[Any]:
    """A list of numbers and text as it is, which NumPy makes all text."""
    if isinstance(target, Sequence) and values.dtype.kind == "U" and not all(isinstance(v, str) for v in target):
        return np.array(list(target), dtype=object)
    return values


def _codes(name: str, values: NDArray[Any], labels: NDArray[Any], wrong: str) -> NDArray[np.intp]:
    index = pd.Index(labels)
    if not index.is_unique:
        raise ValueError(f"labels are repeated: {listed(list(index[index.duplicated()].unique()))}")
    codes = index.get_indexer(pd.Index(values))
    if (codes < 0).any():
        unknown = list(pd.unique(pd.Series(values[codes < 0])))
        hint = label_hint(labels.tolist(), unknown)
        if values.dtype.kind == "U" and "differ in type:" in hint:
            hint += " Beside text, NumPy makes text of numbers, as in np.where: give it arrays of dtype object."
        raise ValueError(f"{name} holds {listed(unknown)}, {wrong}: {listed(list(labels))}{hint and '. ' + hint}")
    return codes


def row_weights(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64]:
    """The weights (n,), 1 by default."""
    return np.ones(n) if sample_weight is None else check_sample_weight(sample_weight, n)
