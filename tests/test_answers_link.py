"""Tables of K truths x A answers: the answer of least expected cost (Theorem 1) and the link (Theorem 2)."""

from __future__ import annotations

import numpy as np
import pytest
from cases import Hyperbola
from reference.population import population_minimiser
from scipy.optimize import minimize, nnls

from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss
from csboost.costs.gains import expected_costs, gains_of, without_gains
from csboost.link import MarginLink, MixtureLink
from csboost.link.entropy import nearest_to_shares

LOSSES = [ExponentialLoss(), LogisticLoss(), LargeMarginUnifiedLoss(1.0, 1.0), LargeMarginUnifiedLoss(10.0, 5.0)]
SIZES = [(K, A) for K in range(2, 8) for A in range(2, 11)]


def random_problems(K, A, n, seed):
    """Random (P, C) by turns: costs alone, gains too, and right answers (of the first classes) that cost nothing."""
    rng = np.random.default_rng([seed, K, A])
    P = rng.dirichlet(np.full(K, 1.5), n)
    C = rng.random((n, K, A))
    C[::3] -= rng.random((len(C[::3]), K, 1))
    own = np.arange(min(K, A))
    C[1::3][:, own, own] = 0.0
    return P, C


@pytest.mark.parametrize(("K", "A"), SIZES)
def test_the_largest_margin_is_at_the_answer_of_least_expected_cost_and_the_link_returns_the_probabilities(K, A):
    P, C = random_problems(K, A, 200, seed=0)
    assert (C < 0).any()
    E = np.einsum("nj,nja->na", P, C)
    training = np.array([without_gains(matrix) for matrix in C])
    loss = LOSSES[(K + A) % len(LOSSES)]
    M = population_minimiser(np.einsum("nj,nja->na", P, training), loss)
    np.testing.assert_array_equal(M.argmax(axis=1), E.argmin(axis=1))
    compared = 0
    for m, p, e, matrix, c in zip(M, P, E, C, training, strict=True):
        estimate, costs = MarginLink(loss, c).estimate(m[None, :])
        assert costs.argmin() == e.argmin()
        np.testing.assert_allclose(estimate @ c, costs, rtol=1e-6, atol=1e-9)
        if np.linalg.matrix_rank(c) == K and c.any(axis=0).all():  # with an answer that is never dearer, no minimum
            compared += 1
            np.testing.assert_allclose(estimate[0], p, atol=1e-6)
            np.testing.assert_allclose(costs + estimate @ gains_of(matrix), e[None, :], atol=1e-6)
    assert compared >= (180 if A >= K else 0)


@pytest.mark.parametrize("loss", [*LOSSES, Hyperbola()], ids=[*map(repr, LOSSES), "Hyperbola"])
def test_one_table_for_many_rows(loss):
    rng = np.random.default_rng(1)
    P, C = rng.dirichlet(np.ones(3), 200), rng.random((3, 5))
    M = population_minimiser(P @ C, loss)
    estimate, costs = MarginLink(loss, C).estimate(M)
    np.testing.assert_allclose(estimate, P, atol=1e-6)
    np.testing.assert_allclose(costs, P @ C, atol=1e-6)


def test_the_mixture_of_p_norm_boosting():
    rng = np.random.default_rng(2)
    P, C = rng.dirichlet(np.ones(3), 100), rng.random((3, 6))
    E, p = P @ C, 3.0
    F = E ** (-1.0 / (p - 1.0))  # where E F^(p-1) is the same for all answers
    F /= F.sum(axis=1, keepdims=True)
    estimate, costs = MixtureLink(p, C, np.ones(3) / 3).estimate(F)
    np.testing.assert_allclose(estimate, P, atol=1e-6)
    np.testing.assert_allclose(costs, E, atol=1e-6)


