"""What all runs share: a progress bar, and jobs in a thread that leaves Ctrl-C to the main one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bench.exits import JOB
from bench.printing import say

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


def progress_bar() -> Progress:
    """Return a bar on stderr, invisible where that is no terminal; its tasks have a field ``failed``."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def in_a_thread(work: Callable[[Asked], Answered], tasks: Iterable[Asked]) -> Iterator[Answered]:
    """Run tasks one by one in a daemon thread: the main thread, only waiting, answers Ctrl-C even within a long fit."""
    answers: queue.Queue[Answered | BaseException] = queue.Queue()

    def run(task: Asked) -> None:
        try:
            answers.put(work(task))
        except BaseException as error:
            answers.put(error)

    for task in tasks:
        threading.Thread(target=run, args=(task,), name=JOB, daemon=True).start()
        answer = answers.get()
        if isinstance(answer, BaseException):
            raise answer
        yield answer


def say_resuming(folder: Path, todo: int, asked: int) -> None:
    """Tell the user that some, but not all, of the jobs are done already."""
    if 0 < todo < asked:
        say(f"Resuming in {folder}: {asked - todo} of {asked} jobs are done already.")
