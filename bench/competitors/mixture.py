"""LightGBM in the procedure of csboost's own mixture, to tell apart what booster and procedure bring.

Five stratified folds, early stopping on log loss, five refits on all rows for 1.1 times the rounds, a logistic
regression and one with products of two numbers on the same folds, and weights from their out-of-fold probabilities.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from bench.competitors.form import Form
from bench.competitors.frames import numbered
from bench.competitors.others import logistic_regression
from csboost.mixture.linear import STRENGTHS, has_products
from csboost.mixture.weights import mixture_weights

FOLDS = REFITS = 5
MOST_ROUNDS, PATIENCE, LONGER = 700, 25, 1.1


class LightGBMMixture(ClassifierMixin, BaseEstimator):
    """LightGBM and logistic regressions, mixed.

    Parameters
    ----------
    random_state : int
        Seeds folds and fits.
    num_leaves, learning_rate, feature_fraction_bynode, reg_lambda
        Of LightGBM; the defaults are those of csboost's own booster.
    """

    def __init__(
        self,
        random_state: int = 0,
        num_leaves: int = 8,
        learning_rate: float = 0.1,
        feature_fraction_bynode: float = 0.6,
        reg_lambda: float = 0.3,
    ) -> None:
        self.random_state = random_state
        self.num_leaves, self.learning_rate = num_leaves, learning_rate
        self.feature_fraction_bynode, self.reg_lambda = feature_fraction_bynode, reg_lambda

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> LightGBMMixture:
        """Fit the members to X (n, d) and y (n,), each class with at least five rows."""
        X, y = numbered(X).reset_index(drop=True), np.asarray(y)
        self.classes_ = np.unique(y)
        folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=self.random_state).split(X, y))
        trees, self.n_rounds_ = self._fit_folds(X, y, folds)
        rounds = max(1, round(LONGER * self.n_rounds_))
        self.boosters_ = [self._trees(rounds, FOLDS + refit).fit(X, y) for refit in range(REFITS)]
        self.regressions_, held_out = [], [trees]
        is_category = np.array([isinstance(kind, pd.CategoricalDtype) for kind in X.dtypes])
        for products in (False, True)[: 1 + has_products(len(y), is_category)]:
            P, C = self._choose_strength(X, y, folds, products)
            self.regressions_.append(logistic_regression(self.random_state, products=products, C=C).fit(X, y))
            held_out.append(P)
        self.weights_ = mixture_weights(held_out, np.searchsorted(self.classes_, y), np.ones(len(y)))
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the weighted mean of the members' probabilities, shape (n, K)."""
        X = numbered(X)
        trees = np.mean([booster.predict_proba(X) for booster in self.boosters_], axis=0)
        members = [trees, *(regression.predict_proba(X) for regression in self.regressions_)]
        return np.einsum("m,mnk->nk", self.weights_, members)

    def _trees(self, rounds: int, number: int) -> Any:
        from lightgbm import LGBMClassifier

        return LGBMClassifier(
            n_estimators=rounds, num_leaves=self.num_leaves, learning_rate=self.learning_rate, min_child_samples=5,
            reg_lambda=self.reg_lambda, feature_fraction_bynode=self.feature_fraction_bynode,
            random_state=100 * self.random_state % 2**30 + number, n_jobs=1, verbose=-1,
        )  # fmt: skip

    def _fit_folds(self, X: pd.DataFrame, y: np.ndarray, folds: list[Any]) -> tuple[np.ndarray, int]:
        """Return out-of-fold probabilities (n, K), and the rounds after which their mean log loss is least."""
        from lightgbm import early_stopping

        models, curves = [], []
        for number, (train, held) in enumerate(folds):
            model = self._trees(MOST_ROUNDS, number)
            watch = early_stopping(PATIENCE, verbose=False)
            model.fit(X.iloc[train], y[train], eval_set=[(X.iloc[held], y[held])], callbacks=[watch])
            curve = model.evals_result_["valid_0"]["multi_logloss"]
            models.append(model)
            curves.append(np.pad(curve, (0, MOST_ROUNDS - len(curve)), mode="edge"))
        rounds = int(np.mean(curves, axis=0).argmin()) + 1
        P = np.empty((len(y), len(self.classes_)))
        for model, (_, held) in zip(models, folds, strict=True):
            P[held] = model.predict_proba(X.iloc[held], num_iteration=rounds)
        return P, rounds

    def _choose_strength(
        self, X: pd.DataFrame, y: np.ndarray, folds: list[Any], products: bool
    ) -> tuple[np.ndarray, float]:
        """Return the out-of-fold probabilities (n, K) of the best strength, and that strength."""
        found = {}
        for C in STRENGTHS:
            P = np.empty((len(y), len(self.classes_)))
            for train, held in folds:
                model = logistic_regression(0, products=products, C=C).fit(X.iloc[train], y[train])
                P[held] = model.predict_proba(X.iloc[held])
            found[C] = P
        best = min(found, key=lambda C: log_loss(y, found[C], labels=self.classes_))
        return found[best], best


def _make(seed: int, **options: Any) -> LightGBMMixture:
    return LightGBMMixture(random_state=seed, **options)


LIGHTGBM_MIXTURE = Form(
    _make,
    (
        {},
        {"num_leaves": 4},
        {"num_leaves": 16},
        {"feature_fraction_bynode": 1.0},
        {"learning_rate": 0.05},
        {"reg_lambda": 3.0},
    ),
)
