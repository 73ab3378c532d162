"""What classifiers have in common that learn probabilities and let costs enter the decision alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from csboost.answering import AnsweringClassifier
from csboost.costs.gains import expected_costs
from csboost.decisions.mixin import Decides

__all__ = ["AnswersByBayesRule"]


class AnswersByBayesRule(Decides, AnsweringClassifier):
    """A classifier that gives the answer of least expected cost under its ``predict_proba``."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities (n, K)."""
        raise NotImplementedError

    def _estimate(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        P = self.predict_proba(X)
        return P, expected_costs(P, self.cost_matrix_)

    def _judge(self, X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        P, costs = self._estimate(X)
        return P, costs, costs.argmin(axis=1)

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
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from csboost import costs, data
        >>> X, y = data.make_four_gaussians(300, random_state=0)
        >>> model = costs.BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y)
        >>> bool((model.predict_expected_cost(X).argmin(axis=1) == model.predict(X)).all())
        True
        """
        return self._estimate(X)[1]

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
