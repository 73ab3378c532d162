"""The timing study: figures to reach, whether they are reached, and reasons for what was not measured."""

from __future__ import annotations

import pytest
from timing_rows import all_rows, changed, rows_of

from bench.timing import measured, targets, verdicts
from bench.timing.contestants import EARLIER, REFERENCE


@pytest.fixture(scope="module")
def everything():
    return all_rows()


def test_the_figures_of_the_table(everything):
    found = targets.evaluate(everything).set_index("work")
    assert len(found) == 31
    lines = dict(zip(verdicts.whole_labels(found.index), found.to_dict("records"), strict=True))

    def told(start):
        (line,) = (values for label, values in lines.items() if label.startswith(start))
        return line["measured"], line["mark"]

    def also(text):
        (start,) = (label for label in lines if text in label)
        return told(start)

    assert told("whole fit, 500,000 x 57, K = 7, 2 threads, 100") == (pytest.approx(8.0), "ok")  # 0.08 over 0.01
    assert told("round, 500,000 x 57, K = 7, 2 threads: against L") == (pytest.approx(8.0), "ok")
    assert also("K = 7, 2 threads: against XGBoost hist") == (pytest.approx(5.0), "missed")
    assert told("round, 500,000 x 57, K = 7, 2 threads: against XGBoost multi") == (pytest.approx(6.0), "ok")
    vectors = "round of 8 vector leaves, 500,000 x 57, K = 7, 2 threads: against"
    assert told(f"{vectors} LightGBM") == (pytest.approx(9.0), "ok, aim met")
    assert told(f"{vectors} XGBoost multi") == (pytest.approx(3.0), "missed")
    assert told("setup, 500,000") == (pytest.approx(16.0), "missed")
    assert told("two threads against one, 500,000 rows: a round") == (pytest.approx(2.0), "ok, aim met")
    assert also(", whole fit of 100 rounds") == (pytest.approx(2.0), "ok, aim met")
    assert told("fit, 300 x 21, K = 3, 200 rounds, 1 thread: against LightGBM") == (pytest.approx(8.0), "ok")
    assert also("against scikit") == (pytest.approx(90.0), "ok, aim met")
    assert told("predict 1,000,000 x 57, 200 rounds, K = 7, 2 threads: against LightGBM") == (
        pytest.approx(8.0),
        "missed",
    )
    assert also("200 rounds, K = 7, 2 threads: against its own") == (pytest.approx(1.5), "missed")
    assert told("round, credit layout") == (pytest.approx(1.5), "ok")
    assert told("round, K = 100 over K = 7") == (pytest.approx(100 / 7), "ok")
    assert told("round of vector leaves, K = 100 over K = 5") == (pytest.approx(20.0), "ok")
    assert told("vector leaves, K = 100, 100,000 x 50: peak") == (1.0, "ok")
    assert told("K = 1,000, 50,000") == (1.0, "ok")
    assert told("first fit in a new process: empty") == (8.0, "ok")
    assert also("process: a second") == (0.5, "ok")
    assert also("process: warm") == (0.25, "ok, aim met")
    assert told("all that one user meets") == (30.0, "missed")
    assert (
        lines["predict 1,000,000 x 57, 200 rounds, K = 7, 2 threads: against its own earlier code"]["note"]
        == "earlier code 0123456789ab"
    )
    slowest = lines["the other five boosters against Angle AdaBoost, 300 rows"]
    assert slowest["measured"] == pytest.approx(1.7)
    assert slowest["mark"] == "missed"
    assert slowest["note"] == "AdaBoost.MH, the slowest of 5"
    assert lines["time at 2n over time at n, 250,000 to 4,000,000 rows"]["measured"] == pytest.approx(2.0)
    memory = lines["peak memory beyond X (float32), 5,000,000 x 57, K = 7"]
    assert (memory["measured"], memory["mark"]) == (1.0, "ok")
    assert memory["note"] == "libraries and y included; the fit itself 0.75 GiB"


