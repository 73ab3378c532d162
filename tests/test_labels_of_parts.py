"""Labels of several parts, tuples or levels of a MultiIndex, are refused wherever labels come in."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from csboost import AngleAdaBoostClassifier, SAMMEClassifier, costs, decisions, metrics

P = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
X, Y = np.arange(20.0)[:, None], np.array(["good", "poor"])[np.arange(20) % 2]
SQUARE = [[0, 1], [5, 0]]
PAIRS = [(1, 2), (3, 4)]
LEARNERS = [
    lambda C=None: costs.BayesDecisionClassifier(GaussianNB(), C),
    lambda C=None: AngleAdaBoostClassifier(C, n_estimators=2),
    lambda C=None: SAMMEClassifier(C, n_estimators=2),
]


def of_parts(index, columns):
    return pd.DataFrame(SQUARE, index=index, columns=columns)


PARTED = {
    "tuples": of_parts(*[pd.Index(PAIRS, tupleize_cols=False)] * 2),
    "levels": of_parts(*[pd.MultiIndex.from_tuples(PAIRS)] * 2),
    "levels of columns": of_parts(["good", "poor"], pd.MultiIndex.from_product([["cost"], ["good", "poor"]])),
    "one level": of_parts(["good", "poor"], pd.MultiIndex.from_arrays([["good", "poor"]])),
}


@pytest.mark.parametrize("table", PARTED.values(), ids=PARTED)
def test_tables_whose_labels_have_parts_are_refused_everywhere(table):
    calls = [
        lambda: decisions.decide(P, table), lambda: decisions.decide(P, table, classes=["good", "poor"]),
        *(lambda make=make: make(table).fit(X, Y) for make in LEARNERS), lambda: metrics.mean_cost(Y, Y, table),
        lambda: metrics.savings(Y, {"model": Y}, table), lambda: metrics.cost_confusion_matrix(Y, Y, table),
        lambda: costs.CostTable(table), lambda: costs.describe(table), lambda: costs.doubts(table),
        lambda: costs.from_formulas(table, pd.DataFrame({"amount": [1.0]})), lambda: costs.read_costs(table),
        lambda: costs.resolve_answers(table, ["good", "poor"]),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(
            ValueError, match=r"has labels of several parts on its (rows|columns), such as \(.*Join the"
        ):
            call()


@pytest.mark.parametrize(
    "labels", [PAIRS, [(1, 2), (3, 4, 5)], [("a", 1), "b"], pd.Series(PAIRS), pd.MultiIndex.from_tuples(PAIRS)]
)
def test_labels_of_parts_are_refused_everywhere(labels):
    y = [labels[i % 2] for i in range(20)]
    y = pd.Series(y) if isinstance(labels, pd.Series) else y
    calls = [
        *(lambda make=make: make().fit(X, y) for make in LEARNERS), lambda: metrics.mean_cost(y, y),
        lambda: metrics.mean_cost(Y, y, SQUARE), lambda: metrics.mean_cost(Y, Y, SQUARE, labels=labels),
        lambda: decisions.decide(P, SQUARE, classes=labels), lambda: costs.resolve(SQUARE, labels),
        lambda: costs.resolve_answers(SQUARE, labels), lambda: costs.CostTable(SQUARE, labels),
        lambda: costs.CostTable(SQUARE, ["good", "poor"], answers=labels), lambda: costs.CostTables([SQUARE], labels),
        lambda: costs.CostTables([SQUARE], ["good", "poor"], answers=labels),
        lambda: decisions.estimate_priors(P, [0.5, 0.5], classes=labels),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(
            ValueError, match=r"holds labels of several parts, such as \(.*a label must be a single value"
        ):
            call()


def test_columns_per_row_whose_names_have_parts_are_refused():
    columns = pd.MultiIndex.from_tuples(PAIRS)
    per_row = pd.DataFrame(np.ones((20, 2)), columns=columns)
    for call, name in (
        (lambda: decisions.decide(pd.DataFrame(P, columns=columns), SQUARE), "proba"),
        (lambda: LEARNERS[1]().fit(X, Y, sample_cost=per_row), "sample_cost"),
        (lambda: metrics.mean_cost(Y, Y, sample_cost=per_row), "sample_cost"),
        (lambda: metrics.promised_cost(Y, Y, per_row, SQUARE), "expected_cost"),
    ):
        with pytest.raises(ValueError, match=f"{name} has labels of several parts on its columns"):
            call()


def test_what_the_messages_recommend_works():
    table = PARTED["levels of columns"].copy()
    joined, kept = table.copy(), table.copy()
    joined.columns = [" ".join(map(str, label)) for label in joined.columns]
    kept.columns = kept.columns.get_level_values(-1)
    assert set(decisions.decide(P, joined)) <= {"cost good", "cost poor"}
    assert decisions.decide(P, kept).tolist() == ["good", "poor", "poor"]
    classes = [" ".join(map(str, label)) for label in PAIRS]
    assert decisions.decide(P, SQUARE, classes=classes).tolist() == ["1 2", "3 4", "3 4"]


def test_a_column_of_records_of_one_value_is_read_as_before():
    assert LEARNERS[0]().fit(X, [(label,) for label in Y]).classes_.tolist() == ["good", "poor"]
