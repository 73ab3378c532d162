"""One replication of a credit study: which loans train and which test, and the features made from them.

Every draw depends on the seed alone, so that competitors are compared on the same rows, and every statistic of the
features (means, scales, modes, levels) comes from the training rows alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Bunch

from csboost.data.errors import explained
from csboost.data.lending_club.features import make_credit_preprocessor
from csboost.data.lending_club.preprocessing import make_loan_preprocessor
from csboost.data.lending_club.splits import credit_split, full_split, grade_codes, paper_split


class Draw(NamedTuple):
    """Arrays of one replication; classes are codes 0..K-1 in the order of ``bunch.target_names`` (A = 0 ... G = 6).

    Attributes
    ----------
    X_train : ndarray of shape (n_train, d)
        Features of the training rows.
    y_train : ndarray of shape (n_train,), int64
        Their classes.
    X_test : ndarray of shape (n_test, d)
        Features of the test rows.
    y_test : ndarray of shape (n_test,), int64
        Their classes.
    test_weight : ndarray of shape (n_test,)
        How often each test row counts.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> X_train, y_train, X_test, y_test, test_weight = data.credit_draw(data.load_lending_club(), seed=0)
    >>> X_train.shape, X_test.shape
    ((420, 83), (9437, 83))
    """

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    test_weight: np.ndarray


def credit_draw(bunch: Bunch, seed: int, per_grade: int = 60) -> Draw:
    """Make one replication on the embedded table: 60 loans per grade train, all others test with equal grade weights.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club`.
    seed : int
        Of the replication: the same seed gives the same rows.
    per_grade : int
        Training loans of each grade; 60 gives the paper's 420 (4 % of 10,500).

    Returns
    -------
    Draw
        ``X_train`` (420, 83) and ``X_test`` (n, 83) in float64, C order; codes; ``test_weight`` (n,), of mean 1.

    Raises
    ------
    DataError
        If a grade has too few loans to train and test on.

    References
    ----------
    Kuhn, M., "modeldata: Data Sets Useful for Modeling Examples", R package, data set lending_club, MIT licence,
    https://modeldata.tidymodels.org.
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> draw = data.credit_draw(data.load_lending_club(), seed=0)
    >>> draw.X_train.shape, round(float(draw.test_weight.mean()), 6)
    ((420, 83), 1.0)
    """
    train, test, weight = credit_split(bunch, seed, per_grade)
    return assemble(make_credit_preprocessor(), bunch, train, test, weight)


@explained
def paper_draw(
    bunch: Bunch,
    seed: int,
    per_grade: int = 1500,
    train_fraction: float = 0.04,
    preprocessor: BaseEstimator | None = None,
) -> Draw:
    """Make one replication of the paper's credit example on raw loans.

    A subsample with as many loans of each grade is drawn; a small part of it trains, the rest tests.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club` with paths.
    seed : int
        Of the replication: the same seed gives the same rows.
    per_grade : int
        Loans of each grade in the subsample.
    train_fraction : float
        Share of the subsample that trains: 0.04 of 7 x 1,500 is 420. It is taken from each grade alike, so that no
        grade can be missing; the paper does not say that it did so.
    preprocessor : transformer or None
        Unfitted; None stands for :func:`make_loan_preprocessor`. It is fitted in place, so it can be inspected
        afterwards.

    Returns
    -------
    Draw
        Features in float64, C order; ``test_weight`` is 1 throughout, as the grades are balanced.

    Raises
    ------
    DataError
        If a grade has fewer than ``per_grade`` loans, or the fraction leaves a grade without a row on one side.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").

    Examples
    --------
    >>> from csboost import data
    >>> loans, features = data.load_lending_club(), data.make_credit_preprocessor()  # raw files need no preprocessor
    >>> draw = data.paper_draw(loans, seed=0, per_grade=50, train_fraction=0.4, preprocessor=features)
    >>> draw.X_train.shape, draw.X_test.shape
    ((140, 83), (210, 83))
    """
    train, test = paper_split(bunch, seed, per_grade, train_fraction)
    return assemble(preprocessor or make_loan_preprocessor(), bunch, train, test, np.ones(len(test)))


@explained
def full_draw(
    bunch: Bunch,
    seed: int,
    test_size: float = 0.2,
    dtype: type = np.float32,
    preprocessor: BaseEstimator | None = None,
) -> Draw:
    """Split all loans into training and test rows (see :func:`full_split`) and make their features.

    Parameters
    ----------
    bunch : Bunch
        From :func:`csboost.data.load_lending_club`.
    seed : int
        Of the replication: the same seed gives the same rows.
    test_size : float
        Share of the loans that test.
    dtype : numpy dtype
        Of the features; float32 halves the memory.
    preprocessor : transformer or None
        Unfitted; None stands for :func:`make_loan_preprocessor`. It is fitted in place, so it can be inspected
        afterwards.

    Returns
    -------
    Draw
        ``test_weight`` is 1 throughout: a loan counts as often as it occurs.

    Raises
    ------
    DataError
        If a grade is absent or has too few loans to be split.

    References
    ----------
    Yang, Y., Guo, Y. and Chang, X. (2021), "Angle-based cost-sensitive multicategory classification", Computational
    Statistics & Data Analysis 156, 107107, doi:10.1016/j.csda.2020.107107 (section "Real Application").
    Kuhn, M., "modeldata: Data Sets Useful for Modeling Examples", R package, data set lending_club, MIT licence,
    https://modeldata.tidymodels.org.

    Examples
    --------
    >>> from csboost import data
    >>> draw = data.full_draw(data.load_lending_club(), seed=0)
    >>> draw.X_train.shape, draw.X_test.dtype
    ((7885, 83), dtype('float32'))
    """
    train, test = full_split(bunch, seed, test_size)
    if preprocessor is None:
        preprocessor = make_credit_preprocessor() if bunch.source == "embedded" else make_loan_preprocessor()
    return assemble(preprocessor, bunch, train, test, np.ones(len(test)), dtype)


def assemble(
    preprocessor: Any,
    bunch: Bunch,
    train: np.ndarray,
    test: np.ndarray,
    weight: np.ndarray,
    dtype: type = np.float64,
) -> Draw:
    """Fit ``preprocessor`` on the training rows, apply it to both parts and return the arrays in C order."""
    codes = grade_codes(bunch)
    X_train: np.ndarray = np.ascontiguousarray(preprocessor.fit_transform(bunch.data.iloc[train]), dtype=dtype)
    X_test: np.ndarray = np.ascontiguousarray(preprocessor.transform(bunch.data.iloc[test]), dtype=dtype)
    return Draw(X_train, codes[train], X_test, codes[test], weight)
