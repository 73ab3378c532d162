"""Answers under limits: the cheapest that keep them, what each limit costs, and limits that cannot be kept."""

from __future__ import annotations

import inspect
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from csboost import decisions
from csboost.decisions import assignment
from csboost.decisions.limits import read_limits


def decide(E, limits):
    """The decision on expected costs ``E`` (n, A) as they are: one class, a table for each row."""
    return decisions.decide(np.ones((len(E), 1)), sample_cost=E[:, None, :], limits=limits)


def least_cost(E, lower, upper):
    """The least cost of all assignments of answers to rows that keep the limits, by trying all; infinite for none."""
    n, A = E.shape
    every = np.array(list(product(range(A), repeat=n)))
    counts = (every[:, :, None] == np.arange(A)).sum(axis=1)
    kept = ((counts >= lower) & (counts <= upper)).all(axis=1)
    return E[np.arange(n), every].sum(axis=1)[kept].min(initial=np.inf)


def case(seed):
    """Costs (n, A) with or without ties, and limits that can be kept: as counts, and as the argument ``limits``."""
    rng = np.random.default_rng(seed)
    A = int(rng.integers(2, 5))
    n = int(rng.integers(1, {2: 11, 3: 8, 4: 7}[A]))
    E = rng.integers(-2, 3, (n, A)).astype(float) if seed % 2 else rng.normal(size=(n, A))
    while True:
        lower, upper = np.zeros(A, int), np.full(A, n)
        limits = {}
        for a in rng.permutation(A)[: int(rng.integers(1, A + 1))]:
            least, most = sorted(rng.integers(0, n + 1, 2).tolist())
            kind = rng.integers(4)
            least, most = (None if kind == 0 else least), (None if kind == 1 else most)
            limits[int(a)] = most if kind == 0 and seed % 3 else (least, most)
            lower[a], upper[a] = least or 0, n if most is None else most
        if lower.sum() <= n <= upper.sum():
            return E, lower, upper, limits


@pytest.mark.parametrize("seed", range(200))
def test_answers_are_the_cheapest_that_keep_the_limits_and_prices_what_relaxing_by_one_saves(seed):
    E, lower, upper, limits = case(seed)
    A = E.shape[1]
    decision = decide(E, limits)
    counts = np.bincount(decision, minlength=A)
    assert (counts >= lower).all()
    assert (counts <= upper).all()
    least = least_cost(E, lower, upper)
    assert decision.expected_cost.sum() == pytest.approx(least, abs=1e-9)
    assert decision.shadow_prices.keys() == limits.keys()
    for a, price in decision.shadow_prices.items():
        one = np.arange(A) == a
        relaxed = min(least_cost(E, lower - one, upper), least_cost(E, lower, upper + one))
        assert price == pytest.approx(least - relaxed, abs=1e-9)
        assert price >= 0


def solved(E, lower, upper):
    """The assignment of least cost under limits as a linear programme, which is whole by itself."""
    n, A = E.shape
    rows, columns = np.divmod(np.arange(n * A), A)
    ones = np.ones(n * A)
    each = coo_matrix((ones, (rows, np.arange(n * A))))
    total = coo_matrix((ones, (columns, np.arange(n * A))), shape=(A, n * A)).toarray()
    found = linprog(
        E.ravel(), A_ub=np.vstack([total, -total]), b_ub=np.concatenate([upper, -lower]), A_eq=each, b_eq=np.ones(n)
    )
    assert found.success
    return found


def by_linear_programme(E, lower, upper):
    """Its least cost."""
    return solved(E, lower, upper).fun


@pytest.mark.parametrize("seed", range(100))
def test_prices_and_a_part_of_the_rows_to_start_from_change_nothing(seed, monkeypatch):
    """What only many rows would need, on few: even where the part is far too small."""
    monkeypatch.setattr(assignment, "FEW", 1)
    monkeypatch.setattr(assignment, "DOUBTFUL", 1 + seed % 3)
    E, lower, upper, limits = case(seed)
    assert decide(E, limits).expected_cost.sum() == pytest.approx(least_cost(E, lower, upper), abs=1e-9)