def test_ratios_are_formed_pair_by_pair():
    rows = rows_of({REFERENCE: [1.0, 2.0, 4.0], "LightGBM": [6.0, 12.0, 28.0]})
    found = measured.against("small-fit", "LightGBM")(rows)
    assert found.values == [6.0, 6.0, 7.0]
    assert found.median == 6.0


def test_the_spread_is_over_processes():
    rows = rows_of({REFERENCE: [1.0] * 6, "LightGBM": [6.0, 7.0, 20.0, 8.0, 9.0, 30.0]})
    for row in rows:
        row.process = row.replication // 3
    assert measured.against("small-fit", "LightGBM")(rows).values == [7.0, 9.0]
    assert measured.by_process([(4, 1.0), (4, 3.0)]) == [1.0, 3.0]
    assert measured.by_process([]) == []


def test_the_latest_earlier_code_counts():
    before, now = (
        [changed(row, against=code) for row in rows_of({REFERENCE: [1.0], EARLIER: [seconds]}, work="own-predict")]
        for code, seconds in (("a", 1.2), ("b", 1.8))
    )
    found = measured.against_earlier("own-predict")([*before, *now])
    assert (found.values, found.note) == ([1.8], "earlier code b")
    assert measured.against_earlier("own-predict")([]) is None


def marks_of(rows, absent=None):
    """The marks by labels that stand alone."""
    found = targets.evaluate(rows, absent)
    return dict(zip(verdicts.whole_labels(found["work"]), found["mark"], strict=True))


def only(marks, text):
    """The one mark whose label has a text."""
    (mark,) = (mark for label, mark in marks.items() if text in label)
    return mark


@pytest.mark.parametrize(("library", "peer"), [("LightGBM", "lightgbm"), ("XGBoost", "xgboost")])
def test_a_figure_names_the_library_that_it_lacks(everything, library, peer):
    there = [row for row in everything if library not in row.algorithm]
    marks = marks_of(there, {peer: f"{peer} is not installed"})
    lacking = {mark for label, mark in marks.items() if library in label}
    assert lacking == {f"not measured: {peer} is not installed"}
    assert not any("not measured" in mark for label, mark in marks.items() if library not in label)


def test_a_figure_says_what_was_not_asked_for(everything):
    small = marks_of([row for row in everything if row.size == "small"])
    assert only(small, "a round") == "not measured: --sizes medium"
    assert only(small, "peak memory beyond X (float32)") == "not measured: --sizes large"
    assert only(small, "predict 1,000,000 x 57, 200 rounds, K = 7, 2 threads: against its own") == (
        "not measured: --against CHECKOUT"
    )
    without_fits = [row for row in everything if row.work != "whole-fit"]
    assert only(marks_of(without_fits), "whole fit, 500,000") == "not measured: --works whole-fit"
    unasked = [row for row in everything if row.algorithm != "LightGBM"]
    assert only(marks_of(unasked), "fit, 300 x 21, K = 3, 200 rounds, 1 thread: against LightGBM") == (
        "not measured: --peers lightgbm"
    )
    alone = [row for row in everything if row.algorithm in (REFERENCE, "csboost")]
    assert only(marks_of(alone), "the other five boosters against Angle AdaBoost, 300 rows") == (
        "not measured: --algorithms"
    )


def test_a_figure_says_what_the_machine_lacks():
    reasons = {"thousand-classes": "too large for this machine's memory", "two-threads": "it takes two cores"}
    marks = marks_of([], reasons)
    assert only(marks, "K = 1,000") == "not measured: too large for this machine's memory"
    assert only(marks, "two threads against one, 500,000 rows: a round") == "not measured: it takes two cores"
    assert only(marks, "K = 100 over K = 7") == "not measured: --sizes large"


