"""From raw loans to features, as scikit-learn parts that are fitted on the training rows only and can be inspected.

The steps follow the paper's section "Real Application": columns with more than 30 % missing values go, means and modes
replace what is missing, categories become dummies, continuous columns are standardised. Which columns of a raw file are
no features at all is decided before, when it is read (:mod:`csboost.data.lending_club.raw.columns`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from csboost.data.errors import DataError
from csboost.data.lending_club.dummies import DummyEncoder


class DatesToAges(TransformerMixin, BaseEstimator):
    """Replace months by their age, in months, at the time of issue; the month of issue itself goes.

    Parameters
    ----------
    reference : str
        Column from which ages are counted back.

    Notes
    -----
    ``earliest_cr_line`` becomes ``earliest_cr_line_age``: for how many months the borrower had used credit. Nothing is
    learnt from the rows, so ``fit`` only notes the names.
    """

    def __init__(self, reference: str = "issue_d"):
        self.reference = reference

    def fit(self, X: pd.DataFrame, y: Any = None) -> DatesToAges:
        """Note which columns are dates."""
        dates = X.select_dtypes("datetime").columns
        if len(dates) and self.reference not in X:
            raise DataError(f"Ages of {', '.join(dates)} need the column {self.reference!r}, which is not there.")
        self.dates_ = [name for name in dates if name != self.reference]
        self.feature_names_in_ = np.array(X.columns, dtype=object)
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return a new frame with numbers in the place of dates."""
        check_is_fitted(self)
        ages = {f"{name}_age": _months_between(X[name], X[self.reference]) for name in self.dates_}
        return X.drop(columns=[self.reference, *self.dates_], errors="ignore").assign(**ages)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns that ``transform`` returns."""
        others = [name for name in self.feature_names_in_ if name not in (self.reference, *self.dates_)]
        return np.array([*others, *(f"{name}_age" for name in self.dates_)], dtype=object)


def _months_between(first: pd.Series, last: pd.Series) -> np.ndarray:
    difference = last.to_numpy("datetime64[M]") - first.to_numpy("datetime64[M]")
    return np.where(np.isnat(difference), np.nan, difference.astype(np.int64)).astype(np.float64)


class ColumnScreen(TransformerMixin, BaseEstimator):
    """Drop columns that are mostly missing or constant in the training rows.

    Parameters
    ----------
    max_missing : float
        Largest share of missing values that is kept; the paper has 0.3.

    Attributes
    ----------
    kept_ : list of str
    dropped_ : dict
        Reason for each dropped column.
    missing_ : dict
        Share of missing values of each column.
    """

    def __init__(self, max_missing: float = 0.3):
        self.max_missing = max_missing

    def fit(self, X: pd.DataFrame, y: Any = None) -> ColumnScreen:
        """Look at the training rows."""
        self.missing_: dict[str, float] = dict(zip(X.columns, X.isna().mean(), strict=True))
        self.dropped_ = {}
        for name, missing in self.missing_.items():
            if missing > self.max_missing:
                self.dropped_[name] = f"{missing:.0%} missing, more than {self.max_missing:.0%}"
            elif X[name].nunique(dropna=True) < 2:
                self.dropped_[name] = "constant in the training rows"
        self.kept_ = [name for name in X.columns if name not in self.dropped_]
        if not self.kept_:
            raise DataError("No column is left: each is constant or mostly missing in the training rows.")
        self.n_features_in_ = X.shape[1]
        self.feature_names_in_ = np.array(X.columns, dtype=object)
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return the kept columns."""
        check_is_fitted(self)
        return X[self.kept_]

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the kept columns."""
        return np.array(self.kept_, dtype=object)


def make_loan_preprocessor(max_missing: float = 0.3, min_share: float = 0.01) -> Pipeline:
    """Build the unfitted preprocessing of raw loans; fit it on the training rows only.

    Parameters
    ----------
    max_missing : float
        Columns with a larger share of missing values are dropped.
    min_share : float
        Levels of a category with a smaller share of the training rows are pooled into one dummy.

    Returns
    -------
    Pipeline
        Steps ``ages`` (dates become ages in months), ``screen`` (columns that are constant or mostly missing go) and
        ``features``, a ``ColumnTransformer`` that fills numbers with their mean and standardises them, and fills
        categories with their mode and makes dummies of them.
        DataFrame (n, columns) -> float64 ndarray (n, features); ``get_feature_names_out()`` gives the names, and
        ``describe_columns`` a list of what was kept and why the rest was not.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import data
    >>> loans = pd.DataFrame({"loan_amnt": [5.0, 9.0, 7.0], "purpose": pd.Categorical(["car", "car", "home"])})
    >>> data.make_loan_preprocessor().fit(loans).get_feature_names_out().tolist()
    ['loan_amnt', 'purpose_car', 'purpose_home']
    """
    numbers = Pipeline([("mean", SimpleImputer()), ("scale", StandardScaler())])
    features = ColumnTransformer(
        [
            ("numbers", numbers, make_column_selector(dtype_include="number")),
            ("dummies", DummyEncoder(min_share=min_share), make_column_selector(dtype_exclude="number")),
        ],
        verbose_feature_names_out=False,
    )
    return Pipeline([("ages", DatesToAges()), ("screen", ColumnScreen(max_missing)), ("features", features)])


def describe_columns(preprocessor: Pipeline) -> str:
    """Say which columns a fitted :func:`make_loan_preprocessor` keeps, and why it drops the others.

    Parameters
    ----------
    preprocessor : Pipeline
        From :func:`make_loan_preprocessor`, fitted.

    Returns
    -------
    str
        A line about what is kept, and one about each column that is not.

    Raises
    ------
    NotFittedError
        Before the preprocessor is fitted.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import data
    >>> loans = pd.DataFrame({"loan_amnt": [5.0, 9.0, 7.0], "policy": [1.0, 1.0, 1.0]})
    >>> print(data.describe_columns(data.make_loan_preprocessor().fit(loans)))
    Kept 1 columns, 1 features: loan_amnt.
    Dropped policy: constant in the training rows.
    """
    screen = preprocessor.named_steps["screen"]
    names = preprocessor.get_feature_names_out()
    lines = [f"Kept {len(screen.kept_)} columns, {len(names)} features: {', '.join(screen.kept_)}."]
    lines.extend(f"Dropped {name}: {reason}." for name, reason in screen.dropped_.items())
    return "\n".join(lines)
