"""The verdict of ``bench.compare FILE`` is true: recomputed from ``runs.jsonl`` and the costs alone."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from suite_fakes import Cheapest, Nearest, Refusing, fakes  # noqa: F401 - a fixture
from test_bench_fakes import run_here

from bench import exits
from bench.algorithms import REGISTRY, Algorithm
from bench.competitors import others
from bench.competitors.form import Form
from bench.rows.files import ROWS
from bench.rows.settings import SETTINGS
from bench.run.own_file import Fit, Model, answer_codes
from bench.show.own_file import outputs
from csboost import metrics

N = 200
COSTS = pd.DataFrame([[0, 1, 2, 1.5], [4, 0, 1, 1.5], [9, 3, 0, 1.5]], index=list("ABC"), columns=[*"ABC", "human"])
DRAW = outputs._draw
WITH_HUMAN = answer_codes("ABC", COSTS.columns)


class Random(Nearest):
    """Probabilities of nothing in particular."""

    def predict_proba(self, X):
        return np.random.default_rng(self.seed).dirichlet(np.ones(len(self.classes_)), len(X))


@pytest.fixture(autouse=True)
def more_fakes(monkeypatch):
    monkeypatch.setattr(others, "BLUNT", Form(lambda seed, **options: Nearest(seed, power=0.2)), raising=False)
    monkeypatch.setattr(others, "RANDOM", Form(Random), raising=False)
    monkeypatch.setitem(REGISTRY, "Blunt", Algorithm(Nearest, "#CC79A7", form="others.BLUNT"))
    monkeypatch.setitem(REGISTRY, "Random", Algorithm(Nearest, "#332288", form="others.RANDOM"))


@pytest.fixture
def undrawn(monkeypatch):
    """Figures take most of the time of a run."""
    monkeypatch.setattr(outputs, "_draw", lambda *parts: [])


def write(folder, today=0.7, n=N):
    rng = np.random.default_rng(1)
    y = rng.permutation(np.arange(n) % 3)
    u, v = y + rng.normal(0, 0.8, n), y * y + rng.normal(0, 2, n)
    frame = pd.DataFrame({"u": u, "v": v, "y": np.array(list("ABC"))[y]})
    frame["desk"] = np.where(rng.random(n) < today, frame["y"], "B")
    frame.to_csv(folder / "cases.csv", index=False)
    COSTS.rename_axis("truth").to_csv(folder / "costs.csv")


def compare(folder, *words, names=("Nearest", "Blunt", "Random")):
    """Compare on the cases; the desk's answers are no feature."""
    words = [*words, *([] if "--today" in words else ["--drop", "desk"]), "--algorithms", *names]
    given = ["--target", "y", "--cost-file", folder / "costs.csv", "--out", folder / "out"]
    return run_here("compare", folder / "cases.csv", *given, *words)


def recomputed(folder):
    """A line per case and split: truth, place, and everybody's answers; by hand from the stored rows."""
    rows = [json.loads(line) for line in (folder / "out" / ROWS).read_text().splitlines()]
    about = json.loads((folder / "out" / SETTINGS).read_text())["about"]
    frames = []
    for split in sorted({row["replication"] for row in rows}):
        mine = {row["algorithm"]: row for row in rows if row["replication"] == split and row["status"] == "done"}
        truth = np.array(about["classes"])[mine["best constant"]["truths"]]
        answers = {name: np.array(about["answers"])[row["answers"]] for name, row in mine.items()}
        frame = pd.DataFrame({"truth": truth, "case": mine["best constant"]["cases"], "split": split, **answers})
        for name, row in mine.items():
            assert row["test_cost"] == pytest.approx(paid_by(frame, name).mean())
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def paid_by(table, name):
    return np.array([COSTS.loc[pair] for pair in zip(table["truth"], table[name], strict=True)])


def verdict_of(done):
    return done.stdout.rstrip().split("\n\n")[-1].splitlines()


def number(text):
    return float(text.replace(",", ""))


