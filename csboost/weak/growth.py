"""Best-first growth of one tree, as passes over the rows and what lies between them.

``state`` names the coming pass (:mod:`csboost.weak.layout`); what follows from it asks for the next one::

    WRITE
      |
      v
    ACCUMULATE <---------------------------------+
      |                                          |
      v            while in doubt                |
    SCAN -------> LOOK <--+                      |
      |            |  |   |                      |
      |            |  +---+                      |
      v            v       best leaf             |  leaves to come
      +------------+---------------> PARTITION --+
                   |                     |
                   |  no gain left       |  last leaf
                   v                     |
                 ASSIGN <----------------+

========== ==================================================== ==================================================
phase      the pass (rows, by blocks)                           then (histograms, sums and counts alone)
========== ==================================================== ==================================================
WRITE      channels to the grid; all rows to the root           a root
ACCUMULATE histograms of a new leaf (many rows)                 folded into one
SCAN       its sibling's by subtraction; boundaries, by groups  best splits of both
LOOK       fine histograms of what is in doubt                  best split of the leaf in doubt
PARTITION  a leaf's rows to two new leaves                      the split is recorded, with the children's sums
ASSIGN     each row's leaf; the leaves' fine sums               sums, answers and gains of the tree
========== ==================================================== ==================================================

:func:`csboost.weak.passes.run_pass` does the second column, for a range of blocks or groups, :func:`decide` the third.
:func:`grow` does both, unless the blocks are shared out among threads. Nodes of fewer than ``Settings.small`` rows skip
ACCUMULATE: they are summed where they are scanned, which saves folding histograms that have more bins than the node
has rows, but makes the scan read rows. Where other machines hold rows too, none may: ``Settings.small`` is 0, all
machines decide the same, and what their passes found is added up in between (:mod:`csboost.weak.adding_up`).
"""

from __future__ import annotations

from csboost._jit import kernel
from csboost.weak.bookkeeping import begin, choose_leaf, choose_splits, count_left, finish, split_leaf
from csboost.weak.fine_sums import fold_leaves
from csboost.weak.histogram import VECTOR_TILES
from csboost.weak.layout import (
    ACCUMULATE,
    ASSIGN,
    LOOK_DONE,
    LOOK_SLOTS,
    NODE,
    PARTITION,
    PHASE,
    ROWS,
    SCAN,
    WRITE,
    Closer,
    Data,
    Layout,
    Part,
    Seek,
    Settings,
    Trees,
    Wanted,
    Work,
)
from csboost.weak.passes import run_pass
from csboost.weak.second_look import UNCHECKED, ask_for_look, settle
from csboost.weak.seeking import draw_columns, keep_whole
from csboost.weak.staged import add_rows, fold

SMALL = 1024  # ``Settings.small`` on one machine,
FEW = 256  # and where :func:`sum_node` sums, in fits of ``SMALL`` rows or more
GROW, RESUME, SHARE = range(3)  # ``Part.task``


