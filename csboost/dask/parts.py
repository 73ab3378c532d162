"""Partitions of a Dask collection as a fit needs them: read and checked where they lie, one task each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets

from csboost._inputs.features import check_features
from csboost._inputs.labels import known_classes, label_array
from csboost._inputs.row_index import check_row_index, index_of
from csboost._inputs.values import numeric
from csboost.costs.gains import gains_of, without_gains
from csboost.costs.rows import check_sample_cost, read_sample_cost
from csboost.problem import class_numbers, in_units


class Part(NamedTuple):
    """The rows of a partition that have positive weight, and what was given."""

    X: np.ndarray
    labels: np.ndarray
    weights: np.ndarray | None
    costs: Any  # per row: as given, then (n, A) of the rows kept
    kept: np.ndarray | None  # which of the rows given have positive weight, where not all do
    n_rows: int  # given
    names: list[Any] | None  # of the features, where they have any
    known: Any  # classes that the labels declare, with their order


class Facts(NamedTuple):
    """What the client has to know of a partition."""

    n_rows: int
    n_kept: int
    dtype: Any
    n_features: int
    names: list[Any] | None
    classes: np.ndarray  # of the rows kept
    known: Any
    most_weight: float


class CostFacts(NamedTuple):
    """What the client has to know of a partition's costs per row."""

    most: float  # less the gains
    is_zero: bool
    is_negative: bool  # throughout
    has_gains: bool


@dataclass
class Shared:
    """What all partitions have in common.

    Attributes
    ----------
    classes : ndarray (K,)
    matrix : ndarray (K, A)
    answers : ndarray (A,)
    dtype : dtype
        Of the features.
    weight_unit, cost_unit, product_unit : int
        Exponents: see :func:`csboost.problem.in_units`.
    """

    classes: np.ndarray
    matrix: np.ndarray
    answers: np.ndarray
    dtype: Any
    weight_unit: int = 0
    cost_unit: int = 0
    product_unit: int = 0


class Coded(NamedTuple):
    """The rows of a partition as :class:`csboost.problem.Problem` has them."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    costs: np.ndarray
    gains: np.ndarray | None


Piece = Coded  # a stretch of them


def read(estimator: Any, place: int, X: Any, y: Any, sample_weight: Any, sample_cost: Any) -> Part:
    """Check a partition; its costs stay as they are.

    Raises
    ------
    ValueError
        For what ``fit`` of the estimator would refuse; the partition is named.
    """
    with named(place):
        _check_lengths(X=X, y=y, sample_weight=sample_weight, sample_cost=sample_cost)
        tables = {"X": X, "y": y, "sample_weight": sample_weight, "sample_cost": sample_cost}
        check_row_index(**{name: _Indexed(table) for name, table in tables.items() if index_of(table) is not None})
        return _read(clone(estimator), X, y, sample_weight)._replace(costs=sample_cost)


@contextmanager
def named(place: int) -> Iterator[None]:
    """Say which partition an error is about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"partition {place}: {error}") from None


