"""The arrays of a growing tree by name: what the kernels of this package share, and how it lies in memory.

Rows live in *blocks* of :data:`BLOCK`. A block keeps its codes column by column, joint columns first
(:mod:`csboost.weak.columns`), so that a pass over one feature runs through contiguous bytes; its row numbers are
counted from its own first row, so that they fit in 16 bits. A node of the tree owns a *span* of row numbers in every
block; splitting it divides each span in two, in place. Three blocks of five rows (the last one of three) after one
split, with root ``a`` and children ``b`` and ``c``::

                   block 0         block 1         block 2
    rows           0 2 3 1 4       1 0 2 3 4       0 1 2
    spans of a     [---------]     [---------]     [-----]
    spans of b     [-----]         [-]             []
    spans of c           [---]       [-------]     [-----]

    codes          j j j j j  x x x x x  y y y y y     (block 0: a joint column, then two features)
    channels       k k k .    k k k .    k k k .       (a tile of four lanes per row, three classes)

Two layouts of histograms, both flat (:mod:`csboost.weak.histogram`). The *staged* one of a thread holds a tile of lanes
per bin, the *grouped* one of a node a group of slots per lane::

    staged     [tile 0: [column 0: [bin 0: k k k .] [bin 1: k k k .] ...] [column 1: ...] ...] [tile 1: ...]
    grouped    [group 0: [bin 0: [lane 0: x y z w] [lane 1: x y z w] ...] [bin 1: ...] ...] [group 1: ...]

Kernels take these arrays as plain tuples, because a named one costs three times as much to hand over from Python, and
name them on their first line (``work = Work(*work_)``), which costs nothing: Numba finds a field when it compiles. The
underscore marks a tuple that has no names yet; inner kernels are handed the named one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

BLOCK = 4096  # rows per block: local row numbers fit in 16 bits, a block's channels in the second-level cache
BINS = 256  # codes of a feature
MISSING = 255  # the code of a missing value: the last one

# Columns of the integer tables. The partition counts the rows of a block that go left; all rows of the root do so.
SLOT, FEATURE_OF, SUMMED, APART, SYMBOLS, VALUES, IS_CATEGORY = range(7)  # ``Layout.slots`` (d, 7)
MOST_BINS, HAS_MISSING, HAS_CATEGORY = range(3)  # ``Layout.groups`` (groups, 3)
START, STOP = range(2)  # last axis of ``Data.spans`` (nodes, blocks, 2)
HEIGHT, LEFT_ROWS, MISSING_ROWS, LEFT_MASS, NUMBER = range(5)  # ``Data.blocks`` (blocks, 5)
FEATURE, CUT, MISSING_LEFT, LEFT, RIGHT, ROWS = range(6)  # ``Trees.nodes`` (nodes, 6)
SPLIT_SLOT, SPLIT_CUT, SPLIT_LEFT, HOME = range(4)  # ``Work.splits`` (nodes, 4)
PHASE, NODE, SIBLING, N_NODES, N_LEAVES = range(5)  # ``Work.state`` (5,)
LOOK_NODE, LOOK_SLOTS, LOOK_DONE = range(3)  # ``Closer.look`` (3,)

# The phases: the coming pass over the rows, or over the groups of features (SCAN).
WRITE, ACCUMULATE, SCAN, PARTITION, ASSIGN, LOOK = range(6)


#: Arrays by position, as they cross the border between Python and the kernels.
Plain = tuple[Any, ...]


class Wanted(NamedTuple):
    """What the booster wants of a tree."""

    weights: np.ndarray  # (n, columns)
    kind: int  # of its channels (csboost.weak.channels)
    scale: float  # grid points per unit of channel
    tie: float  # sums closer than this are equal, in the channels' unit
    tolerance: float  # the same on the grid
    fine_scale: float  # points of the grid of 52 bits per unit (csboost.weak.second_look)
    dithered: bool = False  # whether rows are many, so that what is rounded needs a dither


class Data(NamedTuple):
    """The rows."""

    codes: np.ndarray  # (n * columns,) uint8, block by block
    channels: np.ndarray  # (n * padded lanes,), or (n,) for one-hot channels, on the grid
    labels: np.ndarray  # (n,) class numbers
    rows: np.ndarray  # (n,) uint16, row numbers within their block, node by node
    spans: np.ndarray  # (nodes, blocks, 2) where a node's rows start and stop
    blocks: np.ndarray  # (blocks, 5) rows of a block; what its part of a partition found; its place among all
    leaf_of_row: np.ndarray  # (n,) uint16
    masses: np.ndarray  # (n,) weight of each row as a whole number, or (0,) where all weigh the same


class Layout(NamedTuple):
    """The order of features."""

    groups: np.ndarray  # (groups, 3) largest number of bins, whether any feature has missing values, or categories
    slots: np.ndarray  # (d, 7) see csboost.weak.columns


class Work(NamedTuple):
    """What is known of the nodes of the growing tree, and scratch."""

    staged: np.ndarray  # the threads' histograms (csboost.weak.histogram)
    grouped: np.ndarray  # the nodes' histograms
    sums: np.ndarray  # (nodes, lanes) channel sums
    gains: np.ndarray  # (nodes,) of the best split
    splits: np.ndarray  # (nodes, 4) the best split: slot, bin, missing left; where the node's histogram starts
    state: np.ndarray  # (5,) the coming phase, its node and that one's sibling, nodes, leaves
    scores: np.ndarray  # (2, 2 * slots) of a pair of leaves: each slot's best score, missing values right or left
    cuts: np.ndarray  # (2, 2 * slots) its boundary
    packed: np.ndarray  # (threads, ...) channels of gathered rows
    places: np.ndarray  # (threads, ...) their lanes, when one-hot
    spare: np.ndarray  # (threads, BLOCK) row numbers that go right
    node_masses: np.ndarray  # (nodes,) weight
    counts: np.ndarray  # (3,) what the last partition found in all blocks
    sides: np.ndarray  # (2, lanes) sums of one category, and of the rest


class Trees(NamedTuple):
    """What is kept of each tree of a fit, or of one tree (without the first axis)."""

    nodes: np.ndarray  # (rounds, nodes, 6)
    gained: np.ndarray  # (rounds, nodes) gains of the splits
    leaf_sums: np.ndarray  # (rounds, leaves, lanes)
    outputs: np.ndarray  # (rounds, leaves) classes, of the label rule


class Settings(NamedTuple):
    """Plain numbers of a fit."""

    rule: int  # leaf rule (csboost.weak.rules)
    max_leaves: int
    n_threads: int
    bits: int  # binary logarithm of the lanes in a tile
    n_joint: int  # joint columns
    n_summed: int  # columns to sum
    small: int  # nodes of fewer rows are summed where they are scanned, group by group; 0 where that may never be
    is_alone: bool  # whether all rows are on this machine


class Part(NamedTuple):
    """What one call of :func:`csboost.weak.growth.grow` is to do."""

    round: int
    task: int
    thread: int
    first: int  # block, or group of features
    last: int  # and the one after the last


class Search(NamedTuple):
    """How the splits of one tree of vector leaves are sought."""

    least_rows: int = 1  # rows of positive weight in a leaf
    reg: float = 1.0  # added to every sum of curvatures
    n_columns: int = 2**31  # drawn anew for every node; all, where there are no more
    seed: int = 0  # of the draws of this tree
    is_random: bool = False  # whether a numeric column has one random boundary per node, in place of all
    is_ordered: bool = False  # whether categories are also split in the order of their mean gradients


class Seek(NamedTuple):
    """A :class:`Search` with its regularisation on the grid, and the arrays that it needs; None for other leaf rules.

    Sets are those of :mod:`csboost.weak.code_sets`.
    """

    least_rows: int
    reg: float
    stiff: float  # the same for categories in order
    n_columns: int
    seed: int
    is_random: bool
    is_ordered: bool
    is_category: np.ndarray  # (slots,)
    drawn: np.ndarray  # (2, slots) the columns of a pair of leaves
    lefts: np.ndarray  # (lanes,) the sums up to a random boundary
    sides: np.ndarray  # (2, lanes) sums left and right
    found: np.ndarray  # (2, slots, 8) the best set of each slot of a pair of leaves
    sets: np.ndarray  # (nodes, 8) the set of the best split
    kept: np.ndarray  # (rounds, nodes, 8) the sets of each tree of the fit
    means: np.ndarray  # (BINS, K) mean gradients of the categories of a node
    axis: np.ndarray  # (2, K) their first principal axis
    order: np.ndarray  # (BINS,) their codes
    keys: np.ndarray  # (BINS,) and their places along the axis


class Closer(NamedTuple):
    """The arrays of a second look (csboost.weak.second_look)."""

    below: np.ndarray  # (slots, BINS + 1) how many rows of all have a code below each
    close: np.ndarray  # (slots,) the slots to sum again
    cells: np.ndarray  # (threads, 3, at once * BINS * lanes) their histograms
    leaf_cells: np.ndarray  # (threads, 3, leaves * lanes)
    node_sums: np.ndarray  # (nodes, lanes)
    histogram: np.ndarray  # (BINS, lanes) of one slot
    boundaries: np.ndarray  # (BINS,) scores
    sides: np.ndarray  # (3, lanes) sums left, right and together
    seen: np.ndarray  # (nodes,) 0 not checked, 1 in no doubt, 2 summed again
    look: np.ndarray  # (3,) the node under the look, its close slots, how many of them are done


class Sizes(NamedTuple):
    """How many there are: what kernels find out from the arrays, for the kernels that they call."""

    n_threads: int
    n_joint: int  # joint columns
    n_summed: int  # columns to sum
    n_slots: int
    n_lanes: int
    n_padded: int  # lanes in whole tiles
    bits: int  # binary logarithm of the lanes in a tile


class Spot(NamedTuple):
    """A group of slots in the histogram of one node."""

    group: int
    start: int  # in the grouped histograms
    bins: int  # the largest number of any of its slots


class Matrix(NamedTuple):
    """Rows of raw floats, in C or Fortran order (:func:`csboost.weak.matrix.flat_view`)."""

    flat: np.ndarray  # (n * d,)
    row_step: int
    column_step: int


class Packed(NamedTuple):
    """Grown trees as :mod:`csboost.weak.walk` reads them; a leaf is its own child."""

    used: np.ndarray  # (features that are split,) their numbers
    feature: np.ndarray  # (rounds, nodes) place among the used ones; of a leaf, its number
    left: np.ndarray  # (rounds, nodes)
    right: np.ndarray  # (rounds, nodes)
    threshold: np.ndarray  # (rounds, nodes)
    missing_left: np.ndarray  # (rounds, nodes)
    depth: np.ndarray  # (rounds,)
    n_leaves: np.ndarray  # (rounds,)
    sets: Plain | None  # which splits are by sets (rounds, nodes), and those (rounds, nodes, 8); None without any


class Scratch(NamedTuple):
    """What a thread needs to lead a chunk of rows to its leaves."""

    columns: np.ndarray  # (used features, CHUNK)
    nodes: np.ndarray  # (CHUNK,)


class Finish(NamedTuple):
    """What makes scores: the sums start at ``start``, and a score is ``factor * (times * sum - share) /
    over``.
    """

    start: np.ndarray  # (K,)
    factor: float
    times: float
    share: float
    over: float

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Scores from sums, as the kernels make them."""
        return self.factor * (self.times * sums - self.share) / self.over
