"""Tables from files: however they are written, the same features; what was found is said, what is wrong is named."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile

import numpy as np
import pandas as pd
import pytest

from csboost import tables
from csboost.data import DataError

FRAME = pd.DataFrame(
    {
        "customer": [f"K{n:04}" for n in range(60)],
        "amount": np.arange(60) * 37.25 - 12.5,
        "town": ["Köln", "Zürich", "Málaga"] * 20,
        "opened": pd.date_range("2023-12-30", periods=60, freq="D").strftime("%d.%m.%Y"),
        "note": ["vip", None, None, "late"] * 15,
        "grade": ["A", "B", "C", "B", "A"] * 12,
    }
)


def write(folder, text, name="cases.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def in_text(separator=",", decimal="."):
    return FRAME.to_csv(index=False, sep=separator, decimal=decimal)


def said(table):
    return "\n".join(table.notes)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return tables.read_table(write(tmp_path_factory.mktemp("usual"), in_text()), target="grade")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le"])
@pytest.mark.parametrize(("separator", "decimal"), [(",", "."), (";", ","), ("\t", ","), ("|", ".")])
def test_delimiter_encoding_and_decimal_mark_are_found(usual, tmp_path, encoding, separator, decimal):
    path = write(tmp_path, in_text(separator, decimal), encoding=encoding)
    table = tables.read_table(path, target="grade")
    pd.testing.assert_frame_equal(table.X, usual.X)
    assert table.y.tolist() == FRAME["grade"].tolist()
    assert ("decimal commas" in said(table)) == (decimal == ",")


def test_packed_files_and_a_remark_on_the_separator_are_read(usual, tmp_path):
    path = tmp_path / "cases.csv.gz"
    path.write_bytes(gzip.compress(("sep=;\n" + in_text(";", ",")).encode()))
    pd.testing.assert_frame_equal(tables.read_table(path, target="grade").X, usual.X)


def test_parquet_has_types_of_its_own(usual, tmp_path):
    frame = FRAME.assign(opened=pd.to_datetime(FRAME["opened"], dayfirst=True))
    frame.to_parquet(tmp_path / "cases.parquet")
    table = tables.read_table(tmp_path / "cases.parquet", target="grade")
    pd.testing.assert_frame_equal(table.X, usual.X)
    assert table.columns[3].kind == "date"


def test_what_excel_needs_is_named_or_there(usual, tmp_path):
    path = tmp_path / "cases.xlsx"
    try:
        FRAME.to_excel(path, index=False)
    except ImportError:
        with zipfile.ZipFile(path, "w") as book:
            book.writestr("xl/workbook.xml", "")
        with pytest.raises(DataError, match="needs the package openpyxl.*Or save it as CSV"):
            tables.read_table(path, target="grade")
    else:
        pd.testing.assert_frame_equal(tables.read_table(path, target="grade").X, usual.X)
        with pytest.raises(DataError, match="no sheet 'Costs'; it has 'Sheet1'"):
            tables.read_table(path, target="grade", sheet="Costs")


def test_columns_become_numbers_categories_and_days(usual):
    X = usual.X
    assert list(X) == ["amount", "town", "opened", "note"]
    assert X["amount"].tolist() == FRAME["amount"].tolist()
    assert list(X["town"].cat.categories) == ["Köln", "Málaga", "Zürich"]
    assert X["note"].isna().sum() == 30  # missing values stay missing
    days = (pd.to_datetime(FRAME["opened"], dayfirst=True) - pd.Timestamp("1970-01-01")).dt.days
    assert X["opened"].tolist() == days.tolist()
    assert "opened: dates, day.month.year, used as days since 1970." in usual.notes
    assert "Not used: customer (another text in every row: says which case it is)." in usual.notes


def test_ids_constants_and_free_text_are_left_out_and_named_and_can_be_kept(tmp_path):
    n = 60
    frame = pd.DataFrame(
        {
            "nr": range(100, 100 + n), "loan_id": np.arange(n) * 7 % 61, "country": "DE", "zero": 0, "empty": np.nan,
            "remark": [f"text {k % 50}" for k in range(n)], "x": np.arange(n) % 7, "y": list("AB") * (n // 2),
        }
    )  # fmt: skip
    path = write(tmp_path, frame.to_csv(index=False))
    table = tables.read_table(path, target="y")
    assert list(table.X) == ["x"]
    assert (
        "Not used: nr (a running number); loan_id (another whole number in every row: says which case it is); country "
        "(the same in every row ('DE')); zero (the same in every row (0)); empty (empty); remark (free text: 50 "
        "different ones in 60 rows)." in table.notes
    )
    kept = tables.read_table(path, target="y", keep=["loan_id", "remark"], drop=["x"])
    assert list(kept.X) == ["loan_id", "remark"]
    assert kept.X["remark"].dtype == "category"
    assert "x (as asked)" in said(kept)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1.234,50", "7,25", "0,5"], [1234.5, 7.25, 0.5]),
        (["1,234.50", "7.25", "12"], [1234.5, 7.25, 12.0]),
        (["1 234,5", "7", "-3,25"], [1234.5, 7.0, -3.25]),
        (["12.5 %", "7 %", "\u22123 %"], [12.5, 7.0, -3.0]),
        (["€ 12", "7", "?"], [12.0, 7.0, np.nan]),
        (["1e3", "-", "2.5"], [1000.0, np.nan, 2.5]),
        (["True", "FALSE", ""], [1.0, 0.0, np.nan]),
    ],
)
def test_numbers_in_the_spellings_of_people(tmp_path, cells, values):
    rows = "\n".join(f'"{cell}";{label}' for cell, label in zip(cells * 2, "ABABAB", strict=True))
    table = tables.read_table(write(tmp_path, f"x;y\n{rows}\n"), target="y")
    np.testing.assert_array_equal(table.X["x"], values * 2)


def test_a_few_cells_that_are_no_numbers_are_missing_and_named_and_many_make_a_category(tmp_path):
    few = "x,y\n" + "".join(f"{k % 9},{'AB'[k % 2]}\n" for k in range(40)) + "broken,A\n"
    table = tables.read_table(write(tmp_path, few), target="y")
    assert np.isnan(table.X["x"].iloc[-1])
    assert "x: 1 cells are no numbers ('broken') and read as missing." in table.notes
    many = "x,y\n" + "".join(f"{'low' if k % 2 else k % 9},{'AB'[k % 2]}\n" for k in range(40))
    assert tables.read_table(write(tmp_path, many), target="y").X["x"].dtype == "category"


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["2024-02-01", "2024-02-29", "2023-01-31"], "2024-02-01"),
        (["2024-02-01 12:00", "2024-02-29 08:30", "2023-01-31 00:00"], "2024-02-01 12:00"),
        (["01/02/2024", "29/02/2024", "31/01/2023"], "2024-02-01"),
        (["02/01/2024", "02/29/2024", "01/31/2023"], "2024-02-01"),
        (["Feb-2024", "Mar-2024", "Jan-2023"], "2024-02-01"),
        (["1 Feb 2024", "29 Feb 2024", "31 Jan 2023"], "2024-02-01"),
    ],
)
def test_dates_in_many_spellings_are_days(tmp_path, cells, found):
    rows = "".join(f"{cell},{k % 5},{'AB'[k % 2]}\n" for k, cell in enumerate(cells * 4))
    table = tables.read_table(write(tmp_path, f"when,x,y\n{rows}"), target="y")
    assert table.X["when"].iloc[0] == (pd.Timestamp(found) - pd.Timestamp(0)) / pd.Timedelta(days=1)


def test_a_date_that_can_be_read_in_two_ways_is_told(tmp_path):
    rows = "".join(f"0{1 + k % 9}/0{1 + k % 5}/2024,{k % 5},{'AB'[k % 2]}\n" for k in range(30))
    table = tables.read_table(write(tmp_path, f"when,x,y\n{rows}"), target="y")
    assert "when: dates, day/month/year (it could be month/day/year as well), used as days since 1970." in table.notes


def test_rows_without_a_class_are_left_out_unless_the_label_is_known(tmp_path):
    path = write(tmp_path, "x,y\n1,A\n2,NA\n3,B\n5,\n8,A\n")
    table = tables.read_table(path, target="y")
    assert table.y.tolist() == ["A", "B", "A"]
    assert table.rows.tolist() == [1, 3, 5]
    assert "Rows without a class ('y' is missing) are left out: 2." in table.notes
    assert tables.read_table(path, target="y", labels=["NA"]).y.tolist() == ["A", "NA", "B", "A"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cases.csv is empty: it needs a header"),
        ("\ufeff \n\n", "cases.csv is empty"),
        ("x,y\n", "has a header, but no line below it"),
        ("x,x,y\n1,2,A\n", "names 'x' more than once .columns 1 and 2.: rename or delete"),
        ("x\n1\n", "has one column only, 'x'"),
        ("x,y\n1,A\n2,B,C\n", "cannot be read as a table of 2 columns.*line 3"),
        ('x,y\n"1,A\n2,B\n', "a quotation mark is never closed"),
        ("x,Y \n1,A\n", "no column 'y' .for the target.. Did you mean 'Y'?"),
        ("Y,Y ,y_,x\n1,2,3,A\n", "names 'Y' more than once"),
        ("Y_,y_,x\n1,2,3\n", "the target 'y' is ambiguous: 'Y_' or 'y_'?"),
        ("1,2\n3,A\n4,B\n", "The first line looks like data"),
        ("x,y\n1,\n2,\n", "the target 'y' is empty in all 2 rows"),
        ("x,y\n1,A\n1,B\n1,A\n", "no column that could be a feature: x .the same in every row .1.."),
        ("\x00\x01\x02,\x03\n", "is no table: it holds bytes that no text has"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, text, says):
    with pytest.raises(DataError, match=says):
        tables.read_table(write(tmp_path, text), target="y")


def test_a_file_that_is_not_there_or_not_whole_is_named(tmp_path):
    write(tmp_path, "x,y\n1,A\n")
    with pytest.raises(FileNotFoundError, match="no file .*case.csv.*Did you mean 'cases.csv'?"):
        tables.read_table(tmp_path / "case.csv", target="y")
    with pytest.raises(DataError, match="is a folder"):
        tables.read_table(tmp_path, target="y")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(in_text().encode())[:-40])
    with pytest.raises(DataError, match="cut.csv.gz"):
        tables.read_table(tmp_path / "cut.csv.gz", target="grade")
    (tmp_path / "cut.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match="cannot be read as a parquet file"):
        tables.read_table(tmp_path / "cut.parquet", target="grade")


def test_files_of_r_and_lines_that_end_with_a_delimiter(tmp_path):
    named = tables.read_table(write(tmp_path, '"x","y"\n"r1",3,"A"\n"r2",4,"B"\n"r3",4,"B"\n'), target="y")
    assert named.X["x"].tolist() == [3, 4, 4]
    ended = tables.read_table(write(tmp_path, "x;y;\n1;A;\n2;B;\n4;A;\n"), target="y")
    assert ended.X["x"].tolist() == [1, 2, 4]


def test_another_file_is_read_alike_whole_and_in_blocks(usual, tmp_path):
    other = FRAME.head(20).assign(more=1, amount=[f"{x:.2f}".replace(".", ",") for x in FRAME["amount"].head(20)])
    path = write(tmp_path, other.to_csv(index=False, sep=";"), name="other.csv")
    again = tables.read_table(path, columns=usual.columns).X
    blocks = list(tables.read_blocks(path, usual.columns, n_rows=7))
    assert [len(block) for block in blocks] == [7, 7, 6]
    assert list(again) == list(usual.X)
    for name in usual.X:
        together = pd.concat([block[name].astype(object) for block in blocks])
        pd.testing.assert_series_equal(together, again[name].astype(object))
        pd.testing.assert_series_equal(again[name].astype(object), usual.X[name].head(20).astype(object))
    path = write(tmp_path, other.drop(columns="town").to_csv(index=False), name="less.csv")
    with pytest.raises(DataError, match="no column 'town' .for the feature."):
        tables.read_table(path, columns=usual.columns)
    with pytest.raises(DataError, match="no column 'town' .for the feature."):
        next(tables.read_blocks(path, usual.columns))


def test_labels_are_compared_as_text():
    labels = pd.Series([1, 2.0, "03", " good", True, "TRUE", None, np.int8(4)])
    assert tables.label_texts(labels).fillna("?").tolist() == ["1", "2", "3", "good", "True", "True", "?", "4"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_file_that_is_not_whole_beyond_its_beginning_is_named(encoding, pack, tmp_path):
    rng = np.random.default_rng(0)
    lines = "".join(f"{cell!r},{'uv'[row % 2]}\n" for row, cell in enumerate(rng.random(80_000).tolist()))
    whole = pack(("a,y\n" + lines).encode(encoding))
    middle = len(whole) * 9 // 10
    for damaged in (whole[:middle], whole[:middle] + bytes(90) + whole[middle + 90 :]):
        (tmp_path / "cases.csv.packed").write_bytes(damaged)
        with pytest.raises(DataError, match="packed cannot be unpacked .*: is it whole"):
            tables.read_table(tmp_path / "cases.csv.packed", target="y")
        with pytest.raises(DataError, match="packed cannot be unpacked .*: is it whole"):
            list(tables.read_blocks(tmp_path / "cases.csv.packed", [tables.Column("a", "number")]))
