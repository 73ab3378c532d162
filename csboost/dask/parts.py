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
from csboost._inputs.row_index import check_row_index
from csboost._inputs.values import numeric
from csboost.costs.gains import gains_of, without_gains
from csboost.costs.rows import check_sample_cost, read_sample_cost
from csboost.problem import class_numbers, in_units
from csboost.weak.layout import BLOCK


class Part(NamedTuple):
    """The rows of a partition that have positive weight, and what was given."""

    X: np.ndarray
    labels: np.ndarray
    weights: np.ndarray | None
    costs: np.ndarray | None  # per row
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


def read(estimator: Any, place: int, X: Any, y: Any, sample_weight: Any) -> Part:
    """Check a partition.

    Raises
    ------
    ValueError
        For what ``fit`` of the estimator would refuse; the partition is named.
    """
    with _named(place):
        return _read(clone(estimator), X, y, sample_weight)


@contextmanager
def _named(place: int) -> Iterator[None]:
    """Say which partition an error is about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"partition {place}: {error}") from None


def _read(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Part:
    _check_lengths(X=X, y=y, sample_weight=sample_weight)
    columns, known = getattr(X, "columns", None), known_classes(y=y)
    given = len(X), None if columns is None else list(columns), known
    if len(X) == 0:
        return Part(np.zeros((0, np.shape(X)[1]), np.float32), np.asarray(y), None, None, None, *given)
    check_row_index(X=X, y=y, sample_weight=sample_weight)
    features, labels = check_features(estimator, X, label_array(y), reset=True)
    check_classification_targets(labels)
    weights = None if sample_weight is None else _weights(sample_weight, len(labels))
    if weights is None or (weights > 0).all():
        return Part(features, labels, weights, None, None, *given)
    kept = weights > 0
    return Part(features[kept], labels[kept], weights[kept], None, kept, *given)


def read_costs(place: int, part: Part, sample_cost: Any, answers: np.ndarray) -> Part:
    """A partition with costs per row."""
    with _named(place):
        _check_lengths(X=range(part.n_rows), sample_cost=sample_cost)
        rows = read_sample_cost(sample_cost, answers, part.n_rows)
        if part.n_rows:
            rows = check_sample_cost(rows, part.n_rows, len(answers), allow_zero=True)
        return part._replace(costs=rows if part.kept is None else rows[part.kept])


def _check_lengths(**tables: Any) -> None:
    lengths = {name: len(table) for name, table in tables.items() if table is not None}
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
    assert costs is not None
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


def held_out_mask(coded: Coded, chosen: list[np.ndarray]) -> np.ndarray:
    """Which rows are held out, from which of each class are, in their order."""
    mask = np.zeros(len(coded.y), bool)
    for k, of_class in enumerate(chosen):
        mask[coded.y == k] = of_class
    return mask


def cut(coded: Coded, mask: np.ndarray | None, which: bool, start: int, stop: int) -> Piece:
    """The rows ``start .. stop - 1`` of a partition, counted among those whose ``mask`` is ``which``."""
    rows: Any = slice(start, stop)
    if mask is not None:
        rows = np.flatnonzero(mask == which)[start:stop]
    return Piece(*(None if each is None else each[rows] for each in coded))


class Blocked(NamedTuple):
    """Weights by class in the blocks of a partition: the whole ones as sums, the rows of others as they are."""

    numbers: np.ndarray  # of the whole blocks
    sums: np.ndarray  # (blocks, K)
    loose: list[tuple[int, np.ndarray, np.ndarray]]  # block, class numbers, weights


def class_blocks(coded: Coded, first_row: int, most_weight: float, n_classes: int) -> Blocked:
    """Weights by class, of rows that are numbered from ``first_row`` on, relative to the largest weight."""
    assert coded.weights is not None
    relative, n = coded.weights / most_weight, len(coded.y)
    numbers, sums, loose = [], [], []
    for block in range(first_row // BLOCK, -(-(first_row + n) // BLOCK)):
        start, stop = max(block * BLOCK - first_row, 0), min((block + 1) * BLOCK - first_row, n)
        if stop - start == BLOCK:
            numbers.append(block)
            sums.append(np.bincount(coded.y[start:stop], relative[start:stop], n_classes))
        else:
            loose.append((block, coded.y[start:stop], relative[start:stop]))
    return Blocked(np.array(numbers, np.int64), np.array(sums).reshape(-1, n_classes), loose)
