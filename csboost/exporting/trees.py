"""Weak rules as one node that adds up trees in double precision, and the scores that they lead to.

The node compares double thresholds with double rows, as the package does. Rows in single precision are cast first,
which changes no number: they go where the package leads rows of float32.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from csboost.ensemble import Ensemble
from csboost.exporting.graph import Graph
from csboost.weak.forest import Forest

__all__ = ["scores_of"]

LEQ, MEMBER = 0, 6  # what a split asks: whether at most a number, whether in a set
SUM, PLAIN = 1, 0
START = -1  # stands for the tree that adds what the sums start with
CODES = np.arange(254)  # of categories, as in csboost.weak.code_sets


class _Splits(NamedTuple):
    """The nodes of one tree that are split, in order; a child is known by its place among the splits or the leaves."""

    feature: np.ndarray
    threshold: np.ndarray
    mode: np.ndarray
    missing: np.ndarray  # whether missing values go to the left
    left: np.ndarray
    left_is_leaf: np.ndarray
    right: np.ndarray
    right_is_leaf: np.ndarray
    members: list[np.ndarray]  # of the sets, each with a NaN behind it


class _Leaves(NamedTuple):
    """What the leaves of one tree add to one score each: in ONNX no leaf adds to two."""

    tree: int
    scores: np.ndarray
    weights: np.ndarray


def scores_of(graph: Graph, ensemble: Ensemble, X: str) -> str:
    """The tensor (n, S) of the scores of rows ``X`` (n, d) in double precision."""
    if not ensemble.is_packed:
        kind = type(getattr(ensemble.rules[0], "classifier", ensemble.rules[0])).__name__
        raise ValueError(f"weak learners of the class {kind} cannot be written in ONNX, only the trees of csboost")
    finish = ensemble._scaling(ensemble.n_rounds - 1)
    scores = graph.node("TreeEnsemble", X, domain="ai.onnx.ml", **_attributes(graph, ensemble))
    for kind, number in (("Mul", finish.times), ("Sub", finish.share), ("Mul", finish.factor), ("Div", finish.over)):
        if number != (0.0 if kind == "Sub" else 1.0):
            scores = graph.node(kind, scores, graph.constant(number))
    return scores


def _attributes(graph: Graph, ensemble: Ensemble) -> dict[str, Any]:
    """The trees as ONNX lists them, one copy for each score that they add to."""
    leaves = list(_leaves(ensemble))
    known = {tree: _splits(ensemble.rules, tree) for tree in sorted({part.tree for part in leaves} - {START})}
    known[START] = _nothing_asked()
    splits = [known[part.tree] for part in leaves]
    n_nodes, n_leaves = [len(part.feature) for part in splits], [len(part.scores) for part in leaves]
    roots, first_leaves = np.cumsum([0, *n_nodes])[:-1], np.cumsum([0, *n_leaves])[:-1]
    for place, ahead in enumerate((first_leaves - roots).tolist()):
        splits[place], leaves[place] = _told_apart(splits[place], leaves[place], ahead)

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(part, name) for part in splits])

    def children(side: str) -> list[int]:
        starts = np.where(joined(f"{side}_is_leaf"), np.repeat(first_leaves, n_nodes), np.repeat(roots, n_nodes))
        return (joined(side) + starts).tolist()

    found = {
        "n_targets": ensemble.n_scores,
        "aggregate_function": SUM,
        "post_transform": PLAIN,
        "tree_roots": roots.tolist(),
        "nodes_featureids": joined("feature").tolist(),
        "nodes_modes": graph.tensor(joined("mode").astype(np.uint8)),
        "nodes_splits": graph.tensor(joined("threshold")),
        "nodes_truenodeids": children("left"),
        "nodes_trueleafs": joined("left_is_leaf").astype(int).tolist(),
        "nodes_falsenodeids": children("right"),
        "nodes_falseleafs": joined("right_is_leaf").astype(int).tolist(),
        "nodes_missing_value_tracks_true": joined("missing").astype(int).tolist(),
        "leaf_targetids": np.concatenate([part.scores for part in leaves]).tolist(),
        "leaf_weights": graph.tensor(np.concatenate([part.weights for part in leaves])),
    }
    members = [numbers for part in splits for numbers in part.members]
    if members:
        found["membership_values"] = graph.tensor(np.concatenate(members))
    return found


def _told_apart(splits: _Splits, leaves: _Leaves, ahead: int) -> tuple[_Splits, _Leaves]:
    """Two leaves of the tree exchanged where the root leads to a leaf and to a node of the same number: onnxruntime up
    to 1.23 would take the root for a leaf. Leaves are counted from ``ahead`` of where the nodes are.
    """
    if splits.left_is_leaf[0] == splits.right_is_leaf[0]:
        return splits, leaves
    sides = (splits.left[0], splits.right[0])
    leaf, node = sides if splits.left_is_leaf[0] else sides[::-1]
    if leaf + ahead != node:
        return splits, leaves
    order = np.arange(len(leaves.scores))
    other = (leaf + 1) % len(order)
    order[[leaf, other]] = other, leaf
    left, right = splits.left.copy(), splits.right.copy()
    left[splits.left_is_leaf] = order[left[splits.left_is_leaf]]
    right[splits.right_is_leaf] = order[right[splits.right_is_leaf]]
    exchanged = _Leaves(leaves.tree, leaves.scores[order], leaves.weights[order])
    return splits._replace(left=left, right=right), exchanged


def _leaves(ensemble: Ensemble) -> Iterator[_Leaves]:
    """What every tree adds, those left out that add nothing. First what the sums start with, so that they are formed in
    the same order as here.
    """
    outputs = ensemble.outputs
    for score, number in enumerate(ensemble.start):
        yield _Leaves(START, np.full(2, score), np.full(2, number))
    for tree, weight in enumerate(ensemble.weights):
        n_leaves = int(ensemble.rules.n_leaves[tree])
        of_leaves = outputs[tree, :n_leaves] if n_leaves > 1 else outputs[tree, [0, 0]]
        if outputs.ndim == 2:
            yield _Leaves(tree, of_leaves, np.full(len(of_leaves), weight))
            continue
        for score in range(ensemble.n_scores):
            added = weight * of_leaves[:, score]
            if added.any():
                yield _Leaves(tree, np.full(len(added), score), added)


def _nothing_asked() -> _Splits:
    """A tree of one leaf, as a question whose two answers add the same: a runtime may take a root with one child for a
    leaf, and the wrong one.
    """
    first, leaf = np.zeros(1, np.int64), np.ones(1, bool)
    return _Splits(first, np.zeros(1), np.full(1, LEQ), leaf, first, leaf, first + 1, leaf, [])


def _splits(forest: Forest, tree: int) -> _Splits:
    n_leaves = int(forest.n_leaves[tree])
    if n_leaves == 1:
        return _nothing_asked()
    nodes = np.arange(2 * n_leaves - 1)
    is_inner = forest.left[tree, nodes] != nodes
    place = np.where(is_inner, np.cumsum(is_inner) - 1, forest.feature[tree, nodes])
    inner = nodes[is_inner]
    left, right, threshold = forest.left[tree, inner], forest.right[tree, inner], forest.threshold[tree, inner].copy()
    mode, members = np.full(len(inner), LEQ), []
    if forest.is_set is not None and forest.sets is not None:
        for row, node in enumerate(inner):
            if forest.is_set[tree, node]:
                numbers = CODES[(forest.sets[tree, node, CODES >> 5] >> (CODES & 31).astype(np.uint32)) & 1 != 0]
                if len(numbers):
                    mode[row], threshold[row] = MEMBER, 0.0
                    members.append(np.append(numbers, np.nan))
                else:  # no number is in an empty set
                    threshold[row] = -np.inf
    return _Splits(
        forest.feature[tree, inner].astype(np.int64), threshold, mode, forest.missing_left[tree, inner],
        place[left], ~is_inner[left], place[right], ~is_inner[right], members,
    )  # fmt: skip
