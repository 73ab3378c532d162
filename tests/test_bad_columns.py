"""Columns and labels that cannot be used: every message names them and says what to do."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from cases import easy, everywhere, make
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

import csboost

X, Y = easy(60)
WORDS = np.array(["low", "mid", "top"])[Y]


COLUMNS = {  # columns of categories and text are learnt, but are no numbers where numbers were
    "categories": (pd.Categorical(WORDS), r"'grade' \(category\)"),
    "categories of numbers": (pd.Categorical(Y), r"'grade' \(category\)"),
    "text": (pd.array(WORDS, dtype="string"), r"'grade' \(str"),
    "text among objects": (pd.Series([1.0, "2"] * 30, dtype=object), r"'grade' \(text\)"),
    "dates": (pd.date_range("2020-01-01", periods=60), r"'grade' \(datetime64"),
}


@everywhere
@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_that_are_not_numbers(estimator, kind):
    values, message = COLUMNS[kind]
    message = f"X has columns that are not numbers: {message}.*OneHotEncoder or OrdinalEncoder"
    frame = pd.DataFrame(X, columns=["age", "income", "debt", "term"])
    if kind == "dates":
        with pytest.raises(ValueError, match=message):
            estimator.fit(frame.assign(grade=values), Y)
    else:
        assert clone(estimator).fit(frame.assign(grade=values), Y).n_features_in_ == 5
    fitted = clone(estimator).fit(frame.assign(grade=1.0), Y)
    with pytest.raises(ValueError, match=message):
        fitted.predict(frame.assign(grade=values))


def polars_frame(column):
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"age": X[:, 0], "grade": column})


def arrow_table(column):
    return pytest.importorskip("pyarrow").table({"age": X[:, 0], "grade": column})


DAYS = [datetime.date(2020, 1, 1) + datetime.timedelta(days=i) for i in range(60)]
OTHER_TABLES = {
    "polars dates": (lambda: polars_frame(DAYS), r"'grade' \(Date\)"),
    "polars times": (lambda: polars_frame(np.array(DAYS, "datetime64[us]")), r"'grade' \(Datetime"),
    "polars spans": (lambda: polars_frame([datetime.timedelta(days=1)] * 60), r"'grade' \(Duration"),
    "polars text": (lambda: polars_frame(WORDS), r"'grade' \(String\)"),
    "pyarrow dates": (lambda: arrow_table(DAYS), r"'grade' \(date32"),
    "pyarrow text": (lambda: arrow_table(WORDS), r"'grade' \(string\)"),
    "NumPy dates": (lambda: np.array(DAYS, "datetime64[D]")[:, None], r"all \(datetime64\[D\]\)"),
    "NumPy spans": (lambda: np.ones((60, 2), "timedelta64[D]"), r"all \(timedelta64\[D\]\)"),
    "list of dates": (lambda: [[np.datetime64(day)] for day in DAYS], r"all \(datetime64\[D\]\)"),
    "dates among objects": (
        lambda: np.array([[1.0, np.datetime64(day)] for day in DAYS], dtype=object),
        r"column 1 \(datetime64\)",
    ),
    "days among objects": (lambda: np.array([[1.0, day] for day in DAYS], dtype=object), r"column 1 \(date\)"),
    "spans in pandas": (
        lambda: pd.DataFrame({"grade": pd.Series([np.timedelta64(1, "D")] * 60, dtype=object)}),
        r"'grade' \((timedelta64|Timedelta)\)",
    ),
    "objects in pandas": (lambda: pd.DataFrame({"grade": np.array(DAYS, dtype=object)}), r"'grade' \(date\)"),
}


@pytest.mark.parametrize("kind", OTHER_TABLES)
def test_dates_and_text_of_other_tables(kind):
    given, message = OTHER_TABLES[kind]
    given = given()
    message = f"X has columns that are not numbers: {message}.*OneHotEncoder"
    if "text" not in kind:
        with pytest.raises(ValueError, match=message):
            make("samme").fit(given, Y)
    with pytest.raises(ValueError, match=message):
        make("samme").fit(X[:, : np.shape(given)[1]], Y).predict(given)


def test_numbers_of_other_tables():
    polars = pytest.importorskip("polars")
    expected = make("samme").fit(np.column_stack([X[:, 0], Y, Y > 0]), Y)
    columns = {"age": X[:, 0], "count": Y.astype(np.int16), "flag": Y > 0}
    for table in (polars.DataFrame(columns), polars.DataFrame(columns).to_arrow()):
        model = make("samme").fit(table, Y)
        np.testing.assert_array_equal(model.decision_function(table), expected.decision_function(np.asarray(table)))


MISSING = {
    "floats": (lambda: np.where(np.arange(60) == 7, np.nan, Y), "row 7 is missing. Leave"),
    "None in text": (
        lambda: [None if i in (3, 5, 8) else w for i, w in enumerate(WORDS)],
        "row 3 is missing, as are 2",
    ),
    "NaN in text": (
        lambda: np.array([np.nan if i == 4 else w for i, w in enumerate(WORDS)], object),
        "row 4 is missing",
    ),
    "pandas text": (
        lambda: pd.Series(WORDS, dtype="string", index=np.arange(60) + 100).mask(np.arange(60) == 9),
        r"row 9 \(index 109\) is missing",
    ),
    "categories": (
        lambda: pd.Categorical.from_codes(Y - 1, categories=["mid", "top"]),
        "row 0 is missing, as are 19 more",
    ),
    "booleans": (lambda: pd.Series([None] + [True, False] * 29 + [True], dtype="boolean"), "row 0 is missing"),
    "one column": (lambda: pd.DataFrame({"grade": pd.Series(WORDS).mask(np.arange(60) == 9)}), "row 9 is missing"),
    "times": (lambda: np.array(["NaT"] + ["2020", "2021"] * 29 + ["2020"], "datetime64[D]"), "row 0 is missing"),
}


@pytest.mark.parametrize("case", MISSING)
def test_missing_labels_name_their_row(case):
    y, message = MISSING[case]
    y = y()
    model = make("samme").fit(X, WORDS)
    for name, use in {
        "y": lambda: make("samme").fit(X, y),
        "y ": lambda: model.staged_cost(X, y),
        " y": lambda: csboost.costs.BayesDecisionClassifier(KNeighborsClassifier()).fit(X, y),
        "y_true": lambda: csboost.metrics.mean_cost(y, y, None),
        "y_pred": lambda: csboost.metrics.mean_cost(WORDS, y, None),
    }.items():
        with pytest.raises(ValueError, match=f"Input {name.strip()} contains NaN: the label of {message}"):
            use()
