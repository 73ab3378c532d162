"""What the six boosters of the published protocol share: rows to codes, the loop over rounds, voting."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.published.stump import encode, label_stump, threshold_grid
from bench.published.votes import vote_curve, vote_scores


class PublishedBooster:
    """Weighted votes of two-leaf trees, ``rounds`` of them whatever happens.

    Parameters
    ----------
    cost_matrix : None, str, array of shape (K, K) or labelled DataFrame
        As for the classifiers of ``csboost``.
    rounds : int
        Number of boosting rounds, at least 1.
    seed : int
        Accepted for the sake of the runner; these boosters draw no random numbers.
    """

    stumps_per_round = 1

    def __init__(self, cost_matrix: Any = None, rounds: int = 200, seed: int = 0) -> None:
        if rounds < 1:
            raise ValueError(f"rounds must be at least 1, got {rounds}.")
        self.cost_matrix = cost_matrix
        self.rounds = rounds
        self.seed = seed

    def fit(self, X: Any, y: Any) -> PublishedBooster:
        """Boost on rows ``X`` (n, d), finite numbers only, with labels ``y`` (n,)."""
        from csboost.costs import resolve

        X = _finite_rows(X)
        self.classes_, y = np.unique(np.asarray(y), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"Boosting needs at least two classes, got only {self.classes_.tolist()}.")
        if len(y) != len(X):
            raise ValueError(f"X has {len(X)} rows but y has {len(y)} labels.")
        self.cost_matrix_ = resolve(self.cost_matrix, self.classes_)
        self.grid_ = self._grid(X)
        self.rules_ = np.zeros((self.rounds * self.stumps_per_round, 4), dtype=np.int64)
        self.weights_ = np.zeros(len(self.rules_))
        self._boost(encode(X, self.grid_), y, np.ascontiguousarray(self.cost_matrix_[y].T))
        self.n_iter_ = self.rounds
        return self

    def _grid(self, X: np.ndarray) -> np.ndarray:
        return threshold_grid(X)

    def _boost(self, codes: np.ndarray, y: np.ndarray, costs: np.ndarray) -> None:
        """Fill ``rules_`` and ``weights_`` from codes (d, n), classes (n,) and each row's costs (K, n)."""
        raise NotImplementedError

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of most votes for each row of ``X``, shape (n,); the first such class in a tie."""
        codes = self._encode(X)
        scores = vote_scores(codes, self.rules_, self.weights_, len(self.classes_))
        return self.classes_[scores.argmax(axis=0)]

    def staged_cost(self, X: Any, y: Any, sample_weight: Any = None) -> np.ndarray:
        """Return the mean cost of rows ``X`` with true labels ``y`` after each round, shape (rounds,)."""
        y = np.asarray(y)
        truth = np.minimum(np.searchsorted(self.classes_, y), len(self.classes_) - 1)
        unknown = np.unique(y[self.classes_[truth] != y])
        if len(unknown):
            raise ValueError(f"Labels {unknown.tolist()} do not occur in the training rows.")
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        codes = self._encode(X)
        if not codes.shape[1] == len(y) == len(weight):
            raise ValueError(f"X has {codes.shape[1]} rows, y {len(y)} labels and sample_weight {len(weight)} weights.")
        costs = np.ascontiguousarray((self.cost_matrix_[truth] * (weight / weight.sum())[:, None]).T)
        return vote_curve(codes, self.rules_, self.weights_, self.stumps_per_round, costs)

    def _encode(self, X: Any) -> np.ndarray:
        X = _finite_rows(X)
        if X.shape[1] != len(self.grid_):
            raise ValueError(f"X has {X.shape[1]} features, the training rows had {len(self.grid_)}.")
        return encode(X, self.grid_)


class LabelVoteBooster(PublishedBooster):
    """A booster whose every round adds one stump with a class in each leaf, found by the label rule."""

    def _boost(self, codes: np.ndarray, y: np.ndarray, costs: np.ndarray) -> None:
        channels = self._start(y, costs)
        lanes = (0,) * len(channels)
        for m in range(self.rounds):
            feature, code, left, right = label_stump(codes, channels, lanes)
            labels = np.where(codes[feature] <= code, left, right)
            self.rules_[m] = feature, code, left, right
            self.weights_[m] = self._advance(channels, labels, m)

    def _start(self, y: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """Return the first channels (K, n): how much each row wants each class."""
        raise NotImplementedError

    def _advance(self, channels: np.ndarray, labels: np.ndarray, m: int) -> float:
        """Update ``channels`` in place after ``labels`` (n,) were predicted; return the weight of the votes."""
        raise NotImplementedError


def _finite_rows(X: Any) -> np.ndarray:
    X = np.ascontiguousarray(X, dtype=np.float64)
    if X.ndim != 2 or not X.size:
        raise ValueError(f"X must be a table of rows and features, got shape {X.shape}.")
    finite = np.isfinite(X).all(axis=0)
    if not finite.all():
        columns = np.flatnonzero(~finite).tolist()
        raise ValueError(f"Columns {columns} hold missing or infinite values; this protocol needs imputed ones.")
    return X
