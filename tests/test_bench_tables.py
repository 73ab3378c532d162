"""Tables: the right numbers in the right cells, in every layout."""

from __future__ import annotations

import argparse
import io
import math

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from bench import credit, simulations
from bench.published.printed import printed_costs
from bench.rows.row import Row
from bench.show import layouts, results, tables
from bench.show.tables import Block, Cell
from bench.studies.study import Selection

STUDY = simulations.make_study(argparse.Namespace(default_replications=100))
SELECTION = Selection(STUDY.scenarios[:2], ("SAMME", "p-norm"), ("faithful",), 4)
COSTS = {
    ("equal", "SAMME"): [0.10, 0.20, 0.30, 0.40],
    ("equal", "p-norm"): [0.20, 0.20, 0.20, None],
    ("wang", "SAMME"): [0.5, 0.5, 0.5, 0.5],
    ("wang", "p-norm"): [0.5, 0.5, 0.5, 0.5004],
}


def make_rows():
    rows = []
    for (costs, algorithm), values in COSTS.items():
        for replication, value in enumerate(values):
            key = {"scenario": "simulation1", "costs": costs, "algorithm": algorithm, "protocol": "faithful"}
            outcome = {"status": "failed"} if value is None else {"status": "done", "test_cost": value}
            rows.append(Row(**key, replication=replication, **outcome))
    return rows


def make_blocks(rows):
    return [
        tables.summarise(results.test_costs(results.finished(rows), SELECTION, scenario, "faithful"), scenario)
        for scenario in SELECTION.scenarios
    ]


def test_tidy_table():
    table = tables.tidy({"faithful": make_blocks(make_rows())}, "simulations")
    assert ",".join(table.columns) == (
        "study,scenario,costs,algorithm,protocol,mean,standard_error,replications,"
        "published_mean,published_standard_error"
    )
    first = table.iloc[0]
    assert list(first[:5]) == ["simulations", "simulation1", "equal", "SAMME", "faithful"]
    assert first["mean"] == pytest.approx(0.25)
    assert first["standard_error"] == pytest.approx(np.std(COSTS["equal", "SAMME"], ddof=1) / 2)
    assert (first["published_mean"], first["published_standard_error"]) == (0.182, 0.0008)
    assert list(table["replications"]) == [4, 3, 4, 4]
    assert list(table["costs"]) == ["equal", "equal", "wang", "wang"]


def test_the_order_of_the_rows_changes_no_bit():
    rows = make_rows()
    expected = tables.tidy({"faithful": make_blocks(rows)}, "s").to_csv()
    for seed in range(5):
        shuffled = list(np.random.default_rng(seed).permutation(rows))
        assert tables.tidy({"faithful": make_blocks(shuffled)}, "s").to_csv() == expected


def test_rows_outside_the_selection_are_left_out():
    extra = [Row(**{**row.stored(), "replication": 9, "test_cost": 99.0}) for row in make_rows()]
    assert make_blocks(make_rows() + extra) == make_blocks(make_rows())


def test_all_printed_cells_are_known():
    assert len(printed_costs()) == 24 + 18
    assert printed_costs()["credit", "partitioned-linear", "AdaBoost.MH"] == (19.61, 1.1272)


def test_the_difference_is_in_combined_standard_errors():
    cell = Cell(0.30, 0.03, 20, 20, 0.20, 0.04)
    assert cell.difference == pytest.approx(2.0)
    assert not Cell(0.2999, 0.03, 20, 20, 0.20, 0.04).is_far
    assert Cell(0.3001, 0.03, 20, 20, 0.20, 0.04).is_far
    assert Cell(0.0999, 0.03, 20, 20, 0.20, 0.04).difference_text == "-2.0 !"
    assert math.isnan(Cell(0.3, 0.03, 20, 20).difference)
    assert Cell(0.3, 0.03, 20, 20).difference_text == ""


def test_cell_texts():
    cell = Cell(0.18249, 0.00084, 17, 20, 0.182, 0.0008)
    assert (cell.mean_text, cell.error_text, cell.reps_text) == ("0.182", "(0.0008)", "reps 17/20")
    assert (cell.published_text, cell.published_error_text) == ("0.182", "(0.0008)")
    nothing = Cell(math.nan, math.nan, 0, 20)
    assert (nothing.mean_text, nothing.error_text, nothing.reps_text) == ("-", "(-)", "reps 0/20")


