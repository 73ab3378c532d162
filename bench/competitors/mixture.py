"""LightGBM in the procedure of csboost's own mixture, to tell apart what booster and procedure bring.

Five stratified folds, early stopping on log loss, five refits on all rows for 1.1 times the rounds, the mixture's own
regressions on the same folds, and the same pool of their out-of-fold probabilities.
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
from csboost.mixture.linear import fit_regressions, probabilities_of
from csboost.mixture.pooling import pool, pooled
from csboost.problem import read_problem

REFITS = 5
MOST_ROUNDS, PATIENCE, LONGER = 700, 25, 1.1


class Regressions:
    """The regressions of csboost's own mixture, fitted to X (n, d) and y (n,).

    Attributes
    ----------
    classes : ndarray (K,)
    y : ndarray (n,)
        Numbers of the classes.
    folds : ndarray (n,)
        The fold of each row, that of the mixture with this seed.
    models : list of Pipeline
    held_out : list of ndarray (n, K)
        Each one's probabilities of the rows of a fold when it was fitted to the others.
    """

    def __init__(self, X: pd.DataFrame, y: np.ndarray, seed: int) -> None:
        self._reader, self._categories = CostSensitiveClassifier(), Categories()
        problem, rng = read_problem(self._reader, X, y, None, None, self._categories), check_random_state(seed)
        self.classes, self.y, self.folds = problem.classes, problem.y, deal(problem.y, FOLDS, rng)
        categorical = self._categories.mask(problem.X.shape[1])
        found = fit_regressions(problem, self.folds, categorical, rng).values()
        self.models, self.held_out = [each.model for each in found], [each.probabilities for each in found]

    def predict_proba(self, X: pd.DataFrame) -> list[np.ndarray]:
        """Return the probabilities (n, K) of each."""
        coded = self._categories.transform(self._reader, X)
        return [probabilities_of(model, coded, len(self.classes)) for model in self.models]


class LightGBMMixture(ClassifierMixin, BaseEstimator):
    """LightGBM and logistic regressions, pooled.

    Parameters
    ----------
    random_state : int
        Seeds folds and fits.
    num_leaves, learning_rate, feature_fraction_bynode, reg_lambda
        Of LightGBM, with trees as large as those of csboost's own booster.
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
        self.regressions_ = Regressions(X, y, self.random_state)
        self.classes_, codes, folds = self.regressions_.classes, self.regressions_.y, self.regressions_.folds
        X = numbered(X).reset_index(drop=True)
        trees, self.n_rounds_ = self._fit_folds(X, codes, folds)
        rounds = max(1, round(LONGER * self.n_rounds_))
        self.boosters_ = [self._trees(rounds, FOLDS + refit).fit(X, codes) for refit in range(REFITS)]
        self.pool_ = pool([trees, *self.regressions_.held_out], codes, np.ones(len(codes)))
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the members' probabilities, pooled, shape (n, K)."""
        trees = np.mean([booster.predict_proba(numbered(X)) for booster in self.boosters_], axis=0)
        return pooled([trees, *self.regressions_.predict_proba(X)], self.pool_.exponents)

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
