"""What was read: counts of records, and what became of each column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass
class ReadReport:
    """Counts of one reading; ``print`` it to show them.

    Attributes
    ----------
    files : list of str
        What was read.
    records : int
        Records below the headers: ``loans + non_loans + too_long + too_short``.
    loans : int
        Records with a grade from A to G.
    non_loans : int
        Totals, repeated headers and other records without a grade.
    too_long, too_short : int
        Records with more or fewer fields than the header, skipped.
    outside : int
        Loans issued outside the window.
    undated : int
        Loans whose month of issue cannot be read, skipped if there is a window.
    duplicates : int
        Loans of the window that occur again.
    kept : int
        ``loans - outside - undated - duplicates`` (with no window, undated loans are kept).
    unreadable : dict
        Cells that should be numbers and are not, per column; they count as missing.
    first, last : str or None
        First and last month of issue of all loans, as "2007-06".
    per_grade : dict
        Kept loans of each grade.
    features : list of str
        Columns that are kept.
    dropped : dict
        Reason for each column that is not.
    seconds : float
        Time that reading took.
    """

    files: list[str] = field(default_factory=list)
    records: int = 0
    loans: int = 0
    non_loans: int = 0
    too_long: int = 0
    too_short: int = 0
    outside: int = 0
    undated: int = 0
    duplicates: int = 0
    kept: int = 0
    unreadable: Counter[str] = field(default_factory=Counter)
    first: str | None = None
    last: str | None = None
    per_grade: dict[str, int] = field(default_factory=dict)
    features: list[str] = field(default_factory=list)
    dropped: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, counts: Mapping[str, int]) -> None:
        """Add the counts of one file; the keys are names of attributes."""
        for name, count in counts.items():
            setattr(self, name, getattr(self, name) + count)

    def note_columns(self, features: Iterable[str], dropped: Mapping[str, str]) -> None:
        """Take the columns of one file into the lists."""
        self.features = list(dict.fromkeys([*self.features, *features]))
        self.dropped.update(dropped)

    def __str__(self) -> str:
        lines = [
            f"Read {', '.join(self.files)} in {self.seconds:.1f} s: {self.records:,} records, {self.loans:,} loans"
            + (f" issued {self.first} to {self.last}." if self.first else "."),
            "Skipped: "
            + ", ".join(f"{count:,} {what}" for what, count in self._skipped().items() if count or what == "duplicates")
            + ".",
            f"Kept {self.kept:,} loans: " + ", ".join(f"{grade} {n:,}" for grade, n in self.per_grade.items()) + ".",
        ]
        if self.unreadable:
            cells = ", ".join(f"{name} {count:,}" for name, count in self.unreadable.most_common())
            lines.append(f"Cells that are no numbers, taken as missing: {cells}.")
        lines.append(f"Kept {len(self.features)} columns: {', '.join(self.features)}.")
        lines.extend(f"Dropped ({reason}): {', '.join(names)}." for reason, names in self.dropped_by_reason().items())
        return "\n".join(lines)

    def _skipped(self) -> dict[str, int]:
        return {
            "records that are no loans": self.non_loans,
            "records with too many fields": self.too_long,
            "records with too few fields": self.too_short,
            "loans outside the window": self.outside,
            "loans without a readable month of issue": self.undated,
            "duplicates": self.duplicates,
        }

    def dropped_by_reason(self) -> dict[str, list[str]]:
        """Group the dropped columns by the reason."""
        groups: dict[str, list[str]] = {}
        for name, reason in self.dropped.items():
            groups.setdefault(reason, []).append(name)
        return groups
