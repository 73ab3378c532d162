"""Limits on how often an answer may be given, as counts of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csboost._inputs.values import is_integer, listed
from csboost.costs.checks import label_hint

NEARLY_WHOLE = 1e-9  # of a share times the number of rows: 0.3 * 10 is to be 3


class Limits(NamedTuple):
    """How often each of A answers is given at least and at most."""

    lower: NDArray[np.int64]  # (A,)
    upper: NDArray[np.int64]  # (A,)
    named: dict[Any, int]  # the labels that were given -> their places among the answers


def read_limits(limits: Any, labels: NDArray[Any], n_rows: int) -> Limits:
    """Limits by label as counts among ``n_rows`` rows; ``labels`` (A,) are the answers."""
    limits = named_limits(limits)
    places = {label: place for place, label in enumerate(labels.tolist())}
    unknown = [label for label in limits if label not in places]
    if unknown:
        hint = label_hint(labels.tolist(), unknown)
        raise ValueError(
            f"limits names {listed(unknown)}, which are no answers; those are {listed(list(labels))}"
            f"{hint and '. ' + hint}"
        )
    lower, upper = np.zeros(len(labels), dtype=np.int64), np.full(len(labels), n_rows, dtype=np.int64)
    for label, limit in limits.items():
        place, name = places[label], f"limits[{label!r}]"
        least, most = limit if isinstance(limit, tuple | list) and len(limit) == 2 else (None, limit)
        if most is not None:
            upper[place] = min(_count(most, n_rows, name, up=False), n_rows)
        if least is not None:
            lower[place] = _count(least, n_rows, name, up=True)
        if lower[place] > upper[place]:
            raise ValueError(
                f"{name} asks for at least {lower[place]} and at most {upper[place]} of {n_rows} rows: no number is "
                "both. Lower the first or raise the second. (1.0 is a share, all rows; 1 is one row.)"
            )
    found = Limits(lower, upper, {label: places[label] for label in limits})
    _check_feasible(found, n_rows)
    return found


def named_limits(limits: Any) -> dict[Any, Any]:
    """Limits by answer, from a dict or a Series; none for None."""
    if limits is None:
        return {}
    of_series = hasattr(limits, "items") and hasattr(limits, "index") and not hasattr(limits, "columns")
    if not (isinstance(limits, Mapping) or of_series):
        raise ValueError(
            f"limits must be a dict from answers to how often they may be given, such as {{'human': 0.05}}, got "
            f"{type(limits).__name__}"
        )
    named = dict(limits.items())
    if len(named) < len(limits):
        repeated = list(dict.fromkeys(limits.index[limits.index.duplicated()]))
        raise ValueError(f"limits names {listed(repeated)} more than once: give each answer one limit")
    return named


def limit_doubts(limits: Any) -> list[str]:
    """What speaks against 1.0 as a share, as sentences: other limits that are counts held as floats, or a Series of
    floats, which makes 1.0 of the count 1.
    """
    named = named_limits(limits)
    given = [part for limit in named.values() for part in (limit if isinstance(limit, tuple | list) else [limit])]
    counts = any(isinstance(part, float | np.floating) and part > 1.0 for part in given)
    if not (counts or getattr(getattr(limits, "dtype", None), "kind", "") == "f"):
        return []
    return [
        f"limits[{label!r}] is 1.0, which is a share, all rows, beside what looks like counts: give the whole number 1 "
        "if one row is meant (in a dict, as a Series of floats has none), or leave the limit out."
        for label, limit in named.items()
        if isinstance(limit, float | np.floating) and limit == 1.0
    ]


def _count(limit: Any, n_rows: int, name: str, *, up: bool) -> int:
    """One limit as a count: a share is rounded to the side that keeps it."""
    if is_integer(limit) and limit >= 0:
        return int(limit)
    if isinstance(limit, float | np.floating):
        value = float(limit)
        if 0.0 <= value <= 1.0:
            rows = value * n_rows
            return int(np.ceil(rows - NEARLY_WHOLE)) if up else int(np.floor(rows + NEARLY_WHOLE))
        if value > 1.0 and value.is_integer():
            return int(value)
    raise ValueError(
        f"{name} is {limit!r}: give a share of the rows (a float from 0 to 1; 1.0 is all of them), a count (a whole "
        "number; 1 is one row), or a pair (lower, upper) of such, with None for no limit"
    )


def _check_feasible(limits: Limits, n_rows: int) -> None:
    """Refuse limits that no answers to ``n_rows`` rows can keep together."""
    lower, upper, named = limits
    least = {label: int(lower[place]) for label, place in named.items() if lower[place] > 0}
    if sum(least.values()) > n_rows:
        counts = ", ".join(f"{label!r} {count}" for label, count in least.items())
        raise ValueError(
            f"limits cannot be kept: the lower limits ({counts}) need {sum(least.values())} rows together, and there "
            f"are {n_rows}. Lower one of them."
        )
    if len(named) == len(upper) and upper.sum() < n_rows:
        counts = ", ".join(f"{label!r} {upper[place]}" for label, place in named.items())
        raise ValueError(
            f"limits cannot be kept: every answer has an upper limit ({counts}), which leaves answers for "
            f"{upper.sum()} rows, and there are {n_rows}. Raise one of them, or leave one answer without."
        )
