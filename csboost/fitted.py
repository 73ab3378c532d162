"""What a fit of a booster leaves behind, and its use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from csboost.answering import AnsweringClassifier
from csboost.costs.gains import gains_of, with_gains
from csboost.decisions.mixin import Decides
from csboost.ensemble import Ensemble
from csboost.link.likelihood import MultinomialLink

if TYPE_CHECKING:
    from csboost._inputs.categories import Categories
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


class FittedBooster(Decides, AnsweringClassifier):
    """The half of every booster that uses what was fitted; it runs without Numba.

    All that a fit leaves behind is declared here.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The class labels, sorted.
    answers_ : ndarray of shape (A,)
        What may be answered.
    cost_matrix_ : ndarray of shape (K, A)
        The costs as given.
    class_prior_ : ndarray of shape (K,)
        Shares of the classes in training, weights included.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        When X had string column names.
    _ensemble : Ensemble
        The weak rules, what they answer and their coefficients.
    _link : Link or None
        From scores to probabilities and expected costs.
    _categories : Categories
        The categories of the columns of a DataFrame.
    """

    n_features_in_: int
    feature_names_in_: np.ndarray
    _ensemble: Ensemble
    _link: Link | None
    _categories: Categories

    n_jobs: int | None  # the one parameter that prediction knows
    _symmetric: ClassVar[bool] = True  # the simplex coding of labels

    def _no_link(self) -> str | None:
        """Why there are no probabilities, as a sentence; None where there are."""
        return None

    def _needs_classes(self) -> str | None:
        """Why only classes can be answered, as a sentence; None where other answers can be learnt too."""
        return None

    def _check_X(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "_ensemble")
        return self._categories.transform(self, X)

    def _choose(self, scores: np.ndarray) -> np.ndarray:
        """The numbers (n,) of the answers that scores lead to."""
        return scores.argmax(axis=1)

    def _answers(self, X: np.ndarray) -> np.ndarray:
        """The numbers (n,) of what is answered."""
        return self._ensemble.answers(X, effective_n_jobs(self.n_jobs))

    def _decision(self, scores: np.ndarray) -> np.ndarray:
        if len(self.answers_) > 2 or not self._answers_classes:
            return scores
        difference = scores[:, 1] - scores[:, 0]  # its sign is the argmax, ties and rounding included
        return 0.5 * difference if self._symmetric else difference

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the answers: for the angle boosters the margins ``<f(x), w_a>``.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n, A), or (n,) when the answers are two classes
            Larger is better. With two classes, the score of ``classes_[1]`` (positive: it is the answer). By likelihood
            they are scores of the classes; where the answers are others, minus their expected costs.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> from csboost import SAMMEClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> SAMMEClassifier(n_estimators=3).fit(X, y).decision_function(X).shape
        (300, 3)
        """
        X = self._check_X(X)
        return self._decision(self._ensemble.scores(X, effective_n_jobs(self.n_jobs)))

    def predict(self, X: Any) -> np.ndarray:
        """The answer of largest score, the first of several; by likelihood, the answer of least expected cost.

        For the angle boosters and p-norm boosting with ``hypothesis="label"`` it is the answer of least
        ``predict_expected_cost``, as it is for gradient boosting by likelihood. The scores of SAMME, AdaBoost.MH and
        AdaBoost.M2 are no expected costs: there it need not be.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

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
        >>> from csboost import SAMMEClassifier
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"]
        >>> SAMMEClassifier(n_estimators=3).fit(X, y).predict([[0.4], [2.6]]).tolist()
        ['A', 'B']
        """
        answers = self._answers(self._check_X(X))
        return self.answers_[answers]

    @_where_linked
    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities, as the booster's link estimates them from the scores (see the class's Notes).

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n, K)
            In the order of ``classes_``; rows sum to 1. With unequal costs ``predict`` need not answer the most
            probable class.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> from csboost import SAMMEClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> bool((abs(SAMMEClassifier(n_estimators=3).fit(X, y).predict_proba(X).sum(axis=1) - 1.0) < 1e-9).all())
        True
        """
        return self._estimate(X)[0]

    @_where_linked
    def predict_expected_cost(self, X: Any) -> np.ndarray:
        """Expected cost of each answer, ``predict_proba(X) @ cost_matrix_`` (see the class's Notes).

        For the angle boosters and p-norm boosting, its ``argmin`` along a row is what :meth:`predict` answers, but for
        answers that tie at a cost of 0. The one exception needs costs on the diagonal (an answer that others dominate,
        so that no probabilities make it the cheapest) or costs that span more than ten powers of ten.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``; NaN is a missing value.

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
        >>> from csboost import AngleAdaBoostClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> model = AngleAdaBoostClassifier("linear", n_estimators=3).fit(X, y)
        >>> bool((model.predict_expected_cost(X).argmin(axis=1) == model.predict(X)).all())
        True
        """
        return self._estimate(X)[1]

    def _estimate(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities (n, K) and expected costs (n, A)."""
        return self._estimate_checked(self._check_X(X))

    def _judge(self, X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        X = self._check_X(X)
        scores = self._ensemble.scores(X, effective_n_jobs(self.n_jobs))
        return *self._estimate_from(scores), self._choose(scores)

    def _prior_doubts(self) -> list[str]:
        if isinstance(self._link, MultinomialLink):
            return []
        return [
            f"the probabilities of {type(self).__name__} come from its scores through a link and not from a "
            "likelihood: priors estimated from them inherit their errors. Give priors if you know them, or decide by "
            "probabilities that are calibrated, such as those of CostSensitiveClassifier."
        ]

    def _probability_doubt(self) -> str | None:
        if not getattr(self._link, "leaves_open", False):
            return None
        return (
            f"the scores of {type(self).__name__} for {len(self.answers_)} answers do not determine the probabilities "
            f"of its {len(self.classes_)} classes under its cost table: those used here are one choice among many that "
            "fit. Fit the model with the table that is to decide, or take one that learns probabilities, such as "
            "CostSensitiveClassifier."
        )

    def _estimate_checked(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same of rows that are read already."""
        return self._estimate_from(self._ensemble.scores(X, effective_n_jobs(self.n_jobs)))

    def _estimate_from(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same from scores; the link knows of no gains."""
        assert self._link is not None  # or the methods are not there
        (P, costs), gains = self._link.estimate(scores), gains_of(self.cost_matrix_)
        return P, with_gains(costs, P @ gains) if gains.any() else costs

    @property
    def n_iter_(self) -> int:
        """Rounds kept."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.n_rounds

    @property
    def estimator_weights_(self) -> np.ndarray:
        """Coefficients of the weak rules in order, shape ``(n_iter_,)``."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.weights

    @property
    def estimator_errors_(self) -> np.ndarray:
        """The algorithm's own measure of each weak rule, shape ``(n_iter_,)``."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.errors

    @property
    def estimators_(self) -> list[Any]:
        """The weak rules, in order."""
        check_is_fitted(self, "_ensemble")
        return self._ensemble.each_rule

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature in the gains of all splits, shape (d,).

        A rule's gains count by its coefficient. The shares sum to 1, or are all 0 when nothing was split.
        """
        check_is_fitted(self, "_ensemble")
        return self._ensemble.importances(self.n_features_in_)
