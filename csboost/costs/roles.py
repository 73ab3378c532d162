"""What the names of columns and axes say: which holds the truth, and which the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

__all__ = ["COSTS", "are_turned", "names_a_list", "roles"]

COSTS = ("cost", "costs")  # what the column of a list is called that holds them
_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")
_WORDS = {
    "truth": "truth.*|true.*|ytrue|actual.*|observed|real|target",
    "answer": "answer.*|predict.*|y?preds?|decision.*|decided|actions?|responses?|y?hat",
}
_EITHER = "expected"  # what should be in tests of software, what a model says elsewhere


def roles(name: Any) -> list[str]:
    """Of ``"truth"`` and ``"answer"`` those that a name speaks of, in its order; empty where it says nothing."""
    found = []
    for word in _WORD.findall(str(name)):
        said = [role for role, words in _WORDS.items() if re.fullmatch(words, word.lower())]
        found += list(_WORDS) if word.lower() == _EITHER else said
    return list(dict.fromkeys(found))


def names_a_list(names: Sequence[Any]) -> bool:
    """Whether the names of three columns are those of a truth, an answer and a cost, in any order."""
    others = [roles(name) for name in names if str(name).lower() not in COSTS]
    return len(names) == 3 and sorted(others) == [["answer"], ["truth"]]


def are_turned(rows: Any, columns: Any) -> bool:
    """Whether the names of a table's axes say that its rows are answers, or its columns truths, and nothing else."""
    on_rows, on_columns = roles(rows), roles(columns)
    return on_rows != on_columns and (on_rows == ["answer"] or on_columns == ["truth"])