@kernel
def grow(wanted_, forest_, data_, layout_, work_, closer_, settings_, seek_, part_, group):
    """Grow a tree; returns what :func:`csboost.weak.bookkeeping.finish` does.

    With several threads :data:`GROW` returns (0, 0.0) before each pass over rows; each thread then does :data:`SHARE`
    over its blocks, and :data:`RESUME` goes on. Summing many rows is asked for whatever the number of threads, so that
    a fit of few rows need not wait until :mod:`csboost.weak.staged` is compiled; but not for vector leaves, which stage
    smaller nodes, so that each tree would ask several times (:func:`sum_node`). ``group`` is a tuple of as many zeros
    as features are scanned at once. ``closer_`` and ``seek_`` are None where there is nothing to look at twice, and
    where leaves are no vectors: their code is then left out.
    """
    wanted, forest, data, layout = Wanted(*wanted_), Trees(*forest_), Data(*data_), Layout(*layout_)
    work, settings, part = Work(*work_), Settings(*settings_), Part(*part_)
    closer, seek = named_closer(closer_), named_seek(seek_)
    m, blocks, state = part.round, data.blocks, work.state
    tree = Trees(forest.nodes[m], forest.gained[m], forest.leaf_sums[m], forest.outputs[m])
    task = part.task
    while True:
        phase = state[PHASE]
        is_over = False
        if task == GROW and phase == ACCUMULATE:
            is_small = tree.nodes[state[NODE], ROWS] < settings.small  # summed when it is scanned
            is_over = is_small or sum_node(data, layout, work, settings, seek, group)
        if task == SHARE or (task == GROW and not is_over):
            if task == GROW:
                if phase == ACCUMULATE or ((settings.n_threads > 1 or not settings.is_alone) and phase != SCAN):
                    return 0, 0.0  # a scan is over before threads start
                part = Part(m, GROW, 0, 0, layout.groups.shape[0] if phase == SCAN else blocks.shape[0])
            run_pass(wanted, tree, data, layout, work, closer, settings, seek, part, group)
            if task == SHARE:
                return 0, 0.0
        task = GROW  # the pass is done, by this call or by others
        if settings.is_alone and phase in (WRITE, PARTITION):
            count_left(blocks, work.counts)
        if phase == ASSIGN:
            return finish_tree(wanted, tree, work, closer, settings.rule, seek, m)
        decide(wanted, tree, layout, work, closer, settings, seek, len(group))


@kernel(inner=True)
def sum_node(data, layout, work, settings, seek, group):
    """Sum a node of vector leaves, if one thread has all rows and no columns are joint; whether it was done."""
    if seek is None:
        return False
    if settings.n_threads > 1 or settings.n_joint > 0 or not settings.is_alone:
        return False
    add_rows(data, work, settings, 0, 0, data.blocks.shape[0], VECTOR_TILES)
    fold(layout, work, settings, 0, layout.groups.shape[0], VECTOR_TILES, group)
    return True


@kernel(inner=True)
def named_closer(closer_):
    """The arrays of a second look by name; None for fits that need none."""
    if closer_ is None:
        return None
    return Closer(*closer_)


@kernel(inner=True)
def named_seek(seek_):
    """What the search for the splits of vector leaves needs by name; None for other leaf rules."""
    if seek_ is None:
        return None
    return Seek(*seek_)


@kernel(inner=True)
def decide(wanted, tree, layout, work, closer, settings, seek, width):
    """What follows from the pass that is done, and the next one to ask for; groups have ``width`` slots."""
    state, rule = work.state, settings.rule
    if state[PHASE] == WRITE:
        begin(tree.nodes, work)
        if closer is not None:
            closer.seen[:] = UNCHECKED
    elif state[PHASE] == ACCUMULATE:
        state[PHASE] = SCAN
        if seek is not None:
            draw_columns(layout.slots, state, seek)
    elif state[PHASE] == PARTITION:
        split_leaf(tree, layout.slots, work, settings.max_leaves, seek, width)
    else:
        if state[PHASE] == SCAN:
            choose_splits(layout.slots, work, rule, wanted.tolerance, seek, width)
        elif closer is not None:
            settle(wanted, layout, work, closer, width, rule)
            if closer.look[LOOK_DONE] < closer.look[LOOK_SLOTS]:
                return
        if closer is not None and ask_for_look(tree.nodes, layout, work, closer, width, rule, wanted.kind):
            return
        choose_leaf(work.gains, state, wanted.tolerance)


@kernel(inner=True)
def finish_tree(wanted, tree, work, closer, rule, seek, m):
    """Finish from the fine sums, where there are any; a tree of vector leaves keeps its sets and counts."""
    if closer is not None:
        fold_leaves(tree, work.state, closer, wanted.kind, rule)
        leaves, chosen = finish(tree, closer.node_sums, work.state, 1.0 / wanted.fine_scale, rule, wanted.tie)
    else:
        leaves, chosen = finish(tree, work.sums, work.state, 1.0 / wanted.scale, rule, wanted.tie)
    if seek is not None:
        keep_whole(tree, work, seek, m)
    return leaves, chosen
