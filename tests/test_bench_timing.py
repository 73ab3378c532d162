"""The timing study: plan, turns, samples on a false clock, figures to reach, files, and its command line."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import sys
from unittest.mock import patch

import numpy as np
import pytest

from bench import cli, timing
from bench.algorithms import PAPER
from bench.store import Store
from bench.timing import data, figures, machine, probe, sampling, session, tables, targets, verdicts
from bench.timing.contestants import CONTESTANTS, REFERENCE, SKLEARN_ADABOOST, Contestant, installed, names_of
from bench.timing.plan import FIT, IMPORT, ROUND, Work, plan

EVERYONE = names_of(PAPER, timing.PEERS)
SECONDS = {REFERENCE: 0.01, "LightGBM": 0.08, "XGBoost": 0.05, SKLEARN_ADABOOST: 0.9, "AdaBoost.MH": 0.017}


def work(name="small-fit", measure=FIT, **changes):
    fields = {"size": "small", "n": 300, "d": 21, "K": 3, "rounds": 200, "threads": 1, "repeats": 3}
    return Work(name, measure, **{**fields, "names": tuple(EVERYONE), **changes})


def false_prepare(work, name, seed):
    """Samples that grow with rows and shrink with threads, each a little slower than the one before."""
    taken = []

    def sample():
        taken.append(name)
        value = SECONDS.get(name, 0.012) * max(work.n, 1) / 300 / work.threads * (1 + 0.1 * len(taken))
        extra = {"fit_seconds": 2 * value, "fit_rounds": 12, "import_seconds": 0.5, "fit_bytes": 3 * 2**28}
        return {"value": 2.0**30 if work.measure == "memory" else value, **extra}

    return sample


def measured(folder, groups, prepare=false_prepare, variant=""):
    with Store(folder, "timing") as store:
        store.open({"seed": 0})
        with patch.object(session.gc, "collect"):  # hundreds of false samples; collecting a test run's garbage is slow
            session.run(groups, store, seed=0, variant=variant, prepare=prepare)
        return store.rows()


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """The rows of all sizes, on false samples."""
    return measured(tmp_path_factory.mktemp("rows"), plan(timing.SIZES, EVERYONE, threads=2, cores=4))


# What is measured.


def test_the_plan_holds_every_work_of_the_table():
    works = {work.key for group in plan(timing.SIZES, EVERYONE, threads=2, cores=2) for work in group}
    for key in [
        "small-fit: 300 x 21, K = 3, 200 rounds, 1 threads",
        "large-round: 500000 x 57, K = 7, 12 rounds, 2 threads",
        "predict: 1000000 x 57, K = 7, 200 rounds, 2 threads",
        "threads: 500000 x 57, K = 7, 12 rounds, 1 threads",
        "doubling: 250000 x 57, K = 7, 12 rounds, 2 threads",
        "doubling: 4000000 x 57, K = 7, 12 rounds, 2 threads",
        "memory: 5000000 x 57, K = 7, 3 rounds, 2 threads",
        "sweep-n: 1000 x 57, K = 7, 12 rounds, 2 threads",
        "sweep-n: 10000000 x 57, K = 7, 12 rounds, 2 threads",
    ]:
        assert key in works


def test_small_is_small():
    works = [work for group in plan(["small"], EVERYONE, threads=2, cores=2) for work in group]
    assert max(work.n for work in works) == 4700
    assert {work.threads for work in works} == {1}


def test_turns_start_at_another_contestant_each_repeat_and_spare_the_slow():
    one = work(names=(REFERENCE, "LightGBM", SKLEARN_ADABOOST), fewer={SKLEARN_ADABOOST: 1})
    assert [[name for _, name in session.turns((one,), repeat)] for repeat in range(3)] == [
        [REFERENCE, "LightGBM", SKLEARN_ADABOOST],
        ["LightGBM", REFERENCE],
        [REFERENCE, "LightGBM"],
    ]


def test_works_that_are_compared_take_turns():
    (threads,) = (g for g in plan(["medium"], [REFERENCE], threads=2, cores=4) if g[0].name == "threads")
    assert [work.threads for work, _ in session.turns(threads, 1)] == [2, 4, 1]


def test_works_beyond_the_memory_are_named():
    groups = plan(["large"], EVERYONE, threads=2, cores=2)
    kept, skipped = machine.fitting(groups, memory=3 * 2**30)
    assert {(w.name, w.n) for w in skipped} == {("sweep-n", 10_000_000), ("memory", 5_000_000)} | {
        ("doubling", 250_000 * 2**i) for i in range(5)
    }
    assert sum(map(len, kept)) + len(skipped) == sum(map(len, groups))


def test_generated_rows():
    X, y = data.make_floats(70_000, 8, 5, seed=3)
    shorter, labels = data.make_floats(66_000, 8, 5, seed=3)
    np.testing.assert_array_equal(shorter, X[:66_000])
    np.testing.assert_array_equal(labels, y[:66_000])
    assert X.dtype == np.float32
    assert np.bincount(y).min() > 0.05 * len(y)
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_leaf_nodes=20, random_state=0).fit(X[:5000], y[:5000])
    assert tree.score(X[60_000:], y[60_000:]) > 1.5 * np.bincount(y).max() / len(y)  # there is a signal


# Samples.


class Clock:
    """A clock that a false library moves on."""

    now = 0.0

    def __call__(self):
        return self.now


class FalseModel:
    """Takes 10 s before the first round, then 3 s a round, but 30 s for the third; predicts in 4 s."""

    def __init__(self, clock, rounds, tick, at_the_end):
        self.clock, self.rounds, self.tick, self.at_the_end = clock, rounds, tick, at_the_end

    def fit(self, X, y):
        self.clock.now += 10.0
        for m in range(self.rounds):
            if self.tick and not self.at_the_end:
                self.tick()
            self.clock.now += 30.0 if m == 2 else 3.0
            if self.tick and self.at_the_end:
                self.tick()

    def predict(self, X):
        self.clock.now += 4.0


def false_contestant(monkeypatch, ticks=True, at_the_end=True, ends_after=None, rounds_at_most=None):
    clock = Clock()

    def build(rounds, threads, tick):
        return FalseModel(clock, min(rounds, ends_after or rounds), tick, at_the_end), {}

    monkeypatch.setitem(CONTESTANTS, "False", Contestant(build, ticks=ticks, rounds_at_most=rounds_at_most))
    return clock


@pytest.mark.parametrize("at_the_end", [True, False])
def test_a_round_is_the_median_between_ticks(monkeypatch, at_the_end):
    clock = false_contestant(monkeypatch, at_the_end=at_the_end)
    sample = sampling.prepare(work("large-round", ROUND, rounds=12), "False", 0, clock)()
    assert sample == {"value": 3.0, "fit_seconds": 10.0 + 11 * 3.0 + 30.0, "fit_rounds": 12}


def test_without_ticks_a_round_is_the_difference_of_two_fits(monkeypatch):
    clock = false_contestant(monkeypatch, ticks=False)
    sample = sampling.prepare(work("large-round", ROUND, rounds=12), "False", 0, clock)()
    assert sample["value"] == pytest.approx((9 * 3.0 + 30.0) / 10)


def test_slow_contestants_show_fewer_rounds(monkeypatch):
    clock = false_contestant(monkeypatch, rounds_at_most=3)
    assert sampling.prepare(work("large-round", ROUND, rounds=12), "False", 0, clock)()["fit_rounds"] == 3


def test_a_fit_that_ends_early_is_no_sample(monkeypatch):
    clock = false_contestant(monkeypatch, ends_after=5)
    with pytest.raises(RuntimeError, match="ended after 5 of 12 rounds"):
        sampling.prepare(work("large-round", ROUND, rounds=12), "False", 0, clock)()


def test_whole_fits_and_predictions(monkeypatch):
    clock = false_contestant(monkeypatch)
    assert sampling.prepare(work(rounds=2), "False", 0, clock)() == {"value": 16.0, "fits": 1}
    predict = work("predict", "predict", n=1000)
    assert sampling.prepare(predict, "False", 0, clock)() == {"value": 4.0, "predictions": 1}


def test_fast_fits_are_repeated_within_a_sample():
    assert [sampling.repetitions(seconds) for seconds in (1.0, 0.05, 0.02, 1e-9)] == [1, 1, 3, 20]


@pytest.mark.parametrize("name", ["LightGBM", "XGBoost", SKLEARN_ADABOOST])
def test_peers_tick_once_a_round(name):
    pytest.importorskip({"LightGBM": "lightgbm", "XGBoost": "xgboost"}.get(name, "sklearn"))
    X, y = data.make_floats(200, 4, 3, seed=0)
    ticks = []
    model, options = CONTESTANTS[name].build(5, 1, lambda: ticks.append(1))
    model.fit(X, y, **options)
    assert len(ticks) == 5


def test_peers_are_matched():
    from sklearn.tree import DecisionTreeClassifier

    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    made = {name: CONTESTANTS[name].build(7, 2, None)[0].get_params() for name in EVERYONE if CONTESTANTS[name].peer}
    assert made["LightGBM"] | {"num_leaves": 4, "max_bin": 255, "n_estimators": 7, "n_jobs": 2} == made["LightGBM"]
    assert made["XGBoost"] | {"max_leaves": 4, "max_bin": 255, "n_estimators": 7, "n_jobs": 2} == made["XGBoost"]
    hist = made["HistGradientBoosting"]
    assert hist | {"max_leaf_nodes": 4, "max_bins": 255, "max_iter": 7, "early_stopping": False} == hist
    assert isinstance(made[SKLEARN_ADABOOST]["estimator"], DecisionTreeClassifier)
    assert made[SKLEARN_ADABOOST]["estimator__max_leaf_nodes"] == 4


def test_boosters_tick_once_a_round():
    X, y = data.make_floats(60, 2, 3, seed=0)
    ticks = []
    model, _ = CONTESTANTS[REFERENCE].build(4, 1, lambda: ticks.append(1))
    plain, _ = CONTESTANTS[REFERENCE].build(4, 1, None)
    scores = model.fit(X, y).decision_function(X)
    assert len(ticks) == model.n_iter_ == 4
    np.testing.assert_array_equal(scores, plain.fit(X, y).decision_function(X))


def test_the_import_is_timed_in_a_new_process():
    sample = probe.prepare(work("import", IMPORT, names=("csboost",)), "csboost", 0)()
    assert 0 < sample["value"] < 5
    assert sample["loaded"] == []


def test_memory_is_what_the_fit_needs_beyond_the_rows(monkeypatch):
    class Hungry:
        def fit(self, X, y):
            np.ones(2**25)  # 256 MiB, given back at once

    monkeypatch.setitem(CONTESTANTS, "Hungry", Contestant(lambda rounds, threads, tick: (Hungry(), {})))
    found = probe.memory("Hungry", 0, 1000, 4, 3, 2, 1)
    assert found["X_bytes"] == 16_000
    if os.path.exists("/proc/self/clear_refs"):
        # the kernel counts pages in batches, and some may have been there before
        assert 0.99 * 2**28 <= found["fit_bytes"] < 2**28 + 2**26
    assert found["value"] >= found["fit_bytes"]


def test_a_failure_in_a_new_process_gives_its_last_line():
    with pytest.raises(RuntimeError, match="in a new process: ValueError: no"):
        probe._run([sys.executable, "-c", "raise ValueError('no')"], None)


# Rows.


def test_a_failing_contestant_does_not_stop_the_others(tmp_path):
    def prepare(work, name, seed):
        if name == "SAMME":
            raise ValueError("not today")
        return false_prepare(work, name, seed)

    rows = measured(tmp_path, [(work(repeats=2),)], prepare)
    failed = [row for row in rows if row["status"] == "failed"]
    assert [(row["algorithm"], row["replication"]) for row in failed] == [("SAMME", 0), ("SAMME", 1)]
    assert failed[0]["error"].startswith("ValueError: not today [prepare")
    again = measured(tmp_path, [(work(repeats=2),)])
    assert {row["status"] for row in again} == {"done"}


def test_an_interrupted_repeat_is_measured_again_as_a_whole(tmp_path):
    asked = []

    def prepare(work, name, seed):
        def sample():
            asked.append(name)
            if len(asked) == 5:
                raise KeyboardInterrupt
            return {"value": 1.0}

        return sample

    group = (work(names=(REFERENCE, "LightGBM"), repeats=3),)
    with pytest.raises(cli.Interrupted, match="4 samples of this run are kept"):
        measured(tmp_path, [group], prepare)
    asked.clear()
    asked.append("so that nothing interrupts")
    asked.extend([""] * 5)
    rows = measured(tmp_path, [group], prepare)
    assert len(rows) == 6
    assert len(asked) == 6 + 2  # the third repeat alone


def test_rows_tell_what_was_measured(tmp_path):
    rows = measured(tmp_path, [(work(names=(REFERENCE,), repeats=1),)])
    (row,) = rows
    assert row["value"] == pytest.approx(0.011)
    told = {"work": "small-fit", "n": 300, "d": 21, "K": 3, "rounds": 200, "threads": 1, "unit": "s", "variant": ""}
    assert row | told == row
    assert {"python", "numba", "lightgbm"} <= row["versions"].keys() | {"lightgbm"}


# Figures to reach.


def test_the_figures_of_the_table(everything):
    found = targets.evaluate(everything).set_index("work")
    assert len(found) == 13
    lines = {line.split(":")[-1].strip(): values for line, values in found.iterrows()}
    assert found["measured"].iloc[0] == pytest.approx(8.0)  # 0.08 over 0.01
    assert found["mark"].iloc[0] == "ok"
    assert found["mark"].iloc[1] == "ok, aim met"  # 90 times
    slowest = lines["the other five boosters against Angle AdaBoost, 300 rows"]
    assert slowest["measured"] == pytest.approx(1.7)
    assert slowest["mark"] == "missed"
    assert slowest["note"] == "AdaBoost.MH, the slowest of 5"
    assert lines["two threads against one, 500,000 rows"]["measured"] == pytest.approx(2.0)
    assert lines["time at 2n over time at n, 250,000 to 4,000,000 rows"]["measured"] == pytest.approx(2.0)
    memory = lines["peak memory beyond X (float32), 5,000,000 x 57, K = 7"]
    assert (memory["measured"], memory["mark"]) == (1.0, "ok")
    assert memory["note"] == "libraries and y included; the fit itself 0.75 GiB"


def rows_of(values, **fields):
    plain = {"work": "small-fit", "status": "done", "variant": "", "cache": "", "threads": 1, "n": 300}
    return [
        {**plain, "algorithm": name, "replication": repeat, "value": value, **fields}
        for name, series in values.items()
        for repeat, value in enumerate(series)
    ]


def test_ratios_are_formed_pair_by_pair():
    rows = rows_of({REFERENCE: [1.0, 2.0, 4.0], "LightGBM": [6.0, 12.0, 28.0]})
    found = targets.against("small-fit", "LightGBM")(rows)
    assert found.values == [6.0, 6.0, 7.0]
    assert found.median == 6.0


def test_what_departs_from_the_figure_has_no_mark():
    quick = rows_of({REFERENCE: [1.0], "LightGBM": [1.0]}, variant="quick")
    target = targets.TARGETS[0]
    assert target.mark(target.find(quick)) == "no mark: quick"
    full = rows_of({REFERENCE: [1.0], "LightGBM": [20.0]})
    assert target.mark(target.find([*full, *quick])) == "ok, aim met"
    assert target.mark(None) == "not measured: --sizes small"


@pytest.mark.parametrize(("value", "mark"), [(1.1, "ok, aim met"), (1.2, "ok, aim met"), (1.5, "ok"), (1.61, "missed")])
def test_at_most(value, mark):
    rows = rows_of({REFERENCE: [1.0], "SAMME": [value], "p-norm": [1.0]})
    (target,) = (t for t in targets.TARGETS if t.label.startswith("the other five"))
    assert target.mark(target.find(rows)) == mark


def test_the_largest_doubling_counts():
    rows = [row for n, value in [(1, 1.0), (2, 1.9), (4, 4.2), (16, 90.0)] for row in
            rows_of({REFERENCE: [value]}, work="doubling", n=n)]  # fmt: skip
    found = targets.doubling(rows)
    assert found.median == pytest.approx(4.2 / 1.9)
    assert found.note == "largest of 2: 2 to 4 rows"


# Tables and files.


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1.234, "s", "1.23 s"), (0.0123, "s", "12.3 ms"), (4.5e-5, "s", "45.0 µs"), (123.4, "s", "123 s"),
     (1234.5, "s", "1,234 s"), (0.9999, "s", "1.00 s"), (1.5 * 2**30, "bytes", "1.50 GiB"), (math.nan, "s", "-")],
)  # fmt: skip
def test_quantities(value, unit, text):
    assert tables.quantity(value, unit) == text


def test_sweeps_have_a_column_per_contestant(everything):
    table = tables.sweep_table(targets.of_work(everything, "sweep-n"), "n")
    assert list(table.index) == [10**3, 10**4, 10**5, 10**6, 10**7]
    assert list(table.columns) == EVERYONE
    assert table.loc[10**4, REFERENCE] / table.loc[10**3, REFERENCE] == pytest.approx(10)
    assert math.isnan(table.loc[10**7, SKLEARN_ADABOOST])


def test_everything_is_written_and_redrawn(everything, tmp_path, capsys):
    out = tmp_path / "out"
    with Store(out, "timing") as store:
        store.open({"seed": 0})
        store.append(everything)
        store.save_settings(command="python -m bench.timing", notes=["Skipped, not installed: xgboost."])
    assert timing.main(["--render-only", "--out", str(out)]) == cli.DONE
    printed = capsys.readouterr().out
    assert "8.00x" in printed
    assert "no mark" not in printed
    assert "Skipped, not installed: xgboost." in printed
    lines = list(csv.DictReader((out / "targets.csv").open()))
    assert [line["mark"] for line in lines][:2] == ["ok", "ok, aim met"]
    tidy = list(csv.DictReader((out / "table.csv").open()))
    (light,) = (r for r in tidy if (r["work"], r["algorithm"]) == ("small-fit", "LightGBM"))
    assert float(light["ratio"]) == pytest.approx(8.0)
    for name in ["ratios", "n", "d", "K", "threads", "doubling"]:
        assert (out / f"figure-{name}.png").stat().st_size > 10_000
        assert (out / f"figure-{name}.pdf").exists()
    page = (out / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 6
    assert '<span class="far">missed</span>' in page
    assert "below" not in page.split("</style>")[1]  # a time above its limit is not below anything
    assert re.search(r'<p class="finding">\d+ of 13 measured figures reach their floor, .* Missed: ', page)
    assert "python -m bench.timing" in page
    assert "| work | verdict | floor | aim | measured | spread |" in (out / "table.md").read_text()
    assert r"\toprule" in (out / "table.tex").read_text()


def without(rows, library, package):
    """The rows of a machine that lacks a library."""
    kept = [row for row in rows if row["algorithm"] != library]
    return [{**row, "versions": {k: v for k, v in row["versions"].items() if k != package}} for row in kept]


def marks_of(rows):
    return verdicts.verdicts(targets.evaluate(rows), rows).set_index("work")["mark"]


@pytest.mark.parametrize(("library", "package"), [("LightGBM", "lightgbm"), ("XGBoost", "xgboost")])
def test_a_figure_names_the_library_that_it_lacks(everything, library, package):
    everything = [{**row, "versions": {"lightgbm": "4", "xgboost": "3", "scikit-learn": "1"}} for row in everything]
    marks = marks_of(without(everything, library, package))
    lacking = {mark for work, mark in marks.items() if library in work}
    # "the same against XGBoost hist" and the like name their library, too
    assert lacking == {f"not measured: {package} is not installed"}
    assert not any("not measured" in mark for work, mark in marks.items() if library not in work)


def test_a_figure_says_what_else_it_lacks(everything):
    everything = [{**row, "versions": {"lightgbm": "4"}} for row in everything]
    unasked = [row for row in everything if row["algorithm"] != "LightGBM"]
    assert marks_of(unasked).iloc[0] == "not measured: LightGBM is not among --peers"
    small = [row for row in everything if row["size"] == "small"]
    assert marks_of(small)["two threads against one, 500,000 rows"] == "not measured: --sizes medium"
    failed = [{**row, "status": "failed"} if row["algorithm"] == "LightGBM" else row for row in everything]
    assert marks_of(failed).iloc[0] == "not measured: LightGBM failed"
    one_core = [row for row in everything if row["work"] != "threads"]
    assert marks_of(one_core)["two threads against one, 500,000 rows"] == "not measured: not part of this run"


def test_the_finding_counts_and_names_what_misses_its_floor():
    slow = rows_of({REFERENCE: [1.0], "LightGBM": [3.0]}, size="small", versions={})
    sentence = verdicts.finding(verdicts.verdicts(targets.evaluate(slow), slow))
    assert sentence.startswith("0 of 1 measured figures reach their floor, 0 of them their aim. Missed: fit, 300 x 21")
    assert "against LightGBM (3.00x)." in sentence
    assert sentence.endswith("Without a verdict: 12.")
    assert verdicts.finding(targets.evaluate([])).startswith("None of the 13")


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
    assert not any("the same" in label for label in verdicts.whole_labels(t.label for t in targets.TARGETS))


def test_the_verdict_comes_second(everything):
    assert list(verdicts.target_view(targets.evaluate(everything)).frame.columns)[:2] == ["work", "verdict"]


def test_logarithmic_axes_say_so(everything):
    for axes in figures.scaling(everything, "sweep-n").axes:
        assert axes.get_yscale() == "log"
        assert "log scale" in axes.get_xlabel()
        assert "log scale" in axes.get_title()
    (axes,) = figures.ratios(targets.evaluate(everything)).axes
    assert axes.get_xlabel() == "ratio (log scale)"


def test_an_empty_folder_of_rows_still_has_a_table(tmp_path, capsys):
    with Store(tmp_path, "timing") as store:
        store.open({"seed": 0})
    assert timing.main(["--render-only", "--out", str(tmp_path)]) == cli.DONE
    assert capsys.readouterr().out.count("not measured: --sizes") == 13


# The command line.


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--sizes", "smal"], "unknown size 'smal'. Did you mean 'small'?"),
        (["--peers", "lightgbn"], "unknown peer 'lightgbn'. Did you mean 'lightgbm'?"),
        (["--algorithms", "LightGBM"], "unknown algorithm 'LightGBM'"),
        (["--rounds", "1"], "--rounds: must be a whole number of at least 2, not '1'"),
        (["--fresh", "--render-only"], "--fresh deletes the results that --render-only draws"),
        (["--jobs", "4096"], "--jobs 4096: this machine lets the process use"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments, says, capsys, tmp_path):
    assert timing.main([*arguments, "--out", str(tmp_path / "out")]) == cli.USAGE
    captured = capsys.readouterr()
    assert says in captured.err
    assert "Traceback" not in captured.err
    assert not (tmp_path / "out").exists()


def test_render_only_needs_rows(capsys, tmp_path):
    assert timing.main(["--render-only", "--out", str(tmp_path)]) == cli.UNUSABLE
    assert "has no runs.jsonl: nothing to draw" in capsys.readouterr().err


def test_a_missing_peer_is_skipped_and_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(session, "installed", lambda peers: (["sklearn"], ["lightgbm", "xgboost"]))
    monkeypatch.setattr(sampling, "prepare", false_prepare)
    assert timing.main(["--sizes", "small", "--replications", "1", "--out", str(tmp_path)]) == cli.DONE
    captured = capsys.readouterr()
    remedy = "in the clone of the project: pip install '.[peers]'"
    assert f"Skipped, not installed: lightgbm, xgboost ({remedy})." in captured.err
    assert "Skipped, not installed: lightgbm, xgboost" in captured.out
    names = {json.loads(line)["algorithm"] for line in (tmp_path / "runs.jsonl").open()}
    assert names == {*PAPER, "HistGradientBoosting", SKLEARN_ADABOOST, "csboost"}
    environment = json.loads((tmp_path / "environment.json").read_text())
    assert {"processor", "cores", "date", "versions", "load"} <= environment.keys()


def test_a_run_resumes_and_refuses_rows_of_other_code(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sampling, "prepare", false_prepare)
    arguments = ["--sizes", "small", "--peers", "--replications", "1", "--out", str(tmp_path)]
    assert timing.main(arguments) == cli.DONE
    first = (tmp_path / "runs.jsonl").read_text()
    assert timing.main(arguments) == cli.DONE
    assert "5 of 5 works are done already" in capsys.readouterr().err
    assert (tmp_path / "runs.jsonl").read_text() == first
    monkeypatch.setattr(machine, "fingerprint", lambda seed: {"seed": seed, "code": "changed"})
    assert timing.main(arguments) == cli.USAGE
    assert "is now changed" in capsys.readouterr().err


def test_failures_are_exit_code_1(monkeypatch, capsys, tmp_path):
    def prepare(work, name, seed):
        raise OSError("no such luck")

    monkeypatch.setattr(sampling, "prepare", prepare)
    arguments = ["--sizes", "small", "--peers", "--replications", "1", "--out", str(tmp_path)]
    assert timing.main(arguments) == cli.SOME_FAILED
    assert "OSError: no such luck" in capsys.readouterr().err


def test_installed_peers():
    assert installed(["sklearn", "no_such_package"]) == (["sklearn"], ["no_such_package"])


def test_compiled_code_of_older_sources_is_not_timed(monkeypatch):
    monkeypatch.setenv(probe.CACHE, "before")
    with machine.new_cache():
        folder = os.environ[probe.CACHE]
        assert folder != "before"
        assert os.listdir(folder) == []
    assert os.environ[probe.CACHE] == "before"
    assert not os.path.exists(folder)
