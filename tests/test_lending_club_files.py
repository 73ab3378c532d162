"""Files that cannot be used: one clear message each, which names the offender and what mends it."""

from __future__ import annotations

import gzip
import zipfile

import pytest

from csboost import data
from csboost.data.synthetic_lending_club import write_synthetic_file

HEADER = "id,grade,issue_d,dti,emp_title\n"
LOAN = "1,A,Dec-2017,10,clerk\n"


def refuse(path, match, **options):
    with pytest.raises(data.DataError, match=match):
        data.load_lending_club(path, progress=False, **options)


def written(tmp_path, content, name="loans.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_no_such_file(tmp_path):
    refuse(tmp_path / "absent.csv", r"no file .*absent\.csv.*plain, \.gz or \.zip")
    refuse([], "No file is named")


def test_directory(tmp_path):
    written(tmp_path, LOAN)
    refuse(tmp_path, r"is a directory: name the file in it; it holds loans\.csv")


@pytest.mark.parametrize("content", [b"", b"\n \n", gzip.compress(b"", mtime=0)])
def test_empty(tmp_path, content):
    refuse(written(tmp_path, content), "is empty")


def test_no_grade_column(tmp_path):
    refuse(
        written(tmp_path, "id,amount,purpose\n1,2,car\n"),
        "no column 'grade' or 'sub_grade'.*Its columns: id, amount, purpose",
    )


def test_other_separators(tmp_path):
    refuse(written(tmp_path, (HEADER + LOAN).replace(",", ";")), "separated by semicolons")
    refuse(written(tmp_path, (HEADER + LOAN).replace(",", "\t")), "separated by tabs")


def test_html(tmp_path):
    refuse(written(tmp_path, "\n<!DOCTYPE html><html>Sign in</html>"), "HTML page.*login")


def test_archives_with_something_else(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("LCDataDictionary.txt", "text")
    refuse(path, r"holds no CSV of loans, but LCDataDictionary\.txt")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "text")
    refuse(path, "Excel workbook: save its sheet as CSV")
    refuse(written(tmp_path, gzip.compress(b"loans.csv" + bytes(500))), "zero bytes")
    refuse(written(tmp_path, gzip.compress(gzip.compress(b"x"))), "holds another archive")
    refuse(written(tmp_path, b"7z\xbc\xaf\x27\x1c and so on"), "7-Zip file")
    refuse(written(tmp_path, b"PK\x03\x04 cut off"), "damaged zip archive")


def test_damaged_gzip(tmp_path):
    write_synthetic_file(tmp_path / "whole.csv.gz", 60)
    packed = (tmp_path / "whole.csv.gz").read_bytes()
    refuse(written(tmp_path, packed[: len(packed) // 2]), "is damaged: it ends too early")
    refuse(written(tmp_path, packed[:-3]), "is damaged: it ends too early")
    broken = bytearray(packed)
    broken[2000:2040] = bytes(40)
    refuse(written(tmp_path, bytes(broken)), "is damaged: it cannot be unpacked")


def test_encodings(tmp_path):
    refuse(written(tmp_path, (HEADER + LOAN).encode("utf-16")), "UTF-16.*iconv")
    refuse(written(tmp_path, (HEADER + LOAN).encode("utf-16-le")), "UTF-16")
    refuse(written(tmp_path, "id,grade,purpose\n1,A,café\n".encode("latin-1")), "column purpose.*not UTF-8")
    # In a column that is not read, such bytes do no harm.
    path = written(tmp_path, (HEADER + LOAN.replace("clerk", "garçon")).encode("latin-1"))
    assert data.load_lending_club(path).data["dti"].tolist() == [10]


def test_windows(tmp_path):
    path = written(tmp_path, HEADER + LOAN + LOAN.replace("1,", "2,", 1).replace("Dec-2017", "Mar-2015"))
    refuse(
        path,
        "no loan was issued from 2018-01 to 2018-03; the file holds loans issued 2015-03 to 2017-12",
        start="2018-01",
        stop="2018-03",
    )
    refuse(path, "'winter' is no month: write it as 2017-01", start="winter")
    refuse(path, "The window is empty", start="2018-01", stop="2017-01")
    refuse(written(tmp_path, "id,grade\n1,A\n"), "no column 'issue_d'", start="2017-01")
    refuse(written(tmp_path, HEADER + LOAN.replace("Dec-2017", "12/17/Z")), "no month can be read", start="2017-01")


def test_no_loans(tmp_path):
    refuse(written(tmp_path, HEADER), "none of the 0 records has a grade from A to G")
    refuse(written(tmp_path, HEADER + LOAN.replace(",A,", ",Z,")), "none of the 1 records")


def test_records_with_too_many_or_too_few_fields(tmp_path):
    long, short = "1,A,Dec-2017,10,clerk,x,y\n", "1,A,Dec-2017\n"
    path = written(tmp_path, HEADER + long + LOAN + short + long)
    report = data.load_lending_club(path).report
    assert (report.records, report.loans, report.too_long, report.too_short, report.kept) == (4, 1, 2, 1, 1)
    assert "2 records with too many fields, 1 records with too few fields" in str(report)
    refuse(path, "2 records have more and 1 have fewer fields than the 5 of the header; at most 2", max_bad_records=2)


def test_a_quotation_mark_without_its_partner(tmp_path):
    refuse(
        written(tmp_path, HEADER + LOAN + '2,"A,Dec-2017,10,clerk\n' + LOAN),
        "never closed, in the record that starts with '2",
    )


def test_a_grade_with_too_few_loans(tmp_path):
    write_synthetic_file(tmp_path / "few.csv", 200, first="2017-01", last="2018-03")
    bunch = data.load_lending_club(tmp_path / "few.csv")
    with pytest.raises(
        data.DataError, match=r"Too few loans: 1,500 per grade.*grade G has 3; use --per-grade 3 or less"
    ):
        data.paper_draw(bunch, seed=0)
