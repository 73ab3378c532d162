"""Find columns that give the label away: a single column should not be able to tell seven grades apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from csboost.data.errors import DataError

_AMOUNTS = ("loan_amnt", "funded_amnt")


def single_column_accuracy(data: pd.DataFrame, target: pd.Series, max_rows: int = 4000, seed: int = 0) -> pd.Series:
    """Measure how well each column alone tells the label.

    Parameters
    ----------
    data : DataFrame of shape (n, d)
        Numbers, categories, strings or dates; missing values allowed.
    target : Series of shape (n,)
        Labels; each at least twice.
    max_rows : int
        A random sample of so many rows is used at most.
    seed : int
        Of the sample and its halves.

    Returns
    -------
    Series of shape (d,)
        Balanced accuracy, on one half of the rows, of a tree of at most 80 leaves grown on the other half, highest
        first; 1 / K is chance. A number is also tried in proportion to the amount of the loan, since an instalment
        tells the rate only so.

    Raises
    ------
    ValueError
        When a label occurs only once.

    References
    ----------
    Kaufman, S., Rosset, S., Perlich, C. and Stitelman, O. (2012), "Leakage in data mining: formulation, detection, and
    avoidance", ACM Transactions on Knowledge Discovery from Data 6(4), 15, doi:10.1145/2382577.2382579.

    Examples
    --------
    >>> from csboost import data
    >>> loans = data.load_lending_club()
    >>> data.single_column_accuracy(loans.leaks, loans.target).round(1)
    sub_grade    1.0
    int_rate     1.0
    Class        0.2
    dtype: float64
    """
    rows = np.random.default_rng(seed).permutation(len(data))[:max_rows]
    data, labels = data.iloc[rows], target.iloc[rows].astype(str).to_numpy()
    amount = next((data[name].to_numpy(float) for name in _AMOUNTS if name in data), None)
    train, test = train_test_split(np.arange(len(labels)), test_size=0.5, random_state=seed, stratify=labels)
    scores = {}
    for name in data.columns:
        values = _as_numbers(data[name])
        X = values[:, None] if amount is None or name in _AMOUNTS else np.column_stack([values, values / amount])
        tree = DecisionTreeClassifier(max_leaf_nodes=80, class_weight="balanced", random_state=seed)
        scores[name] = balanced_accuracy_score(labels[test], tree.fit(X[train], labels[train]).predict(X[test]))
    return pd.Series(scores, dtype=float).sort_values(ascending=False)


def check_leakage(data: pd.DataFrame, target: pd.Series, threshold: float = 0.6) -> None:
    """Raise :class:`DataError` if a single column tells the label with a balanced accuracy above ``threshold``.

    On the embedded table the interest rate and the sub-grade reach more than 0.9, every feature less than 0.4.

    Parameters
    ----------
    data : DataFrame of shape (n, d)
        Numbers, categories, strings or dates; missing values allowed.
    target : Series of shape (n,)
        Labels; each at least twice.
    threshold : float
        Balanced accuracy, between chance, 1 / K, and 1.

    Raises
    ------
    DataError
        It names the columns and their accuracy.

    References
    ----------
    Kaufman, S., Rosset, S., Perlich, C. and Stitelman, O. (2012), "Leakage in data mining: formulation, detection, and
    avoidance", ACM Transactions on Knowledge Discovery from Data 6(4), 15, doi:10.1145/2382577.2382579.

    Examples
    --------
    >>> from csboost import data
    >>> loans = data.load_lending_club()
    >>> data.check_leakage(loans.data, loans.target)
    >>> try:
    ...     data.check_leakage(loans.leaks, loans.target)
    ... except data.DataError as error:
    ...     print("int_rate" in str(error))
    True
    """
    scores = single_column_accuracy(data, target)
    leaks = [f"{name} ({score:.2f})" for name, score in scores.items() if score > threshold]
    if leaks:
        raise DataError(f"These columns give the label away on their own (balanced accuracy): {', '.join(leaks)}.")


def _as_numbers(column: pd.Series) -> np.ndarray:
    if pd.api.types.is_datetime64_any_dtype(column):
        return column.to_numpy("datetime64[s]").astype(np.int64).astype(float)
    if pd.api.types.is_numeric_dtype(column):
        return column.to_numpy(float)
    return column.astype("category").cat.codes.to_numpy(float)
