"""A decision is an array of answers that knows what they are expected to cost."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from decided import GRADES, P3, TABLE
from sklearn.metrics import accuracy_score

from csboost import decisions, metrics


def through_pickle(decision):
    return pickle.loads(pickle.dumps(decision))


@pytest.fixture
def decision():
    return decisions.decide(P3, TABLE, classes=GRADES, limits={"human": 1})


def test_a_decision_is_an_array_of_answers(decision):
    plain = decision.answers
    assert type(plain) is np.ndarray
    assert len(decision) == 4
    assert decision.shape == (4,)
    assert list(decision) == plain.tolist() == decision.tolist()
    for equal in (decision == plain, plain == decision, decision == decision.copy()):
        assert equal.all()
        assert type(equal) is np.ndarray
    assert (decision == "human").sum() == decision.counts["human"]
    assert (decision != "human").sum() == 4 - decision.counts["human"]
    assert decision[0] == plain[0]
    assert type(decision[1:]) is np.ndarray
    assert decision[decision == "human"].tolist() == ["human"] * decision.counts["human"]
    assert np.asarray(decision).tolist() == plain.tolist()
    assert pd.Series(decision).tolist() == plain.tolist()
    assert np.unique(decision).tolist() == sorted(set(plain))


OF_NUMPY = {
    "take": lambda a: a.take([0, 2]),
    "ravel": lambda a: a.ravel(),
    "astype": lambda a: a.astype(object),
    "reshape": lambda a: a.reshape(2, 2),
    "repeat": lambda a: a.repeat(2),
    "T": lambda a: a.T,
    "view": lambda a: a.view(),
    "np.sort": np.sort,
    "np.take": lambda a: np.take(a, [1, 0]),
    "np.copy": lambda a: np.copy(a, subok=True),
    "np.concatenate": lambda a: np.concatenate([a, a[:2], a]),
    "np.where": lambda a: np.where(a == "human", "someone", a),
    "np.append": lambda a: np.append(a, "good"),
    "np.broadcast_to": lambda a: np.broadcast_to(a, (2, 4), subok=True),
    "np.asarray": np.asarray,
    "of a copy": lambda a: a.copy().take([0, 1]),
}


@pytest.mark.parametrize("make", OF_NUMPY.values(), ids=OF_NUMPY)
def test_what_numpy_makes_of_a_decision_is_a_plain_array(decision, make):
    found = make(decision)
    assert type(found) is np.ndarray
    assert found.tolist() == make(decision.answers).tolist()


def test_other_results_of_numpy_are_plain_too(decision):
    values, first = np.unique(decision, return_index=True)
    assert type(values) is type(first) is np.ndarray
    assert all(type(part) is np.ndarray for part in np.split(decision, 2))
    numbers = decisions.decide([[0.9, 0.1], [0.4, 0.6]])
    changed = numbers.copy()
    changed += 1
    assert changed.tolist() == [1, 2]
    assert (numbers + 1).tolist() == [1, 2]
    assert numbers.mean() == 0.5


def test_a_decision_goes_into_metrics():
    truth = ["fair", "good", "poor", "good"]
    square = TABLE.drop(columns="human")
    decision = decisions.decide(P3, square, classes=GRADES)
    assert metrics.mean_cost(truth, decision, square) == metrics.mean_cost(truth, decision.answers, square)
    assert accuracy_score(truth, decision) == accuracy_score(truth, decision.answers)


def test_a_decision_cannot_be_changed_under_its_costs_and_a_copy_can(decision):
    with pytest.raises(ValueError, match="read-only"):
        decision[0] = "poor"
    changed = decision.copy()
    changed[0] = "poor"
    assert changed[0] == "poor"
    assert decision.answers[0] != "poor"
    with pytest.raises(AttributeError, match="these answers were taken out of a Decision; its expected_costs stayed"):
        _ = changed.expected_costs
    with pytest.raises(AttributeError, match="these answers were taken out of a Decision; its expected_cost stayed"):
        _ = changed.expected_cost
    with pytest.raises(AttributeError, match="'Decision' object has no attribute 'expected'"):
        _ = decision.expected


@pytest.mark.parametrize("copied", [lambda decision: decision, copy.copy, copy.deepcopy, through_pickle])
def test_parts_of_a_decision_cannot_be_written(decision, copied):
    whole = copied(decision)
    for name in ("answers", "expected_costs", "labels", "classes"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(whole, name)[0] = getattr(whole, name)[1]
    with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
        whole.setflags(write=True)
    priors = copied(decisions.decide(P3, priors=[0.2, 0.3, 0.5], train_priors=[0.3, 0.3, 0.4])).priors
    with pytest.raises(ValueError, match="read-only"):
        priors[0] = 1.0


def test_a_decision_says_what_it_comes_to(decision):
    words = repr(decision)
    assert words == str(decision)
    assert words.startswith("Decision of 4 rows: ")
    assert f"1 x human; expected cost {decision.expected_cost.mean():.4g} per row" in words
    assert repr(decision.copy()) == repr(decision.answers)


def test_a_decision_makes_a_table(decision):
    frame = decision.to_frame()
    assert list(frame.columns) == ["answer", "expected_cost", *decision.labels]
    assert frame["answer"].tolist() == decision.tolist()
    np.testing.assert_array_equal(frame["expected_cost"], decision.expected_cost)
    np.testing.assert_array_equal(frame[list(decision.labels)], decision.expected_costs)


CHANGEABLE = {
    "copy()": lambda decision: decision.copy(),
    "copy of a copy": lambda decision: decision.copy().copy(),
    "copy.copy": lambda decision: copy.copy(decision.copy()),
    "deepcopy": lambda decision: copy.deepcopy(decision.copy()),
    "pickle": lambda decision: through_pickle(decision.copy()),
    "np.array": lambda decision: np.array(decision, subok=True),
    "np.require": lambda decision: np.require(decision, requirements="W"),
}
CHANGES = {
    "item": lambda answers: answers.__setitem__(0, "poor"),
    "partition": lambda answers: answers.partition(0) or answers.put([1, 2], ["poor", "good"]),
    "fill": lambda answers: answers.fill("poor"),
    "view": lambda answers: answers.ravel().__setitem__(slice(None), "poor"),
    "of answers": lambda answers: answers.answers.__setitem__(0, "poor"),
    "copyto": lambda answers: np.copyto(answers, "poor"),
}


@pytest.mark.parametrize("copied", CHANGEABLE.values(), ids=CHANGEABLE)
def test_a_copy_that_can_be_changed_has_all_parts_until_it_is(decision, copied):
    for change in CHANGES.values():
        twin = copied(decision)
        assert twin.to_frame().equals(decision.to_frame())
        assert (twin.counts, twin.shadow_prices) == (decision.counts, decision.shadow_prices)
        assert twin.flags.writeable
        change(twin)
        assert twin.tolist() != decision.tolist()
        for lost in ("expected_cost", "counts", "to_frame"):
            with pytest.raises(
                AttributeError, match="these answers were taken out of a Decision; its (expected_cost|counts) st"
            ):
                getattr(twin, lost)()
        for again in (copy.copy(twin), copy.deepcopy(twin), through_pickle(twin)):
            assert again.tolist() == twin.tolist()
        assert decision.to_frame()["answer"].tolist() == decision.tolist()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, through_pickle])
def test_a_decision_is_copied_whole(decision, copied):
    twin = copied(decision)
    assert twin.tolist() == decision.tolist()
    np.testing.assert_array_equal(twin.expected_costs, decision.expected_costs)
    assert twin.shadow_prices == decision.shadow_prices
    assert twin.counts == decision.counts
    assert not twin.flags.writeable