def test_what_prints_alike_is_lowest_together():
    equal, wang = make_blocks(make_rows())
    assert equal.lowest() == {"p-norm"}
    assert wang.lowest() == {"SAMME", "p-norm"}
    assert Block(STUDY.scenarios[0], {"A": Cell(math.nan, math.nan, 0, 3)}).lowest() == set()


def text_of(table, width=200):
    console = Console(file=io.StringIO(), width=width)
    console.print(table)
    return console.file.getvalue()


def test_terminal_table():
    text = text_of(layouts.terminal_table(make_blocks(make_rows()), {"1": (0.13289, 0.0002)}))
    lines = [line.split() for line in text.splitlines()]
    assert lines[0] == ["SAMME", "p-norm", "Bayes", "cost"]
    assert ["Simulation", "1", "0.250", "*0.200", "0.133"] in lines
    assert ["(0.0645)", "(0.0000)"] in lines
    assert ["reps", "3/4"] in lines
    assert ["paper", "0.182", "0.211"] in lines
    assert ["difference", "+1.1", "-9.2", "!"] in lines
    assert ["Simulation", "1c", "*0.500", "*0.500"] in lines


def test_the_papers_six_fit_80_columns():
    names = ["AdaBoost.MH", "SAMME", "AdaBoost.M2", "p-norm"] + ["Angle AdaBoost", "Angle LogitBoost"]
    study = credit.make_study(credit.parser().parse_args([]))
    cells = {name: Cell(12.345, 0.1234, 20, 20, 12.3, 0.1) for name in names}
    blocks = [Block(scenario, cells) for scenario in study.scenarios]
    text = text_of(layouts.narrow_table(blocks, {}), width=80)
    assert text.count("(0.1234)") == 18
    assert max(map(len, text.splitlines())) <= 80


def test_nine_competitors_fit_80_columns_too():
    study = credit.make_study(credit.parser().parse_args([]))
    blocks = [Block(s, {name: Cell(12.345, 0.1234, 20, 20) for name in credit.COMPETITORS}) for s in study.scenarios]
    text = text_of(layouts.narrow_table(blocks, {"linear": (0.5, 0.1)}), width=80)
    assert text.count("(0.1234)") == 27
    assert text.count("0.500") == 1
    assert max(map(len, text.splitlines())) <= 80


def test_markdown():
    lines = layouts.markdown(make_blocks(make_rows()), {"1": (0.13289, 0.0002)}).splitlines()
    assert lines[:2] == ["|  | SAMME | p-norm | Bayes cost |", "|---|---:|---:|---:|"]
    assert lines[2] == "| Simulation 1 | 0.250 (0.0645) | **0.200 (0.0000) reps 3/4** | 0.133 |"
    assert lines[3] == "| paper | 0.182 (0.0008) | 0.211 (0.0012) |  |"
    assert lines[4] == "| difference | +1.1 | -9.2 ! |  |"
    assert lines[5] == "| Simulation 1c | **0.500 (0.0000)** | **0.500 (0.0001)** |  |"


def test_latex():
    text = layouts.latex(make_blocks(make_rows()), {}, "A caption")
    assert r"\caption{A caption}" in text
    assert r"\toprule" in text
    assert r"Simulation 1 & 0.250 (0.0645) & \bfseries 0.200 (0.0000) reps 3/4 \\" in text
    assert r"\quad difference & +1.1 & -9.2 ! \\" in text


def test_constant_answers_of_the_credit_study():
    study = credit.make_study(credit.parser().parse_args([]))
    assert study.notes[0] == (
        "Best constant answer: Equal costs 0.857 (any grade); Linear costs 1.714 (always D); "
        "Partitioned-linear costs 3.000 (always G)."
    )


def test_table_csv_of_a_run_reads_back(tmp_path):
    table = tables.tidy({"faithful": make_blocks(make_rows())}, "simulations")
    table.to_csv(tmp_path / "table.csv", index=False)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "table.csv"), table, check_dtype=False)
