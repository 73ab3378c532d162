"""What in a cost table is likely not meant: each doubt is a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from csboost.costs.checks import bare_label
from csboost.costs.roles import roles
from csboost.costs.stated import Stated, as_stated

__all__ = ["doubts", "doubts_of", "in_words", "named", "word"]

_TINY = 1e-7  # of the largest difference in a row: what the linear programme can tell from 0


def doubts(C: Any, classes: Sequence[Any] | NDArray[Any] | None = None) -> list[str]:
    """Name what in a cost table is likely not meant, though it may be legal.

    These are: a mistake that costs no more than the right answer; an answer that is never the cheapest, whatever the
    probabilities of the truths (found by a linear programme); two answers of equal costs; a truth for which every
    answer costs the same, or for which every answer earns; labels that differ by case, blanks or type only; axes whose
    names, or rows that are neither ``classes`` nor answers, say that rows and columns have changed places.

    Parameters
    ----------
    C : None, str, array-like of shape (K, K), labelled table or CostTable
        Costs, rows = truth, columns = answers; negative ones are gains. Answers of a labelled table need not be
        classes.
    classes : sequence of length K, optional
        The classes; needed for a name, chosen from a labelled table, 0, 1, ... for an array by default.

    Returns
    -------
    list of str
        A sentence per doubt; empty where there is none.

    Raises
    ------
    ValueError
        For what is no table of finite numbers, and labels that are missing or repeated.

    References
    ----------
    Elkan, C. (2001), "The foundations of cost-sensitive learning", Proceedings of the Seventeenth International Joint
    Conference on Artificial Intelligence, 973-978 (on reasonable costs and dominated answers).

    Examples
    --------
    >>> from csboost import costs
    >>> costs.doubts([[0, 1, 2], [1, 0, 2], [1, 1, 3]])
    ['A true 2 prefers a wrong answer: answer 0 costs 1, ...', 'Answer 2 can never win: answer 0 is cheaper ...']
    """
    return doubts_of(as_stated(C, classes))


def doubts_of(table: Stated) -> list[str]:
    """The same of a table that is read already."""
    return [*_axes(table), *_labels(table), *_rows(table), *_columns(table)]


def word(label: Any) -> str:
    """A label in a sentence."""
    text = str(label)
    return text if text and not any(sign.isspace() for sign in text) else repr(text)


def named(answer: Any) -> str:
    """An answer in a sentence: a bare number would read as an amount."""
    return word(answer) if isinstance(answer, str) else f"answer {word(answer)}"


def in_words(cost: float) -> str:
    """What an entry means: ``costs 2``, ``earns 3`` or ``costs nothing``."""
    return "costs nothing" if cost == 0 else f"costs {cost:.10g}" if cost > 0 else f"earns {-cost:.10g}"


def _axes(table: Stated) -> Iterator[str]:
    rows, columns = map(roles, table.axes)  # a corner such as "answer \\ truth" speaks of the rows first
    if table.turned is not None:
        yield _sentence(table.turned)
    if rows[:1] == ["answer"] or columns[:1] == ["truth"]:
        what, name = ("rows", table.axes[0]) if rows[:1] == ["answer"] else ("columns", table.axes[1])
        yield f"The {what} are called {str(name)!r}; rows are read as the truth, columns as answers. Is C.T meant?"


def _labels(table: Stated) -> Iterator[str]:
    found = {bare_label(truth): truth for truth in reversed(table.truths)}
    for truth in table.truths:
        twin = found.get(bare_label(truth), truth)
        if twin is not truth:
            yield f"The truths {twin!r} and {truth!r} differ by case, blanks or type only: is one of them meant?"
    others: dict[Any, Any] = {}
    for a in table.others:
        answer = table.answers[a]
        twin = found.get(bare_label(answer))
        first = others.setdefault(bare_label(answer), answer)
        if twin is not None:
            yield (
                f"The answer {answer!r} is not the class {twin!r}, but differs by case, blanks or type only: write "
                "them alike if they are the same."
            )
        elif first is not answer:
            yield f"The answers {first!r} and {answer!r} differ by case, blanks or type only: is one of them meant?"


def _rows(table: Stated) -> Iterator[str]:
    for j, (truth, costs) in enumerate(zip(table.truths, table.costs, strict=True)):
        if len(costs) > 1 and np.ptp(costs) == 0:
            yield f"Nothing hangs on a true {word(truth)}: every answer {in_words(costs[0])}."
            continue
        if (costs < 0).all():
            yield f"Every answer to a true {word(truth)} earns: is the sign meant?"
        own = table.own(j)
        if own is None:
            continue
        best = int(np.argmin(costs))
        right = f"the right answer {in_words(costs[own])}"
        if costs[best] < costs[own]:
            kind = "a wrong answer" if table.answers[best] in table.truths else "another answer"
            yield f"A true {word(truth)} prefers {kind}: {named(table.answers[best])} {in_words(costs[best])}, {right}."
            continue
        free = [word(table.answers[a]) for a in table.mistakes(j) if costs[a] == costs[own]]
        if free:
            yield f"A mistake is free: a true {word(truth)} answered {', '.join(free)} costs no more than right."


def _columns(table: Stated) -> Iterator[str]:
    C, answers = table.costs, table.answers
    twins = [[b for b in range(len(answers)) if b != a and (C[:, a] == C[:, b]).all()] for a in range(len(answers))]
    for a, label in enumerate(answers):
        if twins[a]:
            if a < twins[a][0]:
                same = ", ".join(named(answers[b]) for b in twins[a])
                yield _sentence(f"{named(label)} and {same} cost the same whatever the truth.")
            continue
        lead = _best_lead(C, a)
        if lead > _TINY:
            continue
        better = [k for k in range(len(answers)) if k != a and (C[:, k] <= C[:, a]).all()]
        by = f"{named(answers[better[0]])} is" if better else "some other answer is"
        if lead < -_TINY:
            yield _sentence(f"{named(label)} can never win: {by} cheaper whatever the probabilities.")
        else:
            yield _sentence(f"{named(label)} can never win alone: {by} as cheap or cheaper whatever the probabilities.")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] if text.startswith(("answer ", "the ")) else text  # labels stay as they are


def _best_lead(C: NDArray[np.float64], a: int) -> float:
    """By how much answer ``a`` can be cheaper than every other one, at best over all probabilities of the truths (or at
    one at least, where that is more than 0). The differences of every truth are scaled to at most 1, on which the sign
    does not depend.
    """
    leads = np.delete(C, a, axis=1) - C[:, [a]]
    K, n_others = leads.shape
    if n_others == 0:
        return np.inf
    largest = np.abs(leads).max(axis=1, keepdims=True)
    leads = leads / np.where(largest > 0, largest, 1.0)
    certain = float(leads.min(axis=1).max())  # where one of the truths is certain
    if certain > _TINY:
        return certain
    found = linprog(
        np.append(np.zeros(K), -1.0),
        A_ub=np.column_stack([-leads.T, np.ones(n_others)]),
        b_ub=np.zeros(n_others),
        A_eq=[np.append(np.ones(K), 0.0)],
        b_eq=[1.0],
        bounds=[(0, None)] * K + [(None, None)],
    )
    return -float(found.fun)
