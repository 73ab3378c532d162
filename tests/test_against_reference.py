"""The kernels against the slow NumPy versions in ``reference``: the same trees, steps, margins, stopping and errors."""

from __future__ import annotations

import numpy as np
import pytest
import reference as ref
from cases import CLASSES, VARIANTS, Hyperbola, RandomProblem, make, random_problem

from csboost.problem import Problem
from csboost.weak import CostTree
from csboost.weak.channels import HALVES, NEGATED, ONE_HOT, RELATIONAL, SIGNED, Channels
from csboost.weak.rules import CONFIDENCE, LABEL, VOTES

ROUNDS = 5
LOSSES = {
    "angle-exponential": ref.Exponential(),
    "angle": ref.Logistic(),
    "angle-lum": ref.LUM(1.5, 0.5),
    "angle-custom": Hyperbola(),
}
REFERENCES = {
    "angle-ada": ref.angle_adaboost,
    "angle-logit": ref.angle_logitboost,
    "angle": ref.angle_general,
    "samme": ref.samme,
    "mh": ref.adaboost_mh,
    "m2": ref.adaboost_m2,
    "pnorm": ref.pnorm,
}
# At least 50 problems per class, shared out over its options.
PER_CLASS = {key: [name for name, (owner, _) in VARIANTS.items() if owner == key] for key in CLASSES}
# Confidence-rated votes sum twice as many lanes; few K, as each number of lanes is compiled anew.
FEW = (2, 3, 7)
PROBLEMS = [
    (name, FEW[seed % 3] if "real" in name else 2 + seed % 6, seed)
    for key, names in PER_CLASS.items()
    for i, name in enumerate(names)
    for seed in range(i, i + 54 // len(names) + 1)
]


def slow(name, problem, learning_rate):
    key, options = VARIANTS[name]
    options = {"loss": LOSSES[name]} if key == "angle" else options
    X, y, _, s, K = problem
    return REFERENCES[key](X, y, problem.c, s, K, ROUNDS, learning_rate, **options)


def assert_same_tree(forest, m, tree):
    """Tree ``m`` of a packed forest against a reference tree, node by node; both number nodes in order of creation."""
    assert forest.n_leaves[m] == len(tree.leaves)
    for node, child in enumerate(tree.left):
        if child < 0:
            assert forest.left[m, node] == forest.right[m, node] == node  # a leaf is its own child
            continue
        assert forest.feature[m, node] == tree.feature[node]
        assert forest.threshold[m, node] == tree.threshold[node]
        assert forest.missing_left[m, node] == tree.missing_left[node]
        assert (forest.left[m, node], forest.right[m, node]) == (child, tree.right[node])


def as_decision(scores, key):
    """A reference's scores in the shape of decision_function."""
    if scores.shape[1] > 2:
        return scores
    difference = scores[:, 1] - scores[:, 0]
    return difference / 2 if key.startswith("angle") or key == "samme" else difference


def assert_close(actual, expected):
    """Within 1e-9 of the largest number; what should be 0 may be rounding, 1e-14."""
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max() + 1e-14)


@pytest.mark.parametrize(("name", "K", "seed"), PROBLEMS)
def test_boosters(name, K, seed):
    problem, learning_rate = random_problem(seed, K), [1.0, 0.5][seed % 2]
    model = make(name, cost_matrix=problem.C, n_estimators=ROUNDS, learning_rate=learning_rate)
    expected = slow(name, problem, learning_rate)
    model.fit(problem.X, problem.y, sample_weight=problem.s)
    key = VARIANTS[name][0]
    assert model.n_iter_ == len(expected.rounds)

    trees = [tree for entry in expected.rounds for tree in np.ravel(entry["tree"])]  # a tree per class where apart
    assert len(model.estimators_) == len(trees)
    for forest, tree in zip(model.estimators_, trees, strict=True):
        if tree is not None:
            assert_same_tree(forest, 0, tree)
    if key != "pnorm":  # there the coefficients are those of a running mean
        assert_close(model.estimator_weights_, np.ravel([entry["step"] for entry in expected.rounds]))
    if "apart" not in name:
        assert_close(model.estimator_errors_, [entry["error"] for entry in expected.rounds])

    kept = problem.s > 0
    for scores, margins in zip(model.staged_decision_function(problem.X), expected.margins, strict=True):
        assert_close(scores[kept], as_decision(margins, key)[kept])
    rng = np.random.default_rng(seed)
    unseen = np.round(rng.normal(size=(40, problem.X.shape[1])) * 2, 1)
    unseen[rng.random(unseen.shape) < 0.2] = np.nan
    assert_close(model.decision_function(unseen), as_decision(expected.predict_scores(unseen), key))


