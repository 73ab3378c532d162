"""The reference boosters and population minimiser against results worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
import reference as ref

NAN = np.nan


def column(*values):
    return np.array(values, dtype=float)[:, None]


def zero_one_rows(y, K):
    return 1 - np.eye(K)[y]


# Round one: boundaries 2.5 and 4.5 both miss one row of five; 2.5 is lower and misses row 3, so beta = log(4) / 2. The
# weights become 1/8 each and 1/2 for row 3. Round two: 4.5 misses row 2 (weight 1/8), and beta = log(7) / 2.
X5, Y5 = column(1, 2, 3, 4, 5), np.array([0, 0, 1, 0, 1])
BETAS = np.array([np.log(4) / 2, np.log(7) / 2])
MARGINS_0 = [BETAS[0] + BETAS[1]] * 2 + [-BETAS[0] + BETAS[1]] * 2 + [-BETAS[0] - BETAS[1]]

BOOSTERS = {
    "angle_adaboost": (ref.angle_adaboost, {}),
    "angle_logitboost": (ref.angle_logitboost, {}),
    "angle_lum": (ref.angle_general, {"loss": ref.LUM(1.0, 1.0)}),
    "samme": (ref.samme, {}),
    "mh_discrete": (ref.adaboost_mh, {}),
    "mh_real": (ref.adaboost_mh, {"votes": "real"}),
    "mh_apart": (ref.adaboost_mh, {"joint": False}),
    "m2_set": (ref.adaboost_m2, {}),
    "m2_label": (ref.adaboost_m2, {"hypothesis": "label"}),
    "m2_fixed": (ref.adaboost_m2, {"step": 0.1}),
    "pnorm_label": (ref.pnorm, {}),
    "pnorm_set": (ref.pnorm, {"hypothesis": "set"}),
}


def fit_two_classes(booster, **options):
    return booster(X5, Y5, zero_one_rows(Y5, 2), np.ones(5), 2, 2, max_leaves=2, **options)


def test_angle_adaboost_two_rounds_by_hand():
    fit = fit_two_classes(ref.angle_adaboost)
    assert [entry["tree"].threshold[0] for entry in fit.rounds] == [2.5, 4.5]
    np.testing.assert_allclose([entry["error"] for entry in fit.rounds], [1 / 5, 1 / 8], rtol=1e-14)
    np.testing.assert_allclose([entry["beta"] for entry in fit.rounds], BETAS, rtol=1e-14)
    np.testing.assert_allclose(fit.margins[1], np.column_stack([MARGINS_0, np.negative(MARGINS_0)]), rtol=1e-14)


@pytest.mark.parametrize(
    ("booster", "options", "steps"),
    [
        (ref.samme, {}, 2 * BETAS),
        (ref.adaboost_mh, {}, BETAS),
        (ref.adaboost_mh, {"joint": False}, np.column_stack([BETAS, BETAS])),
        (ref.adaboost_m2, {"hypothesis": "label"}, 2 * BETAS),
        (ref.adaboost_m2, {"hypothesis": "set"}, 2 * BETAS),
        (ref.angle_general, {"loss": ref.Exponential()}, BETAS),
    ],
)
def test_with_two_classes_all_are_discrete_adaboost(booster, options, steps):
    fit = fit_two_classes(booster, **options)
    np.testing.assert_allclose([entry["step"] for entry in fit.rounds], steps, rtol=1e-12)
    difference = fit.margins[1][:, 0] - fit.margins[1][:, 1]
    factor = 2 if booster is ref.samme else 1
    np.testing.assert_allclose(difference, 2 * factor * np.array(MARGINS_0), rtol=1e-12)


def test_three_classes_one_round_by_hand():
    X, y, C = column(1, 1, 2, 2, 2), np.array([0, 1, 2, 2, 1]), np.array([[0, 2, 2], [1, 0, 1], [1, 1, 0]])
    c = C[y].astype(float)
    # Left: predicting 0, 1, 2 costs 1, 2, 3; right: 3, 2, 1. Total cost 12.
    fit = ref.angle_adaboost(X, y, c, np.ones(5), 3, 1, learning_rate=0.5)
    beta = 2 / 3 * (np.log(5) - np.log(2))
    assert fit.rounds[0]["error"] == pytest.approx(2 / 12, rel=1e-14)
    assert fit.rounds[0]["beta"] == pytest.approx(beta, rel=1e-14)
    np.testing.assert_allclose(fit.margins[0][[0, 4]], 0.5 * beta * np.array([[1, -0.5, -0.5], [-0.5, -0.5, 1]]))
    # SAMME: weights 4/3, 2/3, 2/3, 2/3, 2/3 of 4; rows 1 and 4 are missed.
    fit = ref.samme(X, y, c, np.ones(5), 3, 1)
    assert fit.rounds[0]["error"] == pytest.approx(1 / 3, rel=1e-14)
    assert fit.rounds[0]["beta"] == pytest.approx(np.log(2) + np.log(2), rel=1e-14)
    # MH: D = (2,2,2; 1,1,1; 1,1,1; 1,1,1; 1,1,1) / 18. Leaf sums of D Y * 18: left (1, -1, -3), right (-3, -1, 1).
    fit = ref.adaboost_mh(X, y, c, np.ones(5), 3, 1)
    assert fit.rounds[0]["beta"] == pytest.approx(0.5 * np.log((18 + 10) / (18 - 10)), rel=1e-14)
    np.testing.assert_array_equal(np.sign(fit.margins[0][[0, 4]]), [[1, -1, -1], [-1, -1, 1]])
    # M2: 12 A: row 0 (4, -2, -2), row 1 (-1, 2, -1), rows 2 and 3 (-1, -1, 2), row 4 (-1, 2, -1).
    # Left sums (3, 0, -3), right (-3, 0, 3): sets {0} and {2}, sum A h = 6 / 12, eps = 1 / 4.
    for hypothesis in ("set", "label"):
        fit = ref.adaboost_m2(X, y, c, np.ones(5), 3, 1, hypothesis=hypothesis)
        assert fit.rounds[0]["error"] == pytest.approx(0.25, rel=1e-14)
        np.testing.assert_allclose(fit.margins[0][[0, 4]], np.log(3) * np.array([[1, 0, 0], [0, 0, 1]]), rtol=1e-14)


def test_real_mh_one_round_by_hand():
    X, y = column(1, 1, 2, 2), np.array([0, 0, 0, 1])
    fit = ref.adaboost_mh(X, y, zero_one_rows(y, 2), np.ones(4), 2, 1, learning_rate=0.5, votes="real")
    # D = 1/8 everywhere, e = 1/8; left W+ = (2, 0)/8, W- = (0, 2)/8; right all 1/8: Z = 2 classes * 2/8.
    assert fit.rounds[0]["error"] == pytest.approx(0.5, rel=1e-14)
    value = 0.25 * np.log(3 / 1)
    np.testing.assert_allclose(fit.margins[0], [[value, -value]] * 2 + [[0, 0]] * 2, atol=1e-15)


def test_pnorm_by_hand():
    X, y = column(1, 1, 2), np.array([0, 1, 2])
    c = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=float)
    fit = ref.pnorm(X, y, c, np.ones(3), 3, 2)
    # Round one, alpha = c / 9, labels 0 and 2, a = 1/2: F = (4, 1, 1)/6 left, (1, 1, 4)/6 right.
    np.testing.assert_allclose(fit.margins[0], np.array([[4, 1, 1], [4, 1, 1], [1, 1, 4]]) / 6, rtol=1e-14)
    # Round two, 36 alpha: (0, 1, 1), (16, 0, 1), (1, 1, 0): labels 1 (cost 1 against 16 and 2) and 2, a = 1/3.
    np.testing.assert_allclose(fit.margins[1], np.array([[4, 4, 1], [4, 4, 1], [1, 1, 7]]) / 9, rtol=1e-14)
    # The set form: left sums of A are (2 - 1, 2 - 1, -2) / 9, so the set is {0, 1}.
    fit = ref.pnorm(X, y, c, np.ones(3), 3, 1, hypothesis="set")
    np.testing.assert_allclose(fit.margins[0], np.array([[5, 5, 2], [5, 5, 2], [2, 2, 8]]) / 12, rtol=1e-14)


def random_problem(n=40, K=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    X = np.round(rng.normal(size=(n, 2)) + y[:, None], 1)
    X[rng.random((n, 2)) < 0.1] = NAN
    C = rng.integers(1, 6, (K, K)) * (1 - np.eye(K))
    return X, y, C


@pytest.mark.parametrize("name", BOOSTERS)
def test_scores_replay_and_a_weight_of_two_is_a_row_twice(name):
    booster, options = BOOSTERS[name]
    X, y, C = random_problem()
    s = np.resize([1.0, 2.0, 1.0, 0.0], len(y))
    fit = booster(X, y, C[y] * s[:, None], s, 3, 3, learning_rate=0.7, **options)
    np.testing.assert_allclose(fit.predict_scores(X), fit.margins[-1], rtol=1e-12, atol=1e-14)
    assert len(fit.rounds) == len(fit.margins) == 3
    if name != "mh_real":  # its smoothing counts rows
        twice = np.repeat(np.arange(len(y)), s.astype(int))
        other = booster(X[twice], y[twice], C[y[twice]], np.ones(len(twice)), 3, 3, learning_rate=0.7, **options)
        np.testing.assert_allclose(other.margins[-1], fit.margins[-1][twice], rtol=1e-10)


def test_line_searches_agree():
    X, y, C = random_problem()
    for loss in (ref.Logistic(), ref.LUM(2.0, 0.5)):
        fit = ref.angle_general(X, y, C[y], np.ones(len(y)), 3, 4, loss=loss)
        for M, entry in zip([np.zeros((len(y), 3)), *fit.margins], fit.rounds, strict=False):
            g = entry["hypothesis"](X)
            at_root = (C[y] * loss.value(-(M + entry["beta"] * g))).sum()
            beta, at_bfgs = ref.line_search_bfgs(M, g, C[y], loss)
            assert at_root <= at_bfgs + 1e-12
            assert at_root == pytest.approx(at_bfgs, abs=1e-8)
            assert beta == pytest.approx(entry["beta"], abs=1e-5)


@pytest.mark.parametrize("name", [name for name in BOOSTERS if not name.startswith(("pnorm", "m2_fixed"))])
def test_a_perfect_rule_ends_the_fit(name):
    booster, options = BOOSTERS[name]
    y = np.array([0, 0, 1, 1, 2, 2])
    fit = booster(column(1, 1, 2, 2, 3, 3), y, zero_one_rows(y, 3), np.ones(6), 3, 5, **options)
    # Apart, class 1 lies between the others: its first tree stays at "no" (a plateau), its second is perfect.
    assert len(fit.rounds) == (2 if name == "mh_apart" else 1)
    np.testing.assert_array_equal(fit.margins[-1].argmax(axis=1), y)
    assert np.isfinite(fit.margins[-1]).all()
    if name.startswith("angle"):
        assert fit.rounds[0]["beta"] == ref.largest_step(3)


@pytest.mark.parametrize("name", [name for name in BOOSTERS if not name.startswith("pnorm")])
def test_a_useless_first_rule_is_an_error(name):
    booster, options = BOOSTERS[name]
    y = np.array([0, 1])
    with pytest.raises(ValueError, match="no better than guessing"):
        booster(column(1, 1), y, zero_one_rows(y, 2), np.ones(2), 2, 5, **options)


def test_non_zero_diagonal_can_make_another_class_the_best():
    X, y = column(1, 1, 1, 2), np.array([0, 0, 0, 1])
    C = np.array([[1.0, 0.5], [1.0, 0.0]])
    # Left, truth 0: predicting 0 costs 3, predicting 1 costs 1.5; right: 1 against 0. Always class 1: 1.5 of 5.5.
    fit = ref.angle_adaboost(X, y, C[y], np.ones(4), 2, 1)
    assert fit.rounds[0]["error"] == pytest.approx(1.5 / 5.5, rel=1e-14)
    assert (fit.margins[0].argmax(axis=1) == 1).all()


@pytest.mark.parametrize("K", [2, 3, 5])
def test_simplex(K):
    W = ref.simplex_vertices(K)
    np.testing.assert_allclose(W @ W.T, ref.gram(K), atol=1e-14)
    np.testing.assert_allclose(W.sum(axis=0), 0, atol=1e-14)


@pytest.mark.parametrize("loss", [ref.Exponential(), ref.Logistic(), ref.LUM(1.0, 0.0), ref.LUM(2.0, 3.0)])
def test_losses_and_population_minimiser(loss):
    z = np.linspace(-3, 3, 41) + 0.013
    slope = (loss.value(z + 1e-6) - loss.value(z - 1e-6)) / 2e-6
    np.testing.assert_allclose(loss.derivative(z), slope, atol=1e-8)
    rng = np.random.default_rng(1)
    for K in (2, 3, 4):
        P, C = rng.dirichlet(np.ones(K)), rng.uniform(0.5, 2, (K, K)) * (1 - np.eye(K))
        M = ref.simplex_vertices(K) @ ref.population_risk_minimizer(P, C, loss)
        assert M.argmax() == (P @ C).argmin()
        np.testing.assert_allclose(ref.link(M, C, loss), P, atol=1e-8)


def test_population_minimiser_of_the_exponential_loss():
    P = np.array([0.2, 0.5, 0.3])
    M = ref.simplex_vertices(3) @ ref.population_risk_minimizer(P, 1 - np.eye(3), ref.Exponential())
    np.testing.assert_allclose(M, np.log(1 - P).mean() - np.log(1 - P), atol=1e-9)  # the paper's closed form
