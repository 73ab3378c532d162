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
def find_nodes(columns, trees, m, count, nodes):
    """Write the leaf node of every row of the chunk in the tree of round ``m`` into ``nodes`` (CHUNK,) int32; places
    beyond ``count`` get some leaf node too, so that loops may run over whole chunks.
    """
    feature, left, right, threshold, missing_left, depth, n_leaves = trees
    if n_leaves[m] > MANY_LEAVES:
        for i in range(count):
            node = 0
            for _ in range(depth[m]):
                x = columns[feature[m, node] if left[m, node] != node else 0, i]
                go_left = missing_left[m, node] if np.isnan(x) else x <= threshold[m, node]
                node = left[m, node] if go_left else right[m, node]
            nodes[i] = node
        for i in range(count, CHUNK):
            nodes[i] = nodes[0]
        return
    for i in range(CHUNK):
        nodes[i] = 0
    for node in range(2 * n_leaves[m] - 1):
        if left[m, node] != node:
            column, cut, here = columns[feature[m, node]], threshold[m, node], np.int32(node)
            if missing_left[m, node]:  # a comparison with NaN is false: ask the question that sends it left
                yes, no = right[m, node], left[m, node]
                for i in range(CHUNK):
                    nodes[i] = (yes if column[i] > cut else no) if nodes[i] == here else nodes[i]
            else:
                yes, no = left[m, node], right[m, node]
                for i in range(CHUNK):
                    nodes[i] = (yes if column[i] <= cut else no) if nodes[i] == here else nodes[i]


@kernel(inner=True)
def finish_chunk(sums, finish, start, count, scores, answers):
    """Write a chunk's final scores, and the class of largest score (the lowest among ties), where arrays for them are
    given: ``scores`` (n, K) or (0, K), ``answers`` (n,) or (0,).

    ``finish`` holds four numbers: score = factor * (times * sum - share) / over.
    """
    factor, times, share, over = finish
    for k in range(sums.shape[0]):
        part = sums[k]
        for i in range(count):
            part[i] = factor * (times * part[i] - share) / over
    if scores.shape[0] > 0:
        for i in range(count):
            for k in range(sums.shape[0]):
                scores[np.uintp(start + i), np.uintp(k)] = sums[np.uintp(k), np.uintp(i)]
    if answers.shape[0] > 0:
        here, top = answers[start : start + count], sums[0]
        for k in range(1, sums.shape[0]):
            part = sums[k]
            for i in range(count):
                here[i] = k if part[i] > top[i] else here[i]
                top[i] = max(top[i], part[i])


@kernel
def apply_tree(flat, row_step, column_step, used, trees, scratch, m, out):
    """Leaf numbers (n,) of all rows in the tree of round ``m``.

    ``scratch`` of a thread: ``columns`` (used, CHUNK), ``nodes`` (CHUNK,).
    """
    (columns, nodes), number = scratch, trees[0]
    for start in range(0, out.shape[0], CHUNK):
        count = min(CHUNK, out.shape[0] - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        find_nodes(columns, trees, m, count, nodes)
        for i in range(count):
            out[start + i] = number[m, np.uintp(nodes[i])]


@kernel
def score_outputs(
    flat, row_step, column_step, used, trees, scratch, outputs, weights, first, last, sums, start_score, finish,
    scores, answers,
):  # fmt: skip
    """Scores and answers (see :func:`finish_chunk`) of rows ``first .. last - 1``: ``start_score``, and each tree's
    coefficient times what its leaf adds, ``outputs`` (trees, leaves, K).

    ``sums`` (K, CHUNK) is scratch: a chunk's scores stay in the cache until all trees are through.
    """
    (columns, nodes), number = scratch, trees[0]
    for start in range(first, last, CHUNK):
        count = min(CHUNK, last - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        sums[:] = start_score
        for m in range(weights.shape[0]):
            find_nodes(columns, trees, m, count, nodes)
            for i in range(CHUNK):
                nodes[i] = number[m, np.uintp(nodes[i])]
            for k in range(sums.shape[0]):
                part = sums[k]
                for i in range(CHUNK):
                    part[i] += weights[m] * outputs[m, np.uintp(nodes[i]), k]
        finish_chunk(sums, finish, start, count, scores, answers)


@kernel
def score_labels(
    flat, row_step, column_step, used, trees, scratch, labels, weights, first, last, sums, start_score, finish,
    scores, answers,
):  # fmt: skip
    """As :func:`score_outputs` when a leaf adds to one class alone: ``labels`` (trees, nodes), by node."""
    columns, nodes = scratch
    for start in range(first, last, CHUNK):
        count = min(CHUNK, last - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        sums[:] = start_score
        for m in range(weights.shape[0]):
            find_nodes(columns, trees, m, count, nodes)
            for i in range(count):
                sums[np.uintp(labels[m, np.uintp(nodes[i])]), np.uintp(i)] += weights[m]
        finish_chunk(sums, finish, start, count, scores, answers)


@kernel
def stage_costs(
    flat, row_step, column_step, used, trees, scratch, outputs, trees_per_round, costs, start_score, sums, best, staged
):
    """Add to ``staged`` (rounds,) the cost of the answer after each round; ``costs`` (n, K) per row and answer.

    ``outputs`` (trees, K, leaves) are already multiplied by the coefficients; ``sums`` (K + 1, CHUNK) and ``best``
    (CHUNK,) are scratch.
    """
    n_rows, n_classes = costs.shape
    (columns, nodes), number = scratch, trees[0]
    top = sums[n_classes]
    for start in range(0, n_rows, CHUNK):
        count = min(CHUNK, n_rows - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        sums[:] = start_score
        for m in range(outputs.shape[0]):
            find_nodes(columns, trees, m, count, nodes)
            for i in range(CHUNK):
                nodes[i] = number[m, np.uintp(nodes[i])]
                top[i], best[i] = -np.inf, 0
            for k in range(n_classes):
                part, of_leaf = sums[k], outputs[m, k]
                for i in range(CHUNK):
                    part[i] += of_leaf[np.uintp(nodes[i])]
                for i in range(CHUNK):
                    best[i] = k if part[i] > top[i] else best[i]
                    top[i] = max(top[i], part[i])
            if (m + 1) % trees_per_round == 0:
                total = 0.0
                for i in range(count):
                    total += costs[np.uintp(start + i), np.uintp(best[i])]
                staged[m // trees_per_round] += total


@kernel
def stage_label_costs(flat, row_step, column_step, used, trees, scratch, labels, weights, costs, sums, best, staged):
    """As :func:`stage_costs` when a leaf adds to one class alone, and never less than 0: only that class can overtake
    the best. ``labels`` (trees, nodes), by node.
    """
    n_rows = costs.shape[0]
    columns, nodes = scratch
    for start in range(0, n_rows, CHUNK):
        count = min(CHUNK, n_rows - start)
        load_chunk(flat, row_step, column_step, start, count, used, columns)
        sums[:] = 0.0
        best[:] = 0
        for m in range(weights.shape[0]):
            find_nodes(columns, trees, m, count, nodes)
            total = 0.0
            for i in range(count):
                row, answer = np.uintp(i), labels[m, np.uintp(nodes[i])]
                sums[np.uintp(answer), row] += weights[m]
                ahead = sums[np.uintp(answer), row] - sums[np.uintp(best[row]), row]
                if ahead > 0.0 or (ahead == 0.0 and answer < best[row]):
                    best[row] = answer
                total += costs[np.uintp(start + i), np.uintp(best[row])]
            staged[m] += total
