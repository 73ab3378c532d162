"""The report and its finding: complete, and without a network."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from test_bench_fakes import register, rows_of, run_here

from bench import exits, simulations
from bench.rows.files import ROWS
from bench.rows.row import of_json
from bench.rows.settings import SETTINGS
from bench.show import findings, layouts, results
from bench.studies.study import Selection

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
    assert done.returncode == exits.DONE, done.stderr
    return out


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
        self.tags, self.open, self.links, self.ids = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in ("meta", "img", "br", "link", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_report_is_whole_and_needs_no_network(folder):
    text = (folder / "report.html").read_text()
    page = Page(text)
    assert page.open == []
    assert page.tags.count("img") == 3
    within = [link[1:] for link in page.links if link.startswith("#")]
    assert set(within) <= set(page.ids)
    assert all(link.startswith("data:image/png;base64,") for link in page.links if link[1:] not in within)
    assert not re.search(r"https?://", text)
    assert "@import" not in text
    assert page.tags.count("table") == 3  # the paper's layout, every cell, the machine
    for words in (
        "Protocol: faithful",
        "Minus paper",
        "over all pairs",
        "Fake A",
        "24 of 24 jobs done",
        "How to repeat it",
        "Machine and versions",
    ):
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
    done = results.finished(map(of_json, rows))
    found = results.curves_of(done, selection, STUDY.scenarios[0], "faithful")
    assert found["Fake A"].shape == (5, 8)
    assert found["Constant"].shape == (5, 1)
    assert np.isnan(found["Fake A"][4]).all()
    for row in rows:
        if row["scenario"] == "simulation1" and row["algorithm"] == "Fake A":
            assert found["Fake A"][row["replication"]].tolist() == row["cost_curve"]


def test_the_report_states_its_finding_first(folder):
    text = (folder / "report.html").read_text()
    found = re.search(r'</h1>\s*<p class="finding">(.*?)</p>', text).group(1)
    means = pd.read_csv(folder / "table.csv").set_index("algorithm")
    for label, scenario in (("Simulation 1", "simulation1"), ("Simulation 2c", "simulation2")):
        mean = means[means["scenario"] == scenario]["mean"]
        assert f"{label}: {mean.idxmin()} {mean.min():.3f}, not told apart from" in found
    assert found in (folder / "table.md").read_text()


def test_the_best_sorts_first_by_its_distance_from_the_best(folder):
    text = (folder / "report.html").read_text()
    values = [float(value) for value in re.findall(r'<td data-value="([^"]*)">(?:best|\d\.\d{4})</td>', text)]
    assert len(values) == 6
    assert '<td data-value="0.0">best</td>' in text


def result_of(costs, **settings):
    rows = [
        {"scenario": "simulation1", "costs": "equal", "algorithm": name, "protocol": "faithful", "replication": r,
         "status": "done", "test_cost": value}
        for name, values in costs.items() for r, value in enumerate(values)
    ]  # fmt: skip
    selection = Selection(STUDY.scenarios[:1], tuple(costs), ("faithful",), 12)
    return results.evaluate(STUDY, selection, results.finished(map(of_json, rows)), "faithful", **settings)


def test_the_finding_names_what_is_not_told_apart():
    base = np.random.default_rng(0).random(12)
    close = base + np.tile([0.1, -0.08], 6)
    sentence = findings.finding(result_of({"SAMME": base, "p-norm": close, "AdaBoost.MH": base + 1}))
    assert sentence.startswith("Lowest mean test cost (faithful protocol). Simulation 1: SAMME ")
    assert f"SAMME {base.mean():.3f}, not told apart from p-norm. (" in sentence
    clear = result_of({"SAMME": base, "p-norm": base + 1})
    assert "SAMME" in findings.finding(clear)
    assert "told apart from all others" in findings.finding(clear)
    assert "told apart" not in findings.finding(result_of({"SAMME": base}))
    assert findings.finding(result_of({"SAMME": []})) == ""


def test_the_differences_direction_is_said_where_print_is_shown():
    assert "mean minus the paper's" in layouts.legend(True)
    assert "+ costs more than print" in layouts.legend(True)
    assert "paper" not in layouts.legend(False)


def test_print_is_not_set_beside_what_it_does_not_compare_with():
    shown = result_of({"SAMME": np.ones(12)})
    hidden = result_of({"SAMME": np.ones(12)}, printed=findings.comparable({"full": True}))
    assert shown.blocks[0].cells["SAMME"].published_text == "0.182"
    assert hidden.blocks[0].cells["SAMME"].published_text == ""
    assert not findings.has_print([hidden])
    assert findings.caveats([shown], 12, {"rounds": 20}) == [
        "The paper's figures are after 200 rounds, these after 20."
    ]
    assert findings.caveats([shown], 12, {"rounds": 200}) == []
    assert "as frequent as they come" in findings.caveats([hidden], 12, {"full": True})[0]
