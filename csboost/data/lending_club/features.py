"""Features of the embedded credit table: 16 numbers standardised, 4 categories as dummies, 83 columns in every draw."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

NUMBERS = (
    "funded_amnt", "annual_inc", "delinq_2yrs", "inq_last_6mths", "revol_util", "acc_now_delinq", "open_il_6m",
    "open_il_12m", "open_il_24m", "total_bal_il", "all_util", "inq_fi", "inq_last_12m", "delinq_amnt", "num_il_tl",
    "total_il_high_credit_limit",
)  # fmt: skip

# The levels are fixed here rather than learnt, so that a state which a small training set lacks keeps its column.
CATEGORIES = {
    "term": ("term_36", "term_60"),
    "addr_state": (
        "AK", "AL", "AR", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "KS", "KY", "LA",
        "MA", "MD", "ME", "MI", "MN", "MO", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK",
        "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VT", "WA", "WI", "WV", "WY",
    ),
    "verification_status": ("Not_Verified", "Source_Verified", "Verified"),
    "emp_length": (
        "emp_lt_1", "emp_1", "emp_2", "emp_3", "emp_4", "emp_5", "emp_6", "emp_7", "emp_8", "emp_9",
        "emp_ge_10", "emp_unk",
    ),
}  # fmt: skip


def make_credit_preprocessor(dtype: Any = np.float64) -> ColumnTransformer:
    """Build the unfitted transformer of the embedded table's 20 features; fit it on the training rows only.

    Numbers are standardised (a number that is constant in the training rows is only centred), categories become one 0/1
    column per level. The paper standardises continuous attributes only, and so does this: dummies stay 0 and 1.

    Parameters
    ----------
    dtype : numpy dtype
        Of the dummies; the numbers stay float64.

    Returns
    -------
    ColumnTransformer
        DataFrame (n, 20) -> ndarray (n, 83); ``get_feature_names_out()`` gives names such as ``addr_state_CA``.

    References
    ----------
    Kuhn, M., "modeldata: Data Sets Useful for Modeling Examples", R package, data set lending_club, MIT licence,
    https://modeldata.tidymodels.org.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> loans = data.load_lending_club()
    >>> data.make_credit_preprocessor().fit(loans.data[:500]).transform(loans.data[500:600]).shape
    (100, 83)
    """
    dummies = OneHotEncoder(
        categories=[list(levels) for levels in CATEGORIES.values()],
        handle_unknown="error",
        sparse_output=False,
        dtype=dtype,
    )
    return ColumnTransformer(
        [("numbers", StandardScaler(), list(NUMBERS)), ("dummies", dummies, list(CATEGORIES))],
        verbose_feature_names_out=False,
    )
