"""Kernels that lead rows of raw floats to their leaves.

A chunk of rows goes through one tree at a time. The features that the trees use are first copied column by column, so
that a small tree is a handful of vector comparisons over the whole chunk, one per split; a tree with many leaves is
walked row by row, always to its full depth, since a leaf leads to itself.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel

CHUNK = 256  # rows: their columns stay in the first two cache levels
MANY_LEAVES = 16  # beyond, walking a row down beats comparing it with every split


@kernel(inner=True)
def load_chunk(flat, row_step, column_step, start, count, used, columns):
    """Copy the ``used`` features of rows ``start .. start + count - 1`` into ``columns`` (used, CHUNK)."""
    for j in range(used.shape[0]):
        source, step = start * row_step + used[j] * column_step, np.uintp(row_step)
        column = columns[j]
        for i in range(count):
            column[i] = flat[np.uintp(source) + np.uintp(i) * step]


@kernel(inner=True)
def find_leaves(columns, trees, m, count, leaves):
    """Write the leaf number of every row of the chunk in the tree of round ``m`` into ``leaves`` (CHUNK,) int32."""
    feature, left, right, threshold, missing_left, depth, n_leaves = trees
    nodes = 2 * n_leaves[m] - 1
    for i in range(CHUNK):
        leaves[i] = 0
    if n_leaves[m] > MANY_LEAVES:
        for i in range(count):
            node = 0
            for _ in range(depth[m]):
                x = columns[feature[m, node] if left[m, node] != node else 0, i]
                go_left = missing_left[m, node] if np.isnan(x) else x <= threshold[m, node]
                node = left[m, node] if go_left else right[m, node]
            leaves[i] = node
    else:
        for node in range(nodes):
            if left[m, node] != node:
                column, cut, here = columns[feature[m, node]], threshold[m, node], np.int32(node)
                if missing_left[m, node]:
                    yes, no = (
                        right[m, node],
                        left[m, node],
                    )  # a comparison with NaN is false: ask the question that sends it left
                    for i in range(CHUNK):
                        leaves[i] = (yes if column[i] > cut else no) if leaves[i] == here else leaves[i]
                else:
                    yes, no = left[m, node], right[m, node]
                    for i in range(CHUNK):
                        leaves[i] = (yes if column[i] <= cut else no) if leaves[i] == here else leaves[i]
    for i in range(count):
        leaves[i] = feature[m, np.uintp(leaves[i])]
    for i in range(count, CHUNK):  # places without a row: any leaf will do, a node's number would not
        leaves[i] = 0


@kernel
def apply_tree(flat, row_step, column_step, used, trees, scratch, m, out):
    """Leaf numbers (n,) of all rows in the tree of round ``m``.

    ``scratch`` of a thread: ``columns`` (used, CHUNK), ``leaves`` (CHUNK,).
    """
    columns, leaves = scratch
    for start in range(0, out.shape[0], CHUNK):
        count = min(CHUNK, out.shape[0] - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        find_leaves(columns, trees, m, count, leaves)
        for i in range(count):
            out[start + i] = leaves[i]


@kernel
def add_outputs(flat, row_step, column_step, used, trees, scratch, outputs, weights, first, last, scores):
    """Add to ``scores`` (K, n), for rows ``first .. last - 1``, each tree's coefficient times what its leaf adds:
    ``outputs`` (trees, leaves, K).
    """
    (columns, leaves), n_classes = scratch, scores.shape[0]
    for start in range(first, last, CHUNK):
        count = min(CHUNK, last - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        for m in range(weights.shape[0]):
            find_leaves(columns, trees, m, count, leaves)
            for k in range(n_classes):
                part = scores[k, start : start + count]
                for i in range(count):
                    part[i] += weights[m] * outputs[m, np.uintp(leaves[i]), k]


@kernel
def add_labels(flat, row_step, column_step, used, trees, scratch, outputs, weights, first, last, scores):
    """As :func:`add_outputs` when a leaf adds to one class alone: ``outputs`` (trees, leaves) of int."""
    columns, leaves = scratch
    for start in range(first, last, CHUNK):
        count = min(CHUNK, last - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        for m in range(weights.shape[0]):
            find_leaves(columns, trees, m, count, leaves)
            for i in range(count):
                scores[np.uintp(outputs[m, np.uintp(leaves[i])]), np.uintp(start + i)] += weights[m]


@kernel
def stage_costs(
    flat, row_step, column_step, used, trees, scratch, outputs, trees_per_round, costs, start_score, sums, best, staged
):
    """Add to ``staged`` (rounds,) the cost of the answer after each round; ``costs`` (n, K) per row and answer.

    ``outputs`` (trees, K, leaves) are already multiplied by the coefficients; ``sums`` (K + 1, CHUNK) and ``best``
    (CHUNK,) are scratch.
    """
    n_rows, n_classes = costs.shape
    columns, leaves = scratch
    top = sums[n_classes]
    for start in range(0, n_rows, CHUNK):
        count = min(CHUNK, n_rows - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        for k in range(n_classes):
            for i in range(CHUNK):
                sums[k, i] = start_score
        for m in range(outputs.shape[0]):
            find_leaves(columns, trees, m, count, leaves)
            for i in range(CHUNK):
                top[i], best[i] = -np.inf, 0
            for k in range(n_classes):
                part, of_leaf = sums[k], outputs[m, k]
                for i in range(CHUNK):
                    part[i] += of_leaf[np.uintp(leaves[i])]
                for i in range(CHUNK):
                    best[i] = k if part[i] > top[i] else best[i]
                    top[i] = max(top[i], part[i])
            if (m + 1) % trees_per_round == 0:
                total = 0.0
                for i in range(count):
                    total += costs[np.uintp(start + i), np.uintp(best[i])]
                staged[m // trees_per_round] += total


@kernel
def stage_label_costs(flat, row_step, column_step, used, trees, scratch, outputs, weights, costs, sums, best, staged):
    """As :func:`stage_costs` when a leaf adds to one class alone, and never less than 0: only that class can overtake
    the best. ``outputs`` (trees, leaves) of int.
    """
    n_rows = costs.shape[0]
    columns, leaves = scratch
    for start in range(0, n_rows, CHUNK):
        count = min(CHUNK, n_rows - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        sums[:] = 0.0
        best[:] = 0
        for m in range(weights.shape[0]):
            find_leaves(columns, trees, m, count, leaves)
            total = 0.0
            for i in range(count):
                row, answer = np.uintp(i), outputs[m, np.uintp(leaves[i])]
                sums[np.uintp(answer), row] += weights[m]
                ahead = sums[np.uintp(answer), row] - sums[np.uintp(best[row]), row]
                if ahead > 0.0 or (ahead == 0.0 and answer < best[row]):
                    best[row] = answer
                total += costs[np.uintp(start + i), np.uintp(best[row])]
            staged[m] += total
