"""Adding up the votes of stumps, for the last round or for all rounds at once."""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel

NO_VOTE = -1
"""Marks a leaf that votes for no class."""

_BLOCK = 256  # rows voted on at a time: their scores stay in the fastest cache


@kernel(allocates=True)
def vote_curve(codes, rules, weights, per_round, costs):
    """Sum up the cost of the leading class after each round.

    Parameters
    ----------
    codes : uint8 array of shape (d, n)
        From :func:`bench.published.stump.encode`.
    rules : int64 array of shape (n_rules, 4)
        Feature, code, left and right class (or ``NO_VOTE``) of each stump, ``per_round`` of them per round.
    weights : float64 array of shape (n_rules,)
        What a vote counts.
    per_round : int
        Stumps per round.
    costs : float64 array of shape (K, n)
        Cost of answering each class for each row.

    Returns
    -------
    float64 array of shape (n_rules // per_round,)
        Total over the rows. A row belongs to the class with the highest score, the lowest such class in a tie.
    """
    n_classes, n_rows = costs.shape
    n_rounds = weights.shape[0] // per_round
    curve = np.zeros(n_rounds)
    scores = np.empty((n_classes, _BLOCK))
    top = np.empty(_BLOCK)
    paid = np.empty(_BLOCK)
    for start in range(0, n_rows, _BLOCK):
        stop = min(n_rows, start + _BLOCK)
        scores[:] = 0.0
        for m in range(n_rounds):
            for r in range(m * per_round, (m + 1) * per_round):
                column, cut, weight = codes[rules[r, 0], start:stop], np.uint8(rules[r, 1]), weights[r]
                if rules[r, 2] >= 0:
                    score = scores[rules[r, 2]]
                    for i in range(stop - start):
                        score[i] += weight if column[i] <= cut else 0.0
                if rules[r, 3] >= 0:
                    score = scores[rules[r, 3]]
                    for i in range(stop - start):
                        score[i] += 0.0 if column[i] <= cut else weight
            top[:] = scores[0]
            paid[: stop - start] = costs[0, start:stop]
            for k in range(1, n_classes):
                score, price = scores[k], costs[k, start:stop]
                for i in range(stop - start):
                    # Multiplying by 0 or 1 is exact and, unlike a choice between two loads, runs on vectors.
                    ahead = np.float64(score[i] > top[i])
                    paid[i] = ahead * price[i] + (1.0 - ahead) * paid[i]
                    top[i] = max(top[i], score[i])
            total = 0.0
            for i in range(stop - start):
                total += paid[i]
            curve[m] += total
    return curve


@kernel(allocates=True)
def vote_scores(codes, rules, weights, n_classes):
    """Sum up all votes: scores of shape (K, n); see :func:`vote_curve` for the parameters."""
    n_rows = codes.shape[1]
    scores = np.zeros((n_classes, n_rows))
    for r in range(weights.shape[0]):
        feature, cut = rules[r, 0], rules[r, 1]
        for i in range(n_rows):
            label = rules[r, 2] if codes[feature, i] <= cut else rules[r, 3]
            if label >= 0:
                scores[label, i] += weights[r]
    return scores