def nearest_by_slsqp(q, C, shares):
    """Of the probabilities whose expected costs are in the proportions ``q``, those of least divergence from shares."""
    ratios = C / q
    unequal = ratios[:, 1:] - ratios[:, :1]
    constraints = [
        {"type": "eq", "fun": lambda p: p @ unequal, "jac": lambda p: unequal.T},
        {"type": "eq", "fun": lambda p: p.sum() - 1.0, "jac": lambda p: np.ones((1, len(p)))},
    ]
    found = minimize(
        lambda p: p @ np.log(p / shares),
        shares,
        jac=lambda p: np.log(p / shares) + 1.0,
        bounds=[(1e-12, 1.0)] * len(C),
        constraints=constraints,
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    np.testing.assert_allclose(found.x @ unequal, 0.0, atol=1e-9)
    return found.x


@pytest.mark.parametrize(("K", "A"), [(K, A) for K, A in SIZES if A < K])
def test_of_all_probabilities_that_explain_fewer_answers_the_nearest_to_the_shares_are_taken(K, A):
    rng = np.random.default_rng([11, K, A])
    C, shares = rng.uniform(0.1, 1.0, (K, A)), rng.dirichlet(np.full(K, 5.0))
    E = rng.dirichlet(np.full(K, 2.0), 12) @ C
    q = E / E.max(axis=1, keepdims=True)
    P, found = nearest_to_shares(q, C, shares)
    assert found.all()
    wanted = np.array([nearest_by_slsqp(row, C, shares) for row in q])
    np.testing.assert_allclose(P, wanted, atol=1e-6)
    assert np.abs(P - nearest_to_shares(q, C, np.full(K, 1 / K))[0]).max() > 1e-3  # the shares do matter
    loss = LOSSES[(K + A) % len(LOSSES)]
    estimate, costs = MarginLink(loss, C, shares).estimate(population_minimiser(E, loss))
    np.testing.assert_allclose(estimate, wanted, atol=1e-6)
    np.testing.assert_allclose(costs, wanted @ C, atol=1e-6)


@pytest.mark.parametrize(("K", "A"), [(3, 2), (5, 3), (7, 6)])
def test_probabilities_are_found_exactly_where_there_are_some(K, A):
    rng = np.random.default_rng([12, K, A])
    C = rng.uniform(0.2, 1.0, (K, A))
    q = np.vstack([rng.dirichlet(np.ones(K), 100) @ C, rng.uniform(0.1, 1.0, (100, A))])
    q /= q.max(axis=1, keepdims=True)
    _, found = nearest_to_shares(q, C, np.full(K, 1 / K))
    there = np.array([nnls(C.T, row)[1] < 1e-9 for row in q])
    np.testing.assert_array_equal(found, there)
    assert 100 <= there.sum() < 200


@pytest.mark.parametrize("kind", ["any", "whole numbers", "zero row", "zero column", "dominated", "ill-scaled"])
def test_estimates_agree_with_the_decision_whatever_the_table(kind):
    rng = np.random.default_rng(3)
    for trial in range(40):
        K, A = int(rng.integers(2, 8)), int(rng.integers(2, 11))
        C, loss = rng.random((K, A)), LOSSES[trial % len(LOSSES)]
        if kind == "whole numbers":
            C = rng.integers(0, 4, (K, A)).astype(float)
            C[0] += C[0].sum() == 0
        elif kind == "zero row":
            C[rng.integers(K)] = 0.0
        elif kind == "zero column":
            C[:, rng.integers(A)] = 0.0
        elif kind == "dominated":
            C[:, -1] = C[:, 0] + 1.0
        elif kind == "ill-scaled":
            C = 10.0 ** rng.uniform(-3, 3, (K, A))
        M = rng.normal(0, 10.0 ** rng.uniform(-1, 1.5), (30, A))
        M -= M.mean(axis=1, keepdims=True)
        P, E = MarginLink(loss, C, rng.dirichlet(np.ones(K))).estimate(M)
        assert P.shape == (30, K)
        assert np.isfinite(P).all()
        assert (P >= 0).all()
        np.testing.assert_allclose(P.sum(axis=1), 1.0, rtol=1e-12)
        np.testing.assert_allclose(E, P @ C, rtol=1e-7, atol=1e-9 * C.max())
        if kind in ("any", "zero row"):  # elsewhere some answers may be the cheapest for no probabilities
            possible = answers_with_probabilities(C)[M.argmax(axis=1)]
            np.testing.assert_array_equal(E.argmin(axis=1)[possible], M.argmax(axis=1)[possible])


def answers_with_probabilities(C):
    """Which answers some probabilities make the cheapest, by a linear programme of the definition."""
    from scipy.optimize import linprog

    K, A = C.shape
    found = []
    for a in range(A):
        lead = np.delete(C, a, axis=1) - C[:, [a]]  # P @ lead >= t, with t as large as may be
        bounds = [(0, None)] * K + [(None, None)]
        solved = linprog(
            np.append(np.zeros(K), -1.0),
            A_ub=np.column_stack([-lead.T, np.ones(A - 1)]),
            b_ub=np.zeros(A - 1),
            A_eq=[[1.0] * K + [0.0]],
            b_eq=[1.0],
            bounds=bounds,
        )
        found.append(-solved.fun > 1e-6)
    return np.array(found)


def test_expected_costs_with_gains_keep_the_cheapest_answer():
    rng = np.random.default_rng(4)
    C = rng.integers(-3, 4, (4, 6)).astype(float)
    C[:, 0] = np.maximum(C[:, 0], 0.0)
    P = rng.dirichlet(np.ones(4), 500)
    P[::2] = np.round(P[::2] * 10) / 10  # full of ties
    E = expected_costs(P, C)
    np.testing.assert_allclose(E, P @ C, atol=1e-12)
    np.testing.assert_array_equal(E.argmin(axis=1), (P @ without_gains(C)).argmin(axis=1))
    plain = rng.random((4, 6))
    assert expected_costs(P, plain).tobytes() == (P @ plain).tobytes()
