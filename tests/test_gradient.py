"""Gradient boosting with vector leaves: values of leaves, losses, decisions, threads and draws."""

from __future__ import annotations

import numpy as np
import pytest
from cases import rows, unequal_costs
from gradients import LOSSES, gradient, noisy
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from csboost.angle.losses import get_loss
from csboost.link import GuessAverseLink


def by_hand(model, X, y, weights, slopes, cap=4.0):
    """Check every leaf of a fit of one bag against its definition; returns the margins. ``slopes`` make gradients (n,
    K) and curvatures (n, K, K) of margins.
    """
    K, ensemble = len(model.classes_), model._ensemble
    M = np.tile(ensemble.start, (len(X), 1))
    for m in range(model.n_iter_):
        leaves, (g, H) = ensemble.rules.apply(X, m), slopes(M)
        for leaf in np.unique(leaves):
            mine = leaves == leaf
            G, A = (weights[mine, None] * g[mine]).sum(axis=0), (weights[mine, None, None] * H[mine]).sum(axis=0)
            A = A + model.reg_lambda * np.eye(K)
            saddle = np.block([[A, np.ones((K, 1))], [np.ones((1, K)), np.zeros((1, 1))]])
            value = np.linalg.solve(saddle, np.append(G, 0.0))[:K]
            value *= min(1.0, cap / np.linalg.norm(value))
            np.testing.assert_allclose(ensemble.outputs[m, leaf], value, rtol=1e-6, atol=1e-9)
        M = M + model.learning_rate * ensemble.outputs[m, leaves]
    return M


def diagonal(h):
    return h[:, :, None] * np.eye(h.shape[1])


@pytest.mark.parametrize("K", [2, 3, 8, 9, 40])
def test_leaves_hold_newton_steps_of_the_likelihood(K):
    X, y = noisy(rows(400, 200), K)
    weights = np.random.default_rng(1).gamma(2.0, size=len(y))
    model = gradient(learning_rate=0.5).fit(X, y, sample_weight=weights)

    def slopes(M):
        p = softmax(M, axis=1)
        full = diagonal(p) - (p[:, :, None] * p[:, None, :] if K <= 32 else diagonal(p * p))
        return (y[:, None] == np.arange(K)) - p, full

    shares = np.log(np.bincount(y, weights) / weights.sum())
    np.testing.assert_allclose(model._ensemble.start, shares - shares.mean(), rtol=1e-9)
    M = by_hand(model, X, y, weights, slopes)
    np.testing.assert_allclose(model.predict_proba(X), softmax(M, axis=1), rtol=1e-9)


def test_leaves_hold_newton_steps_of_the_guess_averse_loss():
    X, y = noisy()
    C = unequal_costs(3)
    C[0, 2] = 0.0
    model = gradient(cost_matrix=C, loss="guess-averse").fit(X, y)
    shifts = C[y] * len(y) * 2 / C[y].sum()
    shifts[np.arange(len(y)), y] = 1.0

    def slopes(M):
        p = softmax(M + np.log(np.maximum(shifts, 1e-9)), axis=1)
        return (y[:, None] == np.arange(3)) - p, diagonal(p) - p[:, :, None] * p[:, None, :]

    by_hand(model, X, y, np.ones(len(y)), slopes)


@pytest.mark.parametrize("loss", LOSSES[2:])
def test_leaves_hold_newton_steps_of_margin_losses(loss):
    X, y = noisy()
    C = unequal_costs(3)
    model, made = gradient(cost_matrix=C, loss=loss).fit(X, y), get_loss(loss)
    c = C[y] * len(y) / C[y].sum()

    def slopes(M):
        return c * made.derivative(-M), diagonal(c * made.second_derivative(-M))

    by_hand(model, X, y, np.ones(len(y)), slopes)


