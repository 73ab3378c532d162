"""The preprocessing of raw loans: right values, no influence of test rows, no leak; and the draws made with it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import Bunch

from csboost import data
from csboost.data.lending_club.dummies import DummyEncoder
from csboost.data.lending_club.preprocessing import ColumnScreen, DatesToAges
from csboost.data.lending_club.synthetic.loans import make_loans
from csboost.data.synthetic_lending_club import write_synthetic_file


@pytest.fixture(scope="module")
def bunch(tmp_path_factory):
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    write_synthetic_file(path, 3000, "kaggle", first="2017-01", last="2018-03")
    return data.load_lending_club(path)


def test_dates_become_ages():
    frame = pd.DataFrame(
        {
            "issue_d": pd.to_datetime(["2017-12-01", "2018-01-01", "2018-02-01"]),
            "dti": [1.0, 2.0, 3.0],
            "earliest_cr_line": pd.to_datetime(["2000-12-01", None, "2018-01-01"]),
        }
    )
    ages = DatesToAges().fit(frame)
    assert (
        ages.transform(frame).columns.tolist()
        == ages.get_feature_names_out().tolist()
        == ["dti", "earliest_cr_line_age"]
    )
    np.testing.assert_array_equal(ages.transform(frame)["earliest_cr_line_age"], [204, np.nan, 1])
    with pytest.raises(data.DataError, match="earliest_cr_line need the column 'issue_d'"):
        DatesToAges().fit(frame.drop(columns="issue_d"))


def test_screen_gives_reasons():
    frame = pd.DataFrame(
        {"a": [1, 2, 3, 4], "same": [5, 5, 5, np.nan], "half": [1, 2, np.nan, np.nan], "quarter": [1, 2, 3, np.nan]}
    )
    screen = ColumnScreen().fit(frame)
    assert screen.kept_ == ["a", "quarter"]
    assert screen.dropped_ == {"same": "constant in the training rows", "half": "50% missing, more than 30%"}
    with pytest.raises(data.DataError, match="No column is left"):
        ColumnScreen().fit(frame[["same"]])


def test_dummies_equal_scikit_learns():
    rng = np.random.default_rng(0)
    levels = np.array(["a", "b", "c", "d", "e"], dtype=object)
    train, test = (pd.DataFrame({"x": levels[rng.choice(5, 300, p=[0.5, 0.3, 0.17, 0.02, 0.01])]}) for _ in range(2))
    train.iloc[::7], test.iloc[::9] = np.nan, np.nan
    ours = DummyEncoder(min_share=0.05).fit(train)
    mode = SimpleImputer(strategy="most_frequent").fit(train)
    theirs = OneHotEncoder(min_frequency=0.05, handle_unknown="infrequent_if_exist", sparse_output=False).fit(
        train.dropna()
    )
    np.testing.assert_array_equal(
        ours.transform(test), theirs.transform(pd.DataFrame(mode.transform(test), columns=["x"]))
    )
    assert ours.get_feature_names_out().tolist() == ["x_a", "x_b", "x_c", "x_rare"]
    assert ours.pooled_ == {"x": ["d", "e"]}


def test_a_level_that_appears_later_counts_as_rare():
    train = pd.DataFrame({"x": ["a", "b"] * 50, "y": ["a"] * 99 + ["z"]})
    encoder = DummyEncoder(min_share=0.05).fit(train)
    assert encoder.get_feature_names_out().tolist() == ["x_a", "x_b", "y_a", "y_rare"]
    np.testing.assert_array_equal(encoder.transform(pd.DataFrame({"x": ["new"], "y": ["new"]})), [[0, 0, 0, 1]])


def test_features_are_filled_and_standardised(bunch):
    preprocessor = data.make_loan_preprocessor()
    train = bunch.data.iloc[:400]
    X = preprocessor.fit_transform(train)
    names = preprocessor.get_feature_names_out().tolist()
    assert X.shape == (400, len(names))
    assert len(set(names)) == len(names)
    assert np.isfinite(X).all()
    is_number = np.array([name in train or name.endswith("_age") for name in names])
    np.testing.assert_allclose(X[:, is_number].mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(X[:, is_number].std(axis=0), 1, atol=1e-9)
    assert set(np.unique(X[:, ~is_number])) == {0.0, 1.0}
    missing = train["mths_since_recent_inq"].isna().to_numpy()
    assert missing.any()
    np.testing.assert_allclose(X[missing, names.index("mths_since_recent_inq")], 0, atol=1e-9)  # the mean
    assert {"term", "emp_length", "earliest_cr_line_age", "fico_range_low", "purpose_credit_card"} <= set(names)
    assert "issue_d" not in names


def test_description_names_what_is_kept_and_why_the_rest_is_not(bunch):
    preprocessor = data.make_loan_preprocessor().fit(bunch.data)
    text = data.describe_columns(preprocessor)
    assert "Dropped mths_since_last_record: 8" in text
    assert "missing, more than 30%" in text
    assert "loan_amnt" in text.splitlines()[0]
    assert isinstance(preprocessor.named_steps["features"], ColumnTransformer)


def test_description_of_several_replications_says_which_columns_only_some_keep():
    rng = np.random.default_rng(0)
    always, text = rng.normal(size=40), np.array(["x", "y"], dtype=object)[rng.integers(2, size=40)]
    frame = pd.DataFrame({"always": always, "text": text, "late": 0.0, "same": 1.0, "empty": np.nan, "none": np.nan})
    frame["none"] = frame["none"].astype(object).astype("category")  # a text column without a value
    frame.loc[25:, "late"], frame.loc[:3, "empty"] = 1.0, 2.0
    screens = [data.make_loan_preprocessor().fit(frame.iloc[rows]) for rows in (range(20), range(10, 40))]
    assert data.describe_kept(screens) == [
        "Kept 2 columns in each of 2 replications, 3 to 4 features with the dummies of categories: always, text.",
        "Kept 1 columns in some of the replications: late (1).",
        "Dropped (more than 30% missing in the training rows): empty 90%, none 100%.",
        "Dropped (constant in the training rows): same.",
    ]
    names = screens[1].get_feature_names_out().tolist()
    assert data.describe_kept(screens[1:]) == [
        f"Kept 3 columns, {len(names)} features with the dummies of categories: always, text, late.",
        "Dropped (more than 30% missing in the training rows): empty 100%, none 100%.",
        "Dropped (constant in the training rows): same.",
    ]
    assert names == ["always", "late", "text_x", "text_y"]


def fitted(preprocessor) -> dict[str, object]:
    features = preprocessor.named_steps["features"]
    numbers, dummies = features.named_transformers_["numbers"], features.named_transformers_["dummies"]
    return {
        "kept": preprocessor.named_steps["screen"].kept_,
        "means": numbers.named_steps["mean"].statistics_.tolist(),
        "centres": numbers.named_steps["scale"].mean_.tolist(),
        "scales": numbers.named_steps["scale"].scale_.tolist(),
        "levels": dummies.levels_,
        "modes": dummies.modes_,
    }


@pytest.mark.parametrize(
    "draw",
    [lambda bunch, p: data.paper_draw(bunch, 1, 30, 0.4, p), lambda bunch, p: data.full_draw(bunch, 1, preprocessor=p)],
)
def test_no_test_row_influences_what_is_fitted(bunch, draw):
    first = data.make_loan_preprocessor()
    before = draw(bunch, first)
    train_rows = set(map(bytes, before.X_train))
    # Spoil every row that does not train: numbers, missing values, levels.
    spoilt = data.load_lending_club(bunch.report.files)
    spoilt.data = spoilt.data.copy()  # pandas 2 would write into the columns that were read
    everything = first.transform(bunch.data).astype(before.X_train.dtype)
    others = np.array([bytes(row) not in train_rows for row in everything])
    assert others.sum() == len(others) - len(before.X_train)
    for name in spoilt.data.select_dtypes("number"):
        spoilt.data.loc[others, name] = 1e6
    spoilt.data.loc[others, "annual_inc"] = np.nan
    spoilt.data["purpose"] = spoilt.data["purpose"].cat.add_categories("spoilt")
    spoilt.data.loc[others, "purpose"] = "spoilt"
    second = data.make_loan_preprocessor()
    after = draw(spoilt, second)
    assert fitted(first) == fitted(second)
    np.testing.assert_array_equal(before.X_train, after.X_train)
    assert not np.array_equal(before.X_test, after.X_test)


def test_paper_draw(bunch):
    draw = data.paper_draw(bunch, seed=0, per_grade=40, train_fraction=0.25)
    assert np.bincount(draw.y_train).tolist() == [10] * 7
    assert np.bincount(draw.y_test).tolist() == [30] * 7
    assert draw.X_train.shape[0] == 70
    assert draw.X_train.shape[1] == draw.X_test.shape[1]
    assert draw.X_train.dtype == draw.X_test.dtype == np.float64
    assert draw.X_train.flags.c_contiguous
    assert set(draw.test_weight) == {1.0}
    again, other = (data.paper_draw(bunch, seed=s, per_grade=40, train_fraction=0.25) for s in (0, 1))
    np.testing.assert_array_equal(draw.X_test, again.X_test)
    assert (
        not np.array_equal(draw.y_test, other.y_test)
        or draw.X_test.shape != other.X_test.shape
        or not np.array_equal(draw.X_test, other.X_test)
    )
    for fraction in (0.001, 1.0):
        with pytest.raises(data.DataError, match="--train-fraction"):
            data.paper_draw(bunch, seed=0, per_grade=40, train_fraction=fraction)


def test_full_draw(bunch):
    draw = data.full_draw(bunch, seed=0)
    assert draw.X_train.dtype == draw.X_test.dtype == np.float32
    assert len(draw.X_train) == 2400
    np.testing.assert_allclose(np.bincount(draw.y_test) * 5, np.bincount(data.grade_codes(bunch)), atol=5)
    embedded = data.full_draw(data.load_lending_club(), seed=0)
    assert embedded.X_train.shape == (7885, 83)
    with pytest.raises(data.DataError, match="cannot be split"):
        data.full_draw(bunch, seed=0, test_size=0.0001)


@pytest.mark.parametrize(("left", "says"), [(0, "grade G has none"), (1, "grade G has 1")])
def test_full_draw_names_a_grade_that_is_absent_or_alone(bunch, left, says):
    rows = np.sort(np.concatenate([np.flatnonzero(bunch.target != "G"), np.flatnonzero(bunch.target == "G")[:left]]))
    part = Bunch(**{**bunch, "data": bunch.data.iloc[rows], "target": bunch.target.iloc[rows]})
    with pytest.raises(data.DataError, match=f"{says}, and each needs 2; choose a wider window"):
        data.full_draw(part, seed=0)


def test_no_feature_leaks_and_the_check_notices_leaks(bunch):
    data.check_leakage(bunch.data, bunch.target)
    loans = next(make_loans(3000, "2017-01", "2018-03"))
    for leak in ("int_rate", "sub_grade", "installment", "grade"):
        with pytest.raises(data.DataError, match=rf"give the label away.*{leak} \("):
            data.check_leakage(bunch.data[["loan_amnt", "dti"]].assign(**{leak: loans.values[leak]}), bunch.target)


def test_leakage_on_the_embedded_table():
    table = data.load_lending_club()
    assert data.single_column_accuracy(table.data, table.target).max() < 0.4
    scores = data.single_column_accuracy(table.leaks, table.target)
    assert scores["int_rate"] > 0.9
    assert scores["sub_grade"] > 0.9
