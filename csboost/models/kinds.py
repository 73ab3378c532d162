"""The classes whose objects a model file may hold. A name in a file leads to one of these, and nowhere else."""

from __future__ import annotations

import importlib
import inspect
from functools import cache
from importlib.util import resolve_name
from typing import Any

from sklearn.base import BaseEstimator

from csboost import _HOMES as _ESTIMATORS
from csboost.costs import _HOMES as _COSTS
from csboost.weak import _HOMES as _WEAK

__all__ = ["class_of", "name_of"]

#: Estimators are the public ones: a new booster is known by its entry there.
_PUBLIC = {"csboost": _ESTIMATORS, "csboost.costs": _COSTS, "csboost.weak": _WEAK}
#: What fits leave behind inside of them.
_PARTS = {
    "AbsentLoss": "csboost.models.absent",
    "Categories": "csboost._inputs.categories",
    "End": "csboost.ensemble",
    "Ensemble": "csboost.ensemble",
    "ExponentialLoss": "csboost.angle.losses",
    "Forest": "csboost.weak.forest",
    "GuessAverseLink": "csboost.link",
    "LargeMarginUnifiedLoss": "csboost.angle.losses",
    "LogisticLoss": "csboost.angle.losses",
    "MarginLink": "csboost.link",
    "MixtureLink": "csboost.link",
    "MultinomialLink": "csboost.link",
    "OddsLink": "csboost.link",
    "SoftmaxLink": "csboost.link",
    "_Answers": "csboost.weak.adapter",
}
#: scikit-learn's, as far as a few arrays and plain values are all that they hold.
_SKLEARN = {
    "ColumnTransformer": "sklearn.compose",
    "FunctionTransformer": "sklearn.preprocessing",
    "GaussianNB": "sklearn.naive_bayes",
    "LogisticRegression": "sklearn.linear_model",
    "MinMaxScaler": "sklearn.preprocessing",
    "MissingIndicator": "sklearn.impute",
    "OneHotEncoder": "sklearn.preprocessing",
    "OrdinalEncoder": "sklearn.preprocessing",
    "Pipeline": "sklearn.pipeline",
    "PolynomialFeatures": "sklearn.preprocessing",
    "SimpleImputer": "sklearn.impute",
    "StandardScaler": "sklearn.preprocessing",
    "make_column_selector": "sklearn.compose",
}


@cache
def _home(name: str) -> str | None:
    """The module of a class, by its name in a file."""
    for package, homes in _PUBLIC.items():
        if name in homes:
            return resolve_name(f".{homes[name]}", package)
    return _PARTS.get(name) or _SKLEARN.get(name)


@cache
def class_of(name: str) -> type[Any] | None:
    """The class that a file calls ``name``, or None where that is none of those that are made."""
    home = _home(name)
    found = None if home is None else getattr(importlib.import_module(home), name)
    known = inspect.isclass(found) and (name in _PARTS or name in _SKLEARN or issubclass(found, BaseEstimator))
    return found if known else None


def name_of(kind: type[Any]) -> str | None:
    """What a file calls a class, or None where it may hold no objects of it; subclasses are other classes."""
    return kind.__name__ if class_of(kind.__name__) is kind else None


def is_foreign(name: str) -> bool:
    """Whether a class is scikit-learn's, whose attributes may change from one version to the next."""
    return name in _SKLEARN
