"""Figures and report: drawn from the rows, complete, and without a network."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import matplotlib.colors
import numpy as np
import pytest
from test_bench_fakes import register, run_here

from bench import cli, figures, simulations
from bench.algorithms import REGISTRY
from bench.store import ROWS, SETTINGS
from bench.study import Selection

STUDY = simulations.make_study(simulations.parser().parse_args([]))
WORDS = [
    "--algorithms",
    "Fake A",
    "Fake B",
    "Constant",
    "--replications",
    "4",
    "--rounds",
    "8",
    "--scenarios",
    "1",
    "2c",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    done = run_here("simulations", *WORDS, "--out", out)
    assert done.returncode == cli.DONE, done.stderr
    return out


def rows_of(folder):
    return [json.loads(line) for line in (folder / ROWS).read_text().splitlines()]


def test_every_output_is_written(folder):
    names = {path.name for path in folder.iterdir()}
    scenarios = ("simulation1-equal-faithful", "simulation2-wang-faithful", "ranks-faithful")
    pictures = {f"figure-{scenario}.{suffix}" for scenario in scenarios for suffix in ("png", "pdf")}
    files = {"table.csv", "table.md", "table.tex", "report.html", "environment.json", ROWS, SETTINGS, ".lock"}
    assert names == pictures | files
    environment = json.loads((folder / "environment.json").read_text())
    assert environment["cores"] >= 1
    assert environment["processor"]
    assert environment["versions"]["numpy"] == np.__version__


class Page(HTMLParser):
    """Collects tags and text, and notes a tag that is not closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.links = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_report_is_whole_and_needs_no_network(folder):
    text = (folder / "report.html").read_text()
    page = Page(text)
    assert page.open == []
    assert page.tags.count("img") == 3
    assert all(link.startswith("data:image/png;base64,") for link in page.links)
    assert not re.search(r"https?://", text)
    assert "@import" not in text
    assert page.tags.count("table") == 3  # the paper's layout, every cell, the machine
    for words in ("Protocol: faithful", "Fake A", "24 of 24 jobs done", "How to repeat it", "Machine and versions"):
        assert words in text
    assert (
        "python -m bench.simulations --algorithms &#39;Fake A&#39; &#39;Fake B&#39; Constant --replications 4" in text
    )
    assert '<meta name="viewport"' in text
    assert "@media print" in text


def test_the_report_shows_failures_and_mixed_versions(tmp_path):
    words = [
        "--algorithms",
        "Fake A",
        "Failing",
        "--replications",
        6,
        "--rounds",
        3,
        "--scenarios",
        1,
        "--out",
        tmp_path,
    ]
    run_here("simulations", *words)
    lines = rows_of(tmp_path)
    lines[0]["versions"]["numpy"] = "1.0"
    (tmp_path / ROWS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    run_here("simulations", "--render-only", "--out", tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert "odd seeds are beyond me" in text
    assert re.search(r"reps \d/6", text)
    assert f"numpy 1.0 and {np.__version__}" in text


def test_curves_come_from_the_rows(folder):
    register()
    rows = rows_of(folder)
    selection = Selection(STUDY.scenarios[:1], ("Fake A", "Constant"), ("faithful",), 5)
    curves = figures.curves_of(rows, selection, STUDY.scenarios[0], "faithful")
    assert curves["Fake A"].shape == (5, 8)
    assert curves["Constant"].shape == (5, 1)
    assert np.isnan(curves["Fake A"][4]).all()
    for row in rows:
        if row["scenario"] == "simulation1" and row["algorithm"] == "Fake A":
            assert curves["Fake A"][row["replication"]].tolist() == row["cost_curve"]


def draw(curves, bayes_cost=None):
    return figures.cost_curves(curves, STUDY, STUDY.scenarios[0], "faithful", 0, bayes_cost)


def test_the_figure_draws_mean_band_and_one_replication():
    curves = {
        "SAMME": np.linspace(1, 0.5, 40) + np.random.default_rng(0).normal(0, 0.02, (6, 40)),
        "p-norm": np.full((6, 40), 0.6),
    }
    curves["p-norm"][2] = np.nan
    left, right = draw(curves, 0.3).axes
    lines = {line.get_label(): line for line in left.get_lines()}
    assert lines["SAMME"].get_ydata() == pytest.approx(curves["SAMME"].mean(axis=0))
    assert set(lines) == {"SAMME", "p-norm", "Bayes cost"}
    band = left.collections[0].get_paths()[0].vertices[:, 1]
    error = curves["SAMME"].std(axis=0, ddof=1) / np.sqrt(6)
    assert band.max() == pytest.approx((curves["SAMME"].mean(axis=0) + 2 * error).max())
    chosen = int(re.search(r"replication (\d+), chosen at random", right.get_title()).group(1))
    assert chosen != 2
    assert right.get_lines()[0].get_ydata() == pytest.approx(curves["SAMME"][chosen])
    assert left.get_xlabel() == right.get_xlabel() == "boosting round"
    assert left.get_ylabel() == "test cost per row"


def test_the_legend_covers_no_curve():
    figure = draw(
        {"SAMME": np.random.default_rng(0).random((3, 20)), "p-norm": np.random.default_rng(1).random((3, 20))}, 0.1
    )
    figure.canvas.draw()
    legend = figure.legends[0].get_window_extent()
    assert not any(legend.overlaps(axes.get_window_extent()) for axes in figure.axes)
    assert all(axes.get_legend() is None for axes in figure.axes)


def test_every_algorithm_has_a_look_of_its_own():
    known = {name: REGISTRY[name] for name in list(REGISTRY)[:12]}
    colours = [matplotlib.colors.to_hex(algorithm.colour) for algorithm in known.values()]
    assert len(set(colours)) == len(colours)
    looks = [(algorithm.dashes, algorithm.marker) for algorithm in known.values()]
    assert len(set(looks)) == len(looks)


def test_wide_spans_get_a_logarithmic_axis():
    flat = np.ones((2, 30))
    assert draw({"SAMME": flat, "p-norm": 1.5 * flat}).axes[0].get_yscale() == "linear"
    assert draw({"SAMME": flat, "p-norm": 9.0 * flat}).axes[0].get_yscale() == "log"
