"""Probabilities and expected costs of fitted boosters: right where the truth is known, absent without a link."""

from __future__ import annotations

import numpy as np
import pytest
from cases import compiled
from scipy.optimize import minimize
from sklearn.exceptions import NotFittedError

import csboost
from bench import calibration
from bench.studies import estimates
from bench.studies.scenarios import SIMULATIONS
from csboost import costs, data
from csboost.angle.losses import LogisticLoss
from csboost.link import MarginLink, MixtureLink, odds
from csboost.weak import CostTree

K, POINTS = 3, 4
COSTS = np.array([[0.0, 2.0, 2.0], [1.0, 0.0, 3.0], [0.5, 1.0, 0.0]])


@pytest.fixture(scope="module")
def table():
    """Four points with 200 weighted rows each: X, y, weights and the class frequencies at each point."""
    counts = np.maximum(1, (np.random.default_rng(0).dirichlet(np.full(K, 1.5), POINTS) * 200).round())
    X, y = np.repeat(np.arange(POINTS, dtype=float), K)[:, None], np.tile(np.arange(K), POINTS)
    return X, y, counts.ravel(), counts / counts.sum(axis=1, keepdims=True)


def fitted(name, table, C=COSTS, **options):
    X, y, weights, _ = table
    booster = getattr(csboost, name)(cost_matrix=C, weak_learner=CostTree(POINTS), **options)
    return booster.fit(X, y, sample_weight=weights)


@compiled("2,000 rounds are too slow without")
# A tree of four leaves can answer any class at each point, so every booster can reach the minimum of its loss there,
# where its link must give back the frequencies. Averaging (p-norm) and flat losses get there slowly.
@pytest.mark.parametrize("C", [COSTS, None], ids=["costs", "equal"])
@pytest.mark.parametrize(
    ("name", "options", "tolerance"),
    [
        ("SAMMEClassifier", {"learning_rate": 0.1}, 1e-4),
        ("SAMMEClassifier", {"learning_rate": 0.1, "cost_aware": False}, 1e-4),
        ("AdaBoostMHClassifier", {"learning_rate": 0.1}, 5e-4),
        ("AdaBoostMHClassifier", {"learning_rate": 0.1, "votes": "real"}, 5e-4),
        ("AdaBoostMHClassifier", {"learning_rate": 0.1, "cost_aware": False}, 5e-4),
        ("AdaBoostMHClassifier", {"learning_rate": 0.1, "joint": False}, 5e-4),
        ("PNormBoostClassifier", {"p": 3.0}, 5e-3),
        ("PNormBoostClassifier", {"p": 1.5}, 5e-3),
        ("AngleAdaBoostClassifier", {"learning_rate": 0.1}, 1e-4),
        ("AngleLogitBoostClassifier", {"learning_rate": 0.1}, 5e-4),
    ],
)
def test_at_the_minimum_of_its_loss_a_booster_gives_the_frequencies(name, options, tolerance, C, table):
    booster = fitted(name, table, C, n_estimators=2000, **options)
    points, frequencies = np.arange(POINTS, dtype=float)[:, None], table[3]
    P = booster.predict_proba(points)
    np.testing.assert_allclose(P, frequencies, atol=tolerance)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    expected = booster.predict_expected_cost(points)
    np.testing.assert_allclose(expected, P @ booster.cost_matrix_, atol=1e-12)
    np.testing.assert_allclose(expected, frequencies @ booster.cost_matrix_, atol=3 * tolerance)


def test_without_a_link_there_is_no_predict_proba(table):
    for booster in (csboost.AdaBoostM2Classifier(), csboost.PNormBoostClassifier(hypothesis="set")):
        assert not hasattr(booster, "predict_proba")
        assert not hasattr(booster, "predict_expected_cost")
    with pytest.raises(AttributeError, match="no attribute 'predict_proba'") as refused:
        csboost.AdaBoostM2Classifier().predict_proba(table[0])
    assert "AdaBoost.M2 has no link" in str(refused.value.__cause__)
    with pytest.raises(AttributeError, match="no attribute 'predict_proba'") as refused:
        fitted("PNormBoostClassifier", table, hypothesis="set", n_estimators=3).predict_proba(table[0])
    assert 'hypothesis="label" has one' in str(refused.value.__cause__)


def test_links_wait_for_fit():
    for name in ("SAMMEClassifier", "AdaBoostMHClassifier", "PNormBoostClassifier", "AngleLogitBoostClassifier"):
        for method in ("predict_proba", "predict_expected_cost"):
            with pytest.raises(NotFittedError):
                getattr(getattr(csboost, name)(), method)(np.zeros((1, 2)))