def _read(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Part:
    columns, known = getattr(X, "columns", None), known_classes(y=y)
    given = X.shape[0], None if columns is None else list(columns), known
    if X.shape[0] == 0:
        return Part(np.zeros((0, np.shape(X)[1]), np.float32), np.asarray(y), None, None, None, *given)
    features, labels = check_features(estimator, X, label_array(y), reset=True)
    check_classification_targets(labels)
    weights = None if sample_weight is None else _weights(sample_weight, len(labels))
    if weights is None or (weights > 0).all():
        return Part(features, labels, weights, None, None, *given)
    kept = weights > 0
    return Part(features[kept], labels[kept], weights[kept], None, kept, *given)


class _Indexed:
    """The index of a partition, with what helps where it is not that of the others."""

    _in_order = (
        "{0} and {1} as columns of one collection, as by {1}.join({0})",
        "{0}.map_partitions(lambda rows: rows.sort_index())",
        "{0}.to_dask_array(lengths=True)",
    )
    loc = None  # a table of pandas, or of a library like it

    def __init__(self, table: Any):
        self.index = table.index


def read_costs(place: int, part: Part, answers: np.ndarray) -> Part:
    """A partition with its costs per row checked."""
    with named(place):
        rows = read_sample_cost(part.costs, answers, part.n_rows)
        if part.kept is not None:  # costs of other rows may be missing
            rows = rows[part.kept]
        if len(rows):
            rows = check_sample_cost(rows, len(rows), len(answers), allow_zero=True)
        return part._replace(costs=rows)


def _check_lengths(**tables: Any) -> None:
    lengths = {name: table.shape[0] for name, table in tables.items() if table is not None}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise ValueError(
            f"rows differ in number: {told}. Partitions have to match row by row: bring all of them to the same "
            "chunks or divisions first."
        )


def _weights(sample_weight: Any, n: int) -> np.ndarray:
    weights: np.ndarray = numeric(sample_weight, "sample_weight")
    if weights.shape != (n,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n},): one weight per sample")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"sample_weight[{i}] is {weights[i]:g}: weights must be finite and not negative")
    return weights


def look(part: Part) -> Facts:
    """What the client has to know of a partition."""
    return Facts(
        n_rows=part.n_rows,
        n_kept=len(part.labels),
        dtype=part.X.dtype,
        n_features=part.X.shape[1],
        names=part.names,
        classes=np.unique(part.labels) if len(part.labels) else part.labels[:0],
        known=part.known,
        most_weight=0.0 if part.weights is None else float(part.weights.max(initial=0.0)),
    )


def look_at_costs(part: Part) -> CostFacts:
    """What the client has to know of a partition's costs per row."""
    costs = part.costs
    most = float(without_gains(costs).max(initial=0.0))
    return CostFacts(most, not costs.any(), bool((costs < 0).all()), bool((costs < 0).any()))


def largest_cost(part: Part, shared: Shared) -> float:
    """The largest product of cost and weight in a partition."""
    rows = _cost_rows(part, shared)[0]
    assert part.weights is not None
    return float((rows * in_units(part.weights, shared.weight_unit)[:, None]).max(initial=0.0))


def _cost_rows(part: Part, shared: Shared) -> tuple[np.ndarray, np.ndarray]:
    """Costs (n, A) less their gains, and these (n,), in their unit."""
    given = part.costs
    if given is None:
        given = shared.matrix[np.searchsorted(shared.classes, part.labels)]
    return in_units(without_gains(given), shared.cost_unit), np.ldexp(gains_of(given), -shared.cost_unit)


def code(part: Part, shared: Shared, keeps_gains: bool) -> Coded:
    """The rows of a partition with numbers of classes, and costs that include the weights."""
    codes = class_numbers(np.searchsorted(shared.classes, part.labels), len(shared.classes))
    rows, gains = _cost_rows(part, shared)
    weights = None
    if part.weights is not None:
        weights = in_units(part.weights, shared.weight_unit)
        rows = in_units(rows * weights[:, None], shared.product_unit)
        gains = np.ldexp(gains * weights, -shared.product_unit)
    X = part.X.astype(shared.dtype, copy=False)
    return Coded(X, codes, weights, np.ascontiguousarray(rows), gains if keeps_gains else None)


def class_counts(coded: Coded, n_classes: int) -> np.ndarray:
    """Rows (K,) of each class."""
    return np.bincount(coded.y, minlength=n_classes)


def cut(coded: Coded, mask: np.ndarray | None, which: bool, start: int, stop: int) -> Piece:
    """The rows ``start .. stop - 1`` of a partition, counted among those whose ``mask`` is ``which``."""
    rows: Any = slice(start, stop)
    if mask is not None:
        rows = np.flatnonzero(mask == which)[start:stop]
    taken: Any = (None if each is None else each[rows] for each in coded)
    return Piece(*taken)
