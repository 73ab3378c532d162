"""A user's Dask collections as coded partitions on the workers, and what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from numbers import Number
from typing import Any

import dask
import numpy as np
from dask import delayed
from dask.base import is_dask_collection

from csboost._inputs.labels import declared_together, label_array
from csboost._inputs.values import listed
from csboost.costs.alignment import are_classes
from csboost.costs.answers import resolve_answers
from csboost.costs.gains import gains_of, without_gains
from csboost.costs.steps import check_stated_order
from csboost.dask import parts
from csboost.dask.waiting import gathered, wait_for_workers
from csboost.problem import Problem, check_other_answers, class_numbers, unit_of

__all__ = ["Table", "check_collection", "partitions", "read_table"]


@dataclass
class Table:
    """Rows of positive weight, partition by partition.

    Attributes
    ----------
    coded : list of Future
        Partitions that have rows (:class:`csboost.dask.parts.Coded`).
    counts : ndarray (partitions, K)
        Rows of each class in each of them.
    problem : Problem
        All that a problem is, but without rows.
    names : list, optional
        Of the features.
    most_weight : float
        0 where no weights were given.
    """

    coded: list[Any]
    counts: np.ndarray
    problem: Problem
    names: list[Any] | None
    most_weight: float

    @property
    def n_rows(self) -> list[int]:
        """Rows of each partition."""
        found: list[int] = self.counts.sum(axis=1).tolist()
        return found


def read_table(
    client: Any,
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    sample_cost: Any,
    classes: Any,
    tell: Callable[[int, int, parts.Shared], None],
    tasks: list[Any],
) -> Table:
    """Check and code all partitions where they lie; ``tell`` hears of rows, features and what they have in common, and
    ``tasks`` takes the futures that are made, to be released.

    Raises
    ------
    TypeError
        For what is no Dask collection.
    ValueError
        For what ``fit`` of the model would refuse.
    """
    wait_for_workers(client)
    columns = partitions(X=X, y=y, sample_weight=sample_weight, sample_cost=sample_cost)
    held = client.compute(
        [delayed(parts.read, pure=False)(model, place, *rows) for place, rows in enumerate(zip(*columns, strict=True))]
    )
    tasks += held
    facts = gathered(client, client.map(parts.look, held, pure=False))
    shared, known = _shared(model, facts, classes)
    check_stated_order(model.cost_matrix, shared.classes.tolist(), known)
    order = None if known is None else known[0]
    shared.matrix, shared.answers = resolve_answers(model.cost_matrix, shared.classes, known=order)
    others = None
    if not are_classes(shared.answers, shared.classes):
        others = check_other_answers(model, shared.answers, shared.classes)
    tell(sum(fact.n_kept for fact in facts), facts[0].n_features, shared)
    held, has_gains = _with_costs(client, held, shared, sample_cost is not None)
    tasks += held
    held = [part for part, fact in zip(held, facts, strict=True) if fact.n_kept]
    most_weight = 0.0
    if sample_weight is not None:
        most_weight = _take_weights(client, held, shared, max(fact.most_weight for fact in facts))
    K = len(shared.classes)
    coded = client.map(partial(parts.code, shared=shared, keeps_gains=has_gains), held, pure=False)
    tasks += coded
    counts = gathered(client, client.map(partial(parts.class_counts, n_classes=K), coded, pure=False))
    problem = _without_rows(shared, facts[0].n_features, others, has_gains, order)
    return Table(coded, np.array(counts).reshape(-1, K), problem, _names(facts), most_weight)


def _with_costs(client: Any, held: list[Any], shared: parts.Shared, is_by_row: bool) -> tuple[list[Any], bool]:
    """The partitions with costs per row, if there are any; the unit of costs; whether there are gains."""
    most, has_gains = float(without_gains(shared.matrix).max()), bool(gains_of(shared.matrix).any())
    if is_by_row:
        held = [
            client.submit(parts.read_costs, place, part, shared.answers, pure=False) for place, part in enumerate(held)
        ]
        most, has_gains = _check_costs(gathered(client, client.map(parts.look_at_costs, held, pure=False)))
    if not most > 0.0:
        raise ValueError("all answers to a row gain the same, in every row: there is nothing to learn")
    shared.cost_unit = unit_of(most)
    return held, has_gains


def _take_weights(client: Any, held: list[Any], shared: parts.Shared, most: float) -> float:
    """The units of weights and of their products with costs; the largest weight in its unit."""
    shared.weight_unit = unit_of(most)
    largest = client.map(partial(parts.largest_cost, shared=shared), held, pure=False)
    shared.product_unit = unit_of(max(gathered(client, largest)))
    return float(np.ldexp(most, -shared.weight_unit))


def _without_rows(
    shared: parts.Shared, n_features: int, others: np.ndarray | None, has_gains: bool, order: list[Any] | None
) -> Problem:
    """All that a problem is, but no rows."""
    return Problem(
        X=np.zeros((0, n_features), shared.dtype),
        y=class_numbers(np.zeros(0, np.int64), len(shared.classes)),
        weights=np.zeros(0),
        costs=np.zeros((0, len(shared.answers))),
        classes=shared.classes,
        cost_matrix=shared.matrix,
        exponent=shared.cost_unit + shared.product_unit,
        other_answers=others,
        gains=np.zeros(0) if has_gains else None,
        known=order,
    )


def partitions(**tables: Any) -> list[list[Any]]:
    """The partitions of collections that belong together row by row; of what is not given, as many Nones.

    Raises
    ------
    TypeError
        For what is no Dask collection.
    ValueError
        Where they differ in number, and for an ``X`` without columns.
    """
    found: dict[str, list[Any]] = {}
    for name, table in tables.items():
        if table is None and name != "y":
            continue
        check_collection(name, table)
        found[name] = _parts_of(table)
    sizes = {name: len(each) for name, each in found.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise ValueError(
            f"partitions differ in number: {told}. Bring all to the same, as with y.rechunk(X.chunks[0]) or "
            "y.repartition(divisions=X.divisions)."
        )
    return [found.get(name, [None] * sizes["X"]) for name in tables]


def _parts_of(table: Any) -> list[Any]:
    """The partitions of a collection, as many as it says."""
    if hasattr(table, "rechunk"):
        table = table.rechunk({1: -1}) if table.ndim == 2 else table
        return list(np.ravel(table.to_delayed()))
    # Dask merges partitions of files of which few columns are read: fewer for y than for X
    with dask.config.set({"optimization.tune.active": False}):
        found: list[Any] = table.to_delayed()
    if len(found) != table.npartitions:  # older versions of Dask merge them all the same
        found = table.to_delayed(optimize_graph=False)
    return found


def check_collection(name: str, table: Any) -> None:
    """Refuse what is no Dask Array, DataFrame or Series, and an ``X`` without columns.

    Raises
    ------
    TypeError, ValueError
    """
    is_table = is_dask_collection(table) and hasattr(table, "to_delayed")
    if not is_table or not isinstance(getattr(table, "ndim", None), int):  # a Bag has none, a Delayed has anything
        remedy = f"make one of its parts, as with dask.array.from_delayed or {name}.to_dataframe()"
        if not is_dask_collection(table):
            made = "dataframe.from_pandas({}, npartitions=8)" if hasattr(table, "iloc") else "array.from_array({})"
            remedy = f"take the class without Dask, or make a collection of it, as with dask.{made.format(name)}"
        raise TypeError(f"{name} must be a Dask Array or DataFrame, got {type(table).__name__}: {remedy}.")
    if name == "X" and table.ndim != 2:
        one = "X.to_frame()" if hasattr(table, "map_partitions") else "X.reshape(-1, 1)"
        remedy = f": a single feature is {one}" if table.ndim == 1 else ""
        raise ValueError(f"X must have two dimensions, rows and columns, got {table.ndim}{remedy}.")


def _shared(model: Any, facts: list[parts.Facts], classes: Any) -> tuple[parts.Shared, Any]:
    """What all partitions have in common, without costs; and the order that their labels declare."""
    places = [place for place, fact in enumerate(facts) if fact.n_kept]
    full = [facts[place] for place in places]
    if not full:
        some = any(fact.n_rows for fact in facts)
        said = "sample_weight is zero everywhere: at least one sample needs a positive weight" if some else "no rows"
        raise ValueError(f"there is nothing to learn from: {said}")
    for place, fact in zip(places, full, strict=True):
        if fact.n_features != full[0].n_features or fact.names != full[0].names:
            first, other = (listed(each.names or range(each.n_features)) for each in (full[0], fact))
            raise ValueError(
                f"partitions differ in their columns: {first} in partition {places[0]}, {other} in partition {place}. "
                "Give all the same in the same order, as with X[list_of_columns]."
            )
        one, two = _kind(full[0].classes), _kind(fact.classes)
        if one != two:
            raise ValueError(
                f"the labels in y are {one} in partition {places[0]} and {two} in partition {place}: give all the same "
                "type, as with y.astype(str)."
            )
    found = np.unique(np.concatenate([fact.classes for fact in full]))
    if classes is not None:
        stated = np.unique(label_array(classes, "classes"))
        if stated.tolist() != found.tolist():
            more = [label for label in found.tolist() if label not in stated.tolist()]
            less = [label for label in stated.tolist() if label not in found.tolist()]
            told = f"y also has {listed(more)}" if more else f"no row of positive weight has {listed(less)}"
            raise ValueError(f"classes are {listed(stated.tolist())}, but {told}")
    if len(found) < 2:
        raise ValueError(
            f"y holds only one class, {listed(found.tolist())} (in rows of positive weight); "
            "a classifier needs at least two classes."
        )
    dtype = np.result_type(*{fact.dtype for fact in full})
    known = declared_together({f"y in partition {place}": fact.known for place, fact in enumerate(facts)})
    return parts.Shared(found, np.zeros((0, 0)), found, dtype), known


def _kind(labels: np.ndarray) -> str:
    """What labels are, in a word; NumPy would make text of numbers beside text."""
    if labels.dtype.kind == "b":
        return "True and False"
    if labels.dtype.kind in "iuf" or isinstance(labels[0], Number):
        return "numbers"
    return "text" if isinstance(labels[0], str) else f"of the type {type(labels[0]).__name__}"


def _check_costs(found: list[parts.CostFacts]) -> tuple[float, bool]:
    """The largest of the costs per row, less the gains, and whether there are any gains."""
    if all(each.is_zero for each in found):
        raise ValueError("sample_cost is zero everywhere: no mistake would cost anything")
    if all(each.is_negative for each in found):
        raise ValueError(
            "sample_cost holds gains alone: negative entries are gains, so the sign is likely wrong. If not, subtract "
            "its minimum from each row, which changes no decision."
        )
    return max(each.most for each in found), any(each.has_gains for each in found)


def _names(facts: list[parts.Facts]) -> list[Any] | None:
    names = next(fact.names for fact in facts if fact.n_kept)
    return names if names is not None and all(isinstance(name, str) for name in names) else None
