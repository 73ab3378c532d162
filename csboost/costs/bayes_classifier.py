"""The Bayes rule on any classifier's probabilities, as a scikit-learn meta-estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from csboost._inputs.labels import known_classes, label_array
from csboost._inputs.row_index import check_row_index
from csboost.answering import AnsweringClassifier
from csboost.costs.answers import resolve_answers
from csboost.costs.gains import expected_costs


class BayesDecisionClassifier(MetaEstimatorMixin, AnsweringClassifier):
    """Give the answer of least expected cost under another classifier's probabilities.

    The classifier is trained without costs; costs enter the decision alone, ``argmin_a sum_j P_j C[j, a]``. Answers
    need not be classes.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier with ``predict_proba``; a clone of it is fitted.
    cost_matrix : None, str, array-like of shape (K, K), labelled table of shape (K, A) or CostTable
        What an answer costs, rows = truth, columns = answers, negative entries = gains: see
        :func:`csboost.costs.resolve_answers`.

    Attributes
    ----------
    estimator_ : classifier
        The fitted clone.
    classes_ : ndarray of shape (K,)
        The class labels, sorted.
    answers_ : ndarray of shape (A,)
        What may be answered: ``classes_``, unless the costs are a table with other columns.
    cost_matrix_ : ndarray of shape (K, A)
        The costs as given, in the order of ``classes_`` and ``answers_``.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where ``estimator_`` has them.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (the Bayes rule).

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from csboost import costs, data, metrics
    >>> X, y = data.make_waveform(2000, random_state=0)
    >>> model = costs.BayesDecisionClassifier(LogisticRegression(max_iter=1000), data.WAVEFORM_COSTS)
    >>> predicted = model.fit(X[:300], y[:300]).predict(X[300:])
    >>> metrics.mean_cost(y[300:], predicted, data.WAVEFORM_COSTS) < 0.25
    True
    """

    def __init__(self, estimator: Any, cost_matrix: Any = None) -> None:
        self.estimator = estimator
        self.cost_matrix = cost_matrix

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> BayesDecisionClassifier:
        """Fit a clone of ``estimator``.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features, as ``estimator`` takes them.
        y : array-like of shape (n,)
            Class labels.
        sample_weight : array-like of shape (n,), optional
            Handed on to the estimator (in a Pipeline: to its last step).

        Returns
        -------
        BayesDecisionClassifier
            The fitted classifier itself.

        Raises
        ------
        ValueError
            When the estimator has no ``predict_proba`` or takes no ``sample_weight``, or ``cost_matrix`` does not fit.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from csboost import costs, data
        >>> X, y = data.make_four_gaussians(300, random_state=0)
        >>> costs.BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y).classes_
        array([0, 1, 2, 3])
        """
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        check_row_index(X=X, y=y, sample_weight=sample_weight)
        labels, known = label_array(y), known_classes(y=y)
        check_classification_targets(labels)
        estimator = clone(self.estimator)
        if not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"{type(estimator).__name__} has no predict_proba, which the Bayes rule needs; wrap it in "
                "sklearn.calibration.CalibratedClassifierCV"
            )
        parameters = {} if sample_weight is None else {_weight_parameter(estimator): sample_weight}
        estimator = estimator.fit(X, labels, **parameters)
        classes = np.asarray(estimator.classes_)
        answers = resolve_answers(self.cost_matrix, classes, known=None if known is None else known[0])
        # last, so that costs that do not fit leave no new classes beside the costs of an earlier fit
        self.estimator_, self.classes_, (self.cost_matrix_, self.answers_) = estimator, classes, answers
        return self

    @property
    def n_features_in_(self) -> int:
        """Number of features seen in ``fit``."""
        return self._fitted_attribute("n_features_in_")

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the features seen in ``fit``."""
        return self._fitted_attribute("feature_names_in_")

    def _fitted_attribute(self, name: str) -> Any:
        # AttributeError, not NotFittedError: hasattr() must answer False before fit.
        if "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} is not fitted yet and has no {name}")
        return getattr(self.estimator_, name)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities of ``estimator_``; ``predict`` need not be their argmax when costs differ.

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
        NotFittedError
            Before ``fit``.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from csboost import costs, data
        >>> X, y = data.make_four_gaussians(300, random_state=0)
        >>> costs.BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y).predict_proba(X[:2]).shape
        (2, 4)
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def predict_expected_cost(self, X: Any) -> NDArray[np.float64]:
        """Expected cost of each answer, ``predict_proba(X) @ cost_matrix_``.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``.

        Returns
        -------
        ndarray of shape (n, A)
            In the unit of the costs, gains (negative) included, and the order of ``answers_``.

        Raises
        ------
        NotFittedError
            Before ``fit``.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from csboost import costs, data
        >>> X, y = data.make_four_gaussians(300, random_state=0)
        >>> model = costs.BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y)
        >>> bool((model.predict_expected_cost(X).argmin(axis=1) == model.predict(X)).all())
        True
        """
        return expected_costs(self.predict_proba(X), self.cost_matrix_)

    def predict(self, X: Any) -> NDArray[Any]:
        """The answer of least expected cost.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Features in the columns of ``fit``.

        Returns
        -------
        ndarray of shape (n,)
            Labels: entries of ``answers_``, the first of several whose costs tie.

        Raises
        ------
        NotFittedError
            Before ``fit``.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from csboost import costs, data
        >>> X, y = data.make_four_gaussians(300, random_state=0)
        >>> costs.BayesDecisionClassifier(GaussianNB(), "linear").fit(X, y).predict(X[:3]).shape
        (3,)
        """
        best = np.argmin(self.predict_expected_cost(X), axis=1)
        return self.answers_[best]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = inner.input_tags, inner.classifier_tags
        return tags


def _weight_parameter(estimator: Any) -> str:
    """Under which name ``estimator.fit`` takes the sample weights."""
    if isinstance(estimator, Pipeline) and not get_config()["enable_metadata_routing"]:
        name, last = estimator.steps[-1]
        if has_fit_parameter(last, "sample_weight"):
            return f"{name}__sample_weight"
    elif isinstance(estimator, Pipeline) or has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    raise ValueError(f"{type(estimator).__name__}.fit takes no sample_weight")
