"""The embedded credit table: contents, protocol, features, and no leak."""

from __future__ import annotations

import gzip
import hashlib
from importlib import resources

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from csboost import data
from csboost.data.lending_club import table as credit_table

K = 7
J = np.arange(K)
LINEAR = np.abs(J[:, None] - J).astype(float)
COSTS = {"equal": 1 - np.eye(K), "linear": LINEAR, "partitioned-linear": np.where(J[:, None] <= J, LINEAR, 10 * LINEAR)}


@pytest.fixture(scope="module")
def bunch():
    return data.load_lending_club()


def folder():
    return resources.files("csboost.data.lending_club")


def test_packed_table_has_the_recorded_checksum_and_no_time_stamp():
    packed = folder().joinpath(credit_table.TABLE).read_bytes()
    assert hashlib.sha256(gzip.decompress(packed)).hexdigest() == credit_table.SHA256
    assert packed[4:8] == bytes(4)
    assert 200_000 < len(packed) < 250_000


def test_licence_lies_beside_the_table():
    text = folder().joinpath("LICENSE-lending_club.txt").read_text(encoding="utf-8")
    assert "MIT License" in text
    assert "modeldata authors" in text


def test_a_changed_table_is_refused(monkeypatch):
    monkeypatch.setattr(credit_table, "SHA256", "0" * 64)
    with pytest.raises(data.DataError, match="has changed"):
        data.load_lending_club()


def test_contents(bunch):
    assert bunch.data.shape == (9857, 20)
    assert bunch.target_names == list("ABCDEFG")
    assert np.bincount(data.grade_codes(bunch)).tolist() == [1945, 2954, 2657, 1240, 720, 266, 75]
    assert not bunch.frame.isna().any(axis=None)
    assert list(bunch.frame.columns) == [*bunch.feature_names, "grade"]
    # First row, read off the source.
    first = bunch.data.iloc[0]
    assert (first["funded_amnt"], first["term"], first["addr_state"]) == (16100, "term_36", "CT")
    assert (first["revol_util"], first["emp_length"], first["total_il_high_credit_limit"]) == (67.4, "emp_5", 13193)
    assert bunch.target.iloc[0] == "C"
    assert set(bunch.leaks) == {"sub_grade", "int_rate", "Class"}
    assert not set(bunch.leaks) & set(bunch.data)


def test_split_takes_60_per_grade_and_weighs_grades_equally(bunch):
    codes = data.grade_codes(bunch)
    train, test, weight = data.credit_split(bunch, seed=0)
    assert np.bincount(codes[train]).tolist() == [60] * K
    np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.arange(9857))
    np.testing.assert_allclose(np.bincount(codes[test], weights=weight), len(test) / K)
    np.testing.assert_array_equal(train, data.credit_split(bunch, seed=0)[0])
    assert not np.array_equal(train, data.credit_split(bunch, seed=1)[0])


def test_a_grade_with_too_few_loans_is_named(bunch):
    assert len(data.credit_split(bunch, seed=0, per_grade=74)[0]) == 74 * K
    with pytest.raises(data.DataError, match=r"grade G has 75; use --per-grade 74 or less"):
        data.credit_split(bunch, seed=0, per_grade=75)
    with pytest.raises(data.DataError, match="--per-grade"):
        data.credit_split(bunch, seed=0, per_grade=0)


def test_draw_shapes_and_standardisation(bunch):
    draw = data.credit_draw(bunch, seed=3)
    X_train, y_train, X_test, _y_test, test_weight = draw
    assert X_train.shape == (420, 83)
    assert X_test.shape == (9437, 83)
    assert test_weight.shape == (9437,)
    for X in (X_train, X_test):
        assert X.dtype == np.float64
        assert X.flags.c_contiguous
        assert np.isfinite(X).all()
    np.testing.assert_array_equal(np.unique(y_train), J)
    np.testing.assert_allclose(X_train[:, :16].mean(axis=0), 0, atol=1e-12)
    spread = X_train[:, :16].std(axis=0)
    assert np.all(np.isclose(spread, 1) | (spread == 0))
    assert set(np.unique(X_train[:, 16:])) == {0.0, 1.0}
    assert set(np.unique(X_test[:, 16:])) == {0.0, 1.0}


def test_constants_and_absent_states_keep_their_columns(bunch):
    widths, constant, absent = set(), 0, 0
    names = data.make_credit_preprocessor().fit(bunch.data).get_feature_names_out().tolist()
    for seed in range(6):
        X_train = data.credit_draw(bunch, seed).X_train
        widths.add(X_train.shape[1])
        constant += (X_train[:, names.index("acc_now_delinq")] == 0).all()
        absent += (
            (X_train[:, [i for i, name in enumerate(names) if name.startswith("addr_state")]] == 0).all(axis=0).sum()
        )
    assert widths == {83}
    assert constant > 0
    assert absent > 0


def test_feature_names(bunch):
    names = data.make_credit_preprocessor().fit(bunch.data).get_feature_names_out()
    assert len(names) == 83
    assert names[0] == "funded_amnt"
    assert {"term_term_60", "addr_state_CA", "verification_status_Verified", "emp_length_emp_ge_10"} <= set(names)


def test_no_test_row_influences_the_features(bunch):
    _, test, _ = data.credit_split(bunch, seed=5)
    other = data.load_lending_club()
    other.data = other.data.astype(dict.fromkeys(other.data.select_dtypes("number"), float))
    numbers = list(other.data.select_dtypes("number"))
    other.data.iloc[test, other.data.columns.get_indexer(numbers)] *= 1000
    np.testing.assert_array_equal(data.credit_draw(bunch, 5).X_train, data.credit_draw(other, 5).X_train)


@pytest.mark.parametrize(
    ("costs", "constant", "expected"), [("equal", 0, 6 / 7), ("linear", 3, 12 / 7), ("partitioned-linear", 6, 3.0)]
)
def test_constant_answers(bunch, costs, constant, expected):
    draw = data.credit_draw(bunch, seed=0)
    answers = [np.average(COSTS[costs][draw.y_test, k], weights=draw.test_weight) for k in range(K)]
    assert min(answers) == pytest.approx(expected)
    assert answers[constant] == pytest.approx(expected)


def logistic_linear_cost(bunch) -> float:
    costs = []
    for seed in range(3):
        draw = data.credit_draw(bunch, seed)
        P = LogisticRegression(max_iter=2000).fit(draw.X_train, draw.y_train).predict_proba(draw.X_test)
        paid = LINEAR[draw.y_test, (P @ LINEAR).argmin(axis=1)]
        costs.append(np.average(paid, weights=draw.test_weight))
    return float(np.mean(costs))


def test_features_hold_the_known_signal_and_no_leak(bunch):
    assert 1.05 < logistic_linear_cost(bunch) < 1.25


def test_the_leak_check_above_notices_a_leak(bunch):
    leaky = data.load_lending_club()
    # The interest rate in the place of a feature: what a careless list of columns would do.
    leaky.data = leaky.data.assign(inq_fi=leaky.leaks["int_rate"])
    assert logistic_linear_cost(leaky) < 0.6
