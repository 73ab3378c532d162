"""What a comparison on tables of mixed types knows of a competitor: how to make it, and what it may be tuned over."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.algorithms import REGISTRY, Algorithm
from bench.competitors.frames import encoded

Options = Mapping[str, Any]

ROUNDS = 200
"""Boosting rounds of a booster that sees costs: the paper's number."""


@dataclass(frozen=True)
class Form:
    """A competitor.

    Attributes
    ----------
    make : callable
        ``make(seed, **options)`` -> unfitted classifier that takes data frames and has ``predict_proba``; where it
        sees costs, ``make(cost_matrix, seed, **options)`` -> one that also decides, by ``predict``. Importable, for it
        is sent to workers.
    grid : tuple of dict
        Options that tuning chooses among, the defaults first: six, so that all are tuned at the same price.
    sees_costs : bool
        Whether it is trained for one cost matrix. If not, one fit serves all cost structures of a data set: its
        probabilities are followed by the Bayes rule.
    warm_up : dict or None
        Options of a short fit that compiles what a fit needs, once per process and data set, so that compiling is not
        measured; None for what has nothing to compile.
    """

    make: Callable[..., Any]
    grid: tuple[Options, ...] = ({},)
    sees_costs: bool = False
    warm_up: Options | None = None


BOOSTER_GRID: tuple[Options, ...] = (
    {},
    {"learning_rate": 0.1},
    {"learning_rate": 0.1, "max_leaf_nodes": 8},
    {"learning_rate": 0.1, "max_leaf_nodes": 24},
    {"max_leaf_nodes": 2},
    {"n_estimators": 50},
)


def form_of(name: str) -> Form:
    """Return the form of an algorithm of the registry."""
    algorithm = REGISTRY[name]
    if algorithm.form is None:
        make = partial(_with_costs, algorithm)
        if algorithm.booster is None:
            return Form(make, sees_costs=True)
        return Form(make, BOOSTER_GRID, sees_costs=True, warm_up={"n_estimators": 3})
    module, _, attribute = algorithm.form.partition(".")
    found: Form = getattr(importlib.import_module(f"bench.competitors.{module}"), attribute)
    return found


def _with_costs(
    algorithm: Algorithm, cost_matrix: Any, seed: int, max_leaf_nodes: int | None = None, **options: Any
) -> Any:
    """Make what is trained for a cost matrix; it takes missing numbers as they are."""
    model = algorithm.make(cost_matrix, ROUNDS, seed)
    if max_leaf_nodes is not None:
        from csboost.weak import CostTree

        options["weak_learner"] = CostTree(max_leaf_nodes)
    if options:
        model.set_params(**options)
    return encoded(model)
