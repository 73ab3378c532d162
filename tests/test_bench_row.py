"""The schema of a stored row: declared once, and checked wherever a row enters or leaves the file."""

from __future__ import annotations

import json
import math

import pytest
from test_bench_fakes import run_here

from bench import exits
from bench.rows import store
from bench.rows.files import ROWS
from bench.rows.row import Job, Row, columns, fault_of_row, of_json
from bench.rows.store import Store

KEY = {"scenario": "s", "costs": "equal", "algorithm": "A", "protocol": "faithful", "replication": 0}
VERSIONS = {"versions": {"numpy": "2.0"}}


def reading(**values):
    return Row(study="readings", **KEY, seed=0, **values, **VERSIONS)


def test_a_row_has_the_columns_that_it_was_given_in_the_order_of_their_declaration():
    row = Row(**VERSIONS, test_cost=0.5, status="done", **KEY, study="readings")
    assert list(row.stored()) == ["study", *KEY, "status", "test_cost", "versions"]
    assert row.job == Job("s", "equal", "A", "faithful", 0)
    assert row.is_done
    assert row.setup_seconds is None  # its readers ask whether there is one
    with pytest.raises(AttributeError, match="cost_curve"):
        _ = row.cost_curve


def test_a_column_that_nobody_declared_is_named():
    with pytest.raises(TypeError, match=r"a row has no column 'test_costs'; declare it in bench.rows.row.Row"):
        Row(**KEY, test_costs=0.5)


def test_every_column_says_its_kind():
    assert {"test_cost", "cost_curve", "value", "lines", "versions"} <= columns().keys()
    assert all(column.kind.name and callable(column.needed) for column in columns().values())
    assert set(vars(Row)["__annotations__"]) == columns().keys()


def test_columns_of_a_later_version_are_passed_over():
    values = {**KEY, "status": "done", "test_cost": 0.5, "mood": "good", **VERSIONS}
    assert fault_of_row(values, "readings") is None
    assert of_json(values) == Row(**KEY, status="done", test_cost=0.5, **VERSIONS)


@pytest.mark.parametrize("cost", [math.nan, "much", None])
def test_what_no_reader_would_take_is_stored_as_a_failure(tmp_path, cost):
    with Store(tmp_path, "readings") as opened:
        opened.open({"seed": 0})
        opened.append([reading(status="done", test_cost=cost)])
        (row,) = opened.rows()
    assert not row.is_done
    assert row.error == f"what was measured cannot be stored: test_cost is {cost!r}, not a number"
    assert json.loads((tmp_path / ROWS).read_text()) == row.stored()


def test_a_row_that_says_not_whose_it_is_cannot_be_stored(tmp_path):
    with Store(tmp_path, "readings") as opened:
        opened.open({"seed": 0})
        with pytest.raises(ValueError, match="versions is missing"):
            opened.append([Row(**KEY, status="failed", error="because")])
    assert (tmp_path / ROWS).read_bytes() == b""


def test_what_is_appended_is_known_without_reading_the_file_again(tmp_path):
    with Store(tmp_path, "readings") as opened:
        opened.open({"seed": 0})
        assert opened.done() == set()
        opened.append([reading(status="failed", error="because")])
        assert opened.done() == set()
        opened.append([reading(status="done", test_cost=0.5), reading(status="done", test_cost=0.7)])
        (row,) = opened.rows()
        assert opened.done() == {row.job}
        assert row.test_cost == 0.5
    with Store(tmp_path, "readings") as again:
        assert again.rows() == [row]


def test_a_run_reads_the_row_file_once(tmp_path, monkeypatch):
    read = []
    real = store.read_rows
    monkeypatch.setattr(store, "read_rows", lambda *of: read.append(of) or real(*of))
    words = ["--algorithms", "Fake A", "--replications", 2, "--rounds", 3, "--scenarios", 1, "--out", tmp_path]
    for _ in range(2):  # a new run, and one that resumes
        assert run_here("simulations", *words).returncode == exits.DONE
    assert read == [(tmp_path / ROWS, "simulations")] * 2
