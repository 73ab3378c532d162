"""The four boosters that the paper compares with. Arguments as in `angle.py`."""

from __future__ import annotations

import numpy as np

from .boosted import Boosted, hypothesis_of, no_weak_rule, normalised
from .population import gram
from .tree import TOLERANCE, grow_tree, label_output, set_output, votes_output


def samme(X, y, c, s, K, n_estimators, learning_rate=1.0, max_leaves=4, *, cost_aware=True) -> Boosted:
    """SAMME (Zhu et al. 2009); `error` is the weighted misclassification rate."""
    G, truth = gram(K), np.eye(K)[y]
    w = normalised(c.mean(axis=1) if cost_aware else s)  # c holds the sample weight already
    F, fit = np.zeros((len(X), K)), Boosted(K)
    for t in range(n_estimators):
        tree = grow_tree(X, truth * w[:, None], "label", max_leaves, row_weights=s)
        hypothesis = hypothesis_of(tree, lambda S, scale=tree.scale: G[label_output(S, scale)])
        g = hypothesis(X)
        missed = g.argmax(axis=1) != y
        error = w[missed].sum()
        if error >= 1 - 1 / K - TOLERANCE:
            no_weak_rule(t)
            break
        capped = max(error, TOLERANCE)
        beta = np.log((1 - capped) / capped) + np.log(K - 1)
        step = learning_rate * beta
        F += step * g
        fit.add(F, tree=tree, hypothesis=hypothesis, beta=beta, step=step, error=error)
        if error < TOLERANCE:
            break
        w = normalised(w * np.where(missed, np.exp(step), 1.0))
    return fit


def adaboost_mh(
    X, y, c, s, K, n_estimators, learning_rate=1.0, max_leaves=4, *, votes="discrete", cost_aware=True, joint=True
) -> Boosted:
    """AdaBoost.MH (Schapire & Singer 1999).

    `error` is (1 - r) / 2, the weighted rate of wrong votes, for discrete votes and Z for real ones. With
    ``joint=False`` each class has an AdaBoost of its own on its column of D, which has total 1 and ends on its own;
    per round `tree`, `beta`, `step` and `error` are then lists over the classes (None and 0 after a class has ended).
    """
    own = np.eye(K, dtype=bool)[y]
    Y = np.where(own, 1.0, -1.0)
    if cost_aware:
        D = np.where(own, c.max(axis=1, keepdims=True), c)
    else:
        D = np.repeat(np.asarray(s, dtype=float)[:, None], K, axis=1)
    smoothing = 1 / (K * np.sum(s))  # not 1 / (K n): weight 2 must equal the row twice
    boost = discrete_mh if votes == "discrete" else real_mh
    if joint:
        return boost(X, Y, D, s, n_estimators, learning_rate, max_leaves, smoothing)
    parts = [boost(X, Y[:, [k]], D[:, [k]], s, n_estimators, learning_rate, max_leaves, smoothing) for k in range(K)]
    return side_by_side(parts)


def discrete_mh(X, Y, D, s, n_estimators, learning_rate, max_leaves, smoothing) -> Boosted:
    """Votes -1 and +1; Y and D have a column per class that is boosted together."""
    D = normalised(D)
    F, fit = np.zeros(Y.shape), Boosted(Y.shape[1])
    for t in range(n_estimators):
        tree = grow_tree(X, D * Y, "votes", max_leaves, row_weights=s)
        hypothesis = hypothesis_of(tree, lambda S, scale=tree.scale: votes_output(S, scale))
        h = hypothesis(X)
        r = (D * Y * h).sum()
        if r <= TOLERANCE:
            no_weak_rule(t)
            break
        capped = min(r, 1 - TOLERANCE)
        beta = 0.5 * np.log((1 + capped) / (1 - capped))
        step = learning_rate * beta
        F += step * h
        fit.add(F, tree=tree, hypothesis=hypothesis, beta=beta, step=step, error=(1 - r) / 2)
        if r >= 1 - TOLERANCE:
            break
        D = normalised(D * np.exp(-step * Y * h))
    return fit


def real_mh(X, Y, D, s, n_estimators, learning_rate, max_leaves, smoothing) -> Boosted:
    """Confidence-rated votes."""
    D = normalised(D)
    F, fit = np.zeros(Y.shape), Boosted(Y.shape[1])
    for t in range(n_estimators):
        weights = D * (Y > 0), D * (Y < 0)
        tree = grow_tree(X, weights, "Z", max_leaves, row_weights=s)
        Z = sum((2 * np.sqrt(tree.sums[leaf][0] * tree.sums[leaf][1])).sum() for leaf in tree.leaves)
        if Z >= 1 - TOLERANCE:
            no_weak_rule(t)
            break
        hypothesis = hypothesis_of(tree, lambda S: 0.5 * np.log((S[0] + smoothing) / (S[1] + smoothing)))
        h = hypothesis(X)
        F += learning_rate * h
        fit.add(F, tree=tree, hypothesis=hypothesis, beta=1.0, step=learning_rate, error=Z)
        if Z < TOLERANCE:
            break
        D = normalised(D * np.exp(-learning_rate * Y * h))
    return fit


