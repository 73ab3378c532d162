"""Angle boosting, the paper's section on cost-sensitive multicategory boosting. Arguments of all boosters:

X (n, d); y (n,) codes 0..K-1; c (n, K) cost rows, sample weight included; s (n,) sample weights (only their being
positive matters here, the weights themselves are in c); K; n_estimators; learning_rate; max_leaves.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize

from .boosted import Boosted, hypothesis_of, no_weak_rule, normalised
from .population import Logistic, gram
from .tree import TOLERANCE, grow_tree, label_output


def angle_adaboost(X, y, c, s, K, n_estimators, learning_rate=1.0, max_leaves=4) -> Boosted:
    """Angle AdaBoost, the paper's Algorithm 1; `error` is its epsilon."""
    G, rows = gram(K), np.arange(len(X))
    M, fit = np.zeros((len(X), K)), Boosted(K)
    for t in range(n_estimators):
        alpha = normalised(c * np.exp(M))
        tree = grow_tree(X, -alpha, "label", max_leaves, row_weights=s)
        hypothesis = hypothesis_of(tree, lambda S, scale=tree.scale: G[label_output(S, scale)])
        g = hypothesis(X)
        error = alpha[rows, g.argmax(axis=1)].sum()
        if error >= 1 / K - TOLERANCE:
            no_weak_rule(t)
            break
        beta = angle_step(max(error, TOLERANCE), K)
        M += learning_rate * beta * g
        fit.add(M, tree=tree, hypothesis=hypothesis, beta=beta, step=learning_rate * beta, error=error)
        if error < TOLERANCE:
            break
    return fit


def angle_step(error: float, K: int) -> float:
    """Beta of the paper's Lemma 1."""
    return (K - 1) / K * (np.log((1 - error) / error) - np.log(K - 1))


def largest_step(K: int) -> float:
    """Where line searches end: the step of Angle AdaBoost at the smallest error that is told from zero."""
    return angle_step(TOLERANCE, K)


def angle_general(X, y, c, s, K, n_estimators, learning_rate=1.0, max_leaves=4, *, loss) -> Boosted:
    """Angle boosting by exact line search for a loss with `value` and `derivative`.

    `error` is the share of the total alpha that falls on the predicted classes.
    """
    G, rows = gram(K), np.arange(len(X))
    M, fit = np.zeros((len(X), K)), Boosted(K)
    for t in range(n_estimators):
        alpha = c * -loss.derivative(-M)
        tree = grow_tree(X, -alpha, "label", max_leaves, row_weights=s)
        hypothesis = hypothesis_of(tree, lambda S, scale=tree.scale: G[label_output(S, scale)])
        g = hypothesis(X)
        beta = line_search_root(M, g, c, loss)
        if beta is None:
            no_weak_rule(t)
            break
        error = alpha[rows, g.argmax(axis=1)].sum() / alpha.sum()
        M += learning_rate * beta * g
        fit.add(M, tree=tree, hypothesis=hypothesis, beta=beta, step=learning_rate * beta, error=error)
        if beta == largest_step(K):
            break
    return fit


def angle_logitboost(X, y, c, s, K, n_estimators, learning_rate=1.0, max_leaves=4) -> Boosted:
    """Angle LogitBoost, the paper's Algorithm 2."""
    return angle_general(X, y, c, s, K, n_estimators, learning_rate, max_leaves, loss=Logistic())


def objective(b, M, g, c, loss) -> float:
    """sum_ik c[i, k] l(-(M[i, k] + b g[i, k])), with g[i] = G[Phi(x_i)]."""
    return (c * loss.value(-(M + b * g))).sum()


def slope(b, M, g, c, loss) -> float:
    """Derivative of `objective` by b."""
    return (c * -loss.derivative(-(M + b * g)) * g).sum()


def line_search_root(M, g, c, loss) -> float | None:
    """The b in [0, largest_step] with the smallest objective, None when g is no direction of descent."""
    largest = largest_step(M.shape[1])
    if slope(0.0, M, g, c, loss) >= -1e-12 * c.sum():
        return None
    if slope(largest, M, g, c, loss) < 0:
        return largest
    return optimize.brentq(slope, 0.0, largest, args=(M, g, c, loss), xtol=1e-15, rtol=1e-15)


def line_search_bfgs(M, g, c, loss) -> tuple[float, float]:
    """Minimiser and objective by BFGS from b = 1, the paper's own method, as an oracle."""
    total = c.sum()
    result = optimize.minimize(
        lambda b: objective(b[0], M, g, c, loss) / total,
        x0=np.ones(1),
        jac=lambda b: np.array([slope(b[0], M, g, c, loss) / total]),
        method="BFGS",
        options={"gtol": 1e-12},
    )
    return float(result.x[0]), float(result.fun) * total
