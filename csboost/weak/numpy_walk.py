"""Raw rows through the trees of a forest with NumPy alone, in the kernels' order of operations: the same bits.

:mod:`csboost.weak.compiled_walk` has the same functions with Numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from csboost.weak.layout import MISSING

if TYPE_CHECKING:
    from csboost.weak.forest import Forest, Votes
    from csboost.weak.layout import Finish

UNSEEN = 254  # as in csboost.weak.code_sets
CHUNK = 256  # rows whose costs are summed before the sum is added to a round's, as in csboost.weak.walk


def leaves(tree: Forest, X: np.ndarray) -> np.ndarray:
    """Leaf number (n,) of every row in a forest of one tree."""
    feature, threshold = np.where(tree.is_inner[0], tree.feature[0], 0), tree.thresholds_in(X.dtype)[0]
    rows, node = np.arange(len(X)), np.zeros(len(X), np.int64)
    for _ in range(tree.depth[0]):  # a leaf leads to itself
        go_left = goes_left(tree, threshold, node, X[rows, feature[node]])
        node = np.where(go_left, tree.left[0, node], tree.right[0, node])
    return tree.feature[0, node].astype(np.int64)


def goes_left(tree: Forest, threshold: np.ndarray, node: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Whether values ``x`` (n,) go left at the splits ``node`` (n,) of a forest of one tree, given its ``threshold``
    (nodes,) in their precision.
    """
    go_left = np.where(np.isnan(x), tree.missing_left[0, node], x <= threshold[node])
    if tree.is_set is not None and tree.sets is not None:
        go_left = np.where(tree.is_set[0, node], _in_sets(tree.sets[0, node], x), go_left)
    return go_left


def _in_sets(sets: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Whether each category number ``x`` (n,) is in its set (n, 8): see :mod:`csboost.weak.code_sets`."""
    is_known = (x >= 0.0) & (x < UNSEEN)  # False for NaN
    codes = np.where(np.isnan(x), MISSING, np.where(is_known, x, UNSEEN)).astype(np.int64)
    return (sets[np.arange(len(x)), codes >> 5] >> (codes & 31).astype(np.uint32)) & 1 != 0


def scores(forest: Forest, votes: Votes, X: np.ndarray, finish: Finish, n_threads: int) -> np.ndarray:
    """Scores (n, K)."""
    sums = np.tile(votes.start, (len(X), 1))
    for m in range(len(votes.weights)):
        add(sums, votes, m, leaves(forest[m : m + 1], X))
    return finish.scores(sums)


def answers(forest: Forest, votes: Votes, X: np.ndarray, finish: Finish, n_threads: int) -> np.ndarray:
    """The class numbers (n,) of largest score, the lowest among ties."""
    return scores(forest, votes, X, finish, n_threads).argmax(axis=1)


def staged_costs(forest: Forest, votes: Votes, X: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Total cost (rounds,) of the answers after each round; ``costs`` (n, K) per row and answer."""
    staged = np.zeros(len(votes.weights) // votes.trees_per_round)
    # labels only ever raise one class: nothing else moves
    start = votes.start if votes.outputs.ndim == 3 else np.zeros(votes.n_classes)
    rows, sums = np.arange(len(X)), np.tile(start, (len(X), 1))
    for m in range(len(votes.weights)):
        add(sums, votes, m, leaves(forest[m : m + 1], X))
        if (m + 1) % votes.trees_per_round == 0:
            staged[m // votes.trees_per_round] = _summed(costs[rows, sums.argmax(axis=1)])
    return staged


def add(sums: np.ndarray, votes: Votes, m: int, leaf_of_row: np.ndarray) -> None:
    """Add what the leaves of rule ``m`` say to the sums (n, K)."""
    if votes.outputs.ndim == 2:
        sums[np.arange(len(sums)), votes.outputs[m, leaf_of_row]] += votes.weights[m]
    else:
        sums += votes.weights[m] * votes.outputs[m, leaf_of_row]


def _summed(costs: np.ndarray) -> float:
    """The sum of ``costs`` (n,) from the first to the last within each chunk, then over the chunks; NumPy's own adds
    in another order.
    """
    padded = np.zeros(-(-len(costs) // CHUNK) * CHUNK)
    padded[: len(costs)] = costs
    chunks = np.add.accumulate(padded.reshape(-1, CHUNK), axis=1)[:, -1]
    return float(np.add.accumulate(chunks)[-1])