@pytest.mark.parametrize("seed", range(16))
def test_many_rows_and_limits_agree_with_a_linear_programme(seed):
    rng = np.random.default_rng(seed)
    n, A = 900, 3 + seed % 4
    E = rng.gamma(1.0, size=(n, A)) * rng.uniform(0.2, 2.0, A) * 10.0 ** (seed % 5 - 2)
    E = E if seed % 3 else E.round(1)  # with ties
    E = E if seed % 5 else E * (1.0 + rng.pareto(0.8, (n, 1)))  # a few rows of very large amounts
    shares = rng.dirichlet(np.ones(A))
    limits = {a: (round(0.3 * n * shares[a]), round(1.2 * n * shares[a]) + 2) for a in range(A)}
    lower, upper = (np.array([limits[a][side] for a in range(A)]) for side in (0, 1))
    decision = decide(E, limits)
    counts = np.bincount(decision, minlength=A)
    assert (counts >= lower).all()
    assert (counts <= upper).all()
    assert decision.expected_cost.sum() == pytest.approx(by_linear_programme(E, lower, upper), rel=1e-9)


def bound(E, prices, lower, upper):
    """No answers under the limits cost less, whatever the prices: the dual of the transportation problem."""
    return (E + prices).min(axis=1).sum() - np.maximum(upper * prices, lower * prices).sum()


