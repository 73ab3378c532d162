"""The timing study: which works a run takes, in what order, and on what rows."""

from __future__ import annotations

import contextlib

import numpy as np
from timing_rows import EVERYONE, work

from bench.rows.store import Store
from bench.timing import data, session, sizes, surroundings, targets
from bench.timing.contestants import EARLIER, REFERENCE, SKLEARN_ADABOOST
from bench.timing.plan import plan
from bench.timing.work import COMPILING


def test_the_plan_holds_every_work_of_the_table():
    groups = plan(sizes.SIZES, EVERYONE, threads=2, cores=2, against="0123456789ab")
    works = {work.key for group in groups for work in group}
    for key in [
        "small-fit: 300 x 21, K = 3, 200 rounds, 1 threads",
        "default-fit: 2000 x 20, K = 5, 1 threads",
        "default-fit-clusters: 2000 x 20, K = 5, 1 threads",
        "large-round: 500000 x 57, K = 7, 12 rounds, 2 threads",
        "vector-round: 500000 x 57, K = 7, 12 rounds, 2 threads",
        "vector-classes: 100000 x 50, K = 5, 12 rounds, 1 threads",
        "vector-classes: 100000 x 50, K = 100, 12 rounds, 1 threads",
        "vector-memory: 100000 x 50, K = 100, 3 rounds, 1 threads",
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
    for size, names in sizes.WORKS.items():
        groups = plan([size], EVERYONE, threads=2, cores=2, against="0123456789ab")
        assert {work.name for group in groups for work in group} <= {*names, "first-fit"}
        assert {*names} <= {work.name for group in groups for work in group}
    assert {target.work for target in targets.TARGETS} <= {
        name for size in sizes.DEFAULT_SIZES for name in sizes.WORKS[size]
    }


def test_works_are_selected_by_name():
    groups = plan(sizes.SIZES, EVERYONE, threads=2, cores=2, works=["whole-fit", "memory"])
    assert [[work.name for work in group] for group in groups] == [["whole-fit"], ["memory"]]


def test_without_earlier_code_nothing_is_compared_with_it():
    groups = plan(sizes.SIZES, EVERYONE, threads=2, cores=2)
    assert not {"own-predict", "credit-round"} & {work.name for group in groups for work in group}
    assert EARLIER not in {name for group in groups for work in group for name in work.names}


def test_figures_are_repeated_in_several_processes():
    processes = {w.name: w.processes for g in plan(sizes.DEFAULT_SIZES, EVERYONE, threads=2, cores=2) for w in g}
    rounds = ("large-round", "vector-round", "many-classes", "vector-classes")
    for name in (*rounds, "small-fit", "whole-fit", "two-threads", "predict"):
        assert processes[name] == 5
    fewer = {w.processes for g in plan(sizes.SIZES, EVERYONE, threads=2, cores=2, processes=2) for w in g}
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
    assert [(row.replication, row.process, row.value) for row in rows] == [
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
    kept, skipped = surroundings.fitting(groups, memory=3 * 2**30)
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