def test_a_figure_says_who_failed(everything):
    def failing(*names):
        error = {"status": "failed", "error": "MemoryError: no"}
        return marks_of([changed(row, **error) if row.algorithm in names else row for row in everything])

    light = failing("LightGBM")
    assert {mark for label, mark in light.items() if "against LightGBM" in label and "vector" not in label} == {
        "LightGBM failed: MemoryError"
    }
    assert only(failing("LightGBM, 8 leaves"), "vector leaves, 500,000 x 57, K = 7, 2 threads: against LightGBM") == (
        "LightGBM, 8 leaves failed: MemoryError"
    )
    assert "LightGBM" not in {mark.split(" failed")[0] for label, mark in light.items() if "LightGBM" not in label}
    peer, mine = failing("LightGBM, defaults"), failing("CostSensitive, defaults")
    assert {mark for label, mark in peer.items() if "over LightGBM" in label} == {
        "LightGBM, defaults failed: MemoryError"
    }
    assert {mark for label, mark in mine.items() if "CostSensitive over" in label} == {
        "CostSensitive, defaults failed: MemoryError"
    }
    assert "failed" not in only(mine, "one bag over LightGBM")
    every = failing(*{row.algorithm for row in everything} - {"LightGBM", "XGBoost"})
    assert only(every, "K = 1,000") == "Angle AdaBoost failed: MemoryError"
    assert only(every, "whole fit, 500,000") == "Angle AdaBoost failed: MemoryError"
    # The others' failure is not why nobody measured LightGBM.
    others = [
        changed(row, status="failed", error="MemoryError: no") if row.algorithm.startswith("XGBoost") else row
        for row in everything
        if row.algorithm != "LightGBM"
    ]
    assert only(marks_of(others), "round, 500,000 x 57, K = 7, 2 threads: against LightGBM") == (
        "not measured: --peers lightgbm"
    )


def test_what_departs_from_the_figure_has_no_mark():
    quick = rows_of({REFERENCE: [1.0], "LightGBM": [1.0]}, variant="quick")
    (target,) = (t for t in targets.TARGETS if t.work == "small-fit" and t.peer == "lightgbm")
    assert target.mark(target.find(quick)) == "no mark: quick"
    full = rows_of({REFERENCE: [1.0], "LightGBM": [20.0]})
    assert target.mark(target.find([*full, *quick])) == "ok, aim met"
    assert target.mark(None) == "not measured: --sizes small"


@pytest.mark.parametrize(("value", "mark"), [(1.1, "ok, aim met"), (1.2, "ok, aim met"), (1.5, "ok"), (1.61, "missed")])
def test_at_most(value, mark):
    rows = rows_of({REFERENCE: [1.0], "SAMME": [value], "p-norm": [1.0]})
    target = next(t for t in targets.TARGETS if t.label.startswith("the other five"))
    assert target.mark(target.find(rows)) == mark


def test_the_largest_doubling_counts():
    rows = [row for n, value in [(1, 1.0), (2, 1.9), (4, 4.2), (16, 90.0)] for row in
            rows_of({REFERENCE: [value]}, work="doubling", n=n)]  # fmt: skip
    found = measured.doubling(rows)
    assert found.median == pytest.approx(4.2 / 1.9)
    assert found.note == "largest of 2: 2 to 4 rows"


def test_an_infinite_floor_is_reached_by_what_runs_and_has_no_aim(everything):
    line = targets.evaluate(everything).set_index("work").loc["K = 1,000, 50,000 x 57: peak memory beyond X"]
    assert (line["measured"], line["mark"]) == (1.0, "ok")


def test_rows_of_before_the_latest_works_are_still_drawn():
    before = rows_of({REFERENCE: [1.0], "LightGBM": [7.0]}, work="large-round", size="medium", variant="")
    found = targets.evaluate(before).set_index("work")["mark"]
    assert found["round, 500,000 x 57, K = 7, 2 threads: against LightGBM"] == "missed"
    (setup,) = (mark for label, mark in found.items() if label.startswith("setup"))
    assert setup == "not measured: --works large-round"