def test_every_class_meets_fifty_problems_of_all_sizes():
    for key, names in PER_CLASS.items():
        met = [random_problem(seed, K) for name, K, seed in PROBLEMS if name in names]
        assert len(met) >= 50, key
        assert {problem.K for problem in met} == set(range(2, 8)), key
        assert min(len(problem.y) for problem in met) < 10, key
        assert max(len(problem.y) for problem in met) > 100, key


@pytest.mark.parametrize("name", VARIANTS)
def test_both_refuse_a_first_rule_that_guesses(name):
    K = 2 if name.startswith("mh") else 4  # with more classes, "no" to all of them is right more often than not
    X, y = np.ones((12, 2)), np.arange(12) % K
    problem = RandomProblem(X, y, 1 - np.eye(K), np.ones(12), K)
    with pytest.raises(ValueError, match="no better than guessing"):
        slow(name, problem, 1.0)
    with pytest.raises(ValueError, match="first weak rule is no better than guessing.*check X and cost_matrix"):
        make(name).fit(X, y)


RULES = {
    "label": (LABEL, NEGATED, "label"),
    "one-hot": (LABEL, ONE_HOT, "label"),
    "votes": (VOTES, SIGNED, "votes"),
    "relational": (VOTES, RELATIONAL, "votes"),
    "Z": (CONFIDENCE, HALVES, "Z"),
}


def channels_of(kind, W, y):
    """The channels that a kind derives from weights W (n, K), written out."""
    own = np.eye(W.shape[1], dtype=bool)[y]
    if kind == NEGATED:
        return -W
    if kind == SIGNED:
        return np.where(own, W, -W)
    if kind == ONE_HOT:
        return np.where(own, W[np.arange(len(y)), y][:, None], 0.0)
    if kind == RELATIONAL:
        return np.where(own, np.where(own, 0.0, W).sum(axis=1, keepdims=True), np.where(own, 0.0, -W))
    return np.where(own, W, 0.0), np.where(own, 0.0, W)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(60))
def test_trees(rule, seed):
    leaf_rule, kind, name = RULES[rule]
    problem = random_problem(seed, FEW[seed % 3] if kind == HALVES else 2 + seed % 6)
    kept = problem.s > 0
    X, y, K = problem.X[kept], problem.y[kept].astype(np.uint8), problem.K
    rng = np.random.default_rng(seed)
    W = rng.integers(0, 4, (len(y), K)).astype(float) if seed % 2 else rng.random((len(y), K))
    if kind == RELATIONAL:
        W[np.arange(len(y)), y] = 0.0
    W[0] += 1.0 - np.eye(K)[y[0]]  # not all zero
    if kind == ONE_HOT:
        W = np.repeat(W.sum(axis=1, keepdims=True), K, axis=1)
    leaves = int(rng.choice([2, 3, 4, 9]))
    expected = ref.grow_tree(X, channels_of(kind, W, y), name, max_leaves=leaves)

    shown = W[:, :1].copy() if kind == ONE_HOT else W
    weights = Problem(X, y, np.ones(len(y)), W, np.arange(K), problem.C)
    learner = CostTree(leaves).bind(weights, leaf_rule, 1, 1, np.random.RandomState(0))
    found = learner.grow(0, Channels(shown, kind, shown.sum()))
    forest = learner.rules(1)
    assert_same_tree(forest, 0, expected)
    sums = np.array([expected.sums[leaf].ravel() for leaf in expected.leaves])
    np.testing.assert_allclose(found.sums, sums, rtol=1e-9, atol=1e-12 * expected.scale)
    places = np.searchsorted(expected.leaves, expected.apply(X))
    np.testing.assert_array_equal(found.leaf_of_row, places)
    np.testing.assert_array_equal(forest.apply(X, 0), places)
