"""Sums on the grid of 52 bits for fits that use one of 31: of leaves, and of what a second look asks for.

The tuple ``closer`` is that of :mod:`csboost.weak.second_look`, the others those of :mod:`csboost.weak.growth`.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.bookkeeping import LEFT, N_NODES, RIGHT
from csboost.weak.channels import HALVES, NEGATED, ONE_HOT, RELATIONAL, SIGNED
from csboost.weak.histogram import BINS, BLOCK
from csboost.weak.splits import leaf_score


@kernel(inner=True)
def add_row(weights, labels, kind, fine_scale, row, home, cells):
    """Add a row's fine weights to the cell at ``home`` of ``cells`` (3, cells * lanes): by class those of all rows,
    those of rows of the class alone, and what the latter weigh in the other classes.
    """
    sums, own, rest = cells[0], cells[1], cells[2]
    if kind == ONE_HOT:
        own[home + np.uintp(labels[row])] += np.floor(weights[row, 0] * fine_scale + 0.5)
        return
    n_classes = weights.shape[1]
    for k in range(n_classes):
        sums[home + np.uintp(k)] += np.floor(weights[row, k] * fine_scale + 0.5)
    if kind != NEGATED:
        truth = np.uintp(labels[row])
        if truth < np.uintp(n_classes):  # a class that is boosted apart has one column, and rows of the rest none
            own[home + truth] += np.floor(weights[row, truth] * fine_scale + 0.5)
        if kind == RELATIONAL:
            total = 0.0
            for k in range(n_classes):
                total += np.floor(weights[row, k] * fine_scale + 0.5) if np.uintp(k) != truth else 0.0
            rest[home + truth] += total


@kernel(inner=True)
def channel_sums(kind, cells, home, n_lanes, out, at):
    """The channel sums of a cell, over all threads' ``cells`` (threads, 3, cells * lanes), into ``out[at]``; the cell
    is left at 0.
    """
    n_classes = n_lanes // 2 if kind == HALVES else n_lanes
    for k in range(n_classes):
        total = own = rest = 0.0
        for thread in range(cells.shape[0]):
            total += cells[thread, 0, home + k]
            own += cells[thread, 1, home + k]
            rest += cells[thread, 2, home + k]
            cells[thread, 0, home + k] = cells[thread, 1, home + k] = cells[thread, 2, home + k] = 0.0
        if kind == HALVES:
            out[at, k], out[at, n_classes + k] = own, total - own
        elif kind == SIGNED:
            out[at, k] = 2.0 * own - total
        elif kind == RELATIONAL:
            out[at, k] = rest - (total - own)
        else:
            out[at, k] = own if kind == ONE_HOT else -total


@kernel(inner=True)
def sum_closely(wanted, data, closer, thread, n_joint, n_slots, n_lanes, first, last):
    """Add the node's rows in blocks ``first .. last - 1`` to the fine histograms of the next close slots."""
    weights, kind, fine_scale = wanted[0], wanted[1], wanted[5]
    codes, labels, rows, spans, blocks = data[0], data[2], data[3], data[4], data[5]
    close, cells, look = closer[1], closer[2][thread], closer[9]
    at_once = cells.shape[1] // (BINS * n_lanes)
    node, done, count = look[0], look[2], min(look[1] - look[2], at_once)
    for block in range(first, last):
        origin, height = block * BLOCK, blocks[block, 0]
        first_code = origin * (n_joint + n_slots) + n_joint * height
        for place in range(spans[node, block, 0], spans[node, block, 1]):
            row = np.intp(rows[place])
            for number in range(count):
                code = np.intp(codes[first_code + close[done + number] * height + row])
                home = np.uintp((number * BINS + code) * n_lanes)
                add_row(weights, labels, kind, fine_scale, np.uintp(origin + row), home, cells)


@kernel(inner=True)
def sum_leaves(wanted, data, cells, n_lanes, first, last):
    """Add the rows of blocks ``first .. last - 1`` to the cells of their leaves."""
    weights, kind, fine_scale, labels, leaf_of_row = wanted[0], wanted[1], wanted[5], data[2], data[6]
    for i in range(first * BLOCK, min(last * BLOCK, weights.shape[0])):
        row = np.uintp(i)  # unsigned: no test for negative indices
        home = np.uintp(leaf_of_row[row]) * np.uintp(n_lanes)
        add_row(weights, labels, kind, fine_scale, row, home, cells)


@kernel(inner=True)
def fold_leaves(nodes, state, kind, rule, cells, n_lanes, node_sums, gained):
    """Channel sums of all nodes into ``node_sums`` from the leaves' ``cells``, and the gains that follow into
    ``gained``.
    """
    leaf = 0
    for node in range(state[N_NODES]):
        if nodes[node, LEFT] < 0:
            channel_sums(kind, cells, leaf * n_lanes, n_lanes, node_sums, node)
            leaf += 1
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
