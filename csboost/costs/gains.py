"""Gains: negative costs. A constant per truth changes no decision, so they are taken off before anything is learnt.

Links and boosters see costs that are not negative; what is reported is in the user's unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import listed

Array = NDArray[np.float64]


def gains_of(costs: Array) -> Array:
    """The largest gain of each row (n,) of costs (n, A): its minimum where that is negative, else 0."""
    if not (costs < 0).any():  # the minima of many short rows take longer than all else before a fit
        return np.zeros(len(costs))
    return np.minimum(costs.min(axis=1), 0.0)


def without_gains(costs: Array) -> Array:
    """Costs (n, A) less the largest gain of their row: not negative, and the same where no entry is."""
    gains = gains_of(costs)
    return costs - gains[:, None] if gains.any() else costs


def with_gains(costs: Array, gains: Array) -> Array:
    """Costs (n, A) plus a number (n,) per row, with the cheapest answer kept where rounding would make a tie."""
    answers = costs.argmin(axis=1)
    moved: Array = costs + gains[:, None]
    return put_before(moved, np.flatnonzero(moved.argmin(axis=1) != answers), answers)


def expected_costs(P: Array, C: Array) -> Array:
    """Expected costs (n, A) under probabilities (n, K) and costs (K, A), gains included; where the costs of several
    answers tie, what is cheapest does not depend on a constant per truth.
    """
    gains = gains_of(C)
    return with_gains(P @ without_gains(C), P @ gains) if gains.any() else P @ C


def expected_costs_by_row(P: Array, tables: Array) -> Array:
    """The same under a table (K, A) for each row, ``tables`` (n, K, A): where these are all one, what it says."""
    n, K, A = tables.shape
    if n and (tables == tables[0]).all():
        return expected_costs(P, tables[0])
    gains = gains_of(tables.reshape(n * K, A)).reshape(n, K)
    if not gains.any():
        return _each(P, tables)
    return with_gains(_each(P, tables - gains[:, :, None]), (P * gains).sum(axis=1))


def _each(P: Array, tables: Array) -> Array:
    """The products (n, A) of each row (K,) with its own table (K, A). Rows go in twos, as a single one would be added
    up in another order than by ``P @ C``, which decides ties.
    """
    twos: Array = np.repeat(P[:, None, :], 2, axis=1) @ tables
    return twos[:, 0].copy()


def put_before(costs: Array, rows: NDArray[np.intp], answers: NDArray[np.intp]) -> Array:
    """Raise costs (n, A) of some rows, where they are below the answer's or tied with it, so that ``argmin`` finds it;
    in place.
    """
    if rows.size:
        own = costs[rows, answers[rows]][:, None]
        before = np.arange(costs.shape[1]) < answers[rows][:, None]
        costs[rows] = np.maximum(costs[rows], np.where(before, np.nextafter(own, np.inf), own))
    return costs


def check_gains(costs: Array, rows: Sequence[Any], columns: Sequence[Any], name: str = "cost_matrix") -> None:
    """Refuse a whole table (K, A) whose signs cannot be meant; ``rows`` and ``columns`` are its labels."""
    check_gains_alone(costs, rows, columns, name)
    place = {label: a for a, label in enumerate(columns)}
    own = [place.get(label, -1) for label in rows]
    if -1 in own or not _are_turned(costs, np.array(own)):
        return
    j, k = np.argwhere(costs < 0)[0]
    where = f"truth {listed(rows[j : j + 1])}, predicted {listed(columns[k : k + 1])}"
    raise ValueError(
        f"{name}[{j}, {k}] ({where}) is {costs[j, k]:g}: negative entries are gains, and here no answer would gain "
        f"less than the right one. The signs are likely the wrong way round: give -{name}."
    )


def check_gains_alone(costs: Array, rows: Sequence[Any], columns: Sequence[Any], name: str = "cost_matrix") -> None:
    """Refuse a table (K, A) with a row of gains alone."""
    alone = np.flatnonzero((costs < 0).all(axis=1))
    if alone.size and costs.shape[1]:
        j = int(alone[0])
        entries = ", ".join(f"{entry:g}" for entry in costs[j, :8])
        raise ValueError(
            f"{name}[{j}] (truth {listed(rows[j : j + 1])}) holds gains alone, {entries}: negative entries are gains, "
            "so the sign is likely wrong. If not, subtract the row's minimum from the row: a constant per truth "
            "changes no decision."
        )


def doubtful_gains(
    costs: Array, truths: NDArray[np.intp], rows: Sequence[Any], columns: Sequence[Any], name: str
) -> str | None:
    """What speaks against the signs of costs (m, A) whose truths are ``rows[truths]``, as a sentence: what is refused
    of one table, in all rows of a truth. It need not be wrong where few rows are seen.
    """
    negative = np.asarray((costs < 0).all(axis=1))
    for j in np.unique(truths[negative]):
        if negative[truths == j].all():
            return (
                f"{name} holds gains alone for the truth {listed([rows[j]])}: whatever is answered there earns. "
                "Negative entries are gains: is the sign meant?"
            )
    place = {label: a for a, label in enumerate(columns)}
    own = np.array([place.get(label, -1) for label in rows], dtype=np.intp)[truths]
    if (own < 0).any() or not _are_turned(costs, own):
        return None
    return (
        f"{name} holds gains (negative entries) and no costs, and no answer would gain less than the right one: are "
        "the signs the wrong way round?"
    )


def _are_turned(costs: Array, own: NDArray[np.intp]) -> bool:
    """Whether costs (m, A) are gains without any cost, the right answer always the one that gains least."""
    if (costs > 0).any() or not (costs < 0).any():
        return False
    return bool((costs[np.arange(len(own)), own] >= costs.max(axis=1)).all())
