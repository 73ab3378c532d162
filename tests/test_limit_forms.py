"""Limits as a Series, and 1.0 as a limit."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from decided import GRADES, P3, TABLE
from sklearn.naive_bayes import GaussianNB

from csboost import costs, decisions

MODEL = costs.BayesDecisionClassifier(GaussianNB(), TABLE)
MEANT = "is 1.0, which is a share, all rows, beside what looks like counts: give the whole number 1 if one row is meant"


def decide(limits):
    return decisions.decide(P3, TABLE, classes=GRADES, limits=limits)


@pytest.mark.parametrize(
    "limits",
    [{"human": 1}, {"human": 0.25, "good": 0.5}, {"human": (1, None), "poor": (0, 1)}, {"good": None, "human": 2}, {}],
)
def test_a_series_limits_as_a_dict_does(limits):
    series = pd.Series(limits, dtype=object)
    one, two = decide(limits), decide(series)
    assert one.tolist() == two.tolist()
    assert one.shadow_prices == two.shadow_prices
    X = np.arange(30.0)[:, None]
    MODEL.fit(X, np.array(GRADES)[np.arange(30) // 10])
    assert MODEL.decide(X, limits=series).tolist() == MODEL.decide(X, limits=limits).tolist()


def test_numbers_of_a_series_are_counts_or_shares_as_they_are_held():
    assert decide(pd.Series({"human": 1, "good": 3})).counts["human"] <= 1
    assert decide(pd.Series({"human": 0.25})).counts["human"] <= 1
    assert decide(pd.Series({"human": 2.0, "good": 3.0})).counts["human"] <= 2


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (pd.Series([1, 2], index=["human", "human"]), "limits names 'human' more than once: give each answer one"),
        (pd.Series([1, 2]), "limits names 0, 1, which are no answers; those are 'fair', 'good', 'poor', 'human'"),
        (pd.Series({"human": np.nan}), r"limits\['human'\] is .*nan.*: give a share"),
        (pd.DataFrame({"human": [1]}), "limits must be a dict .*, got DataFrame"),
        (pd.Index(["human"]), "limits must be a dict .*, got Index"), ([], "limits must be a dict .*, got list"),
        ("human", "limits must be a dict .*, got str"), (20, "limits must be a dict .*, got int"),
        (np.array([1, 2]), "limits must be a dict .*, got ndarray"), ({"human"}, "limits must be a dict .*, got set"),
        ({"human": 1.5}, r"a float from 0 to 1; 1.0 is all of them\), a count \(a whole number; 1 is one row"),
        ({"human": (1.0, 2)}, r"at least 4 and at most 2 of 4 rows: .* \(1.0 is a share, all rows; 1 is one row.\)"),
    ],
)  # fmt: skip
def test_limits_of_other_forms_are_named(limits, message):
    with pytest.raises(ValueError, match=message):
        decide(limits)


def test_1_0_among_counts_is_doubted_and_alone_it_is_all_rows():
    X = np.arange(30.0)[:, None]
    MODEL.fit(X, np.array(GRADES)[np.arange(30) // 10])
    for limits in ({"human": 1.0, "good": 3.0}, {"human": np.float64(1.0), "good": (2.0, None)},
                   pd.Series({"human": 1, "good": 0.5})):  # fmt: skip
        for call in (lambda limits=limits: decide(limits), lambda limits=limits: MODEL.decide(X, limits=limits)):
            with pytest.warns(UserWarning, match=MEANT):
                call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert decide({"human": 1.0}).tolist() == decide(None).tolist()
        for limits in ({"human": 1, "good": 3.0}, {"human": 1.0, "good": 3}, {"human": (1.0, None)}):
            decide(limits)
