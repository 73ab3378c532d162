"""Raw rows through the trees of a forest by kernels: the one place that calls those of :mod:`csboost.weak.walk`.

:mod:`csboost.weak.numpy_walk` has the same functions without Numba.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from csboost.weak.layout import Finish, Packed, Scratch
from csboost.weak.matrix import flat_view
from csboost.weak.walk import CHUNK, apply_tree, score_labels, score_outputs, stage_costs, stage_label_costs

if TYPE_CHECKING:
    from csboost.weak.forest import Forest, Votes

PARALLEL_ROWS = 8192  # below this, threads cost more than they save


def prepare(forest: Forest, X: np.ndarray) -> tuple[Any, ...]:
    """The leading arguments of the kernels, plain tuples: the rows, the trees, scratch.

    Each thread needs scratch of its own.
    """
    inner, feature = forest.is_inner, forest.feature.copy()
    used, feature[inner] = np.unique(feature[inner], return_inverse=True)
    used = used.astype(np.int64) if len(used) else np.zeros(1, np.int64)
    if used[-1] >= X.shape[1]:  # kernels would read beyond the rows
        raise ValueError(f"the trees split on column {used[-1]}, but X has {X.shape[1]} columns")
    threshold = forest.thresholds_in(X.dtype)
    links = feature, forest.left, forest.right
    sets = None if forest.is_set is None else (forest.is_set, forest.sets)
    trees = Packed(used, *links, threshold, forest.missing_left, forest.depth, forest.n_leaves, sets)
    scratch = Scratch(np.empty((len(used), CHUNK), X.dtype), np.empty(CHUNK, np.int32))
    return flat_view(X), tuple(trees), tuple(scratch)


def leaves(tree: Forest, X: np.ndarray) -> np.ndarray:
    """Leaf number (n,) of every row in a forest of one tree."""
    out = np.empty(len(X), np.int64)
    apply_tree(*prepare(tree, X), 0, out)
    return out


def scores(forest: Forest, votes: Votes, X: np.ndarray, finish: Finish, n_threads: int) -> np.ndarray:
    """Scores (n, K)."""
    found = np.empty((len(X), votes.n_classes))
    _run(forest, votes, X, finish, n_threads, found, np.empty(0, np.int64))
    return found


def answers(forest: Forest, votes: Votes, X: np.ndarray, finish: Finish, n_threads: int) -> np.ndarray:
    """The class numbers (n,) of largest score, the lowest among ties."""
    found = np.zeros(len(X), np.int64)
    _run(forest, votes, X, finish, n_threads, np.empty((0, votes.n_classes)), found)
    return found


def _run(
    forest: Forest,
    votes: Votes,
    X: np.ndarray,
    finish: Finish,
    n_threads: int,
    scores: np.ndarray,
    answers: np.ndarray,
) -> None:
    """Fill the arrays that are not empty."""
    labels = votes.outputs.ndim == 2  # by node: one look-up less per row and tree
    outputs, score = (forest.by_node(votes.outputs), score_labels) if labels else (votes.outputs, score_outputs)
    made = tuple(finish)
    *rows_and_trees, scratch = prepare(forest, X)

    def run(first: int, last: int) -> None:
        own, sums = tuple([np.empty_like(part) for part in scratch]), np.empty((votes.n_classes, CHUNK))
        score(*rows_and_trees, own, outputs, votes.weights, first, last, sums, made, (scores, answers))

    if n_threads == 1 or len(X) < PARALLEL_ROWS:
        run(0, len(X))
        return
    ends = np.linspace(0, len(X), 4 * n_threads + 1).astype(int)
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(run, ends[:-1].tolist(), ends[1:].tolist()))


def staged_costs(forest: Forest, votes: Votes, X: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Total cost (rounds,) of the answers after each round; ``costs`` (n, K) per row and answer."""
    staged, rows_and_trees = np.zeros(len(votes.weights) // votes.trees_per_round), prepare(forest, X)
    scratch = np.empty((votes.n_classes + 1, CHUNK)), np.empty(CHUNK, np.int64)
    if votes.outputs.ndim == 2:  # a scale or a share taken from all classes does not move the largest score
        stage_label_costs(*rows_and_trees, forest.by_node(votes.outputs), votes.weights, costs, *scratch, staged)
    else:
        outputs = np.ascontiguousarray((votes.weights[:, None, None] * votes.outputs).transpose(0, 2, 1))
        stage_costs(*rows_and_trees, outputs, votes.trees_per_round, costs, votes.start, *scratch, staged)
    return staged
