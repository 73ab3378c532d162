"""The linear member: multinomial logistic regression on standardised numbers and one-hot categories."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from csboost.mixture.weights import log_loss_of
from csboost.problem import Problem

__all__ = ["Linear", "fit_linear", "probabilities_of"]

STRENGTHS = (0.003, 0.03, 0.3, 3.0)  # values of C that the folds choose among
MOST_ROWS = 50_000  # more do not make a linear model better, only slower
MOST_STEPS = 1000


class Linear(NamedTuple):
    """A fitted linear member."""

    model: Pipeline  # of scikit-learn, for coded rows; its classes are class numbers
    probabilities: np.ndarray  # (n, K) of rows by the fold that held them out; NaN for rows in none


def fit_linear(
    problem: Problem, folds: np.ndarray | None, categorical: np.ndarray, rng: np.random.RandomState
) -> Linear:
    """Fit the linear member to the rows of ``problem``; ``folds`` (n,) choose its strength, and ``categorical`` (d,)
    says which columns hold category numbers.
    """
    X, y, n_rows = problem.X.astype(np.float64), problem.y, len(problem.y)
    rows = np.arange(n_rows) if n_rows <= MOST_ROWS else np.sort(rng.permutation(n_rows)[:MOST_ROWS])
    weights = problem.weights / problem.weights.max()
    out_of_fold = np.full((n_rows, problem.n_classes), np.nan)
    # the rows' threads would wait for one another in such small products, and their number change the last bits
    with threadpool_limits(limits=1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        encoder = _encoder(categorical).fit(X[rows])
        Z, strength = encoder.transform(X[rows]), STRENGTHS[len(STRENGTHS) // 2]
        if folds is not None:
            tried = _try_strengths(Z, y[rows], weights[rows], folds[rows], problem.n_classes)
            losses = [log_loss_of(P, y[rows], weights[rows]) for P in tried]
            strength = STRENGTHS[int(np.argmin(losses))]
            out_of_fold[rows] = tried[int(np.argmin(losses))]
        model = _regression(strength).fit(Z, y[rows], sample_weight=weights[rows])
    return Linear(Pipeline([("columns", encoder), ("regression", model)]), out_of_fold)


def probabilities_of(model: Any, X: np.ndarray, n_classes: int) -> np.ndarray:
    """Probabilities (n, K) by a classifier of class numbers that may not have met all of them."""
    P = np.zeros((len(X), n_classes))
    P[:, model.classes_] = model.predict_proba(X)
    return P


def _encoder(categorical: np.ndarray) -> ColumnTransformer:
    """Numbers around 0 with a column that says where they are missing; categories one-hot, the missing one too."""
    imputer = SimpleImputer(add_indicator=True, keep_empty_features=True)
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(imputer, StandardScaler()), np.flatnonzero(~categorical)),
            ("categories", OneHotEncoder(handle_unknown="ignore", sparse_output=False), np.flatnonzero(categorical)),
        ]
    )


def _regression(strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=MOST_STEPS, warm_start=True)


def _try_strengths(
    Z: np.ndarray, y: np.ndarray, weights: np.ndarray, folds: np.ndarray, n_classes: int
) -> list[np.ndarray]:
    """Out-of-fold probabilities (n, K) of every strength; each starts from where the one before ended."""
    tried = [np.zeros((len(y), n_classes)) for _ in STRENGTHS]
    for fold in np.unique(folds):
        held, model = folds == fold, _regression(STRENGTHS[0])
        for P, strength in zip(tried, STRENGTHS, strict=True):
            model.set_params(C=strength).fit(Z[~held], y[~held], sample_weight=weights[~held])
            P[held] = probabilities_of(model, Z[held], n_classes)
    return tried
