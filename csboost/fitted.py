"""What a fit of a booster leaves behind, and its use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from csboost._bases import BaseEstimator, ClassifierMixin
from csboost.ensemble import Ensemble
from csboost.problem import check_features, class_costs

if TYPE_CHECKING:
    from csboost.link import Link

__all__ = ["FittedBooster"]

Method = TypeVar("Method", bound=Callable[..., Any])


def _has_link(booster: FittedBooster) -> bool:
    """Whether scores lead to probabilities; an AttributeError says why they do not."""
    missing = booster._no_link()
    if missing is not None:
        raise AttributeError(missing)
    return True


def _where_linked(method: Method) -> Method:
    """Offer a method only where there is a link, with its types kept: scikit-learn itself has none."""
    offered: Method = available_if(_has_link)(method)
    return offered


class FittedBooster(ClassifierMixin, BaseEstimator):
    """The half of every booster that uses what was fitted; it runs without Numba.

    All that a fit leaves behind is declared here.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The class labels, sorted.
    cost_matrix_ : ndarray of shape (K, K)
        The costs as used.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        When X had string column names.
    _ensemble : Ensemble
        The weak rules, what they answer and their coefficients.
    _link : Link or None
        From scores to probabilities and expected costs.
    """

    classes_: np.ndarray
    cost_matrix_: np.ndarray
    n_features_in_: int
    _ensemble: Ensemble
    _link: Link | None

    n_jobs: int | None  # the one parameter that prediction knows
    _symmetric: ClassVar[bool] = True  # the simplex coding of labels

    def _no_link(self) -> str | None:
        """Why there are no probabilities, as a sentence; None where there are."""
        return None

    def _check_X(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "_ensemble")
        return check_features(self, X)

    def _decision(self, scores: np.ndarray) -> np.ndarray:
        if len(self.classes_) > 2:
            return scores
        difference = scores[:, 1] - scores[:, 0]  # its sign is the argmax, ties and rounding included
        return 0.5 * difference if self._symmetric else difference

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes: for the angle boosters the margins ``<f(x), w_k>``.

        Returns
        -------
        ndarray of shape (n, K), or (n,) when K = 2
            Larger is better. With two classes, the score of ``classes_[1]`` (positive: it is the answer).
        """
        X = self._check_X(X)
        return self._decision(self._ensemble.scores(X, effective_n_jobs(self.n_jobs)))

    def predict(self, X: Any) -> np.ndarray:
        """The class of largest score, the lowest of several.

        For the angle boosters and p-norm boosting with ``hypothesis="label"`` it is the class of least
        ``predict_expected_cost``. The scores of SAMME, AdaBoost.MH and AdaBoost.M2 are no expected costs: there it
        need not be.

        Returns
        -------
        ndarray of shape (n,)
            Labels.
        """
        X = self._check_X(X)
        return self.classes_[self._ensemble.answers(X, effective_n_jobs(self.n_jobs))]

    @_where_linked
    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities by the link of the booster's loss; the class docstring says what they mean.

        Returns
        -------
        ndarray of shape (n, K)
            In the order of ``classes_``.

        Raises
        ------
        AttributeError
            Where there is no link, with the reason; ``hasattr`` is then False.
        """
        return self._estimate(X)[0]

    @_where_linked
    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """Expected cost of each answer, ``predict_proba(X) @ cost_matrix_``.

        Returns
        -------
        ndarray of shape (n, K)
            In the order of ``classes_``. The class docstring says whether its ``argmin`` is what :meth:`predict`
            answers.

        Raises
        ------
        AttributeError
            Where there is no link, with the reason; ``hasattr`` is then False.
        """
        return self._estimate(X)[1]

    def _estimate(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities and expected costs (n, K)."""
        X = self._check_X(X)
        assert self._link is not None  # or the methods are not there
        return self._link.estimate(self._ensemble.scores(X, effective_n_jobs(self.n_jobs)))

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """:meth:`decision_function` after each round."""
        for scores in self._ensemble.staged_scores(self._check_X(X)):
            yield self._decision(scores)

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """:meth:`predict` after each round."""
        for scores in self._ensemble.staged_scores(self._check_X(X)):
            yield self.classes_[scores.argmax(axis=1)]

    def staged_cost(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> np.ndarray:
        """Mean cost after each round, by ``cost_matrix_``.

        Parameters
        ----------
        X : array-like of shape (n, d)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
        sample_cost : array-like of shape (n, K), optional
            Costs per row in place of ``cost_matrix_``.

        Returns
        -------
        ndarray of shape (n_iter_,)
        """
        checked = self._check_X(X)
        costs, total = class_costs(self, X, y, sample_weight, sample_cost)
        return self._ensemble.staged_costs(checked, costs) / total

    @property
    def n_iter_(self) -> int:
        """Rounds kept."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.n_rounds

    @property
    def estimator_weights_(self) -> np.ndarray:
        """Coefficients of the weak rules, in order."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.weights

    @property
    def estimator_errors_(self) -> np.ndarray:
        """The booster's own measure of each round."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.errors

    @property
    def estimators_(self) -> list[Any]:
        """The weak rules, in order."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.each_rule

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature (d,) in the gains of all splits, each weighted by its rule's coefficient; sums to 1,
        or all 0 when nothing was split.
        """
        check_is_fitted(self, "_ensemble")
        return self._ensemble.importances(self.n_features_in_)
