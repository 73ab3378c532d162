"""Sums on the grid of 52 bits for fits that use one of 31: of leaves, and of what a second look asks for."""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.channels import add_to_cell, take_cell
from csboost.weak.layout import (
    BINS,
    BLOCK,
    HEIGHT,
    LEFT,
    LOOK_DONE,
    LOOK_NODE,
    LOOK_SLOTS,
    N_NODES,
    RIGHT,
    START,
    STOP,
)
from csboost.weak.rules import leaf_score


@kernel(inner=True)
def sum_closely(wanted, data, closer, thread, sizes, first, last):
    """Add the rows of the node under the look in blocks ``first .. last - 1`` to the fine histograms of the next close
    slots.
    """
    codes, spans, close, look, cells = data.codes, data.spans, closer.close, closer.look, closer.cells[thread]
    at_once = cells.shape[1] // (BINS * sizes.n_lanes)
    node, done = look[LOOK_NODE], look[LOOK_DONE]
    count = min(look[LOOK_SLOTS] - done, at_once)
    for block in range(first, last):
        origin, height = block * BLOCK, data.blocks[block, HEIGHT]
        first_code = origin * (sizes.n_joint + sizes.n_slots) + sizes.n_joint * height
        for place in range(spans[node, block, START], spans[node, block, STOP]):
            local = np.intp(data.rows[place])
            row = np.uintp(origin + local)
            for number in range(count):
                code = np.intp(codes[first_code + close[done + number] * height + local])
                home = np.uintp((number * BINS + code) * sizes.n_lanes)
                add_to_cell(wanted.weights, data.labels, wanted.kind, wanted.fine_scale, row, home, cells)


@kernel(inner=True)
def sum_leaves(wanted, data, cells, n_lanes, first, last):
    """Add the rows of blocks ``first .. last - 1`` to the cells of their leaves."""
    weights = wanted.weights
    for i in range(first * BLOCK, min(last * BLOCK, weights.shape[0])):
        row = np.uintp(i)  # unsigned: no test for negative indices
        home = np.uintp(data.leaf_of_row[row]) * np.uintp(n_lanes)
        add_to_cell(weights, data.labels, wanted.kind, wanted.fine_scale, row, home, cells)


@kernel(inner=True)
def fold_leaves(tree, state, closer, kind, rule):
    """Channel sums of all nodes into ``node_sums`` from the leaves' cells, and the gains that follow into the tree."""
    nodes, gained, sums = tree.nodes, tree.gained, closer.node_sums
    leaf, n_lanes = 0, sums.shape[1]
    for node in range(state[N_NODES]):
        if nodes[node, LEFT] < 0:
            take_cell(kind, closer.leaf_cells, leaf * n_lanes, n_lanes, sums, node)
            leaf += 1
    for node in range(state[N_NODES] - 1, -1, -1):  # children come after their parent
        left, right = np.intp(nodes[node, LEFT]), np.intp(nodes[node, RIGHT])
        if left >= 0:
            for lane in range(n_lanes):
                sums[node, lane] = sums[left, lane] + sums[right, lane]
            gained[node] = leaf_score(sums, left, rule) + leaf_score(sums, right, rule)
            gained[node] -= leaf_score(sums, node, rule)


@kernel
def count_codes(codes, blocks, n_joint, n_slots, counts, first, last):
    """Count the codes of each slot in blocks ``first .. last - 1`` into ``counts`` (slots, BINS + 1), one place on."""
    for block in range(first, last):
        height = blocks[block, HEIGHT]
        for slot in range(n_slots):
            column = block * BLOCK * (n_joint + n_slots) + (n_joint + slot) * height
            for i in range(height):
                counts[slot, np.intp(codes[column + i]) + 1] += 1
