"""By how much entries of the costs have to change until two sets of answers cost the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from csboost._inputs.values import listed
from csboost.metrics.encoding import Outcomes
from csboost.metrics.sentences import entry, plain, short

Groups = Mapping[str, Iterable[tuple[Any, Any]]]

_SUMS_AGREE = 1e-12  # below this share of the largest, sums of rows differ by rounding alone


def changes_that_flip(
    outcomes: Outcomes, model: NDArray[np.intp], other: NDArray[np.intp], groups: Groups | None = None
) -> tuple[pd.DataFrame, float]:
    """The table of :func:`csboost.metrics.flip_points`, and what the model's answers save per case.

    With shares ``d`` (K, A) of the cases that the other answers have in an entry more than the model, the saving is
    ``sum d * C``: linear in every entry, and in a factor on some.
    """
    costs = outcomes.costs_of(model), outcomes.costs_of(other)
    saving = outcomes.mean(costs[1] - costs[0])
    parts = _per_entry(outcomes, other, costs[1]) - _per_entry(outcomes, model, costs[0])
    if groups is not None:
        table = _of_groups(saving, parts, _masks(outcomes, groups))
    elif outcomes.rows is None:
        more = _per_entry(outcomes, other) - _per_entry(outcomes, model)
        table = _of_entries(outcomes, -saving / _not_zero(more), parts, signed=bool((outcomes.table < 0).any()))
    else:
        step = -saving / _not_zero(np.where(outcomes.table != 0, parts, 0)) * outcomes.table
        table = _of_entries(outcomes, step, parts, signed=False)
    return table.sort_values("relative_change", kind="stable"), saving


def _per_entry(outcomes: Outcomes, answer: NDArray[np.intp], values: Any = 1.0) -> NDArray[np.float64]:
    """Sums (K, A) of what the rows have, over the weight of all rows."""
    K, A = outcomes.table.shape
    sums = np.bincount(outcomes.truth * A + answer, weights=outcomes.weights * values, minlength=K * A)
    return sums.reshape(K, A) / outcomes.weights.sum()


def _not_zero(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(abs(values) > _SUMS_AGREE * abs(values).max(), values, np.nan)


def _of_entries(
    outcomes: Outcomes, step: NDArray[np.float64], parts: NDArray[np.float64], *, signed: bool
) -> pd.DataFrame:
    """Entries that a ``step`` (K, A) takes to where the saving is 0; not beyond 0, unless costs may be ``signed``."""
    cost = outcomes.table
    flips_at = np.where(abs(cost + step) < _SUMS_AGREE * abs(cost).max(), 0.0, cost + step)
    if not signed:
        flips_at[np.where(cost < 0, -flips_at, flips_at) < 0] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(cost != 0, flips_at / cost, np.nan)
        relative = np.where(flips_at == cost, 0.0, abs(flips_at - cost) / abs(cost))
    columns = {"cost": cost, "flips_at": flips_at, "factor": factor, "relative_change": relative}
    columns |= {"side": _side(flips_at - cost), "saving": parts}
    right = outcomes.classes.astype(object)[:, None] == outcomes.answers.astype(object)[None, :]
    j, a = np.nonzero(~right.astype(bool) | (cost != 0))
    index = pd.MultiIndex.from_arrays([outcomes.classes[j], outcomes.answers[a]], names=["truth", "answer"])
    return pd.DataFrame({name: column[j, a] for name, column in columns.items()}, index=index)


def _of_groups(saving: float, parts: NDArray[np.float64], masks: dict[str, NDArray[np.bool_]]) -> pd.DataFrame:
    """Groups of entries that a common factor takes to where the saving is 0."""
    own = np.array([parts[mask].sum() for mask in masks.values()])
    factor = 1 - saving / np.where(abs(own) > _SUMS_AGREE * abs(parts).max(), own, np.nan)
    factor[factor < 0] = np.nan
    columns = {"factor": factor, "relative_change": abs(factor - 1), "side": _side(factor - 1), "saving": own}
    return pd.DataFrame(columns, index=pd.Index(list(masks), name="group"))


def _side(step: NDArray[np.float64]) -> NDArray[Any]:
    return np.where(np.isnan(step), None, np.where(step < 0, "below", "above"))  # type: ignore[call-overload]


def _masks(outcomes: Outcomes, groups: Groups) -> dict[str, NDArray[np.bool_]]:
    """Which entries (K, A) are in each group."""
    if not isinstance(groups, Mapping) or not groups:
        example = "{'missed': [('sick', 'well')]}"
        raise ValueError(f"groups must name lists of (truth, answer), such as {example}, got {groups!r}")
    truths, answers = list(outcomes.classes), list(outcomes.answers)
    masks = {}
    for name, pairs in groups.items():
        masks[name] = np.zeros(outcomes.table.shape, bool)
        for pair in pairs:
            if not isinstance(pair, tuple | list) or len(pair) != 2 or pair[0] not in truths or pair[1] not in answers:
                raise ValueError(
                    f"groups[{name!r}] holds {pair!r}, which is no (truth, answer) of the costs; the truths are "
                    f"{listed(truths)}, the answers {listed(answers)}"
                )
            masks[name][truths.index(pair[0]), answers.index(pair[1])] = True
        if not masks[name].any():
            raise ValueError(f"groups[{name!r}] is empty: give it at least one (truth, answer)")
    return masks


def first_flip(table: pd.DataFrame) -> str:
    """The first row of the table in words."""
    if not len(table) or pd.isna(table["side"].iloc[0]):
        return "no change of one of these alone flips that"
    first, name = table.iloc[0], table.index[0]
    if "cost" not in table.columns:
        times = f"{'less' if first['side'] == 'below' else 'more'} than {short(first['factor'])} times as much as now"
        return f"that flips where all of {name!r} cost {times}"
    bound = f"{'less' if first['side'] == 'below' else 'more'} than {short(first['flips_at'])}"
    return f"that flips where {entry(*map(plain, name))} costs {bound} instead of {short(first['cost'])}"
