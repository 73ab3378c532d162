"""Errors about files say what is amiss and what was read until then; and what can be seen at once is not waited for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from csboost import data

HEAD = "id,grade,issue_d,dti\n"


def refuse(tmp_path, text, match, **options):
    path = tmp_path / "loans.csv"
    path.write_text(text)
    with pytest.raises(data.DataError, match=match) as caught:
        data.load_lending_club(path, progress=False, **options)
    return str(caught.value)


COMMAS = "The grade stands where the header has it, so the records have commas too many at their end: remove those"
NUMBERED = "It lacks a name, perhaps that of row numbers in front: give every column a name"


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (HEAD + "1,A,Jan-2017,1,\n2,B,Jan-2017,2,\n", rf"every record has 5 fields, but the header 4\. {COMMAS}"),
        (
            HEAD + '"1",1,A,Jan-2017,1\n"2",2,B,Jan-2017,2\n',
            rf"every record has 5 fields, but the header 4\. {NUMBERED}",
        ),
        (
            "id,grade,issue_d,dti,\n1,A,Jan-2017,1\n",
            "every record has 4 fields, but the header 5, the last without a name: remove the comma at the end of the",
        ),
        (
            HEAD + "1,A,Jan-2017\n2,B,Jan-2017\n1,A,Jan\n,,,\n",
            "3 of 4 records have 3 fields, but the header 4: give every",
        ),
        (HEAD + "1;A;Jan-2017;1\n", "every record has 1 field, but the header 4"),
    ],
)
@pytest.mark.parametrize("limit", [1000, 0])
def test_records_of_another_width_than_the_header(tmp_path, text, match, limit):
    message = refuse(tmp_path, text, match, max_bad_records=limit)
    assert "grade from A to G" not in message
    assert "Read: " in message


def test_records_without_a_grade_show_what_stands_there(tmp_path):
    message = refuse(
        tmp_path,
        HEAD + "1,Grade A,Jan-2017,1\n2,7,Jan-2017,2\n3,7,Jan-2017,2\n",
        "none of the 3 records has a grade from A to G; the column grade holds '7', 'Grade A'",
    )
    assert message.endswith("Read: 3 records, 0 loans; skipped: 3 records that are no loans.")


def test_a_file_without_a_loan_among_others_is_named(tmp_path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(HEAD + "1,A,Jan-2017,1\n")
    bad.write_text(HEAD + "1,1,Jan-2017,1\n")
    with pytest.raises(data.DataError, match=r"bad\.csv: none of the 1 records has a grade"):
        data.load_lending_club([good, bad], progress=False)


def test_months_that_cannot_be_read_are_shown(tmp_path):
    rows = "1,A,3/5/2017,1\n2,A,3/5/2017,1\n3,A,43070,1\n4,A,,1\n"
    message = refuse(
        tmp_path,
        HEAD + rows,
        "no month can be read: '3/5/2017', '43070' should be spelled as 2017-12",
        start="2017-01",
    )
    assert "skipped: 4 loans without a readable month of issue (such as '3/5/2017', '43070')" in message
    path = tmp_path / "loans.csv"
    path.write_text(HEAD + rows + "5,A,Jan-2017,1\n")
    report = data.load_lending_club(path, start="2017-01").report
    assert "4 loans without a readable month of issue (such as '3/5/2017', '43070')" in str(report)
    assert "Without a readable month of issue (such as '3/5/2017', '43070'): 4 loans, kept" in str(
        data.load_lending_club(path).report
    )


def test_an_empty_window_comes_with_the_reading(tmp_path):
    message = refuse(
        tmp_path, HEAD + "1,A,Jan-2016,inf\nx\n", "no loan was issued from 2017-01 to the end", start="2017-01"
    )
    assert message.endswith(
        "Read: 2 records, 1 loans issued 2016-01 to 2016-01; skipped: 1 records that are no loans, 1 loans outside the"
        " window."
    )


def test_too_few_loans_come_with_the_reading_that_explains_them(tmp_path):
    path = tmp_path / "loans.csv"
    path.write_text(
        HEAD + "".join(f"{i},{'ABCDEFG'[i % 7]},{('Jan-2017', '3/5/2017')[i % 2]},{i}\n" for i in range(28))
    )
    bunch = data.load_lending_club(path, start="2017-01")
    draws = (
        lambda: data.paper_draw(bunch, 0, per_grade=5),
        lambda: data.credit_split(bunch, 0, per_grade=5),
        lambda: data.paper_draw(bunch=bunch, seed=0, per_grade=5),
        lambda: data.full_draw(bunch, 0, test_size=0.1),
    )
    for draw in draws:
        with pytest.raises(data.DataError) as caught:
            draw()
        message = str(caught.value)
        assert message.count("14 loans without a readable month of issue (such as '3/5/2017')") == 1
        assert message.count("kept: 14 loans (A 2, B 2, C 2, D 2, E 2, F 2, G 2)") == 1
        assert "\n" not in message


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("load_lending_club('absent.csv')", "There is no file absent.csv"),
        ("load_lending_club('absent.csv', start='2017-13')", "'2017-13' is no month"),
        ("check_request(['absent.csv'])", "There is no file absent.csv"),
        ("check_request([], '2018-01', '2017-01')", "The window is empty: it starts in 2018-01 and stops in 2017-01"),
    ],
)
def test_an_absent_file_and_an_impossible_month_are_reported_before_long_imports(tmp_path, call, says):
    code = f"""
import sys
from csboost import data
try:
    data.{call}
except data.DataError as error:
    print(error)
print([name for name in ("numpy", "pandas", "sklearn", "numba", "pyarrow") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    message, imported = done.stdout.splitlines()
    assert says in message
    assert imported == "[]"


def test_what_reading_needs_is_named_with_what_installs_it(tmp_path):
    (tmp_path / "loans.csv").write_text(HEAD + "1,A,Jan-2017,1\n")
    code = """
import sys
sys.modules["pyarrow"] = None  # as if it were not installed
from csboost import data
try:
    data.load_lending_club("loans.csv")
except data.DataError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "needs the package pyarrow" in done.stdout
    assert "pip install '.[bench]'" in done.stdout
