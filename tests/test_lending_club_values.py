"""Values that real files hold against expectation: empty columns, ids that are none, other spellings of numbers."""

from __future__ import annotations

import functools
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csboost import data
from csboost.data.lending_club.raw import blocks, columns, dates, reader, spellings


def load(tmp_path, *texts, **options):
    paths = []
    for number, text in enumerate(texts):
        paths.append(tmp_path / f"loans{number}.csv")
        paths[-1].write_text(text)
    return data.load_lending_club(paths, progress=False, **options)


@pytest.mark.parametrize("name", sorted(columns.FEATURES - columns.NUMBERS) + ["dti"])
def test_a_column_without_a_value_in_the_window_is_nan(tmp_path, name):
    text = f"id,grade,issue_d,loan_amnt,{name}\n1,A,Jan-2017,1,\n2,B,Feb-2017,2,NA\n3,C,Jan-2016,3,Verified\n"
    bunch = load(tmp_path, text, start="2017-01")
    assert bunch.data[name].isna().tolist() == [True, True]
    assert bunch.target.tolist() == ["A", "B"]
    screen = data.make_loan_preprocessor().fit(bunch.data).named_steps["screen"]
    assert screen.kept_ == ["loan_amnt"]
    assert list(screen.dropped_.values()) == ["100% missing, more than 30%"]


def test_a_text_column_without_a_value_in_one_file_or_one_block_keeps_those_of_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "read_blocks", functools.partial(blocks.read_blocks, size=40))
    head = "id,grade,issue_d,home_ownership\n"
    bunch = load(tmp_path, f"{head}1,A,Jan-2017,\n2,A,Jan-2017,\n3,A,Jan-2017, RENT\n", f"{head}4,A,Jan-2017,\n")
    assert bunch.data["home_ownership"].tolist() == [np.nan, np.nan, "RENT", np.nan]


HEAD = "id,grade,issue_d,dti\n"


def test_the_same_id_with_other_values_is_another_loan(tmp_path):
    bunch = load(
        tmp_path, HEAD + "1,A,Jan-2017,1\n2,B,Jan-2017,2\n", HEAD + "1,C,Feb-2017,3\n2,B,Jan-2017,2\n1,C,Feb-2017,3\n"
    )
    assert bunch.target.tolist() == ["A", "B", "C"]
    assert bunch.data["dti"].tolist() == [1, 2, 3]
    assert (bunch.report.duplicates, bunch.report.shared_ids, bunch.report.kept) == (2, 2, 3)
    assert "Ids are not unique: 2 loans have the id of another loan but other values, and are kept." in str(
        bunch.report
    )


def test_a_loan_in_files_with_other_columns_is_the_same_by_what_both_have(tmp_path):
    more = "id,grade,issue_d,dti,fico_range_low,home_ownership\n"
    bunch = load(tmp_path, HEAD + "1.0,A,Jan-2017,1\n", more + "1,A,Jan-2017,1.0,700, RENT\n2,A,Jan-2017,1,700,RENT\n")
    assert (bunch.report.duplicates, bunch.report.kept, bunch.report.shared_ids) == (1, 2, 0)


def test_ids_that_a_spreadsheet_rounded_tell_no_loans_apart(tmp_path):
    rows = "1.07E+08,A,Jan-2017,1\n1.07E+08,B,Jan-2017,2\n1.07e+08,A,Jan-2017,1\n107000001,A,Jan-2017,1\n"
    bunch = load(tmp_path, HEAD + rows)
    assert bunch.target.tolist() == ["A", "B", "A"]
    assert (bunch.report.rounded_ids, bunch.report.duplicates, bunch.report.shared_ids) == (3, 1, 0)
    assert "Ids rounded by a spreadsheet (such as 1.07E+08) tell no loans apart: 3 loans" in str(bunch.report)


