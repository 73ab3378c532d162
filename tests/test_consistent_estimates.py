"""The estimates of the boosters with a link agree with their decisions, and are finite whatever the costs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import ANGLE, COMPILES, VARIANTS, compiled, easy, make, rows, unequal_costs
from scipy.optimize import minimize
from sklearn.model_selection import cross_val_predict

from csboost import costs, metrics
from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss
from csboost.link import MarginLink
from csboost.link.cones import cone_of
from csboost.link.decided import nearest_with_answer
from csboost.link.margin import inverse_slopes
from csboost.link.nonnegative import nearest_in_proportion

LOSSES = [ExponentialLoss(), LogisticLoss(), LargeMarginUnifiedLoss(1.0, 1.0)]
MANY_CLASSES = 20 if COMPILES else 9
WITH_LINK = [name for name in VARIANTS if name.startswith(("angle", "samme", "mh"))] + ["pnorm", "pnorm-fixed"]
FROM_COSTS = [*ANGLE, "pnorm", "pnorm-fixed"]  # whose decision is derived from the costs
NEVER_COSTS = np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [0.0, 3.0, 0.0]])  # answering 0


# The projection on its own.


def objective(x, q, C, barrier):
    ratio = C.T @ x / q
    return (ratio - np.log(ratio)).sum() - barrier * np.log(x).sum()


def by_scipy(q, C, answer, barrier, start):
    """The constrained minimum by sequential quadratic programming, in the logarithms of ``x``."""
    size = (C.T @ start / q).mean()
    lead = C - C[:, [answer]]
    found = minimize(
        lambda z: objective(np.exp(z), q, C, barrier),
        np.log(start / size),
        jac=lambda z: np.exp(z) * (C @ (1 / q - 1 / (C.T @ np.exp(z)))) - barrier,
        constraints={
            "type": "ineq",
            "fun": lambda z: lead.T @ np.exp(z) / q,
            "jac": lambda z: (lead * np.exp(z)[:, None]).T / q[:, None],
        },
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    return np.exp(found.x) if found.success else None


def test_the_nearest_point_with_a_given_answer_is_scipys():
    rng, compared = np.random.default_rng(0), 0
    for _ in range(260):
        K = int(rng.integers(2, 7))
        C = rng.random((K, K)) * (1 - np.eye(K)) + 0.3 * rng.random() * np.eye(K)
        answer, barrier = int(rng.integers(K)), float(rng.uniform(0.001, 0.04))
        cone = cone_of(C, answer)
        if not cone.start.all():
            continue
        q = np.exp(rng.normal(0, 1.0, K))
        q[answer] = 0.9 * q.min()
        q /= q.max()
        start, binding = np.tile(cone.start, (K, 1)), np.tile(cone.binding, (K, 1))
        first = nearest_in_proportion(q[None, :], C, 0.04, 0.3)
        x = nearest_with_answer(
            q[None, :], C, np.array([answer]), np.array([barrier]), first, start, binding, np.zeros((K, K))
        )[0]
        E = C.T @ x
        assert (x > 0).all()
        assert E[answer] == E.min()
        other = by_scipy(q, C, answer, barrier, cone.start)
        if other is None:
            continue
        compared += 1
        assert objective(x, q, C, barrier) <= objective(other, q, C, barrier) + 1e-7
        np.testing.assert_allclose(x / x.sum(), other / other.sum(), atol=2e-4)
    assert compared >= 200


def test_a_point_that_has_the_answer_as_it_is_stays_where_it_is():
    rng = np.random.default_rng(1)
    C = costs.linear(5)
    M = rng.normal(0, 1, (400, 5))
    M -= M.mean(axis=1, keepdims=True)
    q = inverse_slopes(M, LogisticLoss())
    x = nearest_in_proportion(q, C / C.max(), 0.04, 0.3)
    agrees = (x @ C).argmin(axis=1) == M.argmax(axis=1)
    projected = (np.linalg.solve(C.T, q.T) < 0).any(axis=0)
    assert 50 < (agrees & projected).sum() < 350
    plain = (x / x.sum(axis=1, keepdims=True))[agrees & projected]
    np.testing.assert_array_equal(MarginLink(LogisticLoss(), C).estimate(M)[0][agrees & projected], plain)


def nasty_costs(kind, K, rng):
    C = rng.random((K, K))
    if kind == "ill-scaled":
        C = 10.0 ** rng.uniform(-6, 6, (K, K))
    elif kind == "whole numbers":  # full of ties and of answers that others weakly dominate
        C = rng.integers(0, 4, (K, K)).astype(float)
    if kind != "diagonal":
        np.fill_diagonal(C, 0.0)
    if kind == "singular":
        C[1:] = C[:1] + C[:1].T[1:]
        np.fill_diagonal(C, 0.0)
        C[-1] = 0.3 * C[0]
        C[-1, -1] = 0.0
    elif kind == "zero row":
        C[rng.integers(K)] = 0.0
    elif kind == "equal columns":
        C[:, -1] = C[:, 0]
    elif kind == "nearly zero column":
        C[:, rng.integers(K)] *= 10.0 ** -rng.integers(3, 14)
    C[0, -1] += 1e-3
    return C


@pytest.mark.parametrize(
    "kind",
    ["ill-scaled", "whole numbers", "diagonal", "singular", "zero row", "equal columns", "nearly zero column"],
)
def test_the_cheapest_answer_has_the_largest_margin_whatever_the_costs(kind):
    rng = np.random.default_rng(0)
    for trial in range(30):
        K = MANY_CLASSES if trial < 2 else int(rng.integers(2, 8))
        C, loss = nasty_costs(kind, K, rng), LOSSES[trial % 3]
        M = rng.normal(0, 10.0 ** rng.uniform(-1, 2), (30, K))
        M -= M.mean(axis=1, keepdims=True)
        answers, rows = M.argmax(axis=1), np.arange(30)
        P, E = MarginLink(loss, C, rng.dirichlet(np.ones(K))).estimate(M)
        assert np.isfinite(P).all()
        assert (P >= 0).all()
        np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_allclose(E, P @ C, rtol=1e-8, atol=1e-9 * C.max())
        possible = np.array([cone_of(C / C.max(), t).start.any() for t in range(K)])[answers]
        assert possible.all() or np.diag(C).any()
        if C.any(axis=0).all():
            np.testing.assert_array_equal(E.argmin(axis=1)[possible], answers[possible])
        else:  # several answers cost nothing
            assert (E[rows, answers] == E.min(axis=1))[possible].all()


def test_a_dominated_answer_keeps_the_nearest_estimate():
    C = np.array([[0.0, 2.0, 1.0], [1.0, 3.0, 2.0], [2.0, 4.0, 0.0]])  # answering 1 always costs 2 more than 0
    assert not cone_of(C, 1).start.any()
    P, E = MarginLink(LogisticLoss(), C).estimate([[0.0, 1.0, -1.0]])
    assert np.isfinite(P).all()
    np.testing.assert_allclose(E, P @ C)
    assert E[0, 0] < E[0, 1]


def test_the_cones_of_answers():
    assert cone_of(costs.linear(4), 2).start.all()
    weakly = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])  # 1 is never dearer than 0
    np.testing.assert_array_equal(cone_of(weakly, 0).start > 0, [True, False, True])
    np.testing.assert_array_equal(cone_of(weakly, 1).binding, [False, False, True])
    between = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 1.0]])  # answer 2 is the mean of the others
    cone = cone_of(between, 2)
    assert cone.start.all()
    assert (cone.give > 0).tolist() == [True, True, False]
    P, E = MarginLink(LogisticLoss(), between).estimate([[-0.5, -0.5, 1.0], [0.2, -1.2, 1.0]])
    np.testing.assert_allclose(P[:, 0], P[:, 1], rtol=1e-6)
    assert E.argmin(axis=1).tolist() == [2, 2]


# Answers that never cost anything.


def test_where_an_answer_never_costs_the_shares_are_returned():
    shares = [0.5, 0.2, 0.3]
    P, E = MarginLink(LogisticLoss(), NEVER_COSTS, shares).estimate([[2.0, -1.0, -1.0], [-1.0, 2.0, -1.0]])
    np.testing.assert_allclose(P, [[0.5, 0.2, 0.3], [0.0, 1.0, 0.0]])  # answer 1 is as cheap for truth 1 alone
    np.testing.assert_allclose(E, [[0.0, 1.4, 1.2], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(MarginLink(LogisticLoss(), NEVER_COSTS).estimate([[2.0, -1.0, -1.0]])[0], 1 / 3)
    two = np.array([[0.0, 1.0], [0.0, 0.0]])
    np.testing.assert_allclose(MarginLink(ExponentialLoss(), two, [0.25, 0.75]).estimate([[1.0, -1.0]])[1], [[0, 0.25]])


def test_the_scale_of_margins_that_change_nothing_is_1():
    y, weights, M = np.array([0, 1, 2, 1]), np.ones(4), np.tile([2.0, -1.0, -1.0], (4, 1))
    assert MarginLink(LogisticLoss(), NEVER_COSTS).scaled(M, y, weights).scale == 1.0


@pytest.mark.parametrize(
    ("name", "watch"),  # separate ensembles have no early stopping
    [(name, watch) for name in WITH_LINK for watch in (None, 2) if watch is None or not name.endswith("apart")],
)
def test_costs_of_zero_give_finite_estimates(name, watch):
    X, y = easy(90)
    zero_row = np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [1.0, 3.0, 0.0]])
    nearly = NEVER_COSTS + [[0.0, 0.0, 0.0], [1e-13, 0.0, 0.0], [1e-12, 0.0, 0.0]]
    for C in (NEVER_COSTS, zero_row, nearly):
        booster = make(name, cost_matrix=C, n_iter_no_change=watch, random_state=0).fit(X, y)
        P, E, answers = booster.predict_proba(X), booster.predict_expected_cost(X), booster.predict(X)
        np.testing.assert_allclose(P.sum(axis=1), 1)
        assert np.isfinite(P).all()
        assert (P >= 0).all()
        np.testing.assert_allclose(E, P @ C, atol=1e-12)
        if name in FROM_COSTS:
            np.testing.assert_array_equal(E.argmin(axis=1), answers)
        if C is NEVER_COSTS:
            assert (E[:, 0] == 0).all()
        assert booster.staged_cost(X, y)[-1] == pytest.approx(metrics.mean_cost(y, answers, C))
        table = metrics.cost_calibration(y, answers, E, C, labels=booster.classes_)
        assert table.drop(columns="standard_error").notna().all(axis=None)
        np.testing.assert_array_equal(table["standard_error"].isna(), table["rows"] == 1)


@pytest.mark.parametrize("name", FROM_COSTS)
def test_a_fold_that_lacks_a_class_leaves_an_answer_that_never_costs(name):
    table = pd.DataFrame([[0, 1, 2], [0, 0, 1], [3, 1, 0]], index=list("abc"), columns=list("abc"))
    X, codes = easy(90)
    y, weights = np.array(list("abc"))[codes], np.where(codes == 0, 3.0, 1.0)
    fold = codes < 2  # without c, answering a never costs
    booster = make(name, cost_matrix=table, n_iter_no_change=2, random_state=0)
    booster.fit(X[fold], y[fold], sample_weight=weights[fold])
    assert (booster.predict(X) == "a").all()
    np.testing.assert_allclose(booster.predict_proba(X), np.tile([0.75, 0.25], (90, 1)))
    np.testing.assert_allclose(booster.predict_expected_cost(X), np.tile([0.0, 0.75], (90, 1)))


# Fitted boosters.


@pytest.mark.parametrize("C", [None, "linear", "partitioned-linear", unequal_costs(3)], ids=str)
@pytest.mark.parametrize("name", FROM_COSTS)
def test_predict_answers_the_class_of_least_expected_cost(name, C):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)  # noise: the margins fit no probabilities
    y[X[:, 0] > 0.7] = 2
    for options in ({}, {"n_iter_no_change": 20, "random_state": 0}):
        booster = make(name, cost_matrix=C, n_estimators=40, **options).fit(X, y)
        test_X = rng.normal(size=(rows(1000), 4))
        answers, E = booster.predict(test_X), booster.predict_expected_cost(test_X)
        np.testing.assert_array_equal(E.argmin(axis=1), answers)
        np.testing.assert_allclose(E, booster.predict_proba(test_X) @ booster.cost_matrix_, atol=1e-7)


@compiled("many rows and rounds")
def test_grades_of_loans_are_answered_by_their_expected_cost():
    from csboost.data.lending_club.draws import credit_draw
    from csboost.data.lending_club.table import load_credit_table

    draw = credit_draw(load_credit_table(), 0)
    booster = make("angle-logit", cost_matrix="partitioned-linear", n_estimators=100)
    booster.fit(draw.X_train, draw.y_train)
    answers, E = booster.predict(draw.X_test), booster.predict_expected_cost(draw.X_test)
    np.testing.assert_array_equal(E.argmin(axis=1), answers)
    decided = costs.bayes_decision(booster.predict_proba(draw.X_test), booster.cost_matrix_)
    assert (decided == answers).mean() > 0.999  # ties, within rounding, may go to another


@pytest.mark.parametrize("name", ["angle-ada", "angle-logit", "pnorm"])
def test_costs_per_row_leave_the_answer_the_cheapest_by_the_matrix(name):
    X, y = easy(150)
    sample_cost = unequal_costs(3)[y] * np.random.default_rng(0).uniform(0.2, 5.0, (150, 3))
    booster = make(name, cost_matrix="linear", n_estimators=30).fit(X, y, sample_cost=sample_cost)
    np.testing.assert_array_equal(booster.predict_expected_cost(X).argmin(axis=1), booster.predict(X))


def test_cross_validated_estimates_agree_with_cross_validated_answers():
    X, y = easy(150)
    booster = make("angle-logit", cost_matrix="linear", n_estimators=30)
    P = cross_val_predict(booster, X, y, cv=3, method="predict_proba")
    np.testing.assert_array_equal(costs.bayes_decision(P, costs.linear(3)), cross_val_predict(booster, X, y, cv=3))


# What the scores of the others stand for.


def test_samme_answers_the_largest_weighted_probability():
    X, y = easy(150)
    C = unequal_costs(3)
    booster = make("samme", cost_matrix=C, n_estimators=30).fit(X, y)
    weighted = booster.predict_proba(X) * C.mean(axis=1)
    np.testing.assert_array_equal(weighted.argmax(axis=1), booster.predict(X))


@pytest.mark.parametrize("name", ["mh", "mh-real"])
def test_adaboost_mh_answers_the_largest_odds(name):
    X, y = easy(150)
    C = unequal_costs(3)
    booster = make(name, cost_matrix=C, n_estimators=10).fit(X, y)
    P = booster.predict_proba(X)
    odds = C.max(axis=1) * P / (P @ C)
    np.testing.assert_array_equal(odds.argmax(axis=1), booster.predict(X))
