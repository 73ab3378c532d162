"""What the table in CONTRIBUTING.md promises: one entry, and the new thing is known everywhere."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from cases import Hyperbola, easy
from test_bench_fakes import Constant

from bench import algorithms, simulations
from bench.command import cli, pipeline
from bench.rows.files import ROWS
from bench.studies.draws import draw_simulation
from bench.studies.study import Scenario, Study
from csboost import AngleBoostClassifier
from csboost.angle import losses
from csboost.weak import interface, rules

TOY = algorithms.Algorithm(Constant, "#661100")
FEW = ["--replications", "2", "--rounds", "3", "--jobs", "1"]


def test_a_loss_in_the_table_of_losses_is_known_by_name(monkeypatch):
    monkeypatch.setitem(losses.LOSSES, "hyperbola", lambda lum_a, lum_c: Hyperbola())
    X, y = easy()
    by_name, as_object = (AngleBoostClassifier(loss=loss, n_estimators=5) for loss in ("hyperbola", Hyperbola()))
    assert (by_name.fit(X, y).decision_function(X) == as_object.fit(X, y).decision_function(X)).all()
    with pytest.raises(ValueError, match="did you mean 'hyperbola'"):
        AngleBoostClassifier(loss="hyperbole").fit(X, y)


def test_type_checkers_know_the_names_of_all_losses():
    assert get_args(losses.LossName) == tuple(losses.LOSSES)


def test_every_leaf_rule_with_a_number_has_its_entries():
    numbers = [value for name, value in vars(interface).items() if name.isupper() and type(value) is int]
    assert sorted(numbers) == list(rules.LANES_PER_CLASS)
    assert len([name for name in vars(rules) if name.startswith("scan_")]) == len(numbers)


def test_a_competitor_in_the_registry_is_offered_run_and_shown(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(algorithms.REGISTRY, "Toy", TOY)
    assert "Toy" in simulations.parser().format_help()
    assert simulations.main(["--algorithms", "toy", "--scenarios", "2", *FEW, "--out", str(tmp_path)]) == 0
    assert "Toy" in capsys.readouterr().out
    assert "Toy" in (tmp_path / "report.html").read_text()
    assert "Toy" in (tmp_path / "table.csv").read_text()


def make_toy(options):
    """A study whose one scenario is a simulation of the paper under other costs."""
    scenarios = simulations.make_study(options).scenarios
    found = next(scenario for scenario in scenarios if scenario.scenario == "simulation2")
    twice = Scenario("twice", "simulation2", "twice", "Twice the costs", 2.0 * found.cost_matrix, found.classes)
    return Study("toy", "A toy", "row", (twice,), draw_simulation, 2)


def run_toy(folder):
    parser = cli.base_parser("toy", "A toy.", replications=2)
    parser.set_defaults(scenarios=None)
    return cli.run(parser, make_toy, ["--algorithms", "Toy", *FEW, "--out", str(folder)])


def test_a_study_runs_once_its_name_is_declared(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(algorithms.REGISTRY, "Toy", TOY)
    with pytest.raises(ValueError, match=r"'toy' would not be checked: add it to BOOSTERS in bench/rows/columns\.py"):
        run_toy(tmp_path)
    monkeypatch.setattr(pipeline, "BOOSTERS", (*pipeline.BOOSTERS, "toy"))
    assert run_toy(tmp_path) == 0
    rows = [json.loads(line) for line in (tmp_path / ROWS).read_text().splitlines()]
    assert [(row["study"], row["costs"], row["algorithm"]) for row in rows] == [("toy", "twice", "Toy")] * 2
    assert "Twice the costs" in capsys.readouterr().out
