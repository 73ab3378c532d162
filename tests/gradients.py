"""What the tests of gradient boosting share: short fits, and data on which classes overlap."""

from __future__ import annotations

import numpy as np
from cases import Hyperbola, easy

import csboost

LOSSES = ["multinomial", "guess-averse", "exponential", "logistic", "lum", Hyperbola()]


def gradient(**parameters):
    """One bag of few rounds on all rows, unless told otherwise."""
    return csboost.AngleGradientBoostingClassifier(
        **{"n_estimators": 5, "n_bags": 1, "n_iter_no_change": None, "random_state": 0, **parameters}
    )


def noisy(n=300, K=3, seed=0):
    """Classes that overlap, with some missing values: X (n, 4), y (n,)."""
    X, y = easy(n, K, seed)
    rng = np.random.default_rng(seed)
    X += rng.normal(size=X.shape)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y
