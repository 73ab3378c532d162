"""What the lists find, in sentences for the top of their reports, and names and numbers in figures."""

from __future__ import annotations

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from bench.published import readings
from bench.show.figures import short
from bench.show.own_file import described, pictures
from bench.show.suite.pictures import name_points
from bench.studies import calibrated, decided


def test_deciding_by_other_tables_is_judged_over_scenarios():
    table = pd.DataFrame({"scenario": ["1", "1", "2", "2"], "model": ["A", "B"] * 2, "ratio": [1.0, 1.25, 1.5, 0.75]})
    sentence = decided.finding(table)
    assert "1.250 times as much with A (1.000 to 1.500 by scenario)" in sentence
    assert "and 1.000 times as much with B (0.750 to 1.250 by scenario)." in sentence


def test_calibration_names_the_cheapest_and_the_best_calibrated_of_what_ran_everywhere():
    lines = [("1", "A", "x", 1.5, 1.1), ("2", "A", "x", 0.9, 1.3), ("1", "B", "y", 1.2, 1.4), ("2", "B", "y", 0.8, 1.2),
             ("1", "C", "z", 1.0, 1.0)]  # fmt: skip
    table = pd.DataFrame(lines, columns=["scenario", "fit", "link", "expected", "cost"])
    assert calibrated.finding(table) == (
        "Answers cost least with A, x: 1.200 times the Bayes rule's (mean over 2 scenarios). "
        "Estimated expected costs are nearest to the exact ones with B, y: off by 20.0%."
    )
    assert "1.000 times the Bayes rule's (one scenario)" in calibrated.finding(table[table["scenario"] == "1"])
    assert calibrated.finding(table.iloc[[1, 4]]) == ""


def test_the_reading_nearest_to_print_is_named_for_each_algorithm():
    lines = [("A", "random", "as published", 3.0), ("A", "random", "as published", -1.0),
             ("A", "grouped", "other", 1.5), ("A", "grouped", "other", 1.5),
             ("B", "grouped", "as published", -4.0)]  # fmt: skip
    table = pd.DataFrame(lines, columns=["algorithm", "split", "reading", "difference"])
    sentence = readings.finding(table)
    assert sentence.endswith(": A 1.5 (grouped split, other); B 4.0 (grouped split, as published).")
    assert readings.finding(table.assign(difference=np.nan)) == ""


def test_long_names_leave_room_for_the_picture():
    assert short("good payer") == "good payer"
    assert short("x" * 28) == "x" * 28
    assert short("abcdefghijklmnopqrstuvwxyz 0123456789") == "abcdefghijklmn…yz 0123456789"


def test_the_sources_of_the_cost_are_drawn_with_whole_numbers_of_answers():
    truth, answer = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 0, 1])
    weight = np.array([0.25, 0.25, 1 / 6, 1 / 6, 1 / 6])  # two splits, of two rows and three
    given = SimpleNamespace(truth=truth, answers={"Best": answer}, weight=weight)
    about = SimpleNamespace(matrix=np.array([[0.0, 2.0], [6.0, 0.0]]), classes=("a", "b" * 40), answers=("a", "b" * 40))
    worth, asked = SimpleNamespace(given=given, best="Best"), SimpleNamespace(about=about)
    paid, counts = pictures.paid_per_case(worth, asked)
    assert paid.to_numpy() == pytest.approx(np.array([[0, 0.5], [2.0, 0]]))
    assert counts.to_numpy().tolist() == [[1, 1], [2, 1]]
    figure = pictures.where_it_pays(worth, asked)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["0", "0.50", "2.00", "0", "n=1", "n=1", "n=2", "n=1"]
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["a", short("b" * 40)]
    plt.close(figure)
    assert described.describe_where_it_pays(worth, asked) == (
        f"The cost of Best, 2.500 per case, is made of: 2.000 from a true {'b' * 40} answered a, "
        f"0.500 from a true a answered {'b' * 40}."
    )


def test_names_of_points_do_not_touch_each_other():
    figure, axes = plt.subplots(figsize=(8, 5))
    rng = np.random.default_rng(0)
    points = [(f"Competitor {place}", *rng.random(2)) for place in range(14)]
    axes.plot([x for _, x, _ in points], [y for _, _, y in points], "o")
    figure.draw_without_rendering()
    name_points(axes, points)
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 14
    touching = [(i, j) for i in range(14) for j in range(i) if boxes[i].overlaps(boxes[j])]
    assert touching == []
    plt.close(figure)