@pytest.mark.parametrize("seed", range(12))
def test_prices_to_start_from_are_those_of_the_linear_programme(seed, monkeypatch):
    prices_near = assignment.prices_near
    monkeypatch.setattr(inspect.getmodule(prices_near), "NEAR", 0)  # go on to the top
    rng = np.random.default_rng(seed)
    n, A, unit = 600, 3 + seed % 3, 10.0 ** (seed % 5 - 2)
    E = unit * rng.gamma(1.0, size=(n, A)) * rng.uniform(0.2, 2.0, A)
    E -= E.min(axis=1, keepdims=True)
    counts = np.bincount(E.argmin(axis=1), minlength=A)
    often, seldom = int(counts.argmax()), int(counts.argmin())
    limits = {often: int(0.5 * counts[often]), seldom: (2 * int(counts[seldom]) + 60, None)}
    asked = read_limits(limits, np.arange(A), n)
    prices = prices_near(E, asked)
    best = solved(E, asked.lower, asked.upper)
    assert bound(E, prices, asked.lower, asked.upper) == pytest.approx(best.fun, rel=1e-8)
    wanted = best.ineqlin.marginals[A:] - best.ineqlin.marginals[:A]
    assert wanted[often] > 0 > wanted[seldom]
    # prices between two rows' moves all serve; rows are that near to each other
    np.testing.assert_allclose(prices, wanted, atol=0.05 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", ["smooth", "few kinds of rows", "rounded", "equal rows"])
def test_answers_to_many_rows_are_as_cheap_as_prices_prove(kind):
    rng, n = np.random.default_rng(5), 50_000
    C = np.array([[0, 3, 8, 1.0, 2.0], [2, 0, 4, 1.0, 1.5], [9, 4, 0, 1.0, 0.5]])
    E = rng.dirichlet(np.ones(3), n) @ C
    if kind == "few kinds of rows":
        E = E[rng.integers(0, 8, n)]
    elif kind == "rounded":
        E = E.round(1)
    elif kind == "equal rows":
        E = np.repeat(E[:1], n, axis=0)
    limits = {3: 0.02, 4: 2000, 0: (0.3, None)}
    lower, upper = np.array([15000, 0, 0, 0, 0]), np.array([n, n, n, 1000, 2000])
    decision = decide(E, limits)
    counts = np.bincount(decision, minlength=5)
    assert (counts >= lower).all()
    assert (counts <= upper).all()
    prices = np.array([-decision.shadow_prices[0], 0, 0, decision.shadow_prices[3], decision.shadow_prices[4]])
    paid = decision.expected_cost.sum()
    assert bound(E, prices, lower, upper) == pytest.approx(paid, rel=1e-9)


def test_an_answer_that_is_all_but_forbidden_does_not_blur_the_others():
    E = np.random.default_rng(6).normal(size=(400, 4)).round(2)
    limits = {1: (50, 120), 2: 0.1}
    plain, forbidden = decide(E, {0: 0, **limits}), decide(E + [1e9, 0, 0, 0], limits)
    assert forbidden.expected_cost.sum() == pytest.approx(plain.expected_cost.sum(), abs=1e-6)
    assert {a: forbidden.shadow_prices[a] for a in limits} == pytest.approx({a: plain.shadow_prices[a] for a in limits})


def test_one_limit_takes_the_rows_that_gain_most():
    rng = np.random.default_rng(0)
    E = rng.random((1000, 3))
    E[:, 2] -= 0.3
    decision = decide(E, {2: 100})
    gain = E[:, :2].min(axis=1) - E[:, 2]
    assert set(np.flatnonzero(decision == 2)) == set(np.argsort(-gain)[:100])
    assert decision.shadow_prices[2] == pytest.approx(np.sort(gain)[-101])
    np.testing.assert_array_equal(decision[decision != 2], E[decision != 2, :2].argmin(axis=1))


def test_limits_that_do_not_bind_change_nothing_and_cost_nothing():
    E = np.random.default_rng(1).random((300, 4))
    plain = decide(E, None)
    for limits in ({}, {0: 1.0}, {0: (0, 300), 1: (None, None), 2: (1, 0.9)}):
        decision = decide(E, limits)
        np.testing.assert_array_equal(decision, plain)
        assert decision.shadow_prices == dict.fromkeys(limits, 0.0)


@pytest.mark.parametrize(
    ("limit", "least", "most"),
    [
        (0.05, 0, 1), (0.3, 0, 9), (0.29, 0, 8), (1.0, 0, 30), (1, 0, 1), (0, 0, 0), (0.0, 0, 0), (20.0, 0, 20),
        (99, 0, 30), ((0.29, None), 9, 30), ((0.3, None), 9, 30), ((4, 0.5), 4, 15), ([2, 2], 2, 2), ((None, 3), 0, 3),
        (np.int64(7), 0, 7), (np.float64(0.1), 0, 3),
    ],
)  # fmt: skip
def test_a_float_is_a_share_and_a_whole_number_a_count(limit, least, most):
    E = np.column_stack([np.zeros(30), np.linspace(-1.0, 1.0, 30)])
    wanted, unwanted = E.copy(), E.copy()
    wanted[:, 1] -= 5.0
    unwanted[:, 1] += 5.0
    assert decide(wanted, {1: limit}).counts[1] == most
    assert decide(unwanted, {1: limit}).counts[1] == least


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"a": 1.5}, r"limits\['a'\] is 1.5: give a share of the rows"),
        ({"a": -1}, r"limits\['a'\] is -1: give a share"),
        ({"a": -0.1}, r"limits\['a'\] is -0.1"),
        ({"a": np.nan}, r"limits\['a'\] is nan"),
        ({"a": True}, r"limits\['a'\] is True"),
        ({"a": "few"}, r"limits\['a'\] is 'few'"),
        ({"a": (1, 2, 3)}, r"limits\['a'\] is \(1, 2, 3\)"),
        ({"z": 1, "y": 2}, "limits names 'z', 'y', which are no answers; those are 'a', 'b', 'c'"),
        ({"a": (3, 2)}, r"limits\['a'\] asks for at least 3 and at most 2 of 10 rows"),
        ({"a": (11, None)}, r"limits\['a'\] asks for at least 11 and at most 10 of 10 rows"),
        ({"a": (6, None), "b": (0.5, None)}, r"the lower limits \('a' 6, 'b' 5\) need 11 rows .*, and there are 10"),
        ({"a": 3, "b": 0.2, "c": 4}, r"every answer has an upper limit \('a' 3, 'b' 2, 'c' 4\), .* 9 rows"),
        ([("a", 3)], "limits must be a dict from answers to how often they may be given"),
    ],
)  # fmt: skip
def test_limits_that_cannot_be_kept_or_read_are_named(limits, message):
    P = np.random.default_rng(0).dirichlet(np.ones(3), 10)
    with pytest.raises(ValueError, match=message):
        decisions.decide(P, classes=["a", "b", "c"], limits=limits)


def test_ties_go_to_the_first_rows():
    E = np.tile([0.0, -1.0], (6, 1))
    assert decide(E, {1: 2}).tolist() == [1, 1, 0, 0, 0, 0]
    assert decide(-E, {1: (2, None)}).tolist() == [1, 1, 0, 0, 0, 0]
