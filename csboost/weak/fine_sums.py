"""Sums on the grid of 52 bits for fits that use one of 31: of leaves, and of what a second look asks for.

The tuple ``closer`` is that of :mod:`csboost.weak.second_look`, the others those of :mod:`csboost.weak.growth`.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.bookkeeping import LEFT, N_NODES, RIGHT
from csboost.weak.channels import HALVES, NEGATED, ONE_HOT, RELATIONAL, SIGNED, write_channels
from csboost.weak.histogram import BINS, BLOCK
from csboost.weak.splits import leaf_score


@kernel(inner=True)
def sum_closely(wanted, data, closer, thread, n_joint, n_slots, n_lanes, n_padded, first, last):
    """Add the node's rows in blocks ``first .. last - 1`` to the fine histograms of the next close slots."""
    weights, kind, fine_scale = wanted[0], wanted[1], wanted[5]
    codes, labels, rows, spans, blocks = data[0], data[2], data[3], data[4], data[5]
    close, values, look, histograms = closer[1], closer[3][thread], closer[9], closer[2][thread]
    at_once = histograms.shape[0] // (BINS * n_lanes)
    node, done, count = look[0], look[2], min(look[1] - look[2], at_once)
    for block in range(first, last):
        start, stop = spans[node, block, 0], spans[node, block, 1]
        origin, height = block * BLOCK, blocks[block, 0]
        first_code = origin * (n_joint + n_slots) + n_joint * height
        for place in range(start, stop):
            row = np.intp(rows[place])
            at = origin + row
            write_channels(weights, labels, kind, fine_scale, values, n_padded, at, at + 1, at)
            for number in range(count):
                code = np.intp(codes[first_code + close[done + number] * height + row])
                cell = (number * BINS + code) * n_lanes
                if kind == ONE_HOT:
                    histograms[cell + np.intp(labels[origin + row])] += values[0]
                else:
                    for lane in range(n_lanes):
                        histograms[cell + lane] += values[lane]


@kernel(inner=True)
def sum_leaves(wanted, data, leaves, n_lanes, first, last):
    """Add the fine weights of blocks ``first .. last - 1`` by leaf and class to ``leaves`` (3, leaves * lanes): of
    all rows, of rows of the class alone, and of what those rows weigh in the other classes.
    """
    weights, kind, fine_scale = wanted[0], wanted[1], wanted[5]
    labels, leaf_of_row, n_classes = data[2], data[6], weights.shape[1]
    sums, own, rest = leaves[0], leaves[1], leaves[2]
    for i in range(first * BLOCK, min(last * BLOCK, weights.shape[0])):
        row = np.uintp(i)  # unsigned: no test for negative indices
        home = np.uintp(leaf_of_row[row]) * np.uintp(n_lanes)
        if kind == ONE_HOT:
            own[home + np.uintp(labels[row])] += np.floor(weights[row, 0] * fine_scale + 0.5)
            continue
        for k in range(n_classes):
            sums[home + np.uintp(k)] += np.floor(weights[row, k] * fine_scale + 0.5)
        if kind != NEGATED:
            truth = np.uintp(labels[row])
            if truth < np.uintp(n_classes):
                own[home + truth] += np.floor(weights[row, truth] * fine_scale + 0.5)
            if kind == RELATIONAL:
                total = 0.0
                for k in range(n_classes):
                    total += np.floor(weights[row, k] * fine_scale + 0.5) if np.uintp(k) != truth else 0.0
                rest[home + truth] += total


@kernel(inner=True)
def fold_leaves(nodes, state, kind, rule, leaves, n_lanes, node_sums, gained):
    """Channel sums of all nodes into ``node_sums`` from the threads' :func:`sum_leaves`, which are left at 0, and the
    gains that follow into ``gained``.
    """
    leaf, n_classes = 0, n_lanes // 2 if kind == HALVES else n_lanes
    for node in range(state[N_NODES]):
        if nodes[node, LEFT] >= 0:
            continue
        for k in range(n_classes):
            at, total, own, rest = leaf * n_lanes + k, 0.0, 0.0, 0.0
            for thread in range(leaves.shape[0]):
                total += leaves[thread, 0, at]
                own += leaves[thread, 1, at]
                rest += leaves[thread, 2, at]
            if kind == HALVES:
                node_sums[node, k], node_sums[node, n_classes + k] = own, total - own
            elif kind == SIGNED:
                node_sums[node, k] = 2.0 * own - total
            elif kind == RELATIONAL:
                node_sums[node, k] = rest - (total - own)
            elif kind == ONE_HOT:
                node_sums[node, k] = own
            else:
                node_sums[node, k] = -total
        leaf += 1
    leaves[:, :, : leaf * n_lanes] = 0.0
    for node in range(state[N_NODES] - 1, -1, -1):  # children come after their parent
        left, right = nodes[node, LEFT], nodes[node, RIGHT]
        if left >= 0:
            for lane in range(n_lanes):
                node_sums[node, lane] = node_sums[left, lane] + node_sums[right, lane]
            gained[node] = leaf_score(node_sums, left, n_lanes, rule) + leaf_score(node_sums, right, n_lanes, rule)
            gained[node] -= leaf_score(node_sums, node, n_lanes, rule)


@kernel
def count_codes(codes, blocks, n_joint, n_slots, counts, first, last):
    """Count the codes of each slot in blocks ``first .. last - 1`` into ``counts`` (slots, BINS + 1), one place on."""
    for block in range(first, last):
        height = blocks[block, 0]
        for slot in range(n_slots):
            column = block * BLOCK * (n_joint + n_slots) + (n_joint + slot) * height
            for i in range(height):
                counts[slot, np.intp(codes[column + i]) + 1] += 1
