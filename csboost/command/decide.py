"""``csboost decide``: answer the cases of a file, block by block."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from csboost.command.answers import STDOUT, answer_frame, answer_names, check_kind, opened_writer
from csboost.command.categories import Names, names_of
from csboost.command.deciding import Answered, Decider
from csboost.command.features import check_columns, columns_of, levels_of
from csboost.command.files import check_output
from csboost.command.limited import decide_together, in_blocks, limits_by_answer
from csboost.command.mishaps import UsageError
from csboost.command.opening import open_model
from csboost.command.printing import Progress, in_list, print_result, say
from csboost.metrics.sentences import percent
from csboost.tables.blocks import blocks_beside
from csboost.tables.columns import CATEGORY, Column
from csboost.tables.names import check_name
from csboost.tables.sources import Source
from csboost.tables.spelling import Unread

MOST_CELLS = 4_000_000  # of a block, however many columns the file has
Block = TypeVar("Block")


def conduct_decide(options: argparse.Namespace) -> None:
    """Do what ``csboost decide`` was asked for."""
    if options.out != STDOUT:
        check_output(Path(options.out), [options.model, options.file, *([options.costs] if options.costs else [])])
    check_kind(options.out)
    model = open_model(options.model)
    decider = Decider(model, options.costs)
    limits = limits_by_answer(options.limit, decider)
    cases = Cases(model, options, decider)
    if not decider.has_costs:
        say("The model has no probabilities, so nothing is said of expected costs.")
    with opened_writer(options.out, options.file, options.keep) as writer:
        total = Total(decider)
        prices: dict[Any, float] = {}
        if limits:
            decision = decide_together((decider.answer(block) for block, _ in cases.blocks()), decider, limits)
            prices = decision.shadow_prices
            decided = in_blocks(decision, decider, cases.n_rows, cases.copied() if options.keep else None)
        else:
            decided = ((decider.answer(block), copied) for block, copied in cases.blocks())
        for answered, copied in decided:
            writer.write(answer_frame(decider, answered, copied))
            total.add(answered)
        if not total.rows:
            nothing = Answered(np.empty(0, dtype=np.intp), np.empty((0, len(decider.labels))))
            writer.write(answer_frame(decider, nothing, cases.no_rows()))
    for line in cases.unread.lines():
        say(line)
    (say if options.out == STDOUT else print_result)("\n".join(total.lines(options, limits, prices)))


class Cases:
    """The cases of a file, in blocks, read ahead in a thread of its own."""

    def __init__(self, model: Any, options: argparse.Namespace, decider: Decider) -> None:
        self._columns = columns_of(model, options.model)
        self._keep = list(dict.fromkeys(options.keep))
        self._source = Source(options.file, options.sheet)
        there = self._source.names
        check_columns(self._columns, there, options.file, model, self._keep)
        for name in self._keep:
            check_name(name, there, str(options.file), "column to keep")
            if name in answer_names(decider.labels):
                raise UsageError(
                    f"--keep {name}: the answers have a column of this name; rename that of {options.file}."
                )
        self.unread = Unread(levels_of(model))
        self._own = _own_categories(self._columns, model)
        self.n_rows = min(options.block_rows, max(1, MOST_CELLS // len(there)))

    def blocks(self) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """The features of all cases, beside the copied columns."""
        blocks = blocks_beside(self._source, self._columns, self._keep, self.n_rows, self.unread)
        return counted(ahead((self._placed(block), copied) for block, copied in blocks))

    def _placed(self, block: pd.DataFrame) -> pd.DataFrame:
        """The block with the model's own categories in the place of their texts."""
        return block.assign(**{name: own.placed(block[name]) for name, own in self._own.items()})

    def copied(self) -> Iterator[pd.DataFrame]:
        """The copied columns alone."""
        for _, copied in blocks_beside(self._source, [], self._keep, self.n_rows):
            yield copied

    def no_rows(self) -> pd.DataFrame:
        """The copied columns of a file without cases."""
        return pd.DataFrame(columns=self._keep)


def _own_categories(columns: Sequence[Column], model: Any) -> dict[str, Names]:
    """The categories that are other than their texts, by column."""
    read = [column.name for column in columns if column.kind == CATEGORY]
    found = names_of(model, list(model.feature_names_in_)) if read else {}
    return {name: found[name] for name in read if name in found and not found[name].as_read}


def ahead(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks, each made in another thread while the one before is used."""
    done: Any = object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, blocks, done)
        while (block := coming.result()) is not done:
            coming = pool.submit(next, blocks, done)
            yield block


def counted(blocks: Iterable[tuple[pd.DataFrame, pd.DataFrame]]) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """The blocks that have rows, with the number of these on a terminal's stderr."""
    progress, rows = Progress(), 0
    with contextlib.closing(progress):
        for block, copied in blocks:
            rows += len(block)
            progress.show(f"{rows:,} cases")
            if len(block):
                yield block, copied


class Total:
    """What all answers come to."""

    def __init__(self, decider: Decider) -> None:
        self._labels, self._counts, self._cost = decider.labels, np.zeros(len(decider.labels), dtype=np.int64), 0.0
        self._has_costs = decider.has_costs

    @property
    def rows(self) -> int:
        """How many cases there were."""
        return int(self._counts.sum())

    def add(self, answered: Answered) -> None:
        """Count a block."""
        self._counts += np.bincount(answered.places, minlength=len(self._labels))
        if answered.expected is not None:
            self._cost += float(answered.expected[np.arange(len(answered.places)), answered.places].sum())

    def lines(self, options: argparse.Namespace, limits: dict[Any, Any], prices: dict[Any, float]) -> list[str]:
        """Say it."""
        if not self.rows:
            out = "stdout" if options.out == STDOUT else options.out
            return [f"{options.file} has no cases: {out} has a header alone."]
        where = "" if options.out == STDOUT else f" to {options.out}"
        cost = f"; expected cost {self._cost / self.rows:.4g} per case" if self._has_costs else ""
        counts = dict(zip(self._labels.tolist(), self._counts.tolist(), strict=True))
        shares = [f"{in_list(label)} {n:,} ({percent(n / self.rows)})" for label, n in counts.items()]
        found = [f"{self.rows:,} answers{where}{cost}.", f"Answers: {', '.join(shares)}."]
        for label in limits:
            price = prices.get(label, 0.0)
            worth = f"it binds: one case {_way(limits[label])} would save {price:.4g}" if price else "it does not bind"
            found.append(f"Limit of {label}: {counts[label]:,} given; {worth}.")
        return found


def _way(limit: Any) -> str:
    """Which way a limit that binds would have to give."""
    least, most = limit if isinstance(limit, tuple) else (None, limit)
    return "more" if least is None else "less" if most is None else "more or less"
