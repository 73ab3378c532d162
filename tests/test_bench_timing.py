"""The timing study: plan, turns, samples on a false clock, figures to reach, files, and its command line."""

from __future__ import annotations

import contextlib
import csv
import json
import math
import os
import sys
import time
from unittest.mock import patch

import numpy as np
import pytest

from bench import cli, timing
from bench.algorithms import PAPER
from bench.store import Store
from bench.timing import data, findings, machine, probe, sampling, session, tables, targets, worker
from bench.timing.contestants import (
    CONTESTANTS,
    EARLIER,
    REFERENCE,
    SKLEARN_ADABOOST,
    XGBOOST_VECTORS,
    Contestant,
    installed,
    names_of,
)
from bench.timing.plan import COMPILING, FIRST_FIT, FIT, IMPORT, MEMORY, ROUND, Work, plan

EVERYONE = names_of(PAPER, timing.PEERS)
SECONDS = {REFERENCE: 0.01, "LightGBM": 0.08, "XGBoost": 0.05, SKLEARN_ADABOOST: 0.9, "AdaBoost.MH": 0.017,
           XGBOOST_VECTORS: 0.06, EARLIER: 0.015}  # fmt: skip


def work(name="small-fit", measure=FIT, **changes):
    fields = {"size": "small", "n": 300, "d": 21, "K": 3, "rounds": 200, "threads": 1, "repeats": 3}
    return Work(name, measure, **{**fields, "names": tuple(EVERYONE), **changes})


def false_prepare(work, name, seed):
    """Samples that grow with rows and shrink with threads, each a little slower than the one before."""
    taken = []

    def sample():
        taken.append(name)
        value = SECONDS.get(name, 0.012) * max(work.n, 1) / 300 / work.threads * (1 + 0.1 * len(taken))
        value *= work.K if work.name == "many-classes" else 1
        extra = {"fit_seconds": 1.6 * value, "fit_rounds": 12, "setup_seconds": 16 * value, "import_seconds": 0.5,
                 "fit_bytes": 3 * 2**28, "second_seconds": 0.5, "warm_seconds": 0.25}  # fmt: skip
        return {"value": {MEMORY: 2.0**30, FIRST_FIT: 8.0, COMPILING: 30.0}.get(work.measure, value), **extra}

    return sample


def false_launch(prepare=false_prepare):
    return lambda group: contextlib.nullcontext(sampling.Sampler(prepare))


def measured(folder, groups, prepare=false_prepare, variant=""):
    with Store(folder, "timing") as store:
        store.open({"seed": 0})
        with patch.object(sampling.gc, "collect"):  # hundreds of false samples; collecting a test run's garbage is slow
            session.run(groups, store, seed=0, variant=variant, launch=false_launch(prepare))
        return store.rows()


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """The rows of all sizes, on false samples."""
    groups = plan(timing.SIZES, EVERYONE, threads=2, cores=4, against="0123456789ab")
    return measured(tmp_path_factory.mktemp("rows"), groups)


# What is measured.


def test_the_plan_holds_every_work_of_the_table():
    groups = plan(timing.SIZES, EVERYONE, threads=2, cores=2, against="0123456789ab")
    works = {work.key for group in groups for work in group}
    for key in [
        "small-fit: 300 x 21, K = 3, 200 rounds, 1 threads",
        "large-round: 500000 x 57, K = 7, 12 rounds, 2 threads",
        "predict: 1000000 x 57, K = 7, 200 rounds, 2 threads",
        "whole-fit: 500000 x 57, K = 7, 100 rounds, 2 threads",
        "two-threads: 500000 x 57, K = 7, 100 rounds, 1 threads",
        "two-threads: 500000 x 57, K = 7, 100 rounds, 2 threads",
        "own-predict: 1000000 x 57, K = 7, 200 rounds, 2 threads, against 0123456789ab",
        "credit-round: 160000 loans, K = 7, 36 rounds, 2 threads, against 0123456789ab",
        "many-classes: 100000 x 57, K = 7, 6 rounds, 1 threads",
        "many-classes: 100000 x 57, K = 100, 6 rounds, 1 threads",
        "thousand-classes: 50000 x 57, K = 1000, 3 rounds, 2 threads",
        "every-first-fit: 40000 x 21, K = 7, 10 rounds, 2 threads",
        "threads: 500000 x 57, K = 7, 12 rounds, 1 threads",
        "doubling: 250000 x 57, K = 7, 12 rounds, 2 threads",
        "doubling: 4000000 x 57, K = 7, 12 rounds, 2 threads",
        "memory: 5000000 x 57, K = 7, 3 rounds, 2 threads",
        "sweep-n: 1000 x 57, K = 7, 12 rounds, 2 threads",
        "sweep-n: 10000000 x 57, K = 7, 12 rounds, 2 threads",
    ]:
        assert key in works


