"""Tables of K truths x A answers and gains, as they are read: alignment, order and dtype of the answers, refusals."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from cases import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from csboost import costs
from csboost.costs import CostTable

ABC = np.array(["A", "B", "C"])
HUMAN = pd.DataFrame(
    [[0, 1, 2, 0.6], [3, 0, 4, 0.7], [5, 6, 0, 0.8]], index=list("ABC"), columns=["A", "B", "C", "human"]
)
TRIAGE = pd.DataFrame([[0.0, 3.0], [9.0, 1.0], [30.0, 2.0]], index=list("ABC"), columns=["dismiss", "biopsy"])


def found(table, classes=ABC):
    answers = costs.resolve_answers(table, classes)
    return answers.costs.tolist(), answers.labels.tolist()


def test_every_square_form_is_what_resolve_makes_of_it():
    C = HUMAN[["A", "B", "C"]]
    for form in (None, "linear", C.to_numpy(), C, C.loc[list("CAB"), list("BCA")], CostTable(C)):
        answers = costs.resolve_answers(form, ABC)
        np.testing.assert_array_equal(answers.costs, costs.resolve(form, ABC))
        assert answers.labels is ABC


def test_answers_that_are_classes_come_first_in_the_order_of_the_classes():
    shuffled = HUMAN.loc[["C", "A", "B"], ["human", "C", "A", "B"]]
    assert found(shuffled) == (HUMAN.to_numpy().tolist(), ["A", "B", "C", "human"])
    assert found(HUMAN.drop(columns="B")) == (HUMAN[["A", "C", "human"]].to_numpy().tolist(), ["A", "C", "human"])
    assert found(HUMAN[["C", "A"]]) == (HUMAN[["A", "C"]].to_numpy().tolist(), ["A", "C"])
    assert found(TRIAGE.loc[["B", "C", "A"]]) == (TRIAGE.to_numpy().tolist(), ["dismiss", "biopsy"])
    assert found(TRIAGE[["biopsy", "dismiss"]])[1] == ["biopsy", "dismiss"]  # others in the order of the table


def test_a_table_is_cut_to_the_classes_and_the_column_of_a_class_that_is_cut_goes_too():
    assert found(HUMAN, ["A", "C"]) == ([[0, 2, 0.6], [5, 0, 0.8]], ["A", "C", "human"])
    assert found(TRIAGE, np.array(["A", "C"])) == ([[0, 3], [30, 2]], ["dismiss", "biopsy"])
    table = CostTable(HUMAN)
    answers = table.answers_for(["C", "B"])
    assert (answers.costs.tolist(), answers.labels.tolist()) == ([[0, 6, 0.8], [4, 0, 0.7]], ["C", "B", "human"])


@pytest.mark.parametrize(
    ("classes", "columns", "kind"),
    [
        (np.array([1, 2, 3]), [1, 2, 3], "i"),
        (np.array([1, 2, 3]), [3, 1], "i"),
        (np.array([1, 2, 3]), [1, 2, 3, 9], "i"),
        (np.array([1, 2, 3]), [1, 2, 3, "human"], "O"),
        (np.array([1, 2, 3]), ["dismiss", "biopsy"], "U"),
        (np.array([1.5, 2.5, 3.5]), [1.5, 3.5], "f"),
        (np.array([1.5, 2.5, 3.5]), [1.5, 3.5, "human"], "O"),
        (np.array(["a", "b", "c"]), ["b", "a"], "U"),
        (np.array(["a", "b", "c"]), ["a", "b", "c", "a much longer answer"], "U"),
        (np.array(["a", "b", "c"]), ["a", 7], "O"),
        (np.array(["a", "b", "c"], dtype=object), ["a", "b", "c", "human"], "O"),
        (np.array([False, True]), [False, "human"], "O"),
    ],
)
def test_the_answers_keep_the_dtype_of_the_classes_where_they_can(classes, columns, kind):
    values = np.arange(1.0, len(classes) * len(columns) + 1).reshape(len(classes), -1)
    labels = costs.resolve_answers(pd.DataFrame(values, index=classes, columns=columns), classes).labels
    assert labels.dtype.kind == kind
    in_order = [label for label in classes.tolist() if label in columns]
    assert labels.tolist() == [*in_order, *(label for label in columns if label not in in_order)]
    assert [type(label) for label in labels.tolist()[: len(in_order)]] == [type(label) for label in in_order]


def records(frame):
    return frame.reset_index(names="truth").to_records(index=False)


def polars(frame):
    frame = frame.reset_index(names="truth")
    return pytest.importorskip("polars").DataFrame({str(name): frame[name].to_list() for name in frame})


def arrow(frame):
    frame = frame.reset_index(names="truth")
    return pytest.importorskip("pyarrow").table({str(name): frame[name].to_numpy() for name in frame})


def labelled_array(frame):
    xarray = pytest.importorskip("xarray")
    return xarray.DataArray(frame.to_numpy(), coords={"row": frame.index, "answer": frame.columns.to_numpy(str)})


@pytest.mark.parametrize("library", [records, polars, arrow, labelled_array])
def test_tables_of_other_libraries_are_read_alike(library):
    for table in (HUMAN, TRIAGE, HUMAN.drop(columns="A")):
        assert found(library(table)) == found(table)
        assert CostTable(library(table)) == CostTable(table)


@pytest.mark.parametrize("library", [records, polars, arrow])
def test_names_that_must_be_text_stand_for_numbers(library):
    numbered = HUMAN.set_axis([10, 20, 30]).set_axis([10, 20, 30, "human"], axis=1)
    assert found(library(numbered), np.array([10, 20, 30])) == (HUMAN.to_numpy().tolist(), [10, 20, 30, "human"])


def test_a_file_read_without_its_row_labels_is_told_of_index_col(tmp_path):
    for table in (HUMAN, HUMAN.set_axis([1, 2, 3]).set_axis([1, 2, 3, "human"], axis=1)):
        table.to_csv(tmp_path / "costs.csv")
        with pytest.raises(ValueError, match=r"labels of its rows in the column 'Unnamed: 0'.*index_col=0"):
            costs.resolve_answers(pd.read_csv(tmp_path / "costs.csv"), table.index)
    first = pd.DataFrame([[1, 0, 2], [0, 3, 0]], columns=["human", 0, 1])  # costs that could be labels, but are none
    assert found(first, np.array([0, 1])) == ([[0, 2, 1], [3, 0, 0]], [0, 1, "human"])


# Cost tables.


def test_a_cost_table_has_answers():
    table = CostTable([[0, 2, 1], [9, 0, 1]], ["well", "sick"], answers=["well", "sick", "human"])
    assert (table.labels, table.answers) == (("well", "sick"), ("well", "sick", "human"))
    assert table.to_frame().columns.tolist() == ["well", "sick", "human"]
    assert eval(repr(table)) == table
    assert pickle.loads(pickle.dumps(table)) == table
    assert hash(CostTable(table)) == hash(table)
    assert table != CostTable([[0, 2, 1], [9, 0, 1]], ["well", "sick"], answers=["well", "sick", "doctor"])
    assert CostTable(table.to_frame()) == table
    assert CostTable(table, answers=["sick", "human"]).costs.tolist() == [[2, 1], [0, 1]]
    assert CostTable("linear", ["low", "mid", "high"], answers=["high", "low"]).costs[0].tolist() == [2, 0]
    square = CostTable([[2, 0], [0, 9]], ["well", "sick"], answers=["sick", "well"])
    assert square == CostTable([[0, 2], [9, 0]], ["well", "sick"])
    with pytest.raises(ValueError, match="only on the columns: 'human'; only on the rows: none.*Use answers_for"):
        table.matrix()


def test_a_cost_table_fits_labels_that_have_become_numbers():
    table = CostTable(HUMAN.loc[["C", "A", "B"]])
    assert found(table, np.array([0, 1, 2])) == (HUMAN.to_numpy().tolist(), [0, 1, 2, "human"])
    assert found(table, ["B", "C"]) == ([[0, 4, 0.7], [6, 0, 0.8]], ["B", "C", "human"])
    assert found(CostTable(TRIAGE), [0, 2]) == ([[0, 3], [30, 2]], ["dismiss", "biopsy"])
    with pytest.raises(ValueError, match=r"give csboost.costs.CostTable\(cost_matrix\)"):
        costs.resolve_answers(HUMAN, [0, 1, 2])


# Refusals.

TWINS = HUMAN.assign(human=[1, 0, 6])
SLIPS = {
    "case": (
        HUMAN.rename(columns={"human": "a"}),
        "only on the columns: 'a'.*'a', 'A' differ in upper case, spaces or t",
    ),
    "spaces": (HUMAN.rename(columns={"C": "C "}), "only on the columns: 'C ', 'human'; only on the rows: 'C'"),
    "letters": (
        pd.DataFrame(np.eye(2), index=["benign", "malign"], columns=["bengin", "malign"]),
        r"If 'bengin' is meant as an answer of its own beside the class 'benign', .*CostTable\(cost_matrix, answers=",
    ),
    "twins": (TWINS, "equal columns for the answers 'B', 'human': nothing tells them apart"),
    "gains alone": (
        HUMAN - np.array([[9], [0], [0]]),
        r"cost_matrix\[0\] \(truth 'A'\) holds gains alone, -9, -8, -7, -8.4: neg",
    ),
    "infinite": (
        HUMAN.replace(0.7, np.inf),
        r"cost_matrix\[1, 3\] \(truth 'B', predicted 'human'\) is inf: costs must",
    ),
    "NaN": (HUMAN.replace(0.7, np.nan), r"cost_matrix\[1, 3\] \(truth 'B', predicted 'human'\) is nan: costs must be"),
    "text": (
        HUMAN.astype(object).replace(0.7, "dear"),
        "cost_matrix must be a rectangular table of numbers, got 'dear'",
    ),
    "repeated answer": (HUMAN.rename(columns={"human": "A"}), "repeats the column labels 'A'"),
    "repeated truth": (HUMAN.rename(index={"B": "A"}), "repeats the row labels 'A'"),
    "missing truth": (HUMAN.drop(index="B"), "cost_matrix has no row for the classes 'B'; its row labels are 'A', 'C'"),
    "array": (
        HUMAN.to_numpy(),
        r"shape \(3, 4\), but there are 3 classes.*give a pandas.DataFrame labelled with the cl",
    ),
}


@pytest.mark.parametrize("case", SLIPS)
def test_tables_that_cannot_be_meant_are_refused_in_words(case):
    table, message = SLIPS[case]
    with pytest.raises(ValueError, match=message):
        costs.resolve_answers(table, ABC)
    if case not in ("array", "missing truth", "repeated truth"):
        with pytest.raises(ValueError, match=message):
            CostTable(table)


def test_labels_that_differ_in_type_are_told_so():
    numbered = pd.DataFrame(HUMAN.to_numpy(), index=[0, 1, 2], columns=["0", "1", "2", "human"])
    with pytest.raises(ValueError, match="The labels differ in type: '0' is a str, 0 is not"):
        costs.resolve_answers(numbered, [0, 1, 2])


def test_a_near_miss_is_taken_where_the_answers_are_listed():
    table = pd.DataFrame([[0, 1, 2], [3, 0, 1]], index=["mild case", "grave case"], columns=["a", "b", "mild cases"])
    with pytest.raises(ValueError, match="'mild cases' is meant as an answer"):
        costs.resolve_answers(table, ["grave case", "mild case"])
    meant = CostTable(table, answers=list(table.columns))
    assert meant.answers == ("a", "b", "mild cases")
    assert CostTable(meant) == meant


def test_a_table_of_one_class_may_be_zero_and_one_of_several_may_not():
    zeros = pd.DataFrame([[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]], index=list("ABC"), columns=["A", "human"])
    with pytest.raises(ValueError, match="zero everywhere for the classes 'A', 'B'"):
        costs.resolve_answers(zeros, ["A", "B"])


def test_equal_columns_in_the_part_of_a_fold_are_taken():
    table = HUMAN.assign(human=[1, 0, 7])
    assert found(table, ["A", "B"])[0] == [[0, 1, 1], [3, 0, 0]]


@pytest.mark.parametrize("bad", [{"labels": ["A", "B"]}, {"answers": ["A", "human"]}, {"answers": list("ABCA")}])
def test_cost_tables_whose_parts_do_not_fit(bad):
    given = {"labels": list("ABC"), "answers": ["A", "B", "C", "human"], **bad}
    with pytest.raises(ValueError, match=r"shape \(3, 4\), but there are|repeats the column labels 'A'"):
        CostTable(HUMAN.to_numpy(), **given)


def test_resolve_keeps_to_classes():
    with pytest.raises(ValueError, match="only on the columns: 'human'; only on the rows: none"):
        costs.resolve(HUMAN, ABC)
    with pytest.raises(ValueError, match="only on the columns: 'dismiss', 'biopsy'; only on the rows: 'A', 'B', 'C'"):
        costs.resolve(CostTable(TRIAGE), ABC)


# Gains.


def test_negative_entries_are_gains():
    C = np.array([[-2.0, 1.0, 0.0], [3.0, -1.0, 4.0], [5.0, 6.0, -7.0]])
    frame = pd.DataFrame(C, index=ABC, columns=ABC)
    for form in (C, frame, CostTable(frame)):
        np.testing.assert_array_equal(costs.resolve(form, ABC), C)
    reward = pd.DataFrame({"catch": [-5.0, 0.0], "ignore": [0.0, 0.0]}, index=["fraud", "fine"])  # no entry costs
    assert found(reward, ["fine", "fraud"]) == ([[0, 0], [-5, 0]], ["catch", "ignore"])
    rows = [[-1.0, 2.0, -3.0], [-4.0, -5.0, -6.0]]
    assert costs.cost_rows(C, [0, 1], [1.0, 2.0], rows).tolist() == [[-1, 2, -3], [-8, -10, -12]]


def test_gains_in_a_part_of_a_table_are_judged_by_the_whole():
    table = pd.DataFrame([[-1, -2, 1], [0, -1, 2], [3, 4, 0]], index=ABC, columns=ABC)
    assert costs.resolve(table, ["A", "B"]).tolist() == [[-1, -2], [0, -1]]
    assert CostTable(table).matrix(["A", "B"]).tolist() == [[-1, -2], [0, -1]]
    with pytest.raises(ValueError, match=r"cost_matrix\[0\] \(truth 'A'\) holds gains alone, -1, -2"):
        costs.resolve(table.to_numpy()[:2, :2], ["A", "B"])


def test_gains_for_wrong_answers_only_are_a_wrong_sign():
    frame = pd.DataFrame(-costs.linear(3), index=ABC, columns=ABC)
    for form in (-costs.linear(3), frame.loc[["C", "A", "B"], ["B", "A", "C"]]):
        with pytest.raises(ValueError, match=r"is -\d: negative entries are gains.*wrong way round: give -cost_matrix"):
            costs.resolve_answers(form, ABC)
    with pytest.raises(ValueError, match="sample_cost holds gains alone: negative entries are gains"):
        costs.cost_rows(costs.linear(3), [0, 1], None, -np.ones((2, 3)))


@settings(deadline=None, max_examples=examples(50))
@given(st.integers(2, 7), st.integers(2, 10), st.integers(0, 2**32 - 1))
def test_the_bayes_rule_takes_any_answers_and_gains(K, A, seed):
    rng = np.random.default_rng(seed)
    P, C = rng.dirichlet(np.ones(K), 20), rng.uniform(-2.0, 3.0, (K, A))
    C[:, 0] = np.maximum(C[:, 0], 0.1)  # no row of gains alone
    decision = costs.bayes_decision(P, C)
    best = [min(range(A), key=lambda a: sum(p[j] * C[j, a] for j in range(K))) for p in P]
    assert decision.tolist() == best
    frame = pd.DataFrame(C, index=range(K), columns=[*range(min(K, A)), *(f"other {a}" for a in range(K, A))])
    shuffled = frame.iloc[rng.permutation(K)]
    resolved = costs.resolve_answers(shuffled, np.arange(K))
    np.testing.assert_array_equal(resolved.costs, C)
    named, order = pd.DataFrame(P[:, ::-1], columns=range(K)[::-1]), list(range(K))[::-1]
    labels = costs.resolve_answers(shuffled, order).labels
    chosen = labels[costs.bayes_decision(named, CostTable(shuffled))]
    assert chosen.tolist() == [frame.columns[a] for a in decision]
