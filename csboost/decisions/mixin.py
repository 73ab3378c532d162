"""The method ``decide`` of fitted models that have probabilities."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from sklearn.utils.metaestimators import available_if

if TYPE_CHECKING:
    from csboost.decisions.decision import Decision

__all__ = ["Decides"]

Method = TypeVar("Method", bound=Callable[..., Any])


def _has_probabilities(model: Any) -> bool:
    """Whether a model has probabilities; an AttributeError says why it has not."""
    return callable(model.predict_proba)


def _where_probable(method: Method) -> Method:
    """Offer a method only where there are probabilities, with its types kept: scikit-learn itself has none."""
    offered: Method = available_if(_has_probabilities)(method)
    return offered


class Decides:
    """The part of a fitted model that decides otherwise than it was fitted.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    answers_ : ndarray of shape (A,)
    cost_matrix_ : ndarray of shape (K, A)
    class_prior_ : ndarray of shape (K,)
        Shares of the classes in training, weights included.
    """

    classes_: np.ndarray
    answers_: np.ndarray
    cost_matrix_: np.ndarray
    class_prior_: np.ndarray
    _known: Sequence[Any] | None  # all classes in the order that y declared, where it did

    if TYPE_CHECKING:

        def predict_proba(self, X: Any) -> np.ndarray:
            """Class probabilities (n, K)."""

        def predict(self, X: Any) -> np.ndarray:
            """The model's own answers."""

    def _judge(self, X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Probabilities (n, K), expected costs (n, A) and places (n,) of what ``predict`` answers in ``answers_``."""
        raise NotImplementedError

    def _prior_doubts(self) -> list[str]:
        """Why these probabilities should not be trusted to tell the shares of classes, as sentences."""
        return []

    def _probability_doubt(self) -> str | None:
        """Why ``predict_proba`` serves the model's own table alone, as a sentence."""
        return None

    def _shares_doubt(self) -> str | None:
        """Why ``class_prior_`` may not be the shares that the probabilities carry, as a sentence."""
        return None

    @_where_probable
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of ``predict_proba``; minus infinity where a probability is 0.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``.

        Returns
        -------
        ndarray of shape (n, K)
            In the order of ``classes_``.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features that do not fit.

        Examples
        --------
        >>> import numpy as np
        >>> from csboost import SAMMEClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> model = SAMMEClassifier(n_estimators=3).fit(X, y)
        >>> bool((np.exp(model.predict_log_proba(X)).argmax(axis=1) == model.predict_proba(X).argmax(axis=1)).all())
        True
        """
        with np.errstate(divide="ignore"):  # a class that no row of a leaf has
            return np.log(self.predict_proba(X))

    @_where_probable
    def decide(
        self,
        X: Any,
        cost_matrix: Any = None,
        sample_cost: Any = None,
        priors: Any = None,
        limits: Any = None,
    ) -> Decision:
        """Answers under other costs than those of the fit, other shares of the classes, or limits, without a refit.

        With ``X`` alone these are the answers of ``predict``. Anything else is decided by expected costs, on
        ``predict_proba``: see :func:`csboost.decisions.decide`. A model that weighs costs while it learns (all boosters
        but gradient boosting by likelihood) knows best what its own table asks for: its probabilities are worked out
        from that, and for a table that draws the lines elsewhere a refit may cost less. Where costs enter the decision
        alone (gradient boosting by likelihood, the mixture, the Bayes rule) a refit changes nothing. The guide has
        figures. Margins of fewer answers than classes leave the probabilities open: let those models decide by their
        own table; with anything else they warn.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``.
        cost_matrix : str, array-like of shape (K, A), labelled table or CostTable, optional
            What an answer costs, rows = truth, columns = answers, which need not be classes; by default that of the
            fit. An array is in the order of ``classes_``; one that is not square names no answers, so that these are
            the numbers of its columns, even where there are as many as in ``answers_``: give a DataFrame or a CostTable
            with ``answers=`` for names.
        sample_cost : CostTables, array-like of shape (n, K, A) or dict, optional
            Costs that differ from row to row: ``{(truth, answer): costs (n,)}`` for the entries that do,
            ``{answer: costs (n,)}`` for what an answer costs whatever the truth, or a table for each row: a
            :class:`~csboost.costs.CostTables` says its classes and answers, an array has them in the order of
            ``classes_`` and of the answers.
        priors : array-like of shape (K,), mapping, Series or "estimate", optional
            Shares of the classes among these rows; those of the training are ``class_prior_``. ``"estimate"``: from
            these rows, by :func:`csboost.decisions.estimate_priors`.
        limits : dict or Series, optional
            How often answers may be given, such as ``{"human": 0.05, "urgent": 20, "dismiss": (10, None)}``; 1.0 is all
            rows, 1 a single one: see :func:`csboost.decisions.decide`. With them rows are decided by expected costs,
            also where no limit binds: of SAMME and AdaBoost.MH, whose ``predict`` is no answer of least expected cost,
            that changes answers.

        Returns
        -------
        Decision
            An array (n,) of answers, with what they are expected to cost; it keeps the index of X.

        Raises
        ------
        NotFittedError, ValueError
            Before ``fit``; for features, costs, shares or limits that do not fit.

        Warns
        -----
        UserWarning
            With ``priors="estimate"``, where the estimate is doubtful, or the probabilities come from scores through a
            link and not from a likelihood. With any ``priors``, where weights of classes inside the model leave open
            which shares its probabilities carry. Where the scores of fewer answers than classes leave the probabilities
            open, and another table, costs per row, priors or limits decide by them.

        Examples
        --------
        >>> from csboost import CostSensitiveClassifier, data
        >>> X, y = data.make_waveform(300, random_state=0)
        >>> model = CostSensitiveClassifier(effort="fast", random_state=0).fit(X, y)
        >>> bool((model.decide(X) == model.predict(X)).all())
        True
        >>> decision = model.decide(X, data.WAVEFORM_COSTS, limits={0: 0.1})
        >>> decision.counts[0], decision.shadow_prices[0] > 0
        (30, True)
        """
        from csboost.decisions.model import decided  # pandas and an optimiser, which predict does without

        decision, doubts = decided(self, X, cost_matrix, sample_cost, priors, limits)
        for doubt in doubts:
            warnings.warn(doubt, stacklevel=2)
        return decision
