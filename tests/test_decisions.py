"""Answers of least expected cost on any classifier's probabilities: by tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from decided import GRADES, P3, TABLE, by_hand, random_probabilities

from csboost import costs, decisions, metrics


@pytest.mark.parametrize("K", [2, 3, 5])
@pytest.mark.parametrize("A", [2, 3, 5, 8])
def test_an_array_of_any_width_gives_numbers_of_least_expected_cost(K, A):
    rng = np.random.default_rng([K, A])
    P, C = random_probabilities(50, K, K), rng.normal(size=(K, A)) + 1.0
    C[:, 0] = np.abs(C[:, 0])  # no row of gains alone
    decision = decisions.decide(P, C)
    wanted = by_hand(P, np.repeat(C[None], 50, axis=0))
    np.testing.assert_allclose(decision.expected_costs, wanted, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(decision, wanted.argmin(axis=1))
    np.testing.assert_allclose(decision.expected_cost, wanted.min(axis=1), rtol=0, atol=1e-12)
    assert decision.labels.tolist() == list(range(A))
    assert decision.priors is None
    assert decision.shadow_prices == {}
    assert sum(decision.counts.values()) == 50


@pytest.mark.parametrize("A", [2, 4])
def test_answers_by_an_array_that_is_not_square_are_judged_by_it(A):
    P, rng = random_probabilities(60, 3, 0), np.random.default_rng(1)
    C, codes = rng.uniform(1.0, 5.0, (3, A)), np.arange(60) % 3
    truth = np.array(GRADES)[codes]
    for table in (C, C.tolist()):
        decision = decisions.decide(P, table, classes=GRADES)
        paid = C[codes, decision]
        assert metrics.mean_cost(truth, decision, table) == pytest.approx(paid.mean())
        assert metrics.constant_costs(truth, table).to_dict() == pytest.approx(dict(enumerate(C[codes].mean(axis=0))))
        found = metrics.savings(truth, {"decided": decision, "today": np.zeros(60, int)}, table)
        assert found.loc["decided", "saving"] == pytest.approx((C[codes, 0] - paid).mean())
        confusion = metrics.cost_confusion_matrix(truth, decision, table)
        assert confusion.to_numpy().sum() == pytest.approx(paid.sum())
        promised = metrics.promised_cost(truth, decision, decision.expected_costs, table, labels=GRADES)
        assert promised.realised == pytest.approx(paid.mean())
    with pytest.raises(ValueError, match="y_pred holds 'fair', which are no answers of the costs: 0, 1"):
        metrics.mean_cost(truth, ["fair"] * 60, C)
    with pytest.raises(ValueError, match=r"cost_matrix has shape \(3, .\), but there are 2 classes"):
        metrics.mean_cost(truth[codes < 2], decision[codes < 2], C)
    with pytest.raises(ValueError, match="table of numbers"):
        decisions.decide(P, [[0, 1], [1, 2, 3], [3]])


def test_a_labelled_table_is_aligned_to_the_columns_of_the_probabilities():
    decision = decisions.decide(P3, TABLE, classes=GRADES)
    in_order = TABLE.loc[GRADES].to_numpy()
    places = (P3 @ in_order).argmin(axis=1)
    assert decision.tolist() == [TABLE.columns[place] for place in places]
    assert decision.classes.tolist() == GRADES
    frame = pd.DataFrame(P3, columns=GRADES)
    for same in (frame, frame[["poor", "good", "fair"]]):
        assert decisions.decide(same, TABLE).tolist() == decision.tolist()
        assert decisions.decide(same, TABLE, classes=GRADES).tolist() == decision.tolist()
    numbered = pd.DataFrame(P3)  # columns that nobody named
    assert decisions.decide(numbered, TABLE, classes=GRADES).tolist() == decision.tolist()


def test_columns_are_the_sorted_rows_of_a_table_where_nothing_else_names_them():
    in_order = TABLE.loc[GRADES]
    decision = decisions.decide(P3, in_order)
    assert decision.tolist() == decisions.decide(P3, TABLE, classes=GRADES).tolist()
    assert decisions.decide(pd.DataFrame(P3), in_order).tolist() == decision.tolist()
    with pytest.raises(ValueError, match="cost_matrix orders its rows 'good', 'fair', 'poor', but proba has no labels"):
        decisions.decide(P3, TABLE)
    square = costs.CostTable(TABLE[["good", "fair", "poor"]])
    assert decisions.decide(P3, square).tolist() == decisions.decide(P3, square, classes=GRADES).tolist()


def test_a_square_array_answers_with_the_classes():
    C = costs.linear(3)
    assert decisions.decide(P3, C).tolist() == (P3 @ C).argmin(axis=1).tolist()
    named = decisions.decide(P3, C, classes=["A", "B", "C"])
    assert named.tolist() == [["A", "B", "C"][k] for k in (P3 @ C).argmin(axis=1)]
    assert decisions.decide(P3, "linear", classes=["A", "B", "C"]).tolist() == named.tolist()
    assert decisions.decide(P3, classes=["A", "B", "C"]).tolist() == ["A", "B", "C", "A"]  # every mistake costs 1


def test_a_gain_is_a_negative_cost_and_a_constant_per_truth_changes_no_answer():
    P, rng = random_probabilities(200, 4, 0), np.random.default_rng(1)
    C = rng.normal(size=(4, 6))
    C[:, 0] = 1.0
    shift = -C.min(axis=1, keepdims=True)
    plain, shifted = decisions.decide(P, C), decisions.decide(P, C + shift)
    np.testing.assert_array_equal(plain, shifted)
    np.testing.assert_allclose(shifted.expected_costs - plain.expected_costs, P @ np.repeat(shift, 6, axis=1))


def test_the_first_of_several_cheapest_answers_is_given():
    assert decisions.decide([[0.5, 0.5]], [[2, 0, 2, 1], [1, 2, 0, 1]]).tolist() == [1]


@pytest.mark.parametrize(
    ("proba", "message"),
    [
        ([[0.5, 0.4], [0.5, 0.5]], "row 0 of proba sums to 0.9, not to 1: give a column for every class"),
        ([[0.5, 0.5], [0.7, 0.7], [0.9, 0.9]], "row 1 of proba sums to 1.4, not to 1, and so do 1 more rows"),
        ([[1.2, -0.2]], r"proba\[0, 1\] \(class 1\) is -0.2: probabilities must be finite and not negative"),
        ([[np.nan, 0.5]], r"proba\[0, 0\] \(class 0\) is nan"),
        ([0.2, 0.8], r"proba has shape \(2,\), expected \(n, K\).* np.column_stack\(\[1 - p, p\]\)"),
        ([["a", "b"]], "proba must be a rectangular table of numbers, got 'a'"),
    ],
)
def test_what_is_no_probability_is_named(proba, message):
    with pytest.raises(ValueError, match=message):
        decisions.decide(proba)


def test_probabilities_rounded_to_single_precision_pass():
    P = random_probabilities(1000, 5, 0)
    rounded = P.astype(np.float32)
    assert (decisions.decide(rounded) == decisions.decide(P)).mean() > 0.99
    assert decisions.decide(P.round(4)).expected_cost.shape == (1000,)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (["A", "B"], r"proba has 3 columns, but there are 2 classes \('A', 'B'\): give classes="),
        (["A", "B", "B"], "the classes 'A', 'B', 'B' repeat a label"),
    ],
)
def test_classes_must_name_the_columns(classes, message):
    with pytest.raises(ValueError, match=message):
        decisions.decide(P3, classes=classes)


def test_tables_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="cost_matrix has no row for the classes 'mean'"):
        decisions.decide(P3, TABLE, classes=["fair", "good", "mean"])
    with pytest.raises(ValueError, match="has shape"):
        decisions.decide(P3, np.ones((2, 4)))
    with pytest.raises(ValueError, match=r"cost_matrix\[1, 3\] \(truth 1, predicted 3\) is inf: costs must be finite"):
        decisions.decide(P3, [[0, 1, 1, 1], [1, 0, 1, np.inf], [1, 1, 0, 1]])


def test_no_rows_give_no_answers():
    decision = decisions.decide(np.empty((0, 3)), TABLE, classes=GRADES, limits={"human": 0.5})
    assert decision.tolist() == []
    assert decision.counts == dict.fromkeys(decision.labels.tolist(), 0)
    assert repr(decision) == "Decision of 0 rows: none"
