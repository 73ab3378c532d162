"""What a fit of the mixture leaves behind, and its use."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from csboost._inputs.categories import Categories
from csboost.bayes.rule import AnswersByBayesRule
from csboost.mixture.linear import probabilities_of
from csboost.mixture.pooling import Pool, pooled

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
        X = self._categories.transform(self, X)
        boosters, regressions = self._parts()
        found = [booster._estimate_checked(X)[0] for booster in boosters]
        found += [probabilities_of(regression, X, len(self.classes_)) for regression in regressions]
        return pooled(found, self._exponents)

    @property
    def _exponents(self) -> np.ndarray:
        """Of the members' probabilities in the pool (m,)."""
        return Pool(self.weights_, self.temperature_).exponents

    def _parts(self) -> tuple[list[Any], list[Pipeline]]:
        """The members: boosters, and after them regressions, as their weights have it."""
        members = list(self.members_.values())
        n_boosters = sum(not isinstance(member, Pipeline) for member in members)
        return members[:n_boosters], members[n_boosters:]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
