"""A progress bar on stderr, if that is a terminal and rich is installed; otherwise nothing."""

from __future__ import annotations

import sys
from typing import Any


class Progress:
    """Context manager; ``update`` takes the amount done so far, in bytes."""

    def __init__(self, label: str, total: int, enabled: bool = True):
        self._bar: Any = None
        if enabled and sys.stderr.isatty():
            self._bar = _rich_bar(label, total)

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done)


def _rich_bar(label: str, total: int) -> Any:
    try:
        from rich import progress
        from rich.console import Console
    except ImportError:
        return None
    parts = (progress.TextColumn("{task.description}"), progress.BarColumn(), progress.DownloadColumn())
    bar = progress.Progress(*parts, progress.TimeRemainingColumn(), console=Console(stderr=True), transient=True)
    bar.add_task(label, total=total)
    return bar
