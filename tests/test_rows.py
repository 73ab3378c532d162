"""Blocks of rows, the threads that work on them, their totals; and that a training set is coded once."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from cases import VARIANTS, make, unequal_costs

from csboost.problem import Problem
from csboost.updates import WeightState
from csboost.weak import SklearnWeakLearner
from csboost.weak.binning import Binner
from csboost.weak.interface import Rule
from csboost.weak.layout import BLOCK
from csboost.weak.rows import Rows
from csboost.weak.rules import LABEL

MANY = 40 * BLOCK + 17


def visits(rows, run):
    """How often each number of something was visited, and the size of every chunk by thread."""
    found: dict[int, int] = {}
    chunks: list[tuple[int, int]] = []
    lock = threading.Lock()

    def task(first, last, thread):
        with lock:
            chunks.append((thread, last - first))
            for number in range(first, last):
                found[number] = found.get(number, 0) + 1

    run(task)
    rows.close()
    return found, chunks


def sum_by_block(values, first, last, partial):
    """As the boosters' kernels write their totals."""
    for block in range(first, last):
        part = values[block * BLOCK : (block + 1) * BLOCK]
        partial[block] = part.sum() if partial.ndim == 1 else (part.sum(), (part * part).sum())


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n_rows", [1, BLOCK, BLOCK + 1, 7 * BLOCK, MANY])
def test_every_block_is_visited_once_by_one_of_the_threads(n_rows, n_threads):
    rows = Rows(n_rows, n_threads)
    found, chunks = visits(rows, rows.run)
    assert found == dict.fromkeys(range(rows.n_blocks), 1)
    assert {thread for thread, _ in chunks} <= set(range(rows.n_threads))
    assert len(chunks) % rows.n_threads == 0  # as many for each
    assert max(size for _, size in chunks) - min(size for _, size in chunks) <= 1


def test_a_thread_has_two_blocks_or_more():
    assert [Rows(blocks * BLOCK, 8).n_threads for blocks in (1, 3, 4, 9, 100)] == [1, 1, 2, 4, 8]
    assert Rows(100 * BLOCK, 0).n_threads == 1


@pytest.mark.parametrize("n_threads", [1, 3])
def test_other_things_than_blocks_are_shared_too(n_threads):
    rows = Rows(MANY, n_threads)
    found, _ = visits(rows, lambda task: rows.share(11, task))
    assert found == dict.fromkeys(range(11), 1)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_mapped_results_are_in_the_order_of_the_items(n_threads):
    rows = Rows(MANY, n_threads)
    assert rows.map(lambda x: x * x, range(50)) == [x * x for x in range(50)]
    assert rows.map(abs, []) == []
    rows.close()


def test_blocks_are_the_rows_in_order():
    parts = Rows(2 * BLOCK + 5).blocks
    np.testing.assert_array_equal(np.concatenate([np.arange(MANY)[part] for part in parts]), np.arange(2 * BLOCK + 5))
    assert [part.stop - part.start for part in parts] == [BLOCK, BLOCK, 5]


def test_totals_are_the_same_in_any_number_of_threads():
    values = np.random.default_rng(0).gamma(0.01, size=MANY)  # sums in another order differ in their last bits
    found = set()
    for n_threads in (1, 2, 5, 20):
        rows = Rows(MANY, n_threads)
        two = rows.totals(sum_by_block, values, count=2)
        found.add((rows.totals(sum_by_block, values), rows.sum(values), *two))
        assert isinstance(two, list)
        rows.close()
    ((total, plain, first, _),) = found
    assert isinstance(total, float)
    assert total == plain
    assert first == pytest.approx(values.sum(), rel=1e-12)


def test_totals_are_added_up_in_the_order_of_the_blocks():
    """Large numbers swallow small ones that come later, not those that came before."""
    rising = np.array([1.0, 1.0, 2.0**53, -(2.0**53)])
    rows = Rows(4 * BLOCK)
    assert rows.total(rising) == 2.0
    assert rows.total(rising[[2, 0, 1, 3]]) == 0.0
    assert rows.total(np.stack([rising, rising[[2, 0, 1, 3]]], axis=1)) == [2.0, 0.0]


@pytest.mark.parametrize("shape", [(BLOCK,), (BLOCK, 3), (100, 7)])
def test_the_total_of_one_block_is_that_of_numpy(shape):
    values = np.random.default_rng(1).random(shape)
    assert Rows(shape[0]).sum(values) == values.sum()
    assert Rows(shape[0]).sum(np.broadcast_to(1.0, shape)) == values.size


