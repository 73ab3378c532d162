"""``python -m bench.experiments``: variants of the model to fit first on tuning sets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import compiled

from bench import exits, experiments
from bench.studies import variants
from bench.suite import sets, splits, tasks
from csboost import AngleGradientBoostingClassifier, costs


@compiled("many fits")
def test_the_table_repeats_by_hand(tmp_path, capsys):
    words = ["--sets", "wine", "--variants", "defaults", "4 leaves", "--splits", "1", "--seed", "3"]
    assert experiments.main([*words, "--out", str(tmp_path)]) == exits.DONE
    assert capsys.readouterr().out.splitlines()[0].split() == ["variant", "sets", "alone", "mixed", "time"]
    table = pd.read_csv(tmp_path / "table.csv").set_index("variant")
    data, rows = sets.load("wine"), splits.split(sets.load("wine"), 0)
    X, y, test_X, test_y = data.X.iloc[rows.train], data.y[rows.train], data.X.iloc[rows.test], data.y[rows.test]
    seed = variants.seed_of(3, "wine", 0)
    logs = []
    for kind in ("equal", "random"):
        C = tasks.Task("wine", kind).cost_matrix(data)
        paid = []
        for options in ({}, {"max_leaf_nodes": 4}):
            P = AngleGradientBoostingClassifier(random_state=seed, **options).fit(X, y).predict_proba(test_X)
            paid.append(max(C[C > 0].min() / 2 / len(test_y), C[test_y, costs.bayes_decision(P, C)].mean()))
        logs.append(np.log(paid[1] / paid[0]))
    assert table.loc["4 leaves", "alone"] == pytest.approx(np.mean(logs), abs=1e-9)
    assert table.loc["defaults", ["alone", "mixed", "time"]].tolist() == [0.0, 0.0, 1.0]


@compiled("many fits")
def test_losses_that_see_costs_and_small_steps_take_part(tmp_path):
    names = ["defaults", "logistic loss", "rows weighted by their costs", "SAMME, rate 1", "SAMME, rate 0.1"]
    words = ["--sets", "iris", "--splits", "1", "--variants", *names, "--out", str(tmp_path)]
    assert experiments.main(words) == exits.DONE
    table = pd.read_csv(tmp_path / "table.csv").set_index("variant")
    assert table.index.tolist() == names
    assert table.loc["SAMME, rate 1", "alone"] == 0
    assert table["mixed"].notna().tolist() == [True, True, True, False, False]


def test_no_choice_is_made_by_a_set_that_is_held_out(capsys):
    held_out = min(sets.HELD_OUT)
    assert experiments.main(["--sets", held_out]) == exits.USAGE
    assert f"no tuning set: {held_out}; known: iris, wine" in capsys.readouterr().err
    assert experiments.main(["--variants", "17 leaves"]) == exits.USAGE
    assert "no variant: 17 leaves; known: defaults, rate 0.05" in capsys.readouterr().err
