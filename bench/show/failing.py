"""Failed jobs in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from bench.printing import say
from bench.rows.row import Row


def failures(rows: Iterable[Row]) -> list[tuple[tuple[str, str], int]]:
    """Return (algorithm, error) of the failed rows, and how many there are of each, the most frequent first."""
    return Counter((row.algorithm, row.error) for row in rows if not row.is_done).most_common()


def say_failures(failed: Sequence[Row], asked: int) -> None:
    """Tell the user which of the jobs that were asked for failed, and why."""
    say(f"{len(failed)} of {asked} jobs failed; the same command tries them again:")
    for (algorithm, error), count in failures(failed)[:5]:
        say(f"  {count} x {algorithm}: {error}")
