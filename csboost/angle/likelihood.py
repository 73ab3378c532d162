"""Kernels of boosting by likelihood: the answer by probabilities, and their move.

The state is the matrix of probabilities itself, one row per sample, with the sample's weight in a last column (0: left
out of this tree). A tree multiplies a row by ``exp`` of its leaf's values and divides it by its sum, so that no ``exp``
is needed per row.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.layout import BLOCK

LEAST = 1e-290  # no probability falls below it


@kernel(inner=True)
def cheapest(shares, matrix, expected):
    """The answer of least expected cost under ``shares`` (K + 1,) and ``matrix`` (K, A), the lowest among ties;
    ``expected`` (A,) is scratch.
    """
    n_classes, n_answers = matrix.shape
    expected[:] = 0.0
    for j in range(n_classes):
        share = shares[j]
        for k in range(n_answers):
            expected[k] += share * matrix[j, k]
    best = 0
    for k in range(1, n_answers):
        best = k if expected[k] < expected[best] else best
    return best


@kernel(inner=True)
def largest(shares, unshift):
    """The class of largest margin when ``shares`` are those of margins shifted by ``-log unshift`` (K,)."""
    best = 0
    for k in range(1, unshift.shape[0]):
        best = k if shares[k] * unshift[k] > shares[best] * unshift[best] else best
    return best


@kernel(allocates=True)
def move(weights, leaf_of_row, factors, held_out_, first, last, partial):
    """Multiply every row's probabilities by the ``factors`` (leaves, K) of its leaf, and make them sum to 1.

    ``partial`` (blocks, 3) takes what is then left to wrong classes in training rows, the log loss of rows held out,
    and what the answers to these cost. ``held_out_`` are labels, weights where held out (else 0), what each answer
    costs (n, A), the cost matrix (K, A) of the Bayes rule and ``unshift`` (n, K): (0, K) where the Bayes rule decides.
    """
    labels, held, costs, matrix, unshift = held_out_
    n_rows, n_classes, expected = weights.shape[0], factors.shape[1], np.empty(matrix.shape[1])
    for block in range(first, last):
        missed = loss = cost = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)
            leaf, total = np.uintp(leaf_of_row[row]), 0.0
            for k in range(n_classes):
                weights[row, np.uintp(k)] *= factors[leaf, np.uintp(k)]
                total += weights[row, np.uintp(k)]
            share = 1.0 / total
            for k in range(n_classes):
                weights[row, np.uintp(k)] = max(weights[row, np.uintp(k)] * share, LEAST)
            own = weights[row, np.uintp(labels[row])]
            if held[row] > 0.0:
                loss -= held[row] * np.log(own)
                by_rule = unshift.shape[0] == 0
                answer = cheapest(weights[i], matrix, expected) if by_rule else largest(weights[i], unshift[i])
                cost += costs[i, answer]
            else:
                missed += weights[row, np.uintp(n_classes)] * (1.0 - own)
        partial[block, 0], partial[block, 1], partial[block, 2] = missed, loss, cost
