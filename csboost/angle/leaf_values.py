"""Kernels of the Newton values of vector leaves: sums of gradients and curvatures per leaf, and the steps they lead to.

Rows are those of the state of :mod:`csboost.angle.vector_steps`, whose last column is a row's weight.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.layout import BLOCK

FULL = 32  # classes up to which a leaf's curvature is the whole matrix; beyond, its diagonal
SHORT = 8  # classes up to which the products of a row take one loop
LONGEST = 4.0  # length of a leaf's values at most
NO_PIVOT = 1e-10  # a curvature below it is none


def sums_per_leaf(n_classes: int) -> int:
    """How many numbers :func:`sum_leaves` keeps per leaf."""
    return n_classes + (n_classes * (n_classes + 1) // 2 if n_classes <= FULL else 2 * n_classes)


@kernel
def sum_leaves(weights, labels, leaf_of_row, first, last, partial):
    """Sums per block and leaf of what :func:`solve_leaves` needs, into ``partial`` (blocks, leaves, numbers).

    The numbers are the weight of each class, then the upper triangle of ``sum w p p'``, whose rows sum to ``sum w p``;
    with many classes ``sum w p`` and ``sum w p^2``.
    """
    n_rows, n_classes = weights.shape[0], weights.shape[1] - 1
    for block in range(first, last):
        found = partial[block]
        found[:] = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            row = np.uintp(i)
            weight = weights[row, np.uintp(n_classes)]
            if weight == 0.0:
                continue
            here = found[np.uintp(leaf_of_row[row])]
            here[np.uintp(labels[row])] += weight
            at = n_classes
            if n_classes <= SHORT:
                add_products(weights, row, weight, here)
            elif n_classes <= FULL:
                for k in range(n_classes):
                    share = weight * weights[row, np.uintp(k)]
                    for j in range(k, n_classes):
                        here[np.uintp(at + j - k)] += share * weights[row, np.uintp(j)]
                    at += n_classes - k
            else:
                for k in range(n_classes):
                    share = weights[row, np.uintp(k)]
                    here[np.uintp(at + k)] += weight * share
                    here[np.uintp(at + n_classes + k)] += weight * share * share


@kernel(inner=True)
def add_products(weights, row, weight, here):
    """The products of every two of few classes, in one loop: a loop for each row of the triangle, of which vectors are
    made, takes 1.3 to 1.8 times as long with three to seven classes, and less with twenty.
    """
    n_classes = np.uintp(weights.shape[1] - 1)
    k = j = np.uintp(0)
    share = weight * weights[row, k]
    for at in range(weights.shape[1] - 1, here.shape[0]):
        here[np.uintp(at)] += share * weights[row, j]
        j += np.uintp(1)
        if j == n_classes:
            k += np.uintp(1)
            j, share = k, weight * weights[row, k]


@kernel(allocates=True)
def solve_leaves(partial, reg, values):
    """The Newton values (leaves, K) of the leaves: ``(H + reg I)^-1 G`` less its mean, no longer than :data:`LONGEST`;
    blocks are added up in their order.
    """
    n_classes = values.shape[1]
    totals, matrix, vector = np.empty(partial.shape[2]), np.empty((n_classes, n_classes)), np.empty(n_classes)
    for leaf in range(values.shape[0]):
        totals[:] = 0.0
        for block in range(partial.shape[0]):
            for number in range(totals.shape[0]):
                totals[number] += partial[block, leaf, number]
        if n_classes <= FULL:
            at = n_classes
            for k in range(n_classes):
                for j in range(k, n_classes):
                    matrix[k, j] = matrix[j, k] = -totals[at + j - k]
                at += n_classes - k
            for k in range(n_classes):
                share = 0.0
                for j in range(n_classes):
                    share -= matrix[k, j]
                vector[k] = totals[k] - share
                matrix[k, k] += share + reg
            solve_positive(matrix, vector)
        else:
            for k in range(n_classes):
                share = totals[n_classes + k]
                vector[k] = totals[k] - share
                matrix[0, k] = share - totals[2 * n_classes + k] + reg
            solve_diagonal(matrix[0], vector)
        shorten(vector, values[leaf])


@kernel(allocates=True)
def solve_leaf_diagonals(partial, reg, values):
    """As :func:`solve_leaves` for sums of gradients and of a diagonal curvature, (blocks, leaves, 2K)."""
    n_classes = values.shape[1]
    curvature, vector = np.empty(n_classes), np.empty(n_classes)
    for leaf in range(values.shape[0]):
        curvature[:] = 0.0
        vector[:] = 0.0
        for block in range(partial.shape[0]):
            for k in range(n_classes):
                vector[k] += partial[block, leaf, k]
                curvature[k] += partial[block, leaf, n_classes + k]
        for k in range(n_classes):
            curvature[k] += reg
        solve_diagonal(curvature, vector)
        shorten(vector, values[leaf])


@kernel(inner=True)
def solve_positive(matrix, vector):
    """Solve a symmetric, positive system in place by elimination; the lower triangle is not read."""
    n = vector.shape[0]
    for a in range(n):
        pivot = max(matrix[a, a], NO_PIVOT)
        for b in range(a + 1, n):
            ratio = matrix[a, b] / pivot
            for c in range(b, n):
                matrix[b, c] -= ratio * matrix[a, c]
            vector[b] -= ratio * vector[a]
    for a in range(n - 1, -1, -1):
        for b in range(a + 1, n):
            vector[a] -= matrix[a, b] * vector[b]
        vector[a] /= max(matrix[a, a], NO_PIVOT)


@kernel(inner=True)
def solve_diagonal(curvature, vector):
    """The vector of sum 0 that minimises ``v' diag(curvature) v / 2 - g' v``, in place of ``g``."""
    of_gradients = of_ones = 0.0
    for k in range(vector.shape[0]):
        curvature[k] = max(curvature[k], NO_PIVOT)
        of_gradients += vector[k] / curvature[k]
        of_ones += 1.0 / curvature[k]
    for k in range(vector.shape[0]):
        vector[k] = (vector[k] - of_gradients / of_ones) / curvature[k]


@kernel(inner=True)
def shorten(vector, values):
    """Write ``vector`` less its mean, no longer than :data:`LONGEST`, into ``values``."""
    n = vector.shape[0]
    mean = square = 0.0
    for k in range(n):
        mean += vector[k]
    mean /= n
    for k in range(n):
        values[k] = vector[k] - mean
        square += values[k] * values[k]
    if square > LONGEST * LONGEST:
        factor = LONGEST / np.sqrt(square)
        for k in range(n):
            values[k] *= factor


@kernel
def sum_leaf_gradients(weights, leaf_of_row, first, last, partial):
    """Sums per block and leaf of gradients and curvatures, the columns of ``weights`` (n, 2K + 1) but the last, over
    rows for which that one is positive.
    """
    n_rows, n_lanes = weights.shape[0], weights.shape[1] - 1
    for block in range(first, last):
        found = partial[block]
        found[:] = 0.0
        for i in range(block * BLOCK, min((block + 1) * BLOCK, n_rows)):
            if weights[i, n_lanes] > 0.0:
                here = found[np.uintp(leaf_of_row[np.uintp(i)])]
                for lane in range(n_lanes):
                    here[lane] += weights[i, lane]