def test_the_verdict_is_what_the_rows_say(tmp_path, undrawn):
    write(tmp_path, today=0.3)
    done = compare(tmp_path, "--today", "desk")
    assert done.returncode == exits.DONE, done.stderr
    table = recomputed(tmp_path)
    assert sorted(table["case"]) == list(range(1, N + 1))  # five splits test every row once
    models = ["Nearest", "Blunt", "Random"]
    sets = {name: table[name] for name in [*models, "today"]}
    worth = metrics.savings(table["truth"], sets, COSTS, baseline="today")
    means = worth["mean_cost"]
    order = means[models].sort_values().index
    first, today, constant, second = verdict_of(done)
    assert first == f"{order[0]} costs least of 3 models: {means[order[0]]:.3f} per case (200 cases, mean of 5 splits)."
    found = re.fullmatch(
        r"That is (\S+) per case \(95 % interval (\S+) to (\S+)\) less than today's answers \(desk\), (\d+) % of the "
        r"cost; that flips where a true (\w) answered (\w+) costs (less|more) than (\S+) instead of (\S+)\.", today
    )  # fmt: skip
    assert found, today
    row = worth.loc[order[0]]
    for text, value in zip(found.groups()[:3], row[["saving", "lower", "upper"]], strict=True):
        assert number(text) == pytest.approx(value, abs=0.006)
    assert int(found[4]) == round(100 * row["saved_share"])
    assert COSTS.loc[found[5], found[6]] == number(found[9])
    for step, sign in ((0.02, 1), (-0.02, -1)):  # a little before and beyond that cost
        other = COSTS.astype(float)
        other.loc[found[5], found[6]] = number(found[8]) + step * (1 if found[7] == "less" else -1)
        cost = [metrics.mean_cost(table["truth"], table[name], other) for name in ("today", order[0])]
        assert np.sign(cost[0] - cost[1]) == sign
    always = table["best constant"].unique()
    assert f"less than always answering {' or '.join(sorted(always))}" in constant
    gap = metrics.mean_cost(table["truth"], table["best constant"], COSTS) - means[order[0]]
    assert number(re.match(r"That is (\S+) per case", constant)[1]) == pytest.approx(gap, abs=0.006)
    gap = means[order[1]] - means[order[0]]
    assert second.startswith(f"The runner-up, {order[1]}, costs ")
    assert number(re.match(r"The runner-up, \w+, costs (\S+) per case", second)[1]) == pytest.approx(gap, abs=0.006)
    assert (tmp_path / "out" / "report.html").read_text().count("That is") == 2


def test_what_is_sure_is_corrected_for_having_picked_the_lowest(tmp_path, undrawn):
    write(tmp_path)
    done = compare(tmp_path)
    table = recomputed(tmp_path)
    paid = {name: paid_by(table, name) for name in ("Nearest", "Blunt", "Random")}
    p = {}
    for one, other in (("Nearest", "Blunt"), ("Nearest", "Random"), ("Blunt", "Random")):
        gap = paid[one] - paid[other]
        p[one, other] = 2 * norm.sf(abs(gap.mean()) / (gap.std(ddof=1) / np.sqrt(N)))
    steps = sorted(p.values())
    holm = np.maximum.accumulate([min(value * (3 - k), 1) for k, value in enumerate(steps)])
    corrected = {pair: holm[steps.index(value)] for pair, value in p.items()}
    best, second = sorted(paid, key=lambda name: paid[name].mean())[:2]
    value = next(value for pair, value in corrected.items() if set(pair) == {best, second})
    line = verdict_of(done)[-1]
    assert ("that is not sure" in line) == (value >= 0.05)
    random_line = next(line for line in done.stdout.splitlines() if line.startswith("Random"))
    assert "< .001" in random_line


def test_a_case_that_is_tested_twice_is_one_case(tmp_path, undrawn):
    write(tmp_path)
    done = compare(tmp_path, "--replications", "10", names=("Nearest", "Random"))
    table = recomputed(tmp_path)
    assert len(table) == 2 * N
    first, against, _ = verdict_of(done)
    assert "(200 cases, mean of 10 splits)" in first
    gap = paid_by(table, "best constant") - paid_by(table, "Nearest")
    per_case = pd.Series(gap).groupby(table["case"]).mean()
    half = norm.ppf(0.975) * per_case.std() / np.sqrt(N)
    low, high = re.search(r"interval (\S+) to (\S+)\)", against).groups()
    assert number(low) == pytest.approx(per_case.mean() - half, abs=0.006)
    assert number(high) == pytest.approx(per_case.mean() + half, abs=0.006)


