"""Where the bins of a feature are placed, whatever the weights and however many rows."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cases import CLASSES, easy, examples, make
from hypothesis import given, settings
from hypothesis import strategies as st

from csboost import AngleAdaBoostClassifier
from csboost.weak.binning import FINEST, MAX_BINS, SAMPLE, Binner, limits_of, place_thresholds, sample_rows


def thresholds_of(column, weights=None, limits=FINEST):
    return place_thresholds(np.asarray(column, dtype=float), weights, limits)[0]


def bin_weights(column, weights, thresholds):
    return np.bincount(np.searchsorted(thresholds, column), weights, minlength=len(thresholds) + 1)


@pytest.mark.parametrize("distinct", [1, 2, 254, 255, 256, 257, 300, 511, 2000])
def test_with_as_many_quantiles_as_values_the_resolution_does_not_fall_where_they_begin(distinct):
    column = np.random.default_rng(0).permutation(np.repeat(np.arange(distinct), 3))
    assert len(thresholds_of(column)) == min(distinct, MAX_BINS) - 1
    assert len(thresholds_of(column, np.resize([1.0, 1.0, 2.0], len(column)))) >= min(distinct, 200) - 1


def n_bins(column, weights=None, max_bins=None):
    return Binner().fit(np.asarray(column, dtype=float)[:, None], weights, limits=limits_of(max_bins)).n_bins


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 1.0]])
@pytest.mark.parametrize("n_rows", [6000, 2 * SAMPLE + 17])
@pytest.mark.parametrize(("distinct", "most"), [(100, 100), (128, 128), (255, 255), (256, 127), (2000, 127)])
def test_by_default_gradient_boosting_keeps_up_to_255_values_apart_and_else_has_127_bins(
    distinct, most, n_rows, weights
):
    column = np.resize(np.random.default_rng(0).permutation(np.arange(distinct)), n_rows)
    weights = None if weights is None else np.resize(weights, n_rows)
    assert n_bins(column, weights) == most if distinct <= 255 else 0.9 * most <= n_bins(column, weights) <= most
    assert 27 <= n_bins(column, weights, 30) <= 30
    assert 0.9 * min(distinct, 255) <= n_bins(column, weights, 255) <= min(distinct, 255)


def round_amounts(n_rows):
    """A third of the rows have one of fifty values, the others one of their own."""
    rng = np.random.default_rng(0)
    return np.where(np.arange(n_rows) % 3 == 0, rng.integers(50, size=n_rows) * 1000, rng.uniform(0, 50_000, n_rows))


@pytest.mark.parametrize("missing", [0, 1000])
@pytest.mark.parametrize("n_rows", [1500, 2000, 2 * SAMPLE + 17])
def test_by_default_columns_with_frequent_values_have_255_bins(n_rows, missing):
    found = n_bins(np.append(round_amounts(n_rows), np.full(missing, np.nan)))
    assert 0.8 * 255 <= found <= 255
    assert found == n_bins(np.append(round_amounts(n_rows), np.full(missing, np.nan)), max_bins=255)
    assert n_bins(np.random.default_rng(0).normal(size=n_rows)) == 127


def test_default_bins_are_those_of_rows_repeated_and_know_no_unit_of_weight():
    rng = np.random.default_rng(5)
    for column in (rng.normal(size=900), round_amounts(1500)):
        weights = rng.integers(1, 6, len(column))
        found = thresholds_of(column, weights.astype(float), limits_of(None))
        np.testing.assert_array_equal(found, thresholds_of(np.repeat(column, weights), None, limits_of(None)))
        np.testing.assert_array_equal(found, thresholds_of(column, weights / 1024, limits_of(None)))
        twice = thresholds_of(np.repeat(column, 2), None, limits_of(None))
        np.testing.assert_array_equal(thresholds_of(column, None, limits_of(None)), twice)


def test_a_threshold_lies_midway_between_values():
    np.testing.assert_array_equal(thresholds_of([3.0, 1.0, 1.0, 8.0]), [2.0, 5.5])
    low = np.nextafter(1.0, 2.0)
    np.testing.assert_array_equal(thresholds_of([1.0, low]), [1.0])  # no number lies between


def test_weight_2_is_the_row_twice():
    rng = np.random.default_rng(3)
    column, weights = rng.normal(size=900), rng.integers(1, 6, 900)
    np.testing.assert_array_equal(
        thresholds_of(column, weights.astype(float)), thresholds_of(np.repeat(column, weights))
    )


def test_a_heavy_row_leaves_the_others_their_bins():
    """A bin's quantile counts weight, but a value that outweighs two bins has one of its own."""
    column, weights = np.arange(2000.0), np.ones(2000)
    weights[1000] = 1e9
    found = thresholds_of(column, weights)
    assert len(found) >= 252
    assert bin_weights(column, np.delete(np.ones(2001), 1000), found).max() <= 9  # rows; 2000 / 253 is 7.9
    assert {999.5, 1000.5} <= set(found)


def test_a_value_of_most_rows_leaves_the_others_their_bins():
    rng = np.random.default_rng(1)
    column = np.append(np.zeros(6000), rng.exponential(size=4000))
    found = thresholds_of(column)
    assert len(found) == MAX_BINS - 1
    assert np.bincount(np.searchsorted(found, column))[1:].max() <= 17  # 4000 rows in 254 bins


def test_a_hierarchy_of_weights_keeps_bins_on_every_level():
    column = np.arange(3000.0)
    weights = np.repeat([1.0, 1e-9, 1e-18], 1000)[np.random.default_rng(0).permutation(3000)]
    weights[0] = 1e12
    found = thresholds_of(column, weights)
    assert len(found) == MAX_BINS - 1
    assert np.bincount(np.searchsorted(found, column[weights == 1.0])).max() <= 9


