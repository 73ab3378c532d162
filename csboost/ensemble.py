"""What a fit leaves behind: weak rules with their outputs and coefficients, and the scores they add up to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from csboost.weak.forest import Forest, Votes, walking
from csboost.weak.layout import Finish
from csboost.weak.numpy_walk import add


@dataclass(frozen=True)
class End:
    """The last round of a run of boosting: what a further fit goes on from."""

    step: float  # what its line search found, before the learning rate
    last: bool  # whether nothing was left to learn


@dataclass
class Ensemble:
    """Rules and coefficients of one fit.

    Attributes
    ----------
    rules : Forest or list
        A packed forest, or weak classifiers with ``apply(X) -> leaf numbers``.
    outputs : ndarray (trees, leaves) of int, or (trees, leaves, S)
        What a leaf answers, or the vector that it adds to the S scores.
    weights : ndarray (trees,)
        Coefficients of the rules.
    errors : ndarray (rounds,)
        The booster's own measure of each round.
    scales : ndarray (rounds,)
        The scores after a round are ``scale * (start + sum of weight * output so far)``.
    start : ndarray (S,)
        The scores before the first rule.
    n_scores : int
        S: one score per answer, or per class where a link decides.
    symmetric : bool
        Whether one answer also takes ``1 / (S - 1)`` of the coefficient from every other (the simplex coding).
    trees_per_round : int
    ends : tuple of End
        How the runs of boosting ended that made it: one, or one per class.
    """

    rules: Any
    outputs: np.ndarray
    weights: np.ndarray
    errors: np.ndarray
    scales: np.ndarray
    start: np.ndarray
    n_scores: int
    symmetric: bool
    trees_per_round: int = 1
    ends: tuple[End, ...] = ()

    @property
    def n_rounds(self) -> int:
        """How many rounds were kept."""
        return len(self.scales)

    @property
    def is_packed(self) -> bool:
        """Whether the rules are trees of this package."""
        return isinstance(self.rules, Forest)

    @property
    def each_rule(self) -> list[Any]:
        """The rules one by one: forests of one tree, or the weak classifiers."""
        return [self.rules[m : m + 1] if self.is_packed else self.rules[m] for m in range(len(self.weights))]

    @property
    def votes(self) -> Votes:
        """What the rules' leaves add to the scores."""
        return Votes(self.outputs, self.weights, self.start, self.n_scores, self.trees_per_round)

    def scores(self, X: np.ndarray, n_threads: int = 1) -> np.ndarray:
        """Scores (n, S) of the rows of ``X`` (n, d), float32 or float64."""
        if self.is_packed:
            return walking().scores(self.rules, self.votes, X, self._scaling(self.n_rounds - 1), n_threads)
        sums = np.empty(0)
        for sums in self._running_sums(X):  # noqa: B007 - the last of them
            pass
        return self._finish(sums, self.n_rounds - 1)

    def answers(self, X: np.ndarray, n_threads: int = 1) -> np.ndarray:
        """The numbers (n,) of largest score, the lowest among ties."""
        if self.is_packed:
            return walking().answers(self.rules, self.votes, X, self._scaling(self.n_rounds - 1), n_threads)
        return self.scores(X).argmax(axis=1)

    def staged_scores(self, X: np.ndarray) -> Iterator[np.ndarray]:
        """Scores (n, S) after each round."""
        for round_, sums in enumerate(self._running_sums(X)):
            yield self._finish(sums, round_)

    def staged_costs(self, X: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """Total cost (rounds,) after each round, given what every answer costs each row: ``costs`` (n, S)."""
        if costs.shape[1] != self.n_scores:  # kernels would read beyond the costs
            raise ValueError(f"costs of the shape {costs.shape} do not fit to {self.n_scores} scores per row")
        if self.is_packed:
            return walking().staged_costs(self.rules, self.votes, X, costs)
        rows = np.arange(len(X))
        return np.array([costs[rows, scores.argmax(axis=1)].sum() for scores in self.staged_scores(X)])

    def _running_sums(self, X: np.ndarray) -> Iterator[np.ndarray]:
        """The sums (n, S) after each round, one array updated in place, in the kernels' order of operations."""
        votes, sums = self.votes, np.tile(self.start, (len(X), 1))
        for m in range(len(self.weights)):
            add(sums, votes, m, self.rules.apply(X, m) if self.is_packed else self.rules[m].apply(X))
            if (m + 1) % self.trees_per_round == 0:
                yield sums

    def _finish(self, sums: np.ndarray, round_: int) -> np.ndarray:
        """Scores from the sums after ``round_``."""
        return self._scaling(round_).scores(sums)

    def _scaling(self, round_: int) -> Finish:
        """What makes the scores after ``round_``. With labels in the simplex coding every score still owes its share
        of each coefficient.
        """
        factor, S = float(self.scales[round_]), self.n_scores
        if self.symmetric and self.outputs.ndim == 2:
            share = np.cumsum(self.weights)[(round_ + 1) * self.trees_per_round - 1]
            return Finish(self.start, factor, times=float(S), share=float(share), over=float(S - 1))
        return Finish(self.start, factor, times=1.0, share=0.0, over=1.0)

    def importances(self, n_features: int) -> np.ndarray:
        """Share of each feature in the gains of all splits, weighted by the coefficients (zeros for rules that are
        not trees of this package).
        """
        found = np.zeros(n_features)
        if self.is_packed:
            inner = self.rules.is_inner
            weighted = self.rules.gains * np.abs(self.weights)[:, None]
            np.add.at(found, self.rules.feature[inner], weighted[inner])
        return found / found.sum() if found.sum() > 0 else found


def interleave(parts: list[Ensemble]) -> Ensemble:
    """One ensemble out of one per class, each of whose leaves adds to its own class's score; an ensemble that ended
    early adds nothing after that.
    """
    n_classes, rounds = len(parts), max(part.n_rounds for part in parts)
    leaves = max(part.outputs.shape[1] for part in parts)
    outputs, weights = np.zeros((rounds, n_classes, leaves, n_classes)), np.zeros((rounds, n_classes))
    order = np.zeros((rounds, n_classes), np.int64)
    offset = 0
    for k, part in enumerate(parts):
        size = part.n_rounds
        outputs[:size, k, : part.outputs.shape[1], k] = part.outputs[:, :, 0]
        weights[:size, k] = part.weights
        order[:, k] = offset + np.minimum(np.arange(rounds), size - 1)
        offset += size
    rules = Forest.joined([part.rules for part in parts])[order.ravel()]
    errors = [np.mean([part.errors[m] for part in parts if m < part.n_rounds]) for m in range(rounds)]
    return Ensemble(
        rules,
        outputs.reshape(-1, leaves, n_classes),
        weights.ravel(),
        np.array(errors),
        np.ones(rounds),
        np.zeros(n_classes),
        n_classes,
        False,
        trees_per_round=n_classes,
        ends=tuple(end for part in parts for end in part.ends),
    )


def taken_apart(ensemble: Ensemble) -> list[Ensemble]:
    """The ensembles, one per class, that :func:`interleave` made one of; each has the mean of their errors."""
    n_classes, parts = ensemble.trees_per_round, []
    for k in range(n_classes):
        mine = slice(k, None, n_classes)
        weights = ensemble.weights[mine]
        kept = slice(np.count_nonzero(weights))
        rules, outputs = ensemble.rules[mine][kept], ensemble.outputs[mine][kept, :, k : k + 1]
        errors, scales, start = ensemble.errors[kept], ensemble.scales[kept], np.zeros(1)
        part = Ensemble(rules, outputs, weights[kept], errors, scales, start, 1, False, ends=ensemble.ends[k : k + 1])
        parts.append(part)
    return parts