def test_the_works_of_the_command_line_are_those_of_the_plan():
    for size, names in timing.WORKS.items():
        groups = plan([size], EVERYONE, threads=2, cores=2, against="0123456789ab")
        assert {work.name for group in groups for work in group} <= {*names, "first-fit"}
        assert {*names} <= {work.name for group in groups for work in group}
    assert {target.work for target in targets.TARGETS} <= {
        name for size in timing.DEFAULT_SIZES for name in timing.WORKS[size]
    }


def test_works_are_selected_by_name():
    groups = plan(timing.SIZES, EVERYONE, threads=2, cores=2, works=["whole-fit", "memory"])
    assert [[work.name for work in group] for group in groups] == [["whole-fit"], ["memory"]]


def test_without_earlier_code_nothing_is_compared_with_it():
    groups = plan(timing.SIZES, EVERYONE, threads=2, cores=2)
    assert not {"own-predict", "credit-round"} & {work.name for group in groups for work in group}
    assert EARLIER not in {name for group in groups for work in group for name in work.names}


def test_figures_are_repeated_in_several_processes():
    processes = {w.name: w.processes for g in plan(timing.DEFAULT_SIZES, EVERYONE, threads=2, cores=2) for w in g}
    for name in ("small-fit", "large-round", "whole-fit", "two-threads", "predict", "many-classes"):
        assert processes[name] == 5
    fewer = {w.processes for g in plan(timing.SIZES, EVERYONE, threads=2, cores=2, processes=2) for w in g}
    assert fewer == {1, 2}


def test_a_new_process_takes_each_share_of_the_repeats(tmp_path):
    opened = []

    @contextlib.contextmanager
    def launch(group):
        opened.append(group[0].name)
        yield lambda work, name, seed: {"status": "done", "value": float(len(opened))}

    with Store(tmp_path, "timing") as store:
        store.open({"seed": 0})
        group = (work(names=(REFERENCE,), repeats=2, processes=3),)
        session.run([group], store, seed=0, variant="", launch=launch)
        rows = store.rows()
    assert len(opened) == 3
    assert [(row["replication"], row["process"], row["value"]) for row in rows] == [
        (0, 0, 1.0), (1, 0, 1.0), (2, 1, 2.0), (3, 1, 2.0), (4, 2, 3.0), (5, 2, 3.0)
    ]  # fmt: skip


def test_small_is_small():
    works = [work for group in plan(["small"], EVERYONE, threads=2, cores=2) for work in group]
    works = [work for work in works if work.measure != COMPILING]
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
    (threads,) = (g for g in plan(["sweeps"], [REFERENCE], threads=2, cores=4) if g[0].name == "threads")
    assert [work.threads for work, _ in session.turns(threads, 1)] == [2, 4, 1]
    (two,) = plan(["medium"], EVERYONE, threads=2, cores=4, works=["two-threads"])
    assert [(work.threads, name) for work, name in session.turns(two, 1)] == [(2, REFERENCE), (1, REFERENCE)]


def test_works_beyond_the_memory_are_named():
    groups = plan(["large", "sweeps"], EVERYONE, threads=2, cores=2)
    kept, skipped = machine.fitting(groups, memory=3 * 2**30)
    assert {(w.name, w.n) for w in skipped} == {
        ("sweep-n", 10_000_000),
        ("memory", 5_000_000),
        ("all-memory", 5_000_000),
    } | {("doubling", 250_000 * 2**i) for i in range(5)}
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

    made = Contestant(build, ticks=ticks, ticks_after=at_the_end, rounds_at_most=rounds_at_most)
    monkeypatch.setitem(CONTESTANTS, "False", made)
    return clock


