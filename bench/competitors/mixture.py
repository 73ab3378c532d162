"""LightGBM in the procedure of csboost's own mixture, to tell apart what booster and procedure bring.

Five stratified folds, early stopping on log loss, five refits on all rows for 1.1 times the rounds, the mixture's own
regressions on the same folds, and weights from their out-of-fold probabilities.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state

from bench.competitors.form import Form
from bench.competitors.frames import numbered
from csboost import CostSensitiveClassifier
from csboost._inputs.categories import Categories
from csboost.angle.folds import FOLDS, deal
from csboost.mixture.linear import fit_linear, has_products, probabilities_of
from csboost.mixture.weights import mixture_weights
from csboost.problem import read_problem

REFITS = 5
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
        self.reader_, self.categories_ = CostSensitiveClassifier(), Categories()
        problem = read_problem(self.reader_, X, y, None, None, self.categories_)  # as the mixture reads its rows
        self.classes_, rng = problem.classes, check_random_state(self.random_state)
        folds = deal(problem.y, FOLDS, rng)
        X = numbered(X).reset_index(drop=True)
        trees, self.n_rounds_ = self._fit_folds(X, problem.y, folds)
        rounds = max(1, round(LONGER * self.n_rounds_))
        self.boosters_ = [self._trees(rounds, FOLDS + refit).fit(X, problem.y) for refit in range(REFITS)]
        categorical = self.categories_.mask(problem.X.shape[1])
        regressions = [
            fit_linear(problem, folds, categorical, rng, products=products)
            for products in (False, True)[: 1 + has_products(problem.X, categorical)]
        ]
        self.regressions_ = [regression.model for regression in regressions]
        held_out = [trees, *(regression.probabilities for regression in regressions)]
        self.weights_ = mixture_weights(held_out, problem.y, problem.weights)
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the weighted mean of the members' probabilities, shape (n, K)."""
        coded = self.categories_.transform(self.reader_, X)
        trees = np.mean([booster.predict_proba(numbered(X)) for booster in self.boosters_], axis=0)
        others = [probabilities_of(regression, coded, len(self.classes_)) for regression in self.regressions_]
        return np.einsum("m,mnk->nk", self.weights_, [trees, *others])

    def _trees(self, rounds: int, number: int) -> Any:
        from lightgbm import LGBMClassifier

        return LGBMClassifier(
            n_estimators=rounds, num_leaves=self.num_leaves, learning_rate=self.learning_rate, min_child_samples=5,
            reg_lambda=self.reg_lambda, feature_fraction_bynode=self.feature_fraction_bynode,
            random_state=100 * self.random_state % 2**30 + number, n_jobs=1, verbose=-1,
        )  # fmt: skip

    def _fit_folds(self, X: pd.DataFrame, y: np.ndarray, folds: np.ndarray) -> tuple[np.ndarray, int]:
        """Return out-of-fold probabilities (n, K), and the rounds after which their mean log loss is least."""
        from lightgbm import early_stopping

        models, curves = [], []
        for number in range(FOLDS):
            train, held = folds != number, folds == number
            model = self._trees(MOST_ROUNDS, number)
            watch = early_stopping(PATIENCE, verbose=False)
            model.fit(X[train], y[train], eval_set=[(X[held], y[held])], callbacks=[watch])
            curve = model.evals_result_["valid_0"]["multi_logloss"]
            models.append(model)
            curves.append(np.pad(curve, (0, MOST_ROUNDS - len(curve)), mode="edge"))
        rounds = int(np.mean(curves, axis=0).argmin()) + 1
        P = np.empty((len(y), len(self.classes_)))
        for number, model in enumerate(models):
            held = folds == number
            P[held] = model.predict_proba(X[held], num_iteration=rounds)
        return P, rounds


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
