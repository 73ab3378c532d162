"""A search over parameters selects by cost, not by accuracy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import randint
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from csboost import costs, metrics, tune
from csboost.weak import CostTree

X = np.arange(60.0)[:, None]
Y = np.array(["poor", "good", "good"] * 20)
C = pd.DataFrame([[0, 1.0], [9, 0]], index=["good", "poor"], columns=["good", "poor"])
CONSTANT = costs.BayesDecisionClassifier(DummyClassifier(strategy="constant", constant="good"), C)
GRID = {"estimator__constant": ["good", "poor"]}


def test_the_cheapest_setting_is_taken_and_not_the_most_accurate():
    by_accuracy = GridSearchCV(DummyClassifier(strategy="constant"), {"constant": ["good", "poor"]}).fit(X, Y)
    assert by_accuracy.best_params_ == {"constant": "good"}
    found = tune(DummyClassifier(strategy="constant"), {"constant": ["good", "poor"]}, X, Y, cost_matrix=C)
    assert found.best_params_ == {"constant": "poor"}
    assert found.best_score_ == pytest.approx(-metrics.constant_costs(Y, C)["poor"])
    assert tune(CONSTANT, GRID, X, Y).best_params_ == {"estimator__constant": "poor"}  # costs of the model itself


def test_costs_of_every_row_decide_in_fits_and_scores_also_in_a_pipeline():
    dear = pd.DataFrame({"good": np.where(Y == "poor", 9.0, 0.0), "poor": np.where(Y == "good", 50.0, 0.0)})
    model = make_pipeline(StandardScaler(), CostTree(cost_matrix=C))
    grid = {"costtree__max_leaf_nodes": [2, 3]}
    found = tune(model, grid, X, Y, sample_cost=dear, cv=3)
    turned = tune(model, grid, X, Y, sample_cost=dear[["poor", "good"]], sample_weight=np.ones(60), cv=3)
    assert found.best_score_ == turned.best_score_ == -3.0  # a third of the rows is poor and taken for good
    alone = CostTree(found.best_params_["costtree__max_leaf_nodes"])
    np.testing.assert_array_equal(found.predict(X), alone.fit(X, Y, sample_cost=dear).predict(X))
    assert (found.predict(X) == "good").mean() > (tune(model, grid, X, Y, cv=3).predict(X) == "good").mean()


def test_settings_can_be_drawn():
    found = tune(CostTree(cost_matrix=C), {"max_leaf_nodes": randint(2, 20)}, X, Y, n_iter=3, cv=2, random_state=0)
    again = tune(CostTree(cost_matrix=C), {"max_leaf_nodes": randint(2, 20)}, X, Y, n_iter=3, cv=2, random_state=0)
    assert len(found.cv_results_["params"]) == 3
    assert found.cv_results_["params"] == again.cv_results_["params"]


def test_another_score_is_refused():
    with pytest.raises(ValueError, match="selects by cost and takes no scoring"):
        tune(CONSTANT, GRID, X, Y, scoring="accuracy")