@pytest.mark.parametrize("at_the_end", [True, False])
def test_a_round_is_the_median_between_ticks(monkeypatch, at_the_end):
    clock = false_contestant(monkeypatch, at_the_end=at_the_end)
    sample = sampling.prepare(work("large-round", ROUND, rounds=12), "False", 0, clock)()
    assert sample == {"value": 3.0, "fit_seconds": 10.0 + 11 * 3.0 + 30.0, "fit_rounds": 12, "setup_seconds": 10.0}


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
    large = work("whole-fit", n=50_000, rounds=2)
    assert sampling.prepare(large, "False", 0, clock)() == {"value": 16.0, "fits": 1}
    predict = work("predict", "predict", n=1000)
    assert sampling.prepare(predict, "False", 0, clock)() == {"value": 4.0, "predictions": 1}


def test_fast_fits_are_repeated_within_a_sample():
    assert [sampling.repetitions(seconds) for seconds in (1.0, 0.05, 0.02, 1e-9)] == [1, 1, 3, 20]


@pytest.mark.parametrize("name", ["LightGBM", "XGBoost", XGBOOST_VECTORS, SKLEARN_ADABOOST])
def test_peers_tick_once_a_round(name):
    pytest.importorskip({"LightGBM": "lightgbm", SKLEARN_ADABOOST: "sklearn"}.get(name, "xgboost"))
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
    for name, strategy in (("XGBoost", "one_output_per_tree"), (XGBOOST_VECTORS, "multi_output_tree")):
        wanted = {"max_leaves": 4, "max_bin": 255, "n_estimators": 7, "n_jobs": 2, "multi_strategy": strategy}
        assert made[name] | wanted == made[name]
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
            assert set(y) == {0, 1, 2}
            np.ones(2**25)  # 256 MiB, given back at once

    monkeypatch.setitem(CONTESTANTS, "Hungry", Contestant(lambda rounds, threads, tick: (Hungry(), {})))
    found = probe.memory("Hungry", 0, 1000, 4, 3, 2, 1)
    assert found["X_bytes"] == 16_000
    assert found["fit_seconds"] > 0
    if os.path.exists("/proc/self/clear_refs"):
        # the kernel counts pages in batches, and some may have been there before
        assert 0.99 * 2**28 <= found["fit_bytes"] < 2**28 + 2**26
    assert found["value"] >= found["fit_bytes"]


def test_the_empty_cache_serves_another_number_of_classes_and_a_warm_fit(monkeypatch, tmp_path):
    asked = []

    def run(words, cache):
        asked.append((json.loads(words[-1])["K"], cache))
        return {"value": float(len(asked)), "import_seconds": 0.1}

    monkeypatch.setattr(probe, "run", run)
    monkeypatch.setenv(probe.CACHE, str(tmp_path))
    sample = probe.prepare(work("first-fit", FIRST_FIT, cache="empty"), REFERENCE, 0)
    assert sample() == {"value": 1.0, "import_seconds": 0.1, "second_seconds": 2.0, "warm_seconds": 3.0}
    assert asked == [(3, str(tmp_path)), (7, str(tmp_path)), (3, str(tmp_path))]
    (tmp_path / "compiled").touch()
    sample()
    assert len({cache for _, cache in asked[3:]}) == 1
    assert asked[3][1] != str(tmp_path)  # which is empty no longer


def test_all_that_one_user_meets(monkeypatch, tmp_path):
    asked = []

    def run(words, cache):
        request = json.loads(words[-1])
        asked.append((request["K"], request["n"], request["threads"], cache))
        return {"value": 2.0}

    monkeypatch.setattr(probe, "run", run)
    monkeypatch.setenv(probe.CACHE, str(tmp_path))
    met = work("every-first-fit", COMPILING, n=40_000, K=7, rounds=10, threads=2)
    assert probe.prepare(met, REFERENCE, 0)() == {"value": 12.0, "combinations": 6}
    rows = ((300, 1), (40_000, 1), (40_000, 2))
    assert asked == [(K, n, threads, str(tmp_path)) for K in (3, 7) for n, threads in rows]


