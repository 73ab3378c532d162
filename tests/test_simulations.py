"""The simulated examples: draws follow the paper, probabilities are exact, Bayes costs are the known ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from csboost import data


def waves() -> np.ndarray:
    """The paper's v_1, v_2, v_3, written again from its text."""

    def v1(j):
        return max(6 - abs(j - 11), 0)

    return np.array(
        [[shape(j) for j in range(1, 22)] for shape in (v1, lambda j: v1(j - 4), lambda j: v1(j + 4))], float
    )


PAIRS = ((0, 1), (0, 2), (1, 2))


@pytest.mark.parametrize(
    ("make", "width", "n_classes"), [(data.make_waveform, 21, 3), (data.make_four_gaussians, 10, 4)]
)
def test_shapes_types_and_seeds(make, width, n_classes):
    X, y = make(500, 3)
    assert (X.shape, X.dtype, X.flags.c_contiguous) == ((500, width), np.float64, True)
    assert (y.shape, y.dtype, set(y)) == ((500,), np.int64, set(range(n_classes)))
    np.testing.assert_array_equal(X, make(500, 3)[0])
    np.testing.assert_array_equal(X, make(500, np.random.default_rng(3))[0])
    assert not np.array_equal(X, make(500, 4)[0])
    legacy = np.random.RandomState(0)
    first, second = make(500, legacy)[0], make(500, legacy)[0]
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(first, make(500, np.random.RandomState(0))[0])


@pytest.mark.parametrize("bad", [0, -1, 2.5, "ten", True])
def test_bad_sizes_are_named(bad):
    with pytest.raises(ValueError, match="n_samples"):
        data.make_waveform(bad)


def test_waveform_moments():
    X, y = data.make_waveform(90_000, 0)
    v = waves()
    for k, (a, b) in enumerate(PAIRS):
        rows = X[y == k]
        # u is uniform: mean 1/2, variance 1/12, shared by the features of a row; unit noise on each.
        np.testing.assert_allclose(rows.mean(axis=0), (v[a] + v[b]) / 2, atol=0.06)
        np.testing.assert_allclose(np.cov(rows.T), np.eye(21) + np.outer(v[a] - v[b], v[a] - v[b]) / 12, atol=0.15)
    np.testing.assert_allclose(np.bincount(y) / len(y), 1 / 3, atol=0.01)


def test_four_gaussians_moments():
    X, y = data.make_four_gaussians(80_000, 0)
    for k, centre in enumerate([(3, 0), (0, 3), (-3, -3), (0, 0)]):
        np.testing.assert_allclose(X[y == k].mean(axis=0), np.r_[centre, np.zeros(8)], atol=0.04)
        np.testing.assert_allclose(np.cov(X[y == k].T), np.eye(10), atol=0.06)


def test_waveform_probabilities_agree_with_quadrature():
    X, _ = data.make_waveform(200, 1)
    X[:20] *= 3  # far from every class, too
    nodes, weights = np.polynomial.legendre.leggauss(200)
    u, weights = (nodes + 1) / 2, weights / 2
    v = waves()
    log_density = np.empty((200, 3))
    for k, (a, b) in enumerate(PAIRS):
        means = u[:, None] * v[a] + (1 - u[:, None]) * v[b]
        exponents = -0.5 * ((X[:, None, :] - means) ** 2).sum(axis=2)
        log_density[:, k] = np.log(np.exp(exponents - exponents.max(1, keepdims=True)) @ weights) + exponents.max(1)
    density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    np.testing.assert_allclose(data.waveform_probabilities(X), density / density.sum(axis=1, keepdims=True), atol=1e-12)


def test_four_gaussians_probabilities_are_bayes_rule():
    X, _ = data.make_four_gaussians(300, 2)
    centres = [(3, 0), (0, 3), (-3, -3), (0, 0)]
    density = np.column_stack([multivariate_normal(np.r_[c, np.zeros(8)]).pdf(X) for c in centres])
    np.testing.assert_allclose(
        data.four_gaussians_probabilities(X), density / density.sum(axis=1, keepdims=True), atol=1e-12
    )


@pytest.mark.parametrize("probabilities", [data.waveform_probabilities, data.four_gaussians_probabilities])
def test_probabilities_survive_extreme_rows(probabilities):
    width = 21 if probabilities is data.waveform_probabilities else 10
    P = probabilities(np.array([np.full(width, 1e3), np.full(width, -1e3), np.linspace(-1e3, 1e3, width)]))
    assert np.isfinite(P).all()
    np.testing.assert_allclose(P.sum(axis=1), 1)
    with pytest.raises(ValueError, match="shape"):
        probabilities(np.zeros((3, 4)))


@pytest.mark.parametrize(
    ("make", "probabilities"),
    [(data.make_waveform, data.waveform_probabilities), (data.make_four_gaussians, data.four_gaussians_probabilities)],
)
def test_probabilities_are_calibrated_on_draws(make, probabilities):
    X, y = make(60_000, 5)
    P = probabilities(X)
    onehot = np.eye(P.shape[1])[y]
    for low in range(10):
        rows = np.floor(P * 10) == low
        spread = np.sqrt((P[rows] * (1 - P[rows])).sum())
        assert abs(onehot[rows].sum() - P[rows].sum()) < 4.5 * spread


@pytest.mark.parametrize(("scenario", "expected"), [("1", 0.1329), ("1c", 0.1560), ("2", 0.0773), ("2c", 0.0713)])
def test_bayes_costs(scenario, expected):
    cost, error = data.bayes_cost(scenario, 200_000)
    assert 0 < error < 6e-4
    assert abs(cost - expected) < 4 * error + 2e-4


def test_bayes_cost_is_what_the_bayes_rule_pays():
    X, y = data.make_four_gaussians(200_000, 9)
    decisions = (data.four_gaussians_probabilities(X) @ data.FOUR_GAUSSIANS_COSTS).argmin(axis=1)
    paid = data.FOUR_GAUSSIANS_COSTS[y, decisions]
    assert abs(paid.mean() - data.bayes_cost("2c", 400_000).cost) < 4 * paid.std() / np.sqrt(len(y))


def test_unknown_scenario_is_named():
    with pytest.raises(ValueError, match=r"3c.*1, 1c, 2, 2c"):
        data.bayes_cost("3c")


def test_cost_matrices_are_the_papers_and_read_only():
    np.testing.assert_array_equal(data.WAVEFORM_COSTS, [[0, 2, 2], [1, 0, 1], [1, 1, 0]])
    np.testing.assert_array_equal(
        data.FOUR_GAUSSIANS_COSTS, [[0, 1, 2, 2], [1, 0, 2, 2], [0.5, 0.5, 0, 1], [0.5, 0.5, 1, 0]]
    )
    with pytest.raises(ValueError, match="read-only"):
        data.WAVEFORM_COSTS[0, 0] = 1
