"""Features of few bins that share a column of codes."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from cases import rows

import csboost
from csboost.weak import binned, columns
from csboost.weak.columns import arrange
from csboost.weak.layout import APART, BINS, FEATURE_OF, SLOT, SUMMED, SYMBOLS, VALUES


def test_features_of_few_bins_share_columns_that_hold_every_combination():
    bins = np.array([255, 2, 2, 7, 30, 2, 3, 255, 1])
    missing = np.array([True, False, True, False, False, False, True, False, False])
    found = arrange(bins, missing)
    slots = found.slots
    np.testing.assert_array_equal(slots[slots[:, SLOT], FEATURE_OF], np.arange(9))
    alone = slots[:, SYMBOLS] == 0
    np.testing.assert_array_equal(np.sort(bins[slots[alone, FEATURE_OF]]), [255, 255])
    assert (found.n_joint, found.n_summed) == (2, 4)
    np.testing.assert_array_equal(slots[alone, SUMMED], [2, 3])
    for column in range(found.n_joint):
        members = slots[slots[:, SUMMED] == column]
        np.testing.assert_array_equal(members[:, SYMBOLS], (bins + missing)[members[:, FEATURE_OF]])
        np.testing.assert_array_equal(members[:, VALUES], bins[members[:, FEATURE_OF]])
        digits = np.stack(np.unravel_index(np.arange(members[:, SYMBOLS].prod()), members[:, SYMBOLS]))
        codes = members[:, APART] @ digits
        assert sorted(codes) == list(range(len(codes)))  # every combination has a code of its own
        assert len(codes) <= BINS


def test_nothing_is_joined_where_no_two_features_fit_into_a_column():
    found = arrange(np.array([255, 20, 13]), np.zeros(3, bool))
    assert (found.n_joint, found.n_summed) == (0, 3)
    assert not found.slots[:, SYMBOLS].any()


def few_bins(n, K, dtype=np.float64):
    """One-hot, small and constant columns with and without NaN beside floats."""
    rng = np.random.default_rng(n)
    y, group = rng.integers(0, K, n), rng.integers(0, 5, n)
    X = np.column_stack(
        [group[:, None] == np.arange(5), (group + y) % 3, np.full(n, 2.0), rng.normal(size=(n, 3)) + y[:, None]]
    ).astype(dtype)
    X[rng.random((n, X.shape[1])) < 0.1] = np.nan
    X[:, 0] = group == 0
    return X, y


@pytest.mark.parametrize("booster", ["AngleAdaBoostClassifier", "AdaBoostMHClassifier", "SAMMEClassifier"])
@pytest.mark.parametrize("n", [3000, rows(40_000)])
def test_joint_columns_change_no_bit_of_a_fit(booster, n, monkeypatch):
    X, y = few_bins(n, 3)
    make = getattr(csboost, booster)
    joint = make(n_estimators=3, n_jobs=2).fit(X, y)

    def apart(bins, has_missing, join):
        assert join
        assert arrange(bins, has_missing).n_joint > 0
        return arrange(bins, has_missing, join=False)

    monkeypatch.setattr(binned, "arrange", apart)
    alone = make(n_estimators=3, n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(joint.estimator_weights_, alone.estimator_weights_)
    for field in fields(joint._ensemble.rules):
        mine, other = (getattr(model._ensemble.rules, field.name) for model in (joint, alone))
        np.testing.assert_array_equal(mine, other, err_msg=field.name)


def test_columns_follow_the_number_of_bins():
    found = columns.arrange(np.array([3, 255, 4]), np.zeros(3, bool))
    np.testing.assert_array_equal(found.slots[:, FEATURE_OF], [1, 2, 0])
