"""``python -m bench.decisions``: one fit that decides by other tables, beside fits to each of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import compiled

from bench import decisions, exits
from bench.studies import decided, estimates
from csboost import AngleAdaBoostClassifier


@compiled("many fits")
def test_the_table_repeats_by_hand(tmp_path, capsys):
    words = ["--quick", "--scenarios", "1c", "--seed", "3", "--out", str(tmp_path)]
    assert decisions.main(words) == exits.DONE
    printed = capsys.readouterr().out
    table = pd.read_csv(tmp_path / "table.csv")
    assert table["model"].tolist() == ["Angle AdaBoost 0.1", "Angle Gradient"]
    assert table["scenario"].tolist() == ["1c", "1c"]
    assert printed.splitlines()[0].split() == ["scenario", "model", "decide", "refit", "ratio", "least", "largest"]

    case = estimates.draw("1c", 300, 300, 3)
    tables = [decided.random_table(number, 3, 3) for number in range(2)]
    exact = [case.truth @ C for C in tables]

    def cost(number, answers):
        return exact[number][np.arange(300), answers].mean()

    def fitted(C):
        return AngleAdaBoostClassifier(C, n_estimators=10, learning_rate=0.1).fit(case.X, case.y)

    P = fitted(case.costs).predict_proba(case.test_X)
    one = [cost(number, (P @ C).argmin(axis=1)) for number, C in enumerate(tables)]
    anew = [cost(number, fitted(C).predict(case.test_X)) for number, C in enumerate(tables)]
    best = sum(E.min(axis=1).mean() for E in exact)
    line = table.iloc[0]
    assert line["decide"] == pytest.approx(sum(one) / best, rel=1e-9)
    assert line["refit"] == pytest.approx(sum(anew) / best, rel=1e-9)
    assert line["ratio"] == pytest.approx(sum(one) / sum(anew), rel=1e-9)
    ratios = np.array(one) / np.array(anew)
    assert (line["least"], line["largest"]) == pytest.approx((ratios.min(), ratios.max()), rel=1e-9)


@compiled("many fits")
def test_where_costs_enter_the_decision_alone_a_refit_changes_nothing(tmp_path):
    assert decisions.main(["--quick", "--scenarios", "2", "--out", str(tmp_path)]) == exits.DONE
    line = pd.read_csv(tmp_path / "table.csv").set_index("model").loc["Angle Gradient"]
    assert (line["ratio"], line["least"], line["largest"]) == (1.0, 1.0, 1.0)


def test_random_tables_are_those_of_their_number_and_seed():
    for number in range(5):
        C = decided.random_table(number, 4, 0)
        assert (np.diag(C) == 0).all()
        assert (C[~np.eye(4, dtype=bool)] >= 1).all()
        assert (C <= 10).all()
        np.testing.assert_array_equal(C, decided.random_table(number, 4, 0))
        assert (decided.random_table(number, 4, 1) != C).any()
