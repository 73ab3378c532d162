"""Tables per row pass the checks that a single table passes: labels that are slips, signs, axes."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from csboost import costs

X = pd.DataFrame({"amount": [1.0, 50.0, 3.0]})
TABLE = pd.DataFrame([[0, 1, "0.1 * amount"], ["amount", 0, 2]], index=["good", "poor"],
                     columns=["good", "poor", "human"])  # fmt: skip
CLASSES = ["good", "poor"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("Good", "'good', 'Good' differ in upper case, spaces or type alone|'Good', 'good' differ in"),
        ("g ood", "differ in upper case, spaces or type alone: give both the same label"),
        ("gooood", "If 'gooood' is meant as an answer of its own beside the class 'good', call it by a name that is"),
    ],
)
def test_an_answer_that_nearly_is_a_class_is_refused(answer, message):
    table = TABLE.rename(columns={"good": answer})
    for y in (None, ["good", "poor", "good"]):
        with pytest.raises(ValueError, match=f"the table must carry the same labels .*{message}"):
            costs.from_formulas(table, X, y)


def test_tables_made_by_hand_hold_no_answer_that_differs_from_a_class_by_case_alone():
    for labels, answers in ((CLASSES, ["Good", "poor", "human"]), ([1, 2], ["1", 2, "human"])):
        with pytest.raises(ValueError, match="CostTables must carry the same labels .* differ in"):
            costs.CostTables(np.ones((2, 2, 3)), labels, answers)
    costs.CostTables(np.ones((2, 2, 3)), CLASSES, ["goood", "poor", "human"])  # listed on their own: they are meant


def test_constant_gains_alone_are_refused_as_in_a_table_of_numbers():
    lost = TABLE.copy()
    lost.loc["poor"] = [-1, -2, -3]
    square = pd.DataFrame([[0, -1], [-5, 0]], index=CLASSES, columns=CLASSES)
    for table, message in ((lost, r"the table\[1\] \(truth 'poor'\) holds gains alone, -1, -2, -3"),
                           (square, r"the table\[0, 1\] .*no answer would gain less than the right one")):  # fmt: skip
        for y in (None, ["good", "poor", "good"]):
            with pytest.raises(ValueError, match=message):
                costs.from_formulas(table, X, y)


def test_gains_alone_in_every_row_are_doubted():
    square = pd.DataFrame([["0", "-amount"], ["-2 * amount", 0]], index=CLASSES, columns=CLASSES)
    alone = square.replace({0: "-1 - amount"})
    turned = "gains .negative entries. and no costs, and no answer would gain less than the right one: are the signs"
    for y in (None, ["good", "poor", "poor"]):
        with pytest.warns(
            UserWarning, match="sample_cost holds gains alone for the truth 'poor': whatever is answered"
        ):
            costs.from_formulas(alone, X, y)
        with pytest.warns(UserWarning, match=turned):
            costs.from_formulas(square, X, y)
    with pytest.warns(UserWarning, match=turned):
        costs.CostTables(-np.ones((3, 2, 2)) + np.eye(2), CLASSES)
    with pytest.warns(UserWarning, match="gains alone for the truth 'good'"):
        tables = costs.CostTables(-np.ones((3, 2, 3)), CLASSES, [*CLASSES, "human"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables[1:]  # said once
        some = np.stack([np.eye(2), -np.eye(2) - 1.0, 1.0 - np.eye(2)])  # gains alone in one row of three
        costs.CostTables(some, CLASSES)
        costs.CostTables(np.zeros((0, 2, 2)), CLASSES)
        costs.from_formulas(TABLE, X)
        earns = pd.DataFrame([["-amount", 0, 1], ["amount", 0, 1]], index=CLASSES, columns=["lend", "refuse", "ask"])
        costs.from_formulas(earns, X, ["good", "poor", "poor"])
        costs.from_formulas(earns, X[:0])


def test_a_table_turned_over_is_told_by_the_labels_that_occur():
    found = "the table has rows for 'human', which are neither classes here nor answers"
    with pytest.warns(UserWarning, match=found):
        costs.from_formulas(TABLE.T, X, ["good", "poor", "good"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        costs.from_formulas(TABLE.T, X, ["good", "poor", "human"])
        kinds = pd.CategoricalDtype(["good", "human", "poor"])
        costs.from_formulas(TABLE.T, X, pd.Series(["good", "poor", "good"], dtype=kinds))
        square = pd.DataFrame([[0, 1, 2], ["amount", 0, 2], [1, 1, 0]], index=list("abc"), columns=list("abc"))
        costs.from_formulas(square, X, ["a", "b", "a"])
