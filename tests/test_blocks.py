"""Files in blocks: what reading them leaves alone, and what it refuses whatever the size of blocks."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest

from csboost import tables
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
