"""Cost tables from files: every form that people keep them in, and every fault named by file, line or label."""

from __future__ import annotations

import importlib
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from cases import easy, make

from csboost import costs, metrics
from csboost.costs import read_costs

SQUARE = pd.DataFrame([[0.0, 1.5, 2.0], [4.0, 0.0, 1.0], [9.0, 5.0, 0.0]], index=list("LMH"), columns=list("LMH"))
HUMAN = SQUARE.assign(human=[2.0, 2.0, 3.0])
COMMAS = "truth,L,M,H\nL,0,1.5,2\nM,4,0,1\nH,9,5,0\n"


def read(text, **options):
    return read_costs(io.StringIO(text), **options)


def same(table, expected):
    pd.testing.assert_frame_equal(table, expected.astype(float), check_names=False)


@pytest.mark.parametrize(
    "text",
    [
        COMMAS,
        COMMAS.replace(",", ";"),
        COMMAS.replace(",", "\t"),
        COMMAS.replace(",", ";").replace(".", ","),  # as a spreadsheet in German has it
        COMMAS.replace(",", "\t").replace(".", ","),
        "\ufeff" + COMMAS,
        COMMAS.replace("\n", "\r\n"),
        COMMAS.replace(",", " ,  "),
        "# agreed in March\n\n" + COMMAS.replace("M,4", "# the middle\n\nM,4") + ",,,\n\n",
        "sep=;\n" + COMMAS.replace(",", ";"),
        COMMAS.replace("truth", ""),
        COMMAS.removeprefix("truth,"),  # a header without its first cell
        COMMAS.replace("\n", ",\n"),  # a spreadsheet's empty last column
        '"truth","L","M","H"\n"L","0","1.5","2"\n"M","4","0","1"\n"H","9","5","0"',
        '"truth","L","M","H"\n"L","0","1,5","2"\n"M","4","0","1"\n"H","9","5","0"',
    ],
)
def test_a_square_table_is_read_however_it_is_written(text):
    same(read(text), SQUARE)


def test_a_table_is_read_from_paths_bytes_and_utf_16(tmp_path):
    path = tmp_path / "costs.csv"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_text(COMMAS.replace("L", "Ä"), encoding=encoding)
        for source in (path, str(path), io.BytesIO(path.read_bytes())):
            assert read_costs(source).columns.tolist() == ["Ä", "M", "H"]


def test_a_rectangular_table_keeps_its_answers_and_gains():
    table = read("truth,L,M,H,human\nL,0,1.5,2,2\nM,4,0,1,2\nH,9,5,0,3")
    same(table, HUMAN)
    gains = read("truth,treat,dismiss\nsick,-30,200\nwell,5,0")
    assert gains.to_numpy().tolist() == [[-30, 200], [5, 0]]


@pytest.mark.parametrize(
    "text",
    [
        "truth,treat\nsick,-3\nwell,5",
        "truth;treat\nsick;-1,5\nwell;5",
        "Ist,Soll,Kosten\nA,B,-9\nB,A,1",  # a list known by its labels
        "Ist;Soll;Kosten\nA;B;-9,5\nB;A;1",
        "truth,-1,1\n-1,0,1\n1,-5e-1,0",  # labels are numbers too
    ],
)
def test_the_minus_of_typesetters_is_that_of_keyboards(text):
    table = read(text)
    pd.testing.assert_frame_equal(read(text.replace("-", "\u2212")), table)
    pd.testing.assert_frame_equal(read_costs(table.astype(str).replace("-", "\u2212", regex=True)), table)


def test_a_minus_of_typesetters_in_words_stays():
    assert read("truth,a\u2212b\nx,1\ny,2").columns.tolist() == ["a\u2212b"]
    for cost, fault in (("\u22121,500", "'-1,500' may be"), ("1.500,75", "truth 'A', answer 'B' is '1.500,75'")):
        with pytest.raises(ValueError, match=fault):  # meant as numbers, in a list known by its labels
            read(f"Ist;Soll;Kosten\nA;B;{cost}\nB;A;1")


