"""A user's Dask collections as coded partitions on the workers, and what they have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from dask import delayed
from dask.base import is_dask_collection

from csboost._inputs.labels import label_array
from csboost._inputs.values import listed
from csboost.costs.alignment import are_classes
from csboost.costs.answers import resolve_answers
from csboost.costs.gains import gains_of, without_gains
from csboost.costs.steps import check_stated_order
from csboost.dask import parts
from csboost.dask.waiting import gathered, wait_for_workers
from csboost.problem import Problem, check_other_answers, class_numbers, unit_of

__all__ = ["Table", "read_table"]


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


def read_table(client: Any, model: Any, X: Any, y: Any, sample_weight: Any, sample_cost: Any, classes: Any) -> Table:
    """Check and code all partitions where they lie.

    Raises
    ------
    TypeError
        For what is no Dask collection.
    ValueError
        For what ``fit`` of the model would refuse.
    """
    wait_for_workers(client)
    columns = _partitions(X=X, y=y, sample_weight=sample_weight)
    read = [
        delayed(parts.read, pure=False)(model, place, *rows) for place, rows in enumerate(zip(*columns, strict=True))
    ]
    held = client.compute(read)
    facts = gathered(client, client.map(parts.look, held, pure=False))
    shared, known = _shared(model, facts, classes)
    check_stated_order(model.cost_matrix, shared.classes.tolist(), known)
    order = None if known is None else known[0]
    shared.matrix, shared.answers = resolve_answers(model.cost_matrix, shared.classes, known=order)
    others = None
    if not are_classes(shared.answers, shared.classes):
        others = check_other_answers(model, shared.answers, shared.classes)
    most, has_gains = float(without_gains(shared.matrix).max()), bool(gains_of(shared.matrix).any())
    if sample_cost is not None:
        (costs,) = _partitions(len(held), sample_cost=sample_cost)
        given = client.compute(costs)
        answers = shared.answers
        held = [
            client.submit(parts.read_costs, place, part, cost, answers, pure=False)
            for place, (part, cost) in enumerate(zip(held, given, strict=True))
        ]
        most, has_gains = _check_costs(gathered(client, client.map(parts.look_at_costs, held, pure=False)))
    held = [part for part, fact in zip(held, facts, strict=True) if fact.n_kept]
    if not most > 0.0:
        raise ValueError("all answers to a row gain the same, in every row: there is nothing to learn")
    shared.cost_unit, most_weight = unit_of(most), max(fact.most_weight for fact in facts)
    if sample_weight is not None:
        shared.weight_unit = unit_of(most_weight)
        largest = client.map(partial(parts.largest_cost, shared=shared), held, pure=False)
        shared.product_unit = unit_of(max(gathered(client, largest)))
    coded = client.map(partial(parts.code, shared=shared, keeps_gains=has_gains), held, pure=False)
    K, A, names = len(shared.classes), len(shared.answers), _names(facts)
    counts = gathered(client, client.map(partial(parts.class_counts, n_classes=K), coded, pure=False))
    problem = Problem(
        X=np.zeros((0, facts[0].n_features), shared.dtype),
        y=class_numbers(np.zeros(0, np.int64), K),
        weights=np.zeros(0),
        costs=np.zeros((0, A)),
        classes=shared.classes,
        cost_matrix=shared.matrix,
        exponent=shared.cost_unit + shared.product_unit,
        other_answers=others,
        gains=np.zeros(0) if has_gains else None,
        known=order,
    )
    scaled = float(np.ldexp(most_weight, -shared.weight_unit)) if sample_weight is not None else 0.0
    return Table(coded, np.array(counts).reshape(-1, K), problem, names, scaled)


def _partitions(n: int | None = None, **tables: Any) -> list[list[Any]]:
    """The partitions of collections that belong together row by row; of what is not given, as many Nones."""
    found: dict[str, list[Any]] = {}
    for name, table in tables.items():
        if table is None:
            continue
        if not is_dask_collection(table) or not hasattr(table, "to_delayed"):
            raise TypeError(
                f"{name} must be a Dask Array or DataFrame, got {type(table).__name__}: take the class without Dask, "
                f"or make a collection of it, as with dask.array.from_array({name}, chunks=100_000)."
            )
        if getattr(table, "ndim", 1) == 2 and hasattr(table, "rechunk"):
            table = table.rechunk({1: -1})
        found[name] = list(np.ravel(table.to_delayed()))
    sizes = {name: len(each) for name, each in found.items()}
    if n is not None:
        sizes = {"X": n, **sizes}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise ValueError(
            f"partitions differ in number: {told}. Bring all to the same, as with y.rechunk(X.chunks[0]) or "
            "y.repartition(X.divisions)."
        )
    size = next(iter(sizes.values()))
    return [found.get(name, [None] * size) for name in tables]


def _shared(model: Any, facts: list[parts.Facts], classes: Any) -> tuple[parts.Shared, Any]:
    """What all partitions have in common, without costs; and the order that their labels declare."""
    full = [fact for fact in facts if fact.n_kept]
    if not full:
        some = any(fact.n_rows for fact in facts)
        said = "sample_weight is zero everywhere: at least one sample needs a positive weight" if some else "no rows"
        raise ValueError(f"there is nothing to learn from: {said}")
    for fact in full:
        if fact.n_features != full[0].n_features or fact.names != full[0].names:
            raise ValueError(
                f"partitions differ in their columns: {listed(full[0].names or range(full[0].n_features))} in one, "
                f"{listed(fact.names or range(fact.n_features))} in another"
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
    return parts.Shared(found, np.zeros((0, 0)), found, dtype), full[0].known


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
