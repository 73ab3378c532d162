"""Tables whose columns are not just the classes, and every model that takes them, for the tests of answers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import ANGLE, easy, make
from sklearn.linear_model import LogisticRegression

import csboost
from csboost.costs import BayesDecisionClassifier
from csboost.weak import CostTree

NAMES = np.array(["good", "fair", "poor"])
HUMAN = pd.DataFrame(
    [[0.0, 3.0, 1.5, 1.0], [6.0, 0.0, 2.0, 1.0], [2.5, 2.0, 0.0, 1.0]],
    index=["good", "poor", "fair"],
    columns=["good", "poor", "fair", "human"],
)
TRIAGE = pd.DataFrame({"dismiss": [0.0, 2.6, 8.0], "biopsy": [3.5, 2.5, 1.0]}, index=["good", "fair", "poor"])
SOME = HUMAN[["good", "poor"]]
WIDE = HUMAN.assign(wait=[0.4, 4.0, 1.0], call=[1.2, 0.8, 1.1])
TABLES = {"human": HUMAN, "none": TRIAGE, "some": SOME, "wide": WIDE}
tables = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)

BOOSTERS = [*ANGLE, "pnorm", "pnorm-2.5", "pnorm-fixed"]


def gradient(**options):
    return csboost.AngleGradientBoostingClassifier(
        **{"n_bags": 1, "n_iter_no_change": None, "n_estimators": 60, "max_features": 1.0, "random_state": 0, **options}
    )


MODELS = {
    **{name: make(name) for name in BOOSTERS},
    "gradient": gradient(n_estimators=5),
    "gradient, logistic": gradient(n_estimators=5, loss="logistic"),
    "mixture": csboost.CostSensitiveClassifier(effort="fast", random_state=0),
    "bayes": BayesDecisionClassifier(LogisticRegression()),
    "tree": CostTree(),
}
models = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
X, CODES = easy(90)
Y = NAMES[CODES]

# Cells of rows whose classes are known, and so what every answer costs there on average.
CELLS = np.repeat(np.arange(6.0), 30)
SHARES = [[26, 3, 1], [14, 10, 6], [3, 24, 3], [4, 12, 14], [1, 2, 27], [10, 10, 10]]
CELL_Y = np.concatenate([np.repeat(NAMES, counts) for counts in SHARES])
CELL_X = np.arange(6.0)[:, None]


def by_the_bayes_rule(table):
    """Expected costs (cells, A) and the cheapest answers."""
    P = pd.DataFrame(np.array(SHARES) / 30, columns=NAMES)
    expected = P @ table.loc[NAMES]
    return expected, expected.idxmin(axis=1).to_numpy()
