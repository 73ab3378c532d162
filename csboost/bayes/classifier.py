"""The Bayes rule on any classifier's probabilities, as a scikit-learn meta-estimator."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from csboost._inputs.labels import known_classes, label_array
from csboost._inputs.pipelines import last_step
from csboost._inputs.row_index import check_row_index
from csboost._inputs.weights import check_sample_weight
from csboost.bayes.calibrating import calibrated, weight_parameter
from csboost.bayes.rule import AnswersByBayesRule
from csboost.bayes.training_shares import training_shares
from csboost.costs.answers import resolve_answers
from csboost.costs.steps import check_stated_order


class BayesDecisionClassifier(MetaEstimatorMixin, AnswersByBayesRule):
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
    calibration : {"temperature", "sigmoid", "isotonic"} or None, default=None
        How probabilities are corrected by rows that were held out, with scikit-learn's ``CalibratedClassifierCV``. A
        temperature scales the logarithms of the estimator's probabilities; without ``predict_proba`` its scores are
        calibrated. None: probabilities are taken as they are.
    cv : int, splitter or iterable, default=5
        The folds that calibration holds out; the mean of that many fits decides. Used only with ``calibration``.

    Attributes
    ----------
    estimator_ : classifier
        The fitted clone; with ``calibration`` the fitted ``CalibratedClassifierCV``, whose classes are the numbers of
        ``classes_``.
    classes_ : ndarray of shape (K,)
        The class labels, sorted.
    answers_ : ndarray of shape (A,)
        What may be answered: ``classes_``, unless the costs are a table with other columns.
    cost_matrix_ : ndarray of shape (K, A)
        The costs as given, in the order of ``classes_`` and ``answers_``.
    class_prior_ : ndarray of shape (K,)
        Shares of the classes that the probabilities carry: those of the rows of ``fit``, with ``sample_weight`` and the
        estimator's ``class_weight`` (or the priors that it was told), its own or those of the last step of a Pipeline.
        Sigmoid and isotonic calibration undo the latter. Where an estimator deeper inside has such weights, these are
        shares of the rows alone, and ``decide`` with ``priors`` warns.
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
    Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017), "On calibration of modern neural networks", Proceedings
    of the 34th International Conference on Machine Learning, PMLR 70, 1321-1330 (the temperature).

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

    def __init__(self, estimator: Any, cost_matrix: Any = None, calibration: str | None = None, cv: Any = 5) -> None:
        self.estimator = estimator
        self.cost_matrix = cost_matrix
        self.calibration = calibration
        self.cv = cv

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
            When the estimator has no ``predict_proba`` or takes no ``sample_weight``, ``cost_matrix`` does not fit, or
            there are too few rows of a class to calibrate.

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
        estimator = self._fit_estimator(X, labels, sample_weight)
        classes = np.asarray(estimator.classes_) if self.calibration is None else np.unique(labels)
        check_stated_order(self.cost_matrix, classes.tolist(), known)
        order = None if known is None else known[0]
        answers = resolve_answers(self.cost_matrix, classes, known=order)
        # last, so that costs that do not fit leave no new classes beside the costs of an earlier fit
        self.estimator_, self.classes_, (self.cost_matrix_, self.answers_) = estimator, classes, answers
        codes, n = np.searchsorted(classes, np.ravel(labels)), len(labels)
        weights = np.ones(n) if sample_weight is None else check_sample_weight(sample_weight, n)
        fitted = self.estimator if self.calibration is not None else estimator
        self.class_prior_, self._prior_doubt = training_shares(fitted, self.calibration, classes, codes, weights)
        self._known = order
        doubt = self._probability_doubt()
        if doubt is not None:
            warnings.warn(doubt, stacklevel=2)
        return self

    def _fit_estimator(self, X: Any, labels: NDArray[Any], sample_weight: Any) -> Any:
        estimator = clone(self.estimator)
        if self.calibration is not None:
            classes, labels = np.unique(column_or_1d(labels, warn=True), return_inverse=True)
            estimator = calibrated(estimator, self.calibration, self.cv, classes, labels)
        elif not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"{type(estimator).__name__} has no predict_proba, which the Bayes rule needs; give "
                'calibration="sigmoid", or wrap it in sklearn.calibration.CalibratedClassifierCV'
            )
        parameters = {} if sample_weight is None else {weight_parameter(estimator): sample_weight}
        return estimator.fit(X, labels, **parameters)

    def _probability_doubt(self) -> str | None:
        inner = getattr(last_step(self.estimator_), "_probability_doubt", None)
        return None if inner is None else inner()

    def _shares_doubt(self) -> str | None:
        return self._prior_doubt

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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = inner.input_tags, inner.classifier_tags
        return tags
