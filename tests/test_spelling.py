"""A file that is spelt otherwise than the one a model was fitted on is read alike, and what cannot be read is said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from csboost import tables
from csboost.command.main import main
from csboost.data import DataError

N = 80


def frame():
    rng = np.random.default_rng(0)
    amount = (rng.normal(size=N) * 900).round(2)
    return pd.DataFrame(
        {
            "amount": amount,
            "town": rng.choice(["Bonn", "Köln"], N),
            "opened": pd.date_range("2024-01-27", periods=N).strftime("%d.%m.%Y"),
            "grade": np.where(amount + 300 * rng.normal(size=N) > 0, "good", "poor"),
        }
    )


def with_commas(cells):
    return [str(cell).replace(".", ",") for cell in cells]


def iso(cells):
    return pd.to_datetime(cells, format="%d.%m.%Y").dt.strftime("%Y-%m-%d")


USUAL = frame()
JUNK = pd.Series(USUAL["amount"].astype(str)).where(USUAL.index != 70, "n/v")
#: The same cases in other spellings: the frame, and how it is written.
SPELLINGS = {
    "decimal commas": (USUAL, {"sep": ";", "decimal": ","}),
    "decimal commas and a cell that is no number": (USUAL.assign(amount=with_commas(JUNK)), {"sep": ";"}),
    "decimal commas and a currency": (
        USUAL.assign(amount=[f"{cell} €" for cell in with_commas(USUAL["amount"])]), {"sep": ";"},
    ),
    "commas in quotation marks": (USUAL.assign(amount=with_commas(USUAL["amount"])), {}),
    "dates as the standard has them": (USUAL.assign(opened=iso(USUAL["opened"])), {}),
    "month before day": (
        USUAL.assign(opened=pd.to_datetime(USUAL["opened"], format="%d.%m.%Y").dt.strftime("%m/%d/%Y")), {},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def columns(tmp_path_factory):
    path = tmp_path_factory.mktemp("usual") / "cases.csv"
    USUAL.to_csv(path, index=False)
    return tables.read_table(path, target="grade").columns


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_other_spellings_are_read_alike_whole_and_in_blocks_of_any_size(spelling, columns, tmp_path):
    other, options = SPELLINGS[spelling]
    other.to_csv(tmp_path / "other.csv", index=False, **options)
    whole = tables.read_table(tmp_path / "other.csv", columns=columns).X
    wanted = USUAL["amount"].where(USUAL.index != 70) if "no number" in spelling else USUAL["amount"]
    np.testing.assert_array_equal(whole["amount"], wanted)
    np.testing.assert_array_equal(
        whole["opened"], (pd.to_datetime(USUAL["opened"], format="%d.%m.%Y") - pd.Timestamp(0)).dt.days
    )
    for size in (1, 7, 1000):
        blocks = pd.concat(tables.read_blocks(tmp_path / "other.csv", columns, n_rows=size))
        for name in ("amount", "opened"):
            np.testing.assert_array_equal(blocks[name], whole[name])


def test_decimal_points_follow_commas(tmp_path):
    """1.500 is a thousand and a half, or fifteen hundred: the other numbers of the file tell."""
    (tmp_path / "commas.csv").write_text("amount;y\n1.500,5 €;a\n2.250,75 €;b\n3,5 €;a\n1.000,25;b\n4,25;b\n")
    columns = tables.read_table(tmp_path / "commas.csv", target="y", keep=["amount"]).columns
    assert [column.decimal for column in columns] == [","]
    for text, value in (("1.500 €", 1500.0), ("1.500 €\n2.25 €", 1.5), ("1.500 €\n3,25 €", 1500.0)):
        (tmp_path / "other.csv").write_text("amount;y\n" + "".join(f"{cell};a\n" for cell in text.splitlines()))
        assert tables.read_table(tmp_path / "other.csv", columns=columns).X["amount"][0] == value


GERMAN = "amount;rate;y\n950;1,5;a\n1.234;2,5;b\n12.000;3,5;a\n700;4,5;b\n"
SAME = [950.0, 1234.0, 12000.0, 700.0]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (GERMAN, SAME),
        (GERMAN.replace("1.234;2,5", "1.234 €;2,5"), SAME),
        (GERMAN.replace(",5", ""), SAME),  # not a decimal comma in the file
        (GERMAN.replace(",5", "").replace("950", "1.500"), [1500.0, *SAME[1:]]),
        (GERMAN.replace(",5", "").replace(";", "\t"), SAME),
        (GERMAN.replace(",5", "").replace("950", "950.5"), [950.5, 1.234, 12.0, 700.0]),  # points are decimal ones
        (GERMAN.replace("950", "0.950"), [0.95, 1.234, 12.0, 700.0]),  # no number of thousands begins with 0
        (GERMAN.replace("950", "950,00"), SAME),
    ],
)
def test_marks_of_thousands_are_read_alike_where_columns_are_found_and_later(text, values, tmp_path):
    """Only the rates tell that 1.234 is a whole number: a column of such has no comma of its own."""
    (tmp_path / "found.csv").write_text(GERMAN)
    (tmp_path / "other.csv").write_text(text)
    found = tables.read_table(tmp_path / "found.csv", target="y")
    assert found.X["amount"].tolist() == SAME
    assert tables.read_table(tmp_path / "other.csv", columns=found.columns).X["amount"].tolist() == values
    for size in (1, 3):
        blocks = pd.concat(tables.read_blocks(tmp_path / "other.csv", found.columns, n_rows=size))
        assert blocks["amount"].tolist() == values
    if ",5" in text:  # the file tells by itself
        assert tables.read_table(tmp_path / "other.csv", target="y").X["amount"].tolist() == values


@pytest.mark.parametrize(
    ("name", "cell", "says"),
    [("amount", "high", "'amount' holds numbers .* but no numbers here: 'high'"),
     ("opened", "soon", "'opened' holds dates .* but no dates here: 'soon'")],
)  # fmt: skip
def test_a_column_of_another_type_is_refused(name, cell, says, columns, tmp_path):
    USUAL.assign(**{name: cell}).to_csv(tmp_path / "other.csv", index=False)
    with pytest.raises(DataError, match=says):
        tables.read_table(tmp_path / "other.csv", columns=columns)
    with pytest.raises(DataError, match=says):
        next(tables.read_blocks(tmp_path / "other.csv", columns))
    USUAL.assign(**{name: cell})[:1].to_csv(tmp_path / "one.csv", index=False)  # a single odd cell is one
    assert np.isnan(tables.read_table(tmp_path / "one.csv", columns=columns).X[name][0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("model")
    USUAL.to_csv(path / "cases.csv", index=False)
    (path / "costs.csv").write_text("truth,good,poor\ngood,0,1\npoor,5,0\n")
    given = ["--target", "grade", "--costs", f"{path}/costs.csv", "--model", "samme", "--held-out", "0%"]
    assert main(["fit", f"{path}/cases.csv", *given, "--out", f"{path}/m.csboost"]) == 0
    assert main(["decide", f"{path}/m.csboost", f"{path}/cases.csv", "--out", f"{path}/usual.csv"]) == 0
    return path


def decide(folder, other, *words, **options):
    """The exit code; the answers are in ``answers.csv``."""
    other.to_csv(folder / "other.csv", index=False, **options)
    (folder / "answers.csv").unlink(missing_ok=True)
    return main(["decide", f"{folder}/m.csboost", f"{folder}/other.csv", "--out", f"{folder}/answers.csv", *words])


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_cases_in_another_spelling_get_the_same_answers(spelling, folder, capsys):
    other, options = SPELLINGS[spelling]
    assert decide(folder, other, **options) == 0
    said = capsys.readouterr().err
    same = pd.read_csv(folder / "answers.csv") == pd.read_csv(folder / "usual.csv")
    if "no number" in spelling:
        assert said == "amount: 1 of 80 cells are no numbers ('n/v') and read as missing.\n"
        assert same.drop(index=70).all(axis=None)
    else:
        assert said == ""
        assert same.all(axis=None)


@pytest.mark.parametrize("size", ["7", "1000"])
def test_what_the_model_cannot_read_is_counted_over_all_blocks(size, folder, capsys):
    amount = USUAL["amount"].astype(str).where(USUAL.index % 20 > 0, "n.v.").where(USUAL.index != 9, "-")
    town = USUAL["town"].where(USUAL.index % 16 > 0, "Rom").where(USUAL.index != 1, None)
    assert decide(folder, USUAL.assign(amount=amount, town=town, opened=""), "--block-rows", size) == 0
    assert capsys.readouterr().err.splitlines() == [
        "amount: 4 of 80 cells are no numbers ('n.v.') and read as missing.",
        "town: 5 of 80 cells hold a category that the model has not met ('Rom').",
        "Without a value in any row: opened.",
    ]


def test_another_type_ends_with_a_message_and_no_answers(folder, capsys):
    assert decide(folder, USUAL.assign(amount="high")) == 3
    assert "other.csv: the column 'amount' holds numbers" in capsys.readouterr().err
    assert not (folder / "answers.csv").exists()


def test_a_renamed_column_is_named_as_it_stands(folder, capsys):
    assert decide(folder, USUAL.rename(columns={"amount": "Amount"})) == 3
    assert "'Amount' is likely 'amount': rename it." in capsys.readouterr().err
