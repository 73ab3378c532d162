"""What all fitted classifiers have in common: answers, which need not be classes, and how often they are right."""

from __future__ import annotations

from typing import Any

import numpy as np

from csboost._bases import BaseEstimator, ClassifierMixin
from csboost._inputs.labels import label_column
from csboost._inputs.weights import check_sample_weight
from csboost.costs.alignment import are_classes

__all__ = ["AnsweringClassifier"]


class AnsweringClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that answers with one of ``answers_``.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The class labels, sorted.
    answers_ : ndarray of shape (A,)
        What may be answered: ``classes_``, unless the costs have other columns.
    cost_matrix_ : ndarray of shape (K, A)
        The costs as given, in the order of ``classes_`` and ``answers_``; negative entries are gains.
    """

    classes_: np.ndarray
    answers_: np.ndarray
    cost_matrix_: np.ndarray

    @property
    def _answers_classes(self) -> bool:
        """Whether the answers are just the classes."""
        return are_classes(self.answers_, self.classes_)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy: the share of rows whose answer is their class; an answer that is no class is never right.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``.
        y : array-like of shape (n,)
            True labels.
        sample_weight : array-like of shape (n,), optional
            How often each row counts, not negative; 1 by default.

        Returns
        -------
        float
            From 0 to 1.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features, labels or weights that do not fit.

        Examples
        --------
        >>> from csboost import SAMMEClassifier
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> SAMMEClassifier(n_estimators=3).fit(X, y).score(X, y)
        1.0
        """
        if not hasattr(self, "answers_") or self._answers_classes:
            return super().score(X, y, sample_weight)
        answers, labels = self.predict(X), label_column(y, "y")
        if len(labels) != len(answers):
            raise ValueError(f"y has shape {labels.shape}, but X has {len(answers)} rows")
        right = [answer == label for answer, label in zip(answers.tolist(), labels.tolist(), strict=True)]
        weights = None if sample_weight is None else check_sample_weight(sample_weight, len(right))
        return float(np.average(right, weights=weights))

    def predict(self, X: Any) -> np.ndarray:
        """The answer to each row, one of ``answers_``."""
        raise NotImplementedError
