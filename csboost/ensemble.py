"""What a fit leaves behind: weak rules with their outputs and coefficients, and the scores they add up to."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from csboost.weak.forest import Forest
from csboost.weak.walk import CHUNK, score_labels, score_outputs, stage_costs, stage_label_costs

PARALLEL_ROWS = 8192  # below this, threads cost more than they save


@dataclass
class Ensemble:
    """Rules and coefficients of one fit.

    Attributes
    ----------
    rules : Forest or list
        A packed forest, or weak classifiers with ``apply(X) -> leaf numbers``.
    outputs : ndarray (trees, leaves) of int, or (trees, leaves, K)
        The class that a leaf answers, or the vector that it adds.
    weights : ndarray (trees,)
        Coefficients of the rules.
    scales : ndarray (rounds,)
        The scores after a round are ``scale * (start + sum of weight * output so far)``.
    start : float
        The score of every class before the first rule.
    n_classes : int
    symmetric : bool
        Whether answering one class also takes ``1 / (K - 1)`` of the coefficient from every other (the simplex coding).
    trees_per_round : int
    """

    rules: Any
    outputs: np.ndarray
    weights: np.ndarray
    scales: np.ndarray
    start: float
    n_classes: int
    symmetric: bool
    trees_per_round: int = 1

    def truncated(self, n_rounds: int) -> Ensemble:
        """The first ``n_rounds`` rounds."""
        trees = n_rounds * self.trees_per_round
        first = {
            "rules": self.rules[:trees],
            "outputs": self.outputs[:trees],
            "weights": self.weights[:trees],
            "scales": self.scales[:n_rounds],
        }
        return replace(self, **first)

    @property
    def is_packed(self) -> bool:
        """Whether kernels can run the rules."""
        return isinstance(self.rules, Forest)

    def scores(self, X: np.ndarray, n_threads: int = 1) -> np.ndarray:
        """Scores (n, K) of the rows of ``X`` (n, d), float32 or float64."""
        if self.is_packed:
            scores = np.empty((len(X), self.n_classes))
            self._run(X, n_threads, scores, np.empty(0, np.int64))
            return scores
        sums = self._empty(len(X))
        for m in range(len(self.weights)):
            self._add(sums, X, m)
        return self._finish(sums, len(self.scales) - 1)

    def answers(self, X: np.ndarray, n_threads: int = 1) -> np.ndarray:
        """The class numbers (n,) of largest score, the lowest among ties."""
        if not self.is_packed:
            return self.scores(X).argmax(axis=1)
        answers = np.zeros(len(X), np.int64)
        self._run(X, n_threads, np.empty((0, self.n_classes)), answers)
        return answers

    def _run(self, X: np.ndarray, n_threads: int, scores: np.ndarray, answers: np.ndarray) -> None:
        """Fill the arrays that are not empty."""
        labels = self.outputs.ndim == 2
        outputs, score = (self._labels(), score_labels) if labels else (self.outputs, score_outputs)
        finish = (self.start, *self._scaling(len(self.scales) - 1))
        *rows_and_trees, scratch = self.rules.prepare(X)

        def run(first: int, last: int) -> None:
            own, sums = tuple([np.empty_like(part) for part in scratch]), np.empty((self.n_classes, CHUNK))
            score(*rows_and_trees, own, outputs, self.weights, first, last, sums, finish, (scores, answers))

        if n_threads == 1 or len(X) < PARALLEL_ROWS:
            run(0, len(X))
            return
        ends = np.linspace(0, len(X), 4 * n_threads + 1).astype(int)
        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(run, ends[:-1].tolist(), ends[1:].tolist()))

    def _labels(self) -> np.ndarray:
        """The classes that the leaves answer, by node: one look-up less per row and tree."""
        return self.rules.by_node(self.outputs)

    def staged_scores(self, X: np.ndarray) -> Iterator[np.ndarray]:
        """Scores (n, K) after each round."""
        sums = self._empty(len(X))
        for m in range(len(self.weights)):
            self._add(sums, X, m)
            if (m + 1) % self.trees_per_round == 0:
                yield self._finish(sums, m // self.trees_per_round)

    def staged_costs(self, X: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """Total cost (rounds,) after each round, given what every answer costs each row: ``costs`` (n, K)."""
        if not self.is_packed:
            rows = np.arange(len(X))
            return np.array([costs[rows, scores.argmax(axis=1)].sum() for scores in self.staged_scores(X)])
        staged, rows_and_trees = np.zeros(len(self.scales)), self.rules.prepare(X)
        scratch = np.empty((self.n_classes + 1, CHUNK)), np.empty(CHUNK, np.int64)
        if self.outputs.ndim == 2:  # a scale or a share taken from all classes does not move the largest score
            stage_label_costs(*rows_and_trees, self._labels(), self.weights, costs, *scratch, staged)
        else:
            outputs = np.ascontiguousarray((self.weights[:, None, None] * self.outputs).transpose(0, 2, 1))
            stage_costs(*rows_and_trees, outputs, self.trees_per_round, costs, self.start, *scratch, staged)
        return staged

    def _empty(self, n_rows: int) -> np.ndarray:
        return np.full((n_rows, self.n_classes), self.start)

    def _add(self, sums: np.ndarray, X: np.ndarray, m: int) -> None:
        """Add one rule to the running sums, in the kernels' order of operations."""
        leaves = self.rules.apply(X, m) if self.is_packed else self.rules[m].apply(X)
        if self.outputs.ndim == 2:
            sums[np.arange(len(X)), self.outputs[m, leaves]] += self.weights[m]
        else:
            sums += self.weights[m] * self.outputs[m, leaves]

    def _finish(self, sums: np.ndarray, round_: int) -> np.ndarray:
        """Scores from running sums after ``round_``."""
        factor, times, share, over = self._scaling(round_)
        return factor * (times * sums - share) / over

    def _scaling(self, round_: int) -> tuple[float, float, float, float]:
        """Four numbers that make the scores after ``round_``: ``factor * (times * sum - share) / over``. With labels in
        the simplex coding every class still owes its share of each coefficient.
        """
        factor, K = float(self.scales[round_]), self.n_classes
        if self.symmetric and self.outputs.ndim == 2:
            share = np.cumsum(self.weights)[(round_ + 1) * self.trees_per_round - 1]
            return factor, float(K), float(share), float(K - 1)
        return factor, 1.0, 0.0, 1.0

    def importances(self, n_features: int) -> np.ndarray:
        """Share of each feature in the gains of all splits, weighted by the coefficients (zeros for rules that are
        not trees of this package).
        """
        found = np.zeros(n_features)
        if self.is_packed:
            inner = self.rules.left != np.arange(self.rules.left.shape[1])
            weighted = self.rules.gains * np.abs(self.weights)[:, None]
            np.add.at(found, self.rules.feature[inner], weighted[inner])
        return found / found.sum() if found.sum() > 0 else found


def interleave(parts: list[Ensemble]) -> Ensemble:
    """One ensemble out of one per class, each of whose leaves adds to its own class's score; an ensemble that ended
    early adds nothing after that.
    """
    n_classes, rounds = len(parts), max(len(part.scales) for part in parts)
    leaves = max(part.outputs.shape[1] for part in parts)
    outputs, weights = np.zeros((rounds, n_classes, leaves, n_classes)), np.zeros((rounds, n_classes))
    order = np.zeros((rounds, n_classes), np.int64)
    offset = 0
    for k, part in enumerate(parts):
        size = len(part.scales)
        outputs[:size, k, : part.outputs.shape[1], k] = part.outputs[:, :, 0]
        weights[:size, k] = part.weights
        order[:, k] = offset + np.minimum(np.arange(rounds), size - 1)
        offset += size
    rules = Forest.joined([part.rules for part in parts])[order.ravel()]
    return Ensemble(
        rules,
        outputs.reshape(-1, leaves, n_classes),
        weights.ravel(),
        np.ones(rounds),
        0.0,
        n_classes,
        False,
        trees_per_round=n_classes,
    )