def test_decimal_commas_are_decimals(tmp_path):
    text = 'id,grade,issue_d,dti,annual_inc,revol_util,revol_bal\n1,A,Jan-2017,"12,33","45.000,5","43,2%","1,234"\n'
    bunch = load(tmp_path, text)
    assert bunch.data.iloc[0, 1:].tolist() == [12.33, 45000.5, 43.2, 1234]
    assert "Decimal commas: dti (such as '12,33'), annual_inc (such as '45.000,5'), revol_util" in str(bunch.report)
    assert not bunch.report.unreadable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12,33", 12.33), ("-0,125", -0.125), ("1,234", 1234), ("1,234,567.5", 1234567.5), ("1.234.567,5", 1234567.5),
        ("$45,000", 45000), ("-$5", -5), (" 17,27 %", 17.27), ("1,2345", 1.2345), (".5", 0.5), ("1e3", 1000),
        ("1,23,456", np.nan), ("1_000", np.nan), ("0x10", np.nan), ("inf", np.nan), ("-Infinity", np.nan),
        ("1e400", np.nan), ("-1e300", np.nan), ("", np.nan), (None, np.nan), ("(5)", np.nan),
    ],
)  # fmt: skip
def test_numbers(text, expected):
    np.testing.assert_equal(spellings.number(text), expected)


@given(st.text(alphabet="0123456789.,-+eE$% infa", max_size=12))
def test_every_text_is_a_number_that_a_loan_can_have_or_none(text):
    value = spellings.number(text)
    assert np.isnan(value) or abs(value) <= spellings.LARGEST


@pytest.mark.parametrize(
    ("rows", "match"),
    [
        (
            '"12,33",1\n2,A,Jan-2017,"9,100",1',
            "'12,33' in column dti has a decimal comma, so '9,100' in column dti may be",
        ),
        ('"12,33",45.000', "'12,33' in column dti has a decimal comma, so '45.000' in column annual_inc may be"),
    ],
)
def test_numbers_that_can_be_read_in_two_ways_are_refused(tmp_path, rows, match):
    with pytest.raises(data.DataError, match=f"{match} thousands or decimals: save the numbers with decimal points"):
        load(tmp_path, f"id,grade,issue_d,dti,annual_inc\n1,A,Jan-2017,{rows}\n")


@pytest.mark.parametrize("sign", ["", "%"])  # read by Arrow, and read as text
def test_infinite_and_impossible_numbers_are_missing(tmp_path, sign):
    cells = ["inf", "1e400", "-Infinity", "1e300", "7"]
    rows = "".join(
        f"{i},{g},Jan-2017,{cell}{sign},{cell}\n" for i, (g, cell) in enumerate(zip("ABABA", cells, strict=True))
    )
    bunch = load(tmp_path, "id,grade,issue_d,revol_util,dti\n" + rows)
    for name in ("revol_util", "dti"):
        np.testing.assert_array_equal(bunch.data[name], [np.nan] * 4 + [7])
        assert bunch.report.unreadable[name] == 4
    assert "Cells that cannot be read, taken as missing: revol_util 4 (such as 'inf" in str(bunch.report)
    assert np.isfinite(data.make_loan_preprocessor(max_missing=0.9).fit_transform(bunch.data.assign(x=range(5)))).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17-Dec", "2017-12"), ("7-Dec", "2007-12"), ("12/1/2017", "2017-12"), ("12/01/2017 0:00", "2017-12"),
        ("1/12/2017", "2017-12"), ("12/31/2017", "2017-12"), ("1/1/2017", "2017-01"), ("20171201", "2017-12"),
        ("201712", "2017-12"), ("20171201.0", "2017-12"), ("01DEC2017", "2017-12"), ("1-Dec-2017", "2017-12"),
        ("01-Dec-17", "2017-12"), ("December 1, 2017", "2017-12"), ("Sept 2017", "2017-09"), ("2017-Dec", "2017-12"),
        ("12/2017", "2017-12"), ("2017-12-01T00:00:00Z", "2017-12"), ("2017-12-01 00:00:00+00:00", "2017-12"),
    ],
)  # fmt: skip
def test_months(tmp_path, text, expected):
    assert dates.month_text(dates.month_number(text)) == expected
    bunch = load(tmp_path, f'id,grade,issue_d,dti\n1,A,"{text}",1\n', start=expected, stop=expected)
    assert bunch.data["issue_d"].tolist() == [pd.Timestamp(expected)]


