"""Tables whose columns have names, of any library: read by label or refused, never by position; and rows by index."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
import sklearn
from cases import easy, make, unequal_costs
from sklearn.model_selection import ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB

from csboost import costs, decisions, metrics, plots

X, CODES = easy(60)
NAMES = np.array(["good", "fair", "poor"])  # sorted: fair, good, poor
Y = NAMES[CODES]
C = pd.DataFrame(unequal_costs(3), index=NAMES, columns=NAMES)
SORTED = C.loc[sorted(NAMES), sorted(NAMES)].to_numpy()
ROW_COSTS = pd.DataFrame(np.random.default_rng(0).uniform(1, 5, (60, 3)), columns=NAMES)


def records(frame):
    return frame.to_records(index=False)


def polars(frame):
    return pytest.importorskip("polars").DataFrame({str(name): frame[name].to_list() for name in frame})


def arrow(frame):
    return pytest.importorskip("pyarrow").table({str(name): frame[name].to_numpy() for name in frame})


def narwhals(frame):
    return pytest.importorskip("narwhals").from_native(polars(frame))


def labelled_array(frame):
    xarray = pytest.importorskip("xarray")
    return xarray.DataArray(frame.to_numpy(), coords={"row": frame.index, "answer": frame.columns.to_numpy(str)})


LIBRARIES = {"records": records, "polars": polars, "pyarrow": arrow, "narwhals": narwhals}
libraries = pytest.mark.parametrize("library", LIBRARIES)


def with_rows(frame):
    return frame.reset_index(names="truth")


@libraries
def test_cost_tables_are_read_by_label_at_every_door(library):
    table = LIBRARIES[library](with_rows(C.iloc[[2, 0, 1]]))
    np.testing.assert_array_equal(costs.resolve(table, sorted(NAMES)), SORTED)
    np.testing.assert_array_equal(costs.resolve(table, ["fair", "poor"]), SORTED[np.ix_([0, 2], [0, 2])])
    model = make("samme", cost_matrix=table).fit(X, Y)
    np.testing.assert_array_equal(model.cost_matrix_, SORTED)
    answers = model.predict(X)
    expected = C.to_numpy()[CODES, pd.Index(NAMES).get_indexer(answers)].mean()
    assert metrics.mean_cost(Y, answers, table) == pytest.approx(expected, rel=1e-12)
    assert metrics.make_cost_scorer(table)(model, X, Y) == pytest.approx(-expected, rel=1e-12)
    assert metrics.constant_costs(Y, table).index.tolist() == ["poor", "good", "fair"]
    bayes = costs.BayesDecisionClassifier(GaussianNB(), table).fit(X, Y)
    np.testing.assert_array_equal(bayes.cost_matrix_, SORTED)
    shown = plots.CostConfusionDisplay.from_predictions(Y, answers, table).table
    assert shown.to_numpy().sum() / 60 == pytest.approx(expected, rel=1e-12)


@libraries
def test_cost_tables_without_row_labels_are_refused(library):
    table = LIBRARIES[library](C)
    for use in (
        lambda: make("samme", cost_matrix=table).fit(X, Y),
        lambda: metrics.mean_cost(Y, Y, table),
        lambda: costs.CostTable(table),
        lambda: costs.bayes_decision(np.ones((1, 3)) / 3, table),
    ):
        with pytest.raises(
            ValueError, match=r"rows have no labels: make its first column the class labels of the rows"
        ):
            use()


@libraries
def test_names_that_must_be_text_stand_for_numbers(library):
    numbered = C.set_axis([30, 10, 20]).set_axis([30, 10, 20], axis=1)
    table = LIBRARIES[library](with_rows(numbered))
    np.testing.assert_array_equal(costs.resolve(table, [10, 20, 30]), numbered.loc[[10, 20, 30], [10, 20, 30]])
    rows = ROW_COSTS.set_axis([30, 10, 20], axis=1)
    found = costs.cost_rows(SORTED, np.zeros(60, int), None, LIBRARIES[library](rows), classes=np.array([10, 20, 30]))
    np.testing.assert_array_equal(found, rows[[10, 20, 30]])


@libraries
def test_costs_per_row_are_aligned_by_column(library):
    table = LIBRARIES[library](ROW_COSTS)
    expected = make("samme").fit(X, Y, sample_cost=ROW_COSTS[sorted(NAMES)].to_numpy())
    weights = np.arange(60) % 3 > 0
    model = make("samme").fit(X, Y, sample_cost=table)
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    np.testing.assert_array_equal(
        model.staged_cost(X, Y, sample_cost=table), expected.staged_cost(X, Y, sample_cost=ROW_COSTS)
    )
    model = make("samme").fit(X, Y, sample_weight=weights, sample_cost=table)
    expected = make("samme").fit(X[weights], Y[weights], sample_cost=ROW_COSTS[weights])
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    with pytest.raises(ValueError, match="sample_cost has no column for the classes 'good'"):
        make("samme").fit(X, Y, sample_cost=LIBRARIES[library](ROW_COSTS.drop(columns="good")))


def test_an_array_with_labelled_axes_is_aligned():
    np.testing.assert_array_equal(costs.resolve(labelled_array(C), sorted(NAMES)), SORTED)


def test_tables_without_values_are_refused():
    lazy = polars(with_rows(C)).lazy()
    with pytest.raises(ValueError, match=r"polars LazyFrame, which holds no values yet; give cost_matrix.collect\(\)"):
        costs.resolve(lazy, sorted(NAMES))
    planned = pytest.importorskip("dask.dataframe").from_pandas(ROW_COSTS, npartitions=2)
    with pytest.raises(ValueError, match=r"which holds no values yet; give sample_cost.compute\(\)"):
        make("samme").fit(X, Y, sample_cost=planned)


def test_repeated_columns_are_refused():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_arrays([pyarrow.array([1.0] * 60)] * 3, names=["good", "fair", "good"])
    with pytest.raises(ValueError, match="sample_cost repeats the column labels 'good'"):
        make("samme").fit(X, Y, sample_cost=table)


def test_the_bayes_rule_aligns_probabilities_and_costs():
    proba = pd.DataFrame([[0.6, 0.3, 0.1], [0.1, 0.1, 0.8]], columns=sorted(NAMES))
    expected = costs.bayes_decision(proba.to_numpy(), SORTED)
    assert expected.tolist() != costs.bayes_decision(proba.to_numpy(), C.to_numpy()).tolist()
    for table in (C, records(with_rows(C)), costs.CostTable(C)):
        np.testing.assert_array_equal(costs.bayes_decision(proba, table), expected)
    np.testing.assert_array_equal(costs.bayes_decision(proba.to_numpy(), costs.CostTable(C)), expected)
    with pytest.raises(ValueError, match=r"C orders its classes 'good', 'fair', 'poor'.*costs.resolve\(C, model.class"):
        costs.bayes_decision(proba.to_numpy(), C)
    nameless = pd.DataFrame(proba.to_numpy())  # columns that nobody named, as in decide
    for table in (C.loc[sorted(NAMES)], costs.CostTable(C)):
        np.testing.assert_array_equal(costs.bayes_decision(nameless, table), expected)
        answers = decisions.decide(nameless, table)
        assert [answers.labels.tolist().index(answer) for answer in answers] == expected.tolist()
    with pytest.raises(ValueError, match=r"C orders its classes 'good', 'fair', 'poor'"):
        costs.bayes_decision(nameless, C)


def test_calibration_takes_expected_costs_by_label():
    rng = np.random.default_rng(0)
    expected, answers = rng.random((60, 3)), rng.choice(NAMES, 60)
    chosen = expected[np.arange(60), pd.Index(sorted(NAMES)).get_indexer(answers)]
    right = metrics.cost_calibration(Y, answers, chosen, C, n_bins=3)
    frame = pd.DataFrame(expected, columns=sorted(NAMES))
    pd.testing.assert_frame_equal(metrics.cost_calibration(Y, answers, frame, C, n_bins=3), right)
    with pytest.raises(ValueError, match=r"expected_cost has columns without names.*give labels=model.classes_"):
        metrics.cost_calibration(Y, answers, expected, C, n_bins=3)
    bayes = costs.BayesDecisionClassifier(GaussianNB(), C).fit(X, Y)
    display = plots.CostCalibrationDisplay.from_estimator(bayes, X, Y, cost_matrix=C, n_bins=3)
    by_hand = metrics.cost_calibration(Y, bayes.predict(X), bayes.predict_expected_cost(X).min(axis=1), C, n_bins=3)
    pd.testing.assert_frame_equal(display.table, by_hand)


def test_a_file_read_without_its_row_labels_is_told_of_index_col():
    text = C.to_csv()
    read = pd.read_csv(io.StringIO(text), index_col=0)  # by pandas 2 not to the last bit
    np.testing.assert_allclose(costs.resolve(read, sorted(NAMES)), SORTED, rtol=1e-15)
    numbered = C.set_axis([1, 2, 3]).set_axis([1, 2, 3], axis=1).to_csv()
    for source, labels in ((text, NAMES[CODES]), (numbered, CODES + 1)):
        table = pd.read_csv(io.StringIO(source))
        for use in (
            lambda table=table, labels=labels: make("samme", cost_matrix=table).fit(X, labels),
            lambda table=table, labels=labels: metrics.mean_cost(labels, labels, table),
            lambda table=table: costs.CostTable(table),
        ):
            with pytest.raises(ValueError, match=r"labels of its rows in the column 'Unnamed: 0'.*index_col=0"):
                use()


# Rows by their index.


def shuffled(table):
    return table.sample(frac=1, random_state=0)


FRAME = pd.DataFrame(X, index=np.arange(60) + 500)
LABELS = pd.Series(Y, index=FRAME.index)
WEIGHTS = pd.Series(np.arange(60.0), index=FRAME.index)


def test_rows_named_in_another_order_are_refused_at_every_door():
    model = make("samme").fit(FRAME, LABELS, sample_weight=WEIGHTS)
    bayes = costs.BayesDecisionClassifier(GaussianNB())
    wrong_y = r"y has another index than X: the same labels in another order.*Give y.loc\[X.index\], or y.to_numpy\(\)"
    for fit in (model.fit, model.staged_cost, bayes.fit):
        with pytest.raises(ValueError, match=wrong_y):
            fit(FRAME, shuffled(LABELS))
        with pytest.raises(ValueError, match=r"sample_weight has another index than X: the same labels"):
            fit(FRAME, LABELS, sample_weight=shuffled(WEIGHTS))
        with pytest.raises(ValueError, match=r"y has another index than X; rows"):
            fit(FRAME, LABELS.set_axis(range(7, 67)))
        with pytest.raises(ValueError, match=r"sample_weight has another index than y"):
            fit(X, LABELS, sample_weight=shuffled(WEIGHTS))
    with pytest.raises(ValueError, match=r"y_pred has another index than y_true"):
        metrics.mean_cost(LABELS, shuffled(LABELS), C)
    with pytest.raises(ValueError, match=r"sample_weight has another index than y_true"):
        metrics.mean_cost(LABELS, Y, C, sample_weight=shuffled(WEIGHTS))
    costs_by_row = ROW_COSTS.set_axis(FRAME.index)
    with pytest.raises(ValueError, match=r"sample_cost has another index than X"):
        model.staged_cost(FRAME, Y, sample_cost=shuffled(costs_by_row))
    with pytest.raises(ValueError, match=r"sample_cost has another index than y"):
        model.fit(X, LABELS, sample_cost=shuffled(costs_by_row))


def test_an_index_that_says_nothing_passes():
    expected = make("samme").fit(X, Y, sample_weight=WEIGHTS.to_numpy()).decision_function(X)
    for frame, y, weights in (
        (FRAME, pd.Series(Y), pd.Series(np.arange(60.0))),
        (pd.DataFrame(X), LABELS, WEIGHTS),
        (X, LABELS, np.arange(60.0)),
        (FRAME, Y.tolist(), WEIGHTS),
    ):
        np.testing.assert_array_equal(make("samme").fit(frame, y, sample_weight=weights).decision_function(X), expected)
    assert metrics.mean_cost(LABELS, pd.Series(Y), C) == 0.0


def test_costs_numbered_in_another_order_beside_an_array():
    with pytest.raises(ValueError, match=r"sample_cost has the index 0, 1, 2, ... in another order.*sort_index\(\)"):
        make("samme").fit(X, Y, sample_cost=shuffled(ROW_COSTS))
    model = make("samme").fit(X, Y)
    with pytest.raises(ValueError, match=r"sample_cost has the index 0, 1, 2, ... in another order"):
        model.staged_cost(X, Y, sample_cost=shuffled(ROW_COSTS))


def test_costs_in_a_table_reach_shuffled_folds_of_an_array():
    """Their index is then a part of 0, 1, 2, ..., out of order, and rightly so."""
    with sklearn.config_context(enable_metadata_routing=True):
        model = make("samme").set_fit_request(sample_cost=True)
        cv = ShuffleSplit(2, random_state=0)
        found = cross_validate(model, X, Y, cv=cv, params={"sample_cost": ROW_COSTS}, return_estimator=True)
    for fitted, (train, _) in zip(found["estimator"], cv.split(X), strict=True):
        expected = make("samme").fit(X[train], Y[train], sample_cost=ROW_COSTS[sorted(NAMES)].to_numpy()[train])
        np.testing.assert_array_equal(fitted.decision_function(X), expected.decision_function(X))