def test_what_is_compiled_is_counted_in_cpu_seconds(monkeypatch):
    met = []

    class Met:
        def fit(self, X, y):
            met.append(("fit", X.shape, X.dtype, y.max() + 1))

        def predict(self, X):
            met.append("predict")

        def staged_cost(self, X, y):
            met.append("staged cost")
            time.sleep(0.3)  # takes no cpu time

    monkeypatch.setitem(CONTESTANTS, "Met", Contestant(lambda rounds, threads, tick: (Met(), {})))
    assert 0 <= probe.compiling("Met", 0, 1000, 4, 3, 10, 2)["value"] < 0.2
    assert met == [("fit", (1000, 4), np.float64, 3), "predict", "staged cost"]


def test_a_failure_in_a_new_process_gives_its_last_line():
    with pytest.raises(RuntimeError, match="in a new process: ValueError: no"):
        probe.run([sys.executable, "-c", "raise ValueError('no')"], None)


# Processes.


@pytest.fixture
def other_checkout(tmp_path):
    """A checkout whose booster tells where it comes from, and one that ends the process."""
    (tmp_path / "csboost").mkdir()
    (tmp_path / "csboost" / "__init__.py").write_text(
        "import os\n"
        "class AngleAdaBoostClassifier:\n"
        "    def __init__(self, **_): pass\n"
        "    def fit(self, X, y): raise RuntimeError('the earlier code, K = %d' % (y.max() + 1))\n"
        "class SAMMEClassifier(AngleAdaBoostClassifier):\n"
        "    def fit(self, X, y): print('to stdout'); os._exit(3)\n"
    )
    return tmp_path


def test_each_code_is_measured_by_a_process_of_its_own(other_checkout):
    small = work(n=200, d=4, K=3, rounds=2)
    with worker.launch((small,), other_checkout) as take:
        assert take(small, EARLIER, 0)["error"].startswith("RuntimeError: the earlier code, K = 3 [fit")
        taken = take(small, "HistGradientBoosting", 0)
    assert taken["status"] == "done"
    assert 0 < taken["value"] < 60


def test_a_process_that_dies_is_replaced(other_checkout):
    small = work(n=200, d=4, K=3, rounds=2)
    process = worker.Worker(other_checkout)
    assert process(small, "SAMME", 0) == {
        "status": "failed", "error": "the process ended with exit code 3: to stdout"
    }  # fmt: skip
    assert "the earlier code" in process(small, REFERENCE, 0)["error"]
    process.close()


def test_loans_are_made_once(monkeypatch, tmp_path):
    pytest.importorskip("pyarrow")
    monkeypatch.setenv(data.ROWS_FOLDER, str(tmp_path))
    X, y = data.loans(2000, seed=0)
    assert X.shape[0] == len(y) == 2000
    assert X.dtype == np.float32
    assert set(y) == set(range(7))
    binary = [set(np.unique(column)) == {0.0, 1.0} for column in X.T]
    assert 20 < sum(binary) < X.shape[1] - 20  # levels of categories, and numbers
    monkeypatch.setattr(data, "_make_loans", None)
    again, _ = data.loans(2000, seed=0)
    np.testing.assert_array_equal(again, X)


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
    assert len(found) == 23
    lines = {line.strip(): values for line, values in found.iterrows()}

    def told(start):
        (line,) = (values for label, values in lines.items() if label.startswith(start))
        return line["measured"], line["mark"]

    assert told("whole fit, 500,000 x 57, K = 7, 2 threads, 100") == (pytest.approx(8.0), "ok")  # 0.08 over 0.01
    assert told("round, 500,000 x 57, K = 7, 2 threads: against L") == (pytest.approx(8.0), "ok")
    assert told("the same against XGBoost hist") == (pytest.approx(5.0), "below")
    assert told("the same against XGBoost multi") == (pytest.approx(6.0), "ok")
    assert told("setup there") == (pytest.approx(16.0), "below")
    assert told("two threads against one") == (pytest.approx(2.0), "ok, aim met")
    assert told("the same, whole fit of 100 rounds") == (pytest.approx(2.0), "ok, aim met")
    assert told("fit, 300") == (pytest.approx(8.0), "ok")
    assert told("the same against scikit") == (pytest.approx(90.0), "ok, aim met")
    assert told("predict 1,000,000") == (pytest.approx(8.0), "below")
    assert told("the same against its own") == (pytest.approx(1.5), "below")
    assert told("round, credit layout") == (pytest.approx(1.5), "ok")
    assert told("round, K = 100 over K = 7") == (pytest.approx(100 / 7), "ok")
    assert told("K = 1,000, 50,000") == (1.0, "ok, aim met")
    assert told("first fit in a new process, empty") == (8.0, "ok")
    assert told("the same with another number") == (0.5, "ok")
    assert told("the same with a warm") == (0.25, "ok, aim met")
    assert told("all that one user meets") == (30.0, "below")
    assert lines["the same against its own earlier code"]["note"] == "earlier code 0123456789ab"
    slowest = lines["the other five boosters against Angle AdaBoost, 300 rows"]
    assert slowest["measured"] == pytest.approx(1.7)
    assert slowest["mark"] == "below"
    assert slowest["note"] == "AdaBoost.MH, the slowest of 5"
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
    found = findings.against("small-fit", "LightGBM")(rows)
    assert found.values == [6.0, 6.0, 7.0]
    assert found.median == 6.0


