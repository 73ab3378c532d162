"""Tables with rows and columns in each other's place: refused by the names of their axes, doubted by their labels."""

from __future__ import annotations

import io
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from csboost import costs, decisions, metrics

T = pd.DataFrame([[0, 1, 0.3], [5, 0, 0.3]], index=["good", "poor"], columns=["good", "poor", "human"])
P = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
TURNED = "cost_matrix has rows for 'human', which are neither classes here nor answers, .*Is cost_matrix.T meant"


def test_a_table_turned_over_is_told_by_a_row_that_is_neither_class_nor_answer():
    X, y = np.arange(20.0)[:, None], np.array(["good", "poor"])[np.arange(20) % 2]
    polars = pytest.importorskip("polars")
    named = polars.DataFrame({"truth": list(T.columns), "good": T.loc["good"].tolist(), "poor": T.loc["poor"].tolist()})
    for table in (T.T, costs.CostTable(T.T), named):
        with pytest.warns(UserWarning, match=TURNED):
            decisions.decide(P, table, classes=["good", "poor"])
        with pytest.warns(UserWarning, match=TURNED):
            costs.BayesDecisionClassifier(GaussianNB(), table).fit(X, y)
        with pytest.warns(UserWarning, match=TURNED):
            metrics.mean_cost(y, y, table)
    tables = costs.CostTables(np.stack([T.T] * 3), T.columns, T.index)
    with pytest.warns(UserWarning, match=TURNED.replace("cost_matrix", "sample_cost")):
        decisions.decide(P, sample_cost=tables, classes=["good", "poor"])
    with pytest.warns(UserWarning, match=TURNED.replace("cost_matrix", "the table")):
        costs.from_formulas(T.T, pd.DataFrame({"amount": [1.0]}), classes=["good", "poor"])
    doubt = (
        "The table has rows for 'human', which are neither classes here nor answers, and its columns are just the cla"
    )
    assert costs.doubts(T.T, ["good", "poor"])[0].startswith(doubt)
    assert doubt in costs.describe(T.T, ["good", "poor"])


def test_a_class_that_a_fold_lacks_raises_no_doubt():
    square = pd.DataFrame(1.0 - np.eye(3), index=list("abc"), columns=list("abc"))
    y = np.array(["a", "b"] * 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table in (square, square.assign(human=0.3), square[["a"]].assign(human=0.3)):
            decisions.decide(P, table, classes=["a", "b"])
            metrics.mean_cost(y, ["a"] * 10, table)
            assert not any("neither" in doubt for doubt in costs.doubts(table, ["a", "b"]))
        never = square[["a", "b"]]  # "c" is declared, though it is never answered
        declared = pd.Series(y, dtype=pd.CategoricalDtype(list("abc")))
        metrics.mean_cost(declared, y, never)
        costs.BayesDecisionClassifier(GaussianNB(), never).fit(np.arange(10.0)[:, None], declared)


@pytest.mark.parametrize(
    ("rows", "columns", "said"),
    [
        ("predicted", "truth", "rows of .* are called 'predicted'"), ("answer", None, "rows of .* are called 'answer'"),
        (None, "actual", "columns of .* are called 'actual'"),
        ("decision", "class", "rows of .* are called 'decision'"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("table", [T, pd.DataFrame([[0, 1], [5, 0]], index=["good", "poor"], columns=["good", "poor"])])
def test_axes_that_are_called_the_wrong_way_round_are_refused(table, rows, columns, said):
    table = table.rename_axis(index=rows, columns=columns)
    y = np.array(["good", "poor"] * 10)
    for call in (
        lambda: decisions.decide(P, table, classes=["good", "poor"]),
        lambda: costs.BayesDecisionClassifier(GaussianNB(), table).fit(np.arange(20.0)[:, None], y),
        lambda: metrics.mean_cost(y, y, table),
        lambda: costs.CostTable(table),
        lambda: costs.from_formulas(table, pd.DataFrame({"amount": [1.0]})),
    ):
        with pytest.raises(ValueError, match=f"the {said}, but rows are the truth, columns the answers: give"):
            call()
    assert any("Is C.T meant?" in doubt for doubt in costs.doubts(table))
    for axes in (
        {"index": "truth", "columns": "predicted"},
        {"index": "class"},
        {"index": "answer", "columns": "answer"},
    ):
        decisions.decide(P, table.rename_axis(index=None, columns=None).rename_axis(**axes), classes=["good", "poor"])


def test_a_file_whose_corner_names_the_answers_is_doubted_and_refused():
    read = {corner: costs.read_costs(io.StringIO(f"{corner},good,poor\ngood,0,1\npoor,5,0")) for corner in
            ("answer", "predicted", r"answer \ truth", r"truth \ answer", "truth", "class", "")}  # fmt: skip
    doubted = {corner for corner, table in read.items() if any("Is C.T meant" in d for d in costs.doubts(table))}
    assert doubted == {"answer", "predicted", r"answer \ truth"}
    for corner in ("answer", "predicted"):
        with pytest.raises(ValueError, match=f"the rows of cost_matrix are called '{corner}'"):
            decisions.decide(P, read[corner], classes=["good", "poor"])
    polars = pytest.importorskip("polars")
    with pytest.raises(ValueError, match="the rows of cost_matrix are called 'predicted'"):
        decisions.decide(P, polars.DataFrame({"predicted": ["good", "poor"], "good": [0, 5], "poor": [1, 0]}))