@st.composite
def weighted_columns(draw):
    """Values with duplicates, few or many of them distinct, and weights over 300 orders of magnitude."""
    n = draw(st.integers(2, 1500))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    distinct = draw(st.sampled_from([1, 2, 10, 255, 256, 300, 5000]))
    column = rng.integers(0, distinct, n) * draw(st.sampled_from([1.0, 1e-3, 1e300])) / 5000
    kind = draw(st.sampled_from(["spread", "fading", "tiny half", "one heavy", "counts", "huge"]))
    weights = {
        "spread": 10.0 ** rng.uniform(-150, 150, n),
        "fading": draw(st.sampled_from([0.5, 0.9, 0.99])) ** np.arange(n) + 1e-308,
        "tiny half": np.where(rng.random(n) < 0.5, 1e-12, 1.0),
        "one heavy": np.where(np.arange(n) == n // 2, 10.0 ** draw(st.integers(0, 200)), 1.0),
        "counts": rng.integers(1, 9, n).astype(float),
        "huge": rng.uniform(1e302, 1e303, n),
    }[kind]
    return column, weights * (2.0**-1000 if kind == "huge" else 1.0)


@given(weighted_columns())
@settings(max_examples=examples(300), deadline=None)
def test_thresholds_are_quantiles_of_weight(case):
    column, weights = case
    found = thresholds_of(column, weights)
    values, places = np.unique(column, return_inverse=True)
    masses = np.bincount(places, weights)
    assert len(found) <= MAX_BINS - 1
    assert (np.diff(found) > 0).all()
    if len(values) <= MAX_BINS:
        assert len(found) == len(values) - 1
        return
    held = np.bincount(np.searchsorted(found, values), masses, minlength=len(found) + 1)
    alone = np.bincount(np.searchsorted(found, values), minlength=len(found) + 1) == 1
    light = np.maximum.reduceat(masses, np.searchsorted(values, [-np.inf, *found])) if len(found) else masses.max()
    # within one value's weight of an exact quantile; a bin of one value may hold more
    share = held.sum() / (MAX_BINS - 2 * alone.sum() if alone.sum() < 100 else 1)
    assert (alone | (held <= share * (1 + 1e-9) + light)).all()


@given(weighted_columns(), st.sampled_from(list(CLASSES)))
@settings(max_examples=examples(200), deadline=None)
def test_no_weights_end_a_fit(case, name):
    column, weights = case
    y = np.arange(len(column)) // 7 % 2
    model = make(name, n_estimators=1)
    try:
        model.fit(column[:, None], y, sample_weight=weights)
    except ValueError as error:  # one class, or no rule better than guessing, is an answer too
        if not re.search("only one class|no better than guessing", str(error)):
            raise
        return
    assert len(np.unique(model._ensemble.rules.threshold)) <= MAX_BINS
    assert np.isfinite(model.decision_function(column[:, None])).all()


@pytest.mark.parametrize(
    "weights",
    [
        0.9 ** np.arange(1200.0),
        np.linspace(1e303, 1e304, 1200),
        np.where(np.arange(1200) % 2, 1.0, 1e-12),
        np.append(1e300, np.full(1199, 1e-300)),
        10.0 ** np.linspace(-300, 0, 1200),
    ],
    ids=["fading", "huge", "half of them tiny", "one heavy", "300 orders"],
)
@pytest.mark.parametrize("name", CLASSES)
def test_fits_survive_any_weights(name, weights):
    X, y = easy(1200)
    model = make(name, n_estimators=2).fit(X, y, sample_weight=weights)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isfinite(model.staged_cost(X, y, sample_weight=weights)).all()


def test_huge_and_tiny_weights_are_only_proportions():
    X, y = easy(400)
    weights = np.random.default_rng(0).integers(1, 5, 400).astype(float)
    expected = AngleAdaBoostClassifier(n_estimators=5).fit(X, y, sample_weight=weights).decision_function(X)
    for unit in (2.0**1000, 2.0**-1000):
        model = AngleAdaBoostClassifier(n_estimators=5).fit(X, y, sample_weight=unit * weights)
        np.testing.assert_array_equal(model.decision_function(X), expected)
        cost = model.staged_cost(X, y, sample_weight=unit * weights)
        np.testing.assert_allclose(cost, model.staged_cost(X, y, sample_weight=weights))


# More rows than the bins are placed by.


def test_the_sample_has_one_row_of_every_stretch_and_no_period():
    n_rows = 2 * SAMPLE + 12345
    rows = sample_rows(n_rows)
    assert len(rows) == SAMPLE
    assert (np.diff(rows) > 0).all()
    assert rows[-1] < n_rows
    for period in (2, 3, 4, 5, 8, 12, 100):
        share = np.bincount(rows % period, minlength=period) * period / SAMPLE
        assert np.abs(share - 1).max() < 0.05 * np.sqrt(period), period
    np.testing.assert_array_equal(sample_rows(SAMPLE), np.arange(SAMPLE))


def test_interleaved_rows_get_the_bins_of_shuffled_ones():
    """Two units in turn, one measured in units of 0 to 1, the other from 100 on."""
    n_rows = 2 * SAMPLE
    rng = np.random.default_rng(0)
    column = rng.random(n_rows) + 100.0 * (np.arange(n_rows) % 2)
    for rows in (column, rng.permutation(column)):
        thresholds = Binner().fit(rows[:, None]).thresholds
        assert len(thresholds) == MAX_BINS - 1
        assert abs(np.sum(thresholds < 50) - 127) <= 3
