"""A cost table in words, and what in it is likely not meant."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from cases import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import csboost
from csboost import costs
from csboost.costs import describe, doubts

GRADES = ["VF", "F", "L"]
C = pd.DataFrame([[0, 1, 3], [2, 0, 1], [10, 5, 0]], index=GRADES, columns=GRADES)


def test_a_square_table_is_echoed_with_its_dearest_mistake():
    assert describe(C).splitlines() == [
        "Rows are the truth, columns the answers: 3 truths (VF, F, L), 3 answers (VF, F, L).",
        "Right answers cost nothing.",
        "A true L answered VF costs 10, the dearest mistake; a true VF answered F costs 1, the cheapest.",
        "A true VF: F costs 1, L costs 3.",
        "A true F: VF costs 2, L costs 1.",
        "A true L: VF costs 10, F costs 5.",
        "No doubts.",
    ]


def test_a_transposed_table_reads_differently():
    assert "A true VF answered L costs 10, the dearest mistake" in describe(C.T)


def test_every_form_of_costs_is_described():
    expected = describe(C)
    assert describe(C.to_numpy(), GRADES) == expected
    assert describe(costs.CostTable(C)) == expected
    assert describe(C, ["L", "VF"]).startswith("Rows are the truth, columns the answers: 2 truths (L, VF), 2 answers")
    assert "A true 2 answered 0 costs 10" in describe(C.to_numpy())
    text = describe("partitioned-linear", ["good", "fair", "poor"])
    assert text.startswith("'partitioned-linear' for 3 classes, steps counted in the order good, fair, poor.")
    assert "A true poor answered good costs 20, the dearest mistake" in text
    assert "Every mistake costs 1." in describe(None, GRADES)
    polars = pytest.importorskip("polars")
    assert describe(polars.DataFrame({"truth": GRADES, **{name: C[name].tolist() for name in GRADES}})) == expected


def test_answers_that_are_no_classes_and_gains_are_said():
    table = pd.DataFrame([[-30, 200, 2], [5, 0, 3]], index=["sick", "not sick"], columns=["treat", "dismiss", "human"])
    lines = describe(table).splitlines()
    assert lines[0] == (
        "Rows are the truth, columns the answers: 2 truths (sick, 'not sick'), 3 answers (treat, dismiss, human)."
    )
    assert lines[1] == "No answer is a class."
    assert lines[2] == (
        "Answers that are no classes: treat (earns 30 at best, costs 5 at worst whatever the truth), dismiss (costs "
        "0 to 200 whatever the truth), human (costs 2 to 3 whatever the truth)."
    )
    assert lines[3] == "A true sick: treat earns 30, dismiss costs 200, human costs 2."
    some = describe(pd.DataFrame([[-3, 5, 1], [9, -1, 1], [4, 4, 1]], index=list("abc"), columns=["a", "b", "ask"]))
    assert "Right answers: a earns 3, b earns 1.\nNever answered: c." in some
    assert "ask (costs 1 whatever the truth)" in some
    assert "Right answers earn 2." in describe(costs.zero_one(3) - 2 * np.eye(3))


def test_many_classes_are_summed_up():
    text = describe(costs.partitioned_linear(20))
    assert len(text.splitlines()) == 5
    assert "A true 19 answered 0 costs 190, the dearest mistake" in text
    assert "Next to it: a true 18 answered 0 costs 180; a true 19 answered 1 costs 180; " in text
    assert "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)" in text
    assert "18, 19, and 5 more)" in describe(costs.linear(25))
    assert "the dearest mistake (as does 1 more)" in describe(costs.linear(9))


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (C, []),
        (costs.linear(7), []),
        (costs.partitioned_linear(7), []),
        ([[0, 1, 2], [1, 0, 2], [1, 4, 3]], [
            "A true 2 prefers a wrong answer: answer 0 costs 1, the right answer costs 3.",
            "Answer 2 can never win: answer 0 is cheaper whatever the probabilities."]),
        ([[0, 1, 5], [0, 0, 3], [7, 8, 0]], [
            "A mistake is free: a true 1 answered 0 costs no more than right.",
            "Answer 1 can never win alone: answer 0 is as cheap or cheaper whatever the probabilities."]),
        ([[0, 4, 3], [4, 0, 3], [9, 9, 5]], []),
        (pd.DataFrame([[0, 4, 3], [4, 0, 3]], index=list("ab"), columns=["a", "b", "ask"]), [
            "ask can never win: some other answer is cheaper whatever the probabilities."]),
        (pd.DataFrame([[0, 4, 2], [4, 0, 2]], index=list("ab"), columns=["a", "b", "ask"]), [
            "ask can never win alone: some other answer is as cheap or cheaper whatever the probabilities."]),
        (pd.DataFrame([[0, 4, 1], [4, 0, 1]], index=list("ab"), columns=["a", "b", "ask"]), []),
        (pd.DataFrame([[2, 4, 1], [4, 0, 1]], index=list("ab"), columns=["a", "b", "ask"]), [
            "A true a prefers another answer: ask costs 1, the right answer costs 2.",
            "a can never win: ask is cheaper whatever the probabilities."]),
        (pd.DataFrame([[0, 4, 1, 1], [4, 0, 1, 1]], index=list("ab"), columns=["a", "b", "ask", "wait"]), [
            "ask and wait cost the same whatever the truth."]),
        (pd.DataFrame([[0, 4], [4, 0], [3, 3]], index=list("abc"), columns=list("ab")), [
            "Nothing hangs on a true c: every answer costs 3."]),
        (pd.DataFrame([[-1, -4], [4, 0]], index=list("ab"), columns=["x", "y"]), [
            "Every answer to a true a earns: is the sign meant?",
            "x can never win: y is cheaper whatever the probabilities."]),
        (pd.DataFrame([[0, 4, 1], [4, 0, 1]], index=["vf", "l"], columns=["vf", "l", "V F"]), [
            "The answer 'V F' is not the class 'vf', but differs by case, blanks or type only: write them alike if "
            "they are the same."]),
        (pd.DataFrame([[0, 4, 1], [4, 0, 1]], index=[0, 1], columns=[0, 1, "1"]), [
            "The answer '1' is not the class 1, but differs by case, blanks or type only: write them alike if they "
            "are the same."]),
        (pd.DataFrame(4 - 4 * np.eye(3), index=["good", "Good", "good "], columns=["good", "Good", "good "]), [
            "The truths 'good' and 'Good' differ by case, blanks or type only: is one of them meant?",
            "The truths 'good' and 'good ' differ by case, blanks or type only: is one of them meant?"]),
        (pd.DataFrame([[0, 4], [4, 0]], index=[1, "1"], columns=[1, "1"]), [
            "The truths 1 and '1' differ by case, blanks or type only: is one of them meant?"]),
        (pd.DataFrame([[0, 4], [4, 0]], index=["a", "b"], columns=["go", "Go"]), [
            "The answers 'go' and 'Go' differ by case, blanks or type only: is one of them meant?"]),
        (pd.DataFrame([[0, 4], [4, 0]], index=["nan", "b"], columns=["nan", "b"]), []),
        (C.rename_axis(index="predicted", columns="truth"), [
            "The rows are called 'predicted'; rows are read as the truth, columns as answers. Is C.T meant?"]),
        (C.rename_axis(columns="actual"), [
            "The columns are called 'actual'; rows are read as the truth, columns as answers. Is C.T meant?"]),
        (C.rename_axis(index="truth", columns="predicted"), []),
    ],
)  # fmt: skip
def test_doubts_are_named(table, expected):
    assert doubts(table) == expected
    last = describe(table).splitlines()[-max(1, len(expected)) :]
    assert last == ([f"- {doubt}" for doubt in expected] if expected else ["No doubts."])


@settings(deadline=None, max_examples=examples(60))
@given(st.integers(2, 4), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_an_answer_is_doubted_where_no_probabilities_make_it_the_cheapest(K, A, seed):
    """Against many probabilities: an answer that is ever the cheapest is not doubted, and a doubted one never is."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.uniform(0, 5, (K, A)), index=range(K), columns=[f"answer {a}" for a in range(A)])
    P = np.vstack([np.eye(K), rng.dirichlet(np.full(K, 0.5), 20_000)])
    cheapest = set((P @ table.to_numpy()).argmin(axis=1))
    doubted = {a for a in range(A) if any(f"'answer {a}' can never win" in doubt for doubt in doubts(table))}
    assert not doubted & cheapest
    missing = set(range(A)) - cheapest - doubted
    for a in missing:  # it wins in a corner too small for the draws: a finer look at the best one
        assert _best_lead(table.to_numpy(), a) > 0


