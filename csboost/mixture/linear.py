"""The linear members: multinomial logistic regression on standardised numbers and one-hot categories, and the same with
the products of every two numbers.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, PolynomialFeatures, StandardScaler
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from csboost.mixture.pooling import log_loss_of
from csboost.problem import Problem

__all__ = ["Linear", "fit_regressions", "probabilities_of"]

PLAIN, PRODUCTS = "logistic regression", "logistic regression, products"
STRENGTHS = (0.003, 0.03, 0.3, 3.0)  # values of C that the folds choose among
MOST_ROWS = 50_000  # more do not make a linear model better, only slower
MOST_STEPS = 1000
MOST_PRODUCTS = 400  # columns of numbers, squares and products; more cost much time
ROWS_PER_PRODUCT = 2  # with fewer rows the products only learn them by heart


class Linear(NamedTuple):
    """A fitted linear member."""

    model: Pipeline  # of scikit-learn, for coded rows; its classes are class numbers
    probabilities: np.ndarray  # (n, K) of rows by the fold that held them out; NaN for rows in none


def fit_regressions(
    problem: Problem,
    folds: np.ndarray | None,
    categorical: np.ndarray,
    rng: np.random.RandomState,
    *,
    products: bool = True,
) -> dict[str, Linear]:
    """Fit the linear members to the rows of ``problem``, by name.

    ``folds`` (n,) choose their strengths, ``categorical`` (d,) says which columns hold category numbers, and
    ``products`` whether a second one may see squares and products of the others: it does where as many rows can tell
    these apart.
    """
    X, n_rows = problem.X.astype(np.float64), len(problem.y)
    rows = np.arange(n_rows) if n_rows <= MOST_ROWS else np.sort(rng.permutation(n_rows)[:MOST_ROWS])
    indicator = indicators(X, categorical)
    # the rows' threads would wait for one another in such small products, and their number change the last bits
    with threadpool_limits(limits=1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = {PLAIN: _fit(problem, X, rows, folds, _encoder(categorical, indicator, products=False))}
        if products and _can_tell_products(n_rows, int((~categorical & ~indicator).sum())):
            found[PRODUCTS] = _fit(problem, X, rows, folds, _encoder(categorical, indicator, products=True))
    return found


def _fit(
    problem: Problem, X: np.ndarray, rows: np.ndarray, folds: np.ndarray | None, encoder: ColumnTransformer
) -> Linear:
    """One of them."""
    y, weights = problem.y[rows], (problem.weights / problem.weights.max())[rows]
    out_of_fold = np.full((len(X), problem.n_classes), np.nan)
    Z, strength = encoder.fit_transform(X[rows]), STRENGTHS[len(STRENGTHS) // 2]
    if folds is not None:
        strength, out_of_fold[rows] = _try_strengths(Z, y, weights, folds[rows], problem.n_classes)
    model = _regression(strength).fit(Z, y, sample_weight=weights)
    return Linear(Pipeline([("columns", encoder), ("regression", model)]), out_of_fold)


def _can_tell_products(n_rows: int, n_numbers: int) -> bool:
    """Whether so many rows can tell apart so many numbers with their squares and products."""
    n_columns = n_numbers * (n_numbers + 3) // 2
    return 0 < n_columns <= min(MOST_PRODUCTS, n_rows // ROWS_PER_PRODUCT)


def indicators(X: np.ndarray, categorical: np.ndarray) -> np.ndarray:
    """Which columns (d,) hold 0 and 1 alone: a name that was coded before. To give a rare one the variance of the
    numbers would be to trust it more than a common one.
    """
    return ~categorical & (np.isnan(X) | (X == 0) | (X == 1)).all(axis=0)


def probabilities_of(model: Any, X: np.ndarray, n_classes: int) -> np.ndarray:
    """Probabilities (n, K) by a classifier of class numbers that may not have met all of them."""
    P = np.zeros((len(X), n_classes))
    P[:, model.classes_] = model.predict_proba(X)
    return P


def _encoder(categorical: np.ndarray, indicator: np.ndarray, *, products: bool) -> ColumnTransformer:
    """Numbers around 0, with their products or with a column that says where they are missing; indicators as they are;
    categories one-hot, the missing one too. Numbers beyond those of the training rows count as the nearest of these: a
    mistyped one would be extrapolated to any certainty.
    """
    imputer = SimpleImputer(add_indicator=not products, keep_empty_features=True)
    steps = [imputer, MinMaxScaler(clip=True), StandardScaler()]
    if products:
        steps += [PolynomialFeatures(2, include_bias=False), StandardScaler()]
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(*steps), np.flatnonzero(~categorical & ~indicator)),
            ("indicators", imputer, np.flatnonzero(indicator)),
            ("categories", OneHotEncoder(handle_unknown="ignore", sparse_output=False), np.flatnonzero(categorical)),
        ]
    )


def _regression(strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=MOST_STEPS, warm_start=True)


def _try_strengths(
    Z: np.ndarray, y: np.ndarray, weights: np.ndarray, folds: np.ndarray, n_classes: int
) -> tuple[float, np.ndarray]:
    """The best strength and its out-of-fold probabilities (n, K). Each starts from where the one before ended, until
    one is no better: the greater ones take longest.
    """
    held_out = [folds == fold for fold in np.unique(folds)]
    models = [_regression(STRENGTHS[0]) for _ in held_out]
    best, least, found = STRENGTHS[0], np.inf, np.empty((0, n_classes))
    for number, strength in enumerate(STRENGTHS):
        P = np.zeros((len(y), n_classes))
        for held, model in zip(held_out, models, strict=True):
            model.set_params(C=strength).fit(Z[~held], y[~held], sample_weight=weights[~held])
            P[held] = probabilities_of(model, Z[held], n_classes)
        loss = log_loss_of(P, y, weights)
        if number and not loss < least:
            break
        best, least, found = strength, loss, P
    return best, found
