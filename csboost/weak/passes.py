"""The passes of a growing tree: what reads and writes rows, for a range of row blocks or of groups of features.

Blocks meet in histograms, in sums and in the counts of ``Data.blocks`` alone, so rows need not sit in one array.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.channels import has_one_channel, write_channels
from csboost.weak.derivatives import write_derivatives
from csboost.weak.fine_sums import sum_closely, sum_leaves
from csboost.weak.histogram import sizes_of, subtract_group, sum_group
from csboost.weak.layout import (
    ASSIGN,
    BINS,
    BLOCK,
    HAS_CATEGORY,
    HAS_MISSING,
    HEIGHT,
    HOME,
    IS_CATEGORY,
    LEFT,
    LEFT_MASS,
    LEFT_ROWS,
    MISSING,
    MISSING_ROWS,
    MOST_BINS,
    N_NODES,
    NODE,
    NUMBER,
    PARTITION,
    PHASE,
    ROWS,
    SCAN,
    SIBLING,
    SPLIT_CUT,
    SPLIT_LEFT,
    SPLIT_SLOT,
    START,
    STOP,
    WRITE,
    Spot,
)
from csboost.weak.rules import node_score
from csboost.weak.seeking import part_by_set, seek_group
from csboost.weak.single_codes import part_by_code, scan_codes
from csboost.weak.splits import scan_group, sum_left


@kernel(inner=True)
def run_pass(wanted, tree, data, layout, work, closer, settings, seek, part, group):
    """The pass that ``state`` asks for, over blocks (or groups of features) ``part.first .. part.last - 1``; summing
    many rows is apart (:mod:`csboost.weak.staged`).
    """
    first, last, phase = part.first, part.last, work.state[PHASE]
    sizes = sizes_of(layout.slots.shape[0], work, settings)
    if phase == WRITE:
        for block in range(first, last):
            write_block(wanted, data, sizes.n_padded, seek, block)
        gather_root(data, first, last)
    elif phase == PARTITION:
        node, left = work.state[NODE], work.state[N_NODES]
        among = node, left
        partition(data, work.splits, work.spare[part.thread], sizes, layout.slots, seek, among, first, last)
    elif phase == SCAN:
        scan_groups(wanted, tree, data, layout, work, settings, seek, (first, last), group)
    elif phase == ASSIGN:
        assign_leaves(tree.nodes, data, work.state, first, last)
        if closer is not None:
            sum_leaves(wanted, data, closer.leaf_cells[part.thread], sizes.n_lanes, first, last)
    elif closer is not None:
        sum_closely(wanted, data, closer, part.thread, sizes, first, last)


@kernel(inner=True)
def write_block(wanted, data, n_padded, seek, block):
    """Write the channels of a block's rows to the grid."""
    start, stop = block * BLOCK, block * BLOCK + data.blocks[block, HEIGHT]
    before = (data.blocks[block, NUMBER] - block) * BLOCK
    if seek is not None:
        write_derivatives(wanted, data, n_padded, start, stop, before)
    else:
        scale, grid = wanted.scale, data.channels
        write_channels(wanted.weights, data.labels, wanted.kind, scale, grid, n_padded, start, stop, before)


@kernel(inner=True)
def gather_root(data, first, last):
    """Give all rows of blocks ``first .. last - 1`` to the root, and count them as if they had gone left."""
    for block in range(first, last):
        start, height = block * BLOCK, data.blocks[block, HEIGHT]
        rows = data.rows[start : start + height]
        for i in range(height):
            rows[i] = i
        data.spans[0, block, START], data.spans[0, block, STOP] = start, start + height
        data.blocks[block, LEFT_ROWS], data.blocks[block, MISSING_ROWS] = height, 0
        data.blocks[block, LEFT_MASS] = mass_of(data, block, start, start + height)


@kernel(inner=True)
def mass_of(data, block, start, stop):
    """The mass of the rows ``start .. stop - 1`` of a block in the order of nodes: their number where all weigh the
    same.
    """
    if data.masses.shape[0] == 0:
        return stop - start
    mass = 0
    for place in range(start, stop):
        mass += data.masses[block * BLOCK + np.intp(data.rows[place])]
    return mass