def test_the_spread_is_over_processes():
    rows = rows_of({REFERENCE: [1.0] * 6, "LightGBM": [6.0, 7.0, 20.0, 8.0, 9.0, 30.0]})
    for row in rows:
        row["process"] = row["replication"] // 3
    assert findings.against("small-fit", "LightGBM")(rows).values == [7.0, 9.0]
    assert findings.by_process([(4, 1.0), (4, 3.0)]) == [1.0, 3.0]
    assert findings.by_process([]) == []


def test_the_latest_earlier_code_counts():
    before, now = (
        [dict(row, against=code) for row in rows_of({REFERENCE: [1.0], EARLIER: [seconds]}, work="own-predict")]
        for code, seconds in (("a", 1.2), ("b", 1.8))
    )
    found = findings.against_earlier("own-predict")([*before, *now])
    assert (found.values, found.note) == ([1.8], "earlier code b")
    assert findings.against_earlier("own-predict")([]) is None


def test_what_is_not_measured_says_why():
    def marks(rows, absent=None):
        found = targets.evaluate(rows, absent).set_index("work")["mark"]
        return {label.split(":")[-1].strip(): mark for label, mark in found.items() if "1,000" not in label}

    alone = rows_of({REFERENCE: [1.0], SKLEARN_ADABOOST: [50.0]})
    missing = marks(alone, {"lightgbm": "lightgbm is not installed"})
    assert missing["against LightGBM"] == "not measured: lightgbm is not installed"
    assert missing["the same against scikit-learn's AdaBoost"] == "ok"
    assert missing["the same against XGBoost hist"] == "not measured: --sizes medium"
    assert missing["the same against its own earlier code"] == "not measured: --against CHECKOUT"
    (first,) = (t for t in targets.TARGETS if t.work == "small-fit" and t.peer == "lightgbm")
    assert first.reason(alone, {}) == "not measured: --peers lightgbm"
    assert first.reason([], {}) == "not measured: --sizes small"
    (many,) = (t for t in targets.TARGETS if t.work == "thousand-classes")
    failed = {"work": "thousand-classes", "status": "failed", "error": "MemoryError: no", "variant": ""}
    assert many.reason([failed], {}) == "failed: MemoryError"
    too_large = {"thousand-classes": "too large for this machine's memory"}
    assert many.reason([], too_large) == "not measured: too large for this machine's memory"


def test_what_departs_from_the_figure_has_no_mark():
    quick = rows_of({REFERENCE: [1.0], "LightGBM": [1.0]}, variant="quick")
    (target,) = (t for t in targets.TARGETS if t.work == "small-fit" and t.peer == "lightgbm")
    assert target.mark(target.find(quick)) == "no mark: quick"
    full = rows_of({REFERENCE: [1.0], "LightGBM": [20.0]})
    assert target.mark(target.find([*full, *quick])) == "ok, aim met"
    assert target.mark(None) == "not measured: --sizes small"


@pytest.mark.parametrize(("value", "mark"), [(1.1, "ok, aim met"), (1.2, "ok, aim met"), (1.5, "ok"), (1.61, "below")])
def test_at_most(value, mark):
    rows = rows_of({REFERENCE: [1.0], "SAMME": [value], "p-norm": [1.0]})
    target = next(t for t in targets.TARGETS if t.label.startswith("the other five"))
    assert target.mark(target.find(rows)) == mark


