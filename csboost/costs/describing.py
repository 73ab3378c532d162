"""A cost table in plain English, so that whoever knows the business can see whether it is the one that is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csboost.costs.doubting import doubts_of, in_words, named, word
from csboost.costs.stated import Stated, as_stated

__all__ = ["describe"]

_MOST_ROWS = 8  # truths or answers beyond which a table is summed up
_DEAREST = 5  # mistakes that are named then


def describe(C: Any, classes: Sequence[Any] | NDArray[Any] | None = None) -> str:
    """Say in words what a cost table states, and what in it is likely not meant.

    Read it before a fit: a table whose rows and columns have changed places is as legal as the right one, but "a true
    L answered VF costs 10" is either what is meant or not.

    Parameters
    ----------
    C : None, str, array-like of shape (K, K), labelled table or CostTable
        Costs, rows = truth, columns = answers; negative ones are gains. Answers of a labelled table need not be
        classes.
    classes : sequence of length K, optional
        The classes; needed for a name, which counts steps in their order, chosen from a labelled table, 0, 1, ... for
        an array by default.

    Returns
    -------
    str
        Several lines. Beyond eight truths or answers the dearest mistakes stand for all; the last lines are those of
        :func:`doubts`.

    Raises
    ------
    ValueError
        For what is no table of finite numbers, and labels that are missing or repeated.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978 (on reasonable costs).

    Examples
    --------
    >>> import pandas as pd
    >>> from csboost import costs
    >>> C = pd.DataFrame([[0, 1, 2], [9, 0, 2]], index=["good", "poor"], columns=["good", "poor", "human"])
    >>> print(costs.describe(C))
    Rows are the truth, columns the answers: 2 truths (good, poor), 3 answers (good, poor, human).
    Right answers cost nothing.
    A true poor answered good costs 9, the dearest mistake; a true good answered poor costs 1, the cheapest.
    Answers that are no classes: human (costs 2 whatever the truth).
    A true good: poor costs 1, human costs 2.
    A true poor: good costs 9, human costs 2.
    Doubts:
    - human can never win: poor is cheaper whatever the probabilities.
    """
    table = as_stated(C, classes)
    found = doubts_of(table)
    lines = [_heading(C, table), *_right(table), *_mistakes(table), *_others(table), *_by_truth(table)]
    lines += ["Doubts:", *(f"- {doubt}" for doubt in found)] if found else ["No doubts."]
    return "\n".join(lines)


def _heading(C: Any, table: Stated) -> str:
    if isinstance(C, str):
        return f"{C!r} for {len(table.truths)} classes, steps counted in the order {_listed(table.truths)}."
    return (
        f"Rows are the truth, columns the answers: {len(table.truths)} truths ({_listed(table.truths)}), "
        f"{len(table.answers)} answers ({_listed(table.answers)})."
    )


def _listed(labels: list[Any], most: int = 20) -> str:
    more = [f"and {len(labels) - most} more"] if len(labels) > most else []
    return ", ".join([*map(word, labels[:most]), *more])


def _right(table: Stated) -> Iterator[str]:
    """What right answers cost, and which truths have none."""
    own = {j: a for j in range(len(table.truths)) if (a := table.own(j)) is not None}
    costs = np.array([table.costs[j, a] for j, a in own.items()])
    if not own:
        yield "No answer is a class."
    elif np.ptp(costs) == 0:
        yield f"Right answers {_plural(in_words(costs[0]))}."
    elif len(own) <= _MOST_ROWS:
        each = ", ".join(f"{word(table.truths[j])} {in_words(cost)}" for j, cost in zip(own, costs, strict=True))
        yield f"Right answers: {each}."
    else:
        yield f"A right answer {_range(costs)}."
    lacking = [truth for j, truth in enumerate(table.truths) if j not in own]
    if own and lacking:
        yield f"Never answered: {_listed(lacking)}."


def _plural(verb: str) -> str:
    return verb.replace("costs", "cost").replace("earns", "earn")


def _range(costs: NDArray[np.float64]) -> str:
    low, high = float(costs.min()), float(costs.max())
    if low == high:
        return in_words(low)
    if low >= 0:
        return f"costs {low:.10g} to {high:.10g}"
    if high <= 0:
        return f"earns {-high:.10g} to {-low:.10g}"
    return f"{in_words(low)} at best, {in_words(high)} at worst"


def _mistakes(table: Stated) -> Iterator[str]:
    """The dearest and the cheapest mistake."""
    entries = [(j, a) for j in range(len(table.truths)) for a in table.mistakes(j)]
    if not entries:
        return
    costs = np.array([table.costs[entry] for entry in entries])
    if np.ptp(costs) == 0:
        yield f"Every mistake {in_words(costs[0])}."
        return
    order = np.argsort(-costs, kind="stable")
    first, last = order[0], int(np.argmin(costs))
    line = f"A true {_entry(table, *entries[first])}, the dearest mistake"
    ties = int((costs == costs[first]).sum()) - 1
    line += f" (as {'does' if ties == 1 else 'do'} {ties} more)" if ties else ""
    yield f"{line}; a true {_entry(table, *entries[last])}, the cheapest."
    if len(table.truths) > _MOST_ROWS:
        named = "; ".join(f"a true {_entry(table, *entries[place])}" for place in order[1:_DEAREST])
        yield f"Next to it: {named}. The median mistake {in_words(float(np.median(costs)))}."


def _entry(table: Stated, j: int, a: int) -> str:
    return f"{word(table.truths[j])} answered {word(table.answers[a])} {in_words(table.costs[j, a])}"


def _others(table: Stated) -> Iterator[str]:
    """Answers that are no classes."""
    if table.others:
        each = [f"{word(table.answers[a])} ({_range(table.costs[:, a])} whatever the truth)" for a in table.others]
        yield f"Answers that are no classes: {', '.join(each)}."


def _by_truth(table: Stated) -> Iterator[str]:
    """Every entry but those of right answers, where the table is small."""
    if max(table.costs.shape) > _MOST_ROWS:
        return
    for j, truth in enumerate(table.truths):
        own = table.own(j)
        each = [f"{named(answer)} {in_words(table.costs[j, a])}" for a, answer in enumerate(table.answers) if a != own]
        if each:
            yield f"A true {word(truth)}: {', '.join(each)}."