@kernel(inner=True)
def partition(data, splits, spare, sizes, slots, seek, among, first, last):
    """Split a node's rows in blocks ``first .. last - 1`` between the nodes ``left`` and ``left + 1``, stably and in
    place; count the left and the missing ones, and add up the masses of the left ones. ``among`` is ``(node, left)``.
    """
    node, left = among
    slot, cut, missing_left = splits[node, SPLIT_SLOT], splits[node, SPLIT_CUT], splits[node, SPLIT_LEFT] != 0
    codes, rows, spans, blocks = data.codes, data.rows, data.spans, data.blocks
    for block in range(first, last):
        column = block * BLOCK * (sizes.n_joint + sizes.n_slots) + (sizes.n_joint + slot) * blocks[block, HEIGHT]
        start, stop = spans[node, block, START], spans[node, block, STOP]
        here, away, missing, begin = start, 0, 0, start
        if seek is not None and seek.is_category[slot]:
            here, away = part_by_set(codes, column, (rows, start, stop), spare, seek.sets[node])
            begin = stop
        elif seek is None and slots[slot, IS_CATEGORY] != 0:
            here, away, missing = part_by_code(codes, column, (rows, start, stop), spare, cut)
            begin = stop
        for place in range(begin, stop):  # without a branch: every row is written to both sides
            row = rows[place]
            code = codes[column + np.intp(row)]
            lost = code == MISSING
            goes_left = (code <= cut) | (lost & missing_left)
            rows[here] = row
            spare[away] = row
            here += goes_left
            away += not goes_left
            missing += lost
        for i in range(away):
            rows[here + i] = spare[i]
        spans[left, block, START], spans[left, block, STOP] = start, here
        spans[left + 1, block, START], spans[left + 1, block, STOP] = here, stop
        blocks[block, LEFT_ROWS], blocks[block, MISSING_ROWS] = here - start, missing
        blocks[block, LEFT_MASS] = mass_of(data, block, start, here)


@kernel(inner=True)
def scan_groups(wanted, tree, data, layout, work, settings, seek, among, group):
    """Best boundaries of the features in groups ``first .. last - 1`` (``among``) for a new leaf and its sibling; the
    larger one's histogram is the parent's less the smaller one's.

    Group by group, so that a histogram is scanned while it is in the cache. A small node's is summed here too, the only
    time that a scan reads rows.
    """
    sizes, width, (first, last) = sizes_of(layout.slots.shape[0], work, settings), len(group), among
    stride, small, large = sizes.n_lanes * width, work.state[NODE], work.state[SIBLING]
    for g in range(first, last):
        bins, part = layout.groups[g, MOST_BINS], g * BINS * stride
        home = work.splits[small, HOME] + part
        if tree.nodes[small, ROWS] < settings.small:  # else it has been folded
            spot = Spot(g, home, bins)
            sum_group(data, small, work.grouped, spot, sizes, has_one_channel(wanted.kind), group)
        if large >= 0:
            sibling = work.splits[large, HOME] + part
            subtract_group(work.grouped, sibling, home, bins, stride)
        elif g == first:  # any feature's histogram holds the root's sums
            sum_left(work, small, g * width, bins - 1, True, width, small)
        for leaf in range(1 if large < 0 else 2):
            node = large if leaf == 1 else small
            spot = Spot(g, work.splits[node, HOME] + part, bins)
            bar = node_score(work.sums, node, settings.rule, seek), wanted.tolerance
            if seek is not None:
                seek_group(layout, work, spot, (leaf, node), bar, seek, group)
            else:
                found = work.scores[leaf], work.cuts[leaf]
                has_missing = layout.groups[g, HAS_MISSING] != 0
                scan_group(work.grouped, spot, (work.sums, node), settings.rule, bar, has_missing, found, group)
                if layout.groups[g, HAS_CATEGORY] != 0:
                    scan_codes(layout.slots, work, spot, node, settings.rule, bar, found, width)


@kernel(inner=True)
def assign_leaves(nodes, data, state, first, last):
    """Number the leaves by birth and write each row's leaf in blocks ``first .. last - 1``."""
    leaf = 0
    for node in range(state[N_NODES]):
        if nodes[node, LEFT] < 0:
            for block in range(first, last):
                for place in range(data.spans[node, block, START], data.spans[node, block, STOP]):
                    data.leaf_of_row[block * BLOCK + np.intp(data.rows[place])] = leaf
            leaf += 1
