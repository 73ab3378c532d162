"""The timing study: the figures to reach as a reader meets them, in a sentence, a table and a picture."""

from __future__ import annotations

import pytest
from timing_rows import all_rows, rows_of

from bench.timing import figures, targets, verdicts
from bench.timing.contestants import REFERENCE, SKLEARN_ADABOOST


@pytest.fixture(scope="module")
def everything():
    return all_rows()


def test_the_finding_counts_and_names_what_misses_its_floor():
    slow = rows_of({REFERENCE: [1.0], "LightGBM": [3.0]})
    sentence = verdicts.finding(targets.evaluate(slow))
    assert sentence.startswith("0 of 1 measured figures reach their floor, 0 of them their aim. Missed: fit, 300 x 21")
    assert "against LightGBM (3.00x)." in sentence
    assert sentence.endswith(f"Without a verdict: {len(targets.TARGETS) - 1}.")
    assert verdicts.finding(targets.evaluate([])).startswith(f"None of the {len(targets.TARGETS)}")


def test_in_a_sentence_every_figure_stands_alone():
    labels = [
        "fit, K = 3: against LightGBM",
        "the same against XGBoost hist",
        "five, 300 rows",
        "the same, 500,000 rows",
    ]
    assert verdicts.whole_labels(labels) == [
        "fit, K = 3: against LightGBM", "fit, K = 3: against XGBoost hist", "five, 300 rows", "five, 500,000 rows",
    ]  # fmt: skip
    whole = verdicts.whole_labels(target.label for target in targets.TARGETS)
    assert len(set(whole)) == len(whole)
    assert not any("the same" in label for label in whole)
    expanded = [label for label, target in zip(whole, targets.TARGETS, strict=True) if label != target.label]
    assert expanded == [
        "round, 500,000 x 57, K = 7, 2 threads: against XGBoost hist",
        "round, 500,000 x 57, K = 7, 2 threads: against XGBoost multi_output_tree",
        "round of 8 vector leaves, 500,000 x 57, K = 7, 2 threads: against XGBoost multi_output_tree",
        "two threads against one, 500,000 rows, whole fit of 100 rounds",
        "fit, 300 x 21, K = 3, 200 rounds, 1 thread: against scikit-learn's AdaBoost",
        "predict 1,000,000 x 57, 200 rounds, K = 7, 2 threads: against its own earlier code",
        "first fit in a new process: a second number of classes",
        "first fit in a new process: warm cache",
        "the other five boosters against Angle AdaBoost, 500,000 rows",
        "whole fit at the defaults, 2,000 x 20, K = 5, 1 thread, two clusters a class: CostSensitive over LightGBM",
        "whole fit at the defaults, 2,000 x 20, K = 5, 1 thread, two clusters a class: CostSensitive over CatBoost",
        "whole fit at the defaults, 2,000 x 20, K = 5, 1 thread, two clusters a class: one bag over LightGBM",
    ]


def test_the_view_has_the_verdict_second_and_goals_in_words(everything):
    frame = verdicts.target_view(targets.evaluate(everything)).frame
    assert list(frame.columns) == ["work", "verdict", "floor", "aim", "measured", "spread"]
    lines = {line["work"].split(" (")[0]: line for line in frame.to_dict("records")}
    setup = lines["setup, 500,000 x 57, K = 7, 2 threads: in rounds of its own fit"]
    assert list(setup.values())[1:] == ["missed", "at most 14 rounds", "10 rounds", "16.0 rounds", ""]
    many = lines["K = 1,000, 50,000 x 57: peak memory beyond X"]
    assert (many["verdict"], many["floor"], many["aim"], many["measured"]) == ("ok", "runs", "", "1.00 GiB")
    fit = lines["fit, 300 x 21, K = 3, 200 rounds, 1 thread: against LightGBM"]
    assert (fit["floor"], fit["aim"]) == ("at least 6.5x", "9x")


def test_logarithmic_axes_say_so(everything):
    for axes in figures.scaling(everything, "sweep-n").axes:
        assert axes.get_yscale() == "log"
        assert "log scale" in axes.get_xlabel()
        assert "log scale" in axes.get_title()
    (axes,) = figures.ratios(targets.evaluate(everything)).axes
    assert axes.get_xlabel() == "ratio (log scale)"


def test_a_figure_names_each_ratio_in_full():
    rows = rows_of({REFERENCE: [1.0], SKLEARN_ADABOOST: [50.0]})  # the line above it has no value
    (axes,) = figures.ratios(targets.evaluate(rows)).axes
    (text,) = (label.get_text() for label in axes.get_yticklabels())
    assert " ".join(text.split()) == (
        "fit, 300 x 21, K = 3, 200 rounds, 1 thread: against scikit-learn's AdaBoost (at least)"
    )
