"""What a fitted booster would have answered after each of its rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from csboost.fitted import FittedBooster
from csboost.problem import class_costs

__all__ = ["StagedBooster"]


class StagedBooster(FittedBooster):
    """The part of every booster that looks back at its rounds; it runs without Numba."""

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """:meth:`decision_function` after each round.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

        Yields
        ------
        ndarray of shape (n, A), or (n,) when the answers are two classes
            The scores after one round more.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> from csboost import SAMMEClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> [scores.shape for scores in SAMMEClassifier(n_estimators=2).fit(X, y).staged_decision_function(X)]
        [(300, 3), (300, 3)]
        """
        X = self._check_X(X)
        for scores in self._ensemble.staged_scores(X):
            yield self._decision(scores)

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """:meth:`predict` after each round.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

        Yields
        ------
        ndarray of shape (n,)
            The labels after one round more.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> from csboost import SAMMEClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> [labels.shape for labels in SAMMEClassifier(n_estimators=2).fit(X, y).staged_predict(X)]
        [(300,), (300,)]
        """
        X = self._check_X(X)
        for scores in self._ensemble.staged_scores(X):
            yield self.answers_[self._choose(scores)]

    def staged_cost(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> np.ndarray:
        """Mean cost after each round, by ``cost_matrix_``.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.
        y : array-like of shape (n,)
            True labels.
        sample_weight : array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.
        sample_cost : array-like of shape (n, A), optional
            Costs per row in place of ``cost_matrix_``, in the order of ``answers_`` or a table with the answers as
            columns.

        Returns
        -------
        ndarray of shape (n_iter_,)
            In the unit of the costs, gains (negative) included.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        ValueError
            For features, labels, weights or costs that do not fit.

        Examples
        --------
        >>> from csboost import SAMMEClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> SAMMEClassifier(n_estimators=3).fit(X, y).staged_cost(X, y).shape
        (3,)
        """
        checked = self._check_X(X)
        costs, total = class_costs(self, X, y, sample_weight, sample_cost)
        return self._staged_costs(checked, costs) / total

    def _staged_costs(self, X: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """Total cost (rounds,) after each round, given what every answer costs each row: ``costs`` (n, A)."""
        return self._ensemble.staged_costs(X, costs)
