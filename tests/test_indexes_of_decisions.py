"""Rows that have names keep them in tables per row and in decisions; rows in another order are refused."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from decided import GRADES, P3, TABLE
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline

from csboost import AngleAdaBoostClassifier, costs, decisions, metrics

NAMES = [40, 70, 10, 20]
PROBA = pd.DataFrame(P3, columns=GRADES, index=NAMES)
FORMULAS = TABLE.astype(object).replace(9.0, "amount")
X = pd.DataFrame({"amount": [1.0, 50.0, 3.0, 200.0]}, index=NAMES)
LOANS = pd.DataFrame({"amount": np.arange(30.0)}, index=np.arange(30)[::-1] + 100)
GRADE = pd.Series(np.array(GRADES)[np.arange(30) // 10], index=LOANS.index)


LEARNERS = [costs.BayesDecisionClassifier(GaussianNB(), TABLE), AngleAdaBoostClassifier(TABLE, n_estimators=3)]


@pytest.fixture(scope="module", params=LEARNERS, ids=["bayes", "angle"])
def model(request):
    return request.param.fit(LOANS, GRADE)


def test_tables_of_rows_in_another_order_are_refused(model):
    right, other = costs.from_formulas(FORMULAS, X), costs.from_formulas(FORMULAS, X.sort_index())
    assert right.index.equals(X.index)
    decisions.decide(PROBA, sample_cost=right)
    with pytest.raises(ValueError, match="sample_cost has another index than proba: the same labels in another order"):
        decisions.decide(PROBA, sample_cost=other)
    part = LOANS.iloc[[3, 12, 25]]
    tables = costs.from_formulas(FORMULAS, part)
    found = model.decide(part, sample_cost=tables)
    for turned in (costs.from_formulas(FORMULAS, part[::-1]), tables[[2, 0, 1]]):
        with pytest.raises(ValueError, match="sample_cost has another index than X: the same labels"):
            model.decide(part, sample_cost=turned)
    stranger = costs.CostTables(tables.costs, tables.labels, tables.answers, index=["u", "v", "w"])
    with pytest.raises(ValueError, match="sample_cost has another index than X"):
        model.decide(part, sample_cost=stranger)
    assert found.tolist() == model.decide(part.to_numpy(), sample_cost=tables).tolist()


def test_what_the_message_on_tables_in_another_order_recommends_works(model):
    part = LOANS.iloc[[3, 12, 25]]
    sample_cost = costs.from_formulas(FORMULAS, part[::-1])
    again = sample_cost[sample_cost.index.get_indexer(part.index)]
    right = model.decide(part, sample_cost=costs.from_formulas(FORMULAS, part))
    assert model.decide(part, sample_cost=again).expected_costs.tolist() == right.expected_costs.tolist()
    nameless = costs.CostTables(sample_cost.costs, sample_cost.labels, sample_cost.answers)
    assert nameless.index is None
    assert len(model.decide(part, sample_cost=nameless)) == 3


def test_tables_numbered_from_0_say_nothing_beside_other_names_but_their_order_does():
    plain = costs.from_formulas(FORMULAS, X.reset_index(drop=True))
    decisions.decide(PROBA, sample_cost=plain)
    shuffled = PROBA.set_axis([2, 0, 1, 3], axis=0)
    with pytest.raises(ValueError, match="the same labels in another order"):
        decisions.decide(shuffled, sample_cost=plain)
    numbered = costs.from_formulas(FORMULAS, X.set_axis([2, 0, 1, 3], axis=0))
    with pytest.raises(ValueError, match=r"in another order; .* Give sample_cost\[sample_cost.index.argsort\(\)\]"):
        decisions.decide(P3, sample_cost=numbered, classes=GRADES)
    decisions.decide(P3, sample_cost=numbered[numbered.index.argsort()], classes=GRADES)
    polars = pytest.importorskip("polars")
    assert costs.from_formulas(FORMULAS, polars.from_pandas(X)).index is None


@pytest.mark.parametrize("key", [slice(1, 3), [1, 2], np.array([False, True, True, False]), np.array([1, 2])])
def test_a_choice_of_tables_has_its_part_of_the_index(key):
    tables = costs.from_formulas(FORMULAS, X)
    assert tables[key].index.tolist() == NAMES[1:3]
    for twin in (copy.copy(tables), copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))):
        assert twin[key].index.tolist() == NAMES[1:3]
    with pytest.raises(ValueError, match="index has 3 names, but costs has 4 rows"):
        costs.CostTables(tables.costs, tables.labels, tables.answers, index=NAMES[:3])


def test_entries_of_two_indexes_are_refused_beside_an_array_too():
    one, two = (pd.Series(np.ones(4), index=np.arange(start, start + 4)) for start in (50, 51))
    for entries in ({"human": one, ("poor", "good"): two}, {("fair", "good"): one[::-1], "human": one}):
        with pytest.raises(ValueError, match=r"sample_cost\[.*\] has another index than sample_cost\[.*\.to_numpy\(\)"):
            decisions.decide(P3, TABLE, classes=GRADES, sample_cost=entries)
    decisions.decide(P3, TABLE, classes=GRADES, sample_cost={"human": one, ("poor", "good"): one + 1})


def test_a_table_of_decisions_can_be_joined_to_its_rows(model):
    part = LOANS.iloc[[25, 3, 12]]
    calls = [{}, {"cost_matrix": TABLE}, {"limits": {"human": 1}}, {"sample_cost": {"human": np.ones(3)}},
             {"priors": [0.3, 0.3, 0.4]}]  # fmt: skip
    for arguments in calls:
        decision = model.decide(part, **arguments)
        joined = part.join(decision.to_frame())
        assert joined["answer"].tolist() == decision.tolist()
        np.testing.assert_array_equal(joined["expected_cost"], decision.expected_cost)
    assert decisions.decide(PROBA, TABLE).to_frame().index.tolist() == NAMES
    twice = decisions.decide(PROBA.set_axis([7, 7, 8, 8], axis=0), TABLE)
    assert twice.to_frame().index.tolist() == [7, 7, 8, 8]
    pairs = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["branch", "loan"])
    assert decisions.decide(PROBA.set_axis(pairs, axis=0), TABLE).to_frame().index.equals(pairs)
    for nameless in (decisions.decide(P3, TABLE, classes=GRADES), model.decide(part.to_numpy())):
        assert nameless.index is None
        assert nameless.to_frame().index.equals(pd.RangeIndex(len(nameless)))


def test_a_column_of_text_keeps_its_index_too():
    texts = pd.Series(["good loan", "bad loan", "good", "bad"], index=[9, 4, 7, 1])
    learner = costs.BayesDecisionClassifier(make_pipeline(CountVectorizer(), MultinomialNB()))
    decision = learner.fit(texts, pd.Series([0, 1, 0, 1], index=texts.index)).decide(texts)
    assert decision.to_frame().index.tolist() == [9, 4, 7, 1]


def test_copies_of_a_decision_keep_the_index():
    decision = decisions.decide(PROBA, TABLE)
    for twin in (copy.copy(decision), copy.deepcopy(decision), pickle.loads(pickle.dumps(decision))):
        assert twin.to_frame().equals(decision.to_frame())


def test_a_decision_meets_the_truth_of_the_same_rows():
    decision = decisions.decide(PROBA, TABLE, limits={"human": 0})
    truth = pd.Series(["fair", "good", "poor", "fair"], index=NAMES)
    paid = metrics.mean_cost(truth, decision, TABLE)
    assert paid == metrics.mean_cost(truth.to_numpy(), decision, TABLE)
    assert paid == metrics.mean_cost(truth.reset_index(drop=True), decision, TABLE)
    other = truth.sort_index()
    with pytest.raises(ValueError, match=r"y_pred.to_frame\(\)\['answer'\].loc\[y_true.index\], or y_pred.answers if"):
        metrics.mean_cost(other, decision, TABLE)
    assert metrics.mean_cost(other, decision.to_frame()["answer"].loc[other.index], TABLE) == paid
    assert metrics.mean_cost(other, decision.answers, TABLE) != paid
