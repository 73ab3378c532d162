"""What a fit of the mixture leaves behind, and its use."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from csboost._inputs.categories import Categories
from csboost.answering import AnsweringClassifier
from csboost.costs.gains import expected_costs
from csboost.mixture.linear import probabilities_of

__all__ = ["FittedMixture"]


class FittedMixture(AnsweringClassifier):
    """The half of the mixture that uses what was fitted; it runs without Numba.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    answers_ : ndarray of shape (A,)
    cost_matrix_ : ndarray of shape (K, A)
    members_ : dict of str to classifier
        Boosters, then the regression.
    weights_ : ndarray of shape (len(members_),)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        When X had string column names.
    _categories : Categories
        The categories of the columns of a DataFrame.
    """

    members_: dict[str, Any]
    weights_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    _categories: Categories

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities: the mean of the members', by their weights.

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
        *boosters, linear = self.members_.values()
        found = [booster._estimate_checked(X)[0] for booster in boosters]
        found.append(probabilities_of(linear, X, len(self.classes_)))
        return np.einsum("m,mnk->nk", self.weights_, np.stack(found))

    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """Expected cost of each answer, ``predict_proba(X) @ cost_matrix_``.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Features in the columns of ``fit``.

        Returns
        -------
        ndarray of shape (n, A)
            In the unit of the costs, gains (negative) included, and the order of ``answers_``.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> from csboost import CostSensitiveClassifier, data
        >>> X, y = data.make_waveform(200, random_state=0)
        >>> model = CostSensitiveClassifier("linear", effort="fast", random_state=0).fit(X, y)
        >>> model.predict_expected_cost(X).shape
        (200, 3)
        """
        return expected_costs(self.predict_proba(X), self.cost_matrix_)

    def predict(self, X: Any) -> np.ndarray:
        """The answer of least expected cost, the first of several.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Features in the columns of ``fit``.

        Returns
        -------
        ndarray of shape (n,)
            Labels: entries of ``answers_``.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> from csboost import CostSensitiveClassifier, data
        >>> X, y = data.make_waveform(200, random_state=0)
        >>> CostSensitiveClassifier(effort="fast", random_state=0).fit(X, y).predict(X[:2]).shape
        (2,)
        """
        answers = self.predict_expected_cost(X).argmin(axis=1)
        return self.answers_[answers]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
