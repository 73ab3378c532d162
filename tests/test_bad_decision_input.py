"""What decisions cannot be made of is named, with what to do instead."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from csboost import AngleAdaBoostClassifier, costs, decisions, metrics

P = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.97, 0.03]])
CLASSES = ["good", "poor"]
T = pd.DataFrame([[0, 1, 0.3], [5, 0, 0.3]], index=CLASSES, columns=[*CLASSES, "human"])
X, Y = np.arange(20.0)[:, None], np.array(CLASSES)[np.arange(20) % 2]
FRAME = pd.DataFrame({"amount": [1.0, 2.0]})
ALIKE = "differ in upper case, spaces or type alone: give both the same label"


def decide(**given):
    return decisions.decide(P, T, classes=CLASSES, **given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"priors": {"Good": 0.5, "poor": 0.5}}, f"priors names 'Good', which are no classes.*'good', 'Good' {ALIKE}"),
        ({"priors": pd.Series({"good ": 0.5, "poor": 0.5})}, f"'good', 'good ' {ALIKE}"),
        ({"priors": pd.Series([0.5, 0.3, 0.2], index=["good", "poor", "poor"])}, "priors names 'poor' more than once"),
        ({"priors": [0.5, 0.5], "train_priors": pd.Series([0.5, 0.5], index=["poor"] * 2)}, "_priors names 'poor'"),
        ({"limits": {"Human": 3}}, f"limits names 'Human', which are no answers; .*'human', 'Human' {ALIKE}"),
        ({"limits": {" human": 0.5, "good": 1}}, f"'human', ' human' {ALIKE}"),
        ({"sample_cost": {"Human": np.ones(4)}}, f"answers are 'good', 'poor', 'human'. 'human', 'Human' {ALIKE}"),
        ({"sample_cost": {("POOR", "good"): np.ones(4)}}, f"unknown truth 'POOR'; .*'poor', 'POOR' {ALIKE}"),
        ({"sample_cost": costs.CostTables(np.ones((4, 2, 2)), ["good", "fair"])},
         "sample_cost has no row for the classes 'poor'; .*give them a row for every class, or sample_cost.costs if"),
    ],
)  # fmt: skip
def test_labels_that_are_unknown_are_named_beside_those_that_they_resemble(given, message):
    with pytest.raises(ValueError, match=message):
        decide(**{"train_priors": [0.5, 0.5]} | given if "priors" in given else given)


FIT = {"fit": lambda C: AngleAdaBoostClassifier(C, n_estimators=2).fit(X, Y),
       "bayes": lambda C: costs.BayesDecisionClassifier(GaussianNB(), C).fit(X, Y),
       "decide": lambda C: decisions.decide(P, C), "metrics": lambda C: metrics.mean_cost(Y, Y, C),
       "CostTable": costs.CostTable, "resolve": lambda C: costs.resolve_answers(C, CLASSES)}  # fmt: skip


@pytest.mark.parametrize("use", FIT.values(), ids=FIT)
def test_formulas_in_place_of_costs_are_refused_with_the_way(use):
    square = pd.DataFrame([[0, "0.6 * amount"], [1, 0]], index=CLASSES, columns=CLASSES)
    for table in (square, T.astype(object).replace(5.0, "amount")):
        with pytest.raises(ValueError, match=r"table of numbers, got .*csboost.costs.from_formulas\(table, X\)"):
            use(table)
    with pytest.raises(ValueError, match=r"must be a rectangular table of numbers, got '1,5'$"):
        use(square.replace("0.6 * amount", "1,5"))


def test_what_decide_takes_is_refused_where_the_truth_is_known():
    tables = costs.CostTables(np.ones((20, 2, 3)), CLASSES, [*CLASSES, "human"])
    for given, held in ((tables, "tables per row"), ({"good": np.ones(20)}, "a dict of entries")):
        for call in (
            lambda given=given: AngleAdaBoostClassifier(n_estimators=2).fit(X, Y, sample_cost=given),
            lambda given=given: AngleAdaBoostClassifier(T, n_estimators=2).fit(X, Y, sample_cost=given),
            lambda given=given: metrics.mean_cost(Y, Y, sample_cost=given),
            lambda given=given: metrics.savings(Y, {"model": Y}, T, sample_cost=given),
        ):
            with pytest.raises(ValueError, match=rf"sample_cost holds {held}, .*from_formulas\(table, X, y\)"):
                call()


def test_equal_columns_of_formulas_are_refused():
    human = pd.DataFrame(
        [[0, 1, 0.3, 0.3], ["amount", 0, 0.3, 0.3]], index=CLASSES, columns=[*CLASSES, "human", "auto"]
    )
    formulas = human.assign(human="0.1 * amount", auto="0.1*amount")
    for table in (human, formulas, human.assign(auto=human["good"])):
        with pytest.raises(
            ValueError, match="the table has equal columns for the answers '.*': nothing tells them apart"
        ):
            costs.from_formulas(table, FRAME)
    costs.from_formulas(human.assign(auto="0.3 * amount"), FRAME)
    costs.from_formulas(
        pd.DataFrame([[0, 0], ["amount", "amount"], [1, 2]], index=list("abc"), columns=list("ab")), FRAME
    )
