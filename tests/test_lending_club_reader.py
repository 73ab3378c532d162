"""The reader of raw files: every layout gives the same loans, value by value, and every record is accounted for."""

from __future__ import annotations

import csv
import functools
import gzip
import io
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from cases import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from csboost import data
from csboost.data.lending_club.raw import blocks, columns, reader, spellings
from csboost.data.lending_club.raw.files import Source
from csboost.data.lending_club.synthetic.loans import make_loans
from csboost.data.synthetic_lending_club import LAYOUT_NAMES, main, write_synthetic_file

ROWS, FOOTERS, DUPLICATES = 150, 3, 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layouts")
    for layout in LAYOUT_NAMES:
        write_synthetic_file(folder / f"{layout}.csv", ROWS, layout, footers=FOOTERS, duplicates=DUPLICATES)
    return folder


@pytest.fixture(scope="module")
def clean(folder):
    return data.load_lending_club(folder / "clean.csv")


def load(path, **options):
    return data.load_lending_club(path, progress=False, **options)


def test_clean_form_holds_the_invented_values(clean):
    loans = next(make_loans(ROWS))
    assert clean.data.shape == (ROWS, 96)
    assert clean.target.tolist() == loans.values["grade"].tolist()
    for name in clean.data.columns:
        found, expected = clean.data[name], loans.values[name]
        missing = loans.missing.get(name, np.zeros(ROWS, dtype=bool))
        np.testing.assert_array_equal(found.isna().to_numpy(), missing, err_msg=name)
        if name in columns.DATES or name == "issue_d":
            expected = expected.astype("datetime64[s]")
        assert found[~missing].tolist() == pd.Series(expected)[~missing].tolist(), name


@pytest.mark.parametrize("layout", [name for name in LAYOUT_NAMES if name != "clean"])
def test_every_layout_gives_the_same_loans(folder, clean, layout):
    bunch = load(folder / f"{layout}.csv")
    absent = {name for name in clean.data if "fico" in name} if layout == "kaggle145" else set()
    assert set(clean.data) - set(bunch.data) == absent
    pd.testing.assert_frame_equal(bunch.data, clean.data.drop(columns=list(absent)), check_exact=True)
    pd.testing.assert_series_equal(bunch.target, clean.target)
    report = bunch.report
    assert (report.records, report.loans) == (ROWS + FOOTERS + DUPLICATES, ROWS + DUPLICATES)
    assert (report.non_loans, report.duplicates, report.kept) == (FOOTERS, DUPLICATES, ROWS)
    assert (report.too_long, report.too_short, report.undated, report.outside) == (0, 0, 0, 0)
    assert not report.unreadable


def test_files_really_differ_in_spelling(folder):
    def text(layout):
        return (folder / f"{layout}.csv").read_bytes()

    assert b"\r\n" in text("crlf")
    assert b'," 36 months",' in text("lendingclub")
    assert b"Notes offered by Prospectus" in text("lendingclub").splitlines()[0]
    assert b"%" in text("mar-19")
    assert b",NA," in text("r-export")
    assert b"/1," in text("slash-dates")
    assert b",grade.1" in text("grade.1")
    assert b'first line > ""quoted"", with commas\n' in text("kaggle")
    assert text("kaggle").splitlines()[-1].startswith(b"10000")  # the footers lie inside


