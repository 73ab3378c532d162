"""Cost matrices: presets, validation, alignment, cost rows and the Bayes rule."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from cases import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from csboost import costs
from csboost.costs.named import COST_NAMES

ABC = np.array(["A", "B", "C"])
C3 = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
LABELLED = pd.DataFrame(C3, index=list("ABC"), columns=list("ABC"))


def test_presets_have_the_papers_entries():
    assert costs.zero_one(3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert costs.linear(4)[0].tolist() == [0, 1, 2, 3]
    assert costs.linear(4)[3].tolist() == [3, 2, 1, 0]
    C = costs.partitioned_linear(7)
    assert C[0].tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert C[6].tolist() == [60, 50, 40, 30, 20, 10, 0]
    assert C[2].tolist() == [20, 10, 0, 1, 2, 3, 4]
    assert costs.partitioned_linear(3, ratio=2).tolist() == [[0, 1, 2], [2, 0, 1], [4, 2, 0]]


def test_constant_answers_on_seven_balanced_grades():
    # The figures that the credit study prints: equal 6/7, linear 12/7 (always D), partitioned-linear 3 (always G).
    assert costs.zero_one(7).mean(axis=0).min() == pytest.approx(6 / 7)
    assert costs.linear(7).mean(axis=0).argmin() == 3
    assert costs.linear(7).mean(axis=0).min() == pytest.approx(12 / 7)
    assert costs.partitioned_linear(7).mean(axis=0).argmin() == 6
    assert costs.partitioned_linear(7).mean(axis=0).min() == pytest.approx(3.0)


def test_command_lines_take_the_names_of_all_presets():
    assert list(COST_NAMES) == list(costs.PRESETS)


@pytest.mark.parametrize("K", [0, -1, 2.0, "3", True, None])
def test_presets_refuse_a_bad_class_count(K):
    with pytest.raises(ValueError, match="positive integer"):
        costs.linear(K)


@pytest.mark.parametrize("ratio", [0, -1, np.nan, np.inf])
def test_partitioned_linear_refuses_a_bad_ratio(ratio):
    with pytest.raises(ValueError, match="ratio"):
        costs.partitioned_linear(3, ratio=ratio)


def test_resolve_accepts_every_form():
    assert np.array_equal(costs.resolve(None, ABC), costs.zero_one(3))
    assert np.array_equal(costs.resolve("equal", ABC), costs.zero_one(3))
    assert np.array_equal(costs.resolve("linear", ABC), costs.linear(3))
    assert np.array_equal(costs.resolve("partitioned-linear", ABC), costs.partitioned_linear(3))
    assert np.array_equal(costs.resolve(C3.tolist(), ABC), C3)
    assert np.array_equal(costs.resolve(C3.astype(np.int32), ABC), C3)
    assert np.array_equal(costs.resolve(np.asfortranarray(C3), ABC), C3)
    assert np.array_equal(costs.resolve(LABELLED, ABC), C3)


def test_resolve_returns_a_new_contiguous_float64_array():
    given_matrix = np.asfortranarray(C3)
    given_matrix.flags.writeable = False
    result = costs.resolve(given_matrix, ABC)
    assert result.dtype == np.float64
    assert result.flags.c_contiguous
    assert result.flags.writeable
    assert not np.shares_memory(result, given_matrix)


def test_labelled_matrix_is_aligned_by_label_and_cut_to_the_classes():
    shuffled = LABELLED.loc[["C", "A", "B"], ["B", "C", "A"]]
    assert np.array_equal(costs.resolve(shuffled, ABC), C3)
    assert np.array_equal(costs.resolve(shuffled, np.array(["A", "C"])), C3[np.ix_([0, 2], [0, 2])])


def test_labelled_matrix_with_integer_labels():
    frame = pd.DataFrame(C3, index=[30, 10, 20], columns=[30, 10, 20])
    assert np.array_equal(costs.resolve(frame, np.array([10, 20, 30])), C3[np.ix_([1, 2, 0], [1, 2, 0])])


def test_a_cost_on_the_diagonal_and_a_constant_column_are_legal():
    C = np.array([[1.0, 2.0], [3.0, 2.0]])
    assert np.array_equal(costs.resolve(C, [0, 1]), C)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (C3[:2], r"has shape \(2, 3\), but there are 3 classes \('A', 'B', 'C'\).*pandas.DataFrame labelled"),
        (costs.zero_one(4), r"has shape \(4, 4\).*cut to the classes present"),
        (C3[0], r"has shape \(3,\)"),
        (
            C3 - [[0], [5], [0]],
            r"cost_matrix\[1\] \(truth 'B'\) holds gains alone, -2, -5, -1: negative entries are gains",
        ),
        (np.where(C3 == 4, np.nan, C3), r"cost_matrix\[1, 2\] \(truth 'B', predicted 'C'\) is nan"),
        (np.where(C3 == 5, np.inf, C3), r"cost_matrix\[2, 0\] \(truth 'C', predicted 'A'\) is inf"),
        (np.zeros((3, 3)), "zero everywhere"),
        (C3.astype(str), "table of numbers"),
        (C3.astype(object) * 1j, "table of numbers"),
        ([[0, 1], [1]], "table of numbers"),
        ([["0", 1, 1], [1, 0, 1], [1, 1, 0]], "table of numbers"),
        ({"A": 1}, "table of numbers, got dict"),
        ("liner", "unknown cost_matrix name 'liner'; did you mean 'linear'"),
        ("xyz", "Known names: 'equal', 'linear', 'partitioned-linear'"),
        (LABELLED.drop(index="B", columns="B"), "no row for the classes 'B'.*labels are 'A', 'C'"),
        (LABELLED.drop(columns="B"), "only on the columns: none; only on the rows: 'B'"),
        (LABELLED.rename(columns={"B": "X"}), "only on the columns: 'X'; only on the rows: 'B'"),
        (LABELLED.rename(index={"B": "A"}), "repeats the row labels 'A'"),
        (LABELLED.rename(columns={"B": "A"}), "repeats the column labels 'A'"),
        (pd.DataFrame(C3), r"no row for the classes 'A', 'B', 'C'.*pass .to_numpy\(\)"),
    ],
)
def test_resolve_names_the_offender(matrix, message):
    with pytest.raises(ValueError, match=message):
        costs.resolve(matrix, ABC)


def test_labels_read_from_a_csv_header_get_a_hint_on_their_type():
    frame = pd.DataFrame(C3, index=[0, 1, 2], columns=["0", "1", "2"])
    with pytest.raises(ValueError, match="differ in type: '0' is a str"):
        costs.resolve(frame, [0, 1, 2])


def test_all_zero_among_the_classes_present():
    frame = LABELLED.copy()
    frame.loc[["A", "B"], ["A", "B"]] = 0
    with pytest.raises(ValueError, match="zero everywhere for the classes 'A', 'B'"):
        costs.resolve(frame, ["A", "B"])


def test_cost_rows_from_matrix_and_weights():
    codes = np.array([2, 0, 0, 1])
    assert np.array_equal(costs.cost_rows(C3, codes), C3[codes])
    weights = [1, 0, 2, 0.5]
    expected = [[5, 6, 0], [0, 0, 0], [0, 2, 4], [1.5, 0, 2]]
    rows = costs.cost_rows(C3, codes, weights)
    assert rows.tolist() == expected
    assert rows.dtype == np.float64
    assert rows.flags.c_contiguous
    assert np.array_equal(costs.cost_rows(C3, codes, 2), 2 * C3[codes])


def test_sample_cost_wins_over_the_matrix():
    codes = np.array([0, 1])
    rows = np.array([[0.5, 7, 8], [9, 0, 10]], dtype=np.float32)
    assert costs.cost_rows(C3, codes, [1, 3], rows).tolist() == [[0.5, 7, 8], [27, 0, 30]]
    assert np.array_equal(costs.cost_rows(C3, codes, None, C3[codes]), costs.cost_rows(C3, codes))


def test_labelled_sample_cost_is_aligned():
    frame = pd.DataFrame([[1.0, 2, 3], [4, 5, 6]], columns=list("CAB"))
    assert costs.cost_rows(C3, [0, 1], None, frame, classes=ABC).tolist() == [[2, 3, 1], [5, 6, 4]]
    cut = costs.cost_rows(C3[:2, :2], [0, 1], None, frame, classes=ABC[:2])
    assert cut.tolist() == [[2, 3], [5, 6]]
    with pytest.raises(ValueError, match="sample_cost has no column for the classes 'B'"):
        costs.cost_rows(C3, [0, 1], None, frame.drop(columns="B"), classes=ABC)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 2, 3], r"shape \(3,\), expected \(2,\)"),
        ([[1], [2]], r"shape \(2, 1\), expected \(2,\)"),
        ([1, -2], r"sample_weight\[1\] is -2"),
        ([np.nan, 1], r"sample_weight\[0\] is nan"),
        ([np.inf, 1], r"sample_weight\[0\] is inf"),
        ([0, 0], "zero everywhere"),
        (["a", "b"], "table of numbers"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        costs.cost_rows(C3, np.array([0, 1]), weight)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 1]] * 2, r"shape \(2, 2\), expected \(2, 3\).*labelled"),
        ([[0, 1, 1]] * 3, r"shape \(3, 3\), expected \(2, 3\).*one row per sample"),
        ([0, 1, 1], r"shape \(3,\), expected \(2, 3\)"),
        ([[-2, -1, -1]] * 2, "sample_cost holds gains alone: negative entries are gains, so the sign is likely wrong"),
        ([[0, 1, 1], [np.nan, 1, 1]], r"sample_cost\[1, 0\] is nan"),
        (np.zeros((2, 3)), "sample_cost is zero everywhere"),
    ],
)
def test_bad_sample_cost(rows, message):
    with pytest.raises(ValueError, match=message):
        costs.cost_rows(C3, np.array([0, 1]), None, rows)


def test_weights_that_leave_only_costless_rows():
    with pytest.raises(ValueError, match="nothing to learn"):
        costs.cost_rows(C3, np.array([0, 1]), [1, 0], [[0, 0, 0], [1, 0, 1]])


def test_bayes_decision_minimises_expected_cost():
    proba = np.array([[0.6, 0.3, 0.1], [0.1, 0.1, 0.8], [0, 1, 0]])
    assert costs.bayes_decision(proba, costs.zero_one(3)).tolist() == [0, 2, 1]
    # Row 0, by hand: cost of 0 is .9 + .5, of 1 is .6 + .6, of 2 is 1.2 + 1.2.
    assert costs.bayes_decision(proba, C3).tolist() == [1, 2, 1]
    assert costs.bayes_decision([[0.5, 0.5]], costs.zero_one(2)).tolist() == [0]  # a tie goes to the lowest class


@pytest.mark.parametrize(
    ("proba", "C", "message"),
    [
        ([0.5, 0.5], costs.zero_one(2), r"got \(2,\)"),
        ([[0.5, 0.5]], costs.zero_one(3), r"got \(1, 2\) and \(3, 3\)"),
        ([[np.nan, 1]], costs.zero_one(2), "proba must be finite"),
        ([[0.5, 0.5]], -costs.zero_one(2), r"C\[0, 1\]"),
    ],
)
def test_bayes_decision_bad_input(proba, C, message):
    with pytest.raises(ValueError, match=message):
        costs.bayes_decision(proba, C)


@settings(deadline=None, max_examples=examples(50))
@given(st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_relabelling_the_classes_permutes_everything(K, seed):
    rng = np.random.default_rng(seed)
    C, P, order = rng.random((K, K)), rng.dirichlet(np.ones(K), 20), rng.permutation(K)
    decision = costs.bayes_decision(P, C)
    permuted = costs.bayes_decision(P[:, order], C[np.ix_(order, order)])
    assert np.array_equal(order[permuted], decision)
    assert np.array_equal(costs.bayes_decision(P, 8 * C), decision)
    frame = pd.DataFrame(C[np.ix_(order, order)], index=order, columns=order)
    assert np.array_equal(costs.resolve(frame, np.arange(K)), C)


def test_importing_costs_loads_neither_scikit_learn_nor_numba_nor_pandas():
    code = (
        "import sys; from csboost.costs import CostTable, bayes_decision; "
        "bayes_decision([[0.2, 0.8]], CostTable('linear', [0, 1])); "
        "print([m for m in ('sklearn', 'numba', 'pandas') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
