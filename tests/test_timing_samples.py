"""The timing study: samples on a false clock, and the processes that take them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from timing_rows import EVERYONE, work

from bench.timing import data, probe, sampling, worker
from bench.timing.contestants import (
    CONTESTANTS,
    EARLIER,
    ONE_BAG,
    REFERENCE,
    SKLEARN_ADABOOST,
    VECTORS_MODEL,
    XGBOOST_VECTORS,
    Contestant,
)
from bench.timing.work import COMPILING, DEFAULTS, FIRST_FIT, IMPORT, ROUND


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
    assert made["LightGBM, 8 leaves"] == made["LightGBM"] | {"num_leaves": 8}
    assert made["XGBoost multi_output_tree, 8 leaves"] == made[XGBOOST_VECTORS] | {"max_leaves": 8}
    ours = CONTESTANTS[VECTORS_MODEL].build(7, 2, None)[0].get_params()
    assert ours | {"max_leaf_nodes": 8, "max_bins": 255, "n_estimators": 7, "n_bags": 1, "n_jobs": 2} == ours
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


def test_a_worker_imports_no_csboost_before_it_is_told_which():
    asked = "import sys, bench.timing.worker; print([name for name in sys.modules if name.startswith('csboost')])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


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


def test_clusters_are_drawn_by_the_seed_and_need_no_loans(monkeypatch):
    monkeypatch.setattr(probe, "run", None)  # nothing is made beforehand
    clusters = work("default-fit-clusters", n=400, d=20, K=5, rounds=0, source=data.CLUSTERS, names=(REFERENCE,))
    with worker.launch((clusters,), None, seed=0):
        pass
    (X, y), (again, _), (other, _) = (sampling._rows_of(clusters, seed) for seed in (0, 0, 1))
    assert (X.shape, len(np.unique(y))) == ((400, 20), 5)
    np.testing.assert_array_equal(X, again)
    assert (other != X).any()


@pytest.mark.parametrize("name", [name for name, one in CONTESTANTS.items() if one.protocol == DEFAULTS])
def test_fits_at_the_defaults_have_them_and_the_threads_of_the_work(name):
    pytest.importorskip(CONTESTANTS[name].peer or "csboost")
    model, options = CONTESTANTS[name].build(0, 1, None)
    assert not options
    told = {key: value for key, value in model.get_params().items() if value != type(model)().get_params().get(key)}
    quiet = {"verbose", "verbosity", "allow_writing_files", "random_state"}
    bag = {"n_bags", "n_iter_no_change", "n_estimators"} if name == ONE_BAG else set()
    assert told.keys() - quiet == {"thread_count" if "CatBoost" in name else "n_jobs"} | bag