def test_with_equal_costs_the_guess_averse_loss_is_the_likelihood():
    X, y = noisy()
    likelihood, averse = gradient(n_estimators=20).fit(X, y), gradient(n_estimators=20, loss="guess-averse").fit(X, y)
    np.testing.assert_allclose(averse.decision_function(X), likelihood.decision_function(X), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(averse.predict_proba(X), likelihood.predict_proba(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_margins_sum_to_zero_and_stages_end_at_the_answer(loss):
    X, y = noisy()
    C = unequal_costs(3)
    model = gradient(cost_matrix=C, loss=loss, n_bags=2).fit(X, np.array(["ash", "birch", "cedar"])[y])
    margins = model.decision_function(X)
    np.testing.assert_allclose(margins.sum(axis=1), 0.0, atol=1e-12)
    best = (softmax(margins, axis=1) @ C).argmin(axis=1) if loss == "multinomial" else margins.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[best])
    stages = list(model.staged_decision_function(X))
    assert len(stages) == model.n_iter_ == 5
    assert stages[-1].tobytes() == margins.tobytes()
    np.testing.assert_array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    assert model.staged_cost(X, model.classes_[y])[-1] == pytest.approx(C[y, best].mean(), rel=1e-12)
    expected = model.predict_proba(X) @ C
    np.testing.assert_allclose(model.predict_expected_cost(X), expected, rtol=1e-6, atol=1e-8)


def test_the_guess_averse_link_knows_the_probabilities_of_a_minimum():
    C, P = unequal_costs(4), np.array([0.1, 0.4, 0.3, 0.2])
    shifts = np.log(0.3 * C + np.eye(4))
    found = minimize(lambda M: -P @ np.diag(log_softmax(M + shifts, axis=1)), np.zeros(4), tol=1e-12)
    np.testing.assert_allclose(GuessAverseLink(C, 0.3).estimate(found.x[None])[0][0], P, atol=1e-5)


@pytest.mark.parametrize("options", [{}, {"loss": "logistic"}, {"subsample": 0.5}, {"refit": False}], ids=str)
def test_the_result_does_not_depend_on_the_number_of_threads(options):
    X, y = noisy(rows(9000, 1200))
    settings = {"n_estimators": 12, "n_bags": 3, "n_iter_no_change": 3, **options}
    models = [gradient(n_jobs=n_jobs, **settings).fit(X, y) for n_jobs in (None, 2, 4)]
    for model in models[1:]:
        assert model.decision_function(X).tobytes() == models[0].decision_function(X).tobytes()
        assert model.oof_probabilities_.tobytes() == models[0].oof_probabilities_.tobytes()


def test_a_seed_decides_all_draws():
    X, y = noisy()
    first, again, other = (gradient(random_state=seed).fit(X, y).decision_function(X) for seed in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


@pytest.mark.parametrize("loss", ["multinomial", "guess-averse", "logistic"])
def test_permuted_classes_give_permuted_answers(loss):
    X, y = noisy(K=4)
    order, C = np.array([2, 0, 3, 1]), unequal_costs(4)
    renamed = np.empty((4, 4))
    renamed[np.ix_(order, order)] = C
    settings = {"loss": loss, "n_bags": 5, "n_iter_no_change": 5, "n_estimators": 30}
    model = gradient(cost_matrix=C, **settings).fit(X, y)
    permuted = gradient(cost_matrix=renamed, **settings).fit(X, order[y])
    assert permuted.best_iteration_ == model.best_iteration_
    np.testing.assert_allclose(permuted.predict_proba(X)[:, order], model.predict_proba(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("n_rows", [300, 900])  # more values than are kept apart, too
def test_a_weight_of_two_is_a_row_twice_and_of_zero_none(n_rows):
    X, y = noisy(n_rows)
    counts = np.random.default_rng(2).integers(0, 3, len(y)).astype(float)
    settings = {"min_samples_leaf": 1, "thresholds": "exact", "n_estimators": 10}
    weighted = gradient(**settings).fit(X, y, sample_weight=counts)
    repeated = gradient(**settings).fit(np.repeat(X, counts.astype(int), axis=0), np.repeat(y, counts.astype(int)))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-6)
