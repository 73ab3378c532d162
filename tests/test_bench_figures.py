"""Figures of a study: drawn from the rows, and readable."""

from __future__ import annotations

import re
from itertools import pairwise

import matplotlib.colors
import numpy as np
import pandas as pd
import pytest

from bench import simulations
from bench.algorithms import REGISTRY
from bench.show import curves, figures
from bench.show.ranks import rank_diagram
from bench.show.statistics import average_ranks

STUDY = simulations.make_study(simulations.parser().parse_args([]))


def draw(drawn, bayes_cost=None):
    return curves.cost_curves(drawn, STUDY, STUDY.scenarios[0], "faithful", 0, bayes_cost)


def texts_of(axes):
    return " ".join(text.get_text() for text in axes.texts)


def test_each_panel_draws_its_algorithm_with_a_band_and_one_replication():
    curves = {
        "SAMME": np.linspace(1, 0.5, 40) + np.random.default_rng(0).normal(0, 0.02, (6, 40)),
        "p-norm": np.full((6, 40), 0.6),
    }
    curves["p-norm"][2] = np.nan
    figure = draw(curves, 0.3)
    first, second = figure.axes
    assert [axes.get_title(loc="left").split()[0] for axes in figure.axes] == ["SAMME", "p-norm"]
    lines = {line.get_label(): line for line in first.get_lines()}
    assert lines["SAMME"].get_ydata() == pytest.approx(curves["SAMME"].mean(axis=0))
    (band,) = first.collections  # one band a panel: nothing overlaps
    error = curves["SAMME"].std(axis=0, ddof=1) / np.sqrt(6)
    assert band.get_paths()[0].vertices[:, 1].max() == pytest.approx((curves["SAMME"].mean(axis=0) + 2 * error).max())
    key = figure.get_supxlabel()
    assert "boosting round" in key
    assert "±2 standard errors" in key
    assert "Bayes cost 0.300" in key
    chosen = int(re.search(r"replication (\d+), chosen at random", key).group(1))
    assert chosen != 2
    assert lines["one replication"].get_ydata() == pytest.approx(curves["SAMME"][chosen])
    grey = [line.get_ydata() for line in second.get_lines() if line.get_color() == figures.GREY]
    assert grey[0] == pytest.approx(curves["SAMME"].mean(axis=0))  # the others stay in sight
    assert figure.get_supylabel() == "test cost per row"


def test_rounds_outside_the_picture_are_announced():
    high, low = np.ones((3, 40)), np.ones((3, 40))
    high[:, :3], low[:, :2] = 9.0, 0.1
    first, second, third = draw({"SAMME": high, "p-norm": low, "AdaBoost.M2": np.ones((3, 40))}).axes
    assert "rounds up to 3: partly above" in texts_of(first)
    assert "rounds up to 2: partly below" in texts_of(second)
    assert texts_of(third) == ""


def contrast(colour):
    """Contrast with white by the rule of the Web Content Accessibility Guidelines."""
    channels = np.array(matplotlib.colors.to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05)


def ranks_of(means, sources=None):
    return average_ranks(pd.DataFrame(means), sources)


def test_every_text_of_a_figure_can_be_read():
    ranks = ranks_of({"SAMME": [1.0, 2.0], "p-norm": [2.0, 1.0], "AdaBoost.MH": [3.0, 3.0]})
    curve = np.ones((3, 20))
    curve[:, 0] = 9.0
    for figure in (draw({"SAMME": curve, "p-norm": np.ones((3, 20))}, 0.5), rank_diagram(ranks, "faithful")):
        figure.draw_without_rendering()
        texts = [text for text in figure.findobj(matplotlib.text.Text) if text.get_text()]
        assert len(texts) > 5
        assert {text.get_text() for text in texts if contrast(text.get_color()) < 4.5} == set()


def test_tied_ranks_do_not_hide_each_other():
    ranks = ranks_of({"SAMME": [1.0, 2.0], "p-norm": [2.0, 1.0], "AdaBoost.MH": [3.0, 3.0]})
    assert ranks.average["SAMME"] == ranks.average["p-norm"] == 1.5
    (axes,) = rank_diagram(ranks, "faithful").axes
    places = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.get_lines() if line.get_marker() == "o"]
    assert len(set(places)) == 3
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "SAMME  1.50",
        "p-norm  1.50",
        "AdaBoost.MH  3.00",
    ]


def test_bars_of_ranks_meet_where_the_test_tells_nothing_apart():
    means = np.tile(np.arange(4.0), (20, 1))
    ranks = ranks_of(dict(zip(("SAMME", "p-norm", "AdaBoost.MH", "AdaBoost.M2"), means.T, strict=True)))
    (axes,) = rank_diagram(ranks, "faithful").axes
    bars = sorted(tuple(line.get_xdata()) for line in axes.get_lines() if line.get_marker() != "o")
    assert bars[0][1] - bars[0][0] == pytest.approx(ranks.critical_difference)
    for (_, right), (left, _) in pairwise(bars):
        assert (right < left) == (ranks.critical_difference < 1)
    one_source = ranks_of({"SAMME": [1.0] * 3, "p-norm": [2.0] * 3, "AdaBoost.MH": [3.0] * 3}, ["credit"] * 3)
    (axes,) = rank_diagram(one_source, "faithful").axes
    assert "cannot tell any two apart" in axes.get_title(loc="left")


def test_every_algorithm_has_a_look_of_its_own():
    known = {name: REGISTRY[name] for name in list(REGISTRY)[:12]}
    colours = [matplotlib.colors.to_hex(algorithm.colour) for algorithm in known.values()]
    assert len(set(colours)) == len(colours)
    looks = [(algorithm.dashes, algorithm.marker) for algorithm in known.values()]
    assert len(set(looks)) == len(looks)


def test_wide_spans_get_a_logarithmic_axis():
    flat = np.ones((2, 30))
    assert draw({"SAMME": flat, "p-norm": 1.5 * flat}).axes[0].get_yscale() == "linear"
    wide = draw({"SAMME": flat, "p-norm": 9.0 * flat})
    assert wide.axes[0].get_yscale() == "log"
    assert wide.get_supylabel() == "test cost per row (log scale)"