@pytest.mark.parametrize("name", ["SAMMEClassifier", "AdaBoostMHClassifier"])
def test_a_class_whose_mistakes_cost_nothing_has_no_probability(name, table):
    C = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    P = fitted(name, table, C, n_estimators=300, learning_rate=0.1).predict_proba(table[0])
    assert (P[:, 2] == 0).all()
    assert np.isfinite(P).all()
    share = table[3][:, :2] / table[3][:, :2].sum(axis=1, keepdims=True)
    assert np.abs(P[::K, :2] - share).max() < 0.03


# The links on their own, against minimisers found numerically.


def random_problem(seed, K):
    rng = np.random.default_rng(seed)
    C = rng.random((K, K)) * (1 - np.eye(K))
    return rng.dirichlet(np.full(K, 1.5)), C


@pytest.mark.parametrize("K", [2, 3, 6])
@pytest.mark.parametrize("seed", range(3))
def test_odds_of_adaboost_mh(K, seed):
    P, C = random_problem(seed, K)
    for start in (C + np.diag(C.max(axis=1)), np.ones((K, K))):

        def loss(H, start=start):
            answers = np.exp(H) * start * (1 - np.eye(K)) + np.diag(np.exp(-H) * np.diag(start))
            return P @ answers.sum(axis=1)

        H = minimize(loss, np.zeros(K), tol=1e-14, method="BFGS").x
        np.testing.assert_allclose(odds.probabilities(2 * H[None, :], start)[0], P, atol=1e-5)
        exact = np.log(np.diag(start) * P) - np.log(P @ (start * (1 - np.eye(K))))
        for factor in (0.0, 5.0):  # a factor common to all odds is left free
            np.testing.assert_allclose(odds.probabilities(exact[None, :] + factor, start)[0], P, atol=1e-10)


def test_odds_of_a_fitted_model_give_ordered_probabilities():
    log_odds = np.random.default_rng(0).normal(0, 20, (500, 5))
    P = odds.probabilities(log_odds, np.ones((5, 5)))
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert (P >= 0).all()
    np.testing.assert_array_equal(P.argmax(axis=1), log_odds.argmax(axis=1))
    factor = np.exp(log_odds[:, :1]) * (1 - P[:, :1]) / P[:, :1]  # P = odds / (factor + odds) of any class
    near = np.abs(log_odds - log_odds.max(axis=1, keepdims=True)) < 15
    np.testing.assert_allclose(np.where(near & near[:, :1], np.exp(log_odds) * (1 - P) / P / factor, 1), 1, rtol=1e-3)


@pytest.mark.parametrize("p", [1.5, 2.0, 3.0])
def test_mixture_of_the_p_norm(p):
    P, C = random_problem(1, 4)
    E = P @ C

    def functional(logits):
        F = np.exp(logits - logits.max())
        return E @ (F / F.sum()) ** p

    logits = minimize(functional, np.zeros(4), tol=1e-14, method="BFGS").x
    log_F = logits - np.log(np.exp(logits).sum())
    estimate, expected = MixtureLink(p, C, np.full(4, 0.25)).estimate(np.exp(log_F)[None, :])
    np.testing.assert_allclose(estimate[0], P, atol=1e-4)
    np.testing.assert_allclose(expected[0], E, atol=1e-4)


# Held-out rows.


@compiled("30,000 estimates are too slow without")
def test_margin_scale_finds_the_factor_that_the_margins_lack():
    rng = np.random.default_rng(0)
    m = rng.normal(0, 2, 30000)
    y = (rng.random(30000) < 1 / (1 + np.exp(m))).astype(int)  # class 0 has margin m
    M, C, loss = np.column_stack([m, -m]), np.array([[0.0, 1.0], [1.0, 0.0]]), LogisticLoss()
    for factor in (0.5, 1.0, 2.0):
        scale = MarginLink(loss, C).scaled(M / factor, y, np.ones(30000)).scale
        assert abs(scale - factor) < 0.07 * factor
        expected = MarginLink(loss, C, scale=scale).estimate(M / factor)[1][np.arange(30000), M.argmax(axis=1)].mean()
        assert abs(expected / (y != M.argmax(axis=1)).mean() - 1) < 5e-3
    assert 0.5 < MarginLink(loss, C).scaled(M[:3], y[:3], np.ones(3)).scale < 2  # three rows say little
    assert MarginLink(loss, C).scaled(M / 100, y, np.ones(30000)).scale == 4
    assert MarginLink(loss, C).scaled(M * 100, y, np.ones(30000)).scale == 0.25


