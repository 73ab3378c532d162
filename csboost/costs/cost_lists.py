"""Costs as a list of truth, answer and cost, made into a table."""

from __future__ import annotations

from typing import Any

from csboost._inputs.values import listed
from csboost.costs.roles import COSTS, names_a_list, roles
from csboost.costs.text_tables import Cells, reads_as_number

__all__ = ["is_list", "table_of_list"]


def is_list(cells: Cells) -> bool:
    """Whether three columns are truth, answer and cost, and not the costs of two answers."""
    names = cells.header
    if len(names) != 3:
        return False
    if names_a_list(names) or str(names[2]).lower() in COSTS:
        return True
    truths, answers, costs = zip(*cells.rows, strict=True)
    labels = not any(reads_as_number(answer) for answer in answers) and all(map(reads_as_number, costs))
    return labels and (len(set(truths)) < len(truths) or set(answers) <= set(truths))


def table_of_list(cells: Cells) -> tuple[list[Any], list[Any], list[list[Any]]]:
    """Truths, answers and costs (K, A). Answers that are truths come first, in the order of the truths."""
    if reads_as_number(cells.header[2]):
        raise ValueError(
            f"{cells.name}: the first line holds a cost, {cells.header[2]!r}, in place of names. Put a header above "
            "it: truth, answer, cost."
        )
    places = _places(cells)
    found: dict[tuple[Any, Any], tuple[Any, str]] = {}
    for row, where in zip(cells.rows, cells.places, strict=True):
        truth, answer, cost = (row[place] for place in places)
        if truth == "" or answer == "":
            raise ValueError(f"{cells.name}, {where}: the {'truth' if truth == '' else 'answer'} is missing.")
        if (truth, answer) in found:
            raise ValueError(
                f"{cells.name}, {where}: the cost of truth {truth!r}, answer {answer!r} stands in "
                f"{found[truth, answer][1]} already; keep one of the two."
            )
        found[truth, answer] = cost, where
    truths = list(dict.fromkeys(truth for truth, _ in found))
    given = dict.fromkeys(answer for _, answer in found)
    answers = [truth for truth in truths if truth in given] + [answer for answer in given if answer not in set(truths)]
    missing = [(t, a) for t in truths for a in answers if (t, a) not in found and t != a]
    if missing:
        truth, answer = missing[0]
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise ValueError(
            f"{cells.name} has no cost of truth {truth!r}, answer {answer!r}{more}: give a line for every truth and "
            "answer. Only a right answer may be left out, and costs 0 then."
        )
    return truths, answers, [[found.get((t, a), (0.0, ""))[0] for a in answers] for t in truths]


def _places(cells: Cells) -> tuple[int, int, int]:
    """Where the truth, the answer and the cost stand: as the names say, else in this order."""
    names = cells.header
    cost = next((place for place in (2, 0, 1) if str(names[place]).lower() in COSTS), 2)
    first, second = (place for place in range(3) if place != cost)
    one, two = roles(names[first]), roles(names[second])
    if (one and one == two) or len(one) > 1 or len(two) > 1:
        raise ValueError(
            f"{cells.name}: it is not clear which of the columns {listed([names[first], names[second]])} holds the "
            "truth and which the answer; call them truth and answer."
        )
    return (second, first, cost) if one == ["answer"] or two == ["truth"] else (first, second, cost)
