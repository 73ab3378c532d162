"""Answers of least expected cost where costs differ from row to row."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from decided import GRADES, P3, TABLE, by_hand, random_probabilities

from csboost import costs, decisions
from csboost.decisions import expected


def test_a_table_per_row_replaces_the_table():
    rng = np.random.default_rng(3)
    P, tables = random_probabilities(30, 3, 3), rng.random((30, 3, 4))
    decision = decisions.decide(P, sample_cost=tables)
    np.testing.assert_allclose(decision.expected_costs, by_hand(P, tables), rtol=1e-12)
    np.testing.assert_array_equal(decision, by_hand(P, tables).argmin(axis=1))
    named = decisions.decide(P, TABLE.loc[GRADES, [*GRADES, "human"]], sample_cost=tables)
    assert named.tolist() == [[*GRADES, "human"][a] for a in decision]


def test_entries_that_depend_on_the_row_are_given_by_name():
    rng = np.random.default_rng(4)
    P, amount, fee = random_probabilities(40, 3, 4), rng.lognormal(size=40), rng.random(40)
    decision = decisions.decide(
        P, TABLE, classes=GRADES, sample_cost={("poor", "good"): 9 * amount, ("fair", "good"): amount, "human": fee}
    )
    tables = np.repeat(TABLE.loc[GRADES].to_numpy()[None], 40, axis=0)  # answers good, fair, poor, human
    tables[:, 2, 0], tables[:, 0, 0], tables[:, :, 3] = 9 * amount, amount, fee[:, None]
    order = [list(TABLE.columns).index(label) for label in decision.labels]
    np.testing.assert_allclose(decision.expected_costs, by_hand(P, tables)[:, order], rtol=1e-12)
    assert "human" in set(decision.tolist())


def in_ties(K, A, n=1327):
    """Probabilities (n, K) and costs (K, A) that tie often; only rounding tells the answers apart."""
    rng = np.random.default_rng([K, A])
    counts = rng.integers(0, 5, (n, K)) + np.eye(K, dtype=int)[rng.integers(0, K, n)]
    return counts / counts.sum(axis=1, keepdims=True), rng.integers(0, 5, (K, A)) / 10.0


def each_form(tables):
    """Tables (n, K, A) in all forms of ``sample_cost``, with a ``cost_matrix`` that must not matter."""
    K, A = tables.shape[1:]
    classes, answers = [f"c{k}" for k in range(K)], [f"a{a}" for a in range(A)]
    other = pd.DataFrame(1.0 + np.arange(K * A).reshape(K, A), index=classes, columns=answers)
    yield {"sample_cost": tables, "classes": classes}
    yield {"sample_cost": costs.CostTables(tables, classes, answers), "classes": classes}
    entries = {(classes[j], answers[a]): tables[:, j, a] for j in range(K) for a in range(A)}
    yield {"sample_cost": entries, "cost_matrix": other, "classes": classes}


@pytest.mark.parametrize(("K", "A"), [(2, 2), (3, 4), (5, 5), (7, 4)])
def test_a_table_and_the_same_table_in_each_row_give_the_same_answers(K, A):
    P, C = in_ties(K, A)
    gains = np.column_stack([np.full(K, 0.1), C[:, 1:] - 0.2])
    for table in (C, gains):
        wanted = decisions.decide(P, table)
        for form in each_form(np.repeat(table[None], len(P), axis=0)):
            found = decisions.decide(P, **form)
            places = [found.labels.tolist().index(answer) for answer in found]
            np.testing.assert_array_equal(found.expected_costs, wanted.expected_costs)
            assert places == [wanted.labels.tolist().index(answer) for answer in wanted]


@pytest.mark.parametrize(("K", "A"), [(2, 2), (3, 4), (5, 5), (7, 4)])
def test_a_constant_per_truth_changes_no_answer_to_costs_per_row(K, A, monkeypatch):
    monkeypatch.setattr(expected, "AT_A_TIME", 1000)
    P, C = in_ties(K, A)
    C = np.where(np.arange(A) == np.arange(K)[:, None] % A, 0.0, C)  # no truth but has an answer for nothing
    scale, shift = 2.0 ** np.random.default_rng(0).integers(-1, 2, (len(P), 1, 1)), 2.0 ** np.arange(K)[:, None]
    tables = C * scale
    for plain, shifted in zip(each_form(tables * 10.0), each_form(tables * 10.0 - shift), strict=True):
        one, two = decisions.decide(P, **plain), decisions.decide(P, **shifted)
        assert one.tolist() == two.tolist()
        np.testing.assert_allclose(two.expected_costs, by_hand(P, tables * 10.0 - shift), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("sample_cost", "message"),
    [
        (np.ones((4, 4)), r"sample_cost has two axes: a cost per row and answer, as in fit, .* \(4, 3, 4\)"),
        (pd.DataFrame(np.ones((4, 4))), "sample_cost has two axes"),
        (np.ones((4, 3, 5)), r"sample_cost has shape \(4, 3, 5\), expected \(4, 3, 4\)"),
        (np.ones((3, 3, 4)), r"sample_cost has shape \(3, 3, 4\), expected \(4, 3, 4\)"),
        (np.full((4, 3, 4), np.nan), r"sample_cost\[0, 0, 0\] is nan: costs must be finite"),
        (np.ones(4), r"sample_cost has shape \(4,\), expected \(4, 3, 4\)"),
        ({"humen": np.ones(4)}, r"sample_cost\['humen'\]: a key is a pair \(truth, answer\), or an answer"),
        ({("bad", "good"): np.ones(4)}, "names the unknown truth 'bad'; known are 'fair', 'good', 'poor'"),
        ({("poor", "humen"): np.ones(4)}, "names the unknown answer 'humen'"),
        ({"human": 3.0}, r"sample_cost\['human'\] has shape \(\), expected \(4,\): .* belongs in cost_matrix"),
        ({"human": np.ones(1)}, r"has shape \(1,\), expected \(4,\)"),
        ({"human": [1, 2, np.inf, 3]}, r"sample_cost\['human'\]\[2\] is inf: costs must be finite"),
        ({"human": np.ones(4), ("poor", "human"): np.ones(4)}, "names an entry that another key names too"),
    ],
)
def test_costs_per_row_that_could_be_misread_are_refused(sample_cost, message):
    with pytest.raises(ValueError, match=message):
        decisions.decide(P3, TABLE, classes=GRADES, sample_cost=sample_cost)


def test_tables_per_row_without_labels_need_a_table_in_the_order_in_which_they_are_read():
    shuffled = TABLE.loc[GRADES, ["human", "poor", "fair", "good"]]
    for table in (TABLE, shuffled):
        with pytest.raises(ValueError, match="sample_cost has no labels, and cost_matrix has others than its axes"):
            decisions.decide(P3, table, classes=GRADES, sample_cost=np.ones((4, 3, 4)))


def test_costs_per_row_of_another_index_are_refused():
    proba = pd.DataFrame(P3, columns=GRADES, index=[4, 7, 1, 2])
    fee = pd.Series(np.ones(4), index=[7, 4, 1, 2])
    with pytest.raises(ValueError, match="sample_cost has another index than proba"):
        decisions.decide(proba, TABLE, sample_cost={"human": fee})
    right = decisions.decide(proba, TABLE, sample_cost={"human": fee.loc[proba.index]})
    assert right.tolist() == decisions.decide(P3, TABLE, sample_cost={"human": np.ones(4)}, classes=GRADES).tolist()


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda tables: pickle.loads(pickle.dumps(tables))])
def test_tables_per_row_stay_read_only_in_copies(copied):
    tables = copied(costs.CostTables(np.ones((2, 2, 3)), ["a", "b"], ["a", "b", "human"]))
    with pytest.raises(ValueError, match="read-only"):
        tables.costs[0, 0, 0] = 9.0