@pytest.mark.parametrize("sep", [";", "\t"])
def test_a_point_before_three_digits_is_not_guessed_where_it_may_mark_thousands(sep):
    text = "truth,good,poor\ngood,0,500\npoor,{},0"
    for cell, remedy in (("1.000", "1.0000 or 1000"), ("-12.500", "-12.5000 or -12500")):
        with pytest.raises(ValueError, match=f"the file: '{cell}' may be {remedy}; write one of these"):
            read(text.format(cell).replace(",", sep))
    for cell, cost in (("1.0000", 1), ("0.500", 0.5), ("1.5", 1.5), ("1000.125", 1000.125), ("1000", 1000)):
        assert read(text.format(cell).replace(",", sep)).loc["poor", "good"] == cost
    assert read(text.format("1.000").replace(",500", ",0.5").replace(",", sep)).loc["poor", "good"] == 1
    assert read(text.format("1.000")).loc["poor", "good"] == 1  # between commas it is a decimal point
    frame = pd.DataFrame([["0", "500"], ["1.000", "0"]], index=["good", "poor"], columns=["good", "poor"])
    with pytest.raises(ValueError, match="the table: '1.000' may be 1.0000 or 1000"):
        read_costs(frame)
    with pytest.raises(ValueError, match="'1.000' may be 1.0000 or 1000"):
        read(f"truth{sep}answer{sep}cost\ngood{sep}poor{sep}1.000\npoor{sep}good{sep}5")


@pytest.mark.parametrize(
    "text",
    [
        "truth,good,poor\ngood,0,1,5\npoor,9,0,0", ",good,poor\ngood,0,1,5\npoor,9,0,0",
        "actual,good,poor\ngood,0,1,5\npoor,9,0,0", "truth,answer,cost\n0,1,1,5\n1,0,9,0", "a,b,cost\n0,1,1,5\n1,0,9,0",
    ],
)  # fmt: skip
def test_decimal_commas_between_commas_are_no_cells_of_their_own(text):
    with pytest.raises(
        ValueError, match=r"line 2: 4 cells, but the header \(line 1\) has 3.*numbers with a decimal comma"
    ):
        read(text)
    quoted = "\n".join([text.split("\n")[0], 'A,B,"1,5"', 'B,A,"9,0"'])
    if text.split("\n")[0].endswith("cost"):
        assert read(quoted).to_numpy().tolist() == [[0, 1.5], [9, 0]]


def test_a_header_without_its_first_cell_may_begin_with_a_label_that_reads_as_a_role():
    assert read("True,False\nTrue,0,1\nFalse,5,0").columns.tolist() == [True, False]


@pytest.mark.parametrize(
    ("truths", "answers", "index", "columns"),
    [
        (["0", "1"], ["0", "1"], [0, 1], [0, 1]),
        (["10", "2"], ["10", "2", "human"], [10, 2], [10, 2, "human"]),
        (["0.5", "1"], ["0.5", "1"], [0.5, 1.0], [0.5, 1.0]),
        (["True", "False"], ["True", "False"], [True, False], [True, False]),
        (["007", "1"], ["007", "1"], ["007", "1"], ["007", "1"]),  # a code, not the number 7
        (["A", "1"], ["A", "1"], ["A", "1"], ["A", "1"]),
        (["good", "poor"], ["1", "2"], ["good", "poor"], ["1", "2"]),
        (["nan", "inf"], ["nan", "inf"], ["nan", "inf"], ["nan", "inf"]),
    ],
)
def test_labels_become_numbers_where_all_truths_read_as_numbers(truths, answers, index, columns):
    lines = [",".join([truth, *("1" for _ in answers)]) for truth in truths]
    table = read("\n".join([",".join(["truth", *answers]), *lines]))
    assert [(type(x), x) for x in table.index.tolist()] == [(type(x), x) for x in index]
    assert [(type(x), x) for x in table.columns.tolist()] == [(type(x), x) for x in columns]