def test_first_and_later_totals_of_a_booster_agree_whatever_the_threads():
    rng = np.random.default_rng(2)
    labels, weights = rng.integers(0, 3, MANY).astype(np.uint16), rng.random((MANY, 3))
    rule = Rule(np.zeros(MANY, np.uint16), np.zeros((1, 3)), 0.0, np.array([1]), 0.0)
    totals = []
    for n_threads in (1, 4):
        rows = Rows(MANY, n_threads)
        state = WeightState(weights.copy(), labels, 3, rows)
        first = state.total
        state.rescale_labels(rule, 2.0, 2.0)
        assert state.total == pytest.approx(2.0, rel=1e-12)  # the old total is divided out
        totals.append((first, state.total))
        rows.close()
    assert totals[0] == totals[1]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_exception_in_one_thread_surfaces_and_the_others_end(failing):
    rows, failed, lasted = Rows(MANY, 2), threading.Event(), []

    def task(first, last, thread):
        if thread == failing:
            failed.set()
            raise RuntimeError(f"of thread {thread}")
        failed.wait(10)
        time.sleep(0.3)  # the other one has given up by then
        lasted.append(first)

    with pytest.raises(RuntimeError, match=f"of thread {failing}"):
        rows.run(task)
    assert len(lasted) <= 1  # what it was at is done, and it took no more
    assert visits(rows, rows.run)[0] == dict.fromkeys(range(rows.n_blocks), 1)  # the threads are still there


# Coded once.


@pytest.fixture
def binned(monkeypatch):
    """The weights of every binning, in order."""
    seen, fit = [], Binner.fit

    def watched(self, X, weights=None, *others):
        seen.append(None if weights is None else np.array(weights))
        return fit(self, X, weights, *others)

    monkeypatch.setattr(Binner, "fit", watched)
    return seen


def some_rows(n=400):
    rng = np.random.default_rng(3)
    y = np.arange(n) % 4
    return rng.normal(size=(n, 3)) + y[:, None], y, rng.integers(0, 4, n).astype(float)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_fit_codes_its_rows_once(name, binned):
    """Also where it boosts every class on its own; by the weights of the rows of positive weight."""
    X, y, weights = some_rows()
    make(name, n_estimators=3, cost_matrix=unequal_costs(4)).fit(X, y, sample_weight=weights)
    assert len(binned) == 1
    np.testing.assert_array_equal(binned[0], weights[weights > 0])


def test_rows_held_out_do_not_place_bins(binned):
    X, y, _ = some_rows()
    make("mh", n_estimators=3, n_iter_no_change=2, validation_fraction=0.25).fit(X, y)
    assert [len(weights) for weights in binned] == [300]


@pytest.mark.parametrize("name", ["mh-apart", "mh-real-apart"])
def test_classes_apart_place_their_bins_by_the_weights(name):
    """Weight 2 is the row twice, weight 0 none of it, with more values than bins."""
    X, y, weights = some_rows(900)
    weighted = make(name, n_estimators=5).fit(X, y, sample_weight=weights)
    kept = np.repeat(np.arange(900), weights.astype(int))
    repeated = make(name, n_estimators=5).fit(X[kept], y[kept])
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), rtol=1e-9)


def test_problems_on_the_same_rows_share_what_was_made_of_them():
    X, y, _ = some_rows()
    problem = Problem(X, y, np.ones(len(y)), unequal_costs(4)[y], np.arange(4), unequal_costs(4))
    first = problem.once("made", object)
    other = problem.restated(problem.costs[:, :1], np.minimum(y, 1), problem.classes[:1])
    assert other.once("made", object) is first
    assert other.n_classes == 1
    assert problem.n_classes == 4
    assert problem.take(np.arange(10)).once("made", object) is not first


def test_a_learner_of_scikit_learn_has_rows_of_one_thread():
    from sklearn.tree import DecisionTreeClassifier

    X, y, _ = some_rows()
    problem = Problem(X, y, np.ones(len(y)), unequal_costs(4)[y], np.arange(4), unequal_costs(4))
    learner = SklearnWeakLearner(DecisionTreeClassifier(max_leaf_nodes=4))
    bound = learner.bind(problem, LABEL, 1, 8, np.random.RandomState(0))
    assert (bound.rows.n_rows, bound.rows.n_blocks, bound.rows.n_threads) == (len(y), 1, 1)
    bound.close()