@compiled("a fit of many rows and rounds is too slow without")
def test_held_out_rows_set_the_scale_and_no_decision():
    X, y = data.make_waveform(10000, random_state=0)
    test_X, _ = data.make_waveform(3000, random_state=1)
    truth, rows = data.waveform_probabilities(test_X), np.arange(3000)
    options = {"n_estimators": 100, "learning_rate": 0.1}
    assert csboost.AngleLogitBoostClassifier(**options).fit(X, y).margin_scale_ == 1
    watched = csboost.AngleLogitBoostClassifier(**options, n_iter_no_change=100, random_state=0).fit(X, y)
    assert watched.margin_scale_ > 1.5  # 100 small steps leave the margins short
    margins, answers = watched.decision_function(test_X), watched.predict(test_X)
    np.testing.assert_array_equal(answers, margins.argmax(axis=1))
    C, loss = costs.zero_one(3), LogisticLoss()
    plain, P = MarginLink(loss, C).estimate(margins)[0], watched.predict_proba(test_X)
    np.testing.assert_allclose(P, MarginLink(loss, C).estimate(watched.margin_scale_ * margins)[0])
    assert -(truth * np.log(P)).sum() < -0.95 * (truth * np.log(plain)).sum()
    paid = (truth @ C)[rows, answers].mean()
    assert abs(watched.predict_expected_cost(test_X)[rows, answers].mean() / paid - 1) < 0.1
    assert (plain @ C)[rows, answers].mean() / paid > 1.4


# Against the exact probabilities of the simulations.


@compiled("a fit of many rows and rounds is too slow without")
@pytest.mark.parametrize("key", SIMULATIONS)
def test_a_long_enough_fit_knows_what_its_answers_cost(key):
    case = estimates.draw(key, 20000, 10000, seed=0)
    booster = estimates.angle(case, (12, 500))
    lines = estimates.by_every_link(case, booster)
    found = {name: estimates.judge(case, answers, P) for name, answers, P in lines}
    assert abs(found["predict_proba"]["expected"] - 1) < 0.1
    assert found["predict_proba"]["log loss"] < 1.45
    assert found["predict_proba"]["log loss"] < 0.9 * found["least squares"]["log loss"]
    assert found["least squares"]["log loss"] < found["negative entries cut"]["log loss"]
    P, answers = booster.predict_proba(case.test_X), booster.predict(case.test_X)
    np.testing.assert_array_equal(P, lines[-1][2])
    assert ((P @ case.costs).argmin(axis=1) == answers).mean() > 0.99


def test_the_exact_probabilities_are_judged_perfect():
    case = estimates.draw("2c", 100, 500, seed=0)
    found = estimates.judge(case, (case.truth @ case.costs).argmin(axis=1), case.truth)
    assert found == pytest.approx({"log loss": 1, "expected": 1, "cost": 1})


def test_the_calibration_bench_runs(capsys, tmp_path):
    assert calibration.main(["--quick", "--scenarios", "2", "--out", str(tmp_path)]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["scenario", "fit", "link", "log", "loss", "expected", "cost"]
    assert len(table) == 1 + 3 * len(estimates.SHAPES) + len(estimates.WATCHED) + 2 + 6
    assert all(float(line.split()[-1]) >= 1 for line in table[1:])


# Costs of correct decisions, against the Bayes rule.


@compiled("300 rounds of many rows are too slow without")
@pytest.mark.parametrize("name", ["AngleAdaBoostClassifier", "AngleLogitBoostClassifier"])
@pytest.mark.parametrize(
    ("scenario", "C", "diagonal"),
    [
        ("waveform", data.WAVEFORM_COSTS, [0.0, 0.8, 0.8]),
        ("four_gaussians", data.FOUR_GAUSSIANS_COSTS, [0.0, 0.9, 0.0, 0.45]),
    ],
)
def test_costs_on_the_diagonal(name, scenario, C, diagonal):
    C = C + np.diag(diagonal)
    draw, truth = getattr(data, f"make_{scenario}"), getattr(data, f"{scenario}_probabilities")
    test_X, _ = draw(5000, random_state=1)
    rows, E = np.arange(5000), truth(test_X) @ C
    booster = getattr(csboost, name)(cost_matrix=C, n_estimators=300, learning_rate=0.1, weak_learner=CostTree(8))
    booster.fit(*draw(20000, random_state=0))
    answers = booster.predict(test_X)
    paid, least = E[rows, answers].mean(), E.min(axis=1).mean()
    assert paid < 1.05 * least
    assert E.mean(axis=0).min() > 1.15 * least  # the best constant answer
    ignoring = (truth(test_X) @ (C - np.diag(diagonal))).argmin(axis=1)
    assert E[rows, ignoring].mean() > 1.025 * least  # the exact probabilities, without the diagonal
    expected = booster.predict_expected_cost(test_X)
    np.testing.assert_allclose(expected, booster.predict_proba(test_X) @ C, atol=1e-9)
    assert abs(expected[rows, answers].mean() / paid - 1) < 0.12