def test_what_is_read_fits_a_model_and_the_metrics():
    X, y = easy(90)
    text = "truth,0,1,2\n0,0,1,2\n1,3,0,4\n2,5,6,0"
    table, C = read(text), np.array([[0.0, 1, 2], [3, 0, 4], [5, 6, 0]])
    model = make("angle-ada", cost_matrix=table).fit(X, y)
    np.testing.assert_array_equal(model.cost_matrix_, C)
    assert metrics.mean_cost(y, model.predict(X), table) == metrics.mean_cost(y, model.predict(X), C)
    named = np.array(["low", "mid", "top"])[y]
    words = read("truth,top,low,mid\nmid,4,3,0\ntop,0,5,6\nlow,2,0,1")
    np.testing.assert_array_equal(costs.resolve(words, np.unique(named)), C)


def test_a_table_in_memory_goes_the_same_way():
    same(read_costs(SQUARE), SQUARE)
    same(read_costs(SQUARE.reset_index()), SQUARE)  # as read without index_col=0
    same(read_costs(SQUARE.astype(str)), SQUARE)
    long = HUMAN.rename_axis(index="truth", columns="answer").stack().rename("cost").reset_index()
    same(read_costs(long.sample(frac=1, random_state=0)).loc[HUMAN.index, HUMAN.columns], HUMAN)
    numbered = pd.DataFrame(costs.linear(3))
    same(read_costs(numbered), numbered)
    with pytest.raises(ValueError, match=r"the table: the cost of truth 'L', answer 'M' is empty"):
        read_costs(SQUARE.mask(SQUARE == 1.5))
    with pytest.raises(ValueError, match=r"the cost of truth 'L', answer 'M' is inf: costs must be finite"):
        read_costs(SQUARE.replace(1.5, np.inf))
    with pytest.raises(ValueError, match="the rows have no labels"):
        read_costs(pd.DataFrame([[0, 1], [5, 0]], columns=["A", "B"]))
    with pytest.raises(ValueError, match="takes the path of a file or a pandas.DataFrame, got ndarray"):
        read_costs(costs.linear(3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty: it needs a header"),
        ("# only a remark\n\n", "the file is empty"),
        ("truth,A,B\n", "has a header, but no line of costs"),
        ("truth\nA\nB\n", r"line 1: there is one column only, 'truth'. Separate the columns by commas, semicolons or"),
        ("truth A B\nA 0 1\nB 5 0", "there is one column only"),
        ("truth,A,B\nA,0,x\nB,5,0", r"the cost of truth 'A', answer 'B' is 'x', which is no number"),
        ("truth,A,B\nA,0,5 EUR\nB,5,0", r"truth 'A', answer 'B' is '5 EUR', which is no number: write digits alone"),
        ("truth,A,B\nA,0,0.6 * amount\nB,5,0", "A formula over columns of X needs formulas=True"),
        ("truth,A,B\nA,0,nan\nB,5,0", "is 'nan', which is no number"),
        ("truth,A,B\nA,0,1e999\nB,5,0", "is inf: costs must be finite"),
        ("truth,A,B\nA,0,\nB,5,0", r"the cost of truth 'A', answer 'B' is empty: write 0 where nothing is lost"),
        ("truth,A,B\nA,0,1\nA,5,0", "the truth 'A' stands at the beginning of several rows more than once"),
        ("truth,A,A\nA,0,1\nB,5,0", "the answer 'A' stands in the header more than once"),
        (
            "truth,A,B\n# remark\nA,0,1\nB,5,0,7",
            r"line 4: 4 cells, but the header \(line 1\) has 3, separated by a comma",
        ),
        ("truth,A,B\nA,0,1\nB,5", "line 3: 2 cells, but the header"),
        ("truth;A;B\nA;0;1,5\nB;5.5;0", "has decimal commas .'1,5'. and points .'5.5'.: write all in one way"),
        ("truth;A;B\nA;0;1,500\nB;5;0", "'1,500' may be 1.500 or 1500"),
        ("truth,A,\nA,0,1\nB,5,0", "column 3 has no label in the header"),
        ("truth,A,B\n,0,1\nB,5,0", "line 2: the row has no label"),
        ("A,B,C\n0,1,2\n3,0,1\n2,1,0", r"the rows have no labels, as the first column holds '0', '3', '2'.*'truth'"),
        ("0,1,2\n3,0,1\n2,1,0", "the rows have no labels"),
        ('truth,A,B\nA,0,"1\nB,5,0', "quote that is not closed"),
        (
            "truth,answer,cost\nA,B,1\nA,B,2\nB,A,1",
            "line 3: the cost of truth 'A', answer 'B' stands in line 2 already",
        ),
        ("truth,answer,cost\nA,B,1\nB,A,1\nA,C,1", "no cost of truth 'B', answer 'C': give a line for every"),
        ("truth,answer,cost\nA,B,1\nB,C,1\nC,A,1", r"no cost of truth 'A', answer 'C' \(and 2 more\)"),
        ("truth,answer,cost\nA,,1\nB,A,1", "line 2: the answer is missing"),
        ("truth,answer,cost\n,A,1\nB,A,1", "line 2: the truth is missing"),
        ("truth,answer,cost\nA,B,x\nB,A,1", "the cost of truth 'A', answer 'B' is 'x', which is no number"),
        ("A,B,1\nB,A,5\nA,A,0", "the first line holds a cost, '1', in place of names"),
    ],
)
def test_a_fault_is_named_with_its_remedy(text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_the_file_is_named(tmp_path):
    path = tmp_path / "costs.csv"
    with pytest.raises(FileNotFoundError, match=r"there is no file '.*costs.csv' .*give the path of a CSV file"):
        read_costs(path)
    path.write_text("truth,A,B\nA,0,x\nB,5,0")
    with pytest.raises(ValueError, match=r"^costs.csv: the cost of truth 'A', answer 'B' is 'x'"):
        read_costs(path)
    path.write_bytes("truth,A,B\nA,0,1\nß,5,0".encode("latin-1"))
    with pytest.raises(ValueError, match=r"costs.csv, line 3: this is no text in UTF-8"):
        read_costs(path)
    path.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(ValueError, match="is a workbook of Excel: save the sheet as CSV"):
        read_costs(path)


@pytest.mark.parametrize("packer", ["gzip", "bz2", "lzma", "zip"])
def test_a_compressed_file_is_named_as_such(packer, tmp_path):
    path = tmp_path / f"costs.csv.{packer}"
    if packer == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("costs.csv", COMMAS)
    else:
        path.write_bytes(importlib.import_module(packer).compress(COMMAS.encode()))
    with pytest.raises(ValueError, match=r"is compressed: unpack it, or give pandas.read_csv\(path, index_col=0\)"):
        read_costs(path)


def test_formulas_stay_text_where_they_are_asked_for():
    table = read("truth;paid;lost\npaid;0;0.1 * amount\nlost;0.6 * amount;0", formulas=True)
    assert table.to_numpy().tolist() == [[0.0, "0.1 * amount"], ["0.6 * amount", 0.0]]
    assert read(COMMAS, formulas=True).dtypes.tolist() == [np.float64] * 3
    only = read("truth,approve,decline\npaid,-0.1*amount,5\nlost,0.9*amount,0", formulas=True)
    assert only.columns.tolist() == ["approve", "decline"]
    listed = read("truth,answer,cost\npaid,lost,0.1 * amount\nlost,paid,amount", formulas=True)
    assert listed.to_numpy().tolist() == [[0.0, "0.1 * amount"], ["amount", 0.0]]
    with pytest.raises(ValueError, match=r"truth 'A', answer 'B' is 'min\(amount, 5\)', which holds a call"):
        read('truth,A,B\nA,0,"min(amount, 5)"\nB,5,0', formulas=True)
    with pytest.raises(ValueError, match=r"truth 'A', answer 'B' is '5 EUR', which is neither a number nor a formula"):
        read("truth,A,B\nA,0,5 EUR\nB,5,0", formulas=True)
