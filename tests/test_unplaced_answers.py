"""Columns without names are read by position only where nothing else could be meant."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from csboost import metrics


def problem(n=120):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 2))
    y = np.array(["ill", "sick", "well"])[(X[:, 0] + rng.normal(size=n) > 0).astype(int) + (X[:, 1] > 1)]
    rows = pd.DataFrame(rng.uniform(0, 5, (n, 3)), columns=["well", "sick", "ill"])
    return X, y, rows


class Cautious(LogisticRegression):
    """It asks a human where it is not sure."""

    def predict(self, X):
        return np.where(self.predict_proba(X).max(axis=1) < 0.6, "human", super().predict(X))


UNPLACED = (
    r"sample_cost has columns without names, and nothing says whether 'human' are classes, .*labels=, the classes"
)


@pytest.mark.parametrize("name", [None, "equal"])
def test_columns_without_names_are_not_guessed_where_an_answer_may_be_a_class_or_not(name):
    truth, given = ["low", "top"], ["human", "top"]
    rows = np.array([[0.0, 5.0, 1.0], [9.0, 0.0, 2.0]])  # low, top, human
    with pytest.raises(ValueError, match=UNPLACED):
        metrics.mean_cost(truth, given, name, sample_cost=rows)
    with pytest.raises(ValueError, match=UNPLACED):
        metrics.savings(truth, {"model": given}, name, sample_cost=rows)
    with pytest.raises(ValueError, match=UNPLACED):
        metrics.cost_confusion_matrix(truth, given, name, sample_cost=rows)
    with pytest.raises(ValueError, match=UNPLACED):
        metrics.promised_cost(truth, given, rows, name, sample_cost=rows)
    named = pd.DataFrame(rows, columns=["low", "top", "human"])
    assert metrics.mean_cost(truth, given, name, sample_cost=named) == 0.5
    assert metrics.mean_cost(truth, given, name, sample_cost=rows, labels=["low", "top", "human"]) == 0.5
    # where every class is known, or the answer comes last as a class or not, there is one reading
    declared = pd.Series(truth, dtype=pd.CategoricalDtype(["low", "mid", "top"]))
    assert metrics.mean_cost(declared, ["mid", "top"], name, sample_cost=rows[:, [0, 2, 1]]) == 0.5
    assert metrics.mean_cost(truth, ["zoo", "top"], name, sample_cost=rows) == 0.5


def test_expected_costs_without_names_are_not_guessed_either():
    truth, given, expected = ["low", "top"], ["low", "top"], np.array([[0.1, 2.0, 3.0], [4.0, 5.0, 0.2]])
    rows = pd.DataFrame(expected, columns=["low", "mid", "top"])  # "mid" may be a class that did not occur
    with pytest.raises(ValueError, match="expected_cost has columns without names, and nothing says whether 'mid'"):
        metrics.promised_cost(truth, given, expected, sample_cost=rows)
    found = metrics.promised_cost(truth, given, expected, sample_cost=rows, labels=["low", "mid", "top"])
    assert found.promised == pytest.approx(0.15)


def test_a_scorer_refuses_columns_without_names_where_its_model_does_not_list_its_answers():
    X, y, rows = problem()
    model = Cautious().fit(X, y)
    assert "human" in model.predict(X)
    by_row = rows[["ill", "sick", "well"]].assign(human=7.0)
    named = metrics.make_cost_scorer(None)(model, X, y, sample_cost=by_row)
    assert named == pytest.approx(-np.mean([by_row.at[i, a] for i, a in enumerate(model.predict(X))]))
    with pytest.raises(ValueError, match=UNPLACED):
        metrics.make_cost_scorer(None)(model, X, y, sample_cost=by_row.to_numpy())
