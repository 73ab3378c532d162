"""The shares of the classes that a classifier's probabilities carry: those of its rows, with weights of all kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV

from csboost._inputs.pipelines import last_step
from csboost._inputs.weights import class_weights

__all__ = ["training_shares"]

REFITTED = ("sigmoid", "isotonic")  # calibration that brings probabilities to the shares of the rows
_BALANCED = ("balanced", "balanced_subsample")
_PRIORS = ("priors", "class_prior")  # what naive Bayes and discriminant analysis are told
_WEIGHTS = ("class_weight", "class_weights", "auto_class_weights", "scale_pos_weight", "is_unbalance", *_PRIORS)


def training_shares(
    estimator: Any, calibration: Any, classes: NDArray[Any], codes: NDArray[np.intp], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], str | None]:
    """Shares (K,) of the classes behind the probabilities of ``estimator``, and where they may be others, why.

    ``codes`` (n,) are the class numbers of its rows, ``weights`` (n,) theirs. A ``class_weight`` counts, and so do
    priors that the estimator was told, its own or those of the last step of a Pipeline.
    """
    K = len(classes)
    shares, last = class_weights(codes, weights, K), last_step(estimator)
    if calibration in REFITTED or (isinstance(last, CalibratedClassifierCV) and last.method in REFITTED):
        return shares, None
    unknown = next(_unknown(last), None)
    if unknown is not None:
        return shares, (
            f"{type(last).__name__} has {unknown}, and which shares of the classes its probabilities carry for that is "
            "not known: class_prior_ are those of the rows. Decide with csboost.decisions.decide and train_priors=, if "
            "you know them."
        )
    for name in _PRIORS:
        priors: Any = getattr(last, name, None)
        if np.shape(priors) == (K,):
            return np.asarray(priors, dtype=np.float64) / np.sum(priors), None
    if getattr(last, "fit_prior", True) is False:  # naive Bayes
        return np.full(K, 1.0 / K), None
    factors = _factors(last, classes, codes, weights)
    if factors is not None:
        shares = shares * factors / (shares @ factors)
    return shares, None


def _unknown(last: Any) -> Iterator[str]:
    """Parameters that weigh the classes in a way that is not known here, as text."""
    try:
        parameters = last.get_params(deep=True)
    except AttributeError:
        return
    for name, value in parameters.items():
        *inner, own = name.split("__")
        if own not in _WEIGHTS or value is None or (np.isscalar(value) and value in (False, 1)):
            continue
        balanced = isinstance(value, str) and value in _BALANCED
        known = own in _PRIORS or (own == "class_weight" and (isinstance(value, Mapping) or balanced))
        if inner or not known or _is_a(last, "SVC", "NuSVC"):  # which calibrate scores of their own
            yield f"{name}={value!r}"


def _factors(
    last: Any, classes: NDArray[Any], codes: NDArray[np.intp], weights: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """The weights (K,) of the classes by ``class_weight``, as scikit-learn has them."""
    given = getattr(last, "class_weight", None)
    if given is None:
        return None
    if isinstance(given, Mapping):
        return np.array([given.get(label, 1.0) for label in classes.tolist()], dtype=np.float64)
    # logistic regression balances the weights of the rows, others their number
    weighed = _is_a(last, "LogisticRegression")
    totals = np.bincount(codes, weights if weighed else None, minlength=len(classes))
    return np.divide(1.0, totals, out=np.zeros(len(classes)), where=totals > 0)


def _is_a(estimator: Any, *names: str) -> bool:
    """``isinstance`` by name, without an import."""
    return not {base.__name__ for base in type(estimator).__mro__}.isdisjoint(names)
