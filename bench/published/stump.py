"""Two-leaf trees on a fixed grid of thresholds: the grid, the codes and the two split searches.

The node of a two-leaf tree is always the whole training set, so the grid of each feature is fixed before the first
round: rows are coded once by the interval they fall into, and a round only adds weights up per code.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel

N_THRESHOLDS = 100
"""Candidate thresholds per feature; a code counts the thresholds below a value and so lies in 0..N_THRESHOLDS."""

TOLERANCE = 1e-10
"""A later candidate wins only when it is better by more than this, relative to the total weight."""


def threshold_grid(X: np.ndarray) -> np.ndarray:
    """Evenly spaced thresholds from each feature's minimum to its maximum, both included.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training rows.

    Returns
    -------
    ndarray of shape (d, N_THRESHOLDS)
        Ascending thresholds per feature; a constant feature repeats its value.
    """
    return np.ascontiguousarray(np.linspace(X.min(axis=0), X.max(axis=0), N_THRESHOLDS).T)


@kernel(allocates=True)
def encode(X, grid):
    """Code each value by the number of thresholds below it, so that ``x <= grid[f, b]`` exactly when ``code <= b``.

    Parameters
    ----------
    X : float64 array of shape (n, d)
        Rows, training or test.
    grid : float64 array of shape (d, N_THRESHOLDS)
        From :func:`threshold_grid`.

    Returns
    -------
    uint8 array of shape (d, n)
        One contiguous row of codes per feature.
    """
    n_rows, n_features = X.shape
    codes = np.empty((n_features, n_rows), dtype=np.uint8)
    for feature in range(n_features):
        low, high = grid[feature, 0], grid[feature, N_THRESHOLDS - 1]
        per_unit = (N_THRESHOLDS - 1) / (high - low) if high > low else 0.0
        for i in range(n_rows):
            x = X[i, feature]
            if x <= low:
                code = 0
            elif x > high:
                code = N_THRESHOLDS
            else:  # even spacing gives the code but for rounding
                code = min(int((x - low) * per_unit) + 1, N_THRESHOLDS - 1)
                while grid[feature, code] < x:
                    code += 1
                while grid[feature, code - 1] >= x:
                    code -= 1
            codes[feature, i] = code
    return codes


@kernel(allocates=True)
def label_stump(codes, channels, lanes):
    """Find the stump of largest ``max_k S_k(left) + max_k S_k(right)``, the label rule of a two-leaf tree.

    Parameters
    ----------
    codes : uint8 array of shape (d, n)
        From :func:`encode`.
    channels : float64 array of shape (K, n)
        How much each row wants each class; larger is better.
    lanes : tuple of length K
        Makes the number of classes known to the compiler.

    Returns
    -------
    feature, code, left, right : int
        Rows whose code of ``feature`` is at most ``code`` get the class ``left``, the others ``right``.
        Ties go to the lowest feature, then threshold, then class.
    """
    n_features, n_rows = codes.shape
    width = len(lanes)
    by_row = np.empty(n_rows * width)
    total = np.zeros(width)
    scale = 0.0
    for i in range(n_rows):
        for k in range(width):
            by_row[i * width + k] = channels[k, i]
            total[k] += channels[k, i]
            scale += abs(channels[k, i])
    tolerance = TOLERANCE * scale
    at_code = np.empty((N_THRESHOLDS + 1) * width)
    below = np.empty((width, N_THRESHOLDS))
    top_left = np.empty(N_THRESHOLDS)
    top_right = np.empty(N_THRESHOLDS)
    best, best_feature, best_code = -np.inf, 0, 0
    best_below = np.zeros(width)
    for feature in range(n_features):
        column = codes[feature]
        at_code[:] = 0.0
        for i in range(n_rows):
            # One row's classes go to separate cells: the adds need not wait for each other.
            for k in range(width):
                at_code[np.intp(column[i]) * width + k] += by_row[i * width + k]
        for k in range(width):
            running = 0.0
            for b in range(N_THRESHOLDS):
                running += at_code[b * width + k]
                below[k, b] = running
        for b in range(N_THRESHOLDS):
            top_left[b] = below[0, b]
            top_right[b] = total[0] - below[0, b]
        for k in range(1, width):
            for b in range(N_THRESHOLDS):
                top_left[b] = max(top_left[b], below[k, b])
                top_right[b] = max(top_right[b], total[k] - below[k, b])
        for b in range(N_THRESHOLDS):
            score = top_left[b] + top_right[b]
            if score > best + tolerance:
                best, best_feature, best_code = score, feature, b
                best_below[:] = below[:, b]
    left, right = 0, 0
    for k in range(1, width):
        if best_below[k] > best_below[left] + tolerance:
            left = k
        if total[k] - best_below[k] > total[right] - best_below[right] + tolerance:
            right = k
    return best_feature, best_code, left, right


@kernel(allocates=True)
def rows_below(codes):
    """Count the rows at or below each threshold: (d, N_THRESHOLDS) from the codes (d, n)."""
    n_features, n_rows = codes.shape
    counts = np.zeros((n_features, N_THRESHOLDS), dtype=np.int64)
    for feature in range(n_features):
        for i in range(n_rows):
            if codes[feature, i] < N_THRESHOLDS:
                counts[feature, codes[feature, i]] += 1
        for b in range(1, N_THRESHOLDS):
            counts[feature, b] += counts[feature, b - 1]
    return counts


@kernel(allocates=True)
def gini_stump(codes, counts, inside, weight, min_leaf):
    """Find the two-class stump of least weighted Gini impurity with at least ``min_leaf`` rows on each side.

    Parameters
    ----------
    codes : uint8 array of shape (d, n)
        From :func:`encode`.
    counts : int64 array of shape (d, N_THRESHOLDS)
        From :func:`rows_below`.
    inside : bool array of shape (n,)
        Whether the row belongs to the class in question.
    weight : float64 array of shape (n,)
        Row weights.
    min_leaf : int
        Least number of rows of a leaf.

    Returns
    -------
    feature, code : int
        The split, as in :func:`label_stump`. When none is allowed, one that puts every row on the left.
    left, right : bool
        Whether the class holds more than half of the leaf's weight.
    """
    n_features, n_rows = codes.shape
    total, total_inside = 0.0, 0.0
    for i in range(n_rows):
        total += weight[i]
        if inside[i]:
            total_inside += weight[i]
    tolerance = TOLERANCE * total
    signed = np.empty(n_rows)
    for i in range(n_rows):
        signed[i] = weight[i] if inside[i] else 0.0
    below = np.empty(N_THRESHOLDS + 1)
    below_inside = np.empty(N_THRESHOLDS + 1)
    best, best_feature, best_code = np.inf, 0, N_THRESHOLDS
    best_below, best_inside = total, total_inside
    for feature in range(n_features):
        below[:] = 0.0
        below_inside[:] = 0.0
        for i in range(n_rows):
            code = codes[feature, i]
            below[code] += weight[i]
            below_inside[code] += signed[i]
        left, left_inside = 0.0, 0.0
        for b in range(N_THRESHOLDS):
            left += below[b]
            left_inside += below_inside[b]
            if counts[feature, b] < min_leaf or n_rows - counts[feature, b] < min_leaf:
                continue
            right, right_inside = total - left, total_inside - left_inside
            impurity = left_inside * (left - left_inside) / left + right_inside * (right - right_inside) / right
            if impurity < best - tolerance:
                best, best_feature, best_code = impurity, feature, b
                best_below, best_inside = left, left_inside
    vote_left = 2.0 * best_inside > best_below + tolerance
    vote_right = 2.0 * (total_inside - best_inside) > total - best_below + tolerance
    return best_feature, best_code, vote_left, vote_right
