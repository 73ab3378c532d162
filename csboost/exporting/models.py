"""Models as graphs: boosters, the mixture, the Bayes rule around a member, and pipelines that end in one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline

from csboost.bayes.classifier import BayesDecisionClassifier
from csboost.exporting.columns import Columns, with_codes
from csboost.exporting.deciding import Outcome, by_bayes_rule, of_booster, probabilities_of
from csboost.exporting.steps import transformed
from csboost.exporting.trees import scores_of
from csboost.fitted import FittedBooster
from csboost.mixture.fitted import FittedMixture
from csboost.mixture.pooling import DOUBT

__all__ = ["last_of", "outcome_of"]


def last_of(model: Any) -> Any:
    """The classifier at the end of a pipeline, or the model itself."""
    return last_of(model.steps[-1][1]) if isinstance(model, Pipeline) else model


def outcome_of(model: Any, columns: Columns) -> Outcome:
    """What a fitted model says of the columns.

    Raises
    ------
    ValueError
        For a model that cannot be written.
    """
    if isinstance(model, Pipeline):
        return outcome_of(model.steps[-1][1], _before_last(model, columns))
    if isinstance(model, FittedBooster):
        return of_booster(columns.graph, model, _numbers(model, columns))
    if isinstance(model, (FittedMixture, BayesDecisionClassifier)):
        return by_bayes_rule(columns.graph, _probabilities(model, columns), model.cost_matrix_)
    raise ValueError(
        f"{type(model).__name__} decides by no costs of csboost: to_onnx takes this package's classifiers."
    )


def _before_last(pipeline: Pipeline, columns: Columns) -> Columns:
    for _, step in pipeline.steps[:-1]:
        columns = transformed(step, columns)
    return columns


def _numbers(model: Any, columns: Columns) -> str:
    """The matrix that a model sees, its own categories numbered."""
    categories = getattr(model, "_categories", None)
    return with_codes(columns, {} if categories is None else categories.tables)


def _probabilities(model: Any, columns: Columns) -> str:
    """Class probabilities (n, K)."""
    if isinstance(model, Pipeline):
        return _probabilities(model.steps[-1][1], _before_last(model, columns))
    if isinstance(model, BayesDecisionClassifier):
        return _probabilities(model.estimator_, columns)
    if isinstance(model, FittedMixture):
        return _mixed(model, columns)
    if isinstance(model, FittedBooster):
        scores = scores_of(columns.graph, model._ensemble, _numbers(model, columns))
        found = probabilities_of(columns.graph, model, scores)
        if found is None:
            raise ValueError(f"The probabilities of {type(model).__name__} with these options are no formula in ONNX.")
        return found
    if type(model) is LogisticRegression:
        return _regression(model, columns)
    raise ValueError(f"{type(model).__name__} cannot be written in ONNX here; convert it with skl2onnx.")


def _mixed(model: FittedMixture, columns: Columns) -> str:
    """Those of the members, pooled."""
    graph, K = columns.graph, len(model.classes_)
    coded = Columns.of_numbers(graph, _numbers(model, columns), len(columns))
    boosters, regressions = model._parts()
    found = [probabilities_of(graph, member, scores_of(graph, member._ensemble, coded.tensor())) for member in boosters]
    for regression in regressions:
        spread = np.eye(K)[regression.classes_]  # it may not have met all classes
        found.append(graph.node("MatMul", _probabilities(regression, coded), graph.constant(spread)))
    total = None
    for P, exponent in zip(found, model._exponents, strict=True):
        assert P is not None  # the boosters of a mixture learn by likelihood
        doubtful = graph.node("Add", graph.node("Mul", P, graph.constant(1.0 - DOUBT)), graph.constant(DOUBT / K))
        part = graph.node("Mul", graph.node("Log", doubtful), graph.constant(exponent))
        total = part if total is None else graph.node("Add", total, part)
    assert total is not None
    return graph.node("Softmax", total, axis=1)


def _regression(model: LogisticRegression, columns: Columns) -> str:
    graph = columns.graph
    product = graph.node("MatMul", columns.tensor(), graph.constant(model.coef_.T))
    scores = graph.node("Add", product, graph.constant(model.intercept_))
    if len(model.classes_) > 2:
        return graph.node("Softmax", scores, axis=1)
    second = graph.node("Sigmoid", scores)
    return graph.join([graph.node("Sub", graph.constant(1.0), second), second])
