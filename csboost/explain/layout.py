"""Where the nodes of a drawn tree stand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csboost.weak.forest import Forest

__all__ = ["Spot", "spots"]


class Spot(NamedTuple):
    """A node: leaves stand side by side at 0, 1, 2, ..., a split above the middle of what it parts."""

    node: int
    x: float
    depth: int
    parent: int | None
    is_left: bool
    is_leaf: bool


def spots(forest: Forest, tree: int) -> list[Spot]:
    """The nodes of one tree, every node after its parent."""
    left, right = forest.left[tree], forest.right[tree]
    order: list[tuple[int, int, int | None, bool]] = []
    pending: list[tuple[int, int, int | None, bool]] = [(0, 0, None, False)]
    while pending:  # the left subtree is done before the right one
        found = pending.pop()
        order.append(found)
        node, depth = found[:2]
        if left[node] != node:
            pending += [(int(right[node]), depth + 1, node, False), (int(left[node]), depth + 1, node, True)]
    place, n_leaves = np.zeros(len(left)), 0
    for node, *_ in order:
        if left[node] == node:
            place[node], n_leaves = n_leaves, n_leaves + 1
    for node, *_ in reversed(order):
        if left[node] != node:
            place[node] = (place[left[node]] + place[right[node]]) / 2
    return [
        Spot(node, float(place[node]), depth, parent, is_left, bool(left[node] == node))
        for node, depth, parent, is_left in order
    ]