def test_the_largest_doubling_counts():
    rows = [row for n, value in [(1, 1.0), (2, 1.9), (4, 4.2), (16, 90.0)] for row in
            rows_of({REFERENCE: [value]}, work="doubling", n=n)]  # fmt: skip
    found = findings.doubling(rows)
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
    table = tables.sweep_table(findings.of_work(everything, "sweep-n"), "n")
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
    assert [line["mark"] for line in lines][:3] == ["ok", "ok", "below"]
    tidy = list(csv.DictReader((out / "table.csv").open()))
    (light,) = (r for r in tidy if (r["work"], r["algorithm"]) == ("small-fit", "LightGBM"))
    assert float(light["ratio"]) == pytest.approx(8.0)
    for name in ["ratios", "n", "d", "K", "threads", "doubling"]:
        assert (out / f"figure-{name}.png").stat().st_size > 10_000
        assert (out / f"figure-{name}.pdf").exists()
    page = (out / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 6
    assert '<span class="far">below</span>' in page
    assert "python -m bench.timing" in page
    assert "| work | floor | aim | measured | spread | mark |" in (out / "table.md").read_text()
    assert r"\toprule" in (out / "table.tex").read_text()


def test_an_empty_folder_of_rows_still_has_a_table(tmp_path, capsys):
    with Store(tmp_path, "timing") as store:
        store.open({"seed": 0})
    assert timing.main(["--render-only", "--out", str(tmp_path)]) == cli.DONE
    assert capsys.readouterr().out.count("not measured: --sizes") == 21


# The command line.


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--sizes", "smal"], "unknown size 'smal'. Did you mean 'small'?"),
        (["--peers", "lightgbn"], "unknown peer 'lightgbn'. Did you mean 'lightgbm'?"),
        (["--algorithms", "LightGBM"], "unknown algorithm 'LightGBM'"),
        (["--rounds", "1"], "--rounds: must be a whole number of at least 2, not '1'"),
        (["--fresh", "--render-only"], "--fresh deletes the results that --render-only draws"),
        (["--works", "whole-fits"], "unknown work 'whole-fits'. Did you mean 'whole-fit'?"),
        (["--processes", "0"], "--processes: must be a whole number of at least 1, not '0'"),
        (["--against", "nowhere"], "--against nowhere: there is no csboost/__init__.py. Name the root of another"),
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
    monkeypatch.setattr(session, "launcher", lambda *_: false_launch())
    assert timing.main(["--sizes", "small", "--replications", "1", "--out", str(tmp_path)]) == cli.DONE
    captured = capsys.readouterr()
    assert "Skipped, not installed: lightgbm, xgboost (pip install 'csboost[peers]')." in captured.err
    assert "Skipped, not installed: lightgbm, xgboost" in captured.out
    assert captured.out.count("not measured: lightgbm is not installed") == 4
    assert captured.out.count("not measured: xgboost is not installed") == 2
    names = {json.loads(line)["algorithm"] for line in (tmp_path / "runs.jsonl").open()}
    assert names == {*PAPER, "HistGradientBoosting", SKLEARN_ADABOOST, "csboost"}
    environment = json.loads((tmp_path / "environment.json").read_text())
    assert {"processor", "cores", "date", "versions", "load"} <= environment.keys()


def test_a_run_resumes_and_refuses_rows_of_other_code(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(session, "launcher", lambda *_: false_launch())
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

    monkeypatch.setattr(session, "launcher", lambda *_: false_launch(prepare))
    arguments = ["--sizes", "small", "--peers", "--replications", "1", "--out", str(tmp_path)]
    assert timing.main(arguments) == cli.SOME_FAILED
    assert "OSError: no such luck" in capsys.readouterr().err


def test_installed_peers():
    assert installed(["sklearn", "no_such_package"]) == (["sklearn"], ["no_such_package"])


def test_compiled_code_of_older_sources_is_not_timed(monkeypatch):
    monkeypatch.setenv(probe.CACHE, "before")
    monkeypatch.delenv(data.ROWS_FOLDER, raising=False)
    with machine.new_cache():
        folder = os.environ[probe.CACHE]
        assert folder != "before"
        assert os.listdir(folder) == []
    assert os.environ[probe.CACHE] == "before"
    assert data.ROWS_FOLDER not in os.environ
    assert not os.path.exists(folder)
