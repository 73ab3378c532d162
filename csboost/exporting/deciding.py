"""What comes out: scores, and where ONNX can say it probabilities and expected costs; and the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from csboost.costs.gains import gains_of, without_gains
from csboost.exporting.graph import Graph
from csboost.exporting.trees import scores_of
from csboost.fitted import FittedBooster
from csboost.link import MultinomialLink, SoftmaxLink

__all__ = ["Outcome", "by_bayes_rule", "of_booster"]


class Outcome(NamedTuple):
    """Tensors of what a model says."""

    answer: str  # (n,) places among the answers
    scores: str  # what decision_function gives, or predict_proba where there is none
    n_scores: int | None  # columns of the scores; None where they are one number per row
    expected_cost: str | None = None  # (n, A)


def of_booster(graph: Graph, booster: FittedBooster, X: str) -> Outcome:
    """What a booster says of rows ``X`` (n, d), in which categories are numbers."""
    ensemble = booster._ensemble
    scores, A = scores_of(graph, ensemble, X), len(booster.answers_)
    by_likelihood = getattr(booster, "_by_bayes_rule", False)
    P = probabilities_of(graph, booster, scores)
    if by_likelihood:
        assert P is not None
        outcome = by_bayes_rule(graph, P, booster.cost_matrix_)
        if not booster._answers_classes:  # the margins are of classes, the answers are others
            assert outcome.expected_cost is not None
            return outcome._replace(scores=graph.node("Neg", outcome.expected_cost), n_scores=A)
        answer, costs = outcome.answer, outcome.expected_cost
    else:
        answer = graph.node("ArgMax", scores, axis=1, keepdims=0)
        costs = None if P is None else by_bayes_rule(graph, P, booster.cost_matrix_).expected_cost
    if A == 2 and booster._answers_classes:
        first, second = graph.take(scores, [0]), graph.take(scores, [1])
        difference = graph.node("Sub", second, first)
        if booster._symmetric:
            difference = graph.node("Mul", difference, graph.constant(0.5))
        one = graph.node("Squeeze", difference, graph.constant([1], np.int64))
        return Outcome(answer, one, None, costs)
    return Outcome(answer, scores, A, costs)


def probabilities_of(graph: Graph, booster: FittedBooster, scores: str) -> str | None:
    """Class probabilities (n, K) of a booster; None where they are no formula."""
    link = booster._link
    write = _LINKS.get(type(link))
    return None if write is None else write(graph, link, scores)


def by_bayes_rule(graph: Graph, P: str, cost_matrix: np.ndarray) -> Outcome:
    """The answer of least expected cost under probabilities (n, K)."""
    lowest, gains = _lowest(graph, P, cost_matrix), gains_of(cost_matrix)
    costs = lowest
    if gains.any():
        costs = graph.node("Add", costs, graph.node("MatMul", P, graph.constant(gains[:, None])))
    return Outcome(graph.node("ArgMin", lowest, axis=1, keepdims=0), P, len(cost_matrix), costs)


def _lowest(graph: Graph, P: str, cost_matrix: np.ndarray) -> str:
    """Expected costs (n, A) less the gains."""
    return graph.node("MatMul", P, graph.constant(without_gains(cost_matrix)))


def _multinomial(graph: Graph, link: MultinomialLink, scores: str) -> str:
    return graph.node("Softmax", scores, axis=1)


def _softmax(graph: Graph, link: SoftmaxLink, scores: str) -> str:
    positive = link.weights > 0
    logs = np.log(link.weights, where=positive, out=np.full(len(positive), np.inf))
    scaled = graph.node("Mul", scores, graph.constant(1.0 - 1.0 / len(logs)))
    return graph.node("Softmax", graph.node("Sub", scaled, graph.constant(logs)), axis=1)


_LINKS: dict[type, Callable[[Graph, Any, str], str]] = {MultinomialLink: _multinomial, SoftmaxLink: _softmax}