def test_when_no_model_pays_the_verdict_says_so(tmp_path, undrawn):
    write(tmp_path, today=1.0)
    done = compare(tmp_path, "--today", "desk", "--quick", names=("Random",))
    first, today, _ = verdict_of(done)
    assert re.match(r"Random costs \d\.\d{3} per case", first)
    assert "more than today's answers (desk): no model pays here" in today


def test_what_failed_is_left_out_of_the_comparison_and_tried_again(tmp_path, undrawn):
    write(tmp_path, n=220)
    done = compare(tmp_path, names=("Nearest", "Refusing"))
    assert done.returncode == exits.SOME_FAILED
    assert "too many rows for me" in done.stderr
    assert "Refusing lacks 5 of the splits that others have, and is not compared." in done.stdout
    assert verdict_of(done)[0].startswith("Nearest costs ")
    nobody = compare(tmp_path, "--fresh", names=("Refusing",))
    assert nobody.returncode == exits.SOME_FAILED
    assert "No model has finished a split" in nobody.stdout


def test_a_folder_is_resumed_redrawn_and_checked(tmp_path, undrawn, monkeypatch):
    write(tmp_path)
    first = compare(tmp_path, "--today", "desk")
    out = tmp_path / "out"
    lines = (out / ROWS).read_text().splitlines()
    (out / ROWS).write_text("\n".join(lines[::2]) + "\n")
    again = compare(tmp_path, "--today", "desk")
    assert "Resuming" in again.stderr
    assert verdict_of(again) == verdict_of(first)
    (tmp_path / "cases.csv").unlink()
    monkeypatch.setattr(outputs, "_draw", DRAW)
    drawn = run_here("compare", "--render-only", "--out", out)
    assert drawn.returncode == exits.DONE, drawn.stderr
    assert verdict_of(drawn) == verdict_of(first)
    tidy = pd.read_csv(out / "table.csv")
    assert list(tidy["algorithm"]) == ["best constant", "today", "Nearest", "Blunt", "Random"]
    assert set(tidy["study"]) == {"compare"}
    drawn = {path.stem.removeprefix("figure-") for path in out.glob("figure-*.png")}
    assert drawn == {"savings", "confusion", "time"}
    settings = json.loads((out / SETTINGS).read_text())
    settings["about"]["costs"] = settings["about"]["costs"][:2]
    (out / SETTINGS).write_text(json.dumps(settings, indent=2))
    damaged = run_here("compare", "--render-only", "--out", out)
    assert damaged.returncode == exits.UNUSABLE
    assert "it does not say what the rows are about" in damaged.stderr


def test_a_booster_meets_classes_without_a_gap_and_costs_of_these_alone():
    seen = []

    def make(cost_matrix, seed):
        seen.append(cost_matrix)
        return Cheapest(np.asarray(cost_matrix), 3, seed)

    C = COSTS[["A", "B", "C"]].to_numpy(float)
    X, y = pd.DataFrame({"x": np.arange(6.0)}), np.array([0, 0, 2, 2, 0, 2])
    fit = Fit(None, Form(make, sees_costs=True), {}, X, y, X, y, C, answer_codes("ABC", "ABC"), 0, {})
    assert Model(fit, {}).fit(X, y).answer(X).tolist() == [2] * 6  # column C of all three
    assert seen[0].tolist() == [[0, 2], [9, 0]]
    seen.clear()
    fit = Fit(None, Form(make, sees_costs=True), {}, X, y, X, y, COSTS.to_numpy(float), WITH_HUMAN, 0, {})
    model = Model(fit, {}).fit(X, y)
    assert seen[0].columns.tolist() == [0, 1, 6]
    assert model.place == {0: 0, 1: 2, 6: 3}


def test_probabilities_of_classes_that_were_not_met_are_none():
    X, y = pd.DataFrame({"x": [0.0, 0.1, 5.0, 5.1]}), np.array([0, 0, 2, 2])
    fit = Fit(None, Form(Nearest), {}, X, y, X, y, COSTS.to_numpy(float), WITH_HUMAN, 0, {})
    assert Model(fit, {}).fit(X, y).answer(X).tolist() == [0, 0, 2, 2]
