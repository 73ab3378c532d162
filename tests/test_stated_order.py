"""A name such as "linear" counts steps in an order that somebody stated, or that everybody means."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import easy, make
from sklearn.naive_bayes import GaussianNB

from csboost import costs, metrics, plots

X, CODES = easy(90)
WORDS = np.array(["low", "mid", "high"])[CODES]


def test_words_are_refused_at_every_door_and_their_sorted_order_is_said():
    model = make("samme").fit(X, WORDS)
    message = (
        "counts steps between neighbouring classes, but the labels declare no order; sorted, they would be "
        "'high' < 'low' < 'mid'. Give y as ordered categories.*csboost.costs.CostTable.*or a labelled table"
    )
    for name in ("linear", "partitioned-linear"):
        for use in (
            lambda name=name: make("samme", cost_matrix=name).fit(X, WORDS),
            lambda name=name: make("angle-ada", cost_matrix=name).fit(X, pd.Categorical(WORDS)),
            lambda name=name: costs.BayesDecisionClassifier(GaussianNB(), name).fit(X, WORDS),
            lambda name=name: costs.BayesDecisionClassifier(GaussianNB(), name).fit(X, pd.Categorical(WORDS)),
            lambda name=name: metrics.mean_cost(WORDS, WORDS, name),
            lambda name=name: metrics.mean_cost(pd.Categorical(WORDS), WORDS, name),
            lambda name=name: metrics.constant_costs(WORDS, name),
            lambda name=name: metrics.make_cost_scorer(name)(model, X, WORDS),
            lambda name=name: costs.resolve(name, np.unique(WORDS)),
            lambda name=name: plots.CostConfusionDisplay.from_estimator(model, X, WORDS, cost_matrix=name),
        ):
            with pytest.raises(ValueError, match=message):
                use()


def test_what_the_message_advises_works():
    order = ["low", "mid", "high"]
    ordered = pd.Categorical(WORDS, categories=order, ordered=True)
    table = costs.CostTable("linear", labels=order)
    expected = [[0, 2, 1], [2, 0, 1], [1, 1, 0]]  # high, low, mid
    for matrix, y in (("linear", ordered), (table, WORDS), (table.to_frame(), WORDS)):
        assert make("samme", cost_matrix=matrix).fit(X, y).cost_matrix_.tolist() == expected
        assert costs.BayesDecisionClassifier(GaussianNB(), matrix).fit(X, y).cost_matrix_.tolist() == expected
    assert metrics.mean_cost(["low"], ["high"], "linear", labels=order) == 2
    stated = ["bad", "good", "great"]  # that a stated order is the sorted one makes it no less stated
    assert metrics.mean_cost(["bad"], ["great"], "linear", labels=stated) == 2
    y = pd.Categorical(np.array(stated)[CODES], categories=stated, ordered=True)
    assert make("samme", cost_matrix="linear").fit(X, y).cost_matrix_.tolist() == costs.linear(3).tolist()
    assert metrics.mean_cost(y, y, "linear") == 0


@pytest.mark.parametrize(
    "labels",
    [
        [1, 2, 10],
        [False, True, 7],
        list("ABCDEFG"),
        list("abc"),
        list("xyz"),
        ["A", "C", "F"],  # grades, some of them absent
        ["B", "D", "G"],
        ["A", "E", "Z"],
        ["1", "2", "3"],
        ["0.5", "1", "1.5"],
        ["Q1", "Q2", "Q4"],
        ["class 1", "class 2", "class 3"],
        ["grade A", "grade B", "grade C"],
        ["A1", "A2", "B1"],
    ],
)
def test_numbers_and_grades_need_no_declaration(labels):
    expected = costs.linear(len(labels)).tolist()
    assert costs.resolve("linear", labels).tolist() == expected
    assert metrics.mean_cost(np.array(labels), np.array(labels), "partitioned-linear") == 0
    y = np.array(labels)[np.arange(90) % len(labels)]
    assert costs.BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y).cost_matrix_.tolist() == expected


@pytest.mark.parametrize(
    "labels",
    [
        ["H", "L", "M"],  # high, low, middle
        ["L", "M", "S"],  # sizes
        ["A", "AA", "AAA", "B"],  # of which AAA is best
        ["A", "A+", "A-"],
        ["fair", "good", "poor"],
        ["stage one", "stage three", "stage two"],
        ["grade H", "grade L", "grade M"],
        ["1st", "2nd", "3rd", "last"],
        ["<10", "10-20", ">20"],
    ],
)
def test_text_without_an_order_of_its_own_is_refused(labels):
    with pytest.raises(ValueError, match=r"(declare no order; sorted, they would be|numbers held as text)"):
        costs.resolve("linear", sorted(labels))
    listed = costs.resolve("linear", sorted(labels), known=labels)  # stated
    assert listed.max() == len(labels) - 1


def test_two_classes_have_no_order_to_mistake_unless_the_costs_of_a_step_differ():
    assert costs.resolve("linear", ["no", "yes"]).tolist() == [[0, 1], [1, 0]]
    assert costs.resolve("linear", [0.5, 1.5, 2.5]).tolist() == costs.linear(3).tolist()
    with pytest.raises(ValueError, match="'no' < 'yes'"):
        costs.resolve("partitioned-linear", ["no", "yes"])
    two = np.where(CODES > 0, "yes", "no")
    three = pd.Categorical(two, categories=["maybe", "no", "yes"])  # the absent one counts
    with pytest.raises(ValueError, match="'maybe' < 'no' < 'yes'"):
        make("samme", cost_matrix="linear").fit(X, three)
    for name in ("equal", None):
        assert metrics.mean_cost(WORDS, WORDS, name) == 0
        assert make("samme", cost_matrix=name).fit(X, WORDS).cost_matrix_.tolist() == costs.zero_one(3).tolist()
    with pytest.raises(ValueError, match="unknown cost_matrix name 'liner'; did you mean 'linear'"):
        costs.resolve("liner", ["no", "perhaps", "yes"])