def side_by_side(parts: list[Boosted]) -> Boosted:
    """K one-column fits as one fit of K columns; a class that has ended keeps its score."""
    fit = Boosted(len(parts))
    for t in range(max(len(part.rounds) for part in parts)):
        live = [part.rounds[t] if t < len(part.rounds) else None for part in parts]
        scores = np.hstack([part.margins[min(t, len(part.margins) - 1)] for part in parts])
        entry = {key: [part[key] if part else None for part in live] for key in ("tree", "error")}
        entry |= {key: np.array([part[key] if part else 0.0 for part in live]) for key in ("beta", "step")}

        def hypothesis(X, live=live):
            return np.hstack([part["hypothesis"](X) if part else np.zeros((len(X), 1)) for part in live])

        fit.add(scores, hypothesis=hypothesis, **entry)
    return fit


def adaboost_m2(
    X, y, c, s, K, n_estimators, learning_rate=1.0, max_leaves=4, *, hypothesis="set", step=None
) -> Boosted:
    """AdaBoost.M2 (Freund & Schapire 1997); `error` is the pseudo-loss."""
    own, rows = np.eye(K, dtype=bool)[y], np.arange(len(X))
    D = normalised(np.where(own, 0.0, c))
    F, fit = np.zeros((len(X), K)), Boosted(K)
    for t in range(n_estimators):
        A = np.where(own, D.sum(axis=1, keepdims=True), -D)
        tree, rule = label_or_set_rule(X, A, s, max_leaves, hypothesis)
        h = rule(X)
        error = 0.5 * (1 - (A * h).sum())
        if error >= 0.5 - TOLERANCE:
            no_weak_rule(t)
            break
        capped = max(error, TOLERANCE)
        beta = np.log((1 - capped) / capped) if step is None else step
        b = learning_rate * beta
        F += b * h
        fit.add(F, tree=tree, hypothesis=rule, beta=beta, step=b, error=error)
        if error < TOLERANCE and step is None:
            break
        D = normalised(D * np.exp(-0.5 * b * (1 + h[rows, y][:, None] - h)))
    return fit


def pnorm(
    X, y, c, s, K, n_estimators, learning_rate=1.0, max_leaves=4, *, p=3.0, hypothesis="label", step=None
) -> Boosted:
    """p-norm boosting (Lozano & Abe 2008); `error` is the functional sum_ik c[i, k] F[i, k]^p before the round.

    Rounds count from t = 1, so the averaging step 1/(t+1) starts at one half and F is the mean of the uniform start and
    all hypotheses. The learning rate is used only with a fixed step. Only the first hypothesis must beat guessing.
    """
    own = np.eye(K, dtype=bool)[y]
    F, fit = np.full((len(X), K), 1 / K), Boosted(K, start=1 / K)
    for t in range(1, n_estimators + 1):
        alpha = c * F ** (p - 1)
        if hypothesis == "label":
            A = -alpha
        else:
            A = np.where(own, np.where(own, 0.0, alpha).sum(axis=1, keepdims=True), -alpha)
        tree, rule = label_or_set_rule(X, A, s, max_leaves, hypothesis, spread=True)
        if t == 1 and (A * (rule(X) - F)).sum() <= TOLERANCE * np.abs(A).sum():
            no_weak_rule(0)  # no better than the uniform start
        beta = 1 / (t + 1) if step is None else step
        a = beta if step is None else learning_rate * beta
        error = (c * F**p).sum()
        F = (1 - a) * F + a * rule(X)
        fit.add(F, tree=tree, hypothesis=rule, beta=beta, step=a, keep=1 - a, error=error)
    return fit


def label_or_set_rule(X, A, s, max_leaves, kind, spread=False):
    """A tree and its hypothesis X -> (n, K): one class, or a set of classes (as a distribution over it if `spread`)."""
    K = A.shape[1]
    tree = grow_tree(X, A, {"label": "label", "set": "votes"}[kind], max_leaves, row_weights=s)

    def output(sums):
        if kind == "label":
            return np.eye(K)[label_output(sums, tree.scale)]
        chosen = set_output(sums, tree.scale)
        if not spread:
            return chosen
        return chosen / chosen.sum() if chosen.any() else np.full(K, 1 / K)

    return tree, hypothesis_of(tree, output)
