"""scikit-learn's preprocessing, as far as it is arithmetic and tables of categories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    StandardScaler,
)

from csboost._inputs.encoders import branches
from csboost._inputs.labels import is_missing
from csboost.exporting.columns import Columns, coded

__all__ = ["transformed"]

OTHER_WAY = "Apply it before, and write the model behind it in ONNX."


def transformed(step: Any, columns: Columns) -> Columns:
    """The columns after a fitted transformer.

    Raises
    ------
    ValueError
        For one that cannot be written.
    """
    if isinstance(step, str) and step == "passthrough":
        return columns
    if type(step) not in _STEPS:
        raise ValueError(f"{type(step).__name__} cannot be written in ONNX here. {OTHER_WAY}")
    return _STEPS[type(step)](step, columns)


def _pipeline(step: Any, columns: Columns) -> Columns:
    for _, part in step.steps:
        columns = transformed(part, columns)
    return columns


def _columns(step: Any, columns: Columns) -> Columns:
    if step.transformer_weights:
        raise ValueError(f"A ColumnTransformer with transformer_weights cannot be written in ONNX. {OTHER_WAY}")
    parts = [transformed(part, columns.take(places)) for _, part, places in branches(step)]
    width = sum(map(len, parts))
    return Columns.of_numbers(columns.graph, columns.graph.join([part.tensor() for part in parts]), width)


def _scaler(step: Any, columns: Columns) -> Columns:
    graph, X = columns.graph, columns.tensor()
    if step.with_mean:
        X = graph.node("Sub", X, graph.constant(step.mean_))
    if step.with_std:
        X = graph.node("Div", X, graph.constant(step.scale_))
    return Columns.of_numbers(graph, X, len(columns))


def _range(step: Any, columns: Columns) -> Columns:
    graph = columns.graph
    X = graph.node("Add", graph.node("Mul", columns.tensor(), graph.constant(step.scale_)), graph.constant(step.min_))
    if step.clip:
        low, high = map(graph.constant, map(float, step.feature_range))
        X = graph.node("Min", graph.node("Max", X, low), high)
    return Columns.of_numbers(graph, X, len(columns))


def _imputer(step: Any, columns: Columns) -> Columns:
    if not is_missing(step.missing_values) or any(columns.is_text):
        raise ValueError(f"A SimpleImputer of other things than missing numbers cannot be written in ONNX. {OTHER_WAY}")
    graph, X = columns.graph, columns.tensor()
    filling = np.asarray(step.statistics_, np.float64)
    kept = np.flatnonzero(~np.isnan(filling))
    known = X if len(kept) == len(filling) else graph.take(X, kept)
    parts = [graph.node("Where", graph.node("IsNaN", known), graph.constant(filling[kept]), known)]
    width = len(kept)
    if step.add_indicator and len(step.indicator_.features_):
        parts.append(graph.cast(graph.node("IsNaN", graph.take(X, step.indicator_.features_)), np.float64))
        width += len(step.indicator_.features_)
    return Columns.of_numbers(graph, graph.join(parts), width)


def _one_hot(step: Any, columns: Columns) -> Columns:
    graph, parts, width = columns.graph, [], 0
    rare = getattr(step, "_infrequent_enabled", False)
    for place, column in enumerate(columns.each()):
        categories = step.categories_[place].tolist()
        groups = step._default_to_infrequent_mappings[place] if rare else None
        leads_to = np.arange(len(categories)) if groups is None else np.asarray(groups)
        # a row per category, the last one for those that are unknown
        chosen = np.zeros((len(categories) + 1, int(leads_to.max()) + 1))
        chosen[np.arange(len(categories)), leads_to] = 1.0
        if groups is not None and step.handle_unknown in ("infrequent_if_exist", "warn"):
            chosen[-1, -1] = 1.0
        dropped = None if step._drop_idx_after_grouping is None else step._drop_idx_after_grouping[place]
        if dropped is not None:
            chosen = np.delete(chosen, int(dropped), axis=1)
        numbers = _numbered(column, categories, unknown=len(categories))
        every = graph.constant(np.arange(len(categories) + 1))
        one = graph.cast(graph.node("Equal", numbers, every), np.float64)
        parts.append(graph.node("MatMul", one, graph.constant(chosen)))
        width += chosen.shape[1]
    return Columns.of_numbers(graph, graph.join(parts), width)


def _ordinal(step: Any, columns: Columns) -> Columns:
    rare = getattr(step, "_infrequent_enabled", False)
    unknown = step.unknown_value if step.handle_unknown == "use_encoded_value" else np.nan
    parts = []
    for place, column in enumerate(columns.each()):
        groups = step._default_to_infrequent_mappings[place] if rare else None
        categories = step.categories_[place].tolist()
        table = {c: i if groups is None else groups[i] for i, c in enumerate(categories) if not is_missing(c)}
        known_missing = any(map(is_missing, categories))
        parts.append(coded(column, table, unknown, step.encoded_missing_value if known_missing else unknown))
    return Columns.of_numbers(columns.graph, columns.graph.join(parts), len(columns))


def _numbered(column: Columns, categories: list[Any], unknown: int) -> str:
    """The place (n, 1) of each value among the categories."""
    table = {value: place for place, value in enumerate(categories) if not is_missing(value)}
    missing = next((place for place, value in enumerate(categories) if is_missing(value)), unknown)
    return coded(column, table, unknown, missing)


def _products(step: Any, columns: Columns) -> Columns:
    """Every product as that of as many columns as the degree, a column of ones in the place of those that lack."""
    graph, X, width = columns.graph, columns.tensor(), len(columns)
    ones = graph.node("Exp", graph.node("Mul", graph.take(X, [0]), graph.constant(0.0)))
    factors = [np.repeat(np.arange(width + 1), [*powers, 0]) for powers in step.powers_]
    most = max(1, *map(len, factors))
    places = np.array([[*found, *[width] * (most - len(found))] for found in factors])
    known, found = graph.join([X, ones]), None
    for chosen in places.T:
        part = graph.take(known, chosen)
        found = part if found is None else graph.node("Mul", found, part)
    assert found is not None
    return Columns.of_numbers(graph, found, len(places))


def _function(step: Any, columns: Columns) -> Columns:
    if step.func is not None:
        raise ValueError(f"A FunctionTransformer with a function cannot be written in ONNX. {OTHER_WAY}")
    return columns


_STEPS: dict[type, Callable[[Any, Columns], Columns]] = {
    ColumnTransformer: _columns,
    FunctionTransformer: _function,
    MinMaxScaler: _range,
    OneHotEncoder: _one_hot,
    OrdinalEncoder: _ordinal,
    Pipeline: _pipeline,
    PolynomialFeatures: _products,
    SimpleImputer: _imputer,
    StandardScaler: _scaler,
}
