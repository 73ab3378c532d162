"""Bad input to the estimators: every message names the offender and says what is accepted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import CLASSES, easy, everywhere, make, unequal_costs
from scipy.sparse import csr_array
from sklearn.base import clone

X, Y = easy(60)
WORDS = np.array(["low", "mid", "top"])[Y]
SAMPLE_COST = unequal_costs(3)[Y]


def changed(array, place, value):
    array = np.array(array, dtype=float)
    array[place] = value
    return array


MATRICES = {
    "shape": (np.ones((2, 2)), r"shape \(2, 2\), but there are 3 classes \('low', 'mid', 'top'\).*pandas.DataFrame"),
    "vector": (np.ones(3), r"cost_matrix has shape \(3,\), but there are 3 classes"),
    "negative": (
        -unequal_costs(3),
        r"cost_matrix\[0, 1\] \(truth 'low', predicted 'mid'\) is -.*: negative entries are gains.* give -cost_matrix",
    ),
    "gains alone": (
        unequal_costs(3) - [[0], [9], [0]],
        r"cost_matrix\[1\] \(truth 'mid'\) holds gains alone, .*sign is lik",
    ),
    "NaN": (changed(unequal_costs(3), (1, 0), np.nan), r"cost_matrix\[1, 0\] .* is nan: costs must be finite"),
    "infinite": (changed(unequal_costs(3), (2, 0), np.inf), r"cost_matrix\[2, 0\] .* is inf: costs must be finite"),
    "zero": (np.zeros((3, 3)), "cost_matrix is zero everywhere .*: no mistake would cost anything"),
    "text": ([["a"] * 3] * 3, "cost_matrix must be a rectangular table of numbers, got 'a'"),
    "one text": (
        pd.DataFrame(
            [[0, 1, 2], [1, 0, "dear"], [2, 1, 0]], index=["low", "mid", "top"], columns=["low", "mid", "top"]
        ),
        "cost_matrix must be a rectangular table of numbers, got 'dear'",
    ),
    "name": ("lineer", "unknown cost_matrix name 'lineer'; did you mean 'linear'.*'equal', 'linear', 'partitioned-lin"),
    "labels": (
        pd.DataFrame(unequal_costs(3), index=["low", "mid", "up"], columns=["low", "mid", "up"]),
        "cost_matrix has no row for the classes 'top'; its row labels are 'low', 'mid', 'up'",
    ),
    "axes": (
        pd.DataFrame(unequal_costs(3), index=["low", "mid", "top"], columns=["low", "mid", "Top"]),
        "same labels on its rows .truth. and columns .predicted.; only on the columns: 'Top'; only on the rows: 'top'",
    ),
}


@everywhere
@pytest.mark.parametrize("case", MATRICES)
def test_cost_matrix(estimator, case):
    matrix, message = MATRICES[case]
    with pytest.raises(ValueError, match=message):
        clone(estimator).set_params(cost_matrix=matrix).fit(X, WORDS)


FIT_ARGUMENTS = {
    "one class": ({"y": np.zeros(60, int)}, r"y holds only one class, 0 \(in rows of positive weight\).*at least two"),
    "one class of text": ({"y": np.full(60, "a")}, "y holds only one class, 'a'"),
    "one weighted class": ({"sample_weight": (Y == 1) * 1.0}, "y holds only one class, 1 .in rows of positive weight"),
    "numbers as y": ({"y": X[:, 0]}, "Unknown label type: continuous"),
    "NaN in y": ({"y": np.where(Y == 0, np.nan, Y)}, "Input y contains NaN"),
    "short y": ({"y": Y[:-1]}, r"inconsistent numbers of samples: \[60, 59\]"),
    "negative weight": (
        {"sample_weight": changed(np.ones(60), 7, -2)},
        r"sample_weight\[7\] is -2: weights must be finite and not negative",
    ),
    "NaN weight": ({"sample_weight": changed(np.ones(60), 3, np.nan)}, r"sample_weight\[3\] is nan: weights must be"),
    "zero weights": ({"sample_weight": np.zeros(60)}, "sample_weight is zero everywhere: at least one sample needs"),
    "short weights": ({"sample_weight": np.ones(5)}, r"sample_weight has shape \(5,\), expected \(60,\)"),
    "shape of costs": ({"sample_cost": np.ones((60, 2))}, r"sample_cost has shape \(60, 2\), expected \(60, 3\)"),
    "rows of costs": ({"sample_cost": np.ones((59, 3))}, r"sample_cost has shape \(59, 3\), expected \(60, 3\)"),
    "NaN cost": ({"sample_cost": changed(SAMPLE_COST, (4, 1), np.nan)}, r"sample_cost\[4, 1\] is nan: costs must be"),
    "infinite cost": ({"sample_cost": changed(SAMPLE_COST, (4, 1), np.inf)}, r"sample_cost\[4, 1\] is inf"),
    "negative cost": ({"sample_cost": SAMPLE_COST - 9}, "sample_cost holds gains alone: negative entries are gains"),
    "zero costs": ({"sample_cost": np.zeros((60, 3))}, "sample_cost is zero everywhere: no mistake would cost"),
    "labels of costs": (
        {"sample_cost": pd.DataFrame(SAMPLE_COST, columns=[0, 1, 3])},
        "sample_cost has no column for the classes 2; its column labels are 0, 1, 3",
    ),
    "infinite X": ({"X": changed(X, (3, 2), np.inf)}, "Input X contains infinity"),
    "one axis": ({"X": X[:, 0]}, "Expected 2D array, got 1D array"),
    "no rows": ({"X": X[:0], "y": Y[:0]}, r"0 sample\(s\)"),
    "no columns": ({"X": X[:, :0]}, r"0 feature\(s\)"),
    "complex X": ({"X": X + 1j}, "Complex data not supported"),
}


@everywhere
@pytest.mark.parametrize("case", FIT_ARGUMENTS)
def test_arguments_of_fit(estimator, case):
    given, message = FIT_ARGUMENTS[case]
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(**{"X": X, "y": Y, **given})


@everywhere
def test_sparse_data(estimator):
    with pytest.raises(TypeError, match=r"dense data is required. Use '.toarray\(\)'"):
        estimator.fit(csr_array(X), Y)


def test_sample_costs_of_other_rows():
    frame, costs = pd.DataFrame(X), pd.DataFrame(SAMPLE_COST, columns=["low", "mid", "top"])
    fitted = make("angle-ada").fit(frame, WORDS, sample_cost=costs)
    for other in (costs.sample(frac=1, random_state=0), costs.set_axis(range(100, 100 + len(costs)))):
        with pytest.raises(ValueError, match=r"sample_cost has another index than X.*Give sample_cost.loc\[X.index\]"):
            make("angle-ada").fit(frame, WORDS, sample_cost=other)
    shuffled = frame.sample(frac=1, random_state=0)
    again = make("angle-ada").fit(shuffled, WORDS[shuffled.index], sample_cost=costs.loc[shuffled.index])
    np.testing.assert_array_equal(again.predict(frame), fitted.predict(frame))
    make("angle-ada").fit(X, WORDS, sample_cost=costs.set_axis(range(100, 100 + len(costs))))  # X has no index


@pytest.mark.parametrize("name", CLASSES)
def test_data_without_signal(name):
    K = 2 if name == "mh" else 3  # with more classes, "no" to all of them is right more often than not
    message = "first weak rule is no better than guessing.*check X and cost_matrix, or give weak_learner more leaves"
    with pytest.raises(ValueError, match=message):
        make(name).fit(np.ones((12, 2)), np.arange(12) % K)


@pytest.mark.parametrize("name", ["m2", "m2-label"])
def test_only_correct_answers_cost(name):
    with pytest.raises(ValueError, match="no mistake costs anything"):
        make(name).fit(X, Y, sample_cost=np.eye(3)[Y])


@pytest.mark.parametrize("name", CLASSES)
def test_after_the_fit(name):
    model = make(name).fit(X, WORDS)
    with pytest.raises(ValueError, match="X has 2 features, but .* is expecting 4 features"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match=r"y contains classes that were not in the training data: \['up'\]"):
        model.staged_cost(X, np.where(Y == 2, "up", WORDS))
    with pytest.raises(ValueError, match=r"y contains classes that were not in the training data: \[0, 1, 2\]"):
        model.staged_cost(X, Y)
    with pytest.raises(ValueError, match=r"y has shape \(59,\), but X has 60 rows"):
        model.staged_cost(X, WORDS[1:])
