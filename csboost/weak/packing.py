"""From the node table of a fit to the flat arrays of a forest."""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.layout import CUT, FEATURE, LEFT, RIGHT


@kernel
def pack(nodes, n_leaves, thresholds, offsets, links, threshold, depth, level):
    """Fill a forest's arrays from the node table of a fit; ``links`` are its features, left and right children, and
    ``level`` (nodes,), zeros, is scratch.
    """
    feature, left, right = links
    for m in range(nodes.shape[0]):
        leaf = 0
        for node in range(2 * n_leaves[m] - 1):
            if nodes[m, node, LEFT] < 0:
                left[m, node], right[m, node], feature[m, node] = node, node, leaf
                leaf += 1
                depth[m] = max(depth[m], level[node])
                continue
            column = np.intp(nodes[m, node, FEATURE])
            left[m, node], right[m, node], feature[m, node] = nodes[m, node, LEFT], nodes[m, node, RIGHT], column
            level[left[m, node]] = level[right[m, node]] = level[node] + 1
            place = offsets[column] + nodes[m, node, CUT]
            if place < offsets[column + 1]:
                threshold[m, node] = thresholds[place]
