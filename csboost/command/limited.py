"""Answers under limits, which only all cases together decide.

A first pass over the file writes what every answer is expected to cost each case to a temporary file, 8 bytes per
number. Then these are read back, answered together, and written. Answers in excess are taken from the cases that lose
least by another one, so no block can be decided for itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np
import pandas as pd

from csboost.command.deciding import Answered, Decider
from csboost.command.mishaps import UsageError
from csboost.data.errors import DataError
from csboost.decisions.deciding import concluded
from csboost.decisions.decision import Decision
from csboost.tables.labels import label_texts


def limits_by_answer(given: Iterable[tuple[str, Any]], decider: Decider) -> dict[Any, Any]:
    """Limits by the answers of a model (UsageError for others, and for repeated ones)."""
    labels = decider.labels.tolist()
    known = dict(zip(label_texts(labels), labels, strict=True))
    found: dict[Any, Any] = {}
    for text, limit in given:
        answer = label_texts([text])[0]
        if answer not in known:
            raise UsageError(f"--limit names {text!r}, which is no answer; those are {', '.join(known)}.")
        if known[answer] in found:
            raise UsageError(f"--limit names {text!r} twice: give least and most at once, as in {text}=10..20.")
        found[known[answer]] = limit
    if found and not decider.has_costs:
        raise UsageError("--limit needs a model with probabilities, which this one has not.")
    return found


def decide_together(answered: Iterable[Answered], decider: Decider, limits: dict[Any, Any]) -> Decision:
    """Decide all cases from their expected costs."""
    A = len(decider.labels)
    with tempfile.TemporaryFile() as file:
        for block in answered:
            assert block.expected is not None
            _add(file, np.ascontiguousarray(block.expected, dtype=np.float64).tobytes())
        file.seek(0)
        costs = np.fromfile(file, dtype=np.float64).reshape(-1, A)
    return concluded(costs, decider.labels, decider.classes, None, limits if len(costs) else None)


def _add(file: IO[bytes], data: bytes) -> None:
    """Write to the temporary file; one that has no room is nowhere to be seen, so its folder is named (OSError)."""
    try:
        file.write(data)
        file.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, tempfile.gettempdir()) from None


def in_blocks(
    decision: Decision, decider: Decider, n_rows: int, kept: Iterator[pd.DataFrame] | None
) -> Iterator[tuple[Answered, pd.DataFrame | None]]:
    """The decided cases block by block, beside the columns of the file that are copied."""
    places = pd.Index(decider.labels).get_indexer(pd.Index(decision.answers))
    start = 0
    while start < len(places):
        columns = None if kept is None else next((found for found in kept if len(found)), None)
        if kept is not None and columns is None:
            raise DataError("the file has fewer cases than when it was first read: run the command again.")
        stop = start + (n_rows if columns is None else len(columns))
        yield Answered(places[start:stop], decision.expected_costs[start:stop]), columns
        start = stop
