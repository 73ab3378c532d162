"""Kernels that lead rows of raw floats to their leaves.

A chunk of rows goes through one tree at a time. The features that the trees use are first copied column by column, so
that a small tree is a handful of vector comparisons over the whole chunk, one per split; a tree with many leaves is
walked row by row, always to its full depth, since a leaf leads to itself.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.code_sets import code_of, in_set
from csboost.weak.layout import Finish, Matrix, Packed, Scratch

CHUNK = 256  # rows: their columns stay in the first two cache levels
MANY_LEAVES = 16  # beyond, walking a row down beats comparing it with every split


@kernel(inner=True)
def load_chunk(matrix, used, start, count, columns):
    """Copy the ``used`` features of rows ``start .. start + count - 1`` into ``columns`` (used, CHUNK)."""
    flat = matrix.flat
    for j in range(used.shape[0]):
        source, step = start * matrix.row_step + used[j] * matrix.column_step, np.uintp(matrix.row_step)
        column = columns[j]
        for i in range(count):
            column[i] = flat[np.uintp(source) + np.uintp(i) * step]


@kernel(inner=True)
def find_nodes(columns, trees, m, count, nodes):
    """Write the leaf node of every row of the chunk in the tree of round ``m`` into ``nodes`` (CHUNK,) int32; places
    beyond ``count`` get some leaf node too, so that loops may run over whole chunks.
    """
    descend(columns, trees, trees.sets, m, count, nodes)


@kernel(inner=True)
def descend(columns, trees, sets, m, count, nodes):
    """:func:`find_nodes`; the code for ``sets`` is left out where they are None."""
    feature, left, right, threshold = trees.feature, trees.left, trees.right, trees.threshold
    missing_left, depth, n_leaves = trees.missing_left, trees.depth, trees.n_leaves
    if n_leaves[m] > MANY_LEAVES:
        for i in range(count):
            node = 0
            for _ in range(depth[m]):
                x = columns[feature[m, node] if left[m, node] != node else 0, i]
                go_left = missing_left[m, node] if np.isnan(x) else x <= threshold[m, node]
                if sets is not None:
                    go_left = goes_left(sets, m, node, x, go_left)
                node = left[m, node] if go_left else right[m, node]
            nodes[i] = node
        for i in range(count, CHUNK):
            nodes[i] = nodes[0]
        return
    for i in range(CHUNK):
        nodes[i] = 0
    for node in range(2 * n_leaves[m] - 1):
        by_set = False
        if sets is not None and left[m, node] != node:
            by_set = split_by_set(sets, columns, trees, m, node, nodes)
        if left[m, node] != node and not by_set:
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
def begin_sums(sums, start):
    """Set the sums of every class (K, or more, CHUNK) to what they ``start`` (K,) with."""
    for k in range(start.shape[0]):
        sums[k] = start[k]


@kernel(inner=True)
def goes_left(sets, m, node, x, otherwise):
    """Whether a split by a set sends ``x`` left, and what is true ``otherwise``."""
    is_set, chosen = sets
    return in_set(chosen[m, node], code_of(x)) if is_set[m, node] else otherwise


@kernel(inner=True)
def split_by_set(sets, columns, trees, m, node, nodes):
    """Lead the rows of the chunk that are at a split by a set on to its children; returns whether it is one."""
    is_set, chosen = sets
    if is_set[m, node]:
        column, chosen_here = columns[trees.feature[m, node]], chosen[m, node]
        left, right = trees.left[m, node], trees.right[m, node]
        for i in range(CHUNK):
            if nodes[i] == node:
                nodes[i] = left if in_set(chosen_here, code_of(column[i])) else right
    return is_set[m, node]


@kernel(inner=True)
def finish_chunk(sums, finish, start, count, into):
    """Write a chunk's final scores, and the class of largest score (the lowest among ties), where arrays for them are
    given: ``into`` are scores (n, K) or (0, K), and answers (n,) or (0,).
    """
    scores, answers = into
    for k in range(sums.shape[0]):
        part = sums[k]
        for i in range(count):
            part[i] = finish.factor * (finish.times * part[i] - finish.share) / finish.over
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
def apply_tree(matrix_, trees_, scratch_, m, out):
    """Leaf numbers (n,) of all rows in the tree of round ``m``."""
    matrix, trees, scratch = Matrix(*matrix_), Packed(*trees_), Scratch(*scratch_)
    nodes = scratch.nodes
    for start in range(0, out.shape[0], CHUNK):
        count = min(CHUNK, out.shape[0] - start)
        load_chunk(matrix, trees.used, start, count, scratch.columns)
        find_nodes(scratch.columns, trees, m, count, nodes)
        for i in range(count):
            out[start + i] = trees.feature[m, np.uintp(nodes[i])]


@kernel
def score_outputs(matrix_, trees_, scratch_, outputs, weights, first, last, sums, finish_, into):
    """Scores and answers (see :func:`finish_chunk`) of rows ``first .. last - 1``: the start, and each tree's
    coefficient times what its leaf adds, ``outputs`` (trees, leaves, K).

    ``sums`` (K, CHUNK) is scratch: a chunk's scores stay in the cache until all trees are through.
    """
    matrix, trees, scratch, finish = Matrix(*matrix_), Packed(*trees_), Scratch(*scratch_), Finish(*finish_)
    nodes = scratch.nodes
    for start in range(first, last, CHUNK):
        count = min(CHUNK, last - start)
        load_chunk(matrix, trees.used, start, count, scratch.columns)
        begin_sums(sums, finish.start)
        for m in range(weights.shape[0]):
            find_nodes(scratch.columns, trees, m, count, nodes)
            for i in range(CHUNK):
                nodes[i] = trees.feature[m, np.uintp(nodes[i])]
            for k in range(sums.shape[0]):
                part = sums[k]
                for i in range(CHUNK):
                    part[i] += weights[m] * outputs[m, np.uintp(nodes[i]), k]
        finish_chunk(sums, finish, start, count, into)


@kernel
def score_labels(matrix_, trees_, scratch_, labels, weights, first, last, sums, finish_, into):
    """As :func:`score_outputs` when a leaf adds to one class alone: ``labels`` (trees, nodes), by node."""
    matrix, trees, scratch, finish = Matrix(*matrix_), Packed(*trees_), Scratch(*scratch_), Finish(*finish_)
    nodes = scratch.nodes
    for start in range(first, last, CHUNK):
        count = min(CHUNK, last - start)
        load_chunk(matrix, trees.used, start, count, scratch.columns)
        begin_sums(sums, finish.start)
        for m in range(weights.shape[0]):
            find_nodes(scratch.columns, trees, m, count, nodes)
            for i in range(count):
                sums[np.uintp(labels[m, np.uintp(nodes[i])]), np.uintp(i)] += weights[m]
        finish_chunk(sums, finish, start, count, into)


@kernel
def stage_costs(matrix_, trees_, scratch_, outputs, trees_per_round, costs, start_scores, sums, best, staged):
    """Add to ``staged`` (rounds,) the cost of the answer after each round; ``costs`` (n, K) per row and answer.

    ``outputs`` (trees, K, leaves) are already multiplied by the coefficients; ``sums`` (K + 1, CHUNK) and ``best``
    (CHUNK,) are scratch.
    """
    matrix, trees, scratch = Matrix(*matrix_), Packed(*trees_), Scratch(*scratch_)
    (n_rows, n_classes), nodes = costs.shape, scratch.nodes
    top = sums[n_classes]
    for start in range(0, n_rows, CHUNK):
        count = min(CHUNK, n_rows - start)
        load_chunk(matrix, trees.used, start, count, scratch.columns)
        begin_sums(sums, start_scores)
        for m in range(outputs.shape[0]):
            find_nodes(scratch.columns, trees, m, count, nodes)
            for i in range(CHUNK):
                nodes[i] = trees.feature[m, np.uintp(nodes[i])]
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
def stage_label_costs(matrix_, trees_, scratch_, labels, weights, costs, sums, best, staged):
    """As :func:`stage_costs` when a leaf adds to one class alone, and never less than 0: only that class can overtake
    the best. ``labels`` (trees, nodes), by node.
    """
    matrix, trees, scratch = Matrix(*matrix_), Packed(*trees_), Scratch(*scratch_)
    n_rows, nodes = costs.shape[0], scratch.nodes
    for start in range(0, n_rows, CHUNK):
        count = min(CHUNK, n_rows - start)
        load_chunk(matrix, trees.used, start, count, scratch.columns)
        sums[:] = 0.0
        best[:] = 0
        for m in range(weights.shape[0]):
            find_nodes(scratch.columns, trees, m, count, nodes)
            total = 0.0
            for i in range(count):
                row, answer = np.uintp(i), labels[m, np.uintp(nodes[i])]
                sums[np.uintp(answer), row] += weights[m]
                ahead = sums[np.uintp(answer), row] - sums[np.uintp(best[row]), row]
                if ahead > 0.0 or (ahead == 0.0 and answer < best[row]):
                    best[row] = answer
                total += costs[np.uintp(start + i), np.uintp(best[row])]
            staged[m] += total
