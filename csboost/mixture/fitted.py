"""What a fit of the mixture leaves behind, and its use."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from csboost._inputs.categories import Categories
from csboost.bayes.rule import AnswersByBayesRule
from csboost.mixture.linear import margins_of
from csboost.mixture.pooling import log_probabilities, pooled

__all__ = ["FittedMixture"]


class FittedMixture(AnswersByBayesRule):
    """The half of the mixture that uses what was fitted; it runs without Numba.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    answers_ : ndarray of shape (A,)
    cost_matrix_ : ndarray of shape (K, A)
    class_prior_ : ndarray of shape (K,)
    members_ : dict of str to classifier
        Boosters, then regressions.
    weights_ : ndarray of shape (len(members_),)
    temperature_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        When X had string column names.
    _categories : Categories
        The categories of the columns of a DataFrame.
    """

    members_: dict[str, Any]
    weights_: np.ndarray
    temperature_: float
    n_features_in_: int
    feature_names_in_: np.ndarray
    _categories: Categories

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities: those of the members, pooled by their weights and the temperature.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Features in the columns of ``fit``.

        Returns
        -------
        ndarray of shape (n, K)
            In the order of ``classes_``; rows sum to 1.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> from csboost import CostSensitiveClassifier, data
        >>> X, y = data.make_waveform(200, random_state=0)
        >>> CostSensitiveClassifier(effort="fast", random_state=0).fit(X, y).predict_proba(X).shape
        (200, 3)
        """
        check_is_fitted(self, "members_")
        return pooled(self._logs(self._categories.transform(self, X)), self.weights_ / self.temperature_)

    def _logs(self, X: np.ndarray) -> list[np.ndarray]:
        """Logarithms of each member's probabilities (n, K) of rows as the trees see them."""
        (boosters, regressions), K = self._parts(), len(self.classes_)
        found = [log_probabilities(booster._margins_checked(X), np.arange(K), K) for booster in boosters]
        return found + [log_probabilities(margins_of(each, X), each.classes_, K) for each in regressions]

    def _parts(self) -> tuple[list[Any], list[Pipeline]]:
        """The members: boosters, and after them regressions, as their weights have it."""
        members = list(self.members_.values())
        n_boosters = sum(not isinstance(member, Pipeline) for member in members)
        return members[:n_boosters], members[n_boosters:]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
