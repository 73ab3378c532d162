"""Files in blocks: what reading them leaves alone, and what it refuses whatever the size of blocks."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from command_files import cases
from pyarrow import parquet
from sklearn.linear_model import LogisticRegression

from csboost import costs, save_model, tables
from csboost.command.main import main
from csboost.data import DataError

COLUMNS = [tables.Column("x", "number"), tables.Column("y", "number")]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_filters_of_warnings_stay_those_of_the_program_while_a_file_is_read(tmp_path, ending):
    path, frame = tmp_path / f"cases.{ending}", pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, 5.0, 6.0]})
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    before, of_module = list(warnings.filters), warnings.filters
    blocks = tables.read_blocks(path, COLUMNS, n_rows=2)
    first = next(blocks)
    assert warnings.filters is of_module
    assert warnings.filters == before
    with warnings.catch_warnings():  # as other threads do, which is not over when the file is
        pd.testing.assert_frame_equal(pd.concat([first, *blocks]), frame)
    assert warnings.filters is of_module


@pytest.mark.parametrize("n_rows", [1, 2, 100])
@pytest.mark.parametrize("lines", ["1,2,3\n4,5\n6,7\n", "\n1,2,\n4,5\n", "1,2\n4,5,6\n", "1,2\n4,5\n6,7\n8,9,10\n"])
def test_a_line_with_more_cells_than_the_header_is_refused_wherever_it_stands(tmp_path, lines, n_rows):
    path = tmp_path / "cases.csv"
    path.write_text(f"x,y\n{lines}")
    with pytest.raises(DataError, match=r"cannot be read as a table of 2 columns: Expected 2 fields in .*, saw 3\."):
        list(tables.read_blocks(path, COLUMNS, n_rows=n_rows))


@pytest.fixture
def decided(tmp_path):
    """Answers to a file in blocks of 20, with its column ``id`` copied."""
    frame = cases(240, 0).dropna()
    model = costs.BayesDecisionClassifier(LogisticRegression(), "equal").fit(frame[["amount", "rate"]], frame["grade"])
    save_model(model, tmp_path / "m.csboost")

    def run(path, *options):
        argv = ["decide", str(tmp_path / "m.csboost"), str(path), "--out", str(tmp_path / "answers.csv")]
        code = main([*argv, "--keep", "id", "--block-rows", "20", *options])
        return pd.read_csv(tmp_path / "answers.csv") if code == 0 else code

    return run


@pytest.mark.parametrize("limit", [(), ("--limit", "poor=9")])
def test_an_excel_sheet_is_read_once_and_answered_like_any_file(tmp_path, decided, monkeypatch, limit):
    frame, read = cases(90, 1).dropna(), []
    frame.to_csv(tmp_path / "new.csv", index=False)
    frame.to_excel(tmp_path / "new.xlsx", index=False)
    original = pd.read_excel
    monkeypatch.setattr(pd, "read_excel", lambda *args, **options: read.append(1) or original(*args, **options))
    pd.testing.assert_frame_equal(decided(tmp_path / "new.xlsx", *limit), decided(tmp_path / "new.csv", *limit))
    assert len(read) == 1


@pytest.mark.parametrize("limit", [(), ("--limit", "poor=9")])
@pytest.mark.parametrize("index", [None, "id", "rate"])
def test_of_parquet_only_what_is_wanted_is_read_and_the_file_is_closed(tmp_path, decided, monkeypatch, index, limit):
    frame, opened, asked = cases(90, 1).dropna(), [], set()
    frame.to_csv(tmp_path / "new.csv", index=False)
    (frame if index is None else frame.set_index(index)).to_parquet(tmp_path / "new.parquet", index=index is not None)

    class Watched(parquet.ParquetFile):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            opened.append(self)

        def iter_batches(self, *args, columns=None, **options):
            asked.update(columns)
            return super().iter_batches(*args, columns=columns, **options)

    wanted = decided(tmp_path / "new.csv", *limit)
    monkeypatch.setattr(parquet, "ParquetFile", Watched)
    pd.testing.assert_frame_equal(decided(tmp_path / "new.parquet", *limit), wanted)
    assert asked == {"id", "amount", "rate"}
    assert all(file.closed for file in opened)


def test_parquet_that_is_damaged_within_is_named_and_columns_of_one_name_are_refused(tmp_path, decided, capsys):
    path = tmp_path / "new.parquet"
    cases(90, 1).dropna().to_parquet(path, index=False)
    data = bytearray(path.read_bytes())
    data[4 : len(data) // 3] = bytes(len(data) // 3 - 4)
    path.write_bytes(data)
    assert decided(path) == 3
    assert f"{path} cannot be read as a parquet file" in capsys.readouterr().err
    pd.DataFrame({"x": [1.0], " x": [2.0], "y": [3.0]}).to_parquet(path)
    with pytest.raises(DataError, match="new.parquet names 'x' more than once"):
        next(tables.read_blocks(path, COLUMNS))


def test_columns_of_parquet_may_have_blanks_around_their_names_and_points_in_them(tmp_path):
    path = tmp_path / "new.parquet"
    pd.DataFrame({" x ": [1.0, 2.0, 3.0], "x.y": [7.0, 8.0, 9.0], "y": [4.0, np.nan, 6.0]}).to_parquet(path)
    assert tables.column_names(path) == ["x", "x.y", "y"]
    found = pd.concat(tables.read_blocks(path, COLUMNS, n_rows=2))
    pd.testing.assert_frame_equal(found, pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, np.nan, 6.0]}))
