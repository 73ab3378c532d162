"""``python -m bench.experiments``: variants of the model to fit first on tuning sets."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import compiled

from bench import exits, experiments
from bench.studies import variants, varied
from bench.suite import sets, splits, tasks
from csboost import AngleGradientBoostingClassifier, PNormBoostClassifier, costs
from csboost.mixture.pooling import pool, pooled

PAGE = Path(__file__).resolve().parents[1] / "docs" / "experiments.md"


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


@compiled("many fits")
def test_means_steps_and_mixtures_repeat_by_hand(tmp_path):
    names = ["defaults", "no regression", "equal weights", "likelihood and logistic, mean", "p-norm, rate 1"]
    names[3:3] = ["pool", "pool, equal weights"]
    names.append("p-norm, step 0.1")
    words = ["--sets", "iris", "--splits", "1", "--variants", *names, "--out", str(tmp_path)]
    assert experiments.main(words) == exits.DONE
    table = pd.read_csv(tmp_path / "table.csv").set_index("variant")
    assert table.index.tolist() == names
    data, rows = sets.load("iris"), splits.split(sets.load("iris"), 0)
    X, y, test_X, test_y = data.X.iloc[rows.train], data.y[rows.train], data.X.iloc[rows.test], data.y[rows.test]
    seed = variants.seed_of(0, "iris", 0)
    P = AngleGradientBoostingClassifier(random_state=seed).fit(X, y).predict_proba(test_X)
    regressions = variants.Regressions(X, y, seed)
    parts = [P, *regressions.predict_proba(test_X)]
    held_out = [AngleGradientBoostingClassifier(random_state=seed).fit(X, y).oof_probabilities_, *regressions.held_out]
    logs = []
    for kind in ("equal", "random"):
        C = tasks.Task("iris", kind).cost_matrix(data)
        direct = AngleGradientBoostingClassifier(C, loss="logistic", random_state=seed).fit(X, y)
        norms = [PNormBoostClassifier(C, step=step, random_state=seed).fit(X, y) for step in (None, 0.1)]
        expected = direct.predict_expected_cost(test_X)
        answers = [costs.bayes_decision(P, C), (P @ C + expected).argmin(axis=1)]
        answers.extend(norm.predict(test_X) for norm in norms)
        mixed = [P, np.mean(parts, axis=0)]  # with no regression one member has all the weight
        exponents = pool(held_out, data.y[rows.train], np.ones(len(X))).exponents
        mixed += [pooled(parts, exponents), pooled(parts, np.full(3, 1 / 3))]
        answers.extend(costs.bayes_decision(each, C) for each in mixed)
        paid = [max(C[C > 0].min() / 2 / len(test_y), C[test_y, given].mean()) for given in answers]
        logs.append(np.log(paid))
    alone, mean, averaged, stepped, bare, equal, pool_, plain = np.mean(logs, axis=0)
    assert table.loc["likelihood and logistic, mean", "alone"] == pytest.approx(mean - alone, abs=1e-9)
    assert table.loc["p-norm, step 0.1", "alone"] == pytest.approx(stepped - averaged, abs=1e-9)
    mixed = table["mixed"]  # of these two, to the same mixture
    assert mixed["equal weights"] - mixed["no regression"] == pytest.approx(equal - bare, abs=1e-9)
    assert mixed["pool"] - mixed["no regression"] == pytest.approx(pool_ - bare, abs=1e-9)
    assert mixed["pool, equal weights"] - mixed["no regression"] == pytest.approx(plain - bare, abs=1e-9)


def test_every_variant_has_its_line_in_the_document():
    lines = re.findall(r"^\| (?!variant|---)([^|]+?) \| \d+ \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [name for name in lines if name != varied.DEFAULTS] == list(varied.VARIANTS[1:])


def test_no_choice_is_made_by_a_set_that_is_held_out(capsys):
    held_out = min(sets.HELD_OUT)
    assert experiments.main(["--sets", held_out]) == exits.USAGE
    assert f"no tuning set: {held_out}; known: iris, wine" in capsys.readouterr().err
    assert experiments.main(["--variants", "17 leaves"]) == exits.USAGE
    assert "no variant: 17 leaves; known: defaults, rate 0.05" in capsys.readouterr().err
