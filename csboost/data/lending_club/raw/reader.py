"""Read raw Lending Club files: many paths, a window of months, bounded memory, every core."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from csboost.data.errors import DataError, NoLoansError, explained_by
from csboost.data.lending_club.raw import columns
from csboost.data.lending_club.raw.blocks import Block, open_records, read_blocks
from csboost.data.lending_club.raw.files import Source, open_sources
from csboost.data.lending_club.raw.progress import Progress
from csboost.data.lending_club.raw.report import ReadReport
from csboost.data.lending_club.raw.request import check_request

if TYPE_CHECKING:
    from csboost.data.lending_club.raw.findings import Findings
    from csboost.data.lending_club.raw.parsing import Parsed, Plan


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
        One row per loan: ``grade`` (categorical A..G), ``issue_d``, and the features of
        :mod:`csboost.data.lending_club.raw.columns` that the files have: float64 numbers, datetime64 months and
        categorical text.
    report : ReadReport

    Raises
    ------
    DataError
        For missing or unusable files, and for a window without loans.
    """
    started = time.perf_counter()
    files, window = check_request(paths, start, stop)
    try:
        from csboost.data.lending_club.raw import assembly
    except ImportError as error:
        raise DataError(
            f"Reading raw files needs the package pyarrow ({error}): pip install '.[bench]' in csboost's folder, or"
            " pip install pyarrow."
        ) from error
    report = ReadReport(files=[str(path) for path in files], windowed=window is not None)
    with explained_by(report):
        parts: list[Parsed] = []
        with Progress("Reading loans", sum(path.stat().st_size for path in files), enabled=progress) as bar:
            done = 0
            for path in files:
                for source, names, text in _loan_sources(path, report):
                    for part in _read_source(source, names, text, window, report, max_bad_records):
                        parts.append(part)
                        bar.update(done + source.position())
                done += path.stat().st_size
        frame = assembly.assemble(parts, report, start, stop)
    report.seconds = time.perf_counter() - started
    return frame, report


def _loan_sources(path: Path, report: ReadReport) -> Iterator[tuple[Source, list[str], bytes]]:
    """Yield the streams of a file that hold loans, with their header and what is read already.

    Other CSV files in an archive, such as a data dictionary, are noted in the report.
    """
    others: list[NoLoansError] = []
    some = False
    for source in open_sources(path):
        try:
            names, text = open_records(source)
        except NoLoansError as error:
            others.append(error)
            report.left_out.append(source.name)
            continue
        some = True
        yield source, names, text
    if others and not some:
        raise others[0]


def _read_source(
    source: Source, names: list[str], text: bytes, window: tuple[int, int] | None, report: ReadReport, limit: int
) -> Iterator[Parsed]:
    """Parse one stream block by block and tell the report what is found."""
    from csboost.data.lending_club.raw.findings import Findings, check_conventions, check_loans

    plan = _plan(source, names, window)
    report.note_columns(*columns.split_columns(names))
    found = Findings()
    for part in _in_threads(read_blocks(source, text), plan):
        found.add(part.found)
        report.add(part.found)
        check_conventions(plan.name, found)
        if found.counts["too_long"] + found.counts["too_short"] > limit:
            check_loans(plan.name, names, plan.label, found)
            raise _too_many(plan, found, limit)
        yield part
    check_loans(plan.name, names, plan.label, found)


def _plan(source: Source, names: list[str], window: tuple[int, int] | None) -> Plan:
    from csboost.data.lending_club.raw.parsing import Plan

    first = {name: place for place, name in reversed(list(enumerate(names)))}  # of a repeated name, the first column
    if window is not None and columns.ISSUED not in first:
        raise DataError(f"{source.name} has no column {columns.ISSUED!r}, so no window of months can be chosen.")
    label = "grade" if "grade" in first else "sub_grade"
    wanted = columns.FEATURES | {label, columns.ISSUED, "id"}
    places = {name: place for name, place in sorted(first.items(), key=lambda item: item[1]) if name in wanted}
    return Plan(source.name, names, places, window)


def _too_many(plan: Plan, found: Findings, limit: int) -> DataError:
    width, count = found.widths.most_common(1)[0]
    return DataError(
        f"{plan.name}: {found.counts['too_long']:,} records have more and {found.counts['too_short']:,} have fewer"
        f" fields than the {plan.width} of the header; at most {limit:,} such records are skipped. Is the file cut or"
        f" pasted together? Most frequent among them are {count:,} with {width} fields."
    )


def _in_threads(blocks: Iterator[Block], plan: Plan) -> Iterator[Parsed]:
    """Parse blocks in threads while the next are unpacked; results in order, only a few blocks alive at once."""
    from csboost.data.lending_club.raw.parsing import parse_block

    workers = min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    pending: deque[Future[Parsed]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for block in blocks:
            pending.append(pool.submit(parse_block, block, plan))
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
