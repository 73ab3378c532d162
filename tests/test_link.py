"""Theorem 1 (Fisher consistency) and Theorem 2 (the link), numerically."""

from __future__ import annotations

import numpy as np
import pytest
from reference.population import population_minimiser
from scipy.optimize import nnls
from scipy.stats import norm

from csboost import costs
from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss
from csboost.link import MarginLink
from csboost.link.margin import inverse_slopes
from csboost.link.nonnegative import nearest_in_proportion

LOSSES = [
    ExponentialLoss(),
    LogisticLoss(),
    LargeMarginUnifiedLoss(1.0, 0.0),
    LargeMarginUnifiedLoss(1.0, 1.0),
    LargeMarginUnifiedLoss(10.0, 5.0),
    LargeMarginUnifiedLoss(0.5, 0.3),
]


def probabilities(M, C, loss):
    return MarginLink(loss, C).estimate(M)[0]


def expected_costs(M, C, loss):
    return MarginLink(loss, C).estimate(M)[1]


def random_problems(K, n, seed):
    """Random (P, C): a third with zero diagonals, a third with arbitrary ones, a third with dominant rows of cost."""
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.full(K, 1.5), n)
    C = rng.random((n, K, K))
    C[: n // 3, np.arange(K), np.arange(K)] = 0
    C[2 * n // 3 :] *= rng.exponential(size=(n - 2 * n // 3, K, 1))
    return P, C


@pytest.mark.parametrize("K", range(2, 8))
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_fisher_consistency_and_link(loss, K):
    P, C = random_problems(K, 200, seed=K)
    E = np.einsum("nj,njk->nk", P, C)
    M = population_minimiser(E, loss)
    assert np.allclose(M.sum(axis=1), 0, atol=1e-10)
    assert np.array_equal(M.argmax(axis=1), E.argmin(axis=1))
    for i in range(len(P)):
        assert np.allclose(expected_costs(M[i : i + 1], C[i], loss), E[i], rtol=0, atol=1e-6)
        assert np.allclose(probabilities(M[i : i + 1], C[i], loss), P[i], rtol=0, atol=1e-6)


def test_equal_costs_have_the_papers_closed_form():
    rng = np.random.default_rng(0)
    for K in (2, 3, 5):
        P = rng.dirichlet(np.ones(K), 100)
        # The paper's display for the exponential loss: <f, w_t> = mean_k log(1 - P_k) - log(1 - P_t).
        M = np.log1p(-P).mean(axis=1, keepdims=True) - np.log1p(-P)
        assert np.allclose(population_minimiser(1 - P, ExponentialLoss()), M, atol=1e-9)
        assert np.allclose(probabilities(M, costs.zero_one(K), ExponentialLoss()), P, atol=1e-12)
        q = np.exp(-M)
        assert np.allclose(1 + (1 - K) * q / q.sum(axis=1, keepdims=True), P)


def test_two_classes_give_the_sigmoid():
    m = np.linspace(-6, 6, 25)
    M = np.column_stack([m, -m])
    sigmoid = 1 / (1 + np.exp(-m))
    assert np.allclose(probabilities(M, costs.zero_one(2), LogisticLoss())[:, 0], sigmoid)
    assert np.allclose(probabilities(M / 2, costs.zero_one(2), ExponentialLoss())[:, 0], sigmoid)


def test_inverse_slopes_are_scaled_and_do_not_overflow():
    M = np.array([[1.0, 2.0, -3.0], [900.0, 0.0, -900.0]])
    q = inverse_slopes(M, ExponentialLoss())
    assert np.allclose(q[0], np.exp(-M[0]) / np.exp(3))
    assert q[1].tolist() == [0, 0, 1]
    q = inverse_slopes(M, LogisticLoss())
    assert np.allclose(q[0], (1 + np.exp(-M[0])) / (1 + np.exp(3)))
    lum = LargeMarginUnifiedLoss(2.0, 1.0)
    assert np.allclose(inverse_slopes(M[:1], lum) * (7 / 2) ** 3, [[1, 1, (7 / 2) ** 3]])  # u = 5 at z = 3


class Probit:
    """-log Phi(z), a user's loss without log_slope."""

    def value(self, z):
        return -norm.logcdf(z)

    def derivative(self, z):
        return -np.exp(norm.logpdf(z) - norm.logcdf(z))

    def second_derivative(self, z):
        slope = self.derivative(z)
        return -slope * (z - slope)


def test_a_users_loss():
    P, C = random_problems(4, 30, seed=0)
    E = np.einsum("nj,njk->nk", P, C)
    M = population_minimiser(E, Probit())
    for i in range(len(P)):
        assert np.allclose(probabilities(M[i : i + 1], C[i], Probit()), P[i], atol=1e-6)
    assert np.isfinite(probabilities([[500.0, -500.0]], costs.zero_one(2), Probit())).all()


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("K", [2, 3, 7])
def test_fitted_margins_are_projected_on_the_simplex(loss, K):
    rng = np.random.default_rng(K)
    for C in (costs.zero_one(K), costs.linear(K), costs.partitioned_linear(K), rng.random((K, K))):
        M = rng.normal(0, 3, (120, K))
        M -= M.mean(axis=1, keepdims=True)
        M[:5] *= 1000
        P, E = probabilities(M, C, loss), expected_costs(M, C, loss)
        assert (P >= 0).all()
        assert np.allclose(P.sum(axis=1), 1, atol=1e-12)
        assert np.allclose(E, P @ C, rtol=1e-9, atol=1e-9)
        assert np.allclose(expected_costs(M, 7 * C, loss), 7 * E, rtol=1e-6)
        assert np.allclose(probabilities(M, 7 * C, loss), P, atol=1e-7)


def relative_costs(K, n, seed):
    """Random costs and targets ``q`` with a largest entry of 1, most of them outside the range of the link."""
    rng = np.random.default_rng(seed)
    q = np.exp(rng.normal(0, 1, (n, K)))
    return rng.random((K, K)), q / q.max(axis=1, keepdims=True)


def test_without_slack_the_projection_is_the_least_squares_point():
    C, q = relative_costs(5, 80, seed=1)
    for x, target in zip(nearest_in_proportion(q, C, 0.0, 1.0), q, strict=True):
        assert np.allclose(x, nnls(C.T / target[:, None], np.ones(5))[0], atol=1e-8)


@pytest.mark.parametrize("K", [2, 3, 6])
def test_slack_pulls_the_projection_inside_by_its_misfit(K):
    C, q = relative_costs(K, 40, seed=K)
    slack, half = 0.02, 0.05
    for x, target in zip(nearest_in_proportion(q, C, slack, half), q, strict=True):
        A = C.T / target[:, None]
        misfit2 = nnls(A, np.ones(K))[1] ** 2 / K
        barrier = slack * misfit2 / (misfit2 + half**2)
        if barrier < 1e-12:
            continue
        E = A @ x
        slope = A.T @ (1 - 1 / E) - barrier / x  # of sum(E - log E) - barrier * sum(log x): convex, so 0 at its minimum
        assert (x > 0).all()
        assert np.abs(slope * x).max() < 1e-5 * barrier


def test_a_costless_class_gets_nothing_from_the_projection():
    C = np.array([[0.0, 1.0, 0.5], [0.0, 0.0, 0.0], [1.0, 0.2, 0.0]])
    x = nearest_in_proportion(np.array([[0.1, 1.0, 0.1]]), C, 0.02, 0.05)[0]
    assert x[1] == 0
    assert (x[[0, 2]] > 0).all()


def test_projection_is_continuous_at_the_edge_of_the_simplex():
    C, loss = costs.zero_one(3), ExponentialLoss()
    for offset in (1e-5, -1e-5):
        q = np.array([[0.3, 0.7, 1.0 + offset]])  # at offset 0 class 2 has probability 0
        P = probabilities(-np.log(q), C, loss)
        assert np.allclose(P, [[0.7, 0.3, 0.0]], atol=5e-5)


def test_extreme_margins_give_the_sure_answer():
    M = np.array([[400.0, -100.0, -300.0], [-250.0, 500.0, -250.0]])
    for loss in (ExponentialLoss(), LogisticLoss()):
        P = probabilities(M, costs.zero_one(3), loss)
        assert P.argmax(axis=1).tolist() == [0, 1]
        assert (P.max(axis=1) > 0.99).all()
        assert expected_costs(M, costs.zero_one(3), loss).argmin(axis=1).tolist() == [0, 1]


@pytest.mark.parametrize("spread", [10.0, 200.0])
@pytest.mark.parametrize("K", [3, 7])
def test_projection_keeps_the_predicted_class_under_equal_costs(K, spread):
    M = np.random.default_rng(K).normal(0, spread, (100, K))
    M -= M.mean(axis=1, keepdims=True)
    C, loss = costs.zero_one(K), ExponentialLoss()
    assert np.array_equal(expected_costs(M, C, loss).argmin(axis=1), M.argmax(axis=1))
    # Two close classes and a hopeless one: the two share the probability by their q, 1 : exp(0.15) = 0.5374 : 0.4626.
    P = probabilities([[50.15, 50.0, -100.15]], costs.zero_one(3), loss)
    assert np.allclose(P, [[0.5374, 0.4626, 0.0]], atol=0.03)
    assert P[0, 2] < 0.02


def test_singular_costs_still_give_the_expected_costs():
    rng = np.random.default_rng(2)
    K = 4
    C = rng.random((K, K))
    C[3] = C[0]  # classes 0 and 3 cost the same: their probabilities cannot be told apart, their sum can
    P = rng.dirichlet(np.ones(K), 50)
    M = population_minimiser(P @ C, LogisticLoss())
    assert np.allclose(expected_costs(M, C, LogisticLoss()), P @ C, atol=1e-6)
    estimate = probabilities(M, C, LogisticLoss())
    assert (estimate >= 0).all()
    assert np.allclose(estimate[:, [1, 2]], P[:, [1, 2]], atol=1e-5)
    costless = costs.zero_one(3) * [[1], [1], [0]]  # truth 2 costs nothing whatever is predicted
    assert np.isfinite(probabilities(np.zeros((1, 3)), costless, LogisticLoss())).all()


def test_order_of_expected_costs_follows_the_margins_where_the_link_is_exact():
    rng = np.random.default_rng(3)
    P, C = rng.dirichlet(np.ones(4), 100), costs.linear(4)
    M = population_minimiser(P @ C, ExponentialLoss())
    E = expected_costs(M, C, ExponentialLoss())
    assert np.array_equal(np.argsort(E, axis=1), np.argsort(-M, axis=1))
    assert np.array_equal(costs.bayes_decision(probabilities(M, C, ExponentialLoss()), C), M.argmax(axis=1))


@pytest.mark.parametrize("C", [costs.zero_one(3), np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [1.0, 4.0, 0.0]])])
def test_where_a_loss_is_flat_the_larger_margin_wins_by_a_hair(C):
    loss, M = LargeMarginUnifiedLoss(1.0, 1.0), np.array([[0.1, 0.3, -0.4], [-0.2, -0.2, 0.4], [0.2, 0.2, -0.4]])
    np.testing.assert_allclose(inverse_slopes(M, loss), 1.0, atol=1e-9)  # the slope is -1 up to the knot at 1/2
    np.testing.assert_array_equal(expected_costs(M, C, loss).argmin(axis=1), [1, 2, 0])
    if C.max() == 1:
        np.testing.assert_array_equal(probabilities(M, C, loss).argmax(axis=1), [1, 2, 0])
        np.testing.assert_allclose(probabilities(M, C, loss), 1 / 3, atol=1e-9)
