"""All that a fitted model says of some rows, to be compared bit by bit."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

METHODS = ("decision_function", "predict", "predict_proba", "predict_expected_cost", "decide", "apply")
STAGED = ("staged_decision_function", "staged_predict")
ATTRIBUTES = (
    "classes_", "answers_", "cost_matrix_", "class_prior_", "feature_importances_", "estimator_weights_",
    "estimator_errors_", "n_iter_", "n_features_in_", "feature_names_in_", "margin_scale_", "best_iteration_",
    "oof_probabilities_", "weights_", "n_leaves_",
)  # fmt: skip


def of(model, X, y=None):
    """Every prediction and fitted attribute that there is, by name."""
    found = {name: getattr(model, name)(X) for name in METHODS if hasattr(model, name)}
    for name in STAGED:
        if hasattr(model, name):
            found |= {f"{name}, round {m}": part for m, part in enumerate(getattr(model, name)(X))}
    if y is not None and hasattr(model, "staged_cost"):
        found["staged_cost"] = model.staged_cost(X, y)
    found |= {name: getattr(model, name) for name in ATTRIBUTES if hasattr(model, name)}
    return found


def parameters_of(model):
    """Its parameters as plain values, so that they can be compared."""
    return {name: plain(value) for name, value in model.get_params(deep=False).items()}


def plain(value):
    if isinstance(value, BaseEstimator):
        return type(value), parameters_of(value)
    if isinstance(value, np.random.RandomState):
        return [part.tolist() if isinstance(part, np.ndarray) else part for part in value.get_state()]
    if isinstance(value, pd.DataFrame):
        return value.to_dict()
    return value.tolist() if isinstance(value, np.ndarray) else value


def assert_same(found, wanted):
    """The same names, types and bits."""
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        other = found[name]
        assert type(other) is type(value), name
        if isinstance(value, np.ndarray):
            assert (other.dtype, other.shape) == (value.dtype, value.shape), name
            same = other.tolist() == value.tolist() if value.dtype.hasobject else other.tobytes() == value.tobytes()
            assert same, name
        elif isinstance(value, pd.Index):
            assert other.identical(value), name
        else:
            assert other == value, name
