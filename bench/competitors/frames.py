"""From a data frame with categories and missing values to what a library takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

MISSING = "(missing)"
"""Name of the category of rows without one, for libraries that want text."""


def encoded(model: Any, *, impute: bool = False, scale: bool = False) -> Pipeline:
    """Put a model behind indicators of the categories, a missing one being a category of its own.

    Parameters
    ----------
    model : classifier
    impute : bool
        Replace missing numbers by the column's median; otherwise they stay NaN.
    scale : bool
        Give number columns mean 0 and variance 1.
    """
    steps = [
        *([SimpleImputer(strategy="median", keep_empty_features=True)] if impute else []),
        *([StandardScaler()] if scale else []),
    ]
    numbers = make_pipeline(*steps) if steps else "passthrough"
    indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = ColumnTransformer([
        ("numbers", numbers, make_column_selector(dtype_exclude="category")),
        ("categories", indicators, make_column_selector(dtype_include="category")),
    ])  # fmt: skip
    return make_pipeline(columns, model)


def numbered(X: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with columns ``x0``, ``x1``, ...: some libraries refuse names with signs in them."""
    return X.set_axis([f"x{j}" for j in range(X.shape[1])], axis="columns")


def native(model: Any) -> Pipeline:
    """Leave categories and missing values to a model that takes frames."""
    return make_pipeline(FunctionTransformer(numbered), model)


class CategoriesAsText(ClassifierMixin, BaseEstimator):
    """Give a library its categories as text, and say at ``fit`` which columns they are (``cat_features``).

    Parameters
    ----------
    classifier : classifier
        With ``fit(X, y, cat_features=...)``.
    """

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> CategoriesAsText:
        """Fit the classifier to X (n, d) and y (n,)."""
        text = self._as_text(X)
        categories = [name for name, kind in zip(text.columns, X.dtypes, strict=True) if kind == "category"]
        self.classifier.fit(text, y, cat_features=categories or None)
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the classifier's probabilities, shape (n, K)."""
        return np.asarray(self.classifier.predict_proba(self._as_text(X)))

    def _as_text(self, X: pd.DataFrame) -> pd.DataFrame:
        columns = {
            name: column.astype(object).where(column.notna(), MISSING) if column.dtype == "category" else column
            for name, column in numbered(X).items()
        }
        return pd.DataFrame(columns)
