"""Probabilities calibrated on held-out rows, by scikit-learn, for any classifier and labels of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import has_fit_parameter

from csboost._inputs.values import is_integer, listed

__all__ = ["calibrated", "weight_parameter"]

METHODS = ("temperature", "sigmoid", "isotonic")


def calibrated(
    estimator: Any, method: Any, cv: Any, labels: NDArray[Any], codes: NDArray[np.intp]
) -> CalibratedClassifierCV:
    """A calibrator to be fitted to class numbers ``codes`` (n,), whose ``estimator`` is fitted to the ``labels`` (K,)
    that they stand for. Its probabilities are those of all K classes in their order.
    """
    if method not in METHODS:
        raise ValueError(f"calibration must be None, 'temperature', 'sigmoid' or 'isotonic', got {method!r}")
    if not (hasattr(estimator, "predict_proba") or hasattr(estimator, "decision_function")):
        raise ValueError(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function, which could be calibrated."
        )
    counts = np.bincount(codes)
    if len(labels) < 2:
        raise ValueError(f"y holds only one class, {listed(labels.tolist())}; a classifier needs at least two classes.")
    if is_integer(cv) and counts.min() < cv:
        fewest = int(counts.argmin())
        raise ValueError(
            f"calibration holds out every row once in cv={cv} folds and needs as many rows of every class, but of "
            f"{listed([labels[fewest]])} there are {counts[fewest]}. Lower cv, or give calibration=None."
        )
    numbered = _Numbered(estimator, labels, method == "temperature")
    if get_config()["enable_metadata_routing"]:
        numbered.set_fit_request(sample_weight=True)
    return CalibratedClassifierCV(numbered, method=method, cv=cv)


def _offers(method: str) -> Any:
    """Offer a method where the estimator has it; scores are left out where probabilities are to be scaled."""

    def offered(numbered: _Numbered) -> bool:
        if method == "decision_function" and numbered.by_probability and hasattr(numbered.estimator, "predict_proba"):
            return False
        return hasattr(numbered.estimator, method)

    return available_if(offered)


class _Numbered(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """An estimator that learns labels and is told their numbers.

    scikit-learn scales the scores of whatever has ``decision_function``. But a temperature belongs to the logarithms of
    probabilities, and margins that were trained with costs are none: ``by_probability`` hides them.
    """

    def __init__(self, estimator: Any, labels: NDArray[Any], by_probability: bool) -> None:
        self.estimator = estimator
        self.labels = labels
        self.by_probability = by_probability

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> _Numbered:
        estimator = clone(self.estimator)
        present = np.bincount(y, minlength=len(self.labels)) > 0
        if self.by_probability and not present.all():
            raise ValueError(
                f"a fold of cv= trains without a row of {listed(self.labels[~present].tolist())}, and a temperature "
                "needs probabilities of every class: give folds with every class in every training part, such as "
                "cv=sklearn.model_selection.StratifiedKFold(5, shuffle=True)."
            )
        parameters = {} if sample_weight is None else {weight_parameter(estimator): sample_weight}
        self.estimator_ = estimator.fit(X, self.labels[y], **parameters)
        self.classes_ = np.searchsorted(self.labels, self.estimator_.classes_)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict(self, X: Any) -> NDArray[np.intp]:
        return np.searchsorted(self.labels, self.estimator_.predict(X))

    @_offers("predict_proba")
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return self.estimator_.predict_proba(X)

    @_offers("decision_function")
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        return self.estimator_.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = inner.input_tags, inner.classifier_tags
        return tags


def weight_parameter(estimator: Any) -> str:
    """Under which name ``estimator.fit`` takes the sample weights."""
    if isinstance(estimator, Pipeline) and not get_config()["enable_metadata_routing"]:
        name, last = estimator.steps[-1]
        if has_fit_parameter(last, "sample_weight"):
            return f"{name}__sample_weight"
    elif isinstance(estimator, Pipeline) or has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    raise ValueError(f"{type(estimator).__name__}.fit takes no sample_weight")
