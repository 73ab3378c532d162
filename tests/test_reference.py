"""The reference tree against results worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
import reference as ref

NAN = np.nan


def column(*values):
    return np.array(values, dtype=float)[:, None]


def label_tree(X, y, K=2, **options):
    return ref.grow_tree(X, np.eye(K)[y], "label", **options)


def test_stump_by_hand():
    tree = label_tree(column(1, 2, 3, 5), [0, 0, 0, 1], max_leaves=2)
    assert (tree.feature, tree.left, tree.right) == ([0, -1, -1], [1, -1, -1], [2, -1, -1])
    assert tree.threshold[0] == 4.0
    np.testing.assert_array_equal(tree.sums, [[3, 1], [3, 0], [0, 1]])
    assert tree.n_rows == [4, 3, 1]
    assert tree.scale == 4.0
    assert tree.leaves == [1, 2]
    np.testing.assert_array_equal(tree.apply(column(-9, 4, 4.01, 9)), [1, 1, 2, 2])


def test_grows_no_further_than_the_gain_goes():
    tree = label_tree(column(1, 2, 3, 4), [0, 0, 1, 1])
    assert tree.leaves == [1, 2]
    plateau = label_tree(column(1, 2, 3), [0, 1, 0])  # both boundaries: 1 + 1 against 2
    assert plateau.leaves == [0]
    assert label_tree(column(1, 1, 1), [0, 1, 0]).leaves == [0]


def test_ties_lowest_threshold_feature_and_class():
    x = column(1, 2, 3, 4)
    tree = label_tree(np.hstack([np.ones((4, 1)), x, x]), [1, 0, 0, 1])  # gain 1 at 1.5 and at 3.5, both features
    assert (tree.feature[0], tree.threshold[0]) == (1, 1.5)
    assert (tree.feature[2], tree.threshold[2]) == (1, 3.5)
    assert tree.leaves == [1, 3, 4]
    assert [ref.label_output(tree.sums[leaf], tree.scale) for leaf in (0, 1, 3, 4)] == [0, 1, 0, 1]


def test_ties_within_tolerance():
    A = np.eye(2)[[1, 0, 0, 1]]
    A[3, 1] += 1e-11  # 3.5 would win by less than the tolerance
    assert ref.grow_tree(column(1, 2, 3, 4), A, "label", max_leaves=2).threshold[0] == 1.5
    A[3, 1] += 1e-9
    assert ref.grow_tree(column(1, 2, 3, 4), A, "label", max_leaves=2).threshold[0] == 3.5
    assert ref.label_output(np.array([1.0, 1.0 + 1e-11, 0.5]), scale=1.0) == 0
    assert ref.label_output(np.array([1.0, 1.0 + 1e-9, 0.5]), scale=1.0) == 1


def test_best_first_takes_the_larger_gain_then_the_older_leaf():
    x = column(1, 2, 3, 4, 5, 6)
    labels = [0, 1, 1, 2, 2, 0]  # 0 | 1 1 2 2 0, then 0 | 1 1 | 2 2 0: the left leaf is pure
    A = np.eye(3)[labels]
    A[3:] *= 3
    tree = ref.grow_tree(x, A, "label", max_leaves=3)
    # Root sums (4, 2, 6), score 6. Boundary 5.5: 6 + 3 - 6 = 3; 3.5: 2 + 6 - 6 = 2; 2.5: 1 + 6 - 6 = 1.
    assert tree.threshold[0] == 5.5
    # Left sums (1, 2, 6), score 6: 3.5 gives 2 + 6 - 6 = 2. The right leaf is pure.
    assert tree.threshold[1] == 3.5
    assert tree.leaves == [2, 3, 4]
    # Two leaves with the same gain: the left child, which is older, goes first.
    X = np.column_stack([[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 2, 2, 1, 1, 2, 2]])
    S = np.eye(4)[[0, 0, 1, 1, 2, 2, 3, 3]] + 0.5 * np.eye(4)[[0, 0, 0, 0, 2, 2, 2, 2]]
    tree = ref.grow_tree(X, S, "label", max_leaves=3)
    assert (tree.feature[:3], tree.leaves) == ([0, 1, -1], [2, 3, 4])


def test_thresholds_are_those_of_the_whole_training_matrix():
    X = np.column_stack([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 10, 10, 4, 4, 6, 6]])
    y = [0, 0, 1, 1, 2, 2, 2, 2]
    tree = label_tree(X, y, K=3)
    # Inside the left leaf feature 1 is 0 or 10: boundaries 2, 5 and 8 all separate them, the lowest wins.
    assert (tree.feature[0], tree.feature[1], tree.threshold[1]) == (0, 1, 2.0)


@pytest.mark.parametrize(
    ("x", "labels", "threshold", "missing_left"),
    [
        ((1, 2, NAN, NAN), (0, 1, 1, 1), 1.5, False),
        ((1, 2, NAN, NAN), (0, 1, 0, 0), 1.5, True),
        ((1, 2, NAN, NAN), (0, 0, 1, 1), np.inf, False),  # missing against all others
        ((7, 7, NAN, NAN), (0, 0, 1, 1), np.inf, False),
    ],
)
def test_direction_of_missing_values(x, labels, threshold, missing_left):
    tree = label_tree(column(*x), list(labels), max_leaves=2)
    assert (tree.threshold[0], tree.missing_left[0]) == (threshold, missing_left)
    predicted = [ref.label_output(tree.sums[leaf], tree.scale) for leaf in tree.apply(column(*x))]
    assert predicted == list(labels)


def test_missing_values_tie_goes_left():
    A = np.array([[1, 0], [0, 1], [0, 0]])  # the missing row wants nothing
    tree = ref.grow_tree(column(1, 2, NAN), A, "label", max_leaves=2)
    assert tree.missing_left[0] is True
    assert tree.n_rows == [3, 2, 1]


@pytest.mark.parametrize(
    ("x", "y", "leaf"), [((1, 2, 3), (0, 1, 1), 2), ((1, 2, 3), (0, 0, 1), 1), ((1, 2), (0, 1), 1)]
)
def test_unseen_missing_value_follows_the_larger_child(x, y, leaf):
    tree = label_tree(column(*x), list(y), max_leaves=2)
    np.testing.assert_array_equal(tree.apply(column(NAN)), [leaf])


def test_rows_of_weight_zero_take_no_part():
    x, y = column(1, 2, 2.2, 3, 4, NAN), [0, 0, 1, 1, 1, 0]
    mask = np.array([True, True, False, True, True, False])
    tree = label_tree(x, y, row_weights=mask)
    assert tree.threshold[0] == 2.5
    assert (tree.scale, tree.n_rows) == (4.0, [4, 2, 2])
    np.testing.assert_array_equal(tree.apply(x), [1, 1, 1, 2, 2, 1])


def test_min_samples_leaf():
    tree = label_tree(column(1, 2, 3, 4, 5), [0, 1, 1, 0, 0], max_leaves=2, min_samples_leaf=2)
    # 1.5 is not allowed; 2.5: 1 + 2 - 3 = 0; 3.5: 2 + 2 - 3 = 1.
    assert tree.threshold[0] == 3.5


def test_votes_score_by_hand():
    A = np.array([[1.0, -1.0], [1.0, -1.0], [-1.0, 3.0], [-1.0, -1.0]])
    tree = ref.grow_tree(column(1, 2, 3, 4), A, "votes", max_leaves=2)
    # Root |0| + |0| = 0; 1.5: 2 + 2; 2.5: (2 + 2) + (2 + 2) = 8; 3.5: (1 + 1) + (1 + 1) = 4.
    assert tree.threshold[0] == 2.5
    np.testing.assert_array_equal(ref.votes_output(tree.sums[1], tree.scale), [1, -1])
    np.testing.assert_array_equal(ref.set_output(tree.sums[2], tree.scale), [0, 1])
    np.testing.assert_array_equal(ref.votes_output(tree.sums[0], tree.scale), [-1, -1])  # zero counts as no


def test_vector_score_by_hand():
    A, H = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), np.array([1.0, 3.0, 1.0])
    tree = ref.grow_tree(column(1, 2, 3), A, "vector", max_leaves=2, curvature=H, reg=1.0)
    # Root (4 + 4) / 6; 1.5: 1 / 2 + (1 + 4) / 5 = 1.5; 2.5: 4 / 5 + 4 / 2 = 2.8.
    assert tree.threshold[0] == 2.5
    # Without curvature and reg: root 8 / 3; 1.5: 1 + 5 / 2 = 3.5; 2.5: 2 + 4 = 6.
    assert ref.grow_tree(column(1, 2, 3), A, "vector", max_leaves=2).threshold[0] == 2.5


def test_z_score_by_hand():
    positive = np.array([[4.0], [0.0], [1.0], [0.0]])
    negative = np.array([[0.0], [1.0], [0.0], [4.0]])
    tree = ref.grow_tree(column(1, 2, 3, 4), (positive, negative), "Z", max_leaves=2)
    # 2 sqrt(W+ W-), root 10; 1.5: 0 + 2 sqrt(5); 2.5: 2 sqrt(4) + 2 sqrt(4) = 8; 3.5: 2 sqrt(5) + 0, a tie.
    assert tree.threshold[0] == 1.5
    assert tree.scale == 10.0
    np.testing.assert_array_equal(tree.sums[0], [[5], [5]])