@pytest.mark.parametrize("pack", ["gz", "members", "zip", "zip-of-gz", "bom", "no-last-newline", "old-mac"])
def test_packings(folder, clean, tmp_path, pack):
    content = (folder / "kaggle.csv").read_bytes()
    path = tmp_path / "loans.bin"  # the name tells nothing: the first bytes do
    if pack == "gz":
        path.write_bytes(gzip.compress(content))
    elif pack == "members":
        path.write_bytes(gzip.compress(content[:50_001]) + gzip.compress(content[50_001:]))
    elif pack.startswith("zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("folder/accepted.csv.gz", gzip.compress(content))
            if pack == "zip":
                archive.writestr("folder/accepted.csv", content)
            archive.writestr("rejected_2007.csv", "Amount Requested\n1\n")
            archive.writestr("__MACOSX/accepted.csv", b"\0\0")
            archive.writestr("readme.txt", "no loans")
    elif pack == "bom":
        path.write_bytes(b"\xef\xbb\xbf" + content)
    elif pack == "no-last-newline":
        path.write_bytes(content.rstrip(b"\n"))
    else:
        path.write_bytes(content.replace(b"\n", b"\r"))
    bunch = load(path)
    pd.testing.assert_frame_equal(bunch.data, clean.data)
    assert bunch.report.records == ROWS + FOOTERS + DUPLICATES


def test_several_files_are_joined_and_overlaps_counted(folder, clean):
    bunch = load([folder / "kaggle.csv", folder / "lendingclub.csv"])
    pd.testing.assert_frame_equal(bunch.data, clean.data)
    assert bunch.report.duplicates == ROWS + 2 * DUPLICATES
    both = load([folder / "kaggle145.csv", folder / "kaggle.csv"])  # no ids to compare with in the first
    assert both.report.kept == 2 * ROWS
    assert both.data["fico_range_low"].isna().sum() == ROWS


def test_window(folder, clean):
    window = load(folder / "kaggle.csv", start="2016-02", stop="2017-11")
    inside = clean.data["issue_d"].between("2016-02-01", "2017-11-01")
    assert 0 < inside.sum() < ROWS
    assert window.report.kept == inside.sum()
    # (Duplicates of loans outside the window are among the loans outside it.)
    assert window.report.outside + window.report.kept + window.report.duplicates == window.report.loans
    pd.testing.assert_series_equal(window.data["dti"], clean.data["dti"][inside].reset_index(drop=True))
    half = load(folder / "kaggle.csv", start="Feb-2016")
    assert half.report.kept == (clean.data["issue_d"] >= "2016-02-01").sum()
    assert (half.report.first, half.report.last) == (
        f"{clean.data['issue_d'].min():%Y-%m}", f"{clean.data['issue_d'].max():%Y-%m}"
    )  # fmt: skip


def test_small_blocks_change_nothing(folder, clean, monkeypatch):
    monkeypatch.setattr(reader, "read_blocks", functools.partial(blocks.read_blocks, size=5000))
    for layout in ("kaggle", "lendingclub"):
        source = functools.partial(blocks.open_records, size=7000)
        monkeypatch.setattr(reader, "open_records", source)
        pd.testing.assert_frame_equal(load(folder / f"{layout}.csv").data, clean.data)


def test_only_sub_grade_suffices(folder, clean, tmp_path):
    path = tmp_path / "sub.csv"
    text = (folder / "kaggle.csv").read_text()
    path.write_text(text.replace(",grade,", ",credit,", 1))
    bunch = load(path)
    assert bunch.target.tolist() == clean.target.tolist()
    assert bunch.report.dropped["credit"] == columns.UNKNOWN


def test_a_repeated_header_and_odd_numbers(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text(
        "id,grade,issue_d,annual_inc,dti,home_ownership\n"
        '1,A,Dec-2017,"$45,000.50",1.5,RENT\n'
        "id,grade,issue_d,annual_inc,dti,home_ownership\n"
        "2,b,Dec-2017, 30000 ,unknown, RENT\n"
        "\n"
        "3,X,Dec-2017,1,2,OWN\n"
        "4,C,soon,1,n/a,NA\n"
        "5,C,,1,2%,OWN\n"
    )
    bunch = load(path)
    assert bunch.data["annual_inc"].tolist() == [45000.5, 30000, 1, 1]
    np.testing.assert_array_equal(bunch.data["dti"], [1.5, np.nan, np.nan, 2])
    assert bunch.data["home_ownership"].tolist() == ["RENT", "RENT", np.nan, "OWN"]
    assert bunch.target.tolist() == ["A", "B", "C", "C"]
    assert dict(bunch.report.unreadable) == {"dti": 1}
    assert (bunch.report.records, bunch.report.non_loans, bunch.report.undated) == (6, 2, 2)
    assert load(path, start="2017-01").report.kept == 2


def test_stray_quotation_marks_cost_nothing(tmp_path):
    path = tmp_path / "inch.csv"
    path.write_text('id,emp_title,grade,dti\n1,5" pipe fitter,A,1\n2,"says ""hi""\nthere, now",B,2\n3,x"y"z,C,3\n')
    assert load(path).data["dti"].tolist() == [1, 2, 3]


def test_report_says_what_happened(folder):
    report = load(folder / "grade.1.csv").report
    assert report.dropped["grade.1"] == columns.LEAK
    assert report.dropped["int_rate"] == report.dropped["installment"] == columns.LEAK
    assert report.dropped["out_prncp"] == report.dropped["hardship_dpd"] == columns.AFTER
    assert len(report.features) + len(report.dropped) == 152
    text = str(report)
    assert "157 records" in text
    assert "3 records that are no loans" in text
    assert "4 duplicates" in text
    assert "gives the grade away" in text
    assert "Kept 95 columns" in load(folder / "kaggle.csv").DESCR


def test_quiet_when_stderr_is_no_terminal(folder, capfd):
    data.load_lending_club(folder / "kaggle.csv")
    assert capfd.readouterr() == ("", "")


def test_progress_on_a_terminal(folder, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    data.load_lending_club(folder / "kaggle.csv")
    shown = terminal.getvalue()
    assert "Reading loans" in shown
    data.load_lending_club(folder / "kaggle.csv", progress=False)
    assert terminal.getvalue() == shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dec-2017", "2017-12"), ("Mar-19", "2019-03"), ("Mar-62", "1962-03"), ("2017-12-01", "2017-12"),
        ("2018/5/1", "2018-05"), ("2018-05", "2018-05"), (" Sep-2001 ", "2001-09"), ("2017-12-01 00:00:00", "2017-12"),
    ],
)  # fmt: skip
def test_months(text, expected):
    assert spellings.month_text(spellings.month_number(text)) == expected


@pytest.mark.parametrize("text", ["", None, "Foo-2017", "2017-13-01", "36 months", "12"])
def test_what_is_no_month(text):
    assert spellings.month_number(text) == spellings.NO_MONTH


def test_employment_and_terms():
    texts = ["< 1 year", "1 year", "9 years", "10+ years", "n/a", None]
    np.testing.assert_array_equal(spellings.employment_years(texts), [0, 1, 9, 10, np.nan, np.nan])
    np.testing.assert_array_equal(spellings.terms([" 36 months", "60", None]), [36, 60, np.nan])


FIELD = st.text(alphabet='ab ,"\r\n', max_size=6)


@settings(deadline=None, max_examples=examples(150))
@given(st.lists(st.lists(FIELD, min_size=3, max_size=3), min_size=1, max_size=12), st.integers(1, 40))
def test_index_agrees_with_the_csv_module(rows, size):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    text = out.getvalue().encode()
    stream = io.BytesIO(text)
    source = Source("text", stream.read, stream.tell)
    found = list(blocks.read_blocks(source, b"", size=size))
    assert b"".join(block.text.tobytes() for block in found) == text
    keys = np.concatenate([blocks.key_fields(block, np.array([2, 0])) for block in found])
    assert np.concatenate([block.widths for block in found]).tolist() == [3] * len(rows)
    for row, key in zip(rows, keys, strict=True):
        for place, raw in zip((2, 0), key, strict=True):
            assert raw.tobytes().rstrip(b"\0").decode() == row[place].replace('"', '""')[: blocks.KEY]


def test_generator_command(tmp_path, capsys):
    path = tmp_path / "loans.csv.gz"
    assert main(["--rows", "40", "--layout", "kaggle", "--out", str(path), "--footers", "2", "--from", "2017-01"]) == 0
    assert "42 records: 40 loans, 0 of them twice, 2 lines that are no loans" in capsys.readouterr().out
    report = load(path).report
    assert (report.records, report.kept) == (42, 40)
    assert report.first >= "2017-01"
    assert main(["--rows", "5", "--out", str(tmp_path / "absent" / "x.csv")]) == 3
    assert "absent" in capsys.readouterr().err
