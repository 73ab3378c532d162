"""Identities between algorithms, and what must not change a model."""

from __future__ import annotations

import numpy as np
import pytest
import reference as ref
from cases import ANGLE, VARIANTS, easy, make, random_problem, rows, unequal_costs
from scipy import optimize
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import csboost
from csboost.weak import SklearnWeakLearner


def assert_same_margins(model, other, X, rtol=1e-9):
    scores = model.decision_function(X)
    np.testing.assert_allclose(other.decision_function(X), scores, rtol=rtol, atol=rtol * np.abs(scores).max())


@pytest.mark.parametrize(("K", "seed"), [(2, 0), (3, 1), (5, 2), (7, 4)])
def test_angle_adaboost_is_multiboost(K, seed):
    """Wang (2013): weights C[y, k] exp(F_k), h = 1 on the predicted class, -1/(K-1) elsewhere, the loss minimised."""
    X, y, C, _, K = random_problem(seed, K)
    F, rows = np.zeros((len(y), K)), np.arange(len(y))
    model = csboost.AngleAdaBoostClassifier(cost_matrix=C, n_estimators=6).fit(X, y)
    for step, margins in zip(model.estimator_weights_, model.staged_decision_function(X), strict=True):
        D = C[y] * np.exp(F)
        tree = ref.grow_tree(X, -D, "label")
        predicted = np.array([ref.label_output(tree.sums[leaf], tree.scale) for leaf in tree.apply(X)])
        h = np.full((len(y), K), -1.0 / (K - 1))
        h[rows, predicted] = 1.0
        b = optimize.brentq(lambda b, D=D, h=h: (D * h * np.exp(b * h)).sum(), 0.0, 30.0, xtol=1e-14)
        F += b * h
        assert step == pytest.approx(b, rel=1e-9)
        np.testing.assert_allclose(margins, F if K > 2 else F[:, 1], rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("seed", [1, 4, 6])
def test_two_classes_of_unit_costs_are_discrete_adaboost(seed):
    """Freund & Schapire (1997) with labels -1 and 1."""
    X, y, _, s, _ = random_problem(seed, 2)
    sign, w, F = 2.0 * y - 1.0, s / s.sum(), np.zeros(len(y))
    model = csboost.AngleAdaBoostClassifier(n_estimators=6).fit(X, y, sample_weight=s)
    for step, error, margin in zip(
        model.estimator_weights_, model.estimator_errors_, model.staged_decision_function(X), strict=True
    ):
        tree = ref.grow_tree(X, np.eye(2)[y] * w[:, None], "label", row_weights=s)
        h = np.array([2.0 * ref.label_output(tree.sums[leaf], tree.scale) - 1.0 for leaf in tree.apply(X)])
        err = w[h != sign].sum()
        alpha = 0.5 * np.log((1 - err) / err)
        assert error == pytest.approx(err, rel=1e-9)
        assert step == pytest.approx(alpha, rel=1e-9)
        F += alpha * h
        np.testing.assert_allclose(margin, F, rtol=1e-9, atol=1e-9)
        w *= np.exp(-alpha * sign * h)
        w /= w.sum()


@pytest.mark.parametrize("tree", [DecisionTreeClassifier(max_leaf_nodes=4), DecisionTreeClassifier(max_depth=2)])
@pytest.mark.parametrize(("K", "rate", "options"), [(2, 1.0, {}), (3, 0.5, {}), (5, 1.0, {"cost_aware": False})])
def test_samme_around_a_scikit_learn_tree_is_scikit_learns_adaboost(tree, K, rate, options):
    X, y = easy(150, K, seed=K)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    theirs = AdaBoostClassifier(tree, n_estimators=12, learning_rate=rate, random_state=0)
    theirs.fit(X, y, sample_weight=weights)
    costs = unequal_costs(K) if options else None  # without costs in training they may be anything
    settings = {"n_estimators": 12, "learning_rate": rate, "weak_learner": SklearnWeakLearner(tree), **options}
    ours = csboost.SAMMEClassifier(cost_matrix=costs, **settings).fit(X, y, sample_weight=weights)
    assert ours.n_iter_ == len(theirs.estimators_) == 12
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    for a, b in zip(ours.staged_predict(X), theirs.staged_predict(X), strict=True):
        np.testing.assert_array_equal(a, b)
    # scikit-learn's scores are a weighted mean, ours a sum; with two classes it subtracts them.
    total = np.cumsum(ours.estimator_weights_) / (2.0 if K == 2 else 1.0)
    for share, a, b in zip(total, ours.staged_decision_function(X), theirs.staged_decision_function(X), strict=True):
        np.testing.assert_allclose(a / share, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("name", "loss"), [("angle-logit", ref.Logistic()), ("angle-lum", ref.LUM(1.5, 0.5))])
@pytest.mark.parametrize(("K", "seed"), [(2, 1), (3, 2), (6, 4)])
def test_line_search_agrees_with_bfgs(name, loss, K, seed):
    X, y, C, _, K = random_problem(seed, K)
    model = make(name, cost_matrix=C, n_estimators=8).fit(X, y)
    M, c = np.zeros((len(y), K)), C[y]
    c = c / c.sum()
    for step, scores in zip(model.estimator_weights_, model.staged_decision_function(X), strict=True):
        after = scores if K > 2 else np.column_stack([-scores, scores])
        g = (after - M) / step
        b, lowest = ref.line_search_bfgs(M, g, c, loss)
        reached = (c * loss.value(-after)).sum()
        assert reached == pytest.approx(lowest, abs=1e-8)
        assert step == pytest.approx(b, rel=1e-4)
        M = after


@pytest.mark.parametrize("name", VARIANTS)
def test_scale_of_the_costs_is_immaterial(name):
    X, y = easy(150, 4)
    C = unequal_costs(4)
    model = make(name, cost_matrix=C).fit(X, y)
    for scale in (1e-6, 0.3, 1e7):
        scaled = make(name, cost_matrix=scale * C).fit(X, y)
        np.testing.assert_array_equal(scaled.predict(X), model.predict(X))
        assert_same_margins(model, scaled, X)


@pytest.mark.parametrize("seed", [1, 5, 9])  # small integer weights, zeros among them
@pytest.mark.parametrize("name", VARIANTS)
def test_integer_weights_are_repeated_rows(name, seed):
    X, y, C, s, _ = random_problem(seed, 4)
    weighted = make(name, cost_matrix=C).fit(X, y, sample_weight=s)
    rows = np.repeat(np.arange(len(y)), s.astype(int))
    repeated = make(name, cost_matrix=C).fit(X[rows], y[rows])
    assert weighted.n_iter_ == repeated.n_iter_
    assert_same_margins(weighted, repeated, X[s > 0])


@pytest.mark.parametrize("seed", [2, 3, 7])
@pytest.mark.parametrize("name", VARIANTS)
def test_order_of_rows_is_immaterial(name, seed):
    X, y, C, s, _ = random_problem(seed, 4)
    order = np.random.default_rng(seed).permutation(len(y))
    model = make(name, cost_matrix=C).fit(X, y, sample_weight=s)
    shuffled = make(name, cost_matrix=C).fit(X[order], y[order], sample_weight=s[order])
    assert model.n_iter_ == shuffled.n_iter_
    assert_same_margins(model, shuffled, X)


@pytest.mark.parametrize("name", VARIANTS)
def test_costs_per_row_equal_to_the_matrix_give_the_same_bits(name):
    X, y, C, s, _ = random_problem(1, 4)
    model = make(name, cost_matrix=C).fit(X, y, sample_weight=s)
    by_rows = make(name).fit(X, y, sample_weight=s, sample_cost=C[y])
    assert by_rows.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    both = make(name, cost_matrix="linear").fit(X, y, sample_weight=s, sample_cost=C[y])  # the rows win
    assert both.decision_function(X).tobytes() == model.decision_function(X).tobytes()


BOOSTERS = ["angle-ada", "angle-logit", "angle-lum", "samme", "mh", "mh-real", "m2", "pnorm"]


@pytest.mark.parametrize("n", [rows(20_000), rows(40_000)])  # several row blocks; the second is summed on 32-bit grids
@pytest.mark.parametrize("name", BOOSTERS)
def test_number_of_threads_is_immaterial(name, n):
    K = 2 if name == "mh-real" else 4  # its two halves of K lanes need the same compiled kernels
    X, y = easy(n, K, d=6)
    X[::7, 3] = np.nan
    fits = [make(name, n_estimators=4, cost_matrix=unequal_costs(K), n_jobs=jobs).fit(X, y) for jobs in (1, 2, 3)]
    expected = fits[0].decision_function(X).tobytes()
    for model in fits[1:]:
        assert model.estimator_weights_.tobytes() == fits[0].estimator_weights_.tobytes()
        assert model.decision_function(X).tobytes() == expected


@pytest.mark.parametrize("name", ANGLE)
@pytest.mark.parametrize("K", [3, 6])
def test_margins_of_the_angle_boosters_sum_to_zero(name, K):
    X, y, C, _, K = random_problem(8, K)
    margins = make(name, cost_matrix=C).fit(X, y).decision_function(X)
    np.testing.assert_allclose(margins.sum(axis=1), 0.0, atol=1e-12 * np.abs(margins).max())
