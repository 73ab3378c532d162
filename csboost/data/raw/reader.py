"""Read raw Lending Club files: many paths, a window of months, bounded memory, every core."""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from os import PathLike
from typing import TYPE_CHECKING

import pandas as pd

from csboost.data.errors import DataError
from csboost.data.raw import columns, spellings
from csboost.data.raw.blocks import Block, open_records, read_blocks
from csboost.data.raw.files import Source, check_path, open_sources
from csboost.data.raw.progress import Progress
from csboost.data.raw.report import ReadReport

if TYPE_CHECKING:
    from csboost.data.raw.parsing import Parsed, Plan


def read_loans(
    paths: Iterable[str | PathLike[str]],
    start: str | None = None,
    stop: str | None = None,
    *,
    max_bad_records: int = 1000,
    progress: bool = True,
) -> tuple[pd.DataFrame, ReadReport]:
    """Read the loans of a window of months from raw files.

    Parameters
    ----------
    paths : iterable of paths
        CSV files, plain, gzip or zip; a loan that occurs twice is kept once.
    start, stop : str or None
        First and last month of issue, both included, as "2017-01"; None for no limit.
    max_bad_records : int
        Records with too many or too few fields that are skipped per file; more are an error.
    progress : bool
        Show a progress bar on stderr if that is a terminal and rich is installed.

    Returns
    -------
    frame : DataFrame
        One row per loan: ``grade`` (categorical A..G), ``issue_d``, and the features of :mod:`csboost.data.raw.columns`
        that the files have: float64 numbers, datetime64 months and categorical text.
    report : ReadReport

    Raises
    ------
    DataError
        For missing or unusable files, and for a window without loans.
    """
    started = time.perf_counter()
    window = _window(start, stop)
    files = [check_path(path) for path in paths]
    if not files:
        raise DataError("No file is named.")
    try:
        from csboost.data.raw import assembly
    except ImportError as error:
        raise DataError(
            f"Reading raw files needs pyarrow ({error}); in the clone of the project: pip install '.[bench]'"
        ) from error
    report = ReadReport(files=[str(path) for path in files])
    parts: list[Parsed] = []
    with Progress("Reading loans", sum(path.stat().st_size for path in files), enabled=progress) as bar:
        done = 0
        for path in files:
            for source in open_sources(path):
                for part in _read_source(source, window, report, max_bad_records):
                    parts.append(part)
                    bar.update(done + source.position())
            done += path.stat().st_size
    frame = assembly.assemble(parts, report, start, stop)
    report.seconds = time.perf_counter() - started
    return frame, report


def _window(start: str | None, stop: str | None) -> tuple[int, int] | None:
    if start is None and stop is None:
        return None
    ends = []
    for text, default in ((start, spellings.NO_MONTH + 1), (stop, -spellings.NO_MONTH)):
        number = default if text is None else spellings.month_number(text)
        if number == spellings.NO_MONTH:
            raise DataError(f"{text!r} is no month: write it as 2017-01 (options --from and --to).")
        ends.append(number)
    if ends[0] > ends[1]:
        raise DataError(f"The window is empty: it starts in {start} and stops in {stop} (options --from and --to).")
    return ends[0], ends[1]


def _read_source(source: Source, window: tuple[int, int] | None, report: ReadReport, limit: int) -> Iterator[Parsed]:
    """Parse one stream block by block and add its counts to the report."""
    names, text = open_records(source)
    plan = _plan(source, names, window)
    report.note_columns(*columns.split_columns(names))
    counts: Counter[str] = Counter()
    for part in _in_threads(read_blocks(source, text), plan):
        counts.update(part.counts)
        if counts["too_long"] + counts["too_short"] > limit:
            raise _too_many(plan, counts, limit)
        report.unreadable.update(part.unreadable)
        yield part
    report.add(counts)


def _plan(source: Source, names: list[str], window: tuple[int, int] | None) -> Plan:
    from csboost.data.raw.parsing import Plan

    first = {name: place for place, name in reversed(list(enumerate(names)))}  # of a repeated name, the first column
    if window is not None and columns.ISSUED not in first:
        raise DataError(f"{source.name} has no column {columns.ISSUED!r}, so no window of months can be chosen.")
    label = "grade" if "grade" in first else "sub_grade"
    wanted = columns.FEATURES | {label, columns.ISSUED, "id"}
    places = {name: place for name, place in sorted(first.items(), key=lambda item: item[1]) if name in wanted}
    return Plan(source.name, len(names), places, window)


def _too_many(plan: Plan, counts: Counter[str], limit: int) -> DataError:
    return DataError(
        f"{plan.name}: {counts['too_long']:,} records have more and {counts['too_short']:,} have fewer fields than the"
        f" {plan.width} of the header; at most {limit:,} such records are skipped. Is the file cut or pasted together?"
    )


def _in_threads(blocks: Iterator[Block], plan: Plan) -> Iterator[Parsed]:
    """Parse blocks in threads while the next are unpacked; results in order, only a few blocks alive at once."""
    from csboost.data.raw.parsing import parse_block

    workers = min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    pending: deque[Future[Parsed]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for block in blocks:
            pending.append(pool.submit(parse_block, block, plan))
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
