"""The stumps and boosters of the published protocol, slowly, from its description."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

ROUNDS = 40


def splits(X):
    """Every (left rows) of the thresholds, lowest feature and threshold first."""
    for f in range(X.shape[1]):
        for t in np.linspace(X[:, f].min(), X[:, f].max(), 100):
            yield f, t, X[:, f] <= t


def slow_label_stump(X, wish):
    """Return feature, threshold and a class per side that maximise the summed wishes (n, K)."""
    best, tolerance = None, 1e-10 * np.abs(wish).sum()
    for f, t, left in splits(X):
        sides = wish[left].sum(axis=0), wish[~left].sum(axis=0)
        score = sides[0].max() + sides[1].max()
        if best is None or score > best[0] + tolerance:
            best = score, f, t, [int(np.flatnonzero(s >= s.max() - tolerance)[0]) for s in sides]
    return best[1:]


def slow_gini_stump(X, inside, w, min_leaf):
    best, tolerance = None, 1e-10 * w.sum()
    for f, t, left in splits(X):
        if min(left.sum(), (~left).sum()) < min_leaf:
            continue
        impurity = 0.0
        for side in (left, ~left):
            share = (w * inside)[side].sum() / w[side].sum()
            impurity += w[side].sum() * 2 * share * (1 - share)
        if best is None or impurity < best[0] - 2 * tolerance:
            best = impurity, f, t, [2 * (w * inside)[s].sum() > w[s].sum() for s in (left, ~left)]
    return best[1:] if best else (0, np.inf, [2 * (w * inside).sum() > w.sum()] * 2)


def slow_step(cost, M, direction):
    def loss(b):
        return (cost * np.logaddexp(0, M + b[0] * direction)).sum()

    return minimize(loss, 1.0, method="BFGS", tol=1e-10).x[0]


def slow_scores(name, X, y, C, X_test):
    """Return the scores (rounds, n_test, K), from the formulas as they are written."""
    n, K = len(y), len(C)
    one_hot, cost = np.eye(K), C[y]
    gram = (K * np.eye(K) - 1) / (K - 1)
    scores = np.zeros((ROUNDS, len(X_test), K))
    if name == "AdaBoost.MH":
        for k in range(K):
            w, inside, total = np.ones(n) / n, y == k, np.zeros(len(X_test))
            for m in range(ROUNDS):
                f, t, votes = slow_gini_stump(X, inside, w, 7)
                h, h_test = (np.where(Z[:, f] <= t, *votes) for Z in (X, X_test))
                error = w[h != inside].sum() / w.sum()
                a = 1.0 if error == 0 else np.log((1 - error) / error)
                w = w * np.exp(a * (h != inside)) if error else w
                total = total + a * h_test
                scores[m, :, k] = total
        return scores
    M, F, total = np.zeros((n, K)), np.full((n, K), 1 / K), np.zeros((len(X_test), K))
    w, alpha, F_test = np.ones(n) / n, cost.copy(), np.full((len(X_test), K), 1 / K)
    for m in range(ROUNDS):
        wish = {
            "SAMME": one_hot[y] * w[:, None],
            "AdaBoost.M2": -alpha,
            "p-norm": -cost * F**2,
            "Angle AdaBoost": -cost * np.exp(M),
            "Angle LogitBoost": -cost / (1 + np.exp(-M)),
        }[name]
        f, t, sides = slow_label_stump(X, wish)
        label, label_test = (np.where(Z[:, f] <= t, *sides) for Z in (X, X_test))
        if name == "SAMME":
            error = w[label != y].sum() / w.sum()
            a = 1.0 if error == 0 else np.log((1 - error) / error) + np.log(K - 1)
            w = w * np.exp(a * (label != y)) if error else w
            total = total + a * gram[label_test]
        elif name == "AdaBoost.M2":
            h = 2 * one_hot[label] - 1
            alpha = alpha * np.exp(0.5 * (h - h[np.arange(n), y][:, None]) / n)
            total = total + one_hot[label_test]
        elif name == "p-norm":
            F = (1 - 1 / n) * F + one_hot[label] / n
            F_test = (1 - 1 / n) * F_test + one_hot[label_test] / n
            total = F_test
        else:
            share = -wish / -wish.sum()
            error = share[np.arange(n), label].sum()
            if error == 0:
                a = 1.0
            elif name == "Angle AdaBoost":
                a = (K - 1) / K * (np.log((1 - error) / error) - np.log(K - 1))
            else:
                a = slow_step(cost, M, gram[label])
            M = M + a * gram[label]
            total = total + a * gram[label_test]
        scores[m] = total
    return scores
