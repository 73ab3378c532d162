"""Labels and entries that are missing, mistyped or of another type: messages name the place and the remedy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from csboost import costs, decisions, metrics

T = pd.DataFrame([[0, 1, 0.3], [5, 0, 0.3]], index=["good", "poor"], columns=["good", "poor", "human"])
P = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])


def test_a_missing_entry_of_any_kind_is_named_by_its_place():
    table = T.astype("Float64")
    table.loc["poor", "good"] = pd.NA
    whole = pd.DataFrame({"good": [0, pd.NA], "poor": [1, 0]}, index=["good", "poor"], dtype="Int64")
    for missing in (table, whole, table.astype(object), T.mask(T == 5)):
        with pytest.raises(
            ValueError, match=r"cost_matrix\[1, 0\] \(truth 'poor', predicted 'good'\) is nan: costs must"
        ):
            decisions.decide(P, missing, classes=["good", "poor"])
    with pytest.raises(ValueError, match="the cost of truth 'poor', answer 'good' is nan"):
        costs.describe(table)
    rows = pd.DataFrame({"good": [0, 1], "poor": [pd.NA, 1]}, dtype="Int64")
    with pytest.raises(ValueError, match=r"sample_cost\[0, 1\] is nan"):
        metrics.mean_cost(["good", "poor"], ["good", "poor"], sample_cost=rows)
    with pytest.raises(ValueError, match="sample_cost.'human'.*nan"):
        decisions.decide(P, T, {"human": pd.Series([1, pd.NA, 2], dtype="Int64")}, classes=["good", "poor"])


@pytest.mark.parametrize("label", ["good ", "GOOD", " Go od"])
def test_rows_that_differ_from_a_class_by_case_or_blanks_say_so(label):
    square = T[["good", "poor"]].rename(index={"good": label}, columns={"good": label})
    for call in (
        lambda: decisions.decide(P, square, classes=["good", "poor"]),
        lambda: costs.resolve(square, ["good", "poor"]),
        lambda: metrics.mean_cost(["good"], ["good"], sample_cost=square.iloc[:1], labels=["good", "poor"]),
    ):
        with pytest.raises(
            ValueError, match="differ in upper case, spaces or type alone: give both the same lab"
        ) as caught:
            call()
        assert "to_numpy" not in str(caught.value)


@pytest.mark.parametrize("missing", [np.nan, None, pd.NA])
def test_a_missing_label_is_called_missing(missing):
    axis = pd.Index(["good", missing], dtype=object)
    table = pd.DataFrame([[0, 1], [5, 0]], index=axis, columns=axis)
    for broken, what in (
        (table, "row"), (T.set_axis(axis), "row"),
        (T.set_axis(pd.Index(["good", missing, "human"], dtype=object), axis=1), "column"),
    ):  # fmt: skip
        for call in (
            lambda table: decisions.decide(P, table, classes=["good", "poor"]),
            lambda table: metrics.mean_cost(["good", "poor"], ["good", "good"], table),
            costs.describe,
        ):
            with pytest.raises(
                ValueError, match=f"cannot be read by label where one is missing; its {what} labels are"
            ) as found:
                call(broken)
            assert "differ in type" not in str(found.value)
    with pytest.raises(ValueError, match="the labels of a CostTable must not be missing"):
        costs.CostTable([[0, 1], [5, 0]], labels=["good", missing])


def test_answers_that_numpy_made_text_say_why():
    table = pd.DataFrame([[0, 1, 0.3], [5, 0, 0.3]], index=[0, 1], columns=[0, 1, "human"])
    answers = np.array([0, 1, 1])
    text = np.where([True, False, False], "human", answers)
    with pytest.raises(ValueError, match=r"differ in type: 1 is a int, '1' is not. .*np.where.*dtype object"):
        metrics.mean_cost([0, 1, 1], text, table)
    given = np.where([True, False, False], "human", answers.astype(object))
    assert metrics.mean_cost([0, 1, 1], given, table) == pytest.approx(0.1)


def test_a_decision_in_place_of_expected_costs_is_told_which_part_is_meant():
    decision, y = decisions.decide(P, T, classes=["good", "poor"]), ["good", "poor", "good"]
    for given in (decision, decision.to_frame()):
        for metric in (metrics.promised_cost, metrics.cost_calibration):
            with pytest.raises(
                ValueError, match=r"expected_cost is a decision, not numbers: give decision.expected_cost"
            ):
                metric(y, decision, given, T)
    found = metrics.promised_cost(y, decision, decision.expected_cost, T, tolerance=10)
    named = pd.DataFrame(decision.expected_costs, columns=decision.labels)
    assert metrics.promised_cost(y, decision, named, T, tolerance=10) == found
