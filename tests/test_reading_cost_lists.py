"""Cost tables from files that list truth, answer and cost, a line each."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from csboost.costs import read_costs

SQUARE = pd.DataFrame([[0.0, 1.5, 2.0], [4.0, 0.0, 1.0], [9.0, 5.0, 0.0]], index=list("LMH"), columns=list("LMH"))
HUMAN = SQUARE.assign(human=[2.0, 2.0, 3.0])


def read(text, **options):
    return read_costs(io.StringIO(text), **options)


def same(table, expected):
    pd.testing.assert_frame_equal(table, expected.astype(float), check_names=False)


@pytest.mark.parametrize("header", ["truth,answer,cost", "actual,predicted,cost", "Truth , Answer,Cost", "a,b,Costs"])
def test_a_list_in_any_order_of_lines_becomes_the_table(header):
    lines = [f"{t},{a},{HUMAN.loc[t, a]:g}" for t in HUMAN.index for a in HUMAN.columns]
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(lines))
        table = read("\n".join([header, *(lines[i] for i in order)]))
        assert table.index.tolist() == [table.index[k] for k in range(3)]
        assert table.columns.tolist() == [*table.index, "human"]
        same(table.loc[HUMAN.index, HUMAN.columns], HUMAN)


def test_a_list_may_leave_out_right_answers_and_name_its_columns_in_any_order():
    table = read("cost;answer;truth\n2,5;poor;good\n9;good;poor\n1;human;good\n1;human;poor")
    same(table, pd.DataFrame([[0, 2.5, 1], [9, 0, 1]], index=["good", "poor"], columns=["good", "poor", "human"]))
    other = read("Ist,Soll,Kosten\ngood,poor,2\npoor,good,9")  # known by its labels
    same(other, pd.DataFrame([[0.0, 2], [9, 0]], index=["good", "poor"], columns=["good", "poor"]))
    numeric = read("truth,answer,cost\n0,1,5\n1,0,7")
    same(numeric, pd.DataFrame([[0.0, 5], [7, 0]], index=[0, 1], columns=[0, 1]))
    two = read("truth,stay,go\nA,0,1\nB,5,0")  # three columns that are a table
    assert two.columns.tolist() == ["stay", "go"]


@pytest.mark.parametrize(
    "header",
    [
        "predicted,actual,cost", "answer,actual,cost", "predicted,truth,cost", "prediction,label,cost",
        "label,truth,cost", "y_pred,y_true,cost", "yPred,yTrue,Cost",
        "Predicted class,True class,costs", "decision,outcome,cost",
        "predicted,actual,Kosten",
    ],
)  # fmt: skip
def test_a_list_is_read_by_the_names_of_its_columns(header):
    expected = pd.DataFrame([[0.0, 1], [9, 0]], index=["good", "poor"], columns=["good", "poor"])
    lines = "good,poor,9\npoor,good,1"  # answer, truth, cost
    table = read(f"{header}\n{lines}")
    same(table.loc[expected.index, expected.columns], expected)
    turned = [",".join([line.split(",")[k] for k in (1, 0, 2)]) for line in (header, *lines.split("\n"))]
    same(read("\n".join(turned)).loc[expected.index, expected.columns], expected)
    if not header.endswith("Kosten"):
        last = [",".join([line.split(",")[k] for k in (2, 0, 1)]) for line in (header, *lines.split("\n"))]
        if not {"label", "outcome"} & set(header.split(",")):
            same(read("\n".join(last)).loc[expected.index, expected.columns], expected)
    frame = pd.DataFrame({name: [row.split(",")[k] for row in lines.split("\n")] for k, name in
                          enumerate(header.split(","))}, index=[4, 2] if "y_pred" in header else None)  # fmt: skip
    same(read_costs(frame).loc[expected.index, expected.columns], expected)


@pytest.mark.parametrize(
    "header", ["predicted,decision,cost", "truth,actual,cost", "expected,actual,cost", "true answer,x,cost"]
)
def test_a_list_whose_names_contradict_each_other_is_refused(header):
    with pytest.raises(
        ValueError, match="it is not clear which of the columns .* holds the truth and which the answer"
    ):
        read(f"{header}\ngood,poor,9\npoor,good,1")