def _best_lead(table, a):
    """The largest lead of an answer by the dual: the least of ``max_j`` of a mix of the others' differences."""
    from scipy.optimize import minimize

    others = np.delete(table, a, axis=1) - table[:, [a]]
    softened = minimize(
        lambda z: (others @ (np.exp(z) / np.exp(z).sum())).max(), np.zeros(others.shape[1]), method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000},
    )  # fmt: skip
    return softened.fun


@pytest.mark.parametrize(
    ("table", "classes", "message"),
    [
        ([[0, 1], [np.nan, 0]], None, "the cost of truth 1, answer 0 is nan: costs must be finite"),
        ([[0, 1, 2], [1, 0, 2]], None, r"has shape \(2, 3\), for 2 classes: an array is square"),
        ([[0, "x"], [1, 0]], None, "must be a rectangular table of numbers"),
        ("linear", None, "depend on the classes: give classes="),
        (C, ["VF", "X"], "no row for the classes 'X'"),
        (C.rename(columns={"F": "VF"}), None, "repeats the column labels 'VF'"),
        (
            C.iloc[:2],
            ["VF", "F", "L"],
            "label the columns of the cost table, not its rows: rows are the truth; give C.T",
        ),
    ],
)
def test_what_is_no_table_is_refused(table, classes, message):
    with pytest.raises(ValueError, match=message):
        describe(table, classes)
    with pytest.raises(ValueError, match=message):
        doubts(table, classes)


def test_costs_of_rows_name_the_way_to_one_table():
    formulas = pd.DataFrame(
        [[0, "0.1 * amount"], ["0.6 * amount", 0]], index=["paid", "lost"], columns=["paid", "lost"]
    )
    tables = costs.from_formulas(formulas, pd.DataFrame({"amount": [100.0, 300.0]}))
    mean = "csboost.costs.CostTable(tables.costs.mean(axis=0), tables.labels, tables.answers)"
    for table, said in ((formulas, "work them out over the columns of X"), (tables, "tables of 2 rows")):
        for call in (describe, doubts):
            with pytest.raises(ValueError, match=f"{said}.*{re.escape(mean)}.*or .*with tables.costs.0.") as caught:
                call(table)
        assert mean in str(caught.value)
    assert "A true lost answered paid costs 120" in describe(eval(mean, {"csboost": csboost, "tables": tables}))
    with pytest.raises(ValueError, match="the cost table holds text"):
        describe(formulas, ["lost", "paid"])