@pytest.mark.parametrize(
    "text",
    [
        "3/5/2017",
        "12/1/17",
        "17-Dec-01",
        "15-Dec-17",
        "43070",
        "2017",
        "1/40/2017",
        "20171301",
        "13/13/2017",
        "Ma-2017",
    ],
)
def test_what_could_be_several_months_or_none_is_not_read(text):
    assert dates.month_number(text) == dates.NO_MONTH


def test_files_that_mix_the_orders_of_day_and_month_are_refused(tmp_path):
    text = "id,grade,issue_d,earliest_cr_line\n1,A,12/1/2017,1/5/2000\n"
    match = "'12/1/2017' in issue_d has the month first but '1/5/2000' in earliest_cr_line has the day first: save"
    with pytest.raises(data.DataError, match=match):
        load(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("less than 1 year", 0), ("Less than one year", 0), ("<1 year", 0), ("under a year", 0), ("6 months", 0),
        ("0 years", 0), ("1 yr", 1), ("18 months", 1), ("5.0", 5), ("ten years", 10), ("10 or more years", 10),
        ("10 years or more", 10), ("more than 10 years", 10), ("> 10 years", 10), ("ten+ years", 10), ("15 years", 10),
        ("emp_lt_1", 0), ("emp_ge_10", 10), ("self-employed", np.nan), ("-1", np.nan), ("2017-12", np.nan),
    ],
)  # fmt: skip
def test_employment(text, expected):
    np.testing.assert_array_equal(spellings.employment_years([text]), [expected])


def test_terms():
    texts = ["36m", "3 years", "60.0", "term_36", "1e400", "9" * 400, "36 monthes"]
    np.testing.assert_array_equal(spellings.terms(texts), [36, 36, 60, 36, np.nan, np.nan, np.nan])


def test_years_and_dates_that_cannot_be_read_are_counted(tmp_path):
    bunch = load(
        tmp_path, "id,grade,issue_d,emp_length,term,earliest_cr_line\n1,A,Jan-2017,self,long,?\n2,A,Jan-2017,,,\n"
    )
    assert bunch.report.unreadable == {"emp_length": 1, "term": 1, "earliest_cr_line": 1}
    assert bunch.report.examples == {"emp_length": "self", "term": "long", "earliest_cr_line": "?"}


def test_a_data_dictionary_beside_the_loans_is_left_out(tmp_path):
    path = tmp_path / "loans.zip"
    loans = "id,grade,issue_d,dti\n{},A,Jan-2017,1\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "LCDataDictionary.csv", "LoanStatNew,Description\nannual_inc,Income\ngrade,LC assigned loan grade\n"
        )
        archive.writestr("empty.csv", "")
        archive.writestr("2016/loans.csv", loans.format(1))
        archive.writestr("2017/loans.csv", loans.format(2))
        archive.writestr("RejectStatsA.csv", "Amount Requested\n1\n")
    bunch = data.load_lending_club(path, progress=False)
    assert bunch.report.kept == 2
    assert "Left out, as they hold no loans" in str(bunch.report)
    assert [name.rsplit(":", 1)[1] for name in bunch.report.left_out] == ["LCDataDictionary.csv", "empty.csv"]


def test_an_archive_of_nothing_but_a_dictionary_is_refused(tmp_path):
    path = tmp_path / "loans.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("LCDataDictionary.csv", "LoanStatNew,Description\ngrade,LC assigned loan grade\n")
    with pytest.raises(
        data.DataError, match="has a grade but no other column of Lending Club's files|no column 'grade'"
    ):
        data.load_lending_club(path, progress=False)
